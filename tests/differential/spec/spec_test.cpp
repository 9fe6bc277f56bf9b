// The spec evaluator against PyTorch itself, on the cases that spec_cases.py exports and runs.
#include "core/base/child_process.h"
#include "core/f32/elementary.h"
#include "core/spec/evaluate.h"
#include "core/spec/operators.h"

#include <bit>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

namespace plumbline::spec {
namespace {

struct Case {
  std::string name;
  torch::Graph graph;
  ir::Tensors inputs;
  ir::Tensors outputs; ///< what PyTorch computed
  int64_t ulp = 0;
  std::string known;
};

bool isNan(uint64_t bits) {
  return (bits & 0x7FFFFFFF) > 0x7F800000;
}

bool isZero(uint64_t bits) {
  return (bits & 0x7FFFFFFF) == 0;
}

bool same(uint64_t a, uint64_t b) {
  return a == b || (isNan(a) && isNan(b));
}

int64_t distance(uint64_t a, uint64_t b) {
  using f32::Width;
  return std::abs(f32::orderedKey(a, Width::Binary32) - f32::orderedKey(b, Width::Binary32));
}

/// Reads the script's lines once; they are slow to make.
const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> result;
    auto child = ChildProcess::start(
        {"/usr/bin/python3", "-B", PLUMBLINE_SOURCE_DIR "/tests/differential/spec/spec_cases.py"});
    if (!child)
      return result;
    const StopToken stop = StopToken().withTimeout(std::chrono::minutes(4));
    for (auto line = child->readLine(stop); line; line = child->readLine(stop)) {
      auto json = parseJson(*line, "case");
      if (!json)
        return std::vector<Case>{};
      auto graph = torch::graphFromExportedJson((*json)["program"], "case");
      auto inputs = ir::tensorsFromJson((*json)["inputs"]);
      auto outputs = ir::tensorsFromJson((*json)["outputs"]);
      if (!graph || !inputs || !outputs) {
        ADD_FAILURE() << (*json)["name"] << ": "
                      << toString(!graph    ? graph.error()
                                  : !inputs ? inputs.error()
                                            : outputs.error());
        continue;
      }
      result.push_back(
          {(*json)["name"], *graph, inputs->tensors, outputs->tensors, (*json)["ulp"], (*json)["known"]});
    }
    return result;
  }();
  return all;
}

/// The values that the spec allows for each element: one list for every assignment of the zero choices.
std::vector<std::vector<uint64_t>> allowed(const logic::TermStore& terms, const Spec& spec,
                                           const Case& each) {
  std::vector<std::vector<uint64_t>> results;
  const size_t count = spec.choices.size();
  for (size_t assignment = 0; assignment < (size_t{1} << count); ++assignment) {
    EvaluateOptions options;
    for (size_t k = 0; k < count; ++k)
      options.choices[spec.choices[k].variable] = (assignment >> k & 1) != 0;
    auto values = evaluateSpec(terms, spec, each.inputs, options);
    if (!values) {
      ADD_FAILURE() << each.name << ": " << toString(values.error());
      return {};
    }
    results.push_back(values->begin()->second.bits);
  }
  return results;
}

float asFloat(uint64_t bits) {
  return std::bit_cast<float>(static_cast<uint32_t>(bits));
}

/// Row "add-alpha" of the known differences: one rounding instead of two.
bool isFusedAlpha(const Case& each, size_t i, uint64_t pytorch) {
  const torch::Node& node = each.graph.nodes.back();
  auto operand = [&](std::string_view name) {
    const torch::Argument* value = torch::findArgument(node, name);
    if (const auto* tensor = std::get_if<torch::TensorRef>(value))
      return asFloat(each.inputs.at(tensor->name).bits[i]);
    if (const auto* real = std::get_if<torch::FloatScalar>(value))
      return static_cast<float>(real->value);
    return static_cast<float>(std::get<int64_t>(*value));
  };
  const bool reversed = node.target.find("rsub") != std::string::npos;
  const float base = operand(reversed ? "other" : "self");
  const float scaled = operand(reversed ? "self" : "other");
  const float alpha = node.target.find("sub") != std::string::npos ? -operand("alpha") : operand("alpha");
  return same(std::bit_cast<uint32_t>(std::fma(scaled, alpha, base)), pytorch);
}

/// Row "erf-cpu": an absolute error below 6e-7, times |x| / 2 in gelu.
bool isCoarseErf(const Case& each, size_t i, uint64_t spec, uint64_t pytorch) {
  const float x = asFloat(each.inputs.begin()->second.bits[i]);
  const double scale = each.name == "gelu" ? std::abs(x) / 2.0 : 1.0;
  return std::abs(static_cast<double>(asFloat(spec)) - asFloat(pytorch)) <= 6e-7 * scale;
}

/// Row "log1p-huge".
bool isHugeLog1p(const Case& each, size_t i, uint64_t pytorch) {
  return pytorch == 0x7F800000 && asFloat(each.inputs.begin()->second.bits[i]) > 1e38F;
}

/// Row "gelu-cpu": as "erf-cpu"; beyond half of the largest float the product overflows on the way.
bool isGelu(const Case& each, size_t i, uint64_t spec, uint64_t pytorch) {
  return isCoarseErf(each, i, spec, pytorch) || asFloat(each.inputs.begin()->second.bits[i]) > 1.7e38F;
}

/// Row "exp-minus-one": 2 ulp of exp before the subtraction, times factors below 2.
bool isExpMinusOne(uint64_t spec, uint64_t pytorch) {
  return std::abs(static_cast<double>(asFloat(spec)) - asFloat(pytorch)) <= 0x1p-21;
}

bool isKnown(const Case& each, size_t i, uint64_t spec, uint64_t pytorch) {
  if (each.known == "add-alpha")
    return isFusedAlpha(each, i, pytorch);
  if (each.known == "erf-cpu")
    return isCoarseErf(each, i, spec, pytorch);
  if (each.known == "gelu-cpu")
    return isGelu(each, i, spec, pytorch);
  if (each.known == "exp-minus-one")
    return isExpMinusOne(spec, pytorch);
  return each.known == "log1p-huge" && isHugeLog1p(each, i, pytorch);
}

struct Comparison {
  size_t elements = 0;
  size_t known = 0;
  size_t wrong = 0;
  int64_t worstUlp = 0;
  std::string firstWrong;
};

void compareElement(const Case& each, const std::vector<std::vector<uint64_t>>& values, size_t i,
                    uint64_t pytorch, Comparison& result) {
  ++result.elements;
  for (const auto& value : values)
    if (same(value[i], pytorch))
      return;
  const uint64_t spec = values[0][i];
  if (each.ulp > 0 && !isNan(spec) && !isNan(pytorch) && distance(spec, pytorch) <= each.ulp) {
    result.worstUlp = std::max(result.worstUlp, distance(spec, pytorch));
    return;
  }
  if (isKnown(each, i, spec, pytorch)) {
    ++result.known;
    return;
  }
  if (++result.wrong > 1)
    return;
  std::ostringstream text;
  text << std::hex << "element " << i << ": spec 0x" << spec << ", PyTorch 0x" << pytorch << ", inputs";
  for (const auto& [name, tensor] : each.inputs)
    text << " " << name << "=0x" << tensor.bits[i % tensor.bits.size()];
  result.firstWrong = text.str();
}

Comparison compare(const Case& each) {
  Comparison result;
  logic::TermStore terms;
  auto spec = denote(terms, each.graph);
  if (!spec) {
    ADD_FAILURE() << each.name << ": " << toString(spec.error());
    return result;
  }
  const ir::Tensor& pytorch = each.outputs.begin()->second;
  auto values = allowed(terms, *spec, each);
  if (values.empty())
    return result;
  EXPECT_EQ(values[0].size(), pytorch.bits.size()) << each.name;
  for (size_t i = 0; i < pytorch.bits.size(); ++i)
    compareElement(each, values, i, pytorch.bits[i], result);
  return result;
}

TEST(SpecAgainstPyTorch, EveryCaseIsRead) {
  EXPECT_GE(cases().size(), 120U);
}

TEST(SpecAgainstPyTorch, ValuesAgree) {
  size_t elements = 0;
  for (const Case& each : cases()) {
    const Comparison result = compare(each);
    elements += result.elements;
    EXPECT_EQ(result.wrong, 0U) << each.name << ": " << result.firstWrong;
    if (!each.known.empty())
      EXPECT_GT(result.known, 0U) << each.name
                                  << ": PyTorch no longer differs; drop the row of known differences";
    if (result.worstUlp > 0)
      RecordProperty(each.name, std::to_string(result.worstUlp) + " ulp");
  }
  EXPECT_GT(elements, 200000U);
}

/// A tie of zeros must be open both ways, and nothing else may be.
TEST(SpecAgainstPyTorch, OnlyZerosAreLeftOpen) {
  for (const Case& each : cases()) {
    logic::TermStore terms;
    auto spec = denote(terms, each.graph);
    if (!spec || spec->choices.empty())
      continue;
    auto values = allowed(terms, *spec, each);
    size_t open = 0;
    for (size_t i = 0; i < values[0].size(); ++i)
      for (const auto& other : values)
        if (!same(values[0][i], other[i])) {
          ++open;
          EXPECT_TRUE(isZero(values[0][i]) && isZero(other[i])) << each.name;
        }
    EXPECT_GT(open, 0U) << each.name << ": no input reaches the tie";
  }
}

/// Every operator of the table is met by a case, apart from spellings of one that is.
TEST(SpecAgainstPyTorch, EveryOperatorHasACase) {
  std::set<std::string> met;
  for (const Case& each : cases())
    for (const auto& node : each.graph.nodes)
      met.insert(node.target);
  const std::set<std::string> sameAsAnother = {
      "aten._to_copy.default",   "aten.absolute.default",
      "aten.add.Scalar",         "aten.alias.default",
      "aten.contiguous.default", "aten.detach_.default",
      "aten.div.Scalar",         "aten.divide.Tensor",
      "aten.lift_fresh.default", "aten.lift_fresh_copy.default",
      "aten.mul.Scalar",         "aten.multiply.Scalar",
      "aten.negative.default",   "aten.rsub.Tensor",
      "aten.sub.Scalar",         "aten.subtract.Tensor",
      "aten.true_divide.Tensor",
  };
  for (const Operator& each : allOperators())
    if (!sameAsAnother.contains(std::string(each.target)))
      EXPECT_TRUE(met.contains(std::string(each.target))) << each.target;
}

} // namespace
} // namespace plumbline::spec
