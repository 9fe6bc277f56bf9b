#include "core/torch/archive.h"
#include "core/torch/graph.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <minizip/zip.h>
#include <unistd.h>

namespace plumbline::torch {
namespace {

class Archive : public ::testing::Test {
protected:
  std::string m_path =
      (std::filesystem::temp_directory_path() / ("archive" + std::to_string(::getpid()) + ".pt2")).string();

  void TearDown() override { std::filesystem::remove(m_path); }

  void writeZip(const std::vector<std::pair<std::string, std::string>>& members) {
    zipFile zip = zipOpen64(m_path.c_str(), APPEND_STATUS_CREATE);
    ASSERT_NE(zip, nullptr);
    for (const auto& [name, content] : members) {
      zipOpenNewFileInZip64(zip, name.c_str(), nullptr, nullptr, 0, nullptr, 0, nullptr, 0, 0, 0);
      zipWriteInFileInZip(zip, content.data(), static_cast<unsigned>(content.size()));
      zipCloseFileInZip(zip);
    }
    zipClose(zip, nullptr);
  }

  std::string errorId() {
    auto json = readExportArchive(m_path);
    return json ? "" : json.error().id;
  }
};

TEST_F(Archive, Members) {
  writeZip({{"version", "8.2"}, {"serialized_exported_program.json", "{\"a\": 1}"}});
  auto json = readExportArchive(m_path);
  ASSERT_TRUE(json) << toString(json.error());
  EXPECT_EQ((*json)["a"], 1);
}

/// The layout of PyTorch 2.7 and later, written by hand from its specification.
TEST_F(Archive, LaterLayout) {
  const std::vector<std::pair<std::string, std::string>> whole = {{"net/archive_format", "pt2"},
                                                                  {"net/archive_version", "0"},
                                                                  {"net/models/model.json", "{\"a\": 1}"},
                                                                  {"net/data/weights/weight_0", "...."},
                                                                  {"net/version", "3"},
                                                                  {"net/.data/version", "3"}};
  writeZip(whole);
  auto json = readExportArchive(m_path);
  ASSERT_TRUE(json) << toString(json.error());
  EXPECT_EQ((*json)["a"], 1);
  auto changed = whole;
  changed[1].second = "1";
  writeZip(changed);
  EXPECT_EQ(errorId(), "archive-version");
  changed = whole;
  changed[0].second = "zip";
  writeZip(changed);
  EXPECT_EQ(errorId(), "archive-torn");
  changed = whole;
  changed[2].first = "net/other/model.json";
  writeZip(changed);
  EXPECT_EQ(errorId(), "archive-torn");
  changed = whole;
  changed.emplace_back("net/models/second.json", "{}");
  writeZip(changed);
  EXPECT_EQ(errorId(), "archive-models");
}

TEST_F(Archive, LaterLayoutGivesTheSameGraph) {
  const std::string fixture = PLUMBLINE_SOURCE_DIR "/tests/unit/torch/fixtures/symbolic.";
  auto text = readFile(fixture + "json");
  ASSERT_TRUE(text);
  writeZip({{"symbolic/archive_format", "pt2"},
            {"symbolic/archive_version", "0"},
            {"symbolic/models/model.json", *text}});
  auto archived = readGraphFile(m_path);
  auto plain = readGraphFile(fixture + "json");
  ASSERT_TRUE(archived && plain) << toString(archived.error());
  plain->source = archived->source;
  EXPECT_EQ(toJson(*archived), toJson(*plain));
}

TEST_F(Archive, UnknownSchemaIsNamed) {
  writeZip({{"m/archive_format", "pt2"},
            {"m/archive_version", "0"},
            {"m/models/m.json", "{\"schema_version\": {\"major\": 9, \"minor\": 0}}"}});
  auto graph = readGraphFile(m_path);
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().id, "schema-version");
}

TEST_F(Archive, NamedErrors) {
  EXPECT_EQ(errorId(), "file-not-found");
  ASSERT_TRUE(writeFile(m_path, ""));
  EXPECT_EQ(errorId(), "archive-torn");
  ASSERT_TRUE(writeFile(m_path, "not a zip"));
  EXPECT_EQ(errorId(), "archive-torn");
  writeZip({{"serialized_exported_program.json", "{}"}});
  EXPECT_EQ(errorId(), "archive-torn");
  writeZip({{"version", "8.2"}});
  EXPECT_EQ(errorId(), "archive-torn");
  writeZip({{"version", "9.0"}, {"serialized_exported_program.json", "{}"}});
  EXPECT_EQ(errorId(), "archive-version");
  writeZip({{"version", "8.2"}, {"serialized_exported_program.json", "{"}});
  EXPECT_EQ(errorId(), "json-syntax");
}

/// Cut off anywhere, or with any byte of the members changed: an error with a name.
TEST_F(Archive, TornAnywhere) {
  auto whole = readFile(PLUMBLINE_SOURCE_DIR "/tests/unit/torch/fixtures/symbolic.pt2");
  ASSERT_TRUE(whole);
  for (size_t length = 0; length < whole->size(); length += 97) {
    ASSERT_TRUE(writeFile(m_path, whole->substr(0, length)));
    EXPECT_EQ(errorId(), "archive-torn") << length;
  }
  const size_t program = whole->find("{\"graph_module\"");
  ASSERT_NE(program, std::string::npos);
  for (size_t i = program; i < program + 400; i += 13) {
    std::string damaged = *whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    ASSERT_TRUE(writeFile(m_path, damaged));
    EXPECT_EQ(errorId(), "archive-torn") << i;
  }
}

} // namespace
} // namespace plumbline::torch
