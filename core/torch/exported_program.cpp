// Reader of PyTorch's exported-program JSON (schema major 8, PyTorch 2.6).
#include "core/torch/graph.h"
#include "core/torch/stack_trace.h"
#include "core/torch/sym_expr.h"

#include <algorithm>

namespace plumbline::torch {
namespace {

using ir::SizeExprPtr;

const Json nullJson;
constexpr int schemaMajor = 8;

/// Numbering of PyTorch's serialised ScalarType.
DType dtypeFromNumber(int64_t number) {
  switch (number) {
  case 1: return DType::U8;
  case 2: return DType::I8;
  case 3: return DType::I16;
  case 4: return DType::I32;
  case 5: return DType::I64;
  case 6: return DType::F16;
  case 7: return DType::F32;
  case 8: return DType::F64;
  case 12: return DType::Bool;
  case 13: return DType::BF16;
  default: return DType::Other;
  }
}

/// Reads one document. The first error sticks; afterwards every accessor returns an empty value.
class Reader {
public:
  Reader(const Json& document, std::string source) : m_document(document) {
    m_graph.source = std::move(source);
  }

  Expected<Graph> read() {
    checkVersion();
    const Json& module = object(m_document, "graph_module", "");
    const Json& graph = object(module, "graph", "graph_module.");
    m_values = &graph;
    readRanges();
    readTensors(object(graph, "tensor_values", "graph."));
    readInputs(list(object(module, "signature", "graph_module."), "input_specs", "signature."));
    const Json& nodes = list(graph, "nodes", "graph.");
    for (size_t i = 0; i < nodes.size() && !m_error; ++i)
      readNode(nodes[i], "node " + std::to_string(i));
    readOutputs(list(object(module, "signature", "graph_module."), "output_specs", "signature."));
    if (m_error)
      return fail(*m_error);
    if (auto ok = checkGraph(m_graph); !ok)
      return fail(ok.error());
    return std::move(m_graph);
  }

private:
  /// Documents of the benchmark kind have no version; a version that is there must be one we know.
  void checkVersion() {
    if (!m_document.is_object() || !m_document.contains("schema_version"))
      return;
    const Json& version = m_document["schema_version"];
    const Json major = version.is_object() ? version.value("major", Json()) : Json();
    if (major != schemaMajor)
      stop(ErrorKind::File, "schema-version",
           "the program has schema version " + (major.is_null() ? version.dump() : major.dump()) +
               "; this program reads version " + std::to_string(schemaMajor),
           "export the module again with PyTorch 2.6 or a later one that writes version 8");
  }

  // --- errors and access ---
  void stop(ErrorKind kind, const std::string& id, const std::string& message, const std::string& next) {
    if (!m_error)
      m_error = Error{kind, id, message, next};
  }
  void broken(const std::string& path, const std::string& what) {
    stop(ErrorKind::File, "graph-json", path + ": " + what, "export the module again with PyTorch 2.6");
  }
  void unsupported(const std::string& where, const std::string& what) {
    stop(ErrorKind::Rejected, "graph-unsupported", where + ": " + what,
         "rewrite the module without it, or leave this part to PyTorch on both sides");
  }

  const Json& member(const Json& json, const std::string& key, const std::string& path) {
    if (m_error)
      return nullJson;
    if (json.is_object())
      if (auto it = json.find(key); it != json.end())
        return *it;
    broken(path + key, "missing");
    return nullJson;
  }
  const Json& object(const Json& json, const std::string& key, const std::string& path) {
    const Json& found = member(json, key, path);
    if (found.is_object())
      return found;
    broken(path + key, "not an object");
    return nullJson;
  }
  const Json& list(const Json& json, const std::string& key, const std::string& path) {
    const Json& found = member(json, key, path);
    if (found.is_array())
      return found;
    broken(path + key, "not a list");
    return nullJson;
  }
  std::string text(const Json& json, const std::string& key, const std::string& path) {
    const Json& found = member(json, key, path);
    if (const auto* value = found.get_ptr<const std::string*>())
      return *value;
    broken(path + key, "not a text");
    return {};
  }
  int64_t integer(const Json& json, const std::string& path) {
    if (json.is_number_integer() &&
        (!json.is_number_unsigned() || json.get<uint64_t>() <= uint64_t{INT64_MAX}))
      return json.get<int64_t>();
    broken(path, "not a 64-bit integer");
    return 0;
  }
  /// The single member of a tagged value such as {"as_int": 3}.
  std::pair<std::string, const Json*> tagged(const Json& json, const std::string& path) {
    if (json.is_object() && json.size() == 1)
      return {json.begin().key(), &json.begin().value()};
    broken(path, "not a tagged value");
    return {"", &nullJson};
  }

  // --- sizes ---
  SizeExprPtr symbolic(const std::string& expression, const std::string& path) {
    auto size = parseSymbolicSize(expression);
    if (size) {
      for (const std::string& symbol : ir::symbolsOf(**size))
        m_graph.symbols.try_emplace(symbol);
      return *size;
    }
    stop(ErrorKind::Rejected, "graph-unsupported", path + ": " + size.error().message, size.error().next);
    return ir::sizeConstant(1);
  }

  /// {"as_int": n} or {"as_expr": {"expr_str", "hint": {"as_int": n}}}.
  SizeExprPtr size(const Json& json, const std::string& path) {
    auto [kind, value] = tagged(json, path);
    if (kind == "as_int")
      return ir::sizeConstant(integer(*value, path));
    if (kind != "as_expr") {
      broken(path, "not a size");
      return ir::sizeConstant(1);
    }
    SizeExprPtr result = symbolic(text(*value, "expr_str", path + "."), path);
    if (auto hint = sizeHint(json); hint && result->kind == ir::SizeExpr::Kind::Symbol)
      m_graph.hints[result->symbol] = *hint;
    return result;
  }

  /// The captured value of a size.
  static std::optional<int64_t> sizeHint(const Json& json) {
    const Json* value = &json;
    for (const char* key : {"as_expr", "hint"})
      if (value->is_object() && value->contains(key))
        value = &(*value)[key];
    if (!value->is_object() || !value->contains("as_int") || !(*value)["as_int"].is_number_integer())
      return std::nullopt;
    return (*value)["as_int"].get<int64_t>();
  }

  /// Row-major at the captured sizes; dimensions of size 1 may have any stride.
  static bool isContiguous(const Json& sizes, const Json& strides) {
    int64_t expected = 1;
    for (size_t i = sizes.size(); i-- > 0;) {
      auto size = sizeHint(sizes[i]);
      auto stride = sizeHint(strides[i]);
      if (!size || !stride || (*size != 1 && *stride != expected))
        return false;
      if (__builtin_mul_overflow(expected, std::max<int64_t>(*size, 1), &expected))
        return false;
    }
    return true;
  }

  // --- parts of the document ---
  void readTensors(const Json& tensors) {
    for (const auto& [name, value] : tensors.items()) {
      if (m_error)
        return;
      const std::string path = "tensor_values." + name + ".";
      TensorInfo info;
      info.dtype = dtypeFromNumber(integer(member(value, "dtype", path), path + "dtype"));
      const Json& sizes = list(value, "sizes", path);
      for (const Json& item : sizes)
        info.sizes.push_back(size(item, path + "sizes"));
      const Json& strides = list(value, "strides", path);
      if (sizes.size() != strides.size())
        broken(path + "strides", "as many strides as sizes are needed");
      else
        info.contiguous = isContiguous(sizes, strides);
      m_graph.tensors[name] = std::move(info);
    }
  }

  /// {"s0": {"min_val", "max_val"}} or {"s0": [min, max]}; a range of a composite expression becomes facts.
  void readRanges() {
    if (m_error || !m_document.contains("range_constraints"))
      return;
    for (const auto& [name, range] : object(m_document, "range_constraints", "").items()) {
      const std::string path = "range_constraints." + name;
      bool pair = range.is_array() && range.size() == 2;
      const Json& low = pair ? range[0] : member(range, "min_val", path + ".");
      const Json& high = pair ? range[1] : member(range, "max_val", path + ".");
      SizeExprPtr size = symbolic(name, path);
      if (size->kind == ir::SizeExpr::Kind::Symbol)
        addRange(m_graph.symbols[size->symbol], low, high, path);
      else
        addFacts(size, low, high, path);
    }
  }

  void addRange(SymbolRange& range, const Json& low, const Json& high, const std::string& path) {
    if (!low.is_null())
      range.low = std::max<int64_t>(1, integer(low, path));
    if (!high.is_null())
      range.high = integer(high, path);
  }

  void addFacts(const SizeExprPtr& size, const Json& low, const Json& high, const std::string& path) {
    using Kind = ir::SizeExpr::Kind;
    if (!low.is_null())
      m_graph.facts.push_back(ir::sizeBinary(Kind::Ge, size, ir::sizeConstant(integer(low, path))));
    if (!high.is_null())
      m_graph.facts.push_back(ir::sizeBinary(Kind::Le, size, ir::sizeConstant(integer(high, path))));
  }

  void readInputs(const Json& specs) {
    for (const Json& spec : specs) {
      auto [kind, value] = tagged(spec, "signature.input_specs");
      const std::string path = "input_specs." + kind + ".";
      if (kind == "user_input")
        readUserInput(member(*value, "arg", path), path);
      else if (kind == "constant_input")
        m_graph.fixedInputs.push_back({text(*value, "name", path), fixedText(member(*value, "value", path))});
      else if (kind == "parameter")
        addInput(*value, InputKind::Parameter, "parameter_name", path);
      else if (kind == "buffer")
        addInput(*value, InputKind::Buffer, "buffer_name", path);
      else if (kind == "tensor_constant")
        addInput(*value, InputKind::Constant, "tensor_constant_name", path);
      else if (!m_error)
        unsupported("input of kind " + kind, "only tensors and numbers are accepted");
    }
  }

  void readUserInput(const Json& argument, const std::string& path) {
    auto [kind, value] = tagged(argument, path + "arg");
    if (kind == "as_tensor")
      m_graph.inputs.push_back({text(*value, "name", path), InputKind::User, ""});
    else if (!m_error)
      unsupported("an input of forward()", "only tensors and numbers are accepted, not " + kind.substr(3));
  }

  void addInput(const Json& spec, InputKind kind, const std::string& key, const std::string& path) {
    m_graph.inputs.push_back({text(object(spec, "arg", path), "name", path), kind, text(spec, key, path)});
  }

  static std::string fixedText(const Json& tag) {
    if (!tag.is_object() || tag.size() != 1)
      return {};
    const Json& value = tag.begin().value();
    if (tag.begin().key() == "as_none")
      return "None";
    if (value.is_number_float())
      return floatScalar(value.get<double>()).text;
    return value.is_string() ? value.get<std::string>() : value.dump();
  }

  void readOutputs(const Json& specs) {
    for (const Json& spec : specs) {
      auto [kind, value] = tagged(spec, "signature.output_specs");
      if (m_error)
        return;
      if (kind != "user_output")
        return unsupported("an output of kind " + kind, "the module must not change its inputs or its state");
      auto [type, tensor] = tagged(member(*value, "arg", "user_output."), "user_output.arg");
      if (type != "as_tensor")
        return unsupported("an output of forward()", "only tensors are accepted, not " + type);
      m_graph.outputs.push_back(text(*tensor, "name", "user_output."));
    }
  }

  void readNode(const Json& json, const std::string& position) {
    Node node;
    node.name = position;
    node.target = text(json, "target", position + ".");
    if (node.target.starts_with("torch.ops."))
      node.target.erase(0, 10);
    const Json& outputs = list(json, "outputs", position + ".");
    const Json& inputs = list(json, "inputs", position + ".");
    bool sizesOnly = !outputs.empty();
    for (const Json& output : outputs)
      sizesOnly = readNodeOutput(output, node) && sizesOnly;
    if (sizesOnly || m_error)
      return;
    const std::string where = "node '" + node.name + "' (" + node.target + ")";
    for (const Json& input : inputs) {
      std::string name = text(input, "name", where + ".");
      Argument value = argument(member(input, "arg", where + "."), where + " argument " + name);
      node.inputs.push_back({std::move(name), std::move(value)});
    }
    node.where = sourceLine(json);
    if (!addAssertion(node))
      m_graph.nodes.push_back(std::move(node));
  }

  /// Where it is recorded; the trace says nothing on the meaning, so a broken one is no error.
  static SourceLine sourceLine(const Json& json) {
    const auto metadata = json.find("metadata");
    if (metadata == json.end() || !metadata->is_object())
      return {};
    const auto trace = metadata->find("stack_trace");
    if (trace == metadata->end() || !trace->is_string())
      return {};
    return userLine(trace->get_ref<const std::string&>());
  }

  /// True when the output is a size or a truth value of sizes; the recorded value is used where it is read.
  bool readNodeOutput(const Json& json, Node& node) {
    auto [kind, value] = tagged(json, node.name + ".outputs");
    if (kind == "as_sym_int" || kind == "as_sym_bool")
      return true;
    const Json one = Json::array({*value});
    const Json* tensors = kind == "as_tensor" ? &one : kind == "as_tensors" ? value : nullptr;
    if (!tensors || !tensors->is_array()) {
      if (!m_error)
        unsupported(node.name + " (" + node.target + ")", "its result of kind " + kind + " is not a tensor");
      return false;
    }
    for (const Json& tensor : *tensors)
      node.outputs.push_back(text(tensor, "name", node.name + ".outputs."));
    if (!node.outputs.empty())
      node.name = node.outputs.front();
    return false;
  }

  /// A run-time assertion about sizes holds for every run that returns.
  bool addAssertion(const Node& node) {
    if (node.target != "aten._assert_scalar.default" || node.inputs.empty())
      return false;
    const auto* condition = std::get_if<SizeArg>(&node.inputs[0].value);
    if (!condition)
      return false;
    m_graph.facts.push_back(condition->size);
    return true;
  }

  // --- arguments ---
  /// {"as_name": n} refers to a computed size, {"as_int"|"as_bool": v} is a constant.
  SizeExprPtr symbolArgument(const Json& json, const char* table, const std::string& where) {
    auto [kind, value] = tagged(json, where);
    if (kind != "as_name")
      return value->is_boolean() ? ir::sizeConstant(value->get<bool>())
                                 : ir::sizeConstant(integer(*value, where));
    const auto* name = value->get_ptr<const std::string*>();
    return size(member(object(*m_values, table, "graph."), name ? *name : "", std::string(table) + "."),
                where);
  }

  double real(const Json& json, const std::string& where) {
    if (json.is_number())
      return json.get<double>();
    if (const auto* word = json.get_ptr<const std::string*>())
      if (auto value = floatFromText(*word))
        return *value;
    broken(where, "not a number");
    return 0;
  }

  const Json& items(const Json& json, const std::string& where) {
    if (!json.is_array())
      broken(where, "not a list");
    return json;
  }

  Argument argument(const Json& json, const std::string& where) {
    auto [kind, value] = tagged(json, where);
    if (m_error || kind == "as_none")
      return NoneArg{};
    if (kind == "as_tensor")
      return TensorRef{text(*value, "name", where + ".")};
    if (kind == "as_int")
      return integer(*value, where);
    if (kind == "as_float")
      return floatScalar(real(*value, where));
    if (kind == "as_bool" && value->is_boolean())
      return value->get<bool>();
    if (kind == "as_string" && value->is_string())
      return value->get<std::string>();
    if (kind == "as_sym_int")
      return SizeArg{symbolArgument(*value, "sym_int_values", where)};
    if (kind == "as_sym_bool")
      return SizeArg{symbolArgument(*value, "sym_bool_values", where)};
    if (kind == "as_scalar_type")
      return dtypeFromNumber(integer(*value, where));
    if (kind == "as_memory_format" || kind == "as_layout")
      return FormatArg{kind.substr(3), integer(*value, where)};
    if (kind == "as_device")
      return text(*value, "type", where + ".");
    return listArgument(kind, *value, where);
  }

  Argument listArgument(const std::string& kind, const Json& value, const std::string& where) {
    if (kind == "as_tensors") {
      TensorRefs refs;
      for (const Json& item : items(value, where))
        refs.items.push_back({text(item, "name", where + ".")});
      return refs;
    }
    if (kind == "as_ints" || kind == "as_sym_ints") {
      std::vector<SizeArg> sizes;
      for (const Json& item : items(value, where))
        sizes.push_back({kind == "as_ints" ? ir::sizeConstant(integer(item, where))
                                           : symbolArgument(item, "sym_int_values", where)});
      return sizes;
    }
    if (kind == "as_floats") {
      std::vector<FloatScalar> floats;
      for (const Json& item : items(value, where))
        floats.push_back(floatScalar(real(item, where)));
      return floats;
    }
    unsupported(where, "an argument of kind " + kind + " is not read");
    return NoneArg{};
  }

  const Json& m_document;
  const Json* m_values = nullptr;
  std::optional<Error> m_error;
  Graph m_graph;
};

} // namespace

Expected<Graph> graphFromExportedJson(const Json& json, const std::string& source) {
  return Reader(json, source).read();
}

} // namespace plumbline::torch
