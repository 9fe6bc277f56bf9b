#include "core/method/spec_nodes.h"

#include <algorithm>
#include <set>

namespace plumbline::method {

using logic::TermId;

namespace {

/// Nodes that a tensor depends on, and the tensors among the graph's inputs.
std::set<std::string> tensorsBehind(const torch::Graph& graph, const std::string& output) {
  std::set<std::string> needed{output};
  for (auto node = graph.nodes.rbegin(); node != graph.nodes.rend(); ++node) {
    const bool used = std::ranges::any_of(node->outputs,
                                          [&](const std::string& tensor) { return needed.contains(tensor); });
    if (!used)
      continue;
    for (const torch::NamedArgument& argument : node->inputs)
      for (const std::string& tensor : torch::tensorsOf(argument.value))
        needed.insert(tensor);
  }
  return needed;
}

bool hasTerm(const torch::Graph& graph, const std::string& tensor) {
  const torch::DType dtype = graph.tensors.at(tensor).dtype;
  return dtype == torch::DType::F32 || dtype == torch::DType::Bool;
}

} // namespace

SpecNodes::SpecNodes(logic::TermStore& store, const torch::Graph& graph, const gate::Problem& problem,
                     size_t output) {
  const std::set<std::string> tensors = tensorsBehind(graph, graph.outputs[output]);
  for (const torch::GraphInput& input : graph.inputs)
    if (tensors.contains(input.name))
      m_needed.push_back(input.name);
  torch::Graph everything = graph;
  everything.outputs.clear();
  std::vector<std::string> nodeNames;
  for (const torch::Node& node : graph.nodes)
    for (const std::string& tensor : node.outputs)
      if (tensors.contains(tensor)) {
        m_needed.push_back(node.name);
        if (hasTerm(graph, tensor)) {
          everything.outputs.push_back(tensor);
          nodeNames.push_back(node.name);
        }
      }
  Expected<spec::Spec> denoted = spec::denote(store, everything);
  if (!denoted)
    return; // the lines then name all nodes of the output
  std::unordered_map<TermId, TermId> products;
  for (TermId definition : problem.definitions)
    products.emplace(store[definition].args[1], store[definition].args[0]);
  for (size_t i = 0; i < nodeNames.size(); ++i) {
    const TermId element = store.substitute(denoted->outputs[i].element, products);
    m_exact[element].push_back(nodeNames[i]);
    for (TermId id : store.postOrder(element))
      m_owner.emplace(id, nodeNames[i]);
  }
}

const std::vector<std::string>& SpecNodes::exactly(TermId term) const {
  static const std::vector<std::string> none;
  const auto found = m_exact.find(term);
  return found != m_exact.end() ? found->second : none;
}

const std::string& SpecNodes::owner(TermId term) const {
  static const std::string none;
  const auto found = m_owner.find(term);
  return found != m_owner.end() ? found->second : none;
}

} // namespace plumbline::method
