#include "lean-bridge/server/hint_use.h"

#include <algorithm>
#include <set>

namespace plumbline::server {

using velvet::BinaryOp;
using velvet::Form;

namespace {

/// The operator of a term (resources/schema/term.schema.json) behind an infix one on binary32.
const char* termOp(BinaryOp op) {
  switch (op) {
  case BinaryOp::Add: return "fadd";
  case BinaryOp::Subtract: return "fsub";
  case BinaryOp::Multiply: return "fmul";
  case BinaryOp::Divide: return "fdiv";
  case BinaryOp::Less:
  case BinaryOp::Greater: return "flt";
  case BinaryOp::LessEqual:
  case BinaryOp::GreaterEqual: return "fle";
  case BinaryOp::BoolEqual:
  case BinaryOp::BoolNotEqual: return "feq";
  default: return "";
  }
}

constexpr std::string_view scalarClass = "Plumbline.Scalar.";

/// What a hint may speak about. Tests for NaN are left out: a case distinction brings them in.
const std::set<std::string>& comparedOps() {
  static const std::set<std::string> ops{"fadd", "fsub", "fmul", "fdiv", "fneg", "flt", "fle", "feq"};
  return ops;
}

/// Operators on binary32 of a document by their names in terms, and the functions of lean/ that it uses.
std::set<std::string> usedIn(const Snapshot& snapshot) {
  std::set<std::string> used;
  const auto isFloat = [&](const velvet::ExprPtr& expr) {
    const auto found = snapshot.typing.types.find(expr.get());
    return found != snapshot.typing.types.end() && found->second.is("Float32");
  };
  for (const auto& [expr, type] : snapshot.typing.types) {
    if (expr->form == Form::Binary && (isFloat(expr->args[0]) || isFloat(expr->args[1])))
      used.insert(termOp(expr->binary));
    if (expr->form == Form::Unary && expr->unary == velvet::UnaryOp::Negate && isFloat(expr->args[0]))
      used.insert("fneg");
    if (expr->form != Form::Name)
      continue;
    used.insert(expr->text);
    if (expr->text.starts_with(scalarClass))
      used.insert("f" + expr->text.substr(scalarClass.size()));
  }
  return used;
}

/// Names of lean/ in a statement.
std::set<std::string> functionsIn(const std::string& statement) {
  constexpr std::string_view first = "Plumbline.";
  std::set<std::string> names;
  for (size_t at = statement.find(first); at != std::string::npos; at = statement.find(first, at + 1)) {
    const size_t end = std::min(statement.find_first_of(" ()[],", at), statement.size());
    names.insert(statement.substr(at, end - at));
  }
  return names;
}

std::set<std::string> neededBy(const method::Hint& hint) {
  std::set<std::string> needed = functionsIn(hint.statement);
  const auto nodes = hint.formula.find("nodes");
  if (nodes != hint.formula.end() && nodes->is_array())
    for (const Json& node : *nodes)
      if (const std::string op = lsp::stringAt(node, "op"); comparedOps().contains(op))
        needed.insert(op);
  return needed;
}

} // namespace

const std::vector<method::Hint>& hintPool() {
  static const std::vector<method::Hint> pool = [] {
    Expected<std::vector<method::Hint>> read = method::readHintPool();
    return read ? *std::move(read) : std::vector<method::Hint>();
  }();
  return pool;
}

const method::Hint* poolHint(std::string_view theorem) {
  const auto found = std::ranges::find(hintPool(), theorem, &method::Hint::theorem);
  return found == hintPool().end() ? nullptr : &*found;
}

std::vector<const method::Hint*> fittingHints(const Snapshot& snapshot) {
  const std::set<std::string> used = usedIn(snapshot);
  std::vector<const method::Hint*> fitting;
  for (const method::Hint& hint : hintPool())
    if (std::ranges::includes(used, neededBy(hint)))
      fitting.push_back(&hint);
  return fitting;
}

std::optional<lsp::TextEdit> importEdit(const Snapshot& snapshot, const method::Hint& hint) {
  const velvet::Import* last = nullptr;
  for (const velvet::Item& item : snapshot.parsed.document.items) {
    const auto* import = std::get_if<velvet::Import>(&item);
    if (import == nullptr)
      continue;
    // The file with everything has all lemmas but those that rest on native evaluation.
    if (import->module == hint.module ||
        (import->module == "Plumbline" && hint.module.starts_with("Plumbline.Lemmas.")))
      return std::nullopt;
    last = import;
  }
  if (last == nullptr)
    return lsp::TextEdit{snapshot.range({0, 0}), "import " + hint.module + "\n"};
  const velvet::TextRange end{last->range.end, last->range.end};
  return lsp::TextEdit{snapshot.range(end), "\nimport " + hint.module};
}

std::string whoShowed(const method::Hint& hint) {
  std::string engines = hint.engines;
  for (size_t at = engines.find(' '); at != std::string::npos; at = engines.find(' ', at + 5))
    engines.replace(at, 1, " and ");
  std::string text = "shown by " + engines + "; " + hint.checked;
  for (const std::string& axiom : hint.axioms)
    text += "; rests on the axiom of " + axiom;
  return text;
}

bool isInHintList(std::string_view text, uint32_t offset) {
  size_t at = offset;
  while (at > 0 && text[at - 1] != '[' && text[at - 1] != ']' && text[at - 1] != '\n')
    --at;
  if (at == 0 || text[at - 1] != '[')
    return false;
  std::string_view before = text.substr(0, at - 1);
  while (before.ends_with(' '))
    before.remove_suffix(1);
  for (const std::string_view word : {"grind", "velvet_vcgen"})
    if (before.ends_with(word) &&
        (before.size() == word.size() ||
         std::string_view(" \n(|;").find(before[before.size() - word.size() - 1]) != std::string_view::npos))
      return true;
  return false;
}

} // namespace plumbline::server
