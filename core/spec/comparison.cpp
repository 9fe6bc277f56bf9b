#include "core/spec/operators.h"

namespace plumbline::spec {
namespace {

using logic::Op;
using logic::TermId;

TermId gt(NodeContext& c) {
  return c.less(c.f32("other"), c.f32("self"));
}

TermId ge(NodeContext& c) {
  return c.lessEqual(c.f32("other"), c.f32("self"));
}

TermId lt(NodeContext& c) {
  return c.less(c.f32("self"), c.f32("other"));
}

TermId le(NodeContext& c) {
  return c.lessEqual(c.f32("self"), c.f32("other"));
}

TermId eq(NodeContext& c) {
  return c.equal(c.f32("self"), c.f32("other"));
}

TermId ne(NodeContext& c) {
  return c.terms().lnot(eq(c));
}

TermId where(NodeContext& c) {
  return c.ite(c.boolean("condition"), c.f32("self"), c.f32("other"));
}

TermId maskedFill(NodeContext& c) {
  return c.ite(c.boolean("mask"), c.f32("value"), c.f32("self"));
}

TermId logicalNot(NodeContext& c) {
  return c.terms().lnot(c.boolean("self"));
}

TermId logicalAnd(NodeContext& c) {
  return c.terms().land(c.boolean("self"), c.boolean("other"));
}

TermId logicalOr(NodeContext& c) {
  return c.terms().lor(c.boolean("self"), c.boolean("other"));
}

TermId isNan(NodeContext& c) {
  return c.terms().unary(Op::FIsNan, c.f32("self"));
}

constexpr Operator table[] = {
    {"aten.__and__.Tensor", logicalAnd},
    {"aten.__or__.Tensor", logicalOr},
    {"aten.bitwise_and.Tensor", logicalAnd},
    {"aten.bitwise_not.default", logicalNot},
    {"aten.bitwise_or.Tensor", logicalOr},
    {"aten.eq.Scalar", eq},
    {"aten.eq.Tensor", eq},
    {"aten.ge.Scalar", ge},
    {"aten.ge.Tensor", ge},
    {"aten.gt.Scalar", gt},
    {"aten.gt.Tensor", gt},
    {"aten.isnan.default", isNan},
    {"aten.le.Scalar", le},
    {"aten.le.Tensor", le},
    {"aten.logical_and.default", logicalAnd},
    {"aten.logical_not.default", logicalNot},
    {"aten.logical_or.default", logicalOr},
    {"aten.lt.Scalar", lt},
    {"aten.lt.Tensor", lt},
    {"aten.masked_fill.Scalar", maskedFill},
    {"aten.ne.Scalar", ne},
    {"aten.ne.Tensor", ne},
    {"aten.where.ScalarOther", where},
    {"aten.where.ScalarSelf", where},
    {"aten.where.self", where},
};

} // namespace

std::span<const Operator> comparisonOperators() {
  return table;
}

} // namespace plumbline::spec
