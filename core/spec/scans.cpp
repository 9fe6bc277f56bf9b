// Sums and products of all elements up to the own one.
#include "core/spec/reductions.h"

namespace plumbline::spec {
namespace {

void scan(TensorContext& c, FoldKind kind) {
  requireNoDtype(c);
  const std::string self = c.f32Tensor("self");
  const Shape shape = c.shapeOf(self);
  const size_t dimension = c.dimension("dim", shape.size());
  if (shape.empty()) { // ATen copies a scalar, so that a negative zero stays
    c.result(shape, c.flat("self"));
    return;
  }
  Index index = c.coordinates(shape);
  const logic::TermId count = c.terms().iadd(index[dimension], c.number(1));
  index[dimension] = c.step();
  c.resultFold(0, {shape, kind, count, c.f32At(self, index)});
}

void cumulativeSum(TensorContext& c) {
  scan(c, FoldKind::Sum);
}

void cumulativeProduct(TensorContext& c) {
  scan(c, FoldKind::Product);
}

constexpr TensorOperator table[] = {
    {"aten.cumprod.default", cumulativeProduct},
    {"aten.cumsum.default", cumulativeSum},
};

} // namespace

std::span<const TensorOperator> scanOperators() {
  return table;
}

} // namespace plumbline::spec
