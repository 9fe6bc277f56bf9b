#include "core/logic/opaque_names.h"

namespace plumbline::logic {
namespace {

struct Row {
  std::string_view spelling;
  std::string_view function; ///< the real function
  bool joined;               ///< belongs to same(function)
};

constexpr Row rows[] = {
    {"aten.exp", "exp", true},     {"expf", "exp", true},
    {"exp", "exp", true},          {"__expf", "exp", false},
    {"aten.exp2", "exp2", true},   {"exp2f", "exp2", true},
    {"aten.expm1", "expm1", true}, {"expm1f", "expm1", true},
    {"aten.log", "log", true},     {"logf", "log", true},
    {"log", "log", true},          {"__logf", "log", false},
    {"aten.log2", "log2", true},   {"log2f", "log2", true},
    {"aten.log10", "log10", true}, {"log10f", "log10", true},
    {"aten.log1p", "log1p", true}, {"log1pf", "log1p", true},
    {"aten.tanh", "tanh", true},   {"tanhf", "tanh", true},
    {"tanh", "tanh", true},        {"aten.erf", "erf", true},
    {"erff", "erf", true},         {"erf", "erf", true},
    {"aten.sin", "sin", true},     {"sinf", "sin", true},
    {"__sinf", "sin", false},      {"aten.cos", "cos", true},
    {"cosf", "cos", true},         {"__cosf", "cos", false},
    {"aten.pow", "pow", true},     {"powf", "pow", true},
    {"pow", "pow", true},          {"__powf", "pow", false},
    {"aten.rsqrt", "rsqrt", true}, {"rsqrtf", "rsqrt", true},
    {"rsqrt", "rsqrt", true},      {"__frsqrt_rn", "rsqrt", false},
    {"__fdividef", "div", false},
};

const Row* find(std::string_view spelling) {
  for (const Row& row : rows)
    if (row.spelling == spelling)
      return &row;
  return nullptr;
}

} // namespace

std::string canonicalOpaque(std::string_view spelling, Sort sort) {
  const Row* row = find(spelling);
  std::string name(row != nullptr && row->joined ? row->function : spelling);
  return sort == Sort::F64 ? name + ":f64" : name;
}

} // namespace plumbline::logic
