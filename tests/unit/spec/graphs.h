// Small graphs written by hand.
#pragma once

#include "core/torch/graph.h"

namespace plumbline::spec {

inline std::vector<ir::SizeExprPtr> sizes(const std::vector<std::string>& texts) {
  std::vector<ir::SizeExprPtr> result;
  for (const std::string& text : texts)
    result.push_back(*ir::parseSizeExpr(text));
  return result;
}

/// Collects inputs and nodes; the last node is the output.
struct GraphBuilder {
  torch::Graph graph;

  GraphBuilder& input(const std::string& name, const std::vector<std::string>& shape,
                      torch::InputKind kind = torch::InputKind::User,
                      torch::DType dtype = torch::DType::F32) {
    graph.inputs.push_back({name, kind, ""});
    graph.tensors[name] = {dtype, sizes(shape), true};
    for (const auto& size : graph.tensors[name].sizes)
      for (const std::string& symbol : ir::symbolsOf(*size))
        graph.symbols[symbol] = {2, std::nullopt};
    return *this;
  }

  GraphBuilder& node(const std::string& name, const std::string& target,
                     std::vector<torch::NamedArgument> arguments, const std::vector<std::string>& shape,
                     torch::DType dtype = torch::DType::F32) {
    graph.nodes.push_back({name, target, std::move(arguments), {name}});
    graph.tensors[name] = {dtype, sizes(shape), true};
    graph.outputs = {name};
    return *this;
  }
};

inline torch::NamedArgument tensor(const std::string& name, const std::string& value) {
  return {name, torch::TensorRef{value}};
}
inline torch::NamedArgument number(const std::string& name, double value) {
  return {name, torch::floatScalar(value)};
}

} // namespace plumbline::spec
