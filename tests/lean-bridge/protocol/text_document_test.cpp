#include "lean-bridge/protocol/text_document.h"

#include <gtest/gtest.h>
#include <random>

namespace plumbline::lsp {
namespace {

ContentChange change(Position start, Position end, const std::string& text) {
  return {Range{start, end}, text};
}

TEST(TextDocument, ChangesInOrder) {
  TextDocument document("def a\ndef b\n");
  EXPECT_EQ(document.apply(change({0, 4}, {0, 5}, "first")), (ByteEdit{4, 5, 9}));
  EXPECT_EQ(document.apply(change({1, 0}, {2, 0}, "")), (ByteEdit{10, 16, 10}));
  EXPECT_EQ(document.text(), "def first\n");
  EXPECT_EQ(document.lineCount(), 2);
  EXPECT_EQ(document.apply({std::nullopt, "x"}), (ByteEdit{0, 10, 1}));
  EXPECT_EQ(document.text(), "x");
}

TEST(TextDocument, PositionsCountUtf16) {
  TextDocument document("a\U0001d49cb");
  document.apply(change({0, 4}, {0, 4}, "x"));
  EXPECT_EQ(document.text(), "a\U0001d49cbx");
  document.apply(change({0, 1}, {0, 3}, ""));
  EXPECT_EQ(document.text(), "abx");
}

TEST(TextDocument, RangesAreClamped) {
  TextDocument document("ab\ncd");
  document.apply(change({0, 9}, {0, 99}, "!"));
  EXPECT_EQ(document.text(), "ab!\ncd");
  document.apply(change({7, 0}, {9, 9}, "?"));
  EXPECT_EQ(document.text(), "ab!\ncd?");
  document.apply(change({1, 1}, {0, 0}, "-"));
  EXPECT_EQ(document.text(), "ab!\nc-d?") << "an end before the start is an insertion";
}

TEST(TextDocument, ChangesAreReadAndWritten) {
  const ContentChange one = change({1, 2}, {3, 4}, "t");
  EXPECT_EQ(*contentChangeFromJson(toJson(one)), one);
  EXPECT_EQ(toJson(ContentChange{std::nullopt, "t"}), Json({{"text", "t"}}));
  EXPECT_EQ(contentChangeFromJson(Json{{"text", 3}}).error().id, "content-change");
  EXPECT_EQ(contentChangeFromJson(Json{{"text", ""}, {"range", 3}}).error().id, "content-change");
  EXPECT_EQ(contentChangeFromJson(Json::array()).error().id, "content-change");
}

TEST(TextDocument, LineFeedsOnly) {
  EXPECT_EQ(withLineFeeds("a\r\nb\rc\n\r\n\r"), "a\nb\nc\n\n\n");
  EXPECT_EQ(withLineFeeds(""), "");
}

TEST(TextDocument, TheDifferenceIsSmallAndWhole) {
  const TextDocument before("let x := \u2200\nend");
  EXPECT_FALSE(changeBetween(before, before.text()));
  const std::optional<ContentChange> one = changeBetween(before, "let xy := \u2200\nend");
  ASSERT_TRUE(one);
  EXPECT_EQ(*one, change({0, 5}, {0, 5}, "y"));
  // U+2200 and U+2203 share two of three bytes: the whole character is replaced.
  EXPECT_EQ(*changeBetween(before, "let x := \u2203\nend"), change({0, 9}, {0, 10}, "\u2203"));
}

TEST(TextDocument, TheDifferenceLeadsToTheOtherText) {
  std::mt19937 random(5);
  const std::vector<std::string> pieces = {"a",      "b",          "\n",         "\u2200",
                                           "\u2203", "\U0001d49c", "\U0001d49d", "aa"};
  const auto any = [&](size_t most) {
    std::string text;
    for (size_t i = random() % (most + 1); i > 0; --i)
      text += pieces[random() % pieces.size()];
    return text;
  };
  for (int step = 0; step < 5000; ++step) {
    TextDocument document(any(12));
    const std::string after = any(12);
    if (const std::optional<ContentChange> one = changeBetween(document, after))
      document.apply(*contentChangeFromJson(toJson(*one)));
    ASSERT_EQ(document.text(), after);
  }
}

} // namespace
} // namespace plumbline::lsp
