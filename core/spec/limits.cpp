// Operators that choose one of two values. NaN propagates; which zero results from a tie is left open.
#include "core/spec/operators.h"

namespace plumbline::spec {
namespace {

using logic::Sort;
using logic::TermId;

TermId largestInteger(NodeContext& c, TermId a, TermId b) {
  return c.ite(c.terms().ilt(a, b), b, a);
}

TermId smallestInteger(NodeContext& c, TermId a, TermId b) {
  return c.ite(c.terms().ilt(a, b), a, b);
}

TermId maximum(NodeContext& c) {
  if (c.commonSort({"self", "other"}) == Sort::Int)
    return largestInteger(c, c.integral("self"), c.integral("other"));
  return c.maximum(c.f32("self"), c.f32("other"));
}

TermId minimum(NodeContext& c) {
  if (c.commonSort({"self", "other"}) == Sort::Int)
    return smallestInteger(c, c.integral("self"), c.integral("other"));
  return c.minimum(c.f32("self"), c.f32("other"));
}

TermId relu(NodeContext& c) {
  return c.maximum(c.f32("self"), c.constant(0));
}

/// min(max(self, low), high): the upper limit wins where the limits cross.
TermId limit(NodeContext& c, TermId low, TermId high) {
  return c.minimum(c.maximum(c.f32("self"), low, ".min"), high, ".max");
}

TermId clampIntegers(NodeContext& c) {
  TermId result = c.integral("self");
  if (!c.isNone("min"))
    result = largestInteger(c, result, c.integral("min"));
  return c.isNone("max") ? result : smallestInteger(c, result, c.integral("max"));
}

TermId clamp(NodeContext& c) {
  if (c.isNone("min") && c.isNone("max"))
    c.unsupported("at least one limit is needed");
  if (c.commonSort({"self", "min", "max"}) == Sort::Int)
    return clampIntegers(c);
  TermId result = c.f32("self");
  if (!c.isNone("min"))
    result = c.maximum(result, c.f32("min"), ".min");
  return c.isNone("max") ? result : c.minimum(result, c.f32("max"), ".max");
}

TermId clampMin(NodeContext& c) {
  if (c.commonSort({"self", "min"}) == Sort::Int)
    return largestInteger(c, c.integral("self"), c.integral("min"));
  return c.maximum(c.f32("self"), c.f32("min"));
}

TermId clampMax(NodeContext& c) {
  if (c.commonSort({"self", "max"}) == Sort::Int)
    return smallestInteger(c, c.integral("self"), c.integral("max"));
  return c.minimum(c.f32("self"), c.f32("max"));
}

TermId hardtanh(NodeContext& c) {
  return limit(c, c.f32("min_val"), c.f32("max_val"));
}

TermId relu6(NodeContext& c) {
  return limit(c, c.constant(0), c.constant(6));
}

TermId leakyRelu(NodeContext& c) {
  const TermId x = c.f32("self");
  return c.ite(c.less(c.constant(0), x), x, c.mul(x, c.f32("negative_slope")));
}

TermId threshold(NodeContext& c) {
  const TermId x = c.f32("self");
  return c.ite(c.lessEqual(x, c.f32("threshold")), c.f32("value"), x);
}

/// 0 within [-lambd, lambd].
TermId hardshrink(NodeContext& c) {
  const TermId x = c.f32("self");
  const TermId limit = c.f32("lambd");
  const TermId within = c.terms().land(c.lessEqual(c.neg(limit), x), c.lessEqual(x, limit));
  return c.ite(within, c.constant(0), x);
}

/// Moved towards zero by lambd; within [-lambd, lambd] the product with 0, which keeps sign and NaN.
TermId softshrink(NodeContext& c) {
  const TermId x = c.f32("self");
  const TermId limit = c.f32("lambd");
  const auto number = c.number("lambd");
  if (!number || number->value < 0)
    c.unsupported("a lambd below zero");
  const TermId within = c.mul(x, c.constant(0));
  return c.ite(c.less(limit, x), c.sub(x, limit), c.ite(c.less(x, c.neg(limit)), c.add(x, limit), within));
}

constexpr Operator table[] = {
    {"aten.clamp.Tensor", clamp},           {"aten.clamp.default", clamp},
    {"aten.clamp_max.Tensor", clampMax},    {"aten.clamp_max.default", clampMax},
    {"aten.clamp_min.Tensor", clampMin},    {"aten.clamp_min.default", clampMin},
    {"aten.clip.default", clamp},           {"aten.hardshrink.default", hardshrink},
    {"aten.hardtanh.default", hardtanh},    {"aten.softshrink.default", softshrink},
    {"aten.leaky_relu.default", leakyRelu}, {"aten.max.other", maximum},
    {"aten.maximum.default", maximum},      {"aten.min.other", minimum},
    {"aten.minimum.default", minimum},      {"aten.relu.default", relu},
    {"aten.relu6.default", relu6},          {"aten.threshold.default", threshold},
};

} // namespace

std::span<const Operator> limitOperators() {
  return table;
}

} // namespace plumbline::spec
