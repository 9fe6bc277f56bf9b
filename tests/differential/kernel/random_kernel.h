// Random kernels inside the accepted fragment, without undefined behaviour by construction: signed arithmetic
// on masked operands or in the unsigned type, divisors that are no zero, shift counts below the width, no
// float converted to a type below 32 bits, subscripts reduced to the length. Shared arrays: a thread writes
// its own cell, reads any between two barriers that all threads reach.
#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace plumbline::differential {

/// A tree, so that a failing kernel can be reduced: text, statements inside, text.
struct RandomStatement {
  std::string before;
  std::vector<RandomStatement> inside;
  std::string after;
  bool removable = true;
};

struct RandomKernel {
  uint64_t seed = 0;
  std::string name;
  std::array<int64_t, 3> block{1, 1, 1};
  int64_t grid = 1;
  std::string functions; ///< device functions and structures, named after the seed
  RandomStatement body;

  int64_t threads() const { return grid * block[0] * block[1] * block[2]; }
  /// The source without the statements whose numbers (in the order of the text) are left out.
  std::string source(const std::set<int>& leftOut = {}) const;
  /// Numbers of the removable statements, outer ones first.
  std::vector<int> removable() const;
};

/// Elements of the input buffers: const float* x, const int* a, const unsigned char* b. Each thread writes
/// its own cell of float* y, int* out, long long* wide.
constexpr int64_t kRandomInputs = 64;

RandomKernel makeRandomKernel(uint64_t seed);

} // namespace plumbline::differential
