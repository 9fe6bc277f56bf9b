// Symbolic execution of a kernel's PTX for one thread: what the compiled code stores, as terms over the same
// leaves as those of executeThread. For comparing the two; integers and control flow are taken to be compiled
// faithfully.
#pragma once

#include "core/cuda/ptx/ptx.h"
#include "core/vc/symbolic_thread.h"

namespace plumbline::vc {

/// The value that a cell has when the thread ends, where it is written.
struct CellValue {
  std::string buffer;
  logic::TermId index;
  logic::TermId value;
};

/// Runs a kernel without loops, shared memory and calls. `parameters` in the order of the kernel's. A cell's
/// value is conditional on truth values of floats and integers that choose between two stores, not on those
/// that choose whether something is stored. Integers are unbounded: an index stands for the address only
/// where it is that of the source. Error (Rejected): "ptx-not-understood", with the instruction that a stored
/// value needs.
Expected<std::vector<CellValue>> executePtx(logic::TermStore& store, const cuda::PtxFunction& kernel,
                                            const std::vector<ParameterBinding>& parameters,
                                            const ThreadGeometry& geometry);

/// The same summary of what executeThread found: the last store to each cell.
std::vector<CellValue> cellValues(logic::TermStore& store, const SymbolicThread& thread);

} // namespace plumbline::vc
