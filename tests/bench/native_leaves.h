// The loops of a sweep written in C++, each side in a unit of its own, as plumbline-sweep compiles them.
// Between them the compiler sees nothing of the other side.
#pragma once

#include <bit>
#include <cstdint>

namespace plumbline::bench {

using LeftLoop = void (*)(uint32_t first, uint32_t count, float* buffer);
using RightLoop = uint32_t (*)(uint32_t first, uint32_t count, const float* buffer);

/// One comparison that holds on every pattern and that no compiler can fold.
struct NativeLeaf {
  LeftLoop left;
  RightLoop right;
};

void leakyLeft(uint32_t first, uint32_t count, float* buffer);
void rationalLeft(uint32_t first, uint32_t count, float* buffer);
void doubleLeft(uint32_t first, uint32_t count, float* buffer);
uint32_t leakyRight(uint32_t first, uint32_t count, const float* buffer);
uint32_t rationalRight(uint32_t first, uint32_t count, const float* buffer);
uint32_t doubleRight(uint32_t first, uint32_t count, const float* buffer);

template <float (*function)(float)>
void fillLeft(uint32_t first, uint32_t count, float* __restrict__ buffer) {
  for (uint64_t i = 0; i < count; ++i)
    buffer[i] = function(std::bit_cast<float>(first + static_cast<uint32_t>(i)));
}

template <float (*function)(float)>
uint32_t compareRight(uint32_t first, uint32_t count, const float* __restrict__ buffer) {
  uint32_t found = 0;
  for (uint64_t i = 0; i < count; ++i) {
    const float left = buffer[i];
    const float right = function(std::bit_cast<float>(first + static_cast<uint32_t>(i)));
    const bool sameBits = std::bit_cast<uint32_t>(left) == std::bit_cast<uint32_t>(right);
    const bool bothNan = left != left && right != right;
    found |= static_cast<uint32_t>(!(sameBits | bothNan));
  }
  return found;
}

} // namespace plumbline::bench
