#include "tests/mutation/base.h"

#include <cmath>

namespace plumbline::mutation {
namespace {

using Operands = const float* const*;

/// One value an element.
template <class F> void each(Operands x, size_t count, float* result, F value) {
  for (size_t i = 0; i < count; ++i)
    result[i] = value(x, i);
}

/// torch.maximum: NaN propagates; of two equal values `a` or `b` by `second`.
float larger(float a, float b, bool second) {
  const float chosen = a > b || (a == b && !second) ? a : b;
  return a != a ? a : chosen;
}

float smaller(float a, float b, bool second) {
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

void relu(Operands x, size_t count, bool second, float* result) {
  tied(x, count, second, result, [](Operands v, size_t i, bool tie) { return larger(v[0][i], 0.0f, tie); });
}

void leakyRelu(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] > 0 ? v[0][i] : v[0][i] * 0.01f; });
}

void add(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] + v[1][i]; });
}

void subtract(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] - v[1][i]; });
}

void twice(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] + v[0][i]; });
}

void half(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] / 2.0f; });
}

void absolute(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return std::fabs(v[0][i]); });
}

void affine(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return 2.0f * v[0][i] - 1.0f; });
}

void hardtanh(Operands x, size_t count, bool, float* result) {
  each(x, count, result,
       [](Operands v, size_t i) { return smaller(larger(v[0][i], -1.0f, false), 1.0f, false); });
}

void relu6(Operands x, size_t count, bool second, float* result) {
  tied(x, count, second, result,
       [](Operands v, size_t i, bool tie) { return smaller(larger(v[0][i], 0.0f, tie), 6.0f, false); });
}

void maximum(Operands x, size_t count, bool second, float* result) {
  tied(x, count, second, result,
       [](Operands v, size_t i, bool tie) { return larger(v[0][i], v[1][i], tie); });
}

void where(Operands x, size_t count, bool, float* result) {
  each(x, count, result, [](Operands v, size_t i) { return v[0][i] > v[1][i] ? v[0][i] : v[1][i]; });
}

void fusedTail(Operands x, size_t count, bool second, float* result) {
  tied(x, count, second, result, [](Operands v, size_t i, bool tie) {
    const float product = v[0][i] * v[1][i];
    return larger(product + v[2][i], 0.0f, tie);
  });
}

std::filesystem::path sample(const std::string& name) {
  return std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "resources/samples" / name;
}

std::filesystem::path own(const std::string& name) {
  return std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "tests/mutation/bases" / name;
}

} // namespace

std::span<const Base> allBases() {
  static const std::vector<Base> bases = {
      {"relu-keeps-nan", sample("relu-keeps-nan"), 1, 1, false, relu},
      {"leaky-relu-commuted", sample("leaky-relu-commuted"), 1, 1, false, leakyRelu},
      {"leaky-relu-max", sample("leaky-relu-max"), 1, 1, false, leakyRelu},
      {"vector-add", sample("vector-add"), 1, 2, false, add},
      {"twice", sample("twice"), 1, 1, false, twice},
      {"half", sample("half"), 1, 1, false, half},
      {"abs", own("abs"), 1, 1, false, absolute},
      {"affine", own("affine"), 1, 1, false, affine},
      {"hardtanh", own("hardtanh"), 1, 1, false, hardtanh},
      {"relu6", own("relu6"), 1, 1, false, relu6},
      {"maximum", own("maximum"), 1, 2, false, maximum},
      {"where", own("where"), 1, 2, false, where},
      {"fused-tail", own("fused-tail"), 1, 3, false, fusedTail},
      {"bias-row", own("bias-row"), 2, 2, true, add},
      {"grid-2d", own("grid-2d"), 2, 2, true, subtract},
  };
  return bases;
}

} // namespace plumbline::mutation
