// Our own JSON form of graphs: resources/schema/graph.schema.json.
#include "core/torch/graph.h"

#include <limits>

namespace plumbline::torch {
namespace {

constexpr int formVersion = 1;

Json sizeToJson(const ir::SizeExprPtr& size) {
  return size->kind == ir::SizeExpr::Kind::Constant ? Json(size->value) : Json(ir::print(*size));
}

Json sizesToJson(const std::vector<ir::SizeExprPtr>& sizes) {
  Json list = Json::array();
  for (const auto& size : sizes)
    list.push_back(sizeToJson(size));
  return list;
}

/// One tagged value per kind of argument.
struct ArgumentWriter {
  Json operator()(const NoneArg&) const { return {{"none", true}}; }
  Json operator()(const TensorRef& value) const { return {{"tensor", value.name}}; }
  Json operator()(const TensorRefs& value) const {
    Json list = Json::array();
    for (const TensorRef& item : value.items)
      list.push_back(item.name);
    return {{"tensors", list}};
  }
  Json operator()(bool value) const { return {{"bool", value}}; }
  Json operator()(int64_t value) const { return {{"int", value}}; }
  Json operator()(const FloatScalar& value) const { return {{"float", value.text}}; }
  Json operator()(const std::string& value) const { return {{"string", value}}; }
  Json operator()(const SizeArg& value) const { return {{"size", sizeToJson(value.size)}}; }
  Json operator()(DType value) const { return {{"dtype", name(value)}}; }
  Json operator()(const FormatArg& value) const { return {{value.kind, value.value}}; }
  Json operator()(const std::vector<SizeArg>& value) const {
    Json list = Json::array();
    for (const SizeArg& item : value)
      list.push_back(sizeToJson(item.size));
    return {{"sizes", list}};
  }
  Json operator()(const std::vector<FloatScalar>& value) const {
    Json list = Json::array();
    for (const FloatScalar& item : value)
      list.push_back(item.text);
    return {{"floats", list}};
  }
};

Json nodeToJson(const Node& node) {
  Json inputs = Json::array();
  for (const NamedArgument& input : node.inputs)
    inputs.push_back({{"name", input.name}, {"value", std::visit(ArgumentWriter{}, input.value)}});
  Json json{{"name", node.name}, {"target", node.target}, {"inputs", inputs}, {"outputs", node.outputs}};
  if (node.where.known())
    json["where"] = {{"file", node.where.file}, {"line", node.where.line}, {"text", node.where.text}};
  return json;
}

/// Reads the form; the first error sticks and names its path.
class FormReader {
public:
  explicit FormReader(const Json& json) : m_json(json) {}

  Expected<Graph> read() {
    if (!m_json.is_object() || field(m_json, "plumbline_graph", "") != formVersion)
      broken("plumbline_graph", "the version of the form is not 1");
    m_graph.source = text(field(m_json, "source", ""), "source");
    m_graph.mode = text(field(m_json, "mode", ""), "mode");
    m_graph.generalised = field(m_json, "generalised", "") == true;
    readInputs();
    readConstants();
    readNodes();
    readTensors();
    readSymbols();
    m_graph.outputs = texts(field(m_json, "outputs", ""), "outputs");
    if (!m_error.empty())
      return fail(ErrorKind::File, "graph-json", m_error, "write the graph again");
    if (auto ok = checkGraph(m_graph); !ok)
      return fail(ok.error());
    return std::move(m_graph);
  }

private:
  void broken(const std::string& path, const std::string& what) {
    if (m_error.empty())
      m_error = path + ": " + what;
  }

  const Json& field(const Json& json, const std::string& key, const std::string& path) {
    static const Json null;
    if (json.is_object())
      if (auto it = json.find(key); it != json.end())
        return *it;
    broken(path + key, "missing");
    return null;
  }
  const Json& items(const Json& json, const std::string& path) {
    static const Json empty = Json::array();
    if (json.is_array())
      return json;
    broken(path, "not a list");
    return empty;
  }
  const Json& members(const Json& json, const std::string& path) {
    static const Json empty = Json::object();
    if (json.is_object())
      return json;
    broken(path, "not an object");
    return empty;
  }
  std::string text(const Json& json, const std::string& path) {
    if (const auto* value = json.get_ptr<const std::string*>())
      return *value;
    broken(path, "not a text");
    return {};
  }
  std::vector<std::string> texts(const Json& json, const std::string& path) {
    std::vector<std::string> result;
    for (const Json& item : items(json, path))
      result.push_back(text(item, path));
    return result;
  }
  int64_t integer(const Json& json, const std::string& path) {
    if (json.is_number_integer() &&
        (!json.is_number_unsigned() || json.get<uint64_t>() <= uint64_t{INT64_MAX}))
      return json.get<int64_t>();
    broken(path, "not a 64-bit integer");
    return 0;
  }

  ir::SizeExprPtr size(const Json& json, const std::string& path) {
    if (!json.is_string())
      return ir::sizeConstant(integer(json, path));
    auto parsed = ir::parseSizeExpr(json.get<std::string>());
    if (parsed)
      return *parsed;
    broken(path, parsed.error().message);
    return ir::sizeConstant(1);
  }

  FloatScalar real(const Json& json, const std::string& path) {
    const std::string word = text(json, path);
    auto value = floatFromText(word);
    if (!value)
      broken(path, "not a number");
    return {value.value_or(0), word};
  }

  void readInputs() {
    for (const Json& item : items(field(m_json, "inputs", ""), "inputs")) {
      GraphInput input{text(field(item, "name", "inputs."), "inputs.name"), InputKind::User,
                       text(field(item, "key", "inputs."), "inputs.key")};
      const std::string kind = text(field(item, "kind", "inputs."), "inputs.kind");
      bool known = false;
      for (InputKind each : {InputKind::User, InputKind::Parameter, InputKind::Buffer, InputKind::Constant})
        if (name(each) == kind) {
          input.kind = each;
          known = true;
        }
      if (!known)
        broken("inputs.kind", "unknown kind '" + kind + "'");
      m_graph.inputs.push_back(std::move(input));
    }
    for (const Json& item : items(field(m_json, "fixed_inputs", ""), "fixed_inputs"))
      m_graph.fixedInputs.push_back({text(field(item, "name", "fixed_inputs."), "fixed_inputs.name"),
                                     text(field(item, "text", "fixed_inputs."), "fixed_inputs.text")});
  }

  void readConstants() {
    for (const auto& [name, value] : members(field(m_json, "constants", ""), "constants").items()) {
      const std::string path = "constants." + name + ".";
      GraphConstant constant;
      for (const Json& size : items(field(value, "shape", path), path + "shape"))
        constant.shape.push_back(integer(size, path + "shape"));
      for (const Json& bits : items(field(value, "bits", path), path + "bits"))
        constant.bits.push_back(static_cast<uint32_t>(integer(bits, path + "bits")));
      m_graph.constants[name] = std::move(constant);
    }
  }

  void readNodes() {
    for (const Json& item : items(field(m_json, "nodes", ""), "nodes")) {
      Node node;
      node.name = text(field(item, "name", "nodes."), "nodes.name");
      node.target = text(field(item, "target", "nodes."), "nodes.target");
      node.outputs = texts(field(item, "outputs", "nodes."), "nodes.outputs");
      for (const Json& input : items(field(item, "inputs", "nodes."), "nodes.inputs"))
        node.inputs.push_back({text(field(input, "name", "nodes.inputs."), "nodes.inputs.name"),
                               argument(field(input, "value", "nodes.inputs."), "node " + node.name)});
      if (item.is_object() && item.contains("where"))
        node.where = sourceLine(item["where"]);
      m_graph.nodes.push_back(std::move(node));
    }
  }

  SourceLine sourceLine(const Json& json) {
    const int64_t line = integer(field(json, "line", "nodes.where."), "nodes.where.line");
    if (line < 1 || line > std::numeric_limits<int>::max())
      broken("nodes.where.line", "not the number of a line");
    return {text(field(json, "file", "nodes.where."), "nodes.where.file"), static_cast<int>(line),
            text(field(json, "text", "nodes.where."), "nodes.where.text")};
  }

  Argument argument(const Json& json, const std::string& path) {
    if (!json.is_object() || json.size() != 1) {
      broken(path, "an argument is not a tagged value");
      return NoneArg{};
    }
    const std::string kind = json.begin().key();
    const Json& value = json.begin().value();
    if (kind == "none")
      return NoneArg{};
    if (kind == "tensor")
      return TensorRef{text(value, path)};
    if (kind == "bool" && value.is_boolean())
      return value.get<bool>();
    if (kind == "int")
      return integer(value, path);
    if (kind == "float")
      return real(value, path);
    if (kind == "string")
      return text(value, path);
    if (kind == "size")
      return SizeArg{size(value, path)};
    if (kind == "memory_format" || kind == "layout")
      return FormatArg{kind, integer(value, path)};
    if (kind == "dtype")
      return dtype(value, path);
    return listArgument(kind, value, path);
  }

  Argument listArgument(const std::string& kind, const Json& value, const std::string& path) {
    if (kind == "tensors") {
      TensorRefs refs;
      for (std::string& item : texts(value, path))
        refs.items.push_back({std::move(item)});
      return refs;
    }
    if (kind == "sizes") {
      std::vector<SizeArg> sizes;
      for (const Json& item : items(value, path))
        sizes.push_back({size(item, path)});
      return sizes;
    }
    if (kind == "floats") {
      std::vector<FloatScalar> floats;
      for (const Json& item : items(value, path))
        floats.push_back(real(item, path));
      return floats;
    }
    broken(path, "unknown kind of argument '" + kind + "'");
    return NoneArg{};
  }

  DType dtype(const Json& json, const std::string& path) {
    auto result = dtypeFromName(text(json, path));
    if (!result)
      broken(path, "unknown dtype");
    return result.value_or(DType::Other);
  }

  void readTensors() {
    for (const auto& [name, value] : members(field(m_json, "tensors", ""), "tensors").items()) {
      const std::string path = "tensors." + name + ".";
      TensorInfo info;
      info.dtype = dtype(field(value, "dtype", path), path + "dtype");
      for (const Json& item : items(field(value, "sizes", path), path + "sizes"))
        info.sizes.push_back(size(item, path + "sizes"));
      const Json& contiguous = field(value, "contiguous", path);
      if (!contiguous.is_boolean())
        broken(path + "contiguous", "not a truth value");
      else
        info.contiguous = contiguous.get<bool>();
      m_graph.tensors[name] = std::move(info);
    }
  }

  void readSymbols() {
    for (const auto& [name, value] : members(field(m_json, "symbols", ""), "symbols").items()) {
      const std::string path = "symbols." + name + ".";
      SymbolRange range;
      range.low = integer(field(value, "low", path), path + "low");
      if (const Json& high = field(value, "high", path); !high.is_null())
        range.high = integer(high, path + "high");
      m_graph.symbols[name] = range;
    }
    for (const auto& [name, value] : members(field(m_json, "hints", ""), "hints").items())
      m_graph.hints[name] = integer(value, "hints." + name);
    for (const Json& item : items(field(m_json, "facts", ""), "facts"))
      m_graph.facts.push_back(size(item, "facts"));
  }

  const Json& m_json;
  std::string m_error;
  Graph m_graph;
};

} // namespace

Json toJson(const Graph& graph) {
  Json json{{"plumbline_graph", formVersion},
            {"source", graph.source},
            {"mode", graph.mode},
            {"generalised", graph.generalised}};
  json["inputs"] = Json::array();
  for (const GraphInput& input : graph.inputs)
    json["inputs"].push_back({{"name", input.name}, {"kind", name(input.kind)}, {"key", input.key}});
  json["fixed_inputs"] = Json::array();
  for (const FixedInput& input : graph.fixedInputs)
    json["fixed_inputs"].push_back({{"name", input.name}, {"text", input.text}});
  json["constants"] = Json::object();
  for (const auto& [input, constant] : graph.constants)
    json["constants"][input] = {{"shape", constant.shape}, {"bits", constant.bits}};
  json["outputs"] = graph.outputs;
  json["nodes"] = Json::array();
  for (const Node& node : graph.nodes)
    json["nodes"].push_back(nodeToJson(node));
  json["tensors"] = Json::object();
  for (const auto& [tensor, info] : graph.tensors)
    json["tensors"][tensor] = {
        {"dtype", name(info.dtype)}, {"sizes", sizesToJson(info.sizes)}, {"contiguous", info.contiguous}};
  json["symbols"] = Json::object();
  for (const auto& [symbol, range] : graph.symbols)
    json["symbols"][symbol] = {{"low", range.low}, {"high", range.high ? Json(*range.high) : Json()}};
  json["hints"] = Json::object();
  for (const auto& [symbol, hint] : graph.hints)
    json["hints"][symbol] = hint;
  json["facts"] = sizesToJson(graph.facts);
  return json;
}

Expected<Graph> graphFromJson(const Json& json) {
  return FormReader(json).read();
}

} // namespace plumbline::torch
