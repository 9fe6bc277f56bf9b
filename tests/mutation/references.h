// The meaning of each base's module by PyTorch's definition, written by hand. Compiled with the mutants, for
// the machine that runs them, so that the loops are as fast as theirs.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace plumbline::mutation::references {

using Operands = const float* const*;

/// One value an element.
template <class F> void each(Operands x, size_t count, float* result, F value) {
  for (size_t i = 0; i < count; ++i)
    result[i] = value(x, i);
}

/// torch.maximum: NaN propagates; of two equal values `a` or `b` by `second`.
inline float larger(float a, float b, bool second) {
  const float chosen = a > b || (a == b && !second) ? a : b;
  return a != a ? a : chosen;
}

inline float smaller(float a, float b, bool second) {
  const float chosen = a < b || (a == b && !second) ? a : b;
  return a != a ? a : chosen;
}

/// `value` with a constant last argument, so that each loop has no branches.
template <class F> void tied(Operands x, size_t count, bool second, float* result, F value) {
  if (second)
    each(x, count, result, [&](Operands v, size_t i) { return value(v, i, true); });
  else
    each(x, count, result, [&](Operands v, size_t i) { return value(v, i, false); });
}

inline void relu(Operands x, size_t count, bool second, float* result) {
  tied(x, count, second, result, [](Operands v, size_t i, bool tie) { return larger(v[0][i], 0.0f, tie); });
}

inline void leakyRelu(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] > 0 ? v[0][i] : v[0][i] * 0.01f; });
}

inline void add(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] + v[1][i]; });
}

inline void subtract(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] - v[1][i]; });
}

inline void twice(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] + v[0][i]; });
}

inline void half(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] / 2.0f; });
}

inline void absolute(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return std::fabs(v[0][i]); });
}

inline void affine(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return 2.0f * v[0][i] - 1.0f; });
}

inline void hardtanh(Operands x, size_t count, bool, float* result) {
  each(x, count, result,
       [](Operands v, size_t i) { return smaller(larger(v[0][i], -1.0f, false), 1.0f, false); });
}

inline void relu6(Operands x, size_t count, bool second, float* result) {
  tied(x, count, second, result,
       [](Operands v, size_t i, bool tie) { return smaller(larger(v[0][i], 0.0f, tie), 6.0f, false); });
}

inline void maximum(Operands x, size_t count, bool second, float* result) {
  tied(x, count, second, result,
       [](Operands v, size_t i, bool tie) { return larger(v[0][i], v[1][i], tie); });
}

inline void where(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] > v[1][i] ? v[0][i] : v[1][i]; });
}

inline void fusedTail(Operands x, size_t count, bool second, float* result) {
  tied(x, count, second, result, [](Operands v, size_t i, bool tie) {
    const float product = v[0][i] * v[1][i];
    return larger(product + v[2][i], 0.0f, tie);
  });
}

/// Whether some value is not the wanted one, all NaNs being one. Without branches, for vectors.
inline bool anyDiffers(const float* values, const float* wanted, size_t count) {
  uint32_t wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    const bool bits = std::bit_cast<uint32_t>(values[i]) != std::bit_cast<uint32_t>(wanted[i]);
    const uint32_t bothNan =
        static_cast<uint32_t>(values[i] != values[i]) & static_cast<uint32_t>(wanted[i] != wanted[i]);
    wrong |= static_cast<uint32_t>(bits) & ~bothNan;
  }
  return wrong != 0;
}

} // namespace plumbline::mutation::references
