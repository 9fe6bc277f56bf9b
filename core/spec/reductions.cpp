// Reductions along dimensions: the left fold in index order from the operator's start value.
#include "core/spec/reductions.h"

#include <algorithm>
#include <numeric>

namespace plumbline::spec {

using logic::Op;
using logic::Sort;
using logic::TermId;

Reduction Reduction::of(TensorContext& c, const std::string& tensor, const std::vector<size_t>& dimensions,
                        bool keep) {
  return of(c, c.shapeOf(tensor), dimensions, keep);
}

Reduction Reduction::of(TensorContext& c, const Shape& from, const std::vector<size_t>& dimensions,
                        bool keep) {
  Reduction result;
  const auto isReduced = [&](size_t k) {
    return std::find(dimensions.begin(), dimensions.end(), k) != dimensions.end();
  };
  for (size_t k = 0; k < from.size(); ++k) {
    if (isReduced(k))
      result.reduced.push_back(from[k]);
    if (!isReduced(k))
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
    result.index.push_back(isReduced(k) ? inner[nextInner++] : outer[nextOuter++]);
    if (isReduced(k) && keep)
      ++nextOuter;
  }
  return result;
}

std::vector<size_t> allDimensions(size_t rank) {
  std::vector<size_t> all(rank);
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

Reduction reductionOfList(TensorContext& c) {
  const std::string self = c.tensor("self");
  const auto dimensions = c.dimensions("dim", c.shapeOf(self).size());
  return Reduction::of(c, self, dimensions, c.flag("keepdim"));
}

Reduction reductionOfOne(TensorContext& c) {
  const std::string self = c.tensor("self");
  const size_t dimension = c.dimension("dim", c.shapeOf(self).size());
  return Reduction::of(c, self, {dimension}, c.flag("keepdim"));
}

Reduction reductionOfAll(TensorContext& c) {
  const std::string self = c.tensor("self");
  return Reduction::of(c, self, allDimensions(c.shapeOf(self).size()), false);
}

void requireNoDtype(TensorContext& c) {
  if (c.dtype("dtype", torch::DType::F32) != torch::DType::F32)
    c.unsupported("another dtype than float32");
}

void resultSum(TensorContext& c, const Reduction& r) {
  const std::string self = c.tensor("self");
  const bool isFloat = c.error() || c.tensorDtype("self") == torch::DType::F32;
  const auto dtype = c.dtype("dtype", isFloat ? torch::DType::F32 : torch::DType::I64);
  if (dtype == torch::DType::I64 && !isFloat)
    return c.resultIntegerSum(r.shape, r.count, c.integerAt(self, r.index));
  requireNoDtype(c);
  c.resultFold(0, {r.shape, FoldKind::Sum, r.count, c.f32At(self, r.index)});
}

TermId countAsFloat(TensorContext& c, const Reduction& reduction) {
  return c.terms().intToFloat(Sort::F32, reduction.count);
}

TermId meanOf(TensorContext& c, TermId sum, TermId count, const Shape& results) {
  const auto number = [&](TermId value) { return c.terms().intToFloat(Sort::F32, value); };
  if (!c.onCuda())
    return c.div(sum, number(count));
  const TermId many = c.numel(results);
  return c.mul(sum, c.div(number(many), number(c.terms().imul(many, count))));
}

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

namespace {

void foldOf(TensorContext& c, FoldKind kind, const Reduction& r) {
  const std::string self = c.f32Tensor("self");
  c.resultFold(0, {r.shape, kind, r.count, c.f32At(self, r.index)});
}

void sumDim(TensorContext& c) {
  resultSum(c, reductionOfList(c));
}

void sumAll(TensorContext& c) {
  resultSum(c, reductionOfAll(c));
}

void productDim(TensorContext& c) {
  requireNoDtype(c);
  foldOf(c, FoldKind::Product, reductionOfOne(c));
}

void productAll(TensorContext& c) {
  requireNoDtype(c);
  foldOf(c, FoldKind::Product, reductionOfAll(c));
}

void meanBy(TensorContext& c, const Reduction& r) {
  requireNoDtype(c);
  const std::string self = c.f32Tensor("self");
  const std::string sum = c.fold("sum", {r.shape, FoldKind::Sum, r.count, c.f32At(self, r.index)});
  c.result(r.shape, meanOf(c, c.at(sum, c.coordinates(r.shape)), r.count, r.shape));
}

void meanDim(TensorContext& c) {
  meanBy(c, reductionOfList(c));
}

void meanAll(TensorContext& c) {
  meanBy(c, reductionOfAll(c));
}

/// A number other than zero is true; so is NaN.
TermId truthAt(TensorContext& c, const std::string& tensor, const Index& index) {
  const TermId element = c.at(tensor, index);
  switch (c.terms()[element].sort) {
  case Sort::Bool: return element;
  case Sort::Int: return c.terms().lnot(c.terms().ieq(element, c.number(0)));
  default: return c.terms().lnot(c.equal(element, c.constant(0)));
  }
}

void anyOf(TensorContext& c, const Reduction& r) {
  const TermId truth = truthAt(c, c.tensor("self"), r.index);
  const TermId next = c.terms().lor(c.accumulator(Sort::Bool), truth);
  c.resultFold(0, {r.shape, FoldKind::General, r.count, next, std::nullopt, c.terms().boolean(false)});
}

void allOf(TensorContext& c, const Reduction& r) {
  const TermId truth = truthAt(c, c.tensor("self"), r.index);
  const TermId next = c.terms().land(c.accumulator(Sort::Bool), truth);
  c.resultFold(0, {r.shape, FoldKind::General, r.count, next, std::nullopt, c.terms().boolean(true)});
}

void anyDim(TensorContext& c) {
  anyOf(c, reductionOfOne(c));
}

/// An empty list reduces nothing here, unlike in sums.
Reduction truthReductionOfList(TensorContext& c) {
  if (!c.isNone("dim") && c.integers("dim").empty())
    c.unsupported("an empty list of dimensions");
  return reductionOfList(c);
}

void anyDims(TensorContext& c) {
  anyOf(c, truthReductionOfList(c));
}

void anyAll(TensorContext& c) {
  anyOf(c, reductionOfAll(c));
}

void allDim(TensorContext& c) {
  allOf(c, reductionOfOne(c));
}

void allDims(TensorContext& c) {
  allOf(c, truthReductionOfList(c));
}

void allAll(TensorContext& c) {
  allOf(c, reductionOfAll(c));
}

constexpr TensorOperator table[] = {
    {"aten.all.default", allAll},      {"aten.all.dim", allDim},     {"aten.all.dims", allDims},
    {"aten.any.default", anyAll},      {"aten.any.dim", anyDim},     {"aten.any.dims", anyDims},
    {"aten.mean.default", meanAll},    {"aten.mean.dim", meanDim},   {"aten.prod.default", productAll},
    {"aten.prod.dim_int", productDim}, {"aten.sum.default", sumAll}, {"aten.sum.dim_IntList", sumDim},
};

} // namespace

std::span<const TensorOperator> reductionOperators() {
  return table;
}

} // namespace plumbline::spec
