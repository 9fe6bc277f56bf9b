// What a check answers. A verdict is born as an error; only an explicit success path sets more.
#pragma once

#include "core/gate/gate.h"

#include <iosfwd>
#include <set>

namespace plumbline::session {

/// TorchCuda: the module under the formulas of PyTorch's CUDA kernels, the kernel under ieee.
/// Nvcc...: the module under ieee, the kernel with the contraction that nvcc chose for the architecture.
enum class Reading : uint8_t {
  Ieee,
  Real,
  TorchCuda,
  NvccSm75,
  NvccSm80,
  NvccSm86,
  NvccSm89,
  NvccSm90,
  NvccSm100,
  NvccSm120
};
std::string_view name(Reading reading); ///< "ieee", "real", "device:torch-cuda", "device:nvcc-sm_80"
/// "sm_80" of a reading of nvcc's, empty for the others.
std::string_view nvccArch(Reading reading);
/// Errors (Usage): "reading-unknown"; "profile-unknown", which lists the profiles of devices.
Expected<Reading> readingFromName(std::string_view name);
/// Binary32 numbers rather than exact ones.
inline bool isBinary32(Reading reading) {
  return reading != Reading::Real;
}

/// Relations of one reading, strongest first; Error is the state before anything was shown.
enum class Relation : uint8_t { Error, Equal, EqualModulo, Reassociated, Different, Undetermined, Conflict };
std::string_view name(Relation relation);
std::optional<Relation> relationFromName(std::string_view name);

/// One engine's answer about a goal.
struct Evidence {
  std::string engine;
  std::string result;
  Json artefact; ///< a query text's file name, a sweep record, or null
  double timeMs = 0;
  std::string text; ///< the artefact's content when it is to be saved under --out
};

enum class GoalStatus : uint8_t { Open, Closed, Witnessed, Conflict };
std::string_view name(GoalStatus status);

struct Goal {
  std::string name;
  std::string reading; ///< empty for goals of the gate
  GoalStatus status = GoalStatus::Open;
  std::string statement;
  std::vector<SourceRange> spans;
  std::vector<Evidence> evidence;
};

enum class Replay : uint8_t { NotRun, Confirmed, Contradicted };

/// A tensor of a witness: bits under ieee, rationals under real.
struct WitnessTensor {
  std::vector<int64_t> shape;
  std::vector<uint32_t> bits;
  std::vector<std::string> rationals;
};

/// An input on which the two sides differ.
struct Witness {
  Reading reading = Reading::Ieee;
  std::map<std::string, WitnessTensor> inputs;
  std::map<std::string, WitnessTensor> initial; ///< contents of uninitialised buffers that matter
  std::string output;
  int64_t index = 0;
  std::string spec;                 ///< "0x7fc00000" or a rational
  std::vector<std::string> allowed; ///< every value the spec allows there (zero signs left open)
  std::string kernel;
  Replay interpreter = Replay::NotRun;
  Replay pytorch = Replay::NotRun;
  std::string pytorchValue; ///< what PyTorch computed there, when it ran
  /// Values of the element goal's inputs, in its order; empty when it was found by sampling whole tensors.
  std::vector<uint32_t> elementValues;
};

struct Scope {
  std::string kind; ///< "all" or "exact"
  std::map<std::string, std::pair<int64_t, int64_t>> ranges;
  std::vector<int64_t> shape;          ///< of output 0, for "exact"
  std::vector<std::string> conditions; ///< of the default size range and --assume, besides the ranges
};

struct ReadingResult {
  Reading reading = Reading::Ieee;
  Relation relation = Relation::Error;
  std::vector<std::string> modulo;
  std::optional<Scope> scope;
  std::string reason;
  std::string next; ///< suggested next step
  std::optional<Witness> witness;
};

struct Verdict {
  std::vector<ReadingResult> readings;
  std::optional<gate::GateReport> gate;
  std::vector<Goal> goals;
  std::set<std::string> opaque;
  std::set<std::string> assumptions;
  std::vector<gate::Hypothesis> hypotheses;
  std::vector<Rejection> rejections;
  std::optional<Error> error; ///< the check could not be made
  std::set<std::string>
      notes; ///< what the user should know: files executed, flags set aside, missing solvers
  double timeMs = 0;
};

/// The relation under the first asked reading; Undetermined when the input was rejected or the gate refused.
Relation overall(const Verdict& verdict);
/// Why it is what it is, in one sentence; empty for a positive relation.
std::string reasonOf(const Verdict& verdict);

/// The object that `check --json` prints (resources/schema/verdict.schema.json).
Json toJson(const Verdict& verdict);
/// The text that `check` prints for people.
std::string print(const Verdict& verdict);
/// The `gate` object of design's command line contract, without `schema`.
Json toJson(const gate::GateReport& report);
void printGate(std::ostream& out, const gate::GateReport& report);

/// Exit status by the command line contract. `accepted` are the relations named by --accept.
int exitCode(const Verdict& verdict, const std::set<Relation>& accepted);

} // namespace plumbline::session
