// softmax, log_softmax and logsumexp: the maximum is subtracted first.
#include "core/spec/softmax.h"

#include <limits>

namespace plumbline::spec {

using logic::Op;
using logic::TermId;

Softmax Softmax::of(TensorContext& c, const std::string& tensor, size_t dimension,
                    const std::string& prefix) {
  Softmax result;
  result.m_tensor = tensor;
  result.m_dimension = dimension;
  const Reduction r = Reduction::of(c, tensor, {dimension}, true);
  result.m_maximum = c.fold(prefix + "max", {r.shape, FoldKind::Maximum, r.count, c.f32At(tensor, r.index)});
  const TermId power = c.opaque("aten.exp", {result.shifted(c, r.index)});
  result.m_sum = c.fold(prefix + "expsum", {r.shape, FoldKind::Sum, r.count, power});
  return result;
}

/// Coordinates in the stages, whose shape has a 1 in place of the dimension.
Index Softmax::row(TensorContext& c, const Index& index) const {
  Index result = index;
  if (m_dimension < result.size())
    result[m_dimension] = c.number(0);
  return result;
}

TermId Softmax::shifted(TensorContext& c, const Index& index) const {
  return c.sub(c.f32At(m_tensor, index), c.at(m_maximum, row(c, index)));
}

TermId Softmax::at(TensorContext& c, const Index& index) const {
  return c.div(c.opaque("aten.exp", {shifted(c, index)}), c.at(m_sum, row(c, index)));
}

TermId Softmax::logOf(TensorContext& c, TermId value, const Index& index) const {
  const TermId shift = c.sub(value, c.at(m_maximum, row(c, index)));
  return c.sub(shift, c.opaque("aten.log", {c.at(m_sum, row(c, index))}));
}

TermId Softmax::logAt(TensorContext& c, const Index& index) const {
  return logOf(c, c.f32At(m_tensor, index), index);
}

TermId Softmax::logGatherAt(TensorContext& c, const Index& index) const {
  return logOf(c, c.gatherAt(m_tensor, index, m_dimension), index);
}

namespace {

void softmaxOf(TensorContext& c, bool isLog) {
  const std::string self = c.f32Tensor("self");
  const Shape shape = c.shapeOf(self);
  const Softmax softmax = Softmax::of(c, self, c.dimension("dim", shape.size()));
  const Index index = c.coordinates(shape);
  c.result(shape, isLog ? softmax.logAt(c, index) : softmax.at(c, index));
}

void softmaxInt(TensorContext& c) {
  requireNoDtype(c);
  softmaxOf(c, false);
}

void logSoftmaxInt(TensorContext& c) {
  requireNoDtype(c);
  softmaxOf(c, true);
}

void requireNoHalf(TensorContext& c) {
  if (c.flag("half_to_float"))
    c.unsupported("half_to_float");
}

void softmaxInner(TensorContext& c) {
  requireNoHalf(c);
  softmaxOf(c, false);
}

void logSoftmaxInner(TensorContext& c) {
  requireNoHalf(c);
  softmaxOf(c, true);
}

/// An infinite maximum is not subtracted: it would make NaN of itself.
void logSumExp(TensorContext& c) {
  const std::string self = c.f32Tensor("self");
  const Reduction r = reductionOfList(c);
  const TermId value = c.f32At(self, r.index);
  const std::string largest = c.fold("max", {r.shape, FoldKind::Maximum, r.count, value});
  const Index row = c.coordinates(r.shape);
  const TermId maximum = c.at(largest, row);
  const TermId infinite =
      c.equal(c.terms().unary(Op::FAbs, maximum), c.constant(std::numeric_limits<double>::infinity()));
  const TermId shift = c.ite(infinite, c.constant(0), maximum);
  const TermId power = c.opaque("aten.exp", {c.sub(value, shift)});
  const std::string sum = c.fold("expsum", {r.shape, FoldKind::Sum, r.count, power});
  c.result(r.shape, c.add(c.opaque("aten.log", {c.at(sum, row)}), shift));
}

constexpr TensorOperator table[] = {
    {"aten._log_softmax.default", logSoftmaxInner},
    {"aten._softmax.default", softmaxInner},
    {"aten.log_softmax.int", logSoftmaxInt},
    {"aten.logsumexp.default", logSumExp},
    {"aten.softmax.int", softmaxInt},
};

} // namespace

std::span<const TensorOperator> softmaxOperators() {
  return table;
}

} // namespace plumbline::spec
