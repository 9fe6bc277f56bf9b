// Running a one-kernel module on given contents.
#pragma once

#include "core/ir/interpreter.h"
#include "tests/unit/ir/ir_builder.h"

#include <gtest/gtest.h>

namespace plumbline::ir::test {

inline uint64_t bitsOfFloat(float value) {
  return std::bit_cast<uint32_t>(value);
}
inline float floatOf(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

inline BufferBinding buffer(int64_t length, BufferRole role) {
  return {length, 4, role, false, {}, {}};
}

/// What came out of a run.
struct Outcome {
  RunResult result;
  std::map<std::string, std::vector<uint64_t>> buffers;
};

inline Outcome runOn(const Module& module, ConcreteLaunch launch, const BufferContents& contents,
                     const RunOptions<IeeeDomain>& options = {}) {
  const std::vector<std::string> problems = verify(module);
  EXPECT_TRUE(problems.empty()) << problems.front();
  const int index = module.kernels[0].function;
  const Function& kernel = module.functions[static_cast<size_t>(index)];
  for (auto& [parameter, binding] : launch.buffers)
    if (binding.sameAs.empty())
      binding.sameAs = parameter;
  Expected<Memory<IeeeDomain>> memory = makeMemory(launch, kernel, contents);
  EXPECT_TRUE(memory) << memory.error().message;
  Expected<Interpreter<IeeeDomain>> interpreter = Interpreter<IeeeDomain>::make(module, index);
  EXPECT_TRUE(interpreter);
  Expected<RunResult> result = interpreter->run(launch, *memory, options);
  EXPECT_TRUE(result) << result.error().message;
  Outcome outcome{result.value_or(RunResult{}), {}};
  for (const auto& [parameter, binding] : launch.buffers)
    outcome.buffers[parameter] = bitsOf((*memory)[memory->indexOf(parameter)]);
  return outcome;
}

/// x, y of length n, blocks of 32 threads that cover n.
inline ConcreteLaunch elementwiseLaunch(int64_t n, BufferRole role = BufferRole::Output) {
  ConcreteLaunch launch;
  launch.grid = {(n + 31) / 32, 1, 1};
  launch.block = {32, 1, 1};
  launch.buffers = {{"x", buffer(n, BufferRole::Input)}, {"y", buffer(n, role)}};
  launch.scalars = {{"n", ScalarValue::integer(n)}};
  return launch;
}

inline std::vector<uint64_t> floats(const std::vector<float>& values) {
  std::vector<uint64_t> bits;
  bits.reserve(values.size());
  for (float value : values)
    bits.push_back(bitsOfFloat(value));
  return bits;
}

} // namespace plumbline::ir::test
