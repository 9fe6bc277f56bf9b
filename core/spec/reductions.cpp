// Reductions along dimensions: the left fold in index order from the operator's start value.
#include "core/spec/reductions.h"

#include <algorithm>

namespace plumbline::spec {

using logic::Op;
using logic::Sort;
using logic::TermId;

Reduction Reduction::of(TensorContext& c, const std::string& tensor, const std::vector<size_t>& dimensions,
                        bool keep) {
  Reduction result;
  const Shape& from = c.shapeOf(tensor);
  for (size_t k = 0; k < from.size(); ++k) {
    const bool reduced = std::find(dimensions.begin(), dimensions.end(), k) != dimensions.end();
    if (reduced)
      result.reduced.push_back(from[k]);
    if (!reduced)
      result.shape.push_back(from[k]);
    else if (keep)
      result.shape.push_back(ir::sizeConstant(1));
  }
  result.count = c.numel(result.reduced);
  const Index outer = c.coordinates(result.shape);
  const Index inner = c.coordinates(result.reduced, c.step());
  size_t nextOuter = 0;
  size_t nextInner = 0;
  for (size_t k = 0; k < from.size(); ++k) {
    const bool reduced = std::find(dimensions.begin(), dimensions.end(), k) != dimensions.end();
    result.index.push_back(reduced ? inner[nextInner++] : outer[nextOuter++]);
    if (reduced && keep)
      ++nextOuter;
  }
  return result;
}

namespace {

/// Tensor "self", reduced over the argument "dim" (or everything) with "keepdim" where the overload has them.
Reduction reductionOf(TensorContext& c, bool hasKeep = true) {
  const std::string self = c.tensor("self");
  const auto dimensions = c.dimensions("dim", c.shapeOf(self).size());
  return Reduction::of(c, self, dimensions, hasKeep && c.flag("keepdim"));
}

Reduction wholeTensor(TensorContext& c) {
  const std::string self = c.tensor("self");
  std::vector<size_t> all;
  for (size_t k = 0; k < c.shapeOf(self).size(); ++k)
    all.push_back(k);
  return Reduction::of(c, self, all, false);
}

void requireNoDtype(TensorContext& c) {
  if (c.dtype("dtype", torch::DType::F32) != torch::DType::F32)
    c.unsupported("another dtype than float32");
}

void sumOf(TensorContext& c, const Reduction& r) {
  requireNoDtype(c);
  c.resultFold(0, {r.shape, FoldKind::Sum, r.count, c.f32At(c.tensor("self"), r.index)});
}

void sumDim(TensorContext& c) {
  sumOf(c, reductionOf(c));
}

void sumAll(TensorContext& c) {
  sumOf(c, wholeTensor(c));
}

/// The sum divided by the number of terms.
void meanOf(TensorContext& c, const Reduction& r) {
  requireNoDtype(c);
  const std::string sum =
      c.fold("sum", {r.shape, FoldKind::Sum, r.count, c.f32At(c.tensor("self"), r.index)});
  const TermId count = c.terms().intToFloat(Sort::F32, r.count);
  c.result(r.shape, c.div(c.at(sum, c.coordinates(r.shape)), count));
}

void meanDim(TensorContext& c) {
  meanOf(c, reductionOf(c));
}

void meanAll(TensorContext& c) {
  meanOf(c, wholeTensor(c));
}

/// Values and the index of the first one that is the result (a NaN beats all numbers).
void extremeDim(TensorContext& c, FoldKind kind) {
  const std::string self = c.tensor("self");
  const size_t dimension = c.dimension("dim", c.shapeOf(self).size());
  const Reduction r = Reduction::of(c, self, {dimension}, c.flag("keepdim"));
  const std::string values = c.fold("values", {r.shape, kind, r.count, c.f32At(self, r.index)});
  c.result(0, r.shape, c.at(values, c.coordinates(r.shape)));
  c.resultFold(1, firstPosition(c, r, self, values));
}

void maxDim(TensorContext& c) {
  extremeDim(c, FoldKind::Maximum);
}

void minDim(TensorContext& c) {
  extremeDim(c, FoldKind::Minimum);
}

constexpr TensorOperator table[] = {
    {"aten.max.dim", maxDim}, {"aten.mean.default", meanAll}, {"aten.mean.dim", meanDim},
    {"aten.min.dim", minDim}, {"aten.sum.default", sumAll},   {"aten.sum.dim_IntList", sumDim},
};

} // namespace

Fold firstPosition(TensorContext& c, const Reduction& r, const std::string& tensor,
                   const std::string& values) {
  const TermId value = c.f32At(tensor, r.index);
  const TermId wanted = c.at(values, c.coordinates(r.shape));
  const TermId acc = c.accumulator(Sort::Int);
  // Either both are NaN or they compare equal; -0 and +0 tie.
  const TermId both = c.terms().land(c.terms().unary(Op::FIsNan, value), c.terms().unary(Op::FIsNan, wanted));
  const TermId found = c.terms().lor(both, c.equal(value, wanted));
  const TermId first = c.terms().land(found, c.terms().ilt(acc, c.number(0)));
  return {r.shape,      FoldKind::General, r.count, c.terms().ite(first, c.step(), acc),
          std::nullopt, c.number(-1)};
}

std::span<const TensorOperator> reductionOperators() {
  return table;
}

} // namespace plumbline::spec
