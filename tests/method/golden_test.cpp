// The documents of all bundled samples and of some kernels without a module, byte for byte.
// PLUMBLINE_UPDATE_GOLDEN=1 writes them anew, to be read before they are committed.
#include "tests/method/kernel_cases.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>

namespace plumbline::method_test {
namespace {

const std::filesystem::path root = PLUMBLINE_SOURCE_DIR;

/// The text, or what is said instead of one.
std::string documentOrRefusal(const Bound& bound) {
  std::optional<Error> error = bound.error;
  if (!error) {
    auto document =
        method::generateMethod(bound.comparison.store, *bound.comparison.graph, *bound.comparison.problem);
    if (document)
      return document->text;
    error = document.error();
  }
  std::string text = toString(*error) + "\n";
  for (size_t at = text.find(root.string()); at != std::string::npos; at = text.find(root.string()))
    text.erase(at, root.string().size() + 1);
  return text;
}

void expectGolden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = root / "tests" / "method" / "golden" / (name + ".lean");
  if (std::getenv("PLUMBLINE_UPDATE_GOLDEN") != nullptr)
    ASSERT_TRUE(writeFile(path, text));
  EXPECT_EQ(text, readFile(path).value_or("(no file)"));
}

class Golden : public testing::TestWithParam<Pair> {};

TEST_P(Golden, DocumentIsUnchanged) {
  expectGolden(GetParam().name, documentOrRefusal(*bind(GetParam())));
}

/// One of each kind: a loop of a thread, phases with a tree, tiles, rows with registers across barriers,
/// dynamic memory.
const std::vector<std::string> kernelNames{"grid_stride", "tree_sum", "tiled_matmul", "softmax_rows",
                                           "dynamic_carved"};

class GoldenKernel : public testing::TestWithParam<std::string> {};

TEST_P(GoldenKernel, DocumentIsUnchanged) {
  const auto kernel = std::ranges::find(kernelCases(), GetParam(), &KernelCase::name);
  ASSERT_NE(kernel, kernelCases().end());
  const std::unique_ptr<Bound> bound = bindKernel(*kernel, readFile(kernel->file).value_or(""));
  expectGolden(GetParam(), documentOrRefusal(*bound));
}

INSTANTIATE_TEST_SUITE_P(Kernels, GoldenKernel, testing::ValuesIn(kernelNames),
                         [](const auto& info) { return info.param; });

std::vector<Pair> samples() {
  std::vector<Pair> result = allPairs();
  std::erase_if(result, [](const Pair& pair) { return !pair.isSample; });
  return result;
}

INSTANTIATE_TEST_SUITE_P(Samples, Golden, testing::ValuesIn(samples()), [](const auto& info) {
  std::string name = info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

TEST(Golden, EveryFileBelongsToASampleOrAKernel) {
  size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(root / "tests" / "method" / "golden"))
    files += entry.path().extension() == ".lean";
  EXPECT_EQ(files, samples().size() + kernelNames.size());
}

} // namespace
} // namespace plumbline::method_test
