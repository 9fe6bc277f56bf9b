// Which way a wrapper goes when it is called as a comparison calls it.
#pragma once

#include "core/cuda/cuda_import.h"

#include <functional>

namespace plumbline::session {

/// The value of a name of a contract (a parameter, "x.dim", "x.defined") where the call fixes it.
using KnownValue = std::function<std::optional<int64_t>(const std::string&)>;

/// The way through `wrapper` that is left when those are out that the known values exclude. Errors
/// (Rejected): the reasons of an unread way that may be taken; "several-ways", with what decides between
/// them; "always-throws" when none is left.
Expected<const ir::HostProgram*> chooseWay(const cuda::ImportedCuda& imported, const std::string& wrapper,
                                           const KnownValue& known);

} // namespace plumbline::session
