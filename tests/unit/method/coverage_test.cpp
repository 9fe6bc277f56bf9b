#include "core/base/json.h"
#include "core/method/coverage.h"
#include "core/torch/graph.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <unistd.h>

namespace plumbline::method {
namespace {

/// One input, one node, in our own form.
Json graph(const std::string& target, const std::string& size) {
  torch::Graph made;
  made.source = "made";
  made.inputs.push_back({"x", torch::InputKind::User, ""});
  made.tensors["x"] = {torch::DType::F32, {ir::sizeConstant(4)}, true};
  made.tensors["y"] = {torch::DType::F32, {*ir::parseSizeExpr(size)}, true};
  made.nodes.push_back({"y", target, {{"self", torch::TensorRef{"x"}}}, {"y"}});
  made.outputs = {"y"};
  return torch::toJson(made);
}

class Coverage : public testing::Test {
protected:
  void SetUp() override {
    m_folder = std::filesystem::temp_directory_path() / ("coverage-" + std::to_string(::getpid()));
    std::filesystem::create_directories(m_folder);
  }
  void TearDown() override { std::filesystem::remove_all(m_folder); }

  void add(const std::string& file, const std::string& text) {
    ASSERT_TRUE(writeFile(m_folder / file, text));
  }

  std::filesystem::path m_folder;
};

TEST_F(Coverage, EachStateIsOkOrItsReason) {
  add("a.json", graph("aten.relu.default", "4").dump());
  add("b.json", "{");
  add("c.json", graph("aten.relu.default", "5").dump());
  add("d.json", graph("aten.frobnicate.default", "4").dump());
  add("ignored.txt", "");
  std::vector<size_t> progress;
  const auto entries = coverage(m_folder, [&](size_t done, size_t total, const std::string&) {
    progress.push_back(done);
    EXPECT_EQ(total, 4U);
  });
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 4U);
  EXPECT_EQ(progress, (std::vector<size_t>{0, 1, 2, 3}));
  const CoverageEntry& good = (*entries)[0];
  EXPECT_TRUE(good.isComplete());
  EXPECT_EQ(good.operators, std::vector<std::string>{"aten.relu.default"});
  EXPECT_TRUE(good.missing.empty());
  EXPECT_FALSE((*entries)[1].isComplete());
  EXPECT_NE((*entries)[1].import, "ok");
  EXPECT_EQ((*entries)[2].import, "ok");
  EXPECT_NE((*entries)[2].shape.find("shape-mismatch"), std::string::npos);
  EXPECT_NE((*entries)[2].shape.find("'y'"), std::string::npos);
  const CoverageEntry& missing = (*entries)[3];
  EXPECT_EQ(missing.import, "ok");
  EXPECT_NE(missing.denotation.find("operator-unsupported"), std::string::npos);
  EXPECT_EQ(missing.missing, std::vector<std::string>{"aten.frobnicate.default"});
}

TEST_F(Coverage, FilesAreSortedAndFoldersMayBeMissing) {
  std::filesystem::create_directories(m_folder / "b");
  add("b/a.json", graph("aten.relu.default", "4").dump());
  add("c.json", graph("aten.relu.default", "4").dump());
  add("a.json", graph("aten.relu.default", "4").dump());
  const auto entries = coverage(m_folder);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 3U);
  EXPECT_TRUE((*entries)[0].file.ends_with("/a.json"));
  EXPECT_TRUE((*entries)[1].file.ends_with("/b/a.json"));
  EXPECT_TRUE((*entries)[2].file.ends_with("/c.json"));
  EXPECT_EQ(coverage(m_folder / "none").error().id, "file-not-found");
}

} // namespace
} // namespace plumbline::method
