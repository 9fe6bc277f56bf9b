// One call of an operator on values written in a test.
#pragma once

#include "core/spec/evaluate.h"
#include "tests/unit/spec/graphs.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>

namespace plumbline::spec {

inline constexpr uint64_t minusZero = 0x80000000;
inline constexpr uint64_t nan = 0x7FC00000;

inline uint64_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

inline ir::Tensor floats(std::vector<int64_t> shape, const std::vector<float>& values) {
  ir::Tensor result{ir::ScalarType::F32, std::move(shape), {}};
  for (float value : values)
    result.bits.push_back(bits(value));
  return result;
}

/// The id of the error that denoting ends in; empty when there is none.
inline std::string errorOf(const torch::Graph& graph) {
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  return spec ? "" : spec.error().id;
}

/// The bits of the output "out"; nothing, and a failed test, on an error.
inline std::vector<uint64_t> outputOf(const torch::Graph& graph, const ir::Tensors& inputs,
                                      bool choices = true) {
  logic::TermStore terms;
  auto spec = denote(terms, graph);
  if (!spec) {
    ADD_FAILURE() << toString(spec.error());
    return {};
  }
  EvaluateOptions options;
  options.otherChoices = choices;
  auto result = evaluateSpec(terms, *spec, inputs, options);
  if (!result) {
    ADD_FAILURE() << toString(result.error());
    return {};
  }
  return result->at("out").bits;
}

} // namespace plumbline::spec
