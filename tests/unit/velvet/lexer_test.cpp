// Tokens of any text: kinds, places, and no byte left out.
#include "core/velvet/lexer.h"
#include "tests/unit/velvet/documents.h"

#include <gtest/gtest.h>

namespace plumbline::velvet_test {
namespace {

using velvet::Lexed;
using velvet::TokenKind;

std::vector<std::string> words(const std::string& text) {
  std::vector<std::string> result;
  for (const velvet::Token& token : velvet::lex(text).tokens)
    if (!velvet::isTrivia(token))
      result.emplace_back(velvet::slice(text, token.range));
  return result;
}

using Words = std::vector<std::string>;

TEST(Lexer, ReadsTheLongestToken) {
  EXPECT_EQ(words("a:=b"), (Words{"a", ":=", "b"}));
  EXPECT_EQ(words("x[i.toNat]!=y"), (Words{"x", "[", "i.toNat", "]!", "=", "y"}));
  EXPECT_EQ(words("r.2.1+1.5"), (Words{"r", ".", "2", ".", "1", "+", "1.5"}));
  EXPECT_EQ(words("y.set! i v"), (Words{"y.set!", "i", "v"}));
  EXPECT_EQ(words("a≤b∧c→d"), (Words{"a", "≤", "b", "∧", "c", "→", "d"}));
  EXPECT_EQ(words("x != y == z"), (Words{"x", "!=", "y", "==", "z"}));
  EXPECT_EQ(words("x!=y"), (Words{"x", "!=", "y"}));
  EXPECT_EQ(words("«in».size «a b»"), (Words{"«in».size", "«a b»"}));
  EXPECT_EQ(words("0xFF80 0x 1e-3 2e 3.toNat"),
            (Words{"0xFF80", "0", "x", "1e-3", "2", "e", "3", ".", "toNat"}));
  EXPECT_EQ(words("a <;> b ; <- <-> |>. x"), (Words{"a", "<;>", "b", ";", "<-", "<->", "|>.", "x"}));
  EXPECT_EQ(words("α₁ λ x'"), (Words{"α₁", "λ", "x'"}));
}

TEST(Lexer, CommentsNestAndEndAtTheLine) {
  EXPECT_EQ(words("a -- b := c\nd"), (Words{"a", "d"}));
  EXPECT_EQ(words("a /- b /- c -/ d -/ e"), (Words{"a", "e"}));
  const Lexed open = velvet::lex("a /- b /- c -/ d");
  ASSERT_EQ(open.diagnostics.size(), 1U);
  EXPECT_EQ(open.diagnostics[0].id, "unterminated");
  EXPECT_EQ(open.diagnostics[0].range, (velvet::TextRange{2, 4}));
}

TEST(Lexer, ColumnsCountCharacters) {
  const std::string text = "∀ k\n  «é» x";
  std::vector<std::pair<std::string, uint32_t>> columns;
  for (const velvet::Token& token : velvet::lex(text).tokens)
    if (!velvet::isTrivia(token))
      columns.emplace_back(velvet::slice(text, token.range), token.column);
  EXPECT_EQ(columns,
            (std::vector<std::pair<std::string, uint32_t>>{{"∀", 0}, {"k", 2}, {"«é»", 2}, {"x", 6}}));
}

TEST(Lexer, KnowsTheFirstTokenOfALine) {
  const std::string text = "a b\n  c /- x -/ d\n/- y -/ e";
  std::string first;
  for (const velvet::Token& token : velvet::lex(text).tokens)
    if (!velvet::isTrivia(token) && token.firstOnLine)
      first += velvet::slice(text, token.range);
  EXPECT_EQ(first, "ac");
}

TEST(Lexer, NamesWhatLeanRefuses) {
  struct Row {
    std::string text;
    std::string id;
    velvet::TextRange range;
  };
  for (const Row& row : {Row{"a\tb", "tab", {1, 2}}, Row{"x \"abc\ny", "unterminated", {2, 6}},
                         Row{"a \xFF z", "character", {2, 3}}, Row{"a \xE2\x82 z", "character", {2, 3}},
                         Row{"a € z", "character", {2, 5}}, Row{"a «« z»", "character", {2, 4}}}) {
    const Lexed lexed = velvet::lex(row.text);
    ASSERT_FALSE(lexed.diagnostics.empty()) << row.text;
    EXPECT_EQ(lexed.diagnostics[0].id, row.id) << row.text;
    EXPECT_EQ(lexed.diagnostics[0].range, row.range) << row.text;
  }
}

TEST(Lexer, LeavesNoByteOut) {
  std::mt19937 random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string text = goldenDocuments().at("twice.lean").substr(static_cast<size_t>(random()) % 1500, 300);
    for (int edit = 0; edit < 6; ++edit)
      mutate(text, random);
    uint32_t at = 0;
    for (const velvet::Token& token : velvet::lex(text).tokens) {
      ASSERT_EQ(token.range.begin, at);
      ASSERT_LT(token.range.begin, token.range.end);
      at = token.range.end;
    }
    ASSERT_EQ(at, text.size());
  }
}

} // namespace
} // namespace plumbline::velvet_test
