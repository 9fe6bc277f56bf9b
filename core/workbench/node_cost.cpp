#include "core/workbench/node_cost.h"

#include "core/spec/evaluate.h"
#include "core/spec/in_place.h"
#include "core/spec/spec.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>

namespace plumbline::workbench {
namespace {

using logic::Op;
using logic::TermId;
using torch::DType;

/// A fold whose number of steps depends on the element is counted element by element up to this many.
constexpr int64_t mostElements = 4096;

/// Operators whose result shares the memory of their argument.
constexpr std::array views = {
    "alias",   "chunk",     "detach",   "diagonal", "expand",           "expand_as", "flatten",
    "movedim", "narrow",    "numpy_T",  "permute",  "reshape",          "select",    "slice",
    "split",   "squeeze",   "swapaxes", "t",        "split_with_sizes", "transpose", "unbind",
    "unfold",  "unsqueeze", "view",     "view_as",
};

bool isView(const std::string& target) {
  return std::ranges::any_of(
      views, [&](const char* name) { return target.starts_with(std::string("aten.") + name + "."); });
}

/// "aten.cumsum.default" and its kin go on from the element before.
bool isRunning(const std::string& target) {
  return target.starts_with("aten.cum") || target.starts_with("aten.logcumsumexp.");
}

/// Nothing for a type of unknown width.
std::optional<double> bytesOf(DType dtype) {
  switch (dtype) {
  case DType::U8:
  case DType::I8:
  case DType::Bool: return 1;
  case DType::I16:
  case DType::F16:
  case DType::BF16: return 2;
  case DType::I32:
  case DType::F32: return 4;
  case DType::I64:
  case DType::F64: return 8;
  case DType::Other: break;
  }
  return std::nullopt;
}

/// The operations of node_cost.h in the terms below the root; shared ones once.
double operationsIn(const logic::TermStore& terms, TermId root) {
  const std::vector<TermId> all = terms.postOrder(root);
  std::set<TermId> conditions; // an equality that only decides between two values belongs to a maximum
  for (auto id = all.rbegin(); id != all.rend(); ++id) { // from the root down
    const logic::Term& term = terms[*id];
    if (term.op == Op::Ite)
      conditions.insert(term.args[0]);
    else if (conditions.contains(*id) && (term.op == Op::Not || term.op == Op::And || term.op == Op::Or))
      conditions.insert(term.args.begin(), term.args.end());
  }
  double count = 0;
  for (TermId id : all)
    switch (terms[id].op) {
    case Op::FAdd:
    case Op::FSub:
    case Op::FMul:
    case Op::FDiv:
    case Op::FSqrt:
    case Op::FNeg:
    case Op::FAbs:
    case Op::FLt:
    case Op::FLe:
    case Op::Opaque: count += 1; break;
    case Op::FFma: count += 2; break;
    case Op::FEq:
    case Op::FIsNan: count += conditions.contains(id) ? 0 : 1; break;
    case Op::Ite: count += terms[terms[id].args[0]].op == Op::Load ? 1 : 0; break;
    default: break;
    }
  return count;
}

/// The node alone, its tensors being inputs.
torch::Graph aloneIn(const torch::Graph& graph, const torch::Node& node) {
  torch::Graph alone;
  alone.symbols = graph.symbols;
  alone.hints = graph.hints;
  alone.facts = graph.facts;
  std::set<std::string> inputs;
  for (const torch::NamedArgument& argument : node.inputs)
    for (const std::string& tensor : torch::tensorsOf(argument.value))
      inputs.insert(tensor);
  const auto copyInfo = [&](const std::string& tensor) {
    const auto info = graph.tensors.find(tensor);
    if (info != graph.tensors.end())
      alone.tensors[tensor] = info->second;
    return info != graph.tensors.end();
  };
  for (const std::string& tensor : inputs)
    if (copyInfo(tensor))
      alone.inputs.push_back({tensor, torch::InputKind::User, ""});
  for (const std::string& tensor : node.outputs)
    if (copyInfo(tensor))
      alone.outputs.push_back(tensor);
  alone.nodes = {torch::mutates(node) ? spec::withoutWrite(node) : node};
  return alone;
}

class Counter {
public:
  Counter(const logic::TermStore& terms, const spec::Spec& spec, const spec::Sizes& sizes)
      : m_terms(terms), m_spec(spec), m_sizes(sizes) {}

  std::optional<NodeCost> run(const std::string& target) {
    NodeCost cost;
    for (const spec::Stage& stage : m_spec.stages)
      cost.operations += steps(stage, isRunning(target)) * operationsInStep(stage);
    for (const spec::SpecOutput& output : m_spec.outputs) {
      cost.operations += numel(output.tensor) * operationsIn(m_terms, output.element);
      cost.bytes += bytes(output.tensor);
    }
    for (const spec::SpecInput& input : m_spec.inputs)
      cost.bytes += bytes(input.tensor);
    if (isView(target))
      cost.bytes = 0;
    return m_isKnown ? std::optional(cost) : std::nullopt;
  }

private:
  double value(TermId term, const spec::Sizes& sizes) {
    const auto found = spec::sizeValue(m_terms, term, sizes);
    m_isKnown &= found.has_value();
    return found ? static_cast<double>(*found) : 0;
  }
  double numel(const spec::SpecTensor& tensor) { return value(tensor.numel, m_sizes); }
  double bytes(const spec::SpecTensor& tensor) {
    const std::optional<double> width = bytesOf(tensor.dtype);
    m_isKnown &= width.has_value();
    return numel(tensor) * width.value_or(0);
  }

  double operationsInStep(const spec::Stage& stage) const {
    return stage.kind == spec::FoldKind::General ? operationsIn(m_terms, stage.next)
                                                 : 1 + operationsIn(m_terms, stage.term);
  }

  /// Of all elements together.
  double steps(const spec::Stage& stage, bool isRunningFold) {
    const double elements = numel(stage.tensor);
    const auto below = m_terms.postOrder(stage.count);
    const bool isEven = std::ranges::none_of(below, [&](TermId id) {
      return m_terms[id].op == Op::Var && m_terms.symbolText(id) == spec::indexName;
    });
    if (isEven)
      return elements * value(stage.count, m_sizes);
    if (isRunningFold)
      return elements;
    if (elements > mostElements) {
      m_isKnown = false;
      return 0;
    }
    spec::Sizes sizes = m_sizes;
    double sum = 0;
    for (int64_t element = 0; element < static_cast<int64_t>(elements); ++element) {
      sizes[spec::indexName] = element;
      sum += value(stage.count, sizes);
    }
    return sum;
  }

  const logic::TermStore& m_terms;
  const spec::Spec& m_spec;
  const spec::Sizes& m_sizes;
  bool m_isKnown = true;
};

/// "1 234 567"; a rounded power of ten above what a double counts exactly.
std::string grouped(double count) {
  constexpr double exact = 9007199254740992.0; // 2^53
  std::string text(32, '\0');
  if (count > exact) {
    text.resize(static_cast<size_t>(std::snprintf(text.data(), text.size(), "%.3g", count)));
    return text;
  }
  text = std::to_string(static_cast<int64_t>(count));
  for (size_t k = text.size(); k > 3; k -= 3)
    text.insert(k - 3, " ");
  return text;
}

} // namespace

std::string costText(const NodeCost& cost) {
  return grouped(cost.operations) + (cost.operations == 1 ? " operation, " : " operations, ") +
         grouped(cost.bytes) + (cost.bytes == 1 ? " byte" : " bytes");
}

std::optional<NodeCost> nodeCost(const torch::Graph& graph, const torch::Node& node) {
  logic::TermStore terms;
  const Expected<spec::Spec> denoted = spec::denote(terms, aloneIn(graph, node));
  if (!denoted)
    return std::nullopt;
  return Counter(terms, *denoted, graph.hints).run(node.target);
}

} // namespace plumbline::workbench
