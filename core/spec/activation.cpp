// Elementary functions are opaque; composite activations unfold to them as ATen's CPU kernels compute them.
#include "core/spec/operators.h"

namespace plumbline::spec {
namespace {

using logic::TermId;

TermId exp(NodeContext& c) {
  return c.opaque("aten.exp", {c.f32("self")});
}

TermId expm1(NodeContext& c) {
  return c.opaque("aten.expm1", {c.f32("self")});
}

TermId log(NodeContext& c) {
  return c.opaque("aten.log", {c.f32("self")});
}

TermId log1p(NodeContext& c) {
  return c.opaque("aten.log1p", {c.f32("self")});
}

TermId log2(NodeContext& c) {
  return c.opaque("aten.log2", {c.f32("self")});
}

TermId erf(NodeContext& c) {
  return c.opaque("aten.erf", {c.f32("self")});
}

TermId sin(NodeContext& c) {
  return c.opaque("aten.sin", {c.f32("self")});
}

TermId cos(NodeContext& c) {
  return c.opaque("aten.cos", {c.f32("self")});
}

TermId tanh(NodeContext& c) {
  return c.opaque("aten.tanh", {c.f32("self")});
}

/// Opaque: a CPU divides by the square root, CUDA has a function of its own.
TermId rsqrt(NodeContext& c) {
  return c.opaque("aten.rsqrt", {c.f32("self")});
}

/// 1 + exp(-x)
TermId sigmoidDenominator(NodeContext& c, TermId x) {
  return c.add(c.constant(1), c.opaque("aten.exp", {c.neg(x)}));
}

TermId sigmoid(NodeContext& c) {
  return c.div(c.constant(1), sigmoidDenominator(c, c.f32("self")));
}

TermId silu(NodeContext& c) {
  const TermId x = c.f32("self");
  return c.div(x, sigmoidDenominator(c, x));
}

constexpr Operator table[] = {
    {"aten.cos.default", cos},     {"aten.erf.default", erf},     {"aten.exp.default", exp},
    {"aten.expm1.default", expm1}, {"aten.log.default", log},     {"aten.log1p.default", log1p},
    {"aten.log2.default", log2},   {"aten.rsqrt.default", rsqrt}, {"aten.sigmoid.default", sigmoid},
    {"aten.silu.default", silu},   {"aten.sin.default", sin},     {"aten.tanh.default", tanh},
};

} // namespace

std::span<const Operator> activationOperators() {
  return table;
}

} // namespace plumbline::spec
