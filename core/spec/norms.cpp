// Norms of vectors, and distances that are norms of differences.
#include "core/spec/norms.h"

#include <algorithm>
#include <cmath>

namespace plumbline::spec {

using logic::Op;
using logic::TermId;

namespace {

bool isPower(double order) {
  return order != 0 && order != 1 && order != 2 && !std::isinf(order);
}

/// What is summed, or compared under an infinite order.
TermId normTerm(TensorContext& c, TermId value, const torch::FloatScalar& order) {
  if (order.value == 0)
    return c.ite(c.equal(value, c.constant(0)), c.constant(0), c.constant(1));
  if (order.value == 2)
    return c.mul(value, value);
  const TermId magnitude = c.terms().unary(Op::FAbs, value);
  return isPower(order.value) ? c.opaque("aten.pow", {magnitude, c.constant(order)}) : magnitude;
}

FoldKind normKind(double order) {
  if (!std::isinf(order))
    return FoldKind::Sum;
  return order > 0 ? FoldKind::Maximum : FoldKind::Minimum;
}

} // namespace

Norm Norm::of(TensorContext& c, const std::string& suffix, const Reduction& r, TermId value,
              const torch::FloatScalar& order) {
  if (std::isnan(order.value))
    c.unsupported("a norm of order NaN");
  Norm result;
  result.m_order = order.value;
  result.m_stage = c.fold(suffix, {r.shape, normKind(order.value), r.count, normTerm(c, value, order)});
  return result;
}

TermId Norm::at(TensorContext& c, const Index& row) const {
  const TermId folded = c.at(m_stage, row);
  if (m_order == 2)
    return c.terms().unary(Op::FSqrt, folded);
  return isPower(m_order) ? c.opaque("aten.pow", {folded, c.div(c.constant(1), c.constant(m_order))})
                          : folded;
}

namespace {

/// ATen gives the magnitude where every row has one element, so that nothing overflows on the way.
void normOf(TensorContext& c, const Reduction& r, const torch::FloatScalar& order) {
  const std::string self = c.f32Tensor("self");
  const TermId value = c.f32At(self, r.index);
  if (order.value != 0 && std::ranges::all_of(r.reduced, isOne)) {
    c.result(r.shape, c.terms().unary(Op::FAbs, value));
    return;
  }
  const Norm norm = Norm::of(c, "norm", r, value, order);
  c.result(r.shape, norm.at(c, c.coordinates(r.shape)));
}

torch::FloatScalar order(TensorContext& c, const std::string& name) {
  return c.number(name).value_or(torch::floatScalar(2));
}

void vectorNorm(TensorContext& c) {
  requireNoDtype(c);
  normOf(c, reductionOfList(c), order(c, "ord"));
}

void normScalar(TensorContext& c) {
  normOf(c, reductionOfAll(c), order(c, "p"));
}

/// The order is 2 when None.
void normDim(TensorContext& c) {
  normOf(c, reductionOfList(c), c.isNone("p") ? torch::floatScalar(2) : order(c, "p"));
}

constexpr TensorOperator table[] = {
    {"aten.linalg_vector_norm.default", vectorNorm},
    {"aten.norm.Scalar", normScalar},
    {"aten.norm.ScalarOpt_dim", normDim},
};

} // namespace

std::span<const TensorOperator> normOperators() {
  return table;
}

} // namespace plumbline::spec
