#include "core/velvet/locked_parts.h"

#include "core/velvet/cursor.h"
#include "core/velvet/printer.h"

#include <algorithm>

namespace plumbline::velvet {
namespace {

/// Attributes that change no meaning: what the provers may use.
bool isHarmless(const std::string& attributes) {
  constexpr std::string_view harmless[] = {
      "grind", "grind =", "grind →", "grind ←", "simp", "spec", "loomAbstractionSimp", "solverHint"};
  size_t start = 0;
  while (start < attributes.size()) {
    const size_t end = std::min(attributes.find(',', start), attributes.size());
    std::string each = attributes.substr(start, end - start);
    while (each.starts_with(' '))
      each.erase(0, 1);
    if (std::ranges::find(harmless, each) == std::end(harmless))
      return false;
    start = end + 1;
  }
  return true;
}

std::string binderText(const Binder& binder) {
  const char* brackets = binder.bracket == Bracket::Round   ? "()"
                         : binder.bracket == Bracket::Curly ? "{}"
                                                            : "[]";
  return std::string(1, brackets[0]) + (binder.isMutable ? "mut " : "") + binder.name + " : " + binder.type +
         brackets[1];
}

/// Takes a document apart.
class Parts {
public:
  Parts(std::string_view text, const std::set<std::string>& used) : m_text(text), m_used(used) {}

  std::vector<LockedPart> run(const Document& document) {
    for (const Item& item : document.items)
      if (const auto* comment = std::get_if<Comment>(&item))
        lines(comment->lines, comment->range);
      else if (!isFree(item, m_used))
        std::visit([this](const auto& each) { add(each); }, item);
    return std::move(m_parts);
  }

private:
  void part(std::string text, TextRange range, bool isComment = false) {
    m_parts.push_back({std::move(text), range, isComment});
  }

  /// Comment lines, each where it stands.
  void lines(const std::vector<std::string>& texts, TextRange range) {
    uint32_t begin = range.begin;
    for (const std::string& text : texts) {
      const size_t end = std::min<size_t>(m_text.find('\n', begin), range.end);
      part(text, {begin, static_cast<uint32_t>(end)}, true);
      begin = static_cast<uint32_t>(std::min<size_t>(end + 1, range.end));
    }
  }

  /// A comment above something.
  void above(const std::string& text, TextRange range) {
    size_t start = 0;
    while (!text.empty() && start <= text.size()) {
      const size_t end = std::min(text.find('\n', start), text.size());
      part(text.substr(start, end - start), range, true);
      start = end + 1;
    }
  }

  void add(const Import& item) { part("import " + item.module, item.range); }
  void add(const Comment&) {}
  void add(const Proof& item) { part("prove_correct " + item.method, item.nameRange); }

  void add(const Verbatim& item) { part(item.text, item.range); }

  void add(const Theorem& item) { part(item.keyword + " " + item.name, item.nameRange); }

  void add(const Definition& item) {
    above(item.doc, item.nameRange);
    std::string head = "@[" + item.attribute + "] " + item.modifiers + " def " + item.name;
    for (const Binder& binder : item.binders)
      head += " " + binderText(binder);
    part(head + " : " + item.type, {item.range.begin, std::max(item.typeRange.end, item.nameRange.end)});
    for (const Let& let : item.lets)
      part("let " + let.name + " : " + let.type + " := " + print(*let.value), let.range);
    part("value: " + print(*item.value), item.value->range);
  }

  void add(const Method& item) {
    above(item.doc, item.nameRange);
    part("method " + item.name, item.nameRange);
    for (const Binder& binder : item.binders)
      part(binderText(binder), binder.range);
    part("returns (" + item.resultName + " : " + item.resultType + ")", item.resultRange);
    for (const Clause& clause : item.requirements)
      add(clause, "requires");
    for (const Clause& clause : item.ensures)
      add(clause, "ensures");
    block(item.body, "do", item.range);
  }

  void add(const Clause& clause, const std::string& keyword) {
    if (!clause.prop)
      return;
    above(clause.comment, clause.range);
    part(keyword + " " + clause.label + ": " + print(*clause.prop), clause.range);
  }

  /// Statements between two marks, so that one moved into or out of a block is seen.
  void block(const std::vector<Stmt>& body, const char* mark, TextRange whole) {
    const uint32_t begin = body.empty() ? whole.end : body.front().range.begin;
    const uint32_t end = body.empty() ? whole.end : body.back().range.end;
    part(mark, {begin, begin});
    for (const Stmt& stmt : body)
      add(stmt);
    part(std::string("end of ") + mark, {end, end});
  }

  static std::string valueText(const Stmt& stmt) { return stmt.value ? print(*stmt.value) : ""; }

  void add(const Stmt& stmt) {
    const char* mutability = stmt.isMutable ? "let mut " : "let ";
    switch (stmt.kind) {
    case StmtKind::Let:
      return part(mutability + stmt.name + " : " + stmt.type + " := " + valueText(stmt), stmt.range);
    case StmtKind::Call:
      return part(mutability + stmt.name + " : " + stmt.type + " ← " + valueText(stmt), stmt.range);
    case StmtKind::Set: return part(stmt.name + " := " + valueText(stmt), stmt.range);
    case StmtKind::Assert: return add(stmt.clause, "assert");
    case StmtKind::Break: return part("break", stmt.range);
    case StmtKind::Continue: return part("continue", stmt.range);
    case StmtKind::Return: return part("return " + valueText(stmt), stmt.range);
    case StmtKind::Comment: return part(stmt.name, stmt.range, true);
    case StmtKind::Opaque: return part(stmt.name, stmt.range);
    case StmtKind::If:
      part("if " + stmt.loop.label + ": " + valueText(stmt) + " then", stmt.headRange);
      block(stmt.body, "then", stmt.headRange);
      return block(stmt.otherwise, "else", {stmt.range.end, stmt.range.end});
    case StmtKind::While:
      part("while " + stmt.loop.label + ": " + valueText(stmt), stmt.headRange);
      add(stmt.loop.decreasing, "decreasing");
      add(stmt.loop.doneWith, "done_with");
      return block(stmt.body, "do", stmt.headRange);
    }
  }

  std::string_view m_text;
  const std::set<std::string>& m_used;
  std::vector<LockedPart> m_parts;
};

} // namespace

std::set<std::string> namesIn(std::string_view text) {
  std::set<std::string> names;
  for (const Token& token : lex(text).tokens) {
    if (token.kind != TokenKind::Word)
      continue;
    const std::string name = unquotedName(slice(text, token.range));
    names.insert(name);
    names.insert(name.substr(0, name.find('.')));
  }
  return names;
}

bool isFree(const Item& item, const std::set<std::string>& used) {
  if (std::holds_alternative<Comment>(item) || std::holds_alternative<Proof>(item))
    return true;
  if (const auto* theorem = std::get_if<Theorem>(&item))
    return !used.contains(theorem->name) && isHarmless(theorem->attribute);
  if (const auto* definition = std::get_if<Definition>(&item))
    return !used.contains(definition->name) && isHarmless(definition->attribute) &&
           definition->name.find('.') == std::string::npos;
  const auto* verbatim = std::get_if<Verbatim>(&item);
  return verbatim && verbatim->keyword == "#";
}

std::vector<LockedPart> lockedParts(const Parsed& parsed, std::string_view text,
                                    const std::set<std::string>& used) {
  return Parts(text, used).run(parsed.document);
}

} // namespace plumbline::velvet
