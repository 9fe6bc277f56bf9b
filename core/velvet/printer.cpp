#include "core/velvet/printer.h"

#include "core/velvet/names.h"
#include "core/velvet/parser.h"
#include "core/velvet/tactic_printer.h"

#include <algorithm>

namespace plumbline::velvet {

std::string_view name(Dialect dialect) {
  switch (dialect) {
  case Dialect::Velvet2: return "velvet2";
  case Dialect::VelvetCav: return "velvet-cav";
  }
  return "unknown";
}

std::optional<Dialect> dialectFromName(std::string_view text) {
  for (const Dialect dialect : {Dialect::Velvet2, Dialect::VelvetCav})
    if (name(dialect) == text)
      return dialect;
  return std::nullopt;
}

namespace {

/// In parentheses exactly once.
std::string inParentheses(const Expr& expr) {
  const bool already = expr.form == Form::Ascribe || expr.form == Form::Pair || expr.form == Form::Opaque;
  return already ? print(expr) : "(" + print(expr) + ")";
}

/// Whether lines two columns deep are read as that script.
bool readAs(const std::vector<std::string>& lines, const std::vector<Tactic>& script, Dialect dialect) {
  std::string text = "theorem t : a := by\n";
  for (const std::string& line : lines)
    text += (line.empty() ? "" : "  ") + line + "\n";
  const Parsed parsed = parse(text, dialect);
  const auto* read =
      parsed.document.items.size() == 1 ? std::get_if<Theorem>(&parsed.document.items[0]) : nullptr;
  return read && parsed.diagnostics.empty() && equal(read->script, script);
}

const LineOrigin generated{};
const LineOrigin editable{{}, {}, false};

/// Writes lines in the syntax of a dialect.
class Printer {
public:
  explicit Printer(Dialect dialect) : m_dialect(dialect), m_isCav(dialect == Dialect::VelvetCav) {}

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
    line(depth, depth, text, origin);
  }

  /// One line, or several where kept text has them: these stand at the depth `others` at least.
  void line(int depth, int others, const std::string& text, const LineOrigin& origin) {
    size_t start = 0;
    for (size_t end = 0; end < text.size() || start == 0; start = end + 1) {
      end = std::min(text.find('\n', start), text.size());
      const int columns = end == start ? 0 : 2 * (start == 0 ? depth : others);
      m_result.text.append(static_cast<size_t>(columns), ' ').append(text, start, end - start) += '\n';
      m_result.lines.push_back(origin);
    }
  }

  void print(const Import& item) { line(0, "import " + item.module, generated); }

  /// Comments, separated by line ends: block comments as they stand, others up to their line's end.
  void comment(int depth, const std::string& text, const LineOrigin& origin) {
    size_t start = 0;
    while (start <= text.size()) {
      const bool isBlock = text.compare(start, 2, "/-") == 0;
      const size_t end = isBlock ? start + lex(std::string_view(text).substr(start)).tokens[0].range.end
                                 : std::min(text.find('\n', start), text.size());
      const std::string each = text.substr(start, end - start);
      line(depth, isBlock ? each : each.empty() ? "--" : "-- " + each, origin);
      start = end + 1;
    }
  }

  void print(const Comment& item) {
    for (const std::string& text : item.lines)
      comment(0, text, item.origin);
  }

  void print(const Verbatim& item) { line(0, item.text, item.origin); }

  static std::string text(const Binder& binder) {
    const char* brackets = binder.bracket == Bracket::Round   ? "()"
                           : binder.bracket == Bracket::Curly ? "{}"
                                                              : "[]";
    const std::string head = binder.name.empty() ? "" : quoted(binder.name) + " : ";
    return std::string(1, brackets[0]) + (binder.isMutable ? "mut " : "") + head + binder.type + brackets[1];
  }

  /// Comment, attribute, and the head up to the binders.
  template <class Declaration>
  std::string head(const Declaration& item, const std::string& keyword, const LineOrigin& origin) {
    if (!item.doc.empty())
      comment(0, item.doc, origin);
    if (!item.attribute.empty())
      line(0, "@[" + item.attribute + "]", origin);
    std::string result =
        item.modifiers + (item.modifiers.empty() ? "" : " ") + keyword + " " + quoted(item.name);
    for (const Binder& binder : item.binders)
      result += " " + text(binder);
    return result;
  }

  void print(const Definition& item) {
    const std::string type = item.type.empty() ? "" : " : " + item.type;
    line(0, head(item, "def", item.origin) + type + " :=", item.origin);
    for (const Let& let : item.lets)
      line(1, "let " + typed(let) + " := " + velvet::print(*let.value), let.origin);
    line(1, 0, velvet::print(*item.value), item.valueOrigin);
  }

  void print(const Theorem& item) {
    const std::string claim =
        head(item, item.keyword, item.origin) + " : " + velvet::print(*item.statement) + " :=";
    if (item.term) {
      line(0, claim, item.origin);
      line(1, 0, velvet::print(*item.term), item.scriptOrigin);
      return;
    }
    line(0, claim + " by", item.origin);
    script(item.script, item.written, item.scriptOrigin);
  }

  /// In the canonical layout; as it was written where that layout, in which columns and comments count, would
  /// be read as something else.
  void script(const std::vector<Tactic>& tactics, const WrittenScript& written, const LineOrigin& origin) {
    const std::vector<std::string> lines = printScript(tactics);
    if (!written.text.empty() && !readAs(lines, tactics, m_dialect))
      return line(0, std::string(written.column, ' ') + written.text, origin);
    for (const std::string& text : lines)
      line(1, text, origin);
  }

  void print(const Method& item) {
    if (!item.doc.empty())
      comment(0, item.doc, item.origin);
    line(0, "method " + quoted(item.name), item.origin);
    for (const Binder& binder : item.binders)
      line(2, text(binder), binder.origin);
    line(1, (m_isCav ? "return (" : "returns (") + quoted(item.resultName) + " : " + item.resultType + ")",
         item.origin);
    for (const Clause& clause : item.requirements)
      print(clause, 1, m_isCav ? "require" : "requires");
    for (const Clause& clause : item.ensures)
      print(clause, 1, "ensures");
    line(m_isCav ? 1 : 0, "do", item.origin);
    block(item.body, m_isCav ? 2 : 1);
  }

  static std::string labelled(const std::string& label) { return label.empty() ? "" : quoted(label) + ": "; }

  template <class Variable> static std::string typed(const Variable& variable) {
    return quoted(variable.name) + (variable.type.empty() ? "" : " : " + variable.type);
  }

  void print(const Clause& clause, int depth, const std::string& keyword) {
    if (!clause.prop)
      return;
    if (!clause.comment.empty())
      comment(depth, clause.comment, clause.origin);
    line(depth,
         keyword + " " +
             (m_isCav ? cavClause(clause, keyword) : labelled(clause.label) + inParentheses(*clause.prop)),
         clause.origin);
  }

  /// Names are strings there, and only invariants have one.
  static std::string cavClause(const Clause& clause, const std::string& keyword) {
    const std::string prop = inParentheses(*clause.prop);
    if (keyword == "assert")
      return "(with_name_prefix `assert " + prop + ")";
    return keyword == "invariant" && !clause.label.empty() ? "\"" + clause.label + "\" " + prop : prop;
  }

  void print(const Proof& item) {
    line(0, std::string("prove_correct") + (item.suggests ? "? " : " ") + quoted(item.method) + " by",
         editable);
    if (!item.script.empty())
      return script(item.script, item.written, editable);
    if (m_isCav)
      return line(1, "loom_solve!", editable);
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
    case StmtKind::Let: line(depth, binding(stmt) + " := " + velvet::print(*stmt.value), stmt.origin); return;
    case StmtKind::Call:
      line(depth, (stmt.name.empty() ? "" : binding(stmt) + " ← ") + velvet::print(*stmt.value), stmt.origin);
      return;
    case StmtKind::Set:
      line(depth, quoted(stmt.name) + " := " + velvet::print(*stmt.value), stmt.origin);
      return;
    case StmtKind::If: branch(stmt, depth); return;
    case StmtKind::While: loop(stmt, depth); return;
    case StmtKind::Assert: print(stmt.clause, depth, "assert"); return;
    case StmtKind::Break: line(depth, "break", stmt.origin); return;
    case StmtKind::Continue: line(depth, "continue", stmt.origin); return;
    case StmtKind::Return:
      line(depth, stmt.value ? "return " + velvet::print(*stmt.value) : "return", stmt.origin);
      return;
    case StmtKind::Comment: comment(depth, stmt.name, stmt.origin); return;
    case StmtKind::Opaque: line(depth, stmt.name, stmt.origin); return;
    }
  }

  static std::string binding(const Stmt& stmt) {
    return std::string("let ") + (stmt.isMutable ? "mut " : "") + typed(stmt);
  }

  static std::string hypothesis(const Stmt& stmt) {
    return stmt.loop.label.empty() ? "" : quoted(stmt.loop.label) + " : ";
  }

  void branch(const Stmt& stmt, int depth) {
    line(depth, "if " + hypothesis(stmt) + velvet::print(*stmt.value) + " then", stmt.origin);
    block(stmt.body, depth + 1);
    if (stmt.otherwise.empty())
      return;
    line(depth, "else", stmt.origin);
    block(stmt.otherwise, depth + 1);
  }

  void loop(const Stmt& stmt, int depth) {
    line(depth, "while " + (m_isCav ? "" : labelled(stmt.loop.label)) + inParentheses(*stmt.value),
         stmt.origin);
    for (const Clause& invariant : stmt.loop.invariants)
      print(invariant, depth + 1, "invariant");
    if (m_isCav)
      print(stmt.loop.doneWith, depth + 1, "done_with");
    print(stmt.loop.decreasing, depth + 1, "decreasing");
    if (!m_isCav)
      print(stmt.loop.doneWith, depth + 1, "done_with");
    line(depth, "do", stmt.origin);
    block(stmt.body, depth + 1);
  }

  Dialect m_dialect;
  bool m_isCav;
  PrintedDocument m_result;
};

} // namespace

PrintedDocument print(const Document& document, Dialect dialect) {
  return Printer(dialect).run(document);
}

} // namespace plumbline::velvet
