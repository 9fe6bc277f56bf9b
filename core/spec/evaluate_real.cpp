#include "core/spec/evaluate_real.h"

#include "core/logic/eval_enclosed.h"
#include "core/spec/environment.h"

#include <algorithm>
#include <unordered_map>

namespace plumbline::spec {

using logic::Doubt;
using logic::EnclosedTerm;
using logic::EnclosedValue;
using Kind = EnclosedValue::Kind;
using RealEnvironment = Environment<EnclosedValue, EnclosedTerm>;

namespace {

constexpr size_t stopInterval = 1024; // fold steps between two looks at the stop token

/// Infinities are no values of the reading; they occur on the way only.
EnclosedValue asResult(const EnclosedValue& value) {
  if (value.isInfinite())
    return {};
  return value.kind() == Kind::Either ? EnclosedValue::undecided(Doubt::Comparison) : value;
}

/// One step of a fold. A term that is no number makes none of the whole.
EnclosedValue combined(FoldKind kind, const EnclosedValue& accumulator, const EnclosedValue& term,
                       const logic::EnclosedArithmetic& arithmetic) {
  if (kind == FoldKind::General)
    return term;
  const bool isExtreme = kind == FoldKind::Maximum || kind == FoldKind::Minimum;
  for (Kind bad : {Kind::Undefined, Kind::Undecided})
    for (const EnclosedValue* value : {&accumulator, &term})
      if (value->kind() == bad)
        return *value;
  if (accumulator.kind() == Kind::Either || term.kind() == Kind::Either)
    return EnclosedValue::undecided(Doubt::Comparison);
  if (isExtreme)
    return arithmetic.extreme(accumulator, term, kind == FoldKind::Maximum);
  if (accumulator.isInfinite() || term.isInfinite())
    return {};
  return kind == FoldKind::Sum ? arithmetic.add(accumulator, term) : arithmetic.multiply(accumulator, term);
}

tl::unexpected<Error> stopped() {
  return fail(ErrorKind::Tool, "stopped", "the evaluation was stopped", "");
}

} // namespace

struct RealEvaluator::Output {
  EnclosedTerm term;
  RealEnvironment values;
};

struct RealEvaluator::Fold {
  FoldKind kind = FoldKind::Sum;
  EnclosedTerm start; ///< count and init
  EnclosedTerm step;  ///< guard, and the term (General: the next accumulator)
  RealEnvironment startValues;
  RealEnvironment stepValues;
  int64_t numel = 0;

  struct Known {
    EnclosedValue value;
    int precision = 0;
  };
  std::unordered_map<int64_t, Known> known;
};

RealEvaluator::RealEvaluator(const ir::Tensors& inputs, StopToken stop, const RealPrecision& precision)
    : m_stop(std::move(stop)), m_precision(precision), m_arithmetic(precision.first) {
  for (const auto& [name, tensor] : inputs)
    m_inputs.emplace(name, &tensor);
}

RealEvaluator::~RealEvaluator() = default;

Expected<std::unique_ptr<RealEvaluator>> RealEvaluator::make(const logic::TermStore& terms, const Spec& spec,
                                                             const Sizes& sizes, const ir::Tensors& inputs,
                                                             const EvaluateOptions& options,
                                                             const RealPrecision& precision) {
  std::unique_ptr<RealEvaluator> result(new RealEvaluator(inputs, options.stop, precision));
  for (const Stage& stage : spec.stages) {
    const logic::TermId starts[] = {stage.count, stage.init};
    const logic::TermId steps[] = {stage.guard, stage.kind == FoldKind::General ? stage.next : stage.term};
    EnclosedTerm start(terms, starts);
    EnclosedTerm step(terms, steps);
    auto startValues = RealEnvironment::make(start, sizes, options);
    auto stepValues = RealEnvironment::make(step, sizes, options);
    const auto numel = sizeValue(terms, stage.tensor.numel, sizes);
    if (!startValues || !stepValues || !numel)
      return fail(!startValues ? startValues.error() : !stepValues ? stepValues.error() : numel.error());
    result->m_folds.emplace(stage.tensor.name, std::make_unique<Fold>(Fold{stage.kind,
                                                                           std::move(start),
                                                                           std::move(step),
                                                                           *std::move(startValues),
                                                                           *std::move(stepValues),
                                                                           *numel,
                                                                           {}}));
  }
  for (const SpecOutput& output : spec.outputs) {
    EnclosedTerm term(terms, output.element);
    auto values = RealEnvironment::make(term, sizes, options);
    if (!values)
      return fail(values.error());
    result->m_outputs.push_back(std::make_unique<Output>(Output{std::move(term), *std::move(values)}));
  }
  return result;
}

bool RealEvaluator::isSettled(const EnclosedValue& value) const {
  switch (value.kind()) {
  case Kind::Enclosed:
    return value.interval(m_precision.first).isNarrow(m_precision.relativeBits, m_precision.absolute);
  case Kind::Undecided: return value.doubt() == Doubt::Function || value.doubt() == Doubt::Stopped;
  default: return true;
  }
}

EnclosedValue RealEvaluator::atPrecision(size_t output, int64_t index, int bits) {
  if (bits != m_arithmetic.precision())
    m_arithmetic = logic::EnclosedArithmetic(bits);
  Output& program = *m_outputs.at(output);
  auto loads = [this](std::string_view buffer, int64_t position) { return load(buffer, position); };
  program.values.setIndex(index);
  program.term.evaluate(program.values.values, loads, m_arithmetic);
  return asResult(program.term.result());
}

Expected<EnclosedValue> RealEvaluator::at(size_t output, int64_t index) {
  for (int bits = m_precision.first;; bits = std::min(2 * bits, m_precision.most)) {
    EnclosedValue value = atPrecision(output, index, bits);
    if (m_stop.stopRequested())
      return stopped();
    if (isSettled(value) || bits >= m_precision.most)
      return value;
  }
}

EnclosedValue RealEvaluator::load(std::string_view buffer, int64_t index) {
  if (const auto fold = m_folds.find(buffer); fold != m_folds.end())
    return index < 0 || index >= fold->second->numel ? EnclosedValue() : element(*fold->second, index);
  const auto input = m_inputs.find(buffer);
  if (input == m_inputs.end() || index < 0 || static_cast<size_t>(index) >= input->second->bits.size())
    return {};
  const uint64_t bits = input->second->bits[static_cast<size_t>(index)];
  if (input->second->type == ir::ScalarType::I64 || input->second->type == ir::ScalarType::Bool)
    return EnclosedValue::whole(static_cast<int64_t>(bits));
  std::optional<f32::Rational> value = f32::toRational<f32::Binary32>(static_cast<uint32_t>(bits));
  return value ? EnclosedValue::number(*std::move(value), m_arithmetic.precision()) : EnclosedValue();
}

EnclosedValue RealEvaluator::element(Fold& fold, int64_t index) {
  const auto found = fold.known.find(index);
  if (found != fold.known.end()) {
    const Kind kind = found->second.value.kind();
    const bool isFinal = kind != Kind::Enclosed && kind != Kind::Either && kind != Kind::Undecided;
    if (isFinal || found->second.precision >= m_arithmetic.precision())
      return found->second.value;
  }
  EnclosedValue value = folded(fold, index);
  fold.known[index] = {value, m_arithmetic.precision()};
  return value;
}

EnclosedValue RealEvaluator::folded(Fold& fold, int64_t index) {
  const EnclosedTerm::Load loads = [this](std::string_view buffer, int64_t position) {
    return load(buffer, position);
  };
  fold.startValues.setIndex(index);
  fold.start.evaluate(fold.startValues.values, loads, m_arithmetic);
  const EnclosedValue& count = fold.start.result(0);
  const std::optional<int64_t> steps = count.integer();
  if (!steps)
    return count.kind() == Kind::Undecided ? count : EnclosedValue();
  EnclosedValue accumulator = fold.start.result(1);
  fold.stepValues.setIndex(index);
  for (int64_t k = 0; k < *steps; ++k) {
    if (++m_steps % stopInterval == 0 && m_stop.stopRequested())
      return EnclosedValue::undecided(Doubt::Stopped);
    fold.stepValues.setStep(k);
    fold.stepValues.setAccumulator(accumulator);
    fold.step.evaluate(fold.stepValues.values, loads, m_arithmetic);
    const EnclosedValue& guard = fold.step.result(0);
    if (!guard.isExact())
      return guard.kind() == Kind::Either ? EnclosedValue::undecided(Doubt::Comparison) : guard;
    if (guard.is(0))
      continue;
    accumulator = combined(fold.kind, accumulator, fold.step.result(1), m_arithmetic);
    if (accumulator.kind() == Kind::Undefined && fold.kind != FoldKind::General)
      break;
  }
  return accumulator;
}

Expected<std::map<std::string, RealTensor>> evaluateSpecReal(const logic::TermStore& terms, const Spec& spec,
                                                             const ir::Tensors& inputs,
                                                             const EvaluateOptions& options) {
  auto sizes = bindSizes(terms, spec, inputs);
  if (!sizes)
    return fail(sizes.error());
  auto evaluator = RealEvaluator::make(terms, spec, *sizes, inputs, options);
  if (!evaluator)
    return fail(evaluator.error());
  std::map<std::string, RealTensor> results;
  for (size_t k = 0; k < spec.outputs.size(); ++k) {
    auto shape = outputShape(terms, spec, k, *sizes);
    if (!shape)
      return fail(shape.error());
    const int64_t count = ir::elementCount(*shape).value_or(0);
    RealTensor tensor{*std::move(shape), {}};
    for (int64_t index = 0; index < count; ++index) {
      auto value = (*evaluator)->at(k, index);
      if (!value)
        return fail(value.error());
      tensor.values.push_back(*std::move(value));
    }
    results[spec.outputs[k].tensor.name] = std::move(tensor);
  }
  return results;
}

} // namespace plumbline::spec
