#include "core/spec/operators.h"

#include <cmath>

namespace plumbline::spec {
namespace {

using logic::TermId;
using torch::DType;

/// The value as an element of the asked dtype.
TermId filled(NodeContext& c, DType dtype, const torch::FloatScalar& value) {
  if (dtype == DType::Bool)
    return c.terms().boolean(value.value != 0);
  if (dtype == DType::I64 && value.value == std::trunc(value.value) && std::abs(value.value) < 0x1p53)
    return c.terms().integer(static_cast<int64_t>(value.value));
  if (dtype != DType::F32)
    c.stop(ErrorKind::Rejected, "dtype-unsupported",
           "its result has dtype " + std::string(torch::name(dtype)), "use float32");
  return c.constant(value);
}

TermId filledLike(NodeContext& c, const torch::FloatScalar& value) {
  return filled(c, c.dtype("dtype", c.tensorDtype("self")), value);
}

TermId onesLike(NodeContext& c) {
  return filledLike(c, torch::floatScalar(1));
}

TermId zerosLike(NodeContext& c) {
  return filledLike(c, torch::floatScalar(0));
}

TermId fullLike(NodeContext& c) {
  return filledLike(c, c.number("fill_value").value_or(torch::floatScalar(0)));
}

TermId ones(NodeContext& c) {
  return filled(c, c.dtype("dtype", DType::F32), torch::floatScalar(1));
}

TermId zeros(NodeContext& c) {
  return filled(c, c.dtype("dtype", DType::F32), torch::floatScalar(0));
}

/// Without a dtype the kind of the number decides: only a float gives the default float32.
TermId full(NodeContext& c) {
  const bool real = std::holds_alternative<torch::FloatScalar>(c.argument("fill_value"));
  return filled(c, c.dtype("dtype", real ? DType::F32 : DType::I64),
                c.number("fill_value").value_or(torch::floatScalar(0)));
}

TermId copy(NodeContext& c) {
  return c.flat("self");
}

TermId toDtype(NodeContext& c) {
  const DType from = c.tensorDtype("self");
  const DType to = c.dtype("dtype", from);
  const bool isKnown = from == DType::Bool || from == DType::I64 || from == DType::F32;
  if (to == from)
    return c.flat("self");
  if (to == DType::F32 && isKnown)
    return c.real("self");
  if (to == DType::Bool && isKnown)
    return c.truth("self");
  if (to == DType::I64 && from == DType::Bool)
    return c.integral("self");
  if (to == DType::I64 && from == DType::F32) // undefined in C++ beyond int64, and for NaN
    c.unsupported("a conversion from float32 to int64");
  else
    c.stop(ErrorKind::Rejected, "dtype-unsupported",
           "conversion from " + std::string(torch::name(from)) + " to " + std::string(torch::name(to)),
           "use float32");
  return c.constant(0);
}

constexpr Operator table[] = {
    {"aten._to_copy.default", toDtype},
    {"aten.alias.default", copy},
    {"aten.clone.default", copy},
    {"aten.contiguous.default", copy},
    {"aten.detach.default", copy},
    {"aten.detach_.default", copy},
    {"aten.full.default", full, ShapeRule::Size},
    {"aten.full_like.default", fullLike},
    {"aten.lift_fresh.default", copy},
    {"aten.lift_fresh_copy.default", copy},
    {"aten.ones.default", ones, ShapeRule::Size},
    {"aten.ones_like.default", onesLike},
    {"aten.to.dtype", toDtype},
    {"aten.zeros.default", zeros, ShapeRule::Size},
    {"aten.zeros_like.default", zerosLike},
};

} // namespace

std::span<const Operator> creationOperators() {
  return table;
}

} // namespace plumbline::spec
