#include "core/spec/operators.h"
#include "core/spec/torch_cuda.h"

namespace plumbline::spec {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;

/// alpha * x; a factor of one is not written.
TermId scaled(NodeContext& c, const char* name) {
  const TermId x = c.real(name);
  const TermId alpha = c.real("alpha");
  return alpha == c.constant(1) ? x : c.mul(alpha, x);
}

TermId scaledInteger(NodeContext& c, const char* name) {
  return c.bounded(c.terms().imul(c.integral("alpha"), c.integral(name)));
}

/// Whether the operands are computed in int64; truth values alone are refused.
bool isInteger(NodeContext& c) {
  const Sort sort = c.commonSort({"self", "other"});
  if (sort == Sort::Bool)
    c.unsupported("arithmetic on truth values");
  return sort != Sort::F32;
}

TermId add(NodeContext& c) {
  if (isInteger(c))
    return c.bounded(c.terms().iadd(c.integral("self"), scaledInteger(c, "other")));
  return c.add(c.real("self"), scaled(c, "other"));
}

TermId sub(NodeContext& c) {
  if (isInteger(c))
    return c.bounded(c.terms().isub(c.integral("self"), scaledInteger(c, "other")));
  return c.sub(c.real("self"), scaled(c, "other"));
}

/// other - alpha * self
TermId rsub(NodeContext& c) {
  if (isInteger(c))
    return c.bounded(c.terms().isub(c.integral("other"), scaledInteger(c, "self")));
  return c.sub(c.real("other"), scaled(c, "self"));
}

TermId mul(NodeContext& c) {
  switch (c.commonSort({"self", "other"})) {
  case Sort::Bool: return c.terms().land(c.as(Sort::Bool, "self"), c.as(Sort::Bool, "other"));
  case Sort::Int: return c.bounded(c.terms().imul(c.integral("self"), c.integral("other")));
  default: return c.mul(c.real("self"), c.real("other"));
  }
}

/// On CUDA a divisor in the memory of the host is inverted first.
TermId div(NodeContext& c) {
  const TermId other = c.real("other");
  const auto* tensor = std::get_if<torch::TensorRef>(&c.argument("other"));
  if (!tensor && c.onCuda())
    return c.mul(c.real("self"), c.div(c.constant(1), other));
  if (tensor && c.isTarget(Target::TorchCuda) && mayBeHostScalar(c.graph(), tensor->name))
    c.unsupported("a divisor that is a constant of one element, which may be in the memory of the host,");
  return c.div(c.real("self"), other);
}

/// Where the remainder of a truncating division has to be moved to the sign of the divisor.
TermId isRoundedUp(NodeContext& c, TermId a, TermId b) {
  auto& terms = c.terms();
  const TermId zero = terms.integer(0);
  const TermId rest = terms.irem(a, b);
  const TermId up = terms.land(terms.ilt(rest, zero), terms.ilt(zero, b));
  const TermId down = terms.land(terms.ilt(zero, rest), terms.ilt(b, zero));
  return terms.lor(up, down);
}

void requireIntegers(NodeContext& c) {
  if (c.commonSort({"self", "other"}) != Sort::Int)
    c.unsupported("operands other than int64");
}

/// A divisor of zero has no value; PyTorch stops there.
TermId floorDivide(NodeContext& c) {
  requireIntegers(c);
  const TermId a = c.integral("self");
  const TermId b = c.integral("other");
  const TermId quotient = c.bounded(c.terms().idiv(a, b));
  return c.ite(isRoundedUp(c, a, b), c.terms().isub(quotient, c.terms().integer(1)), quotient);
}

/// Has the sign of the divisor.
TermId remainder(NodeContext& c) {
  requireIntegers(c);
  const TermId a = c.integral("self");
  const TermId b = c.integral("other");
  c.bounded(c.terms().idiv(a, b)); // the smallest number and -1: the processor stops PyTorch
  const TermId rest = c.terms().irem(a, b);
  return c.ite(isRoundedUp(c, a, b), c.terms().iadd(rest, b), rest);
}

TermId neg(NodeContext& c) {
  if (c.commonSort({"self"}) == Sort::Int)
    return c.bounded(c.terms().isub(c.terms().integer(0), c.integral("self")));
  return c.neg(c.f32("self"));
}

TermId abs(NodeContext& c) {
  if (c.commonSort({"self"}) != Sort::Int)
    return c.terms().unary(Op::FAbs, c.f32("self"));
  const TermId x = c.integral("self");
  const TermId negative = c.bounded(c.terms().isub(c.terms().integer(0), x));
  return c.ite(c.terms().ilt(x, negative), negative, x);
}

TermId sqrt(NodeContext& c) {
  return c.terms().unary(Op::FSqrt, c.real("self"));
}

TermId reciprocal(NodeContext& c) {
  return c.div(c.constant(1), c.real("self"));
}

TermId square(NodeContext& c) {
  if (c.commonSort({"self"}) == Sort::Int)
    return c.bounded(c.terms().imul(c.integral("self"), c.integral("self")));
  const TermId x = c.f32("self");
  return c.mul(x, x);
}

/// A number to the power of each element. One to any power is one, NaN too.
TermId powerOfNumber(NodeContext& c) {
  const auto base = c.number("self");
  if (c.commonSort({"self", "exponent"}) != Sort::F32)
    c.unsupported("a power of integers");
  if (base && base->value == 1)
    return c.constant(1);
  return c.opaque("aten.pow", {c.real("self"), c.real("exponent")});
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
    {"aten.floor_divide.Scalar", floorDivide},
    {"aten.floor_divide.default", floorDivide},
    {"aten.mul.Scalar", mul},
    {"aten.mul.Tensor", mul},
    {"aten.multiply.Scalar", mul},
    {"aten.multiply.Tensor", mul},
    {"aten.neg.default", neg},
    {"aten.negative.default", neg},
    {"aten.pow.Scalar", powerOfNumber},
    {"aten.pow.Tensor_Scalar", pow},
    {"aten.reciprocal.default", reciprocal},
    {"aten.remainder.Scalar", remainder},
    {"aten.remainder.Tensor", remainder},
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
