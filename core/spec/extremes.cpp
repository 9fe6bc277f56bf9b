// Largest and smallest elements and where they stand. A NaN beats every number; the first of several stands
// for all of them.
#include "core/spec/reductions.h"

namespace plumbline::spec {
namespace {

std::string values(TensorContext& c, FoldKind kind, const Reduction& r, const std::string& self) {
  return c.fold("values", {r.shape, kind, r.count, c.f32At(self, r.index)});
}

/// Values and positions.
void extremeDim(TensorContext& c, FoldKind kind) {
  const std::string self = c.f32Tensor("self");
  const Reduction r = reductionOfOne(c);
  const std::string found = values(c, kind, r, self);
  c.result(0, r.shape, c.at(found, c.coordinates(r.shape)));
  c.resultFold(1, firstPosition(c, r, self, found));
}

void maxDim(TensorContext& c) {
  extremeDim(c, FoldKind::Maximum);
}

void minDim(TensorContext& c) {
  extremeDim(c, FoldKind::Minimum);
}

/// Values only.
void extremeOf(TensorContext& c, FoldKind kind, const Reduction& r) {
  const std::string self = c.f32Tensor("self");
  c.resultFold(0, {r.shape, kind, r.count, c.f32At(self, r.index)});
}

void maxAll(TensorContext& c) {
  extremeOf(c, FoldKind::Maximum, reductionOfAll(c));
}

void minAll(TensorContext& c) {
  extremeOf(c, FoldKind::Minimum, reductionOfAll(c));
}

void amax(TensorContext& c) {
  extremeOf(c, FoldKind::Maximum, reductionOfList(c));
}

void amin(TensorContext& c) {
  extremeOf(c, FoldKind::Minimum, reductionOfList(c));
}

/// Positions only; without a dimension those in the flattened tensor.
void positionOf(TensorContext& c, FoldKind kind) {
  const std::string self = c.f32Tensor("self");
  const size_t rank = c.shapeOf(self).size();
  const std::vector<size_t> dimensions =
      c.isNone("dim") ? allDimensions(rank) : std::vector{c.dimension("dim", rank)};
  const Reduction r = Reduction::of(c, self, dimensions, c.flag("keepdim"));
  c.resultFold(0, firstPosition(c, r, self, values(c, kind, r, self)));
}

void argmax(TensorContext& c) {
  positionOf(c, FoldKind::Maximum);
}

void argmin(TensorContext& c) {
  positionOf(c, FoldKind::Minimum);
}

constexpr TensorOperator table[] = {
    {"aten.amax.default", amax},     {"aten.amin.default", amin},  {"aten.argmax.default", argmax},
    {"aten.argmin.default", argmin}, {"aten.max.default", maxAll}, {"aten.max.dim", maxDim},
    {"aten.min.default", minAll},    {"aten.min.dim", minDim},
};

} // namespace

std::span<const TensorOperator> extremeOperators() {
  return table;
}

} // namespace plumbline::spec
