// Einstein summation: one fold per element over the indices that the output lacks, whatever the number of
// operands; their product is taken from left to right.
#include "core/spec/tensor_operators.h"

#include <algorithm>
#include <cctype>
#include <map>

namespace plumbline::spec {
namespace {

using ir::SizeExprPtr;
using logic::TermId;

/// A letter, or `ellipsisLabel` plus the distance from the last dimension that "..." stands for.
using Label = size_t;
constexpr Label ellipsisLabel = 256;

/// One comma-separated part, or the output.
struct Subscripts {
  std::vector<Label> labels; ///< "..." as `ellipsisLabel`, until it is spread
  bool hasEllipsis = false;
};

struct Equation {
  std::vector<Subscripts> operands;
  std::optional<Subscripts> output;
};

std::optional<Subscripts> parseSubscripts(std::string_view text) {
  Subscripts result;
  while (!text.empty()) {
    if (text.starts_with("...") && !result.hasEllipsis) {
      result.hasEllipsis = true;
      result.labels.push_back(ellipsisLabel);
      text.remove_prefix(3);
      continue;
    }
    const auto letter = static_cast<unsigned char>(text.front());
    if (letter >= 128 || std::isalpha(letter) == 0)
      return std::nullopt;
    result.labels.push_back(letter);
    text.remove_prefix(1);
  }
  return result;
}

std::optional<Equation> parseEquation(std::string text) {
  std::erase(text, ' ');
  Equation equation;
  std::string_view operands = text;
  if (const size_t arrow = operands.find("->"); arrow != std::string_view::npos) {
    equation.output = parseSubscripts(operands.substr(arrow + 2));
    if (!equation.output)
      return std::nullopt;
    operands = operands.substr(0, arrow);
  }
  for (;;) {
    const size_t comma = operands.find(',');
    auto part = parseSubscripts(operands.substr(0, comma));
    if (!part)
      return std::nullopt;
    equation.operands.push_back(*std::move(part));
    if (comma == std::string_view::npos)
      return equation;
    operands.remove_prefix(comma + 1);
  }
}

/// Replaces "..." by `count` labels, aligned at the last.
void spreadEllipsis(Subscripts& subscripts, size_t count) {
  const auto at = std::find(subscripts.labels.begin(), subscripts.labels.end(), ellipsisLabel);
  if (at == subscripts.labels.end())
    return;
  std::vector<Label> dimensions;
  for (size_t k = count; k-- > 0;)
    dimensions.push_back(ellipsisLabel + k);
  const auto position = subscripts.labels.erase(at);
  subscripts.labels.insert(position, dimensions.begin(), dimensions.end());
}

bool contains(const std::vector<Label>& labels, Label label) {
  return std::find(labels.begin(), labels.end(), label) != labels.end();
}

/// One summation.
class Summation {
public:
  Summation(TensorContext& context, std::vector<std::string> tensors)
      : c(context), m_tensors(std::move(tensors)) {}

  void run(Equation equation) {
    if (equation.operands.size() != m_tensors.size()) {
      c.unsupported("the equation has another number of operands");
      return;
    }
    size_t longest = 0;
    for (size_t k = 0; k < m_tensors.size(); ++k)
      longest = std::max(longest, addOperand(equation.operands[k], m_tensors[k]));
    setOutput(std::move(equation.output), longest);
    if (!c.error())
      giveResult();
  }

private:
  /// Returns how many dimensions its "..." stands for.
  size_t addOperand(Subscripts subscripts, const std::string& tensor) {
    const Shape& shape = c.shapeOf(tensor);
    const size_t named = subscripts.labels.size() - (subscripts.hasEllipsis ? 1 : 0);
    if (named > shape.size() || (named < shape.size() && !subscripts.hasEllipsis)) {
      c.unsupported("the equation does not have as many indices as '" + tensor + "' has dimensions");
      return 0;
    }
    spreadEllipsis(subscripts, shape.size() - named);
    const std::vector<Label>& labels = subscripts.labels;
    for (size_t k = 0; k < labels.size(); ++k) {
      const auto before = std::find(labels.begin(), labels.end(), labels[k]) - labels.begin();
      c.requireSame(shape[static_cast<size_t>(before)], shape[k], "an index of a diagonal");
      meet(labels[k], shape[k]);
    }
    m_operands.push_back(labels);
    return shape.size() - named;
  }

  /// A dimension of size 1 is stretched.
  void meet(Label label, const SizeExprPtr& size) {
    if (!contains(m_order, label))
      m_order.push_back(label);
    ++m_occurrences[label];
    SizeExprPtr& known = m_sizes[label];
    if (!known || isOne(known))
      known = size;
    else if (!isOne(size))
      c.requireSame(known, size, "an index of the equation has two sizes");
  }

  /// Without an output: "..." and then the letters that occur once, in alphabetical order, capitals first.
  void setOutput(std::optional<Subscripts> output, size_t ellipsis) {
    if (!output) {
      output = Subscripts{{ellipsisLabel}, true};
      for (const auto& [label, count] : m_occurrences)
        if (label < ellipsisLabel && count == 1)
          output->labels.push_back(label);
    }
    spreadEllipsis(*output, ellipsis);
    m_output = std::move(output->labels);
    for (Label label : m_output)
      if (!m_sizes.contains(label) || std::ranges::count(m_output, label) != 1)
        c.unsupported("an index of the output occurs twice or in no operand");
  }

  void giveResult() {
    Shape shape;
    for (Label label : m_output)
      shape.push_back(m_sizes.at(label));
    Shape summed;
    std::vector<Label> summedLabels;
    for (Label label : m_order)
      if (!contains(m_output, label)) {
        summedLabels.push_back(label);
        summed.push_back(m_sizes.at(label));
      }
    if (c.isTarget(Target::TorchCuda) && !isOneFold(summedLabels)) {
      c.unsupported("on CUDA, which contracts operands in pairs and sums an index of one operand first,");
      return;
    }
    setPositions(m_output, c.coordinates(shape));
    setPositions(summedLabels, c.coordinates(summed, c.step()));
    if (summed.empty())
      c.result(shape, m_tensors.size() == 1 ? c.at(m_tensors[0], indexOf(0)) : productOfOperands());
    else
      c.resultFold(0, {shape, FoldKind::Sum, c.numel(summed), productOfOperands()});
  }

  /// Whether PyTorch computes this summation by one sum over products, in whatever order.
  bool isOneFold(const std::vector<Label>& summed) const {
    return m_tensors.size() < 2 ||
           (m_tensors.size() == 2 &&
            std::ranges::all_of(summed, [&](Label label) { return extentsOf(label) != 1; }));
  }

  /// How many operands have the index in more than one position.
  size_t extentsOf(Label label) const {
    size_t count = 0;
    for (size_t k = 0; k < m_operands.size(); ++k) {
      const auto at = std::ranges::find(m_operands[k], label) - m_operands[k].begin();
      const Shape& shape = c.shapeOf(m_tensors[k]);
      if (static_cast<size_t>(at) < shape.size() && !isOne(shape[static_cast<size_t>(at)]))
        ++count;
    }
    return count;
  }

  void setPositions(const std::vector<Label>& labels, const Index& index) {
    for (size_t k = 0; k < labels.size(); ++k)
      m_positions[labels[k]] = index[k];
  }

  /// `at` leaves out dimensions of size 1, so that these are stretched.
  Index indexOf(size_t operand) const {
    Index index;
    for (Label label : m_operands[operand])
      index.push_back(m_positions.at(label));
    return index;
  }

  TermId productOfOperands() {
    TermId result = c.f32At(m_tensors[0], indexOf(0));
    for (size_t k = 1; k < m_tensors.size(); ++k)
      result = c.mul(result, c.f32At(m_tensors[k], indexOf(k)));
    return result;
  }

  TensorContext& c;
  std::vector<std::string> m_tensors;
  std::vector<std::vector<Label>> m_operands;
  std::vector<Label> m_output;
  std::vector<Label> m_order; ///< in order of first appearance
  std::map<Label, int> m_occurrences;
  std::map<Label, SizeExprPtr> m_sizes;
  std::map<Label, TermId> m_positions;
};

void einsum(TensorContext& c) {
  std::vector<std::string> tensors = c.tensorList("tensors");
  const auto equation = parseEquation(c.text("equation"));
  if (!c.isNone("path")) // the order of contraction, which changes roundings only
    c.integers("path");
  if (!equation)
    c.unsupported("the equation is not understood");
  else if (!c.error())
    Summation(c, std::move(tensors)).run(*equation);
}

constexpr TensorOperator table[] = {{"aten.einsum.default", einsum}};

} // namespace

std::span<const TensorOperator> einsumOperators() {
  return table;
}

} // namespace plumbline::spec
