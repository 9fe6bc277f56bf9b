#include "core/spec/operators.h"

namespace plumbline::spec {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;

bool isFloat(NodeContext& c) {
  return c.commonSort({"self", "other"}) == Sort::F32;
}

/// a < b, as floats where one of them is, else as integers.
TermId less(NodeContext& c, const char* a, const char* b) {
  return isFloat(c) ? c.less(c.real(a), c.real(b)) : c.terms().ilt(c.integral(a), c.integral(b));
}

TermId lessEqual(NodeContext& c, const char* a, const char* b) {
  return isFloat(c) ? c.lessEqual(c.real(a), c.real(b)) : c.terms().ile(c.integral(a), c.integral(b));
}

TermId gt(NodeContext& c) {
  return less(c, "other", "self");
}

TermId ge(NodeContext& c) {
  return lessEqual(c, "other", "self");
}

TermId lt(NodeContext& c) {
  return less(c, "self", "other");
}

TermId le(NodeContext& c) {
  return lessEqual(c, "self", "other");
}

TermId eq(NodeContext& c) {
  return isFloat(c) ? c.equal(c.real("self"), c.real("other"))
                    : c.terms().ieq(c.integral("self"), c.integral("other"));
}

TermId ne(NodeContext& c) {
  return c.terms().lnot(eq(c));
}

TermId where(NodeContext& c) {
  const Sort sort = c.commonSort({"self", "other"});
  return c.ite(c.boolean("condition"), c.as(sort, "self"), c.as(sort, "other"));
}

TermId maskedFill(NodeContext& c) {
  const Sort sort = c.commonSort({"self"});
  return c.ite(c.boolean("mask"), c.as(sort, "value"), c.as(sort, "self"));
}

TermId logicalNot(NodeContext& c) {
  return c.terms().lnot(c.truth("self"));
}

TermId logicalAnd(NodeContext& c) {
  return c.terms().land(c.truth("self"), c.truth("other"));
}

TermId logicalOr(NodeContext& c) {
  return c.terms().lor(c.truth("self"), c.truth("other"));
}

TermId logicalXor(NodeContext& c) {
  const TermId other = c.truth("other");
  return c.ite(c.truth("self"), c.terms().lnot(other), other);
}

/// The bits of integers are none of our terms'.
void requireTruths(NodeContext& c, std::initializer_list<const char*> names) {
  if (c.commonSort(names) != Sort::Bool)
    c.unsupported("operands other than truth values");
}

TermId bitwiseNot(NodeContext& c) {
  requireTruths(c, {"self"});
  return logicalNot(c);
}

TermId bitwiseAnd(NodeContext& c) {
  requireTruths(c, {"self", "other"});
  return logicalAnd(c);
}

TermId bitwiseOr(NodeContext& c) {
  requireTruths(c, {"self", "other"});
  return logicalOr(c);
}

TermId bitwiseXor(NodeContext& c) {
  requireTruths(c, {"self", "other"});
  return logicalXor(c);
}

TermId isNan(NodeContext& c) {
  return c.terms().unary(Op::FIsNan, c.f32("self"));
}

constexpr Operator table[] = {
    {"aten.__and__.Tensor", bitwiseAnd},
    {"aten.__or__.Tensor", bitwiseOr},
    {"aten.bitwise_and.Tensor", bitwiseAnd},
    {"aten.bitwise_not.default", bitwiseNot},
    {"aten.bitwise_or.Tensor", bitwiseOr},
    {"aten.bitwise_xor.Tensor", bitwiseXor},
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
    {"aten.logical_xor.default", logicalXor},
    {"aten.lt.Scalar", lt},
    {"aten.lt.Tensor", lt},
    {"aten.masked_fill.Scalar", maskedFill},
    {"aten.masked_fill.Tensor", maskedFill},
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
