// The safety gate for kernels that write one element per thread: bounds, overflow, initialised reads,
// uniqueness, coverage, legal launch. Only an accepted kernel's terms are its meaning.
#pragma once

#include "core/gate/concrete_run.h"
#include "core/gate/index_prover.h"
#include "core/vc/thread_map.h"

namespace plumbline::gate {

/// One access in a picture of who touches what.
struct PictureAccess {
  ir::ThreadId thread;
  int64_t index = 0; ///< element
  bool write = false;
  bool atomic = false;
  SourceRange where;
  bool operator==(const PictureAccess&) const = default;
};

/// What threads do to one array around the element of a finding, in the order of a run.
struct FindingPicture {
  std::string buffer;
  int64_t index = 0;                   ///< the element; may lie outside the array
  int64_t length = 0;                  ///< elements of the array; -1: not known
  std::vector<PictureAccess> accesses; ///< few; those to the element itself first
};

/// A concrete defect. `replayed`: the interpreter (or exact evaluation on the host's expressions) reproduced
/// it.
struct Finding {
  std::string
      kind; ///< design words: "out-of-bounds", "overflow", "race-grid", "race-block", "incomplete", ...
  std::string message;
  std::vector<SourceRange> spans;
  std::vector<ir::ThreadId> threads;
  std::map<std::string, int64_t> sizes;
  bool replayed = false;
  std::optional<FindingPicture> picture = {}; ///< inside a comparison, where the run is small
};

/// Float atomics of several threads may meet in one cell, in no order: what the kernel leaves there is not
/// one value. Not a fault, but the values of such an array cannot be claimed to be anything.
struct OrderDependence {
  std::string array;
  SourceRange where;
  bool operator==(const OrderDependence&) const = default;
};

enum class GateStatus : uint8_t { Undetermined, Accepted, Refused, Unsupported };
std::string_view name(GateStatus status);

struct ObligationResult {
  std::string name; ///< "bounds: read of x"
  SourceRange where;
  IndexProof proof;
};

/// The value that the thread for element `i` leaves in an output, as a term over `i` and the sizes.
struct ElementValue {
  size_t output = 0;
  logic::TermId value{};
  /// What the expressions of that thread had for values, where they are float or truth values.
  std::vector<vc::TermOrigin> origins;
  std::vector<SourceRange> stores; ///< the statements that write it
};

struct GateReport {
  GateStatus status = GateStatus::Undetermined;
  std::string reason;                ///< of Undetermined and Unsupported: the first open obligation
  std::string next;                  ///< what to do about the reason, where that is known
  std::vector<Rejection> rejections; ///< of Unsupported: the constructs
  std::vector<Finding> findings;
  std::vector<ObligationResult> obligations;
  std::vector<ElementValue> values; ///< only when accepted
  std::vector<OrderDependence> orderDependent;
  std::vector<std::string> hypotheses; ///< whole grids: what is taken from the host code of sizes, for people
  std::vector<logic::TermId> facts;    ///< size facts, and 0 <= i < numel is added per output by the user
};

/// What to do about the reason, or about the constructs that the report names; may be empty.
std::string nextStep(const GateReport& report);

/// Checks the problem at all its sizes. `portfolio` may be null. Progress: `stop` is honoured between
/// queries.
GateReport checkGate(logic::TermStore& store, const Problem& problem, engine::Portfolio* portfolio,
                     const StopToken& stop);

/// Conditions on sizes and coordinates under which every query of the problem runs.
std::vector<logic::TermId> sizeFacts(logic::TermStore& store, const Problem& problem);

} // namespace plumbline::gate
