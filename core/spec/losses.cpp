// Losses that compare two tensors element by element.
#include "core/spec/losses.h"

#include "core/spec/reductions.h"

namespace plumbline::spec {

using logic::Op;
using logic::Sort;
using logic::TermId;

LossReduction lossReduction(TensorContext& c) {
  const int64_t number = c.integer("reduction");
  if (number < 0 || number > 2)
    c.unsupported("reduction " + std::to_string(number));
  return static_cast<LossReduction>(c.error() ? 0 : number);
}

std::string sumOfValues(TensorContext& c, const std::string& suffix, const Shape& shape,
                        const LossValue& value) {
  return c.fold(suffix, {{}, FoldKind::Sum, c.numel(shape), value(c.coordinates(shape, c.step()))});
}

void reduceLoss(TensorContext& c, const Shape& shape, const LossValue& value) {
  const LossReduction reduction = lossReduction(c);
  if (reduction == LossReduction::None) {
    c.result(shape, value(c.coordinates(shape)));
    return;
  }
  const TermId sum = c.at(sumOfValues(c, "total", shape, value), {});
  const bool isMean = reduction == LossReduction::Mean;
  c.result({}, isMean ? meanOf(c, sum, c.numel(shape), {}) : sum);
}

namespace {

/// The element of two float tensors that are stretched to a common shape.
struct Operands {
  std::string self;
  std::string target;
  Shape shape;

  static Operands of(TensorContext& c, const std::string& self = "self",
                     const std::string& target = "target") {
    Operands result{c.f32Tensor(self), c.f32Tensor(target), {}};
    result.shape = c.broadcastShape(c.shapeOf(result.self), c.shapeOf(result.target));
    return result;
  }
  TermId x(TensorContext& c, const Index& index) const {
    return c.at(self, c.stretched(c.shapeOf(self), index));
  }
  TermId t(TensorContext& c, const Index& index) const {
    return c.at(target, c.stretched(c.shapeOf(target), index));
  }
  TermId difference(TensorContext& c, const Index& index) const { return c.sub(x(c, index), t(c, index)); }
};

TermId magnitude(TensorContext& c, TermId value) {
  return c.terms().unary(Op::FAbs, value);
}

/// max(0, value); NaN stays.
TermId notNegative(TensorContext& c, TermId value) {
  return c.ite(c.less(value, c.constant(0)), c.constant(0), value);
}

void squaredError(TensorContext& c) {
  const Operands o = Operands::of(c);
  reduceLoss(c, o.shape, [&](const Index& index) {
    const TermId d = o.difference(c, index);
    return c.mul(d, d);
  });
}

void absoluteError(TensorContext& c) {
  const Operands o = Operands::of(c);
  reduceLoss(c, o.shape, [&](const Index& index) { return magnitude(c, o.difference(c, index)); });
}

/// z = |self - target|: 0.5 * z * z / beta below beta, else z - 0.5 * beta.
void smoothAbsoluteError(TensorContext& c) {
  const Operands o = Operands::of(c);
  const auto number = c.number("beta");
  if (!number || number->value < 0)
    c.unsupported("a beta below zero");
  const TermId beta = c.f32("beta");
  reduceLoss(c, o.shape, [&](const Index& index) {
    const TermId z = magnitude(c, o.difference(c, index));
    const TermId inner = c.div(c.mul(c.mul(c.constant(0.5), z), z), beta);
    return c.ite(c.less(z, beta), inner, c.sub(z, c.mul(c.constant(0.5), beta)));
  });
}

/// z = |self - target|: 0.5 * z * z up to delta, else delta * (z - 0.5 * delta).
void huber(TensorContext& c) {
  const Operands o = Operands::of(c);
  const auto number = c.number("delta");
  if (!number || number->value <= 0)
    c.unsupported("a delta that is not positive");
  const TermId delta = c.f32("delta");
  reduceLoss(c, o.shape, [&](const Index& index) {
    const TermId z = magnitude(c, o.difference(c, index));
    const TermId inner = c.mul(c.mul(c.constant(0.5), z), z);
    const TermId outer = c.mul(delta, c.sub(z, c.mul(c.constant(0.5), delta)));
    return c.ite(c.lessEqual(z, delta), inner, outer);
  });
}

/// t * log(t), and 0 where t is 0.
TermId timesOwnLog(TensorContext& c, TermId t) {
  const TermId product = c.mul(t, c.opaque("aten.log", {t}));
  return c.ite(c.equal(t, c.constant(0)), c.constant(0), product);
}

/// target * (log(target) - self), with the product taken apart; under log_target exp(target) * (target -
/// self).
void divergence(TensorContext& c) {
  const Operands o = Operands::of(c);
  const bool isLog = c.flag("log_target");
  reduceLoss(c, o.shape, [&](const Index& index) {
    const TermId x = o.x(c, index);
    const TermId t = o.t(c, index);
    return isLog ? c.mul(c.opaque("aten.exp", {t}), c.sub(t, x)) : c.sub(timesOwnLog(c, t), c.mul(t, x));
  });
}

/// self where the target is 1, max(0, margin - self) where it is -1, their sum elsewhere, as ATen adds them.
void hingeEmbedding(TensorContext& c) {
  const Operands o = Operands::of(c);
  const TermId margin = c.f32("margin");
  const TermId zero = c.constant(0);
  reduceLoss(c, o.shape, [&](const Index& index) {
    const TermId x = o.x(c, index);
    const TermId t = o.t(c, index);
    const TermId apart = c.ite(c.equal(t, c.constant(1)), zero, notNegative(c, c.sub(margin, x)));
    return c.add(apart, c.ite(c.equal(t, c.constant(-1)), zero, x));
  });
}

/// max(0, margin - target * (input1 - input2)), with the sign of the product turned as ATen does.
void marginRanking(TensorContext& c) {
  const Operands o = Operands::of(c, "input1", "input2");
  const std::string target = c.f32Tensor("target");
  const TermId margin = c.f32("margin");
  reduceLoss(c, c.broadcastShape(o.shape, c.shapeOf(target)), [&](const Index& index) {
    const TermId t = c.at(target, c.stretched(c.shapeOf(target), index));
    return notNegative(c, c.add(c.mul(c.neg(t), o.difference(c, index)), margin));
  });
}

/// log(1 + exp(-target * self)).
void softMargin(TensorContext& c) {
  const Operands o = Operands::of(c);
  reduceLoss(c, o.shape, [&](const Index& index) {
    const TermId power = c.opaque("aten.exp", {c.mul(c.neg(o.t(c, index)), o.x(c, index))});
    return c.opaque("aten.log1p", {power});
  });
}

/// Multiplied by an optional weight that is stretched to the loss.
TermId weighted(TensorContext& c, const std::string& name, TermId value, const Index& index) {
  if (!c.optionalTensor(name))
    return value;
  const std::string weight = c.f32Tensor(name);
  return c.mul(value, c.at(weight, c.stretched(c.shapeOf(weight), index)));
}

/// Logarithms below -100 count as -100.
TermId boundedLog(TensorContext& c, TermId log) {
  const TermId bound = c.constant(-100);
  return c.ite(c.less(log, bound), bound, log);
}

/// (target - 1) * log(1 - self) - target * log(self). PyTorch stops the program where self or target is
/// outside [0, 1]; there the formula is what it is.
void binaryCrossEntropy(TensorContext& c) {
  const Operands o = Operands::of(c);
  reduceLoss(c, o.shape, [&](const Index& index) {
    const TermId x = o.x(c, index);
    const TermId t = o.t(c, index);
    const TermId no = boundedLog(c, c.opaque("aten.log1p", {c.neg(x)}));
    const TermId yes = boundedLog(c, c.opaque("aten.log", {x}));
    const TermId loss = c.sub(c.mul(c.sub(t, c.constant(1)), no), c.mul(t, yes));
    return weighted(c, "weight", loss, index);
  });
}

/// log(sigmoid(x)) as min(x, 0) - log1p(exp(-|x|)).
TermId logSigmoid(TensorContext& c, TermId x) {
  const TermId below = c.ite(c.less(x, c.constant(0)), x, c.constant(0));
  return c.sub(below, c.opaque("aten.log1p", {c.opaque("aten.exp", {c.neg(magnitude(c, x))})}));
}

/// (1 - target) * self - (1 + (pos_weight - 1) * target) * log(sigmoid(self)).
void binaryCrossEntropyWithLogits(TensorContext& c) {
  const Operands o = Operands::of(c);
  const TermId one = c.constant(1);
  const auto positive = c.optionalTensor("pos_weight");
  reduceLoss(c, o.shape, [&](const Index& index) {
    const TermId x = o.x(c, index);
    const TermId t = o.t(c, index);
    TermId log = logSigmoid(c, x);
    if (positive) {
      const TermId extra =
          c.sub(c.at(c.f32Tensor("pos_weight"), c.stretched(c.shapeOf(*positive), index)), one);
      log = c.mul(c.add(c.mul(extra, t), one), log);
    }
    return weighted(c, "weight", c.sub(c.mul(c.sub(one, t), x), log), index);
  });
}

constexpr TensorOperator table[] = {
    {"aten.binary_cross_entropy.default", binaryCrossEntropy},
    {"aten.binary_cross_entropy_with_logits.default", binaryCrossEntropyWithLogits},
    {"aten.hinge_embedding_loss.default", hingeEmbedding},
    {"aten.huber_loss.default", huber},
    {"aten.kl_div.default", divergence},
    {"aten.l1_loss.default", absoluteError},
    {"aten.margin_ranking_loss.default", marginRanking},
    {"aten.mse_loss.default", squaredError},
    {"aten.smooth_l1_loss.default", smoothAbsoluteError},
    {"aten.soft_margin_loss.default", softMargin},
};

} // namespace

std::span<const TensorOperator> lossOperators() {
  return table;
}

} // namespace plumbline::spec
