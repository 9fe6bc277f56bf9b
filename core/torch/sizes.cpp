#include "core/torch/sizes.h"

namespace plumbline::torch {
namespace {

tl::unexpected<Error> mismatch(const std::string& message) {
  return fail(ErrorKind::Usage, "shape-mismatch", message, "give inputs of the shapes that the graph takes");
}

Expected<int64_t> valueOf(const ir::SizeExpr& size, const Sizes& sizes) {
  return ir::evaluate(size, [&](const std::string& symbol) -> std::optional<int64_t> {
    auto it = sizes.find(symbol);
    return it == sizes.end() ? std::nullopt : std::optional(it->second);
  });
}

/// Replaces every size of one graph; the first error sticks.
class Instantiation {
public:
  explicit Instantiation(const Sizes& sizes) : m_sizes(sizes) {}

  const std::optional<Error>& error() const { return m_error; }

  void replace(ir::SizeExprPtr& size) {
    auto value = valueOf(*size, m_sizes);
    if (value)
      size = ir::sizeConstant(*value);
    else if (!m_error)
      m_error = value.error();
  }

  void replace(TensorInfo& info) {
    for (auto& size : info.sizes) {
      replace(size);
      if (size->kind == ir::SizeExpr::Kind::Constant && size->value < 0 && !m_error)
        m_error = mismatch("a tensor would have the negative size " + std::to_string(size->value)).value();
    }
  }

  void replace(Argument& argument) {
    if (auto* one = std::get_if<SizeArg>(&argument)) {
      const bool condition = ir::isCondition(*one->size);
      replace(one->size);
      if (!condition && one->size->kind == ir::SizeExpr::Kind::Constant) {
        const int64_t value = one->size->value;
        argument = value;
      }
    } else if (auto* many = std::get_if<std::vector<SizeArg>>(&argument)) {
      for (SizeArg& each : *many)
        replace(each.size);
    }
  }

private:
  const Sizes& m_sizes;
  std::optional<Error> m_error;
};

Expected<void> checkShape(const std::string& input, const TensorInfo& info, const std::vector<int64_t>& shape,
                          const Sizes& sizes) {
  for (size_t i = 0; i < shape.size(); ++i) {
    auto value = valueOf(*info.sizes[i], sizes);
    if (!value)
      return fail(value.error());
    if (*value != shape[i])
      return mismatch("input '" + input + "': dimension " + std::to_string(i) + " has size " +
                      std::to_string(shape[i]) + ", the graph takes " + ir::print(*info.sizes[i]) + " = " +
                      std::to_string(*value));
  }
  return {};
}

Expected<void> checkConditions(const Graph& graph, const Sizes& sizes) {
  for (const auto& [symbol, range] : graph.symbols) {
    auto it = sizes.find(symbol);
    if (it != sizes.end() && (it->second < range.low || (range.high && it->second > *range.high)))
      return mismatch("the size " + symbol + " = " + std::to_string(it->second) +
                      " is outside the range for which the graph was captured");
  }
  for (const auto& fact : graph.facts) {
    auto value = valueOf(*fact, sizes);
    if (!value)
      return fail(value.error());
    if (*value == 0)
      return mismatch("the graph was captured for sizes with " + ir::print(*fact));
  }
  return {};
}

} // namespace

Expected<Sizes> bindSizes(const Graph& graph, const Shapes& shapes) {
  Sizes sizes;
  for (const auto& [input, shape] : shapes) {
    auto info = graph.tensors.find(input);
    if (info == graph.tensors.end())
      return mismatch("the graph has no input '" + input + "'");
    if (info->second.sizes.size() != shape.size())
      return mismatch("input '" + input + "' has " + std::to_string(shape.size()) +
                      " dimensions, the graph takes " + std::to_string(info->second.sizes.size()));
    for (size_t i = 0; i < shape.size(); ++i)
      if (const auto& size = *info->second.sizes[i]; size.kind == ir::SizeExpr::Kind::Symbol)
        sizes.emplace(size.symbol, shape[i]);
  }
  for (const auto& [input, shape] : shapes)
    if (auto ok = checkShape(input, graph.tensors.at(input), shape, sizes); !ok)
      return fail(ok.error());
  if (auto ok = checkConditions(graph, sizes); !ok)
    return fail(ok.error());
  return sizes;
}

Sizes capturedSizes(const Graph& graph) {
  return {graph.hints.begin(), graph.hints.end()};
}

Expected<Graph> instantiate(const Graph& graph, const Sizes& sizes) {
  Graph result = graph;
  Instantiation instantiation(sizes);
  for (auto& [name, info] : result.tensors)
    instantiation.replace(info);
  for (Node& node : result.nodes)
    for (NamedArgument& input : node.inputs)
      instantiation.replace(input.value);
  if (instantiation.error())
    return fail(*instantiation.error());
  result.symbols.clear();
  result.hints.clear();
  result.facts.clear();
  return result;
}

} // namespace plumbline::torch
