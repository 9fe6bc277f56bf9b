#include "core/session/document_facts.h"

#include "core/method/float_text.h"
#include "core/session/comparison.h"

#include <algorithm>

namespace plumbline::session {
namespace {

using Leaves = std::unordered_map<logic::TermId, velvet::ExprPtr>;

tl::unexpected<Error> without(const char* id, std::string why) {
  return fail(ErrorKind::Rejected, id, std::move(why),
              "the document without it is written by `plumbline method`");
}

/// Why a check has not the result that a theorem is about.
tl::unexpected<Error> withoutResult(const char* id, const Verdict& verdict, const std::string& what) {
  const bool isRefused = verdict.gate && verdict.gate->status == gate::GateStatus::Refused;
  const std::string reason = reasonOf(verdict);
  return without(isRefused ? "kernel-refused" : id, what + (reason.empty() ? "" : ": " + reason));
}

/// The result under ieee; nullptr when it was not asked for.
const ReadingResult* ieeeOf(const Verdict& verdict) {
  const auto found = std::ranges::find(verdict.readings, Reading::Ieee, &ReadingResult::reading);
  return found != verdict.readings.end() ? &*found : nullptr;
}

const ElementGoal* goalOf(const Comparison& comparison, const std::string& output) {
  for (const ElementGoal& goal : comparison.elements)
    if (comparison.spec.outputs[goal.output].tensor.name == output)
      return &goal;
  return nullptr;
}

/// Sizes that give the inputs the witness's shapes.
gate::Sizes sizesOf(const Comparison& comparison, const gate::Problem& problem, const Witness& witness) {
  gate::Sizes sizes;
  for (const spec::SpecInput& input : problem.spec.inputs)
    if (const auto found = witness.inputs.find(input.tensor.name); found != witness.inputs.end())
      for (size_t axis = 0; axis < found->second.shape.size(); ++axis)
        if (const logic::TermId size = input.tensor.shape[axis]; comparison.store[size].op == logic::Op::Var)
          sizes[comparison.store.symbolText(size)] = found->second.shape[axis];
  return sizes;
}

/// The bits of a goal's input in the witness's tensors.
std::optional<uint32_t> bitsOf(const Comparison& comparison, const Witness& witness,
                               const ElementInput& input) {
  const std::optional<int64_t> index = comparison.store.intValue(input.index);
  for (const auto* tensors : {&witness.inputs, &witness.initial})
    if (const auto found = tensors->find(input.tensor);
        found != tensors->end() && index && *index >= 0 &&
        static_cast<size_t>(*index) < found->second.bits.size())
      return found->second.bits[static_cast<size_t>(*index)];
  return std::nullopt;
}

std::optional<uint32_t> bitsFromText(const std::string& text) {
  if (!text.starts_with("0x"))
    return std::nullopt;
  return static_cast<uint32_t>(std::stoul(text, nullptr, 16));
}

} // namespace

Expected<method::WitnessFact> witnessFact(CheckOutcome& outcome) {
  Comparison& comparison = *outcome.comparison;
  const ReadingResult* result = ieeeOf(outcome.verdict);
  if (result == nullptr || result->relation != Relation::Different || !result->witness || !comparison.problem)
    return withoutResult("no-witness", outcome.verdict,
                         "the check found no input on which the two sides differ");
  const Witness& witness = *result->witness;
  const ElementGoal* goal = goalOf(comparison, witness.output);
  if (goal == nullptr)
    return without("no-closed-fact", "the kernel's value at one element is no single expression");
  method::WitnessFact fact;
  fact.output = goal->output;
  fact.index = witness.index;
  const gate::Sizes sizes = sizesOf(comparison, *comparison.problem, witness);
  fact.sizes = {sizes.begin(), sizes.end()};
  for (const auto& [name, tensor] : witness.inputs)
    fact.tensors[name] = tensor.bits;
  const ElementGoal closed = atSizes(comparison.store, *comparison.problem, *goal, sizes, witness.index);
  Leaves leaves;
  for (const ElementInput& input : closed.inputs) {
    const std::optional<uint32_t> bits = bitsOf(comparison, witness, input);
    if (!bits)
      return without("no-closed-fact", "the witness has no value for an input of the kernel");
    leaves[input.variable] = method::bitsText(*bits);
  }
  const Expected<velvet::ExprPtr> kernel = method::floatText(comparison.store, closed.kernel, leaves);
  const std::optional<uint32_t> value = bitsFromText(witness.kernel);
  if (!kernel || !value)
    return kernel ? without("no-closed-fact", "the kernel's value is no binary32 number")
                  : fail(kernel.error());
  fact.kernel = *kernel;
  fact.kernelBits = *value;
  return fact;
}

Expected<method::SweepFact> sweepFact(CheckOutcome& outcome) {
  Comparison& comparison = *outcome.comparison;
  const ReadingResult* result = ieeeOf(outcome.verdict);
  if (result == nullptr || result->relation != Relation::Equal || !comparison.problem)
    return withoutResult("no-sweep", outcome.verdict, "the check did not find the two sides equal");
  if (comparison.elements.size() != 1)
    return without("no-sweep", "the module has more than one output");
  const ElementGoal& goal = comparison.elements[0];
  if (goal.inputs.size() != 1 || goal.sizeDependent)
    return without("no-sweep", "an element depends on more than the value of one input");
  const Expected<velvet::ExprPtr> kernel = method::floatText(
      comparison.store, goal.kernel, Leaves{{goal.inputs[0].variable, method::sweptValue()}});
  if (!kernel)
    return fail(kernel.error());
  return method::SweepFact{goal.output, goal.inputs[0].tensor, *kernel};
}

Expected<void> saveWitnessDocument(const std::filesystem::path& folder, CheckOutcome& outcome) {
  Expected<method::WitnessFact> fact = witnessFact(outcome);
  const Comparison& comparison = *outcome.comparison;
  if (!fact || !comparison.graph || !comparison.problem)
    return {};
  method::MethodOptions options;
  options.witness = *std::move(fact);
  const auto document =
      method::generateMethod(comparison.store, *comparison.graph, *comparison.problem, options);
  if (!document)
    return {};
  return writeFile(folder / "method.lean", document->text);
}

} // namespace plumbline::session
