#include "core/velvet/item_parser.h"

#include "core/velvet/expr_parser.h"
#include "core/velvet/names.h"
#include "core/velvet/stmt_parser.h"
#include "core/velvet/tactic_parser.h"

#include <algorithm>
#include <array>

namespace plumbline::velvet {
namespace {

constexpr auto commands = std::to_array<std::string_view>({
    "import",
    "open",
    "namespace",
    "section",
    "end",
    "variable",
    "universe",
    "set_option",
    "attribute",
    "def",
    "abbrev",
    "theorem",
    "lemma",
    "example",
    "instance",
    "structure",
    "class",
    "inductive",
    "axiom",
    "opaque",
    "macro",
    "macro_rules",
    "syntax",
    "notation",
    "infix",
    "infixl",
    "infixr",
    "prefix",
    "postfix",
    "elab",
    "initialize",
    "mutual",
    "export",
    "local",
    "scoped",
    "omit",
    "include",
    "method",
    "prove_correct",
    "prove_correct?",
    "extract_program_for",
    "derive_tester_for",
    "prove_precondition_decidable_for",
    "prove_postcondition_decidable_for",
    "deriving",
    "public",
    "module",
});

constexpr auto modifierWords =
    std::to_array<std::string_view>({"private", "protected", "noncomputable", "unsafe", "partial", "nonrec"});

bool isModifier(std::string_view word) {
  return std::ranges::find(modifierWords, word) != modifierWords.end();
}

/// Reads one command at a time.
class ItemParser {
public:
  explicit ItemParser(Cursor& cursor) : m_cursor(cursor) {}

  std::vector<Item> run() {
    while (m_cursor.position() < m_cursor.size()) {
      const std::string doc = comments(true);
      const size_t begin = m_cursor.position();
      m_cursor.setLimit(itemEnd(begin));
      m_cursor.scope.clear();
      item(doc, begin);
      m_cursor.moveTo(m_cursor.limit());
      m_cursor.setLimit(m_cursor.size());
    }
    comments(false);
    return std::move(m_items);
  }

private:
  // --- Where items begin ---

  bool beginsItem(size_t position) const {
    const Token& token = m_cursor.tokenAt(position);
    if (!token.firstOnLine || token.column != 0)
      return false;
    return beginsCommand(textAt(position));
  }

  std::string_view textAt(size_t position) const {
    return position < m_cursor.size() ? slice(m_cursor.text(), m_cursor.tokenAt(position).range)
                                      : std::string_view();
  }

  /// The token behind the item that begins at `begin`: attributes and modifiers go with what follows.
  size_t itemEnd(size_t begin) const {
    size_t next = begin;
    while (textAt(next) == "@[" || isModifier(textAt(next))) {
      if (textAt(next) == "@[")
        while (next < m_cursor.size() && textAt(next) != "]")
          ++next;
      ++next;
    }
    ++next;
    while (next < m_cursor.size() && !beginsItem(next))
      ++next;
    return std::min(next, m_cursor.size());
  }

  // --- Comments between items ---

  /// Adds the comments before the next token as items, except those right above it when it takes them: these
  /// are returned.
  std::string comments(bool mayTake) {
    std::vector<Token> group;
    const std::vector<Token> all = m_cursor.takeComments();
    for (const Token& token : all) {
      if (!group.empty() && blankLine(group.back().range.end, token.range.begin))
        flush(group);
      group.push_back(token);
    }
    const bool takes = mayTake && !group.empty() && takesDoc(m_cursor.position()) &&
                       !blankLine(group.back().range.end, m_cursor.raw().range.begin);
    if (!takes) {
      flush(group);
      return {};
    }
    std::string doc;
    for (const Token& token : group)
      doc += (doc.empty() ? "" : "\n") + commentText(slice(m_cursor.text(), token.range), token.column);
    return doc;
  }

  bool takesDoc(size_t position) const {
    const std::string_view word = textAt(position);
    return word == "def" || word == "theorem" || word == "lemma" || word == "method" || word == "@[" ||
           isModifier(word);
  }

  bool blankLine(uint32_t from, uint32_t to) const {
    return std::ranges::count(slice(m_cursor.text(), {from, to}), '\n') > 1;
  }

  void flush(std::vector<Token>& group) {
    if (group.empty())
      return;
    Comment made;
    for (const Token& token : group)
      made.lines.push_back(commentText(slice(m_cursor.text(), token.range), token.column));
    made.range = {group.front().range.begin, group.back().range.end};
    m_items.emplace_back(std::move(made));
    group.clear();
  }

  // --- One item ---

  void item(const std::string& doc, size_t begin) {
    const Cursor::Extent extent(m_cursor, 0);
    const std::string attribute = attributes();
    std::string modifiers;
    while (isModifier(m_cursor.rawText())) {
      modifiers += (modifiers.empty() ? "" : " ") + std::string(m_cursor.rawText());
      m_cursor.advance();
    }
    const std::string word(m_cursor.rawText());
    const bool plain = attribute.empty() && modifiers.empty();
    if (word == "import" && plain)
      import(begin);
    else if (word == "method" && plain)
      method(doc, begin);
    else if ((word == "prove_correct" || word == "prove_correct?") && plain)
      proof(word, begin);
    else if (word == "def")
      definition(doc, attribute, modifiers, begin);
    else if (word == "theorem" || word == "lemma")
      theorem(doc, attribute, modifiers, begin);
    else
      verbatim(doc, begin);
  }

  std::string attributes() {
    std::string result;
    while (m_cursor.rawText() == "@[") {
      m_cursor.advance();
      const size_t begin = m_cursor.position();
      while (m_cursor.position() < m_cursor.limit() && m_cursor.rawText() != "]")
        m_cursor.advance();
      result += (result.empty() ? "" : ", ") + m_cursor.joined(m_cursor.rangeFrom(begin));
      if (m_cursor.rawText() == "]")
        m_cursor.advance();
    }
    return result;
  }

  void add(Item item) { m_items.push_back(std::move(item)); }

  void import(size_t begin) {
    m_cursor.advance();
    const size_t name = m_cursor.position();
    if (m_cursor.atWord())
      m_cursor.advance();
    else
      m_cursor.report(m_cursor.here(), "syntax", "the name of a module is expected here");
    Import made{std::string(slice(m_cursor.text(), m_cursor.rangeFrom(name)))};
    made.range = m_cursor.rangeFrom(begin);
    if (m_cursor.position() < m_cursor.limit())
      return verbatim({}, begin, "this does not go on the import before it");
    add(std::move(made));
  }

  /// Everything up to the next item, as it stands. With a problem, it is reported.
  void verbatim(const std::string& doc, size_t begin, const std::string& problem = {}) {
    keepDoc(doc, begin);
    if (!problem.empty())
      m_cursor.report(m_cursor.position() < m_cursor.limit() ? m_cursor.raw().range : m_cursor.here(),
                      "syntax", problem);
    m_cursor.moveTo(begin);
    Verbatim made;
    attributes();
    while (isModifier(m_cursor.rawText()))
      m_cursor.advance();
    made.keyword = std::string(m_cursor.rawText());
    const bool known = isCommand(made.keyword) || made.keyword == "#";
    if (problem.empty() && !known)
      m_cursor.report(m_cursor.raw().range, "syntax", "a command is expected here");
    m_cursor.advance();
    if (m_cursor.position() < m_cursor.limit() && m_cursor.raw().kind == TokenKind::Word) {
      made.name = unquotedName(m_cursor.rawText());
      made.nameRange = m_cursor.raw().range;
    }
    if (made.keyword == "variable") {
      made.name.clear();
      made.nameRange = {};
      made.binders = binders();
    }
    m_cursor.moveTo(m_cursor.limit());
    made.range = m_cursor.rangeFrom(begin);
    made.text = std::string(slice(m_cursor.text(), made.range));
    add(std::move(made));
  }

  /// A comment that was taken for a documentation stays above a helper that is kept as text.
  void keepDoc(const std::string& doc, size_t) {
    if (!doc.empty())
      m_items.emplace_back(Comment{splitLines(doc)});
  }

  static std::vector<std::string> splitLines(const std::string& text) {
    std::vector<std::string> lines;
    size_t start = 0;
    for (size_t end = text.find('\n'); end != std::string::npos; end = text.find('\n', start)) {
      lines.push_back(text.substr(start, end - start));
      start = end + 1;
    }
    lines.push_back(text.substr(start));
    return lines;
  }

  // --- Heads ---

  bool name(std::string& text, TextRange& range) {
    if (!m_cursor.atWord() || isReserved(m_cursor.peek()) || !fitsTree(m_cursor.peek()))
      return false;
    text = unquotedName(m_cursor.peek());
    range = m_cursor.token().range;
    m_cursor.advance();
    return true;
  }

  static const char* closing(std::string_view open) {
    return open == "(" ? ")" : open == "{" ? "}" : open == "[" ? "]" : "⦄";
  }

  /// One a name; names become variables of the scope.
  std::vector<Binder> binders() {
    std::vector<Binder> result;
    while (m_cursor.atAny({"(", "{", "[", "⦃"})) {
      const size_t begin = m_cursor.position();
      const std::string open(m_cursor.peek());
      const char* close = closing(open);
      m_cursor.advance();
      const size_t first = result.size();
      binderNames(result, open, close);
      const TypeText type = parseType(m_cursor, {close});
      if (type.text.empty())
        m_cursor.report(m_cursor.here(), "syntax", "a type is expected here");
      if (!m_cursor.accept(close))
        m_cursor.report(m_cursor.here(), "syntax", std::string("a ") + close + " is missing here");
      for (size_t i = first; i < result.size(); ++i) {
        result[i].type = type.text;
        result[i].typeRange = type.range;
        result[i].range = m_cursor.rangeFrom(begin);
        result[i].bracket = open == "(" ? Bracket::Round : open == "[" ? Bracket::Square : Bracket::Curly;
        m_cursor.scope.push_back(result[i].name);
      }
    }
    return result;
  }

  /// The names and the colon; a class argument may have neither.
  void binderNames(std::vector<Binder>& result, const std::string& open, const char* close) {
    const size_t first = result.size();
    const size_t begin = m_cursor.position();
    const bool isMutable = open == "(" && m_cursor.accept("mut");
    while (m_cursor.atWord() && m_cursor.peek().find('.') == std::string_view::npos &&
           (!isReserved(m_cursor.peek()) || m_cursor.at("_"))) {
      Binder made;
      made.name = unquotedName(m_cursor.peek());
      made.nameRange = m_cursor.token().range;
      made.isMutable = isMutable;
      result.push_back(std::move(made));
      m_cursor.advance();
    }
    if (result.size() > first && m_cursor.accept(":"))
      return;
    result.resize(first);
    result.emplace_back();
    if (open == "[") {
      m_cursor.moveTo(begin);
      return;
    }
    m_cursor.report(m_cursor.here(), "syntax", "a name and its type are expected here: name : type");
    m_cursor.skipTo({close});
  }

  // --- def ---

  void definition(const std::string& doc, const std::string& attribute, const std::string& modifiers,
                  size_t begin) {
    Definition made;
    made.doc = doc;
    made.attribute = attribute;
    made.modifiers = modifiers;
    m_cursor.advance();
    if (!name(made.name, made.nameRange))
      return verbatim(doc, begin, "a name is expected here");
    made.binders = binders();
    if (m_cursor.accept(":")) {
      const TypeText type = parseType(m_cursor, {":=", "|", "where"});
      made.type = type.text;
      made.typeRange = type.range;
      if (type.text.empty())
        m_cursor.report(m_cursor.here(), "syntax", "a type is expected here");
    }
    if (m_cursor.atAny({"|", "where"}))
      return verbatim(doc, begin);
    if (!m_cursor.accept(":="))
      return verbatim(doc, begin, "a := is missing here");
    while (m_cursor.at("let") && let(made))
      ;
    made.value = parseExpression(m_cursor);
    if (m_cursor.position() < m_cursor.limit())
      return verbatim(doc, begin, unread);
    made.range = m_cursor.rangeFrom(begin);
    add(std::move(made));
  }

  /// let name : type := value on a line of its own, before more lines. False: nothing was read.
  bool let(Definition& made) {
    const size_t begin = m_cursor.position();
    const uint32_t column = m_cursor.token().column;
    Let let;
    m_cursor.advance();
    if (!name(let.name, let.nameRange)) {
      m_cursor.moveTo(begin);
      return false;
    }
    if (m_cursor.accept(":")) {
      const TypeText type = parseType(m_cursor, {":="});
      let.type = type.text;
      let.typeRange = type.range;
      if (type.text.empty())
        m_cursor.report(m_cursor.here(), "syntax", "a type is expected here");
    }
    if (!m_cursor.accept(":=")) {
      m_cursor.moveTo(begin);
      return false;
    }
    {
      const size_t value = m_cursor.position();
      const Cursor::Extent extent(m_cursor, column);
      let.value = parseExpression(m_cursor, {";"});
      if (m_cursor.position() == value)
        m_cursor.report(m_cursor.here(), "syntax", "an expression is expected here");
    }
    let.range = m_cursor.rangeFrom(begin);
    m_cursor.accept(";");
    m_cursor.scope.push_back(let.name);
    made.lets.push_back(std::move(let));
    return true;
  }

  // --- Scripts ---

  /// Behind the last tactic or comment: a tactic's own range ends before comments that end its body.
  static uint32_t endOf(const std::vector<Tactic>& script) {
    uint32_t end = 0;
    for (const Tactic& tactic : script)
      end = std::max({end, tactic.range.end, endOf(tactic.body)});
    return end;
  }

  WrittenScript written(const std::vector<Tactic>& script) const {
    if (script.empty())
      return {};
    const TextRange range{script.front().range.begin, endOf(script)};
    const std::string_view before = m_cursor.text().substr(0, range.begin);
    const std::string_view line = before.substr(before.rfind('\n') + 1);
    const auto column = std::ranges::count_if(line, [](unsigned char c) { return (c & 0xC0) != 0x80; });
    return {std::string(slice(m_cursor.text(), range)), static_cast<uint32_t>(column)};
  }

  // --- theorem ---

  void theorem(const std::string& doc, const std::string& attribute, const std::string& modifiers,
               size_t begin) {
    Theorem made;
    made.doc = doc;
    made.attribute = attribute;
    made.modifiers = modifiers;
    made.keyword = std::string(m_cursor.rawText()); // at the line's beginning behind an attribute
    m_cursor.advance();
    if (!name(made.name, made.nameRange))
      return verbatim(doc, begin, "a name is expected here");
    made.binders = binders();
    if (!m_cursor.accept(":"))
      return verbatim(doc, begin, "a : is missing before the statement");
    made.statement = parseExpression(m_cursor, {":="});
    if (!m_cursor.accept(":=")) {
      if (m_cursor.at("|"))
        return verbatim(doc, begin);
      return verbatim(doc, begin, "a := is missing here");
    }
    const size_t proof = m_cursor.position();
    if (m_cursor.accept("by")) {
      made.byRange = m_cursor.rangeFrom(proof);
      made.script = parseScript(m_cursor, 0);
      made.written = written(made.script);
    } else {
      made.term = parseExpression(m_cursor);
      made.byRange = m_cursor.rangeFrom(proof);
    }
    if (m_cursor.position() < m_cursor.limit())
      return verbatim(doc, begin, unread);
    made.range = m_cursor.rangeFrom(begin);
    add(std::move(made));
  }

  static constexpr const char* unread = "this does not go on what stands before it";

  // --- method ---

  void method(const std::string& doc, size_t begin) {
    const bool isCav = m_cursor.dialect() == Dialect::VelvetCav;
    Method made;
    made.doc = doc;
    m_cursor.advance();
    if (m_cursor.at("rec") || !name(made.name, made.nameRange))
      return verbatim(doc, begin,
                      m_cursor.at("rec") ? "method rec is not understood" : "a name is expected here");
    made.binders = binders();
    for (const Binder& binder : made.binders) {
      if (binder.isMutable)
        m_cursor.scope.push_back(binder.name + "Old");
      if (binder.isMutable && !isCav)
        m_cursor.report(binder.range, "dialect", "Velvet 2 has no (mut ...) parameters");
    }
    if (!result(made))
      return verbatim(doc, begin,
                      "the result is expected here: " + std::string(clauseWords(m_cursor.dialect()).result) +
                          " (name : type)");
    m_cursor.scope.push_back(made.resultName);
    contract(made);
    m_cursor.scope.pop_back();
    const std::vector<Token> before =
        m_cursor.rawText() == "do" ? m_cursor.takeComments() : std::vector<Token>();
    if (m_cursor.rawText() != "do")
      return verbatim(doc, begin, "the word do is missing here");
    const uint32_t column = m_cursor.raw().column;
    m_cursor.advance();
    made.body = parseBlock(m_cursor, column);
    for (const Token& token : before)
      made.body.insert(made.body.begin(),
                       commentStmt(commentText(slice(m_cursor.text(), token.range), token.column), {}));
    if (m_cursor.position() < m_cursor.limit())
      return verbatim(doc, begin, "this does not go on the method before it");
    made.range = m_cursor.rangeFrom(begin);
    add(std::move(made));
  }

  bool result(Method& made) {
    const ClauseWords words = clauseWords(m_cursor.dialect());
    if (!m_cursor.atAny({"returns", "return"}))
      return false;
    if (!m_cursor.at(words.result))
      m_cursor.report(m_cursor.token().range, "dialect", "this dialect writes " + std::string(words.result));
    m_cursor.advance();
    if (!m_cursor.accept("(") || !name(made.resultName, made.resultRange) || !m_cursor.accept(":"))
      return false;
    const TypeText type = parseType(m_cursor, {")"});
    made.resultType = type.text;
    made.resultTypeRange = type.range;
    return !type.text.empty() && m_cursor.accept(")");
  }

  void contract(Method& made) {
    const ClauseWords words = clauseWords(m_cursor.dialect());
    while (m_cursor.atAny({"requires", "require", "ensures"})) {
      const std::string comment = m_cursor.takeCommentText();
      const std::string word(m_cursor.peek());
      Clause clause = parseClause(m_cursor);
      clause.comment = comment;
      if (word != "ensures" && word != words.require)
        m_cursor.report(clause.range, "dialect", "this dialect writes " + std::string(words.require));
      if (word != "ensures" && !made.ensures.empty())
        m_cursor.report(clause.range, "clause", std::string(words.require) + " clauses stand before ensures");
      (word == "ensures" ? made.ensures : made.requirements).push_back(std::move(clause));
    }
  }

  // --- prove_correct ---

  void proof(const std::string& word, size_t begin) {
    Proof made;
    made.suggests = word.ends_with('?');
    m_cursor.advance();
    if (!name(made.method, made.nameRange))
      return verbatim({}, begin, "the name of a method is expected here");
    const size_t by = m_cursor.position();
    if (!m_cursor.accept("by"))
      return verbatim({}, begin, "the word by is missing here");
    made.byRange = m_cursor.rangeFrom(by);
    made.script = parseScript(m_cursor, 0);
    made.written = written(made.script);
    if (m_cursor.position() < m_cursor.limit())
      return verbatim({}, begin, unread);
    for (const Tactic& tactic : made.script)
      if (isSolveCommand(tactic)) {
        for (const TacticTerm& term : tactic.list)
          if (term.text != made.method)
            made.unfold.push_back(term.expr && term.expr->form == Form::Name ? term.expr->text : term.text);
        break;
      }
    made.range = m_cursor.rangeFrom(begin);
    add(std::move(made));
  }

  Cursor& m_cursor;
  std::vector<Item> m_items;
};

} // namespace

bool isCommand(std::string_view word) {
  return std::ranges::find(commands, word) != commands.end();
}

bool beginsCommand(std::string_view token) {
  return isCommand(token) || isModifier(token) || token == "@[" || token == "#";
}

std::vector<Item> parseItems(Cursor& cursor) {
  return ItemParser(cursor).run();
}

} // namespace plumbline::velvet
