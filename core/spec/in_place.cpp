#include "core/spec/in_place.h"

#include "core/spec/op_table.h"
#include "core/spec/operators.h"
#include "core/spec/tensor_operators.h"

#include <algorithm>

namespace plumbline::spec {

using torch::Node;

namespace {

/// Neither a move of elements, a copy that may be left out, nor something unknown.
bool makesNewTensor(const std::string& target) {
  const auto isIn = [&](const auto& family) {
    return std::ranges::any_of(family, [&](const auto& each) { return each.target == target; });
  };
  // These may return their argument itself; clone and the rest of their family never do.
  constexpr std::string_view passes[] = {
      "aten.alias.default",      "aten.contiguous.default", "aten.detach.default", "aten.detach_.default",
      "aten.lift_fresh.default", "aten.to.dtype",           "aten.einsum.default", "aten._to_copy.default"};
  const bool isPass =
      target.find("dropout") != std::string::npos || std::ranges::find(passes, target) != std::end(passes);
  const bool isKnown = findOperator(target) != nullptr || findTensorOperator(target) != nullptr;
  return isKnown && !isPass && !isIn(viewOperators()) && !isIn(partOperators()) && !isIn(axisOperators());
}

/// A normalisation that takes its statistics from the batch and updates the running ones.
bool updatesStatistics(const Node& node) {
  for (const char* flag : {"training", "use_input_stats"})
    if (const auto* value = torch::findArgument(node, flag))
      if (const auto* given = std::get_if<bool>(value))
        return *given;
  return false;
}

bool isStatistics(const std::string& argument) {
  return argument == "running_mean" || argument == "running_var";
}

} // namespace

Writes::Writes(const torch::Graph& graph, const std::set<std::string>& needed) : m_graph(graph) {
  readTensors(needed);
  for (const torch::GraphInput& input : graph.inputs)
    m_info[groupOf(input.name)].hasInput = true;
  for (size_t k = 0; k < graph.nodes.size(); ++k)
    visit(graph.nodes[k], k + 1);
}

void Writes::readTensors(const std::set<std::string>& needed) {
  for (size_t k = 0; k < m_graph.nodes.size(); ++k) {
    const Node& node = m_graph.nodes[k];
    const bool counts = torch::mutates(node) || std::ranges::any_of(node.outputs, [&](const auto& output) {
                          return needed.contains(output);
                        });
    for (const torch::NamedArgument& input : node.inputs)
      if (counts && !(updatesStatistics(node) && isStatistics(input.name)))
        for (const std::string& tensor : torch::tensorsOf(input.value))
          m_lastRead[tensor] = k + 1;
  }
  for (const std::string& output : m_graph.outputs)
    m_lastRead[output] = m_graph.nodes.size() + 1;
}

size_t Writes::groupOf(const std::string& tensor) {
  const auto [entry, isNew] = m_groups.emplace(tensor, m_parents.size());
  if (isNew) {
    const auto read = m_lastRead.find(tensor);
    m_parents.push_back(m_parents.size());
    m_info.push_back({false, read == m_lastRead.end() ? 0 : read->second});
  }
  size_t group = entry->second;
  while (m_parents[group] != group)
    group = m_parents[group] = m_parents[m_parents[group]];
  return group;
}

size_t Writes::join(size_t a, size_t b) {
  if (a != b) {
    m_parents[b] = a;
    m_info[a].hasInput |= m_info[b].hasInput;
    m_info[a].lastRead = std::max(m_info[a].lastRead, m_info[b].lastRead);
  }
  return a;
}

/// The groups are those at the time of the node: its own result and later views come afterwards.
void Writes::visit(const Node& node, size_t position) {
  const auto written =
      node.inputs.empty() ? std::vector<std::string>{} : torch::tensorsOf(node.inputs[0].value);
  if (torch::mutates(node) && written.empty())
    m_problems[&node] = "writes into something that is no tensor";
  for (const std::string& tensor : torch::mutates(node) ? written : std::vector<std::string>{}) {
    const Group& group = m_info[groupOf(tensor)];
    if (group.hasInput)
      m_problems[&node] = "writes into an input of the program";
    else if (group.lastRead > position)
      m_problems[&node] = "writes into '" + tensor + "', which is read again later";
  }
  if (updatesStatistics(node))
    for (const torch::NamedArgument& input : node.inputs)
      for (const std::string& tensor :
           isStatistics(input.name) ? torch::tensorsOf(input.value) : std::vector<std::string>{})
        if (m_info[groupOf(tensor)].lastRead > position)
          m_problems[&node] = "updates '" + tensor + "', which is read again later";
  if (torch::mutates(node)) { // returns what it wrote
    for (const std::string& output : node.outputs)
      for (const std::string& tensor : written)
        join(groupOf(tensor), groupOf(output));
    return;
  }
  if (makesNewTensor(node.target))
    return;
  for (const std::string& output : node.outputs)
    for (const torch::NamedArgument& input : node.inputs)
      for (const std::string& tensor : torch::tensorsOf(input.value))
        join(groupOf(tensor), groupOf(output));
}

std::string Writes::problem(const Node& node) const {
  const auto found = m_problems.find(&node);
  return found == m_problems.end() ? "" : found->second;
}

Node withoutWrite(const Node& node) {
  Node result = node;
  const size_t end = node.target.find('.', node.target.find('.') + 1);
  result.target.erase((end == std::string::npos ? node.target.size() : end) - 1, 1);
  // dropout_ calls "self" what dropout calls "input".
  const OpSchema* schema = findSchema(result.target);
  if (schema && !schema->parameters.empty() && !result.inputs.empty() && result.inputs[0].name == "self")
    result.inputs[0].name = schema->parameters[0].name;
  return result;
}

} // namespace plumbline::spec
