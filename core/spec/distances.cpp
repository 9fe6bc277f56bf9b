// Distances and similarities of vectors, and the losses made of them.
#include "core/spec/losses.h"
#include "core/spec/norms.h"

namespace plumbline::spec {
namespace {

using logic::Op;
using logic::TermId;

/// The p-norms of a - b + eps along the last dimension of the common shape.
struct Distance {
  Shape shape; ///< without the last dimension
  Norm norm;

  static std::optional<Distance> of(TensorContext& c, const std::string& suffix, const std::string& a,
                                    const std::string& b, bool keep) {
    const Shape common = c.broadcastShape(c.shapeOf(a), c.shapeOf(b));
    if (common.empty())
      c.unsupported("scalar tensors");
    const torch::FloatScalar order = c.number("p").value_or(torch::floatScalar(2));
    if (c.error())
      return std::nullopt;
    const Reduction r = Reduction::of(c, common, {common.size() - 1}, keep);
    const TermId difference =
        c.sub(c.at(a, c.stretched(c.shapeOf(a), r.index)), c.at(b, c.stretched(c.shapeOf(b), r.index)));
    return Distance{r.shape, Norm::of(c, suffix, r, c.add(difference, c.f32("eps")), order)};
  }
};

void pairwiseDistance(TensorContext& c) {
  const auto distance = Distance::of(c, "norm", c.f32Tensor("x1"), c.f32Tensor("x2"), c.flag("keepdim"));
  if (distance)
    c.result(distance->shape, distance->norm.at(c, c.coordinates(distance->shape)));
}

/// max(0, margin + |anchor - positive| - |anchor - negative|); under "swap" the negative may be nearer to the
/// positive than to the anchor.
void tripletMargin(TensorContext& c) {
  const std::string anchor = c.f32Tensor("anchor");
  const std::string positive = c.f32Tensor("positive");
  const std::string negative = c.f32Tensor("negative");
  const auto near = Distance::of(c, "positive", anchor, positive, false);
  const auto far = Distance::of(c, "negative", anchor, negative, false);
  const bool swap = c.flag("swap");
  const auto other = swap ? Distance::of(c, "swap", positive, negative, false) : std::nullopt;
  if (c.error() || !near || !far)
    return;
  const TermId margin = c.f32("margin");
  Shape shape = c.broadcastShape(near->shape, far->shape);
  if (other)
    shape = c.broadcastShape(shape, other->shape);
  const auto at = [&](const Distance& distance, const Index& index) {
    return distance.norm.at(c, c.stretched(distance.shape, index));
  };
  reduceLoss(c, shape, [&](const Index& index) {
    TermId away = at(*far, index);
    if (other) { // norms are never -0, so that no tie of zeros arises
      const TermId second = at(*other, index);
      const TermId nearer = c.terms().lor(c.terms().unary(Op::FIsNan, second), c.less(second, away));
      away = c.ite(c.terms().unary(Op::FIsNan, away), away, c.ite(nearer, second, away));
    }
    const TermId loss = c.sub(c.add(margin, at(*near, index)), away);
    return c.ite(c.less(loss, c.constant(0)), c.constant(0), loss);
  });
}

/// The larger of a norm and eps; NaN stays.
TermId atLeast(TensorContext& c, TermId norm, TermId eps) {
  return c.ite(c.less(norm, eps), eps, norm);
}

/// The sum of (x1 / max(|x1|, eps)) * (x2 / max(|x2|, eps)) along a dimension.
void cosineSimilarity(TensorContext& c) {
  const std::string a = c.f32Tensor("x1");
  const std::string b = c.f32Tensor("x2");
  const Shape common = c.broadcastShape(c.shapeOf(a), c.shapeOf(b));
  const TermId eps = c.f32("eps");
  const Reduction r = Reduction::of(c, common, {c.dimension("dim", common.size())}, false);
  if (c.error())
    return;
  const Index row = c.coordinates(r.shape);
  const auto unit = [&](const std::string& tensor, const std::string& suffix) {
    const TermId value = c.at(tensor, c.stretched(c.shapeOf(tensor), r.index));
    const Norm norm = Norm::of(c, suffix, r, value, torch::floatScalar(2));
    return c.div(value, atLeast(c, norm.at(c, row), eps));
  };
  const TermId first = unit(a, "norm1");
  const TermId second = unit(b, "norm2");
  c.resultFold(0, {r.shape, FoldKind::Sum, r.count, c.mul(first, second)});
}

/// The sum of the products over the root of the product of the squared lengths, each with 1e-12 added. The
/// loss is 1 - cos where the target is 1, max(0, cos - margin) where it is -1, and 0 elsewhere.
void cosineEmbedding(TensorContext& c) {
  const std::string a = c.f32Tensor("input1");
  const std::string b = c.f32Tensor("input2");
  const std::string target = c.tensor("target");
  const Shape common = c.broadcastShape(c.shapeOf(a), c.shapeOf(b));
  const size_t dimension = c.shapeOf(target).size();
  if (dimension + 1 != common.size())
    c.unsupported("a target that does not have one dimension less than the inputs");
  if (c.error())
    return;
  const Reduction r = Reduction::of(c, common, {dimension}, false);
  const TermId x = c.at(a, c.stretched(c.shapeOf(a), r.index));
  const TermId y = c.at(b, c.stretched(c.shapeOf(b), r.index));
  const std::string products = c.fold("products", {r.shape, FoldKind::Sum, r.count, c.mul(x, y)});
  const std::string first = c.fold("squares1", {r.shape, FoldKind::Sum, r.count, c.mul(x, x)});
  const std::string second = c.fold("squares2", {r.shape, FoldKind::Sum, r.count, c.mul(y, y)});
  const TermId margin = c.f32("margin");
  const TermId zero = c.constant(0);
  reduceLoss(c, c.broadcastShape(r.shape, c.shapeOf(target)), [&](const Index& index) {
    const Index row = c.stretched(r.shape, index);
    const TermId tiny = c.constant(1e-12);
    const TermId lengths = c.mul(c.add(c.at(first, row), tiny), c.add(c.at(second, row), tiny));
    const TermId cosine = c.div(c.at(products, row), c.terms().unary(Op::FSqrt, lengths));
    const TermId t = c.f32At(target, c.stretched(c.shapeOf(target), index));
    const TermId apart = c.sub(cosine, margin);
    const TermId positive = c.ite(c.equal(t, c.constant(1)), c.sub(c.constant(1), cosine), zero);
    const TermId negative = c.ite(c.equal(t, c.constant(-1)), c.ite(c.less(apart, zero), zero, apart), zero);
    return c.add(positive, negative);
  });
}

constexpr TensorOperator table[] = {
    {"aten.cosine_embedding_loss.default", cosineEmbedding},
    {"aten.cosine_similarity.default", cosineSimilarity},
    {"aten.pairwise_distance.default", pairwiseDistance},
    {"aten.triplet_margin_loss.default", tripletMargin},
};

} // namespace

std::span<const TensorOperator> distanceOperators() {
  return table;
}

} // namespace plumbline::spec
