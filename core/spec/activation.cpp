// Elementary functions are opaque; composite activations unfold to them as ATen's CPU kernels compute them.
#include "core/spec/operators.h"

namespace plumbline::spec {
namespace {

using logic::TermId;

TermId exp(NodeContext& c) {
  return c.opaque("aten.exp", {c.real("self")});
}

TermId expm1(NodeContext& c) {
  return c.opaque("aten.expm1", {c.real("self")});
}

TermId log(NodeContext& c) {
  return c.opaque("aten.log", {c.real("self")});
}

TermId log1p(NodeContext& c) {
  return c.opaque("aten.log1p", {c.real("self")});
}

TermId log2(NodeContext& c) {
  return c.opaque("aten.log2", {c.real("self")});
}

TermId erf(NodeContext& c) {
  return c.opaque("aten.erf", {c.real("self")});
}

TermId sin(NodeContext& c) {
  return c.opaque("aten.sin", {c.real("self")});
}

TermId cos(NodeContext& c) {
  return c.opaque("aten.cos", {c.real("self")});
}

TermId tanh(NodeContext& c) {
  return c.opaque("aten.tanh", {c.real("self")});
}

/// Opaque: a CPU divides by the square root, CUDA has a function of its own.
TermId rsqrt(NodeContext& c) {
  return c.opaque("aten.rsqrt", {c.real("self")});
}

/// 1 + exp(-x)
TermId sigmoidDenominator(NodeContext& c, TermId x) {
  return c.add(c.constant(1), c.opaque("aten.exp", {c.neg(x)}));
}

TermId sigmoid(NodeContext& c) {
  return c.div(c.constant(1), sigmoidDenominator(c, c.real("self")));
}

TermId silu(NodeContext& c) {
  const TermId x = c.f32("self");
  return c.div(x, sigmoidDenominator(c, x));
}

/// The sum never is -0, so that no tie of zeros arises.
TermId hardSigmoidNumerator(NodeContext& c, TermId x) {
  const TermId zero = c.constant(0);
  const TermId six = c.constant(6);
  const TermId shifted = c.add(x, c.constant(3));
  const TermId positive = c.ite(c.less(shifted, zero), zero, shifted);
  return c.ite(c.less(six, positive), six, positive);
}

/// Rounded before the product on CUDA.
TermId sixth(NodeContext& c, TermId value) {
  return c.onCuda() ? c.mul(value, c.div(c.constant(1), c.constant(6))) : c.div(value, c.constant(6));
}

TermId hardSigmoid(NodeContext& c) {
  return sixth(c, hardSigmoidNumerator(c, c.f32("self")));
}

TermId hardSwish(NodeContext& c) {
  const TermId x = c.f32("self");
  return sixth(c, c.mul(x, hardSigmoidNumerator(c, x)));
}

/// x > 0 ? x * positive : (exp(x * inner) - 1) * negative, with expm1 on CUDA
TermId exponentialUnit(NodeContext& c, TermId inner, TermId negative, TermId positive) {
  const TermId x = c.f32("self");
  const TermId one = c.constant(1);
  auto times = [&](TermId value, TermId factor) { return factor == one ? value : c.mul(value, factor); };
  const TermId scaled = times(x, inner);
  const TermId power =
      c.onCuda() ? c.opaque("aten.expm1", {scaled}) : c.sub(c.opaque("aten.exp", {scaled}), one);
  return c.ite(c.less(c.constant(0), x), times(x, positive), times(power, negative));
}

/// The product of alpha and scale is itself rounded to binary32.
TermId elu(NodeContext& c) {
  const TermId scale = c.f32("scale");
  const TermId alpha = c.f32("alpha");
  const TermId negative = scale == c.constant(1) ? alpha : c.mul(alpha, scale);
  return exponentialUnit(c, c.f32("input_scale"), negative, scale);
}

/// The constants of the paper (Klambauer et al. 2017), as ATen writes them.
TermId selu(NodeContext& c) {
  const TermId alpha = c.constant(1.6732632423543772848170429916717);
  const TermId scale = c.constant(1.0507009873554804934193349852946);
  return exponentialUnit(c, c.constant(1), c.mul(alpha, scale), scale);
}

TermId softplus(NodeContext& c) {
  const TermId x = c.f32("self");
  const TermId beta = c.f32("beta");
  const bool plain = beta == c.constant(1);
  const TermId scaled = plain ? x : c.mul(x, beta);
  const TermId soft = c.opaque("aten.log1p", {c.opaque("aten.exp", {scaled})});
  return c.ite(c.less(c.f32("threshold"), scaled), x, plain ? soft : c.div(soft, beta));
}

TermId mish(NodeContext& c) {
  const TermId x = c.f32("self");
  return c.mul(x, c.opaque("aten.tanh", {c.opaque("aten.log1p", {c.opaque("aten.exp", {x})})}));
}

/// x / 2 * (1 + erf(x / sqrt(2)))
TermId geluErf(NodeContext& c) {
  const TermId x = c.f32("self");
  const TermId erf = c.opaque("aten.erf", {c.mul(x, c.constant(0.707106781186547524400844362104849039))});
  return c.mul(c.mul(x, c.constant(0.5)), c.add(c.constant(1), erf));
}

/// x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
TermId geluTanh(NodeContext& c) {
  const TermId x = c.f32("self");
  const TermId cube = c.mul(c.mul(x, x), x);
  const TermId sum = c.add(x, c.mul(c.constant(0.044715), cube));
  const TermId tanh = c.opaque("aten.tanh", {c.mul(c.constant(0.797884560802865355879892119868763737), sum)});
  return c.mul(c.mul(c.constant(0.5), x), c.add(c.constant(1), tanh));
}

TermId gelu(NodeContext& c) {
  const auto* approximate = std::get_if<std::string>(&c.argument("approximate"));
  if (approximate && *approximate == "tanh")
    return geluTanh(c);
  if (!approximate || *approximate != "none")
    c.unsupported("approximate is neither 'none' nor 'tanh'");
  return geluErf(c);
}

/// x > 0 ? x : (exp(x / alpha) - 1) * alpha, with the inverse of alpha rounded to binary32.
TermId celu(NodeContext& c) {
  const auto alpha = c.number("alpha");
  if (!alpha || alpha->value == 0)
    c.unsupported("an alpha of zero");
  const TermId inverse = c.constant(alpha && alpha->value != 0 ? 1 / alpha->value : 1);
  return exponentialUnit(c, inverse, c.f32("alpha"), c.constant(1));
}

/// min(x, 0) - log1p(exp(-|x|))
TermId logSigmoid(NodeContext& c) {
  const TermId x = c.f32("self");
  const TermId zero = c.constant(0);
  const TermId power = c.opaque("aten.exp", {c.neg(c.terms().unary(logic::Op::FAbs, x))});
  return c.sub(c.ite(c.less(x, zero), x, zero), c.opaque("aten.log1p", {power}));
}

constexpr Operator table[] = {
    {"aten.celu.default", celu},
    {"aten.elu.default", elu},
    {"aten.gelu.default", gelu},
    {"aten.hardsigmoid.default", hardSigmoid},
    {"aten.hardswish.default", hardSwish},
    {"aten.log_sigmoid.default", logSigmoid},
    {"aten.mish.default", mish},
    {"aten.selu.default", selu},
    {"aten.softplus.default", softplus},

    {"aten.cos.default", cos},
    {"aten.erf.default", erf},
    {"aten.exp.default", exp},
    {"aten.expm1.default", expm1},
    {"aten.log.default", log},
    {"aten.log1p.default", log1p},
    {"aten.log2.default", log2},
    {"aten.rsqrt.default", rsqrt},
    {"aten.sigmoid.default", sigmoid},
    {"aten.silu.default", silu},
    {"aten.sin.default", sin},
    {"aten.tanh.default", tanh},
};

} // namespace

std::span<const Operator> activationOperators() {
  return table;
}

} // namespace plumbline::spec
