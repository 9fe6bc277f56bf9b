// The kernels that are mutated, each with a module that it equals and that module's meaning written by hand.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace plumbline::mutation {

/// Fills `count` elements with the value of PyTorch's definition. Where an operator chooses between two
/// zeros, `second` says which, and both are allowed. `operands[k]` holds each element's own value of input k.
using Reference = void (*)(const float* const* operands, size_t count, bool second, float* result);

struct Base {
  std::string name;
  std::filesystem::path folder; ///< with graph.json and kernel.cu
  int rank = 1;                 ///< of input 0 and the output
  size_t inputs = 1;
  bool rowBroadcast = false; ///< the last input has the last dimension only
  Reference reference = nullptr;
};

/// The samples whose expected relation is `equal`, and those in bases/.
std::span<const Base> allBases();

} // namespace plumbline::mutation
