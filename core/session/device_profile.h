// The kernel as nvcc compiles it: which products and sums its PTX computes with one rounding.
#pragma once

#include "core/cuda/ptx/ptx.h"
#include "core/gate/problem.h"
#include "core/session/sources.h"

#include <memory>

namespace plumbline::session {

/// A problem's kernel with the contraction that was found in its PTX.
struct CompiledKernel {
  std::unique_ptr<ir::Module> module;
  const ir::Kernel* kernel = nullptr; ///< of that module
  std::vector<std::string> assumptions;
};

/// Compiles the candidate for an architecture ("sm_80") and finds the contraction under which the kernel of
/// `problem` stores what the PTX stores: the same terms in normal form. Several kernels where the assembler
/// may fuse more than the PTX does: what runs is one of them. Nothing is guessed: what is not recognised is
/// refused. Errors: those of findNvcc, compileToPtx and readPtx; Rejected: "flush-to-zero",
/// "approximate-function", "assembler-contraction" (the assembler may make more than nine kernels, or it is
/// not clear which), "ambiguous-contraction" (no choice, or too many to try, gives what the PTX stores),
/// "ptx-not-understood", "ptx-kernel" (the PTX does not have the kernel under its name).
Expected<std::vector<CompiledKernel>> compileKernel(logic::TermStore& store, const gate::Problem& problem,
                                                    const ImportChildren::Candidate& candidate,
                                                    const std::string& file, const std::string& arch,
                                                    const StopToken& stop);

/// The same from PTX that is already there; `profile` names it in assumptions.
Expected<std::vector<CompiledKernel>> matchPtx(logic::TermStore& store, const gate::Problem& problem,
                                               const cuda::PtxModule& ptx, const std::string& profile,
                                               const StopToken& stop);

} // namespace plumbline::session
