#include "core/spec/operators.h"

namespace plumbline::spec {
namespace {

using logic::Op;
using logic::TermId;

/// alpha * other; a factor of one is not written.
TermId scaledOther(NodeContext& c) {
  const TermId other = c.f32("other");
  const TermId alpha = c.f32("alpha");
  return alpha == c.constant(1) ? other : c.mul(alpha, other);
}

TermId add(NodeContext& c) {
  return c.add(c.f32("self"), scaledOther(c));
}

TermId sub(NodeContext& c) {
  return c.sub(c.f32("self"), scaledOther(c));
}

/// other - alpha * self
TermId rsub(NodeContext& c) {
  const TermId self = c.f32("self");
  const TermId alpha = c.f32("alpha");
  return c.sub(c.f32("other"), alpha == c.constant(1) ? self : c.mul(alpha, self));
}

TermId mul(NodeContext& c) {
  return c.mul(c.f32("self"), c.f32("other"));
}

TermId div(NodeContext& c) {
  return c.div(c.f32("self"), c.f32("other"));
}

TermId neg(NodeContext& c) {
  return c.neg(c.f32("self"));
}

TermId abs(NodeContext& c) {
  return c.terms().unary(Op::FAbs, c.f32("self"));
}

TermId sqrt(NodeContext& c) {
  return c.terms().unary(Op::FSqrt, c.f32("self"));
}

TermId reciprocal(NodeContext& c) {
  return c.div(c.constant(1), c.f32("self"));
}

TermId square(NodeContext& c) {
  const TermId x = c.f32("self");
  return c.mul(x, x);
}

/// The exponents that ATen itself computes by other operations; the rest is the opaque power function.
TermId pow(NodeContext& c) {
  const TermId x = c.f32("self");
  const auto exponent = c.number("exponent");
  const double value = exponent ? exponent->value : 0;
  if (value == 0)
    return c.constant(1);
  if (value == 1)
    return x;
  if (value == 2)
    return c.mul(x, x);
  if (value == 3)
    return c.mul(c.mul(x, x), x);
  if (value == 0.5)
    return c.terms().unary(Op::FSqrt, x);
  if (value == -0.5)
    return c.opaque("aten.rsqrt", {x});
  if (value == -1)
    return c.div(c.constant(1), x);
  if (value == -2)
    return c.div(c.constant(1), c.mul(x, x));
  return c.opaque("aten.pow", {x, c.f32("exponent")});
}

constexpr Operator table[] = {
    {"aten.abs.default", abs},
    {"aten.absolute.default", abs},
    {"aten.add.Scalar", add},
    {"aten.add.Tensor", add},
    {"aten.div.Scalar", div},
    {"aten.div.Tensor", div},
    {"aten.divide.Tensor", div},
    {"aten.mul.Scalar", mul},
    {"aten.mul.Tensor", mul},
    {"aten.multiply.Scalar", mul},
    {"aten.multiply.Tensor", mul},
    {"aten.neg.default", neg},
    {"aten.negative.default", neg},
    {"aten.pow.Tensor_Scalar", pow},
    {"aten.reciprocal.default", reciprocal},
    {"aten.rsub.Scalar", rsub},
    {"aten.rsub.Tensor", rsub},
    {"aten.sqrt.default", sqrt},
    {"aten.square.default", square},
    {"aten.sub.Scalar", sub},
    {"aten.sub.Tensor", sub},
    {"aten.subtract.Tensor", sub},
    {"aten.true_divide.Tensor", div},
};

} // namespace

std::span<const Operator> arithmeticOperators() {
  return table;
}

} // namespace plumbline::spec
