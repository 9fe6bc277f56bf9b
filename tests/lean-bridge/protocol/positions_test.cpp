#include "lean-bridge/protocol/positions.h"

#include <gtest/gtest.h>
#include <random>

namespace plumbline::lsp {
namespace {

TEST(Positions, UnitsOfCharacters) {
  EXPECT_EQ(utf16Length(""), 0U);
  EXPECT_EQ(utf16Length("abc"), 3U);
  EXPECT_EQ(utf16Length("\u00e9\u2200"), 2U);
  EXPECT_EQ(utf16Length("a\U0001d49cb"), 4U);
  EXPECT_EQ(utf16Length("\xff\xc3"), 2U) << "bytes that are no characters";
  EXPECT_EQ(utf16Length("\xed\xa0\x80"), 3U) << "a surrogate is no character of UTF-8";
  EXPECT_EQ(utf16Length("\xc0\x80"), 2U) << "overlong";
}

TEST(Positions, ColumnsInTheMiddleOfAPairAreItsStart) {
  const std::string line = "a\U0001d49cb";
  EXPECT_EQ(byteOfColumn(line, 0), 0U);
  EXPECT_EQ(byteOfColumn(line, 1), 1U);
  EXPECT_EQ(byteOfColumn(line, 2), 1U);
  EXPECT_EQ(byteOfColumn(line, 3), 5U);
  EXPECT_EQ(byteOfColumn(line, 4), 6U);
  EXPECT_EQ(byteOfColumn(line, 99), 6U);
  EXPECT_EQ(byteOfColumn(line, -1), 0U);
}

TEST(Positions, LinesEndWithAnyOfTheThreeEnds) {
  const std::string text = "a\nbc\r\nd\re";
  const LineIndex lines(text);
  ASSERT_EQ(lines.lineCount(), 4);
  EXPECT_EQ(lines.line(text, 0), "a");
  EXPECT_EQ(lines.line(text, 1), "bc");
  EXPECT_EQ(lines.line(text, 2), "d");
  EXPECT_EQ(lines.line(text, 3), "e");
  EXPECT_EQ(lines.offset(text, {1, 99}), 4U) << "before CRLF";
  EXPECT_EQ(lines.offset(text, {99, 0}), text.size());
  EXPECT_EQ(lines.offset(text, {-1, 5}), 0U);
  EXPECT_EQ(lines.position(text, 4), (Position{1, 2}));
  EXPECT_EQ(lines.position(text, 5), (Position{1, 2})) << "between CR and LF";
  EXPECT_EQ(lines.position(text, 6), (Position{2, 0}));
  EXPECT_EQ(lines.position(text, 999), (Position{3, 1}));
  EXPECT_EQ(LineIndex("").lineCount(), 1);
  EXPECT_EQ(LineIndex("a\n").lineCount(), 2);
}

TEST(Positions, OffsetsOfCharactersComeBack) {
  const std::string text = "x\n\u2200 \U0001d49c y\n\nz";
  const LineIndex lines(text);
  for (size_t at = 0; at < text.size(); at += characterBytes(text, at))
    EXPECT_EQ(lines.offset(text, lines.position(text, at)), at);
}

TEST(Positions, AnUpdatedIndexIsAFreshOne) {
  std::mt19937 random(11);
  const std::string letters = "ab\n\r\n\r";
  std::string text = "a\r\nb\rc\n";
  LineIndex lines(text);
  for (int step = 0; step < 20000; ++step) {
    const size_t begin = random() % (text.size() + 1);
    const size_t end = begin + random() % std::min<size_t>(4, text.size() - begin + 1);
    std::string fresh;
    const size_t most = text.size() > 40 ? 1 : 4;
    for (size_t i = random() % (most + 1); i > 0; --i)
      fresh.push_back(letters[random() % letters.size()]);
    text.replace(begin, end - begin, fresh);
    lines.replaced(text, begin, end, begin + fresh.size());
    const LineIndex expected(text);
    ASSERT_EQ(lines.lineCount(), expected.lineCount()) << step;
    for (int line = 0; line < lines.lineCount(); ++line)
      ASSERT_EQ(lines.lineStart(line), expected.lineStart(line)) << step;
  }
}

TEST(Positions, AWalkFindsTheSamePlaces) {
  std::mt19937 random(3);
  static const std::vector<std::string> pieces = {"a",  "\u00e9", "\u2200", "\U0001d49c",
                                                  "\n", "\r\n",   "\r",     "bcd"};
  for (int round = 0; round < 50; ++round) {
    std::string text;
    std::vector<size_t> starts;
    for (int i = 0; i < 40; ++i) {
      starts.push_back(text.size());
      text += pieces[random() % pieces.size()];
    }
    starts.push_back(text.size());
    const LineIndex lines(text);
    PositionWalk rising(text, lines);
    PositionWalk any(text, lines);
    for (const size_t offset : starts) {
      EXPECT_EQ(rising.position(offset), lines.position(text, offset));
      const size_t other = starts[random() % starts.size()];
      EXPECT_EQ(any.position(other), lines.position(text, other));
    }
  }
}

} // namespace
} // namespace plumbline::lsp
