#include "core/torch/graph.h"

#include <array>
#include <charconv>
#include <cmath>
#include <set>

namespace plumbline::torch {
namespace {

constexpr std::array<std::string_view, 11> dtypeNames = {
    "uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool", "bfloat16", "other"};
constexpr std::array<std::string_view, 4> kindNames = {"user", "parameter", "buffer", "constant"};

tl::unexpected<Error> broken(const std::string& message) {
  return fail(ErrorKind::File, "graph-json", message, "export the module again");
}

} // namespace

std::string_view name(DType dtype) {
  return dtypeNames[static_cast<size_t>(dtype)];
}

std::optional<DType> dtypeFromName(std::string_view text) {
  for (size_t i = 0; i < dtypeNames.size(); ++i)
    if (dtypeNames[i] == text)
      return static_cast<DType>(i);
  return std::nullopt;
}

std::string_view name(InputKind kind) {
  return kindNames[static_cast<size_t>(kind)];
}

FloatScalar floatScalar(double value) {
  if (std::isnan(value))
    return {value, "NaN"};
  if (std::isinf(value))
    return {value, value < 0 ? "-Infinity" : "Infinity"};
  std::array<char, 32> buffer{};
  auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {value, std::string(buffer.data(), end)};
}

std::optional<double> floatFromText(std::string_view text) {
  if (text == "NaN")
    return NAN;
  if (text == "Infinity" || text == "-Infinity")
    return text[0] == '-' ? -HUGE_VAL : HUGE_VAL;
  double value = 0;
  auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

const Argument* findArgument(const Node& node, std::string_view argument) {
  for (const NamedArgument& input : node.inputs)
    if (input.name == argument)
      return &input.value;
  return nullptr;
}

bool mutates(const Node& node) {
  const std::string_view target = node.target;
  const std::string_view base = target.substr(0, target.find('.', target.find('.') + 1));
  return base.ends_with('_') && !base.ends_with("__") && base != "aten.detach_";
}

std::vector<std::string> tensorsOf(const Argument& argument) {
  if (const auto* tensor = std::get_if<TensorRef>(&argument))
    return {tensor->name};
  std::vector<std::string> names;
  if (const auto* tensors = std::get_if<TensorRefs>(&argument))
    for (const TensorRef& item : tensors->items)
      names.push_back(item.name);
  return names;
}

Expected<void> checkGraph(const Graph& graph) {
  std::set<std::string> defined;
  auto define = [&](const std::string& tensor) -> Expected<void> {
    if (!defined.insert(tensor).second)
      return broken("the tensor '" + tensor + "' is defined twice");
    if (!graph.tensors.contains(tensor))
      return broken("the tensor '" + tensor + "' has no recorded shape");
    return {};
  };
  for (const GraphInput& input : graph.inputs)
    if (auto ok = define(input.name); !ok)
      return ok;
  for (const Node& node : graph.nodes) {
    for (const NamedArgument& input : node.inputs)
      for (const std::string& read : tensorsOf(input.value))
        if (!defined.contains(read))
          return broken("node '" + node.name + "' reads '" + read + "', which is not defined before it");
    for (const std::string& output : node.outputs)
      if (auto ok = define(output); !ok)
        return ok;
  }
  for (const std::string& output : graph.outputs)
    if (!defined.contains(output))
      return broken("the output '" + output + "' is not defined");
  return {};
}

} // namespace plumbline::torch
