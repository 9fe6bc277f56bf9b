#include "core/velvet/tactic_parser.h"

#include "core/velvet/expr_parser.h"
#include "core/velvet/names.h"

#include <algorithm>

namespace plumbline::velvet {

namespace {

struct Head {
  std::string_view word;
  TacticKind kind;
};

constexpr Head blockHeads[] = {{"all_goals", TacticKind::AllGoals},
                               {"any_goals", TacticKind::AnyGoals},
                               {"try", TacticKind::Try},
                               {"repeat", TacticKind::Repeat},
                               {"focus", TacticKind::Focus},
                               {"·", TacticKind::Bullet},
                               {".", TacticKind::Bullet}};

/// Tactics whose argument is a term.
bool takesTerm(std::string_view word) {
  constexpr std::string_view words[] = {"exact",  "apply",  "refine", "show",
                                        "change", "exists", "use",    "unfold"};
  return std::ranges::find(words, word) != std::end(words);
}

class ScriptParser {
public:
  explicit ScriptParser(Cursor& cursor) : m_cursor(cursor) {}

  std::vector<Tactic> block(uint32_t outer) {
    std::vector<Tactic> script;
    const Cursor::Depth depth(m_cursor);
    if (m_cursor.atEnd() || !depth) {
      missing();
      return script;
    }
    const Cursor::Extent extent(m_cursor, outer);
    const uint32_t column = m_cursor.token().column;
    bool isFirst = true;
    while (!m_cursor.atEnd() && !atOuterStop()) {
      if (!isFirst && m_cursor.token().firstOnLine && m_cursor.token().column < column)
        m_cursor.report(m_cursor.token().range, "syntax",
                        "this line does not stand in the column of its block");
      comments(script, 0);
      tactic(script, column);
      isFirst = false;
      while (m_cursor.accept(";"))
        ;
    }
    comments(script, column);
    if (script.empty())
      missing();
    return script;
  }

private:
  void missing() { m_cursor.report(m_cursor.here(), "syntax", "a tactic is expected here"); }

  void comments(std::vector<Tactic>& script, uint32_t column) {
    for (const Token& token : m_cursor.takeComments(column)) {
      Tactic made{.kind = TacticKind::Comment,
                  .text = commentText(slice(m_cursor.text(), token.range), token.column)};
      made.range = token.range;
      made.wordRange = token.range;
      script.push_back(std::move(made));
    }
  }

  void tactic(std::vector<Tactic>& script, uint32_t column) {
    const Cursor::Extent extent(m_cursor, column);
    const size_t begin = m_cursor.position();
    Tactic left = single(column);
    while (m_cursor.at("<;>")) {
      Tactic made{.kind = TacticKind::Then};
      made.wordRange = m_cursor.token().range;
      m_cursor.advance();
      made.body.push_back(std::move(left));
      if (m_cursor.atEnd()) {
        missing();
        made.body.push_back({.kind = TacticKind::Command});
      } else {
        made.body.push_back(single(column));
      }
      made.range = m_cursor.rangeFrom(begin);
      left = std::move(made);
    }
    if (m_cursor.position() == begin) // a token that begins nothing: never stand still
      m_cursor.advance();
    script.push_back(std::move(left));
  }

  Tactic single(uint32_t column) {
    const size_t begin = m_cursor.position();
    Tactic made;
    made.wordRange = m_cursor.token().range;
    const std::string_view word = m_cursor.peek();
    const auto* head = std::ranges::find(blockHeads, word, &Head::word);
    const Cursor::Depth depth(m_cursor);
    if (depth && head != std::end(blockHeads)) {
      made.kind = head->kind;
      m_cursor.advance();
      made.body = block(column);
    } else if (depth && word == "(") {
      sequence(made);
    } else if (depth && word == "first" && m_cursor.peek(1) == "|") {
      alternatives(made, column);
    } else if (depth && word == "case") {
      caseBlock(made, column, begin);
    } else {
      command(made, begin);
    }
    made.range = m_cursor.rangeFrom(begin);
    return made;
  }

  void sequence(Tactic& made) {
    made.kind = TacticKind::Sequence;
    m_cursor.advance();
    const uint32_t column = m_cursor.token().column;
    ++m_parentheses;
    made.body = block(column > 0 ? column - 1 : 0);
    --m_parentheses;
    if (!m_cursor.accept(")"))
      m_cursor.report(m_cursor.here(), "syntax", "a ) is missing here");
  }

  void alternatives(Tactic& made, uint32_t column) {
    made.kind = TacticKind::First;
    m_cursor.advance();
    while (m_cursor.at("|")) {
      const size_t begin = m_cursor.position();
      m_cursor.advance();
      Tactic alternative{.kind = TacticKind::Sequence};
      alternative.wordRange = m_cursor.here();
      ++m_alternatives;
      alternative.body = block(column);
      --m_alternatives;
      alternative.range = m_cursor.rangeFrom(begin);
      made.body.push_back(std::move(alternative));
    }
  }

  /// case tag x y => body
  void caseBlock(Tactic& made, uint32_t column, size_t begin) {
    m_cursor.advance();
    const bool named = m_cursor.atWord();
    if (named) {
      made.label = unquotedName(m_cursor.peek());
      made.labelRange = m_cursor.token().range;
      m_cursor.advance();
      while (m_cursor.atWord()) {
        made.names.push_back(unquotedName(m_cursor.peek()));
        m_cursor.advance();
      }
    }
    if (named && m_cursor.accept("=>")) {
      made.kind = TacticKind::Case;
      made.body = block(column);
      return;
    }
    m_cursor.moveTo(begin);
    made.label.clear();
    made.names.clear();
    command(made, begin);
  }

  /// Ends a block inside parentheses or an alternative.
  bool atOuterStop() const {
    return (m_parentheses > 0 && m_cursor.at(")")) || (m_alternatives > 0 && m_cursor.at("|"));
  }

  bool atCommandEnd() const { return m_cursor.atEnd() || m_cursor.atAny({";", "<;>"}) || atOuterStop(); }

  void skipToCommandEnd() {
    while (!atCommandEnd())
      skipOne();
  }

  /// One token, or a group in brackets.
  void skipOne() {
    const std::string_view close = closerOf(m_cursor.peek());
    m_cursor.advance();
    if (close.empty())
      return;
    m_cursor.skipTo({close, close == "]" ? "]!" : close, close == "]" ? "]?" : close});
    if (closerIn(m_cursor.peek()) == close)
      m_cursor.advance();
  }

  /// A command is kept as text, so brackets in it that do not match would take in, or end, what stands around
  /// it.
  void checkBrackets(size_t begin) {
    const std::optional<TextRange> range = m_cursor.unmatchedBracket(begin);
    if (!range)
      return;
    const std::string bracket(slice(m_cursor.text(), *range));
    m_cursor.report(*range, "syntax",
                    "this " + bracket + (closerOf(bracket).empty() ? " closes nothing" : " is not closed"));
  }

  void command(Tactic& made, size_t begin) {
    made.kind = TacticKind::Command;
    if (!m_cursor.atWord())
      missing();
    made.word = std::string(m_cursor.peek());
    if (!m_cursor.atEnd())
      m_cursor.advance();
    const size_t afterWord = m_cursor.position();
    arguments(made);
    // The parts were read for their own sake; the text is whatever stands there.
    m_cursor.moveTo(std::max(afterWord, m_cursor.position()));
    skipToCommandEnd();
    checkBrackets(begin);
    made.text = m_cursor.dedented(m_cursor.rangeFrom(begin));
  }

  void arguments(Tactic& made) {
    const size_t first = m_cursor.position();
    if (made.word == "intro" || made.word == "intros" || made.word == "rename_i") {
      names(made);
      return;
    }
    if ((made.word == "by_cases" || made.word == "have") && m_cursor.atWord() && m_cursor.peek(1) == ":") {
      made.label = unquotedName(m_cursor.peek());
      made.labelRange = m_cursor.token().range;
      m_cursor.advance();
      m_cursor.advance();
      made.expr = tryExpression(m_cursor, {";", "<;>", ")", ":=", "|"});
      return;
    }
    if (made.word == "by_cases" || takesTerm(made.word)) {
      made.expr = tryExpression(m_cursor, {";", "<;>", ")", "at", ",", "|"});
    }
    while (!atCommandEnd()) {
      // "a[i]!" is an element, "simp[a]" a list.
      const bool mayBeList = m_cursor.position() == first || m_cursor.token().spaceBefore;
      if (m_cursor.at("[") && mayBeList && made.list.empty())
        list(made);
      else if (m_cursor.accept("at"))
        names(made);
      else if (m_cursor.at("with"))
        withPart(made);
      else
        skipOne();
    }
  }

  void names(Tactic& made) {
    while (m_cursor.atWord() || m_cursor.at("*") || m_cursor.at("⊢")) {
      if (m_cursor.at("with"))
        return;
      made.names.push_back(unquotedName(m_cursor.peek()));
      m_cursor.advance();
    }
  }

  void list(Tactic& made) {
    m_cursor.advance();
    while (!m_cursor.atEnd() && !m_cursor.at("]")) {
      const size_t begin = m_cursor.position();
      for (const char* mark : {"←", "<-", "-", "!", "="})
        m_cursor.accept(mark);
      TacticTerm term;
      term.expr = tryExpression(m_cursor, {",", "]"});
      term.range = m_cursor.rangeFrom(begin);
      term.text = m_cursor.joined(term.range);
      made.list.push_back(std::move(term));
      if (!m_cursor.accept(","))
        break;
    }
    m_cursor.accept("]");
  }

  void withPart(Tactic& made) {
    m_cursor.advance();
    const size_t begin = m_cursor.position();
    skipToCommandEnd();
    made.with = m_cursor.joined(m_cursor.rangeFrom(begin));
  }

  Cursor& m_cursor;
  int m_parentheses = 0;
  int m_alternatives = 0;
};

} // namespace

std::vector<Tactic> parseScript(Cursor& cursor, uint32_t outer) {
  return ScriptParser(cursor).block(outer);
}

} // namespace plumbline::velvet
