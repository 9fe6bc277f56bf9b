// (x - mean) / sqrt(variance + eps) * weight + bias, in this order, with the biased variance of two passes.
#include "core/spec/statistics.h"

#include <algorithm>

namespace plumbline::spec {
namespace {

using ir::SizeExpr;
using logic::Op;
using logic::TermId;

/// The element of an optional tensor; nothing when it is None.
std::optional<TermId> optionalAt(TensorContext& c, const std::string& name, const Index& index) {
  const auto given = c.optionalTensor(name);
  return given ? std::optional(c.at(c.f32Tensor(name), index)) : std::nullopt;
}

TermId deviation(TensorContext& c, TermId variance) {
  return c.terms().unary(Op::FSqrt, c.add(variance, c.f32("eps")));
}

/// Multiplied by the weight and shifted by the bias, where they are given.
TermId affine(TensorContext& c, TermId value, const Index& index) {
  if (const auto weight = optionalAt(c, "weight", index))
    value = c.mul(value, *weight);
  if (const auto bias = optionalAt(c, "bias", index))
    value = c.add(value, *bias);
  return value;
}

/// Checks that an optional tensor has the shape, so that its elements may be read by it.
void requireShape(TensorContext& c, const std::string& name, const Shape& shape) {
  const auto given = c.optionalTensor(name);
  if (!given || c.error())
    return;
  const Shape actual = c.shapeOf(*given);
  if (actual.size() != shape.size())
    c.unsupported("the argument '" + name + "' has " + std::to_string(actual.size()) + " dimensions");
  for (size_t k = 0; !c.error() && k < shape.size(); ++k)
    c.requireSame(actual[k], shape[k], name);
}

/// Under training statistics ATen's batch_norm divides by nothing where variance and eps are both 0.
TermId normalised(TensorContext& c, TermId value, TermId mean, TermId variance, bool isBatch) {
  const TermId distance = c.sub(value, mean);
  const TermId quotient = c.div(distance, deviation(c, variance));
  const auto eps = c.number("eps");
  if (!isBatch || !eps || eps->value != 0)
    return quotient;
  return c.ite(c.equal(variance, c.constant(0)), c.mul(distance, c.constant(0)), quotient);
}

/// Channels are dimension 1. `kept` are the dimensions that have statistics of their own.
void normaliseChannels(TensorContext& c, const std::vector<size_t>& kept, bool ownStatistics) {
  const std::string input = c.f32Tensor("input");
  const Shape shape = c.shapeOf(input);
  if (c.error())
    return;
  for (const char* name : {"weight", "bias", "running_mean", "running_var"})
    requireShape(c, name, {shape[1]});
  const Index index = c.coordinates(shape);
  const Index channel = {index[1]};
  const TermId value = c.at(input, index);
  if (!ownStatistics) {
    if (c.isNone("running_mean") || c.isNone("running_var"))
      c.unsupported("evaluation without running statistics");
    const TermId mean = c.at(c.f32Tensor("running_mean"), channel);
    const TermId variance = c.at(c.f32Tensor("running_var"), channel);
    c.result(shape, affine(c, normalised(c, value, mean, variance, false), channel));
    return;
  }
  std::vector<size_t> reduced;
  Index row;
  for (size_t k = 0; k < shape.size(); ++k)
    if (std::ranges::find(kept, k) == kept.end())
      reduced.push_back(k);
    else
      row.push_back(index[k]);
  const Reduction r = Reduction::of(c, input, reduced, false);
  const Statistics statistics = Statistics::of(c, r, c.at(input, r.index));
  c.result(shape, affine(c, normalised(c, value, statistics.mean(c, row), statistics.variance(c, row), true),
                         channel));
}

/// The running statistics that training updates are no results; denote() refuses a program that reads them.
void batchNorm(TensorContext& c) {
  if (c.shapeOf(c.tensor("input")).size() < 2)
    c.unsupported("a tensor with fewer than two dimensions");
  normaliseChannels(c, {1}, c.flag("training"));
}

void instanceNorm(TensorContext& c) {
  if (c.shapeOf(c.tensor("input")).size() < 3)
    c.unsupported("a tensor with fewer than three dimensions");
  normaliseChannels(c, {0, 1}, c.flag("use_input_stats"));
}

/// Rows are (sample, group); a row's terms run over the channels of the group, then over the positions.
void groupNorm(TensorContext& c) {
  const std::string input = c.f32Tensor("input");
  const Shape shape = c.shapeOf(input);
  const int64_t groups = c.integer("num_groups");
  if (shape.size() < 2 || groups < 1)
    c.unsupported("fewer than two dimensions, or no group");
  if (c.error())
    return;
  requireShape(c, "weight", {shape[1]});
  requireShape(c, "bias", {shape[1]});
  const auto channels = ir::sizeBinary(SizeExpr::Kind::Div, shape[1], ir::sizeConstant(groups));
  c.requireSame(ir::sizeBinary(SizeExpr::Kind::Mul, channels, ir::sizeConstant(groups)), shape[1],
                "channels that the groups share evenly");
  Reduction r;
  r.shape = {shape[0], ir::sizeConstant(groups)};
  r.reduced = Shape(shape.begin() + 1, shape.end());
  r.reduced[0] = channels;
  r.count = c.numel(r.reduced);
  const Index row = c.coordinates(r.shape);
  r.index = c.coordinates(r.reduced, c.step());
  r.index[0] = c.terms().iadd(c.terms().imul(row[1], c.term(channels)), r.index[0]);
  r.index.insert(r.index.begin(), row[0]);
  const Statistics statistics = Statistics::of(c, r, c.at(input, r.index));

  const Index index = c.coordinates(shape);
  const Index own = {index[0], c.terms().idiv(index[1], c.term(channels))};
  c.result(shape, affine(c,
                         normalised(c, c.at(input, index), statistics.mean(c, own),
                                    statistics.variance(c, own), false),
                         {index[1]}));
}

/// The last dimensions, which "normalized_shape" repeats, form a row.
struct LastDimensions {
  Shape shape; ///< of the whole tensor
  Index index; ///< of the element
  Index own;   ///< of its row's statistics, whose shape has a 1 in place of every dimension of the row
  Index inner; ///< of the element in its row
  Reduction reduction;
};

std::optional<LastDimensions> lastDimensions(TensorContext& c, const std::string& input) {
  LastDimensions result;
  result.shape = c.shapeOf(input);
  const Shape row = c.sizes("normalized_shape");
  if (row.empty() || row.size() > result.shape.size())
    c.unsupported("normalized_shape has no dimension, or more than the tensor");
  if (c.error())
    return std::nullopt;
  result.index = c.coordinates(result.shape);
  result.own = result.index;
  std::vector<size_t> reduced;
  const size_t outer = result.shape.size() - row.size();
  for (size_t k = outer; k < result.shape.size(); ++k) {
    c.requireSame(result.shape[k], row[k - outer], "normalized_shape");
    reduced.push_back(k);
    result.own[k] = c.number(0);
    result.inner.push_back(result.index[k]);
  }
  requireShape(c, "weight", row);
  result.reduction = Reduction::of(c, input, reduced, true);
  return result;
}

void layerNormOf(TensorContext& c, bool withStatistics) {
  const std::string input = c.f32Tensor("input");
  const auto last = lastDimensions(c, input);
  if (!last)
    return;
  requireShape(c, "bias", c.sizes("normalized_shape"));
  const Reduction& r = last->reduction;
  const Statistics statistics = Statistics::of(c, r, c.at(input, r.index));
  const TermId mean = statistics.mean(c, last->own);
  const TermId variance = statistics.variance(c, last->own);
  const TermId value = normalised(c, c.at(input, last->index), mean, variance, false);
  c.result(0, last->shape, affine(c, value, last->inner));
  if (!withStatistics)
    return;
  const Index each = c.coordinates(r.shape);
  c.result(1, r.shape, statistics.mean(c, each));
  c.result(2, r.shape, c.div(c.constant(1), deviation(c, statistics.variance(c, each))));
}

void layerNorm(TensorContext& c) {
  layerNormOf(c, false);
}

void nativeLayerNorm(TensorContext& c) {
  layerNormOf(c, true);
}

/// x / sqrt(mean(x * x) + eps) * weight; eps is the distance from 1 to the next float when None.
void rmsNorm(TensorContext& c) {
  const std::string input = c.f32Tensor("input");
  const auto last = lastDimensions(c, input);
  if (!last)
    return;
  const Reduction& r = last->reduction;
  const TermId term = c.at(input, r.index);
  const std::string sum = c.fold("squares", {r.shape, FoldKind::Sum, r.count, c.mul(term, term)});
  const TermId eps = c.isNone("eps") ? c.constant(0x1p-23) : c.f32("eps");
  const TermId squared = c.add(meanOf(c, c.at(sum, last->own), r.count, r.shape), eps);
  const TermId element = c.at(input, last->index);
  TermId value = c.onCuda() ? c.mul(element, c.opaque("aten.rsqrt", {squared}))
                            : c.div(element, c.terms().unary(Op::FSqrt, squared));
  if (const auto weight = optionalAt(c, "weight", last->inner))
    value = c.mul(value, *weight);
  c.result(last->shape, value);
}

constexpr TensorOperator table[] = {
    {"aten.batch_norm.default", batchNorm},
    {"aten.group_norm.default", groupNorm},
    {"aten.instance_norm.default", instanceNorm},
    {"aten.layer_norm.default", layerNorm},
    {"aten.native_layer_norm.default", nativeLayerNorm},
    {"aten.rms_norm.default", rmsNorm},
};

} // namespace

std::span<const TensorOperator> normalisationOperators() {
  return table;
}

} // namespace plumbline::spec
