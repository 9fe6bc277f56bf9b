// Variance and standard deviation: the mean first, then the squares of the distances from it.
#include "core/spec/statistics.h"

namespace plumbline::spec {

using logic::Op;
using logic::Sort;
using logic::TermId;

Statistics Statistics::of(TensorContext& c, const Reduction& r, TermId value) {
  Statistics result;
  result.count = countAsFloat(c, r);
  result.sum = c.fold("sum", {r.shape, FoldKind::Sum, r.count, value});
  const TermId distance = c.sub(value, result.mean(c, c.coordinates(r.shape)));
  result.squares = c.fold("squares", {r.shape, FoldKind::Sum, r.count, c.mul(distance, distance)});
  return result;
}

TermId Statistics::mean(TensorContext& c, const Index& row) const {
  return c.div(c.at(sum, row), count);
}

TermId Statistics::variance(TensorContext& c, const Index& row) const {
  return c.div(c.at(squares, row), count);
}

namespace {

/// max(0, count - correction); the correction is 1 when None.
TermId degreesOfFreedom(TensorContext& c, const Reduction& r) {
  const bool isNone = c.isNone("correction");
  if (isNone || std::holds_alternative<int64_t>(c.argument("correction"))) {
    const TermId left = c.terms().isub(r.count, c.number(isNone ? 1 : c.integer("correction")));
    return c.terms().intToFloat(Sort::F32, c.largest(c.number(0), left));
  }
  const TermId left = c.sub(countAsFloat(c, r), c.f32("correction"));
  return c.ite(c.less(left, c.constant(0)), c.constant(0), left);
}

TermId degreesOfFreedomByFlag(TensorContext& c, const Reduction& r) {
  const TermId left = c.terms().isub(r.count, c.number(c.flag("unbiased") ? 1 : 0));
  return c.terms().intToFloat(Sort::F32, c.largest(c.number(0), left));
}

enum class Spread : uint8_t { Variance, Deviation };

/// Result number `k`.
void spread(TensorContext& c, size_t k, Spread kind, const Reduction& r, const Statistics& statistics,
            TermId freedom) {
  const TermId variance = c.div(c.at(statistics.squares, c.coordinates(r.shape)), freedom);
  c.result(k, r.shape, kind == Spread::Variance ? variance : c.terms().unary(Op::FSqrt, variance));
}

Statistics statisticsOfSelf(TensorContext& c, const Reduction& r) {
  return Statistics::of(c, r, c.f32At(c.f32Tensor("self"), r.index));
}

template <Spread kind> void corrected(TensorContext& c) {
  const Reduction r = reductionOfList(c);
  spread(c, 0, kind, r, statisticsOfSelf(c, r), degreesOfFreedom(c, r));
}

template <Spread kind> void unbiasedDim(TensorContext& c) {
  const Reduction r = reductionOfList(c);
  spread(c, 0, kind, r, statisticsOfSelf(c, r), degreesOfFreedomByFlag(c, r));
}

template <Spread kind> void unbiasedAll(TensorContext& c) {
  const Reduction r = reductionOfAll(c);
  spread(c, 0, kind, r, statisticsOfSelf(c, r), degreesOfFreedomByFlag(c, r));
}

/// The mean is the second result.
template <Spread kind> void withMean(TensorContext& c) {
  const Reduction r = reductionOfList(c);
  const Statistics statistics = statisticsOfSelf(c, r);
  spread(c, 0, kind, r, statistics, degreesOfFreedom(c, r));
  c.result(1, r.shape, statistics.mean(c, c.coordinates(r.shape)));
}

constexpr TensorOperator table[] = {
    {"aten.std.correction", corrected<Spread::Deviation>},
    {"aten.std.default", unbiasedAll<Spread::Deviation>},
    {"aten.std.dim", unbiasedDim<Spread::Deviation>},
    {"aten.std_mean.correction", withMean<Spread::Deviation>},
    {"aten.var.correction", corrected<Spread::Variance>},
    {"aten.var.default", unbiasedAll<Spread::Variance>},
    {"aten.var.dim", unbiasedDim<Spread::Variance>},
    {"aten.var_mean.correction", withMean<Spread::Variance>},
};

} // namespace

std::span<const TensorOperator> statisticsOperators() {
  return table;
}

} // namespace plumbline::spec
