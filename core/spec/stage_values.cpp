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

enum Root : size_t { Guard, Next };

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

} // namespace plumbline::spec
