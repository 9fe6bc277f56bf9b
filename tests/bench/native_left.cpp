#include "tests/bench/native_leaves.h"

namespace plumbline::bench {
namespace {

float leaky(float x) {
  return x < 0.0F ? x * 0.01F : x;
}

float rational(float x) {
  const float polynomial = ((0.5F * x + 3.0F) * x + 0.1F) * x + 7.0F;
  return polynomial / (x * x + 1.0F) + __builtin_elementwise_sqrt(x * x + 0.3F);
}

float doubles(float x) {
  return static_cast<float>(static_cast<double>(x) * 0.01 + static_cast<double>(x) * 3.7);
}

} // namespace

void leakyLeft(uint32_t first, uint32_t count, float* buffer) {
  fillLeft<leaky>(first, count, buffer);
}
void rationalLeft(uint32_t first, uint32_t count, float* buffer) {
  fillLeft<rational>(first, count, buffer);
}
void doubleLeft(uint32_t first, uint32_t count, float* buffer) {
  fillLeft<doubles>(first, count, buffer);
}

} // namespace plumbline::bench
