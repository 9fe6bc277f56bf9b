#include "core/velvet/stmt_parser.h"

#include "core/velvet/expr_parser.h"
#include "core/velvet/names.h"
#include "core/velvet/tactic_parser.h"

#include <algorithm>

namespace plumbline::velvet {

ClauseWords clauseWords(Dialect dialect) {
  switch (dialect) {
  case Dialect::Velvet2: break;
  case Dialect::VelvetCav: return {"return", "require"};
  }
  return {"returns", "requires"};
}

namespace {

/// A label `name:` (not `name :=`).
bool parseName(Cursor& cursor, std::string& label, TextRange& range) {
  if (!cursor.atWord() || cursor.peek(1) != ":" || !fitsTree(cursor.peek()))
    return false;
  range = cursor.token().range;
  label = unquotedName(cursor.peek());
  cursor.advance();
  cursor.advance();
  return true;
}

/// A name in quotes: of an invariant in the older dialect. Elsewhere it is one, wrongly, where a proposition
/// follows; otherwise it begins the proposition.
bool parseString(Cursor& cursor, std::string& label, TextRange& range, bool isExpected) {
  if (cursor.token().kind != TokenKind::String)
    return false;
  const bool isFollowed = cursor.peek(1) == "(" || cursor.token(1).kind == TokenKind::Word;
  if (!isExpected && !isFollowed)
    return false;
  range = cursor.token().range;
  std::string_view text = cursor.peek();
  text.remove_prefix(1);
  if (text.ends_with('"'))
    text.remove_suffix(1);
  label = std::string(text);
  cursor.advance();
  return true;
}

/// The label of a clause, which `word` begins: `name:`, and in the older dialect a string on invariants
/// alone.
void parseLabel(Cursor& cursor, std::string_view word, std::string& label, TextRange& range) {
  const bool isCav = cursor.dialect() == Dialect::VelvetCav;
  const bool takesString = isCav && word == "invariant";
  if (parseName(cursor, label, range)) {
    if (isCav)
      cursor.report(range, "dialect",
                    takesString ? "this dialect writes the name of an invariant in quotes"
                                : "this dialect has labels on invariants alone");
  } else if (parseString(cursor, label, range, takesString) && !takesString) {
    cursor.report(range, "dialect",
                  isCav ? "this dialect has labels on invariants alone"
                        : "this dialect writes a label without quotes: name: P");
  }
}

bool isClauseWord(std::string_view word) {
  return word == "invariant" || word == "decreasing" || word == "done_with";
}

class BlockParser {
public:
  explicit BlockParser(Cursor& cursor) : m_cursor(cursor) {}

  std::vector<Stmt> block(uint32_t outer) {
    std::vector<Stmt> statements;
    const size_t scope = m_cursor.scope.size();
    const Cursor::Depth depth(m_cursor);
    if (m_cursor.raw().range.empty() || m_cursor.raw().column <= outer || !depth) {
      missing();
      return statements;
    }
    const uint32_t column = m_cursor.raw().column;
    size_t begin = m_cursor.position();
    while (inBlock(column, outer, begin)) {
      comments(statements, 0);
      if (m_cursor.raw().column != column && m_cursor.position() != begin)
        m_cursor.report(m_cursor.raw().range, "syntax",
                        "this line does not stand in the column of its block");
      statements.push_back(statement());
    }
    comments(statements, column);
    m_cursor.scope.resize(scope);
    return statements;
  }

private:
  void missing() {
    m_cursor.report(m_cursor.here(), "syntax", "a statement is expected here, deeper than this line");
  }

  /// Whether the next token belongs to the block; one of a column in between does, as an error.
  bool inBlock(uint32_t column, uint32_t outer, size_t begin) const {
    const Token& next = m_cursor.raw();
    if (next.range.empty())
      return false;
    return m_cursor.position() == begin || next.column >= column || next.column > outer;
  }

  void comments(std::vector<Stmt>& statements, uint32_t column) {
    for (const Token& token : m_cursor.takeComments(column)) {
      Stmt made = commentStmt(commentText(slice(m_cursor.text(), token.range), token.column), {});
      made.range = token.range;
      made.headRange = token.range;
      statements.push_back(std::move(made));
    }
  }

  Stmt statement() {
    const size_t begin = m_cursor.position();
    const uint32_t column = m_cursor.raw().column;
    Stmt made;
    {
      const Cursor::Extent extent(m_cursor, column);
      made = dispatch(column);
      if (!m_cursor.atEnd())
        leftover(made, begin);
    }
    if (m_cursor.position() == begin) // a token that begins nothing: never stand still
      m_cursor.advance();
    made.range = m_cursor.rangeFrom(begin);
    if (made.headRange.empty())
      made.headRange = made.range;
    return made;
  }

  /// Something stands behind a statement on its line: all of it is kept as text.
  void leftover(Stmt& made, size_t begin) {
    if (made.kind != StmtKind::Opaque)
      m_cursor.report(m_cursor.token().range, "syntax", "this does not go on the statement before it");
    opaque(made, begin);
  }

  void opaque(Stmt& made, size_t begin) {
    m_cursor.skipTo({});
    made = Stmt{.kind = StmtKind::Opaque};
    made.name = m_cursor.dedented(m_cursor.rangeFrom(begin));
  }

  Stmt dispatch(uint32_t column) {
    const size_t begin = m_cursor.position();
    const std::string_view word = m_cursor.peek();
    Stmt made;
    if (word == "let")
      let(made);
    else if (word == "if")
      branch(made, column);
    else if (word == "while")
      loop(made, column);
    else if (word == "assert")
      assertion(made);
    else if (word == "return")
      result(made);
    else if (word == "break" || word == "continue")
      jump(made);
    else if (m_cursor.atWord() && !isReserved(word))
      assignment(made);
    else
      unknown(made, begin);
    return made;
  }

  void unknown(Stmt& made, size_t begin) {
    static constexpr std::string_view lean[] = {"for",  "match", "unless", "try", "while_some",
                                                "have", "do",    "pick",   "swap"};
    const std::string word(m_cursor.peek());
    if (std::ranges::find(lean, std::string_view(word)) != std::end(lean))
      unsupported(made, begin, "statement '" + word + "'");
    else {
      m_cursor.report(m_cursor.here(), "syntax", "a statement is expected here");
      opaque(made, begin);
    }
  }

  void unsupported(Stmt& made, size_t begin, const std::string& what) {
    m_cursor.report(m_cursor.here(), "unsupported",
                    what + " is not understood: it is kept as text, without a meaning", Severity::Warning);
    opaque(made, begin);
  }

  // --- let ---

  void let(Stmt& made) {
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    made.isMutable = m_cursor.accept("mut");
    const std::string_view name = m_cursor.peek();
    const bool isName =
        m_cursor.atWord() && !isReserved(name) && fitsTree(name) && name.find('.') == std::string_view::npos;
    const std::string_view next = m_cursor.peek(1);
    if (!isName || (next != ":" && next != ":=" && next != "←" && next != "<-")) {
      m_cursor.moveTo(begin);
      return unsupported(made, begin, "this form of let");
    }
    made.kind = StmtKind::Let;
    made.name = unquotedName(name);
    made.nameRange = m_cursor.token().range;
    m_cursor.advance();
    if (m_cursor.accept(":")) {
      const TypeText type = parseType(m_cursor, {":=", "←", "<-"});
      made.type = type.text;
      made.typeRange = type.range;
      if (type.text.empty())
        m_cursor.report(m_cursor.here(), "syntax", "a type is expected here");
    }
    if (m_cursor.accept("←") || m_cursor.accept("<-"))
      made.kind = StmtKind::Call;
    else if (!m_cursor.accept(":="))
      m_cursor.report(m_cursor.here(), "syntax", "a := is missing here");
    made.value = parseExpression(m_cursor, {"else"});
    m_cursor.scope.push_back(made.name);
  }

  // --- name := value, and the rest ---

  void assignment(Stmt& made) {
    const size_t begin = m_cursor.position();
    const std::string_view name = m_cursor.peek();
    const bool isName = fitsTree(name) && name.find('.') == std::string_view::npos;
    if (isName && m_cursor.peek(1) == ":=") {
      made.kind = StmtKind::Set;
      made.name = unquotedName(name);
      made.nameRange = m_cursor.token().range;
      m_cursor.advance();
      m_cursor.advance();
      made.value = parseExpression(m_cursor, {"else"});
      return;
    }
    if (isName && m_cursor.peek(1) == "[" && !m_cursor.token(1).spaceBefore && elementAssignment(made))
      return;
    m_cursor.moveTo(begin);
    made = Stmt{.kind = StmtKind::Call};
    made.value = parseExpression(m_cursor, {"else"});
  }

  /// a[i] := v of the older dialect is a := a.set! i v.
  bool elementAssignment(Stmt& made) {
    const Token name = m_cursor.token();
    m_cursor.advance();
    m_cursor.advance();
    const ExprPtr index = tryExpression(m_cursor, {"]"});
    if (!index || !m_cursor.accept("]") || !m_cursor.accept(":="))
      return false;
    made.kind = StmtKind::Set;
    made.name = unquotedName(slice(m_cursor.text(), name.range));
    made.nameRange = name.range;
    const ExprPtr value = parseExpression(m_cursor, {"else"});
    made.value = applyTo(field(velvet::name(made.name), "set!"), {index, value});
    return true;
  }

  void jump(Stmt& made) {
    made.kind = m_cursor.at("break") ? StmtKind::Break : StmtKind::Continue;
    m_cursor.advance();
  }

  void result(Stmt& made) {
    made.kind = StmtKind::Return;
    m_cursor.advance();
    if (!m_cursor.atEnd())
      made.value = parseExpression(m_cursor, {"else"});
  }

  void assertion(Stmt& made) {
    made.kind = StmtKind::Assert;
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    made.clause = assertionBody(begin);
    if (m_cursor.dialect() == Dialect::Velvet2 && made.clause.label.empty())
      m_cursor.report(m_cursor.rangeFrom(begin), "clause", "Velvet 2 asks for a label: assert name: P");
  }

  Clause assertionBody(size_t begin) {
    Clause made;
    parseLabel(m_cursor, "assert", made.label, made.labelRange);
    // (with_name_prefix `assert (P)) of the older dialect is P.
    const bool hasPrefix = m_cursor.at("(") && m_cursor.peek(1) == "with_name_prefix" &&
                           m_cursor.peek(2) == "`" && m_cursor.peek(3) == "assert";
    if (!hasPrefix) {
      made.prop = parseExpression(m_cursor, {"else"});
    } else {
      m_cursor.moveTo(m_cursor.position() + 4);
      made.prop = parseExpression(m_cursor, {")"});
      if (!m_cursor.accept(")"))
        m_cursor.report(m_cursor.here(), "syntax", "a ) is missing here");
    }
    made.range = m_cursor.rangeFrom(begin);
    return made;
  }

  // --- if ---

  void branch(Stmt& made, uint32_t column) {
    made.kind = StmtKind::If;
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    parseName(m_cursor, made.loop.label, made.loop.labelRange);
    made.value = parseExpression(m_cursor, {"then"});
    if (!m_cursor.accept("then"))
      m_cursor.report(m_cursor.here(), "syntax", "the word then is missing here");
    made.headRange = m_cursor.rangeFrom(begin);
    made.body = inner(column);
    if (m_cursor.rawText() != "else" || m_cursor.raw().column < column)
      return;
    comments(made.body, 0); // before else
    m_cursor.advance();
    if (m_cursor.rawText() == "if" && !m_cursor.raw().firstOnLine)
      made.otherwise.push_back(elseIf(column));
    else
      made.otherwise = inner(column);
  }

  Stmt elseIf(uint32_t column) {
    Stmt made;
    const size_t begin = m_cursor.position();
    const Cursor::Depth depth(m_cursor);
    const Cursor::Extent extent(m_cursor, column);
    if (depth)
      branch(made, column);
    else
      unsupported(made, begin, "so deep a chain of else if");
    made.range = m_cursor.rangeFrom(begin);
    return made;
  }

  /// A block on the lines below, or on this line.
  std::vector<Stmt> inner(uint32_t column) {
    const Token& next = m_cursor.raw();
    if (!next.range.empty() && !next.firstOnLine)
      return oneLine();
    return block(column);
  }

  /// `if c then x := 1`: one statement up to the end of the line.
  std::vector<Stmt> oneLine() {
    std::vector<Stmt> statements;
    const size_t begin = m_cursor.position();
    Stmt made = dispatch(m_cursor.raw().column);
    made.range = m_cursor.rangeFrom(begin);
    if (made.headRange.empty())
      made.headRange = made.range;
    statements.push_back(std::move(made));
    return statements;
  }

  // --- while ---

  void loop(Stmt& made, uint32_t column) {
    made.kind = StmtKind::While;
    const size_t begin = m_cursor.position();
    m_cursor.advance();
    parseLabel(m_cursor, "while", made.loop.label, made.loop.labelRange);
    made.value = parseExpression(m_cursor, {"invariant", "decreasing", "done_with", "do"});
    made.headRange = m_cursor.rangeFrom(begin);
    clauses(made.loop);
    if (m_cursor.rawText() != "do" || m_cursor.raw().column < column) {
      m_cursor.report(m_cursor.here(), "syntax", "the word do is missing here");
      return;
    }
    comments(made.body, 0);
    m_cursor.advance();
    for (Stmt& each : inner(column))
      made.body.push_back(std::move(each));
  }

  void clauses(LoopClauses& loop) {
    while (isClauseWord(m_cursor.peek())) {
      const std::string word(m_cursor.peek());
      const std::string comment = m_cursor.takeCommentText();
      Clause clause = parseClause(m_cursor);
      clause.comment = comment;
      if (word == "invariant")
        addInvariant(loop, std::move(clause));
      else
        setClause(loop, word, std::move(clause));
    }
  }

  void addInvariant(LoopClauses& loop, Clause clause) {
    if (loop.decreasing.prop || loop.doneWith.prop)
      m_cursor.report(clause.range, "clause", "invariants stand before decreasing and done_with");
    loop.invariants.push_back(std::move(clause));
  }

  void setClause(LoopClauses& loop, const std::string& word, Clause clause) {
    Clause& place = word == "decreasing" ? loop.decreasing : loop.doneWith;
    const bool isSecond = m_cursor.dialect() == Dialect::Velvet2 ? word == "decreasing" : word == "done_with";
    const Clause& other = word == "decreasing" ? loop.doneWith : loop.decreasing;
    if (place.prop)
      return m_cursor.report(clause.range, "clause",
                             "a loop has one " + word + " clause: this one is not used");
    if (isSecond && other.prop)
      m_cursor.report(clause.range, "clause",
                      m_cursor.dialect() == Dialect::Velvet2 ? "decreasing stands before done_with"
                                                             : "done_with stands before decreasing");
    place = std::move(clause);
  }

  Cursor& m_cursor;
};

} // namespace

Clause parseClause(Cursor& cursor) {
  const size_t begin = cursor.position();
  const Cursor::Extent extent(cursor, cursor.raw().column);
  const std::string_view word = cursor.peek();
  cursor.advance();
  Clause made;
  parseLabel(cursor, word, made.label, made.labelRange);
  made.prop = parseExpression(
      cursor, {"invariant", "decreasing", "done_with", "requires", "require", "ensures", "do"});
  made.range = cursor.rangeFrom(begin);
  return made;
}

std::vector<Stmt> parseBlock(Cursor& cursor, uint32_t outer) {
  return BlockParser(cursor).block(outer);
}

} // namespace plumbline::velvet
