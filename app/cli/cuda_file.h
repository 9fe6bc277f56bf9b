// A CUDA file as the commands `run` and `gate` read it.
#pragma once

#include "core/session/sources.h"

namespace plumbline::cli {

/// Imports a .cu, or the CUDA text of a .py. Errors: those of reading; "cuda-syntax" with the compiler's
/// messages.
Expected<session::ImportChildren::Candidate> readCudaFile(const std::string& path);

} // namespace plumbline::cli
