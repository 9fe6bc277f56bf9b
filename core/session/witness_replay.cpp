#include "core/session/witness_replay.h"

#include "core/engine/candidates.h"
#include "core/engine/cases.h"
#include "core/f32/soft_float.h"
#include "core/logic/eval.h"

#include <algorithm>
#include <cstdio>

namespace plumbline::session {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;
using S32 = f32::Soft<f32::Binary32>;

namespace {

constexpr int64_t maxSampleNumel = 1 << 15;

const std::string* bufferOfOutput(const gate::Problem& problem, size_t output) {
  for (const gate::OutputBinding& binding : problem.outputs)
    if (binding.output == output)
      return &binding.buffer;
  return nullptr;
}

gate::TensorBits zeroInputs(TermStore& store, const gate::Problem& problem, const gate::Sizes& sizes) {
  gate::TensorBits inputs;
  for (const spec::SpecInput& input : problem.spec.inputs) {
    const int64_t count = gate::evaluateAt(store, problem, input.tensor.numel, sizes).value_or(0);
    inputs[input.tensor.name].assign(static_cast<size_t>(std::max<int64_t>(count, 0)), 0);
  }
  return inputs;
}

/// Puts the candidate's values into their cells. False when one cell would need two values.
bool placeValues(const TermStore& store, const ElementGoal& fixed, const Candidate& candidate,
                 gate::TensorBits& inputs) {
  std::map<std::pair<std::string, int64_t>, uint32_t> placed;
  for (size_t i = 0; i < fixed.inputs.size(); ++i) {
    const ElementInput& input = fixed.inputs[i];
    const auto index = store.intValue(input.index);
    auto tensor = inputs.find(input.tensor);
    if (!index || *index < 0 || tensor == inputs.end() ||
        static_cast<size_t>(*index) >= tensor->second.size())
      return false;
    const auto [entry, fresh] = placed.try_emplace({input.tensor, *index}, candidate.values[i]);
    if (!fresh && entry->second != candidate.values[i])
      return false;
    tensor->second[static_cast<size_t>(*index)] = candidate.values[i];
  }
  return true;
}

Witness describe(TermStore& store, const gate::Problem& problem, const gate::Sizes& sizes,
                 const gate::TensorBits& inputs, size_t output, int64_t index) {
  Witness witness;
  for (const spec::SpecInput& input : problem.spec.inputs) {
    WitnessTensor& tensor = witness.inputs[input.tensor.name];
    tensor.shape = shapeAt(store, problem, input.tensor.shape, sizes);
    for (uint64_t bits : inputs.at(input.tensor.name))
      tensor.bits.push_back(static_cast<uint32_t>(bits));
  }
  witness.output = problem.spec.outputs[output].tensor.name;
  witness.index = index;
  return witness;
}

void setSpec(Witness& witness, const std::vector<uint64_t>& values) {
  witness.spec = hexBits(values.front());
  for (uint64_t bits : values)
    witness.allowed.push_back(hexBits(bits));
}

bool matchesAny(uint64_t bits, const std::vector<uint64_t>& values) {
  return std::any_of(values.begin(), values.end(), [&](uint64_t value) {
    return S32::same(static_cast<uint32_t>(bits), static_cast<uint32_t>(value));
  });
}

} // namespace

std::string hexBits(uint64_t bits) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%08llx", static_cast<unsigned long long>(bits));
  return text;
}

std::vector<int64_t> shapeAt(TermStore& store, const gate::Problem& problem, const std::vector<TermId>& shape,
                             const gate::Sizes& sizes) {
  std::vector<int64_t> result;
  for (TermId size : shape)
    result.push_back(gate::evaluateAt(store, problem, size, sizes).value_or(-1));
  return result;
}

std::vector<Place> places(TermStore& store, const gate::Problem& problem, const ElementGoal& goal,
                          size_t limit) {
  std::vector<Place> result;
  for (const gate::Sizes& sizes : gate::smallSizes(store, problem, 40, 1 << 16)) {
    const auto count =
        gate::evaluateAt(store, problem, problem.spec.outputs[goal.output].tensor.numel, sizes).value_or(0);
    for (int64_t index : {int64_t{0}, count - 1, count / 2}) {
      if (result.size() >= limit)
        return result;
      const bool known = std::any_of(result.begin(), result.end(), [&](const Place& place) {
        return place.sizes == sizes && place.index == index;
      });
      if (index < 0 || index >= count || known)
        continue;
      Candidate distinct{sizes, index, {}};
      for (size_t i = 0; i < goal.inputs.size(); ++i)
        distinct.values.push_back(static_cast<uint32_t>(i + 1));
      gate::TensorBits inputs = zeroInputs(store, problem, sizes);
      if (placeValues(store, atSizes(store, problem, goal, sizes, index), distinct, inputs))
        result.push_back({sizes, index});
    }
  }
  return result;
}

Expected<std::vector<uint64_t>> specValues(TermStore& store, const gate::Problem& problem, size_t output,
                                           const gate::Sizes& sizes, int64_t index,
                                           const gate::TensorBits& inputs) {
  std::unordered_map<TermId, TermId> replacement = gate::sizeReplacement(store, problem, sizes);
  replacement.emplace(store.var(Sort::Int, gate::elementName), store.integer(index));
  const TermId element = store.substitute(problem.spec.outputs[output].element, replacement);
  std::vector<TermId> choices;
  for (TermId id : store.postOrder(element))
    if (store[id].op == Op::Var && store[id].sort == Sort::Bool)
      choices.push_back(id);
  const std::vector<TermId> variants = engine::underEveryChoice(store, element, choices);
  if (variants.empty())
    return fail(ErrorKind::Internal, "witness-run", "the spec leaves too many zero signs open to replay");
  logic::Callbacks callbacks;
  callbacks.load = [&](std::string_view buffer, int64_t at) -> Expected<uint64_t> {
    const auto tensor = inputs.find(std::string(buffer));
    if (tensor == inputs.end() || at < 0 || static_cast<size_t>(at) >= tensor->second.size())
      return fail(ErrorKind::Internal, "load-unavailable", "a read outside the tensor");
    return tensor->second[static_cast<size_t>(at)];
  };
  std::vector<uint64_t> values;
  for (TermId variant : variants) {
    logic::CompiledTerm compiled(store, variant);
    Expected<logic::Value> value = compiled.evaluate(std::map<std::string, logic::Value>{}, callbacks);
    if (!value)
      return fail(value.error());
    if (!matchesAny(value->bits, values))
      values.push_back(value->bits);
  }
  return values;
}

Expected<Witness> replayCandidate(TermStore& store, const gate::Problem& problem, const ElementGoal& goal,
                                  const Candidate& candidate, const StopToken& stop) {
  gate::TensorBits inputs = zeroInputs(store, problem, candidate.sizes);
  if (!placeValues(store, atSizes(store, problem, goal, candidate.sizes, candidate.index), candidate, inputs))
    return fail(ErrorKind::Internal, "witness-cells", "two values of the witness fall on one cell");
  const Expected<gate::GridRun> run = gate::runGrid(store, problem, candidate.sizes, inputs, stop);
  if (!run)
    return fail(run.error());
  const std::string* buffer = bufferOfOutput(problem, goal.output);
  if (!run->result.findings.empty() || buffer == nullptr || !run->buffers.contains(*buffer) ||
      static_cast<size_t>(candidate.index) >= run->buffers.at(*buffer).size())
    return fail(ErrorKind::Internal, "witness-run", "the kernel did not run cleanly on the witness");
  const Expected<std::vector<uint64_t>> values =
      specValues(store, problem, goal.output, candidate.sizes, candidate.index, inputs);
  if (!values)
    return fail(values.error());
  Witness witness = describe(store, problem, candidate.sizes, inputs, goal.output, candidate.index);
  const uint64_t kernelBits = run->buffers.at(*buffer)[static_cast<size_t>(candidate.index)];
  witness.kernel = hexBits(kernelBits);
  witness.elementValues = candidate.values;
  setSpec(witness, *values);
  witness.interpreter = matchesAny(kernelBits, *values) ? Replay::Contradicted : Replay::Confirmed;
  return witness;
}

namespace {

/// Inputs that run through special values, differently aligned for each tensor and round.
gate::TensorBits sampleInputs(TermStore& store, const gate::Problem& problem, const gate::Sizes& sizes,
                              const std::vector<uint32_t>& patterns, size_t round) {
  gate::TensorBits inputs = zeroInputs(store, problem, sizes);
  size_t stride = 1;
  for (auto& [tensor, bits] : inputs) {
    for (size_t i = 0; i < bits.size(); ++i)
      bits[i] = patterns[(i / stride + round * bits.size() + i * (stride > 1 ? 1 : 0)) % patterns.size()];
    stride += 2;
  }
  return inputs;
}

} // namespace

Expected<SampleResult> sampleKernel(TermStore& store, const gate::Problem& problem, const StopToken& stop) {
  std::vector<TermId> roots;
  for (const spec::SpecOutput& output : problem.spec.outputs)
    roots.push_back(output.element);
  const std::vector<uint32_t> patterns = engine::candidatePatterns(store, roots);
  SampleResult result;
  std::vector<gate::Sizes> all = gate::smallSizes(store, problem, 8, 64);
  if (all.empty())
    all = gate::smallSizes(store, problem, 1, maxSampleNumel);
  for (const gate::Sizes& sizes : all) {
    if (stop.stopRequested())
      break;
    for (size_t round = 0; round < 3; ++round) {
      const gate::TensorBits inputs = sampleInputs(store, problem, sizes, patterns, round);
      const Expected<gate::GridRun> run = gate::runGrid(store, problem, sizes, inputs, stop);
      if (!run || !run->result.findings.empty())
        continue;
      for (const gate::OutputBinding& binding : problem.outputs) {
        const std::vector<uint64_t>& written = run->buffers.at(binding.buffer);
        for (size_t index = 0; index < written.size(); ++index) {
          const auto values =
              specValues(store, problem, binding.output, sizes, static_cast<int64_t>(index), inputs);
          if (!values)
            continue;
          ++result.compared;
          if (matchesAny(written[index], *values))
            continue;
          Witness witness =
              describe(store, problem, sizes, inputs, binding.output, static_cast<int64_t>(index));
          witness.kernel = hexBits(written[index]);
          setSpec(witness, *values);
          witness.interpreter = Replay::Confirmed;
          result.difference = std::move(witness);
          return result;
        }
      }
    }
  }
  if (result.compared == 0 && !all.empty())
    return fail(ErrorKind::Internal, "sample-run", "the kernel could not be run on small inputs");
  return result;
}

} // namespace plumbline::session
