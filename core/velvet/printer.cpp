#include "core/velvet/printer.h"

#include "core/velvet/names.h"

#include <algorithm>

namespace plumbline::velvet {

std::string_view name(Dialect dialect) {
  switch (dialect) {
  case Dialect::Velvet2: return "velvet2";
  }
  return "unknown";
}

std::optional<Dialect> dialectFromName(std::string_view text) {
  for (const Dialect dialect : {Dialect::Velvet2})
    if (name(dialect) == text)
      return dialect;
  return std::nullopt;
}

namespace {

/// Lean's levels. An argument of an application needs `maxLevel`.
constexpr int maxLevel = 1024;
constexpr int applicationLevel = 1023;

struct Infix {
  const char* text;
  int level;
  int left;  ///< least level of the left operand that needs no parentheses
  int right; ///< of the right one
};

Infix infix(BinaryOp op) {
  switch (op) {
  case BinaryOp::Iff: return {"↔", 20, 21, 21};
  case BinaryOp::Implies: return {"→", 25, 26, 25};
  case BinaryOp::Or: return {"∨", 30, 31, 30};
  case BinaryOp::And: return {"∧", 35, 36, 35};
  case BinaryOp::BoolOr: return {"||", 30, 30, 31};
  case BinaryOp::BoolAnd: return {"&&", 35, 35, 36};
  case BinaryOp::Equal: return {"=", 50, 51, 51};
  case BinaryOp::NotEqual: return {"≠", 50, 51, 51};
  case BinaryOp::LessEqual: return {"≤", 50, 51, 51};
  case BinaryOp::Less: return {"<", 50, 51, 51};
  case BinaryOp::BoolEqual: return {"==", 50, 51, 51};
  case BinaryOp::Add: return {"+", 65, 65, 66};
  case BinaryOp::Subtract: return {"-", 65, 65, 66};
  case BinaryOp::Multiply: return {"*", 70, 70, 71};
  case BinaryOp::Divide: return {"/", 70, 70, 71};
  }
  return {"?", 0, maxLevel, maxLevel};
}

std::string printAt(const Expr& expr, int least);

std::string quantified(const Expr& expr, const char* symbol) {
  return symbol + (" " + quoted(expr.text)) + " : " + expr.type + ", " + printAt(*expr.args[0], 0);
}

std::string printUnary(const Expr& expr) {
  switch (expr.unary) {
  case UnaryOp::Not: return "¬ " + printAt(*expr.args[0], maxLevel);
  case UnaryOp::BoolNot: return "!" + printAt(*expr.args[0], maxLevel);
  case UnaryOp::Negate: return "-" + printAt(*expr.args[0], maxLevel);
  }
  return {};
}

std::string printApply(const Expr& expr) {
  std::string text = printAt(*expr.args[0], maxLevel);
  for (size_t i = 1; i < expr.args.size(); ++i)
    text += " " + printAt(*expr.args[i], maxLevel);
  return text;
}

std::string printIf(const Expr& expr) {
  return "if " + printAt(*expr.args[0], 1) + " then " + printAt(*expr.args[1], 1) + " else " +
         printAt(*expr.args[2], 1);
}

std::string printBinary(const Expr& expr) {
  const Infix row = infix(expr.binary);
  // "a ∨ b || c" would be read as "a ∨ (b || c)": ∨ takes what follows on its own level.
  const Expr& first = *expr.args[0];
  const Infix inner = infix(first.binary);
  const bool greedy = first.form == Form::Binary && inner.level == row.level && inner.right == inner.level;
  return printAt(first, greedy ? row.level + 1 : row.left) + " " + row.text + " " +
         printAt(*expr.args[1], row.right);
}

std::string printArray(const Expr& expr) {
  std::string text;
  for (const ExprPtr& element : expr.args)
    text += (text.empty() ? "" : ", ") + printAt(*element, 0);
  return "#[" + text + "]";
}

/// The level at which an expression binds. Quantifiers and `if` take everything to their right.
int levelOf(const Expr& expr) {
  switch (expr.form) {
  case Form::Forall:
  case Form::Exists:
  case Form::If: return 0;
  case Form::Binary: return infix(expr.binary).level;
  case Form::Unary: return expr.unary == UnaryOp::Negate ? 75 : 40;
  case Form::Apply: return applicationLevel;
  default: return maxLevel;
  }
}

std::string printForm(const Expr& expr) {
  switch (expr.form) {
  case Form::Name: return quoted(expr.text);
  case Form::Number: return expr.text;
  case Form::Apply: return printApply(expr);
  case Form::Field: return printAt(*expr.args[0], maxLevel) + "." + expr.text;
  case Form::Element: return printAt(*expr.args[0], maxLevel) + "[" + printAt(*expr.args[1], 0) + "]!";
  case Form::Ascribe: return "(" + printAt(*expr.args[0], 0) + " : " + expr.text + ")";
  case Form::Unary: return printUnary(expr);
  case Form::Binary: return printBinary(expr);
  case Form::If: return printIf(expr);
  case Form::Forall: return quantified(expr, "∀");
  case Form::Exists: return quantified(expr, "∃");
  case Form::Pair: return "(" + printAt(*expr.args[0], 0) + ", " + printAt(*expr.args[1], 0) + ")";
  case Form::Array: return printArray(expr);
  }
  return {};
}

std::string printAt(const Expr& expr, int least) {
  const std::string text = printForm(expr);
  return levelOf(expr) < least ? "(" + text + ")" : text;
}

/// In parentheses exactly once.
std::string inParentheses(const Expr& expr) {
  const bool already = expr.form == Form::Ascribe || expr.form == Form::Pair;
  return already ? print(expr) : "(" + print(expr) + ")";
}

const LineOrigin generated{};
const LineOrigin editable{{}, {}, false};

/// Writes lines in the syntax of Velvet 2.
class Printer {
public:
  PrintedDocument run(const Document& document) {
    bool first = true;
    bool afterImport = false;
    for (const Item& item : document.items) {
      const bool isImport = std::holds_alternative<Import>(item);
      if (!first && !(isImport && afterImport))
        line(0, "", generated);
      std::visit([this](const auto& it) { print(it); }, item);
      first = false;
      afterImport = isImport;
    }
    return std::move(m_result);
  }

private:
  void line(int depth, const std::string& text, const LineOrigin& origin) {
    m_result.text += std::string(text.empty() ? 0 : 2 * static_cast<size_t>(depth), ' ') + text + "\n";
    m_result.lines.push_back(origin);
  }

  void print(const Import& item) { line(0, "import " + item.module, generated); }

  void print(const Comment& item) {
    for (const std::string& text : item.lines)
      line(0, text.empty() ? "--" : "-- " + text, item.origin);
  }

  static std::string text(const Binder& binder) {
    const char* brackets = binder.bracket == Bracket::Round   ? "()"
                           : binder.bracket == Bracket::Curly ? "{}"
                                                              : "[]";
    const std::string head = binder.name.empty() ? "" : quoted(binder.name) + " : ";
    return brackets[0] + head + binder.type + brackets[1];
  }

  void print(const Definition& item) {
    if (!item.doc.empty())
      line(0, "-- " + item.doc, item.origin);
    if (!item.attribute.empty())
      line(0, "@[" + item.attribute + "]", item.origin);
    std::string head = "def " + quoted(item.name);
    for (const Binder& binder : item.binders)
      head += " " + text(binder);
    line(0, head + " : " + item.type + " :=", item.origin);
    for (const Let& let : item.lets)
      line(1, "let " + quoted(let.name) + " : " + let.type + " := " + velvet::print(*let.value), let.origin);
    line(1, velvet::print(*item.value), item.valueOrigin);
  }

  void print(const Method& item) {
    line(0, "method " + quoted(item.name), item.origin);
    for (const Binder& binder : item.binders)
      line(2, text(binder), binder.origin);
    line(1, "returns (" + quoted(item.resultName) + " : " + item.resultType + ")", item.origin);
    for (const Clause& clause : item.requirements)
      print(clause, 1, "requires");
    for (const Clause& clause : item.ensures)
      print(clause, 1, "ensures");
    line(0, "do", item.origin);
    block(item.body, 1);
  }

  void print(const Clause& clause, int depth, const std::string& keyword) {
    if (!clause.comment.empty())
      line(depth, "-- " + clause.comment, clause.origin);
    line(depth, keyword + " " + quoted(clause.label) + ": " + inParentheses(*clause.prop), clause.origin);
  }

  void print(const Proof& item) {
    line(0, "prove_correct " + quoted(item.method) + " by", editable);
    std::string unfold = quoted(item.method);
    for (const std::string& definition : item.unfold)
      unfold += ", " + quoted(definition);
    line(1, "velvet_vcgen [" + unfold + "] with try finish", editable);
  }

  void block(const std::vector<Stmt>& body, int depth) {
    for (const Stmt& stmt : body)
      statement(stmt, depth);
  }

  void statement(const Stmt& stmt, int depth) {
    switch (stmt.kind) {
    case StmtKind::Let:
      line(depth,
           std::string("let ") + (stmt.isMutable ? "mut " : "") + quoted(stmt.name) + " : " + stmt.type +
               " := " + velvet::print(*stmt.value),
           stmt.origin);
      return;
    case StmtKind::Set:
      line(depth, quoted(stmt.name) + " := " + velvet::print(*stmt.value), stmt.origin);
      return;
    case StmtKind::If: branch(stmt, depth); return;
    case StmtKind::While: loop(stmt, depth); return;
    case StmtKind::Assert: print(stmt.clause, depth, "assert"); return;
    case StmtKind::Return: line(depth, "return " + velvet::print(*stmt.value), stmt.origin); return;
    case StmtKind::Comment: line(depth, "-- " + stmt.name, stmt.origin); return;
    }
  }

  void branch(const Stmt& stmt, int depth) {
    line(depth, "if " + velvet::print(*stmt.value) + " then", stmt.origin);
    block(stmt.body, depth + 1);
    if (stmt.otherwise.empty())
      return;
    line(depth, "else", stmt.origin);
    block(stmt.otherwise, depth + 1);
  }

  void loop(const Stmt& stmt, int depth) {
    line(depth, "while " + quoted(stmt.loop.label) + ": " + inParentheses(*stmt.value), stmt.origin);
    for (const Clause& invariant : stmt.loop.invariants)
      print(invariant, depth + 1, "invariant");
    print(stmt.loop.decreasing, depth + 1, "decreasing");
    print(stmt.loop.doneWith, depth + 1, "done_with");
    line(depth, "do", stmt.origin);
    block(stmt.body, depth + 1);
  }

  PrintedDocument m_result;
};

} // namespace

std::string print(const Expr& expr) {
  return printAt(expr, 0);
}

PrintedDocument print(const Document& document, Dialect dialect) {
  switch (dialect) {
  case Dialect::Velvet2: return Printer().run(document);
  }
  return {};
}

} // namespace plumbline::velvet
