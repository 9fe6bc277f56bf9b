// Random kernels: the interpreter against native code. PLUMBLINE_RANDOM_KERNELS says how many,
// PLUMBLINE_RANDOM_SEED the first seed. A failure prints the seed and the kernel, reduced.
#include "core/ir/launch.h"
#include "tests/differential/kernel/case_file.h"
#include "tests/differential/kernel/comparison.h"
#include "tests/differential/kernel/random_kernel.h"

#include <gtest/gtest.h>

namespace plumbline::differential {
namespace {

constexpr uint64_t kBatch = 50;
constexpr int kMostFailures = 5;
constexpr const char* kQuick = "-O0"; // the compiler takes most of the time

uint64_t setting(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text ? std::strtoull(text, nullptr, 10) : otherwise;
}

Json contractFor(const RandomKernel& kernel) {
  const auto threads = kernel.threads();
  const auto buffer = [](int64_t length, int64_t align, const char* role) {
    return Json{{"len", length}, {"align", align}, {"role", role}};
  };
  return {{"block", kernel.block},
          {"grid", {kernel.grid, 1, 1}},
          {"symbols", {{"n", {7, 7}}}},
          {"buffers",
           {{"x", buffer(kRandomInputs, 4, "input")},
            {"a", buffer(kRandomInputs, 4, "input")},
            {"b", buffer(kRandomInputs, 1, "input")},
            {"y", buffer(threads, 4, "output")},
            {"out", buffer(threads, 4, "output")},
            {"wide", buffer(threads, 8, "output")}}}};
}

/// What is wrong with the kernel; empty when both sides agree.
std::string compare(const Program& program, size_t number, const RandomKernel& kernel) {
  Expected<ir::LaunchContract> contract = ir::launchFromJson(kernel.name, contractFor(kernel));
  if (!contract)
    return toString(contract.error());
  const ir::Function& function = program.function(number);
  Expected<ir::ConcreteLaunch> launch = ir::bindLaunch(*contract, function, {{"n", 7}}, {}, 0);
  if (!launch)
    return toString(launch.error());
  std::mt19937_64 random(kernel.seed);
  ir::BufferContents contents;
  for (int i = 0; i < function.parameterCount; ++i)
    if (const ir::Local& each = function.locals[static_cast<size_t>(i)]; each.type.pointer)
      contents[each.name] = makeContents({"random", "", Json::object()}, each.name, each.type.scalar,
                                         launch->buffers.at(each.name).length, random);
  Expected<Program::Outcome> outcome =
      program.run(number, *launch, contents, {"forward", "random:" + std::to_string(kernel.seed)});
  return outcome ? outcome->differences : toString(outcome.error());
}

std::string compareAlone(const RandomKernel& kernel, const std::set<int>& leftOut) {
  Expected<Program> program = Program::make("random", kernel.source(leftOut), kQuick);
  return program ? compare(*program, 0, kernel) : toString(program.error());
}

/// The first word tells what kind of failure it is: a reduction must not turn one into another.
bool sameFailure(const std::string& a, const std::string& b) {
  for (const char* word : {"interpreter 0x", "[", "native-compile", "cuda-syntax"})
    if ((a.find(word) != std::string::npos) != (b.find(word) != std::string::npos))
      return false;
  return !b.empty();
}

std::string reduced(const RandomKernel& kernel) {
  std::set<int> leftOut;
  const std::string failure = compareAlone(kernel, leftOut);
  int tries = 0;
  for (const int each : kernel.removable()) {
    if (++tries > 150)
      break;
    std::set<int> fewer = leftOut;
    fewer.insert(each);
    if (sameFailure(failure, compareAlone(kernel, fewer)))
      leftOut = fewer;
  }
  return compareAlone(kernel, leftOut) + "\n" + kernel.source(leftOut);
}

TEST(RandomKernels, InterpreterAgreesWithNativeCode) {
  const uint64_t first = setting("PLUMBLINE_RANDOM_SEED", 1);
  const uint64_t count = setting("PLUMBLINE_RANDOM_KERNELS", 500);
  int failures = 0;
  for (uint64_t start = 0; start < count && failures < kMostFailures; start += kBatch) {
    std::vector<RandomKernel> kernels;
    std::string source;
    for (uint64_t seed = first + start; seed < first + std::min(start + kBatch, count); ++seed) {
      kernels.push_back(makeRandomKernel(seed));
      source += kernels.back().source();
    }
    const Expected<Program> program = Program::make("random", source, kQuick);
    for (size_t i = 0; i < kernels.size() && failures < kMostFailures; ++i) {
      const std::string difference =
          program ? compare(*program, i, kernels[i]) : compareAlone(kernels[i], {});
      if (difference.empty())
        continue;
      ++failures;
      ADD_FAILURE() << "seed " << kernels[i].seed << "\n" << difference << "reduced: " << reduced(kernels[i]);
    }
    // A batch that only fails as a whole is a failure too.
    if (!program && failures == 0) {
      ++failures;
      ADD_FAILURE() << "seeds from " << first + start << ": " << toString(program.error());
    }
  }
}

} // namespace
} // namespace plumbline::differential
