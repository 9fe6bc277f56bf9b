#include "core/workbench/node_cost.h"
#include "core/workbench/snapshot_builder.h"

namespace plumbline::workbench {

namespace {

std::string shapeText(const torch::TensorInfo& info) {
  std::string text = "[";
  for (const auto& size : info.sizes)
    text += (text.size() > 1 ? ", " : "") + ir::print(*size);
  return text + "]";
}

template <class... Cases> struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases> Overloaded(Cases...) -> Overloaded<Cases...>;

template <class Items, class Text> std::string listText(const Items& items, Text text) {
  std::string result = "[";
  for (const auto& item : items)
    result += (result.size() > 1 ? ", " : "") + text(item);
  return result + "]";
}

std::string argumentText(const torch::Argument& argument) {
  return std::visit(
      Overloaded{[](const torch::NoneArg&) { return std::string("None"); },
                 [](const torch::TensorRef& tensor) { return tensor.name; },
                 [](const torch::TensorRefs& tensors) {
                   return listText(tensors.items, [](const torch::TensorRef& item) { return item.name; });
                 },
                 [](bool value) { return std::string(value ? "True" : "False"); },
                 [](int64_t value) { return std::to_string(value); },
                 [](const torch::FloatScalar& value) { return value.text; },
                 [](const std::string& value) { return "'" + value + "'"; },
                 [](const torch::SizeArg& value) { return ir::print(*value.size); },
                 [](torch::DType value) { return std::string(torch::name(value)); },
                 [](const torch::FormatArg& value) { return value.kind + " " + std::to_string(value.value); },
                 [](const std::vector<torch::SizeArg>& values) {
                   return listText(values, [](const torch::SizeArg& item) { return ir::print(*item.size); });
                 },
                 [](const std::vector<torch::FloatScalar>& values) {
                   return listText(values, [](const torch::FloatScalar& item) { return item.text; });
                 }},
      argument);
}

NodeKind kindOf(torch::InputKind kind) {
  switch (kind) {
  case torch::InputKind::User: return NodeKind::Input;
  case torch::InputKind::Parameter: return NodeKind::Parameter;
  case torch::InputKind::Buffer: return NodeKind::Buffer;
  case torch::InputKind::Constant: return NodeKind::Constant;
  }
  return NodeKind::Input;
}

/// "relu" of "aten.relu.default".
std::string shortName(const std::string& target) {
  const size_t first = target.find('.');
  const size_t begin = first == std::string::npos ? 0 : first + 1;
  return target.substr(begin, target.find('.', begin) - begin);
}

class Boxes {
public:
  Boxes(const torch::Graph& graph, std::map<std::string, int>& nodeOf) : m_graph(graph), m_nodeOf(nodeOf) {}

  std::vector<GraphNode> run() {
    for (const torch::GraphInput& input : m_graph.inputs)
      addInput(input);
    for (const torch::Node& node : m_graph.nodes)
      addOperator(node);
    for (size_t k = 0; k < m_graph.outputs.size(); ++k)
      addOutput(k);
    return std::move(m_nodes);
  }

private:
  void describe(GraphNode& node, const std::string& tensor) const {
    const auto info = m_graph.tensors.find(tensor);
    if (info == m_graph.tensors.end())
      return;
    node.shape = shapeText(info->second);
    node.dtype = torch::name(info->second.dtype);
  }

  void add(GraphNode node, const std::vector<std::string>& tensors) {
    for (const std::string& tensor : tensors)
      m_nodeOf[tensor] = static_cast<int>(m_nodes.size());
    m_nodes.push_back(std::move(node));
  }

  void addInput(const torch::GraphInput& input) {
    GraphNode node;
    node.name = node.title = input.name;
    node.kind = kindOf(input.kind);
    describe(node, input.name);
    if (!input.key.empty())
      node.detail = std::string(torch::name(input.kind)) + " " + input.key;
    add(std::move(node), {input.name});
  }

  void addOperator(const torch::Node& source) {
    GraphNode node;
    node.name = source.name;
    node.target = source.target;
    node.title = shortName(source.target);
    if (!source.outputs.empty())
      describe(node, source.outputs.front());
    for (const torch::NamedArgument& argument : source.inputs) {
      node.detail += (node.detail.empty() ? "" : "\n") + argument.name + " = " + argumentText(argument.value);
      for (const std::string& tensor : torch::tensorsOf(argument.value))
        if (const auto from = m_nodeOf.find(tensor); from != m_nodeOf.end())
          node.inputs.push_back(from->second);
    }
    node.where.file = source.where.file;
    node.where.line = source.where.line;
    node.sourceText = source.where.text;
    node.cost = nodeCost(m_graph, source);
    add(std::move(node), source.outputs);
  }

  void addOutput(size_t index) {
    const std::string& tensor = m_graph.outputs[index];
    GraphNode node;
    node.name = "output:" + std::to_string(index);
    node.kind = NodeKind::Output;
    node.title = m_graph.outputs.size() == 1 ? "output" : "output " + std::to_string(index);
    node.detail = "returns " + tensor;
    describe(node, tensor);
    if (const auto from = m_nodeOf.find(tensor); from != m_nodeOf.end())
      node.inputs.push_back(from->second);
    const std::string name = node.name;
    add(std::move(node), {name});
  }

  const torch::Graph& m_graph;
  std::map<std::string, int>& m_nodeOf;
  std::vector<GraphNode> m_nodes;
};

} // namespace

std::vector<GraphNode> graphNodes(const torch::Graph& graph, std::map<std::string, int>& nodeOf) {
  return Boxes(graph, nodeOf).run();
}

} // namespace plumbline::workbench
