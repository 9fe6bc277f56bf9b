#include "core/method/lean_names.h"

#include <algorithm>
#include <array>

namespace plumbline::method {

using logic::Op;

namespace {

constexpr auto functions = std::to_array<ScalarFunction>({
    {"aten.cos"},
    {"aten.erf"},
    {"aten.exp"},
    {"aten.expm1"},
    {"aten.log"},
    {"aten.log1p"},
    {"aten.log2"},
    {"aten.pow", 2},
    {"aten.rsqrt"},
    {"aten.sin"},
    {"aten.tanh"},
});

/// Names whose module does not show in the name.
constexpr auto modules = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"cDiv", "Integers"},
    {"cMod", "Integers"},
    {"int_max", "Integers"},
    {"int_min", "Integers"},
    {"int_abs", "Integers"},
    {"fmaxf", "MaxMin"},
    {"fminf", "MaxMin"},
    {"std_max", "MaxMin"},
    {"std_min", "MaxMin"},
    {"fmaxf_f64", "MaxMin64"},
    {"fminf_f64", "MaxMin64"},
    {"std_max_f64", "MaxMin64"},
    {"std_min_f64", "MaxMin64"},
    {"truncI32", "Convert"},
    {"truncU32", "Convert"},
    {"truncI64", "Convert"},
    {"truncI32_f64", "Convert64"},
    {"truncU32_f64", "Convert64"},
    {"truncI64_f64", "Convert64"},
    {"widen", "Widths"},
    {"narrow", "Widths"},
    {"fold", "Fold"},
    {"fma", "Fma"},
    {"fma32", "Model.Fma"},
    {"ftz32", "Ftz"},
    {"sweep_all", "Sweep"},
});

std::string_view moduleName(std::string_view name) {
  if (name == "Scalar" || name.starts_with("Scalar."))
    return "Scalar";
  if (name.starts_with("Fits"))
    return "Integers";
  if (name.starts_with("op_"))
    return "Operators";
  if (name.starts_with("aten_"))
    return "Aten";
  const auto found = std::ranges::find(modules, name, &std::pair<std::string_view, std::string_view>::first);
  if (found != modules.end())
    return found->second;
  return name.ends_with("_f64") ? "Opaque64" : "Opaque";
}

std::string suffix(ir::ScalarType type) {
  return type == ir::ScalarType::F64 ? "_f64" : "";
}

} // namespace

std::string leanType(ir::ScalarType type) {
  switch (type) {
  case ir::ScalarType::Bool: return "Bool";
  case ir::ScalarType::F32: return "Float32";
  case ir::ScalarType::F64: return "Float";
  default: return "Int";
  }
}

std::string fitsName(ir::ScalarType type) {
  std::string text(ir::name(type));
  text[0] = text[0] == 'i' ? 'I' : 'U';
  return "Plumbline.Fits" + text;
}

std::string opaqueName(std::string_view spelling, logic::Sort sort) {
  std::string text =
      spelling.starts_with("__") ? "fast_" + std::string(spelling.substr(2)) : std::string(spelling);
  std::ranges::replace(text, '.', '_');
  return "Plumbline." + text + (sort == logic::Sort::F64 ? "_f64" : "");
}

std::string intrinsicName(const ir::Intrinsic& intrinsic) {
  const ir::ScalarType type = intrinsic.result;
  switch (intrinsic.meaning) {
  case ir::Meaning::PtxMax: return "Plumbline.fmaxf" + suffix(type);
  case ir::Meaning::PtxMin: return "Plumbline.fminf" + suffix(type);
  case ir::Meaning::StdMax: return "Plumbline.std_max" + suffix(type);
  case ir::Meaning::StdMin: return "Plumbline.std_min" + suffix(type);
  case ir::Meaning::Fma: return "Plumbline.fma" + suffix(type);
  case ir::Meaning::IntMax: return "Plumbline.int_max";
  case ir::Meaning::IntMin: return "Plumbline.int_min";
  case ir::Meaning::IntAbs: return "Plumbline.int_abs";
  default:
    return opaqueName(intrinsic.spelling, type == ir::ScalarType::F64 ? logic::Sort::F64 : logic::Sort::F32);
  }
}

std::optional<std::string> scalarOperation(Op op) {
  switch (op) {
  case Op::FAdd: return "Plumbline.Scalar.add";
  case Op::FSub: return "Plumbline.Scalar.sub";
  case Op::FMul: return "Plumbline.Scalar.mul";
  case Op::FDiv: return "Plumbline.Scalar.div";
  case Op::FSqrt: return "Plumbline.Scalar.sqrt";
  case Op::FFma: return "Plumbline.Scalar.fma";
  case Op::FNeg: return "Plumbline.Scalar.neg";
  case Op::FAbs: return "Plumbline.Scalar.abs";
  case Op::FLt: return "Plumbline.Scalar.lt";
  case Op::FLe: return "Plumbline.Scalar.le";
  case Op::FEq: return "Plumbline.Scalar.eq";
  case Op::FIsNan: return "Plumbline.Scalar.isNaN";
  case Op::IntToFloat: return "Plumbline.Scalar.ofInt";
  default: return std::nullopt;
  }
}

std::span<const ScalarFunction> scalarFunctions() {
  return functions;
}

std::string scalarMember(std::string_view spelling) {
  std::string text(spelling);
  std::ranges::replace(text, '.', '_');
  return text;
}

std::optional<std::string> scalarOpaque(std::string_view spelling) {
  if (std::ranges::find(functions, spelling, &ScalarFunction::spelling) == functions.end())
    return std::nullopt;
  return "Plumbline.Scalar." + scalarMember(spelling);
}

std::optional<std::string> leanModule(std::string_view name) {
  constexpr std::string_view prefix = "Plumbline.";
  if (!name.starts_with(prefix))
    return std::nullopt;
  return std::string(prefix) + std::string(moduleName(name.substr(prefix.size())));
}

} // namespace plumbline::method
