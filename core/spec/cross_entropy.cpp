// Losses over classes: the target of a sample is a class, or a probability for each.
#include "core/spec/losses.h"
#include "core/spec/softmax.h"

namespace plumbline::spec {
namespace {

using logic::Sort;
using logic::TermId;

/// A tensor of scores whose classes stand in dimension 1, or in the only one.
struct Scores {
  std::string tensor;
  Shape shape;
  size_t dimension = 0;
  std::optional<Softmax> softmax; ///< the scores' log_softmax is meant
  Shape samples;                  ///< the shape without the classes

  static std::optional<Scores> of(TensorContext& c, bool isLog) {
    Scores result;
    result.tensor = c.f32Tensor("self");
    result.shape = c.shapeOf(result.tensor);
    if (result.shape.empty())
      c.unsupported("scores without classes");
    if (c.error())
      return std::nullopt;
    result.dimension = result.shape.size() == 1 ? 0 : 1;
    result.samples = result.shape;
    result.samples.erase(result.samples.begin() + static_cast<std::ptrdiff_t>(result.dimension));
    if (!isLog)
      result.softmax = Softmax::of(c, result.tensor, result.dimension);
    return result;
  }
  const ir::SizeExprPtr& classes() const { return shape[dimension]; }
  Index index(const Index& sample, TermId cls) const {
    Index result = sample;
    result.insert(result.begin() + static_cast<std::ptrdiff_t>(dimension), cls);
    return result;
  }
  /// The logarithm of a class's probability.
  TermId log(TensorContext& c, const Index& sample, TermId cls) const {
    return softmax ? softmax->logAt(c, index(sample, cls)) : c.at(tensor, index(sample, cls));
  }
  /// The same of a class that was read from data.
  TermId logOfTarget(TensorContext& c, const Index& sample, TermId cls) const {
    return softmax ? softmax->logGatherAt(c, index(sample, cls))
                   : c.gatherAt(tensor, index(sample, cls), dimension);
  }
};

/// The weight of a class; nothing when all are 1.
std::optional<std::string> classWeights(TensorContext& c, const Scores& scores) {
  if (!c.optionalTensor("weight"))
    return std::nullopt;
  std::string weight = c.f32Tensor("weight");
  if (c.shapeOf(weight).size() != 1)
    c.unsupported("the weight is no vector");
  else
    c.requireSame(c.shapeOf(weight)[0], scores.classes(), "weight");
  return weight;
}

void requireTargetShape(TensorContext& c, const Shape& target, const Shape& wanted) {
  if (target.size() != wanted.size())
    c.unsupported("the target has " + std::to_string(target.size()) + " dimensions");
  for (size_t k = 0; !c.error() && k < wanted.size(); ++k)
    c.requireSame(target[k], wanted[k], "target");
}

/// The loss of samples whose target is a class.
class ClassLoss {
public:
  ClassLoss(TensorContext& c, const Scores& scores)
      : m_c(c), m_scores(scores), m_weight(classWeights(c, scores)), m_target(c.tensor("target")),
        m_ignored(c.number(c.integer("ignore_index"))) {
    requireTargetShape(c, c.shapeOf(m_target), scores.samples);
    if (!c.error() && c.terms()[c.at(m_target, c.coordinates(scores.samples))].sort != Sort::Int)
      c.unsupported("a target that is not int64");
  }

  /// The sample takes part.
  TermId kept(const Index& sample) const {
    return m_c.terms().lnot(m_c.terms().ieq(target(sample), m_ignored));
  }
  TermId weight(const Index& sample) const {
    return m_weight ? m_c.gatherAt(*m_weight, {target(sample)}, 0) : m_c.constant(1);
  }
  TermId loss(const Index& sample) const {
    const TermId loss = m_c.neg(m_scores.logOfTarget(m_c, sample, target(sample)));
    return m_weight ? m_c.mul(loss, weight(sample)) : loss;
  }
  const std::optional<std::string>& weights() const { return m_weight; }

  /// The sum over the samples that take part, as a stage.
  std::string sum(const std::string& suffix, const LossValue& value) const {
    const Index sample = m_c.coordinates(m_scores.samples, m_c.step());
    return m_c.fold(suffix, {{}, FoldKind::Sum, m_c.numel(m_scores.samples), value(sample), kept(sample)});
  }

private:
  TermId target(const Index& sample) const { return m_c.at(m_target, sample); }

  TensorContext& m_c;
  const Scores& m_scores;
  std::optional<std::string> m_weight;
  std::string m_target;
  TermId m_ignored;
};

/// Ignored samples give 0; the mean divides by the weights of the others. `value` is the loss of a sample
/// that takes part.
void reduceClassLoss(TensorContext& c, const Scores& scores, const ClassLoss& loss, const LossValue& value) {
  const LossReduction reduction = lossReduction(c);
  if (c.error())
    return;
  if (reduction == LossReduction::None) {
    const Index sample = c.coordinates(scores.samples);
    c.result(scores.samples, c.ite(loss.kept(sample), value(sample), c.constant(0)));
    return;
  }
  if (scores.shape.size() == 1 && c.isTarget(Target::TorchCuda))
    c.unsupported("the sum or mean of a single sample's losses on CUDA");
  const TermId total = c.at(loss.sum("total", value), {});
  if (reduction == LossReduction::Sum) {
    c.result({}, total);
    return;
  }
  const std::string weights = loss.sum("weights", [&](const Index& sample) { return loss.weight(sample); });
  c.result({}, c.div(total, c.at(weights, {})));
}

void negativeLogLikelihood(TensorContext& c) {
  const auto scores = Scores::of(c, true);
  if (!scores)
    return;
  const ClassLoss loss(c, *scores);
  reduceClassLoss(c, *scores, loss, [&](const Index& sample) { return loss.loss(sample); });
}

/// smoothing / number of classes.
TermId share(TensorContext& c, const Scores& scores, const torch::FloatScalar& smoothing) {
  if (scores.classes()->kind == ir::SizeExpr::Kind::Constant)
    return c.constant(smoothing.value / static_cast<double>(scores.classes()->value));
  return c.div(c.constant(smoothing), c.terms().intToFloat(Sort::F32, c.term(scores.classes())));
}

/// Over all classes, the sum of the (weighted) losses, as a stage over the samples.
std::string uniformLoss(TensorContext& c, const Scores& scores, const ClassLoss& loss) {
  const Index sample = c.coordinates(scores.samples);
  TermId term = c.neg(scores.log(c, sample, c.step()));
  if (const std::optional<std::string>& weights = loss.weights())
    term = c.mul(term, c.at(*weights, {c.step()}));
  return c.fold("uniform", {scores.samples, FoldKind::Sum, c.term(scores.classes()), term});
}

void crossEntropyOfClasses(TensorContext& c, const Scores& scores, const torch::FloatScalar& smoothing) {
  const ClassLoss loss(c, scores);
  if (c.error())
    return;
  if (smoothing.value == 0) {
    reduceClassLoss(c, scores, loss, [&](const Index& sample) { return loss.loss(sample); });
    return;
  }
  const std::string uniform = uniformLoss(c, scores, loss);
  const TermId kept = c.constant(1 - smoothing.value);
  const TermId spread = share(c, scores, smoothing);
  reduceClassLoss(c, scores, loss, [&](const Index& sample) {
    return c.add(c.mul(kept, loss.loss(sample)), c.mul(spread, c.at(uniform, sample)));
  });
}

/// The target has a probability for every class; the mean divides by the number of samples.
void crossEntropyOfProbabilities(TensorContext& c, const Scores& scores,
                                 const torch::FloatScalar& smoothing) {
  const std::string target = c.f32Tensor("target");
  requireTargetShape(c, c.shapeOf(target), scores.shape);
  if (c.integer("ignore_index") >= 0)
    c.unsupported("an ignore_index beside probabilities");
  const auto weight = classWeights(c, scores);
  const LossReduction reduction = lossReduction(c);
  if (c.error())
    return;
  const auto term = [&](const Index& index) {
    TermId t = c.at(target, index);
    if (smoothing.value > 0)
      t = c.add(c.mul(t, c.constant(1 - smoothing.value)), share(c, scores, smoothing));
    Index sample = index;
    sample.erase(sample.begin() + static_cast<std::ptrdiff_t>(scores.dimension));
    const TermId product = c.mul(scores.log(c, sample, index[scores.dimension]), t);
    return weight ? c.mul(product, c.at(*weight, {index[scores.dimension]})) : product;
  };
  if (reduction == LossReduction::None) {
    const Index sample = c.coordinates(scores.samples);
    const std::string sum = c.fold("classes", {scores.samples, FoldKind::Sum, c.term(scores.classes()),
                                               term(scores.index(sample, c.step()))});
    c.result(scores.samples, c.neg(c.at(sum, sample)));
    return;
  }
  const TermId total = c.neg(c.at(sumOfValues(c, "total", scores.shape, term), {}));
  const TermId samples = c.terms().intToFloat(Sort::F32, c.numel(scores.samples));
  if (reduction == LossReduction::Sum)
    c.result({}, total);
  else // CUDA divides by a number
    c.result({}, c.onCuda() ? c.mul(total, c.div(c.constant(1), samples)) : c.div(total, samples));
}

void crossEntropy(TensorContext& c) {
  const torch::FloatScalar smoothing = c.number("label_smoothing").value_or(torch::floatScalar(0));
  if (smoothing.value < 0 || smoothing.value > 1)
    c.unsupported("a label_smoothing outside [0, 1]");
  const auto scores = Scores::of(c, false);
  if (!scores)
    return;
  if (c.tensorDtype("target") == torch::DType::F32)
    crossEntropyOfProbabilities(c, *scores, smoothing);
  else
    crossEntropyOfClasses(c, *scores, smoothing);
}

constexpr TensorOperator table[] = {
    {"aten.cross_entropy_loss.default", crossEntropy},
    {"aten.nll_loss.default", negativeLogLikelihood},
    {"aten.nll_loss_nd.default", negativeLogLikelihood},
};

} // namespace

std::span<const TensorOperator> crossEntropyOperators() {
  return table;
}

} // namespace plumbline::spec
