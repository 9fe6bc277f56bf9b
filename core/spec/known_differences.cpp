#include "core/spec/known_differences.h"

#include <algorithm>

namespace plumbline::spec {
namespace {

struct Row {
  std::string_view row;
  std::string_view operators[4]; ///< without overload
};

constexpr Row rows[] = {
    {"erf-cpu", {"aten.erf"}},
    {"gelu-cpu", {"aten.gelu"}},
    {"exp-minus-one", {"aten.elu", "aten.selu"}},
    {"log1p-huge", {"aten.log1p"}},
};

bool isOne(const torch::Argument& argument) {
  if (const auto* integer = std::get_if<int64_t>(&argument))
    return *integer == 1;
  if (const auto* number = std::get_if<torch::FloatScalar>(&argument))
    return number->value == 1;
  return false;
}

std::optional<std::string> differenceOf(const torch::Node& node) {
  const std::string name = node.target.substr(0, node.target.rfind('.'));
  const bool sum = name == "aten.add" || name == "aten.sub" || name == "aten.rsub";
  if (const torch::Argument* alpha = sum ? torch::findArgument(node, "alpha") : nullptr)
    if (!isOne(*alpha))
      return "add-alpha";
  for (const Row& row : rows)
    if (std::find(std::begin(row.operators), std::end(row.operators), name) != std::end(row.operators))
      return std::string(row.row);
  return std::nullopt;
}

} // namespace

std::optional<std::string> knownDifference(const torch::Graph& graph) {
  for (const torch::Node& node : graph.nodes)
    if (std::optional<std::string> row = differenceOf(node))
      return row;
  return std::nullopt;
}

} // namespace plumbline::spec
