// What the parser reads is what the printer wrote, byte for byte, and no byte of any text is lost.
#include "core/velvet/parser.h"
#include "core/velvet/printer.h"
#include "tests/unit/velvet/documents.h"
#include "tests/unit/velvet/same_document.h"

#include <chrono>
#include <gtest/gtest.h>

namespace plumbline::velvet_test {
namespace {

using velvet::Dialect;
using velvet::Parsed;

/// The text as its tokens give it; without gaps and overlaps that is the text.
std::string joined(const std::string& text, const Parsed& parsed) {
  std::string result;
  uint32_t at = 0;
  for (const velvet::Token& token : parsed.tokens) {
    EXPECT_EQ(token.range.begin, at);
    EXPECT_LT(token.range.begin, token.range.end);
    at = token.range.end;
    result += velvet::slice(text, token.range);
  }
  return result;
}

TEST(RoundTrip, GoldenDocumentsAreCanonical) {
  EXPECT_GT(goldenDocuments().size(), 20U);
  for (const auto& [name, text] : goldenDocuments()) {
    const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
    for (const velvet::Diagnostic& each : parsed.diagnostics)
      ADD_FAILURE() << name << ": " << each.message << ": " << text.substr(each.range.begin, 60);
    EXPECT_EQ(velvet::print(parsed.document, Dialect::Velvet2).text, text) << name;
    EXPECT_EQ(joined(text, parsed), text) << name;
  }
}

/// What is printed for any tree is read as that tree, whatever text the tree came from.
TEST(RoundTrip, PrintedTextIsStable) {
  std::mt19937 random(7);
  for (const auto& [name, golden] : goldenDocuments())
    for (int i = 0; i < 40; ++i) {
      std::string text = golden;
      for (int edits = 0; edits <= i % 5; ++edits)
        mutate(text, random);
      const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
      ASSERT_EQ(joined(text, parsed), text) << name;
      if (!parsed.diagnostics.empty())
        continue;
      const std::string printed = velvet::print(parsed.document, Dialect::Velvet2).text;
      const Parsed again = velvet::parse(printed, Dialect::Velvet2);
      EXPECT_TRUE(again.diagnostics.empty()) << printed;
      EXPECT_TRUE(same(parsed.document, again.document)) << text << "\n" << printed;
      EXPECT_EQ(velvet::print(again.document, Dialect::Velvet2).text, printed) << name;
    }
}

TEST(RoundTrip, FiveHundredLinesTakeMilliseconds) {
  std::string text;
  while (std::ranges::count(text, '\n') < 500)
    text += goldenDocuments().at("softmax_rows.lean");
  constexpr int times = 20;
  const auto begin = std::chrono::steady_clock::now();
  size_t items = 0;
  for (int i = 0; i < times; ++i)
    items += velvet::parse(text, Dialect::Velvet2).document.items.size();
  const double milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count() / times;
  RecordProperty("milliseconds", std::to_string(milliseconds));
  std::printf("%zd lines: %.2f ms a parse\n", std::ranges::count(text, '\n'), milliseconds);
  EXPECT_GT(items, 0U);
  EXPECT_LT(milliseconds, 50);
}

} // namespace
} // namespace plumbline::velvet_test
