#include "core/ir/tensor_io.h"

#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

namespace plumbline::ir {
namespace {

Json json(const char* text) {
  return *parseJson(text, "test");
}

/// A folder that is removed again.
class Scratch {
public:
  Scratch()
      : m_path(std::filesystem::temp_directory_path() / ("plumbline_tensors_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(m_path);
  }
  ~Scratch() {
    std::error_code code;
    std::filesystem::remove_all(m_path, code);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  std::filesystem::path operator/(const char* name) const { return m_path / name; }

private:
  std::filesystem::path m_path;
};

TEST(TensorIo, ReadsPatterns) {
  Expected<TensorFile> read = tensorsFromJson(json(R"({
    "x": {"shape": [2, 2], "dtype": "float32", "bits": [0, 2147483648, "0x7fc00000", 1065353216]},
    "n": {"shape": [], "dtype": "int32", "bits": [-5]},
    "symbols": {"rows": 2}})"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->tensors.at("x").bits, (std::vector<uint64_t>{0, 0x80000000, 0x7fc00000, 0x3f800000}));
  EXPECT_EQ(read->tensors.at("n").bits, std::vector<uint64_t>{0xFFFFFFFB});
  EXPECT_EQ(read->symbols.at("rows"), 2);
  EXPECT_EQ(
      toJson(read->tensors.at("x")),
      json(R"({"shape": [2, 2], "dtype": "float32", "bits": [0, 2147483648, 2143289344, 1065353216]})"));
}

TEST(TensorIo, NamesWhatIsWrong) {
  for (const char* text : {R"([])", R"({"x": 3})", R"({"x": {}})", R"({"x": {"shape": [1], "bits": [0]}})",
                           R"({"x": {"shape": [1], "dtype": "float8", "bits": [0]}})",
                           R"({"x": {"shape": [2], "dtype": "float32", "bits": [0]}})",
                           R"({"x": {"shape": [-1], "dtype": "float32", "bits": []}})",
                           R"({"x": {"shape": ["a"], "dtype": "float32", "bits": []}})",
                           R"({"x": {"shape": [1], "dtype": "float32", "bits": [4294967296]}})",
                           R"({"x": {"shape": [1], "dtype": "float32", "bits": [-1]}})",
                           R"({"x": {"shape": [1], "dtype": "float32", "bits": [1.5]}})",
                           R"({"x": {"shape": [1], "dtype": "float32", "bits": ["0xzz"]}})",
                           R"({"x": {"shape": [1], "dtype": "int8", "bits": [-129]}})",
                           R"({"x": {"shape": [4294967296, 4294967296], "dtype": "int8", "bits": []}})",
                           R"({"symbols": {"n": "3"}})"}) {
    Expected<TensorFile> read = tensorsFromJson(json(text));
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().id, "tensor-json") << text;
  }
}

TEST(TensorIo, FoldersOfNpyGoBothWays) {
  Scratch scratch;
  const Tensors tensors = {{"x", {ScalarType::F32, {2, 1}, {0x3f800000, 0x7fc00000}}},
                           {"n", {ScalarType::I64, {}, {7}}}};
  ASSERT_TRUE(writeNpyFolder(scratch / "out", tensors));
  Expected<TensorFile> back = readTensors(scratch / "out");
  ASSERT_TRUE(back) << back.error().message;
  ASSERT_EQ(back->tensors.size(), 2U);
  EXPECT_EQ(back->tensors.at("x").bits, tensors.at("x").bits);
  EXPECT_EQ(back->tensors.at("x").shape, tensors.at("x").shape);
  EXPECT_EQ(back->tensors.at("n").type, ScalarType::I64);
}

TEST(TensorIo, FileErrorsAreNamed) {
  Scratch scratch;
  EXPECT_EQ(readTensors(scratch / "missing").error().id, "file-not-found");
  EXPECT_EQ(readTensors(scratch / "").error().id, "npy-none");
  std::ofstream(scratch / "torn.json") << "{\"x\": {\"shape\": [";
  EXPECT_EQ(readTensors(scratch / "torn.json").error().id, "json-syntax");
  std::filesystem::create_directories(scratch / "torn");
  std::ofstream(scratch / "torn/x.npy") << "\x93NUM";
  EXPECT_EQ(readTensors(scratch / "torn").error().id, "npy-torn");
}

} // namespace
} // namespace plumbline::ir
