// gate --vercors: the annotated kernel, and what VerCors says about it.
#pragma once

#include "core/cuda/cuda_import.h"
#include "core/gate/gate.h"
#include "core/gate/vercors/run.h"

#include <optional>

namespace plumbline::cli {

struct VercorsRequest {
  std::string file; ///< empty: not asked for
  std::chrono::seconds timeout{300};
};

/// A second opinion; it never changes the gate's answer.
struct VercorsReport {
  std::string file;             ///< that was written; empty when the export was refused
  std::optional<Error> refusal; ///< why there is no export
  std::string removed;          ///< the export of an earlier run in its place, which was removed
  gate::vercors::Answer answer;
};

/// Exports the launch of `contract`, or the only launch of the kernel that the source has, and asks VerCors
/// where the gate has accepted: VerCors takes integers as unbounded, so that no value overflows must be known
/// before. `kernel`: empty is the only one of the source.
VercorsReport askVercors(const cuda::ImportedCuda& imported, const std::string& kernel,
                         const std::optional<ir::LaunchContract>& contract, gate::GateStatus status,
                         const VercorsRequest& request);

/// {"file", "refused"?, "removed"?, "status", "codes", "message", "time_ms"}
Json toJson(const VercorsReport& report);
std::string print(const VercorsReport& report);

} // namespace plumbline::cli
