// Sums and products of all elements up to the own one.
#include "core/spec/reductions.h"

namespace plumbline::spec {
namespace {

/// Integers and truth values are added as int64.
bool isIntegerSum(TensorContext& c, FoldKind kind) {
  return kind == FoldKind::Sum && !c.error() && c.tensorDtype("self") != torch::DType::F32 &&
         c.dtype("dtype", torch::DType::I64) == torch::DType::I64;
}

void scan(TensorContext& c, FoldKind kind) {
  const bool isInteger = isIntegerSum(c, kind);
  if (!isInteger)
    requireNoDtype(c);
  const std::string self = isInteger ? c.tensor("self") : c.f32Tensor("self");
  const Shape shape = c.shapeOf(self);
  const size_t dimension = c.dimension("dim", shape.size());
  if (shape.empty()) { // ATen copies a scalar, so that a negative zero stays
    c.result(shape, isInteger ? c.integerAt(self, {}) : c.flat("self"));
    return;
  }
  Index index = c.coordinates(shape);
  const logic::TermId count = c.terms().iadd(index[dimension], c.number(1));
  index[dimension] = c.step();
  if (isInteger)
    c.resultIntegerSum(shape, count, c.integerAt(self, index));
  else
    c.resultFold(0, {shape, kind, count, c.f32At(self, index)});
}

/// Largest (smallest) elements so far and the last position at which each stands; a NaN beats every number.
void extremesSoFar(TensorContext& c, FoldKind kind) {
  const std::string self = c.f32Tensor("self");
  const Shape shape = c.shapeOf(self);
  const size_t dimension = c.dimension("dim", shape.size());
  if (shape.empty())
    c.unsupported("a scalar tensor");
  if (c.error())
    return;
  auto& terms = c.terms();
  Index index = c.coordinates(shape);
  const logic::TermId count = terms.iadd(index[dimension], c.number(1));
  index[dimension] = c.step();
  const logic::TermId value = c.f32At(self, index);
  const std::string values = c.fold("values", {shape, kind, count, value});
  const logic::TermId found = c.at(values, c.coordinates(shape));
  c.result(0, shape, found);
  const logic::TermId bothNan =
      terms.land(terms.unary(logic::Op::FIsNan, value), terms.unary(logic::Op::FIsNan, found));
  const logic::TermId isThere = terms.lor(bothNan, c.equal(value, found));
  const logic::TermId last = terms.ite(isThere, c.step(), c.accumulator(logic::Sort::Int));
  c.resultFold(1, {shape, FoldKind::General, count, last, std::nullopt, c.number(0)});
}

void cumulativeMaximum(TensorContext& c) {
  extremesSoFar(c, FoldKind::Maximum);
}

void cumulativeMinimum(TensorContext& c) {
  extremesSoFar(c, FoldKind::Minimum);
}

void cumulativeSum(TensorContext& c) {
  scan(c, FoldKind::Sum);
}

void cumulativeProduct(TensorContext& c) {
  scan(c, FoldKind::Product);
}

constexpr TensorOperator table[] = {
    {"aten.cummax.default", cumulativeMaximum},
    {"aten.cummin.default", cumulativeMinimum},
    {"aten.cumprod.default", cumulativeProduct},
    {"aten.cumsum.default", cumulativeSum},
};

} // namespace

std::span<const TensorOperator> scanOperators() {
  return table;
}

} // namespace plumbline::spec
