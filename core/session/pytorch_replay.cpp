#include "core/session/pytorch_replay.h"

#include "core/f32/soft_float.h"
#include "core/session/comparison.h"
#include "core/session/witness_replay.h"
#include "core/spec/known_differences.h"

#include <algorithm>

namespace plumbline::session {

namespace {

using S32 = f32::Soft<f32::Binary32>;

Json inputsJson(const Witness& witness) {
  Json inputs = Json::object();
  for (const auto& [tensor, content] : witness.inputs)
    inputs[tensor] = {{"shape", content.shape}, {"dtype", "float32"}, {"bits", content.bits}};
  return inputs;
}

bool sameBits(const std::string& hex, uint32_t bits) {
  return S32::same(static_cast<uint32_t>(std::stoul(hex, nullptr, 16)), bits);
}

} // namespace

Expected<uint32_t> valueInPyTorch(const torch::Graph& graph, const Witness& witness, ImportChildren& children,
                                  const StopToken& stop) {
  Expected<Json> outputs = children.evaluateInPyTorch(graph, inputsJson(witness), stop);
  if (!outputs)
    return fail(outputs.error());
  try {
    return static_cast<uint32_t>(
        outputs->at(witness.output).at("bits").at(static_cast<size_t>(witness.index)).get<int64_t>());
  } catch (const std::exception& error) {
    return fail(ErrorKind::Tool, "replay-unreadable",
                std::string("PyTorch's answer cannot be read: ") + error.what());
  }
}

namespace {

/// One line for people; sets the witness's and, on disagreement, the reading's fields.
class Judge {
public:
  Judge(CheckOutcome& outcome, ReadingResult& result, uint32_t bits)
      : m_outcome(outcome), m_result(result), m_witness(*result.witness), m_bits(bits) {}

  std::string run() {
    m_witness.pytorchValue = hexBits(S32::canonical(m_bits));
    if (matchesSpec())
      return confirmed();
    // An opaque function may differ from its correctly rounded value by its bound; the kernel's value it may
    // not have.
    if (!m_outcome.verdict.opaque.empty() && !sameBits(m_witness.kernel, m_bits))
      return confirmed();
    if (const auto row = spec::knownDifference(*m_outcome.comparison->graph))
      return known(*row);
    m_witness.pytorch = Replay::Contradicted;
    m_result.relation = Relation::Conflict;
    m_result.reason =
        "PyTorch gives " + m_witness.pytorchValue + " where the denotation gives " + m_witness.spec;
    return "conflict: " + m_result.reason;
  }

private:
  bool matchesSpec() const {
    return std::any_of(m_witness.allowed.begin(), m_witness.allowed.end(),
                       [&](const std::string& hex) { return sameBits(hex, m_bits); });
  }

  std::string confirmed() {
    m_witness.pytorch = Replay::Confirmed;
    return "PyTorch gives " + m_witness.pytorchValue + " there: it reproduces the difference";
  }

  /// PyTorch is known not to follow the defined mathematics here, so it says nothing for or against.
  std::string known(const std::string& row) {
    const std::string text = "PyTorch gives " + m_witness.pytorchValue +
                             " there, which falls under the known difference '" + row + "'";
    m_outcome.verdict.notes.insert(text);
    m_witness.pytorch = Replay::NotRun;
    return text;
  }

  CheckOutcome& m_outcome;
  ReadingResult& m_result;
  Witness& m_witness;
  uint32_t m_bits;
};

} // namespace

namespace {

/// PyTorch runs on the CPU here: its kernels are not those that the reading is about, so that an agreement
/// would confirm nothing and a disagreement contradict nothing.
std::string notRunForDevice(Verdict& verdict) {
  for (const ReadingResult& result : verdict.readings)
    if (result.witness && result.reading == Reading::TorchCuda) {
      std::string text = "PyTorch replay was not run under " + std::string(name(result.reading)) +
                         ": PyTorch runs its CPU kernels here, which have other formulas";
      verdict.notes.insert(text);
      return text;
    }
  return {};
}

std::string replayUnderIeee(CheckOutcome& outcome, ImportChildren& children, const StopToken& stop) {
  const auto found = std::find_if(
      outcome.verdict.readings.begin(), outcome.verdict.readings.end(),
      [](const ReadingResult& result) { return result.witness && result.reading == Reading::Ieee; });
  if (found == outcome.verdict.readings.end() || !outcome.comparison->graph)
    return {};
  Expected<uint32_t> bits = valueInPyTorch(*outcome.comparison->graph, *found->witness, children, stop);
  if (!bits) {
    outcome.verdict.notes.insert("PyTorch replay was not run: " + bits.error().message);
    return "PyTorch replay was not run: " + toString(bits.error());
  }
  return Judge(outcome, *found, *bits).run();
}

} // namespace

std::string replayInPyTorch(CheckOutcome& outcome, ImportChildren& children, const StopToken& stop) {
  const std::string ieee = replayUnderIeee(outcome, children, stop);
  const std::string device = notRunForDevice(outcome.verdict);
  return ieee + (ieee.empty() || device.empty() ? "" : "\n") + device;
}

} // namespace plumbline::session
