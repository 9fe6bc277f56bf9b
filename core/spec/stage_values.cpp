#include "core/spec/stage_values.h"

#include "core/spec/environment.h"

#include <array>
#include <bitset>
#include <unordered_map>

namespace plumbline::spec {

using logic::TermId;

namespace {

constexpr size_t stopInterval = 4096; // fold steps between two looks at the stop token
constexpr size_t pageElements = 1024;
constexpr size_t keptPages = size_t{1} << 14;

enum Root : size_t { Guard, Next, Term };

/// Elements that were computed, by page, so that one element of a large tensor takes little room.
class KnownElements {
public:
  /// nullptr when the element is not known.
  const uint64_t* find(int64_t index) const {
    const auto page = m_pages.find(static_cast<size_t>(index) / pageElements);
    const size_t at = static_cast<size_t>(index) % pageElements;
    return page != m_pages.end() && page->second->isKnown[at] ? &page->second->values[at] : nullptr;
  }

  /// Forgets it when there are too many pages.
  void keep(int64_t index, uint64_t value) {
    const size_t number = static_cast<size_t>(index) / pageElements;
    if (m_pages.size() >= keptPages && !m_pages.contains(number))
      return;
    std::unique_ptr<Page>& page = m_pages[number];
    if (!page)
      page = std::make_unique<Page>();
    page->values[static_cast<size_t>(index) % pageElements] = value;
    page->isKnown[static_cast<size_t>(index) % pageElements] = true;
  }

private:
  struct Page {
    std::array<uint64_t, pageElements> values{};
    std::bitset<pageElements> isKnown;
  };
  std::unordered_map<size_t, std::unique_ptr<Page>> m_pages;
};

} // namespace

struct StageValues::Program {
  logic::CompiledTerm start; ///< count and init
  logic::CompiledTerm step;  ///< guard and next
  Environment<uint64_t, logic::CompiledTerm> startValues;
  Environment<uint64_t, logic::CompiledTerm> stepValues;
  std::string name;
  int64_t numel = 0;
  KnownElements known;
};

StageValues::StageValues(const logic::TermStore& terms, const Spec& spec, const Sizes& sizes,
                         const ir::Tensors& inputs, const EvaluateOptions& options)
    : m_inputs(inputs), m_stop(options.stop) {
  for (const Stage& stage : spec.stages) {
    const TermId starts[] = {stage.count, stage.init};
    const TermId steps[] = {stage.guard, stage.next};
    logic::CompiledTerm start(terms, starts);
    logic::CompiledTerm step(terms, steps);
    auto startValues = Environment<uint64_t, logic::CompiledTerm>::make(start, sizes, options);
    auto stepValues = Environment<uint64_t, logic::CompiledTerm>::make(step, sizes, options);
    const auto numel = sizeValue(terms, stage.tensor.numel, sizes);
    if (!startValues || !stepValues || !numel) {
      m_error = !startValues ? startValues.error() : !stepValues ? stepValues.error() : numel.error();
      return;
    }
    auto program = std::make_unique<Program>(Program{std::move(start),
                                                     std::move(step),
                                                     *std::move(startValues),
                                                     *std::move(stepValues),
                                                     stage.tensor.name,
                                                     *numel,
                                                     {}});
    m_programs.emplace(stage.tensor.name, std::move(program));
  }
}

StageValues::~StageValues() = default;

Expected<uint64_t> StageValues::load(std::string_view buffer, int64_t index) {
  if (m_error)
    return fail(*m_error);
  const auto stage = m_programs.find(buffer);
  if (stage != m_programs.end())
    return compute(*stage->second, index);
  const auto input = m_inputs.find(std::string(buffer));
  if (input == m_inputs.end())
    return fail(ErrorKind::Usage, "input-missing", "the input '" + std::string(buffer) + "' has no value",
                "");
  if (index < 0 || static_cast<size_t>(index) >= input->second.bits.size())
    return fail(ErrorKind::Internal, "index-range",
                "element " + std::to_string(index) + " of '" + std::string(buffer) +
                    "' is read, which does not exist",
                "");
  return input->second.bits[static_cast<size_t>(index)];
}

Expected<uint64_t> StageValues::compute(Program& program, int64_t index) {
  if (index < 0 || index >= program.numel)
    return fail(ErrorKind::Internal, "index-range",
                "an element of '" + program.name + "' that does not exist", "");
  if (const uint64_t* known = program.known.find(index))
    return *known;
  logic::Callbacks callbacks;
  callbacks.load = [this](std::string_view buffer, int64_t position) { return load(buffer, position); };
  program.startValues.setIndex(index);
  program.start.evaluate(program.startValues.values, callbacks);
  const auto count = program.start.result(0);
  const auto init = program.start.result(1);
  if (!count || !init)
    return fail(!count ? count.error() : init.error());
  uint64_t accumulator = init->bits;
  program.stepValues.setIndex(index);
  for (int64_t k = 0; k < count->asInteger(); ++k) {
    if (++m_steps % stopInterval == 0 && m_stop.stopRequested())
      return fail(ErrorKind::Tool, "stopped", "the evaluation was stopped", "");
    program.stepValues.setStep(k);
    program.stepValues.setAccumulator(accumulator);
    program.step.evaluate(program.stepValues.values, callbacks);
    const auto next = program.step.result(Next);
    if (!next)
      return fail(next.error());
    accumulator = next->bits;
  }
  program.known.keep(index, accumulator);
  return accumulator;
}

struct RealStageValues::Program {
  FoldKind kind = FoldKind::Sum;
  logic::CompiledRealTerm start;
  logic::CompiledRealTerm step;
  Environment<f32::Rational, logic::CompiledRealTerm> startValues;
  Environment<f32::Rational, logic::CompiledRealTerm> stepValues;
  std::map<int64_t, logic::RealValue> known;
};

RealStageValues::RealStageValues(const logic::TermStore& terms, const Spec& spec, const Sizes& sizes,
                                 const ir::Tensors& inputs, const EvaluateOptions& options)
    : m_inputs(inputs), m_stop(options.stop) {
  for (const Stage& stage : spec.stages) {
    const TermId starts[] = {stage.count, stage.init};
    const TermId steps[] = {stage.guard, stage.next, stage.term};
    logic::CompiledRealTerm start(terms, starts);
    logic::CompiledRealTerm step(terms, steps);
    auto startValues = Environment<f32::Rational, logic::CompiledRealTerm>::make(start, sizes, options);
    auto stepValues = Environment<f32::Rational, logic::CompiledRealTerm>::make(step, sizes, options);
    if (startValues && stepValues)
      m_programs.emplace(stage.tensor.name, std::make_unique<Program>(Program{stage.kind,
                                                                              std::move(start),
                                                                              std::move(step),
                                                                              *std::move(startValues),
                                                                              *std::move(stepValues),
                                                                              {}}));
  }
}

RealStageValues::~RealStageValues() = default;

std::optional<f32::Rational> RealStageValues::load(std::string_view buffer, int64_t index) {
  if (const auto stage = m_programs.find(buffer); stage != m_programs.end()) {
    const logic::RealValue value = compute(*stage->second, index);
    return value.known() ? std::optional(value.value) : std::nullopt;
  }
  const auto input = m_inputs.find(std::string(buffer));
  if (input == m_inputs.end() || index < 0 || static_cast<size_t>(index) >= input->second.bits.size())
    return std::nullopt;
  const uint64_t bits = input->second.bits[static_cast<size_t>(index)];
  if (input->second.type == ir::ScalarType::I64 || input->second.type == ir::ScalarType::Bool)
    return f32::rationalFromInteger(static_cast<int64_t>(bits));
  return f32::toRational<f32::Binary32>(static_cast<uint32_t>(bits));
}

logic::RealValue RealStageValues::compute(Program& program, int64_t index) {
  if (const auto known = program.known.find(index); known != program.known.end())
    return known->second;
  return program.known.emplace(index, folded(program, index)).first->second;
}

namespace {

std::optional<int64_t> wholeNumber(const logic::RealValue& value) {
  if (!value.known() || value.value.get_den() != 1 || !value.value.get_num().fits_slong_p())
    return std::nullopt;
  return value.value.get_num().get_si();
}

/// Infinite start values of a maximum or minimum are bottom and top: the first term replaces them.
void combine(FoldKind kind, const f32::Rational& term, std::optional<f32::Rational>& accumulator) {
  if (accumulator && kind == FoldKind::Sum)
    *accumulator += term;
  else if (accumulator && kind == FoldKind::Product)
    *accumulator *= term;
  else if (!accumulator || (kind == FoldKind::Maximum ? *accumulator < term : term < *accumulator))
    accumulator = term;
}

} // namespace

logic::RealValue RealStageValues::folded(Program& program, int64_t index) {
  auto loads = [this](std::string_view buffer, int64_t position) { return load(buffer, position); };
  program.startValues.setIndex(index);
  program.start.evaluate(program.startValues.values, loads);
  const std::optional<int64_t> count = wholeNumber(program.start.result(0));
  const logic::RealValue init = program.start.result(1);
  if (!count)
    return {};
  std::optional<f32::Rational> accumulator;
  if (init.known())
    accumulator = init.value;
  program.stepValues.setIndex(index);
  for (int64_t k = 0; k < *count; ++k) {
    if (m_stop.stopRequested())
      return {logic::RealValue::Kind::Inexact, {}};
    program.stepValues.setStep(k);
    program.stepValues.setAccumulator(accumulator.value_or(f32::Rational(0)));
    program.step.evaluate(program.stepValues.values, loads);
    logic::RealValue guard = program.step.result(Guard);
    if (!guard.known())
      return guard;
    if (guard.value == 0)
      continue;
    const logic::RealValue next = program.step.result(program.kind == FoldKind::General ? Next : Term);
    if (!next.known())
      return next;
    if (program.kind == FoldKind::General)
      accumulator = next.value;
    else
      combine(program.kind, next.value, accumulator);
  }
  if (!accumulator)
    return {};
  return {logic::RealValue::Kind::Value, *std::move(accumulator)};
}

} // namespace plumbline::spec
