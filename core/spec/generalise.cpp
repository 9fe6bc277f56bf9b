// From fixed sizes to all sizes of the same rank.
#include "core/spec/operators.h"

#include <cmath>
#include <numeric>
#include <set>

namespace plumbline::spec {
namespace {

using ir::SizeExprPtr;
using torch::Graph;

/// Union-find over the dimensions of the inputs. A class may hold a fixed size.
class Dimensions {
public:
  int fresh(int64_t captured, bool fixed) {
    m_parent.push_back(static_cast<int>(m_parent.size()));
    m_captured.push_back(captured);
    m_fixed.push_back(fixed);
    return m_parent.back();
  }

  int root(int dimension) const {
    while (m_parent[static_cast<size_t>(dimension)] != dimension)
      dimension = m_parent[static_cast<size_t>(dimension)];
    return dimension;
  }

  void unite(int a, int b) {
    a = root(a);
    b = root(b);
    m_fixed[static_cast<size_t>(a)] = isFixed(a) || isFixed(b);
    m_parent[static_cast<size_t>(b)] = a;
  }

  bool isFixed(int dimension) const { return m_fixed[static_cast<size_t>(root(dimension))]; }
  int64_t captured(int dimension) const { return m_captured[static_cast<size_t>(root(dimension))]; }

private:
  std::vector<int> m_parent;
  std::vector<int64_t> m_captured;
  std::vector<bool> m_fixed;
};

/// A number of the program that a size of the captured inputs explains may have been computed from it in
/// Python, where the exporter does not see it.
class SizeSuspects {
public:
  explicit SizeSuspects(const Graph& graph) {
    for (const auto& input : graph.inputs) {
      double numel = 1;
      for (const SizeExprPtr& size : graph.tensors.at(input.name).sizes) {
        add(static_cast<double>(size->value));
        numel *= static_cast<double>(size->value);
        add(numel);
      }
    }
  }

  bool explains(double value) const {
    for (double power : {value, 1 / value, value * value, 1 / (value * value)})
      for (double size : m_sizes)
        if (std::abs(std::abs(power) - size) <= 1e-6 * size)
          return true;
    return false;
  }

private:
  void add(double size) {
    if (size > 1)
      m_sizes.insert(size);
  }
  std::set<double> m_sizes;
};

/// The dimensions of every tensor, as classes.
class Generaliser {
public:
  explicit Generaliser(const Graph& graph) : m_graph(graph), m_suspects(graph) {}

  std::optional<Graph> run() {
    for (const auto& input : m_graph.inputs)
      addInput(input);
    for (const auto& node : m_graph.nodes)
      if (!addNode(node))
        return std::nullopt;
    return build();
  }

private:
  /// Parameters and constants have the shape that the module gives them.
  void addInput(const torch::GraphInput& input) {
    std::vector<int>& dims = m_dims[input.name];
    for (const SizeExprPtr& size : m_graph.tensors.at(input.name).sizes)
      dims.push_back(m_classes.fresh(size->value, input.kind != torch::InputKind::User || size->value <= 1));
  }

  bool addNode(const torch::Node& node) {
    const Operator* op = findOperator(node.target);
    if (!op || op->shape != ShapeRule::Broadcast || node.outputs.size() != 1 || torch::mutates(node))
      return false;
    std::vector<int> result;
    for (const auto& input : node.inputs) {
      if (dependsOnSizes(input.value))
        return false;
      for (const std::string& tensor : torch::tensorsOf(input.value))
        stretch(result, m_dims.at(tensor));
    }
    m_dims[node.outputs[0]] = std::move(result);
    return true;
  }

  bool dependsOnSizes(const torch::Argument& argument) const {
    if (const auto* integer = std::get_if<int64_t>(&argument))
      return m_suspects.explains(static_cast<double>(*integer));
    if (const auto* real = std::get_if<torch::FloatScalar>(&argument))
      return m_suspects.explains(real->value);
    return std::holds_alternative<torch::SizeArg>(argument);
  }

  /// Aligns `next` with the result so far at the last dimension.
  void stretch(std::vector<int>& result, const std::vector<int>& next) {
    while (result.size() < next.size())
      result.insert(result.begin(), -1);
    for (size_t i = 0; i < next.size(); ++i) {
      int& into = result[result.size() - next.size() + i];
      if (into < 0 || m_classes.captured(into) == 1)
        into = next[i];
      else if (m_classes.captured(next[i]) != 1)
        m_classes.unite(into, next[i]);
    }
  }

  SizeExprPtr sizeOf(int dimension, Graph& graph) {
    const int root = m_classes.root(dimension);
    const int64_t captured = m_classes.captured(root);
    if (m_classes.isFixed(root))
      return ir::sizeConstant(captured);
    auto [it, isNew] = m_symbols.try_emplace(root, "s" + std::to_string(m_symbols.size()));
    if (isNew) {
      graph.symbols[it->second] = {1, std::nullopt};
      graph.hints[it->second] = captured;
    }
    return ir::sizeSymbol(it->second);
  }

  Graph build() {
    Graph result = m_graph;
    result.generalised = true;
    auto rename = [&](const std::string& tensor) {
      auto& sizes = result.tensors.at(tensor).sizes;
      for (size_t i = 0; i < sizes.size(); ++i)
        sizes[i] = sizeOf(m_dims.at(tensor)[i], result);
    };
    for (const auto& input : m_graph.inputs)
      rename(input.name);
    for (const auto& node : m_graph.nodes)
      if (m_dims.at(node.outputs[0]).size() == result.tensors.at(node.outputs[0]).sizes.size())
        rename(node.outputs[0]);
    return result;
  }

  const Graph& m_graph;
  SizeSuspects m_suspects;
  Dimensions m_classes;
  std::map<std::string, std::vector<int>> m_dims;
  std::map<int, std::string> m_symbols;
};

} // namespace

std::optional<Graph> generalise(const Graph& graph) {
  logic::TermStore terms;
  if (!graph.symbols.empty() || !denote(terms, graph))
    return std::nullopt;
  auto result = Generaliser(graph).run();
  if (!result || result->symbols.empty() || !denote(terms, *result))
    return std::nullopt;
  return result;
}

} // namespace plumbline::spec
