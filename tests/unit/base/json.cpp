#include "core/base/json.h"

#include <gtest/gtest.h>

#include <fstream>
#include <unistd.h>

namespace plumbline {
namespace {

class Files : public testing::Test {
protected:
  void SetUp() override {
    m_folder = std::filesystem::temp_directory_path() / ("plumbline-json-" + std::to_string(::getpid()));
    std::filesystem::create_directories(m_folder);
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }
  std::filesystem::path m_folder;
};

TEST(ParseJson, BareNonFiniteNumbersBecomeWords) {
  const Json json =
      parseJson(R"({"a": [Infinity, -Infinity, NaN], "NaN": "Infinity \" NaN"})", "test").value();
  EXPECT_EQ(json["a"][0], "Infinity");
  EXPECT_EQ(json["a"][1], "-Infinity");
  EXPECT_EQ(json["a"][2], "NaN");
  EXPECT_EQ(json["NaN"], "Infinity \" NaN");
}

TEST(ParseJson, KeepsTheOrderOfKeys) {
  EXPECT_EQ(parseJson(R"({"b":1,"a":2})", "test")->dump(), R"({"b":1,"a":2})");
}

TEST(ParseJson, EveryMalformedTextIsANamedError) {
  for (const char* text : {"", "{", "{\"a\":}", "[1,2", "\"\\", "nul", "{\"a\":1}x", "\xff", "1e999",
                           "-1e999", "[1e400]", "\"\\ud800\"", "{\"a\":1,}", "NaNa"}) {
    Expected<Json> json = parseJson(text, "torn.json");
    ASSERT_FALSE(json.has_value()) << text;
    EXPECT_EQ(json.error().id, "json-syntax") << text;
    EXPECT_EQ(json.error().kind, ErrorKind::File) << text;
    EXPECT_NE(json.error().message.find("torn.json"), std::string::npos);
  }
}

TEST(ParseJson, DeepNestingIsNoCrash) {
  const std::string deep = std::string(10000, '[') + std::string(10000, ']');
  EXPECT_TRUE(parseJson(deep, "deep").has_value());
  EXPECT_FALSE(parseJson(deep + "]", "deep").has_value());
  const std::string tooDeep = std::string(100000, '[') + std::string(100000, ']');
  ASSERT_FALSE(parseJson(tooDeep, "deep").has_value());
  EXPECT_EQ(parseJson(tooDeep, "deep").error().id, "json-syntax");
  EXPECT_TRUE(parseJson("\"" + std::string(100000, '[') + "\"", "text").has_value()) << "brackets in a text";
}

TEST(ParseJson, EndlessThingsAreNamed) {
  const auto said = [](const std::string& text) {
    const Expected<Json> json = parseJson(text, "junk");
    EXPECT_FALSE(json.has_value());
    return json ? std::string() : json.error().message;
  };
  EXPECT_EQ(said(std::string(100, ' ')), "junk is empty");
  EXPECT_EQ(said("  junk"), "junk is not valid JSON near byte 3");
  EXPECT_EQ(said("[" + std::string(1001, '7') + "]"),
            "junk holds a number of more than 1000 digits, from byte 2");
  EXPECT_EQ(said("[ \"" + std::string((32U << 20U) + 1, 'x')),
            "junk holds a text of more than 33554432 bytes, from byte 3");
  EXPECT_NE(said("[\"" + std::string(100, 'x')).find("not valid JSON"), std::string::npos) << "not closed";
  EXPECT_TRUE(parseJson("[0." + std::string(1000, '7') + "]", "long").has_value());
  EXPECT_TRUE(parseJson("[\"" + std::string(2000, '7') + "\"]", "digits in a text").has_value());
  EXPECT_TRUE(parseJson("[\"\\\"" + std::string(2000, '7') + "\"]", "after a quote").has_value());
}

TEST_F(Files, WriteThenRead) {
  const std::string content("a\0b\n", 4);
  ASSERT_TRUE(writeFile(m_folder / "x", content).has_value());
  EXPECT_EQ(readFile(m_folder / "x").value(), content);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(m_folder), {}), 1);
}

TEST_F(Files, ReadingWhatCannotBeRead) {
  EXPECT_EQ(readFile(m_folder / "none").error().id, "file-not-found");
  EXPECT_EQ(readFile(m_folder).error().id, "file-unreadable");
}

TEST_F(Files, AnEmptyFileIsEmptyText) {
  std::ofstream(m_folder / "empty").close();
  EXPECT_EQ(readFile(m_folder / "empty").value(), "");
}

TEST_F(Files, WritingWhereNothingCanBeWritten) {
  Expected<void> written = writeFile(m_folder / "no" / "such" / "folder", "x");
  ASSERT_FALSE(written.has_value());
  EXPECT_EQ(written.error().id, "file-unwritable");
  EXPECT_EQ(writeFile("/proc/version", "x").error().id, "file-unwritable");
}

TEST(Ranges, JsonBothWays) {
  const SourceRange range{"a.cu", 3, 5, 3, 9};
  EXPECT_EQ(sourceRangeFromJson(toJson(range)), range);
  const Rejection rejection{"inline-asm", "asm volatile", range};
  EXPECT_EQ(rejectionFromJson(toJson(rejection)), rejection);
  EXPECT_EQ(toJson(rejection).dump(),
            R"({"id":"inline-asm","construct":"asm volatile","file":"a.cu","line":3,)"
            R"("column":5,"end_line":3,"end_column":9})");
}

} // namespace
} // namespace plumbline
