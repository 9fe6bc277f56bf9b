// The spec evaluator against PyTorch itself, on the cases that spec_cases.py exports and runs.
//
// A program without sums, products or opaque functions must agree bit for bit: moves, comparisons, + - * /
// and sqrt of elements, argmax, and, up to the sign of a zero that a tie leaves open, max, min and clamp. Any
// other must lie within the bound of reach.h, which is derived for each element from the program and its
// inputs. Where a case has the sequential fold of a loop in binary32, our own value must have its bits: that
// pins the order.
#include "core/spec/evaluate.h"
#include "tests/differential/spec/cases.h"
#include "tests/differential/spec/known.h"
#include "tests/differential/spec/reach.h"

#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <sstream>

namespace plumbline::spec {
namespace {

bool isNan(uint64_t bits) {
  return (bits & 0x7FFFFFFF) > 0x7F800000;
}

bool isZero(uint64_t bits) {
  return (bits & 0x7FFFFFFF) == 0;
}

bool same(uint64_t a, uint64_t b) {
  return a == b || (isNan(a) && isNan(b));
}

bool sameOfSort(uint64_t a, uint64_t b, torch::DType dtype) {
  return dtype == torch::DType::F32 ? same(a, b) : a == b;
}

/// Every operation of the program has one correct result, apart from the sign of a zero.
bool isExact(const Spec& spec) {
  return spec.opaque.empty() && std::ranges::none_of(spec.stages, [](const Stage& stage) {
           return stage.kind == FoldKind::Sum || stage.kind == FoldKind::Product ||
                  (stage.kind == FoldKind::General && stage.tensor.dtype == torch::DType::F32);
         });
}

/// The values that the spec allows: one for every assignment of the zero choices, the first with all true.
std::vector<ir::Tensors> allowed(const logic::TermStore& terms, const Spec& spec, const Case& each) {
  std::vector<ir::Tensors> results;
  const size_t count = isExact(spec) ? spec.choices.size() : 0;
  for (size_t assignment = size_t{1} << count; assignment-- > 0;) {
    EvaluateOptions options;
    for (size_t k = 0; k < count; ++k)
      options.choices[spec.choices[k].variable] = (assignment >> k & 1) != 0;
    auto values = evaluateSpec(terms, spec, each.inputs, options);
    if (!values) {
      ADD_FAILURE() << each.name << ": " << toString(values.error());
      return {};
    }
    results.push_back(*std::move(values));
  }
  return results;
}

struct Summary {
  size_t elements = 0;
  size_t sameBits = 0;
  size_t narrow = 0; ///< elements whose bound says something
  size_t known = 0;
  size_t wrong = 0;
  std::string firstWrong;
};

/// One case: our values, the bound, and PyTorch's values.
class Comparison {
public:
  explicit Comparison(const Case& each) : m_case(each) {}

  Summary run() {
    auto spec = denote(m_terms, m_case.graph);
    if (!spec) {
      ADD_FAILURE() << m_case.name << ": " << toString(spec.error());
      return m_summary;
    }
    m_spec = *std::move(spec);
    m_values = allowed(m_terms, m_spec, m_case);
    auto sizes = bindSizes(m_terms, m_spec, m_case.inputs);
    if (m_values.empty() || !sizes)
      return m_summary;
    m_sizes = *std::move(sizes);
    m_reach = std::make_unique<ReachEvaluator>(m_terms, m_spec, m_sizes, m_case.inputs);
    for (size_t k = 0; k < m_case.outputs.size(); ++k)
      compareOutput(k);
    return m_summary;
  }

private:
  /// PyTorch has to give the same bits.
  bool exact() const { return isExact(m_spec) && m_case.slack.empty(); }

  const ir::Tensor& ours(size_t output, size_t assignment = 0) const {
    return m_values[assignment].at(m_case.outputs[output]);
  }

  void compareOutput(size_t output) {
    for (const CaseRun& run : m_case.runs) {
      const ir::Tensor& pytorch = run.outputs[output];
      EXPECT_EQ(ours(output).shape, pytorch.shape) << m_case.name;
      EXPECT_EQ(ours(output).type, pytorch.type) << m_case.name;
      if (ours(output).bits.size() != pytorch.bits.size())
        return;
      for (size_t i = 0; i < pytorch.bits.size(); ++i)
        compareElement(output, i, pytorch.bits[i], run.layout);
    }
    checkFold(output);
  }

  /// Our own value, bit for bit.
  void checkFold(size_t output) {
    if (output >= m_case.fold.size())
      return;
    const std::vector<uint64_t>& fold = m_case.fold[output];
    ASSERT_EQ(fold.size(), ours(output).bits.size()) << m_case.name << ": the fold";
    for (size_t i = 0; i < fold.size(); ++i)
      ASSERT_TRUE(same(fold[i], ours(output).bits[i]))
          << m_case.name << ": element " << i << " is not the sequential fold: " << std::hex << "ours 0x"
          << ours(output).bits[i] << ", loop 0x" << fold[i];
  }

  void compareElement(size_t output, size_t i, uint64_t pytorch, const std::string& layout) {
    ++m_summary.elements;
    const torch::DType dtype = m_spec.outputs[output].tensor.dtype;
    bool agrees = false;
    for (size_t k = 0; k < m_values.size(); ++k)
      agrees |= sameOfSort(ours(output, k).bits[i], pytorch, dtype);
    const uint64_t spec = ours(output).bits[i];
    // A tie of zeros inside a maximum or minimum over a dimension has no choice of its own.
    if (!agrees && dtype == torch::DType::F32 && isZero(spec) && isZero(pytorch))
      agrees = !m_spec.stages.empty();
    m_summary.sameBits += agrees ? 1 : 0;
    if (exact())
      ++m_summary.narrow;
    else
      agrees = withinBound(output, i, spec, pytorch);
    if (agrees)
      return;
    if (isKnown(m_case, i, spec, pytorch))
      ++m_summary.known;
    else if (++m_summary.wrong == 1)
      m_summary.firstWrong = describe(output, i, spec, pytorch) + " (" + layout + ")";
  }

  bool withinBound(size_t output, size_t i, uint64_t spec, uint64_t pytorch) {
    const Reach& reach = reachOf(output, i);
    EXPECT_TRUE(reach.contains(spec, 0)) << m_case.name << ": the bound excludes our own value at " << i;
    m_summary.narrow += reach.isNarrow() ? 1 : 0;
    const double slack = output < m_case.slack.size() ? m_case.slack[output].at(i) : 0;
    return reach.contains(pytorch, std::isnan(slack) ? 0 : slack);
  }

  /// With the additional roundings that the case grants.
  Reach reachOf(size_t output, size_t i) {
    Reach reach = m_reach->output(output, static_cast<int64_t>(i));
    for (int k = 0; k < m_case.roundings; ++k) {
      reach.low = std::nextafterf(static_cast<float>(reach.low), -INFINITY);
      reach.high = std::nextafterf(static_cast<float>(reach.high), INFINITY);
    }
    return reach;
  }

  std::string describe(size_t output, size_t i, uint64_t spec, uint64_t pytorch) {
    std::ostringstream text;
    const Reach reach = reachOf(output, i);
    text << m_case.outputs[output] << "[" << i << "]: spec 0x" << std::hex << spec << ", PyTorch 0x"
         << pytorch;
    if (reach.sort == logic::Sort::F32 && !exact())
      text << std::dec << ", as numbers " << value(spec) << " and " << value(pytorch) << ", bound ["
           << reach.low << ", " << reach.high << "]" << (reach.nan ? " or NaN" : "");
    text << std::hex << ", inputs";
    for (const auto& [name, tensor] : m_case.inputs)
      text << " " << name << "=0x" << tensor.bits[i % tensor.bits.size()];
    return text.str();
  }

  static float value(uint64_t bits) { return std::bit_cast<float>(static_cast<uint32_t>(bits)); }

  const Case& m_case;
  logic::TermStore m_terms;
  Spec m_spec;
  Sizes m_sizes;
  std::vector<ir::Tensors> m_values;
  std::unique_ptr<ReachEvaluator> m_reach;
  Summary m_summary;
};

TEST(SpecAgainstPyTorch, EveryCaseIsRead) {
  EXPECT_GE(allCases().size(), 120U);
}

TEST(SpecAgainstPyTorch, ValuesAgree) {
  size_t elements = 0;
  std::map<std::string, Summary> operators; // by the last node
  for (const Case& each : allCases()) {
    const Summary result = Comparison(each).run();
    elements += result.elements;
    EXPECT_EQ(result.wrong, 0U) << each.name << ": " << result.firstWrong;
    Summary& all = operators[each.graph.nodes.back().target];
    all.elements += result.elements;
    all.narrow += result.narrow;
    if (!each.known.empty())
      EXPECT_GT(result.known, 0U) << each.name
                                  << ": PyTorch no longer differs; drop the row of known differences";
    std::printf("%-40s %8zu elements %8zu same %8zu narrow %6zu known %6zu wrong\n", each.name.c_str(),
                result.elements, result.sameBits, result.narrow, result.known, result.wrong);
  }
  for (const auto& [target, all] : operators)
    EXPECT_GE(4 * all.narrow, all.elements) << target << ": most bounds say nothing";
  EXPECT_GT(elements, 200000U);
}

/// A tie of zeros must be open both ways, and nothing else may be.
TEST(SpecAgainstPyTorch, OnlyZerosAreLeftOpen) {
  for (const Case& each : allCases()) {
    logic::TermStore terms;
    auto spec = denote(terms, each.graph);
    if (!spec || spec->choices.empty() || !isExact(*spec))
      continue;
    size_t open = 0;
    const std::vector<ir::Tensors> values = allowed(terms, *spec, each);
    for (const auto& other : values)
      for (const auto& [name, tensor] : other)
        for (size_t i = 0; i < tensor.bits.size(); ++i)
          if (const uint64_t first = values[0].at(name).bits[i]; !same(first, tensor.bits[i])) {
            ++open;
            EXPECT_TRUE(isZero(first) && isZero(tensor.bits[i])) << each.name;
          }
    if (spec->stages.empty())
      EXPECT_GT(open, 0U) << each.name << ": no input reaches the tie";
  }
}

} // namespace
} // namespace plumbline::spec
