// The line of the user's code in a Python stack trace, as torch.export records one for each node.
#pragma once

#include "core/torch/graph.h"

namespace plumbline::torch {

/// The innermost frame of the trace that is neither in PyTorch's own package nor in generated code. Unknown
/// when there is none, or the text is no trace. Control characters become spaces, long texts are cut.
SourceLine userLine(std::string_view trace);

} // namespace plumbline::torch
