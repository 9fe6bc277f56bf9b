#include "tests/bench/native_leaves.h"

namespace plumbline::bench {
namespace {

float leaky(float x) {
  return x < 0.0F ? 0.01F * x : x;
}

float rational(float x) {
  const float polynomial = 7.0F + x * (0.1F + x * (3.0F + x * 0.5F));
  return __builtin_elementwise_sqrt(0.3F + x * x) + polynomial / (1.0F + x * x);
}

float doubles(float x) {
  return static_cast<float>(3.7 * static_cast<double>(x) + 0.01 * static_cast<double>(x));
}

} // namespace

uint32_t leakyRight(uint32_t first, uint32_t count, const float* buffer) {
  return compareRight<leaky>(first, count, buffer);
}
uint32_t rationalRight(uint32_t first, uint32_t count, const float* buffer) {
  return compareRight<rational>(first, count, buffer);
}
uint32_t doubleRight(uint32_t first, uint32_t count, const float* buffer) {
  return compareRight<doubles>(first, count, buffer);
}

} // namespace plumbline::bench
