#include "tests/lean/statements.h"

#include "tests/method/pairs.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace plumbline::method_test {

using logic::Op;
using logic::Sort;
using logic::TermId;
using velvet::BinaryOp;
using velvet::Expr;
using velvet::ExprPtr;
using velvet::Form;

namespace {

const std::vector<std::string> types{"Float32", "Bool", "UInt32", "Nat", "Int"};

/// End of the bracket that opens at `open`, or npos.
size_t closing(const std::string& text, size_t open) {
  int depth = 0;
  for (size_t i = open; i < text.size(); ++i) {
    depth += text[i] == '(';
    depth -= text[i] == ')';
    if (depth == 0)
      return i;
  }
  return std::string::npos;
}

bool readBinder(const std::string& inside, Statement& made) {
  const size_t colon = inside.find(" : ");
  if (colon == std::string::npos)
    return false;
  const std::string type = inside.substr(colon + 3);
  if (std::ranges::find(types, type) == types.end()) {
    const auto hypothesis = readExpression(type);
    if (hypothesis)
      made.hypotheses.push_back(*hypothesis);
    return hypothesis.has_value();
  }
  for (size_t start = 0; start < colon;) {
    const size_t end = std::min(inside.find(' ', start), colon);
    made.variables.push_back({inside.substr(start, end - start), type, velvet::Bracket::Round, {}});
    start = end + 1;
  }
  return true;
}

} // namespace

std::optional<Statement> readStatement(const std::string& text) {
  Statement made;
  made.text = text;
  size_t at = 0;
  while (at < text.size() && text[at] == '(') {
    const size_t end = closing(text, at);
    if (end == std::string::npos || !readBinder(text.substr(at + 1, end - at - 1), made))
      return std::nullopt;
    at = end + 2;
  }
  if (text.compare(at, 2, ": ") != 0)
    return std::nullopt;
  const auto claim = readExpression(text.substr(at + 2));
  if (!claim)
    return std::nullopt;
  made.claim = *claim;
  return made;
}

std::vector<Statement> statementsOf(const std::filesystem::path& folder) {
  const std::filesystem::path root = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "lean";
  std::vector<Statement> all;
  for (const auto& entry : std::filesystem::directory_iterator(root / folder)) {
    const std::string text = readFile(entry.path()).value_or("");
    const size_t start = text.find("\ntheorem ");
    EXPECT_NE(start, std::string::npos) << entry.path();
    EXPECT_EQ(text.find("\ntheorem ", start + 1), std::string::npos) << "two theorems: " << entry.path();
    if (start == std::string::npos)
      continue;
    const size_t name = start + 9;
    const size_t after = text.find(' ', name);
    const size_t end = std::min(text.find(" := by\n", after), text.find(" := rfl\n", after));
    std::optional<Statement> made = readStatement(text.substr(after + 1, end - after - 1));
    EXPECT_TRUE(made) << entry.path();
    if (!made)
      continue;
    made->file = std::filesystem::relative(entry.path(), root).string();
    made->name = "Plumbline." + text.substr(name, after - name);
    if (const size_t open = text.rfind("\n@[", start); open != std::string::npos)
      if (const size_t close = text.find("]\n", open); close + 1 == start)
        made->attributes = text.substr(open + 3, close - open - 3);
    all.push_back(*std::move(made));
  }
  std::ranges::sort(all, {}, &Statement::file);
  return all;
}

namespace {

struct NoTerm {};

/// Expressions over F32 and Bool as terms. A proposition is a Bool term.
class Translator {
public:
  Translator(logic::TermStore& store, const std::vector<velvet::Definition>& definitions)
      : m_store(store), m_definitions(definitions) {}

  std::map<std::string, TermId> variables;

  TermId term(const Expr& expr) {
    switch (expr.form) {
    case Form::Name: return name(expr.text);
    case Form::Apply: return apply(expr);
    case Form::Unary: return unary(expr);
    case Form::Binary: return binary(expr);
    case Form::If: return m_store.ite(term(*expr.args[0]), term(*expr.args[1]), term(*expr.args[2]));
    default: throw NoTerm{};
    }
  }

private:
  TermId name(const std::string& text) {
    if (text == "true" || text == "false")
      return m_store.boolean(text == "true");
    const auto found = variables.find(text);
    if (found == variables.end())
      throw NoTerm{};
    return found->second;
  }

  TermId apply(const Expr& expr) {
    const std::string& function = expr.args[0]->text;
    if (function == "Float32.ofBits" && expr.args[1]->form == Form::Number)
      return m_store.f32Bits(static_cast<uint32_t>(std::stoull(expr.args[1]->text, nullptr, 0)));
    if (function == "decide")
      return term(*expr.args[1]);
    std::vector<TermId> args;
    for (size_t i = 1; i < expr.args.size(); ++i)
      args.push_back(term(*expr.args[i]));
    if (function == "Float32.isNaN")
      return m_store.unary(Op::FIsNan, args[0]);
    if (function == "Float32.abs")
      return m_store.unary(Op::FAbs, args[0]);
    if (function == "Plumbline.fma32")
      return m_store.fma(args[0], args[1], args[2]);
    return callDefinition(function, args);
  }

  TermId callDefinition(const std::string& function, const std::vector<TermId>& args) {
    const auto found = std::ranges::find(m_definitions, function, &velvet::Definition::name);
    if (found == m_definitions.end() || found->binders.size() != args.size() || !found->lets.empty())
      throw NoTerm{};
    Translator inner(m_store, m_definitions);
    for (size_t i = 0; i < args.size(); ++i)
      inner.variables[found->binders[i].name] = args[i];
    return inner.term(*found->value);
  }

  TermId unary(const Expr& expr) {
    const TermId a = term(*expr.args[0]);
    return expr.unary == velvet::UnaryOp::Negate ? m_store.unary(Op::FNeg, a) : m_store.lnot(a);
  }

  TermId iff(TermId a, TermId b) { return m_store.ite(a, b, m_store.lnot(b)); }

  TermId binary(const Expr& expr) {
    const TermId a = term(*expr.args[0]);
    const TermId b = term(*expr.args[1]);
    const bool floats = m_store[a].sort == Sort::F32;
    if (floats != (m_store[b].sort == Sort::F32))
      throw NoTerm{};
    switch (expr.binary) {
    case BinaryOp::Equal: return floats ? m_store.binary(Op::FSame, a, b) : iff(a, b);
    case BinaryOp::NotEqual: return m_store.lnot(floats ? m_store.binary(Op::FSame, a, b) : iff(a, b));
    case BinaryOp::Iff: return iff(a, b);
    case BinaryOp::Implies: return m_store.lor(m_store.lnot(a), b);
    case BinaryOp::Or:
    case BinaryOp::BoolOr: return m_store.lor(a, b);
    case BinaryOp::And:
    case BinaryOp::BoolAnd: return m_store.land(a, b);
    case BinaryOp::Less: return m_store.binary(Op::FLt, a, b);
    case BinaryOp::LessEqual: return m_store.binary(Op::FLe, a, b);
    case BinaryOp::Greater: return m_store.binary(Op::FLt, b, a);
    case BinaryOp::GreaterEqual: return m_store.binary(Op::FLe, b, a);
    case BinaryOp::BoolEqual: return m_store.binary(Op::FEq, a, b);
    case BinaryOp::Add: return m_store.binary(Op::FAdd, a, b);
    case BinaryOp::Subtract: return m_store.binary(Op::FSub, a, b);
    case BinaryOp::Multiply: return m_store.binary(Op::FMul, a, b);
    case BinaryOp::Divide: return m_store.binary(Op::FDiv, a, b);
    default: throw NoTerm{};
    }
  }

  logic::TermStore& m_store;
  const std::vector<velvet::Definition>& m_definitions;
};

} // namespace

std::optional<TermId> termOf(const Statement& statement, const std::vector<velvet::Definition>& definitions,
                             logic::TermStore& store) {
  Translator translator(store, definitions);
  for (const velvet::Binder& variable : statement.variables) {
    if (variable.type != "Float32")
      return std::nullopt;
    translator.variables[variable.name] = store.var(Sort::F32, variable.name);
  }
  try {
    TermId result = translator.term(*statement.claim);
    for (const ExprPtr& hypothesis : statement.hypotheses)
      result = store.lor(store.lnot(translator.term(*hypothesis)), result);
    return result;
  } catch (const NoTerm&) {
    return std::nullopt;
  }
}

} // namespace plumbline::method_test
