// What passes between the test and a natively compiled wrapper. Included by both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plumbline::mutation {

/// What a checked run noticed, as bits.
enum Fault : uint32_t {
  outOfBounds = 1,
  twoWriters = 2,
  overflow = 4,
  illegalLaunch = 8,
  divisionByZero = 16,
  checkFailed = 32,
};

struct NativeTensor {
  float* data = nullptr; ///< null in a probe
  int64_t sizes[2] = {1, 1};
  int rank = 1;

  int64_t numel() const { return sizes[0] * (rank == 2 ? sizes[1] : 1); }
};

struct ProbeWrite {
  int64_t index;
  int64_t thread;
};

/// One call of a wrapper. The fast build reads only `inputs` and `output` and takes the sizes that it was
/// compiled for.
struct NativeRun {
  const NativeTensor* inputs = nullptr;
  float* output = nullptr;
  int64_t* writers = nullptr; ///< per element of the output: 0, or 1 + the thread that wrote it
  bool probe = false;         ///< no memory, chosen blocks only
  bool partial = false;       ///< out: not every thread ran
  uint32_t faults = 0;
  std::vector<ProbeWrite> probeWrites;
};

using NativeEntry = void (*)(NativeRun&);

/// Fills `count` elements with the value of PyTorch's definition. Where an operator chooses between two
/// zeros, `second` says which, and both are allowed. `operands[k]` holds each element's own value of input k.
using Reference = void (*)(const float* const* operands, size_t count, bool second, float* result);

/// Whether some value is not the wanted one, all NaNs being one.
using AnyDiffers = bool (*)(const float* values, const float* wanted, size_t count);

} // namespace plumbline::mutation
