// Activations that depend on where an element stands: half of a dimension, a channel.
#include "core/spec/tensor_operators.h"

namespace plumbline::spec {
namespace {

using ir::SizeExpr;
using logic::TermId;

/// The first half of a dimension times the sigmoid of the second.
void glu(TensorContext& c) {
  const std::string self = c.f32Tensor("self");
  const Shape from = c.shapeOf(self);
  const size_t dimension = c.dimension("dim", from.size());
  if (from.empty())
    c.unsupported("a scalar tensor");
  if (c.error())
    return;
  Shape shape = from;
  const auto two = ir::sizeConstant(2);
  const bool known = from[dimension]->kind == SizeExpr::Kind::Constant;
  shape[dimension] = known ? ir::sizeConstant(from[dimension]->value / 2)
                           : ir::sizeBinary(SizeExpr::Kind::Div, from[dimension], two);
  c.requireSame(ir::sizeBinary(SizeExpr::Kind::Mul, shape[dimension], two), from[dimension],
                "a dimension that can be halved");
  const Index index = c.coordinates(shape);
  Index second = index;
  second[dimension] = c.terms().iadd(index[dimension], c.term(shape[dimension]));
  const TermId power = c.opaque("aten.exp", {c.neg(c.at(self, second))});
  const TermId sigmoid = c.div(c.constant(1), c.add(c.constant(1), power));
  c.result(shape, c.mul(c.at(self, index), sigmoid));
}

/// x > 0 ? x : weight * x, with one weight or one for each channel (dimension 1).
void prelu(TensorContext& c) {
  const std::string self = c.f32Tensor("self");
  const std::string weight = c.f32Tensor("weight");
  const Shape shape = c.shapeOf(self);
  const Shape weights = c.shapeOf(weight);
  const Index index = c.coordinates(shape);
  if (weights.size() > 1)
    c.unsupported("a weight with more than one dimension");
  Index at(weights.size(), c.number(0));
  if (!c.error() && weights.size() == 1 && !isOne(weights[0])) {
    if (shape.size() < 2)
      c.unsupported("several weights for one channel");
    else
      c.requireSame(weights[0], shape[1], "weights and channels");
    if (!c.error())
      at[0] = index[1];
  }
  const TermId x = c.at(self, index);
  c.result(shape, c.ite(c.less(c.constant(0), x), x, c.mul(c.at(weight, at), x)));
}

/// The identity in evaluation, or when nothing is dropped; when everything is, a product with 0.
void dropout(TensorContext& c) {
  const std::string input = c.f32Tensor("input");
  const double p = c.number("p").value_or(torch::floatScalar(0)).value;
  const bool train = c.flag("train");
  if (c.error())
    return;
  if (train && p != 0 && p != 1)
    c.stop(ErrorKind::Rejected, "random", "dropout in training mode is random",
           "capture the module in evaluation mode (--mode eval), or with p=0");
  const TermId x = c.flat("input");
  c.result(c.shapeOf(input), train && p == 1 ? c.mul(x, c.constant(0)) : x);
}

constexpr TensorOperator table[] = {
    {"aten.alpha_dropout.default", dropout},
    {"aten.dropout.default", dropout},
    {"aten.feature_dropout.default", dropout},
    {"aten.glu.default", glu},
    {"aten.prelu.default", prelu},
};

} // namespace

std::span<const TensorOperator> gatedOperators() {
  return table;
}

} // namespace plumbline::spec
