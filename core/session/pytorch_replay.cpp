#include "core/session/pytorch_replay.h"

#include "core/f32/soft_float.h"
#include "core/session/sources.h"
#include "core/session/witness_replay.h"

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

/// What PyTorch computed at the witness's index.
Expected<uint32_t> valueInPyTorch(const torch::Graph& graph, const Witness& witness, const StopToken& stop,
                                  torch::PythonCapture& python) {
  Expected<Json> outputs = python.evaluate(graph, inputsJson(witness), stop);
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

/// One line for people; sets the witness's and, on disagreement, the reading's fields.
std::string judge(ReadingResult& result, uint32_t bits) {
  Witness& witness = *result.witness;
  witness.pytorchValue = hexBits(S32::canonical(bits));
  const bool matchesSpec = std::any_of(witness.allowed.begin(), witness.allowed.end(),
                                       [&](const std::string& hex) { return sameBits(hex, bits); });
  witness.pytorch = matchesSpec ? Replay::Confirmed : Replay::Contradicted;
  if (matchesSpec)
    return "PyTorch gives " + witness.pytorchValue + " there: it reproduces the difference";
  result.relation = Relation::Conflict;
  result.reason = "PyTorch gives " + witness.pytorchValue + " where the denotation gives " + witness.spec;
  return "conflict: " + result.reason;
}

} // namespace

std::string replayInPyTorch(CheckOutcome& outcome, const StopToken& stop) {
  const auto found = std::find_if(
      outcome.verdict.readings.begin(), outcome.verdict.readings.end(),
      [](const ReadingResult& result) { return result.witness && result.reading == Reading::Ieee; });
  if (found == outcome.verdict.readings.end() || !outcome.graph)
    return {};
  Expected<torch::PythonCapture> python = torch::PythonCapture::start();
  Expected<uint32_t> bits = python ? valueInPyTorch(*outcome.graph, *found->witness, stop, *python)
                                   : tl::unexpected(python.error());
  if (!bits) {
    outcome.verdict.notes.insert("PyTorch replay was not run: " + bits.error().message);
    return "PyTorch replay was not run: " + toString(bits.error());
  }
  return judge(*found, *bits);
}

} // namespace plumbline::session
