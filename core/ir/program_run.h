// Running a wrapper's program on concrete tensors: its launches one after another in the interpreter.
#pragma once

#include "core/ir/host_program.h"
#include "core/ir/interpreter.h"
#include "core/ir/tensor_io.h"

namespace plumbline::ir {

struct ProgramRun {
  Tensors tensors;                  ///< parameters and tensors of the program after the run, by name
  std::vector<Tensor> returned;     ///< in the wrapper's order
  std::vector<RunFinding> findings; ///< a launch with findings is the last one that was run
  int faultyLaunch = 0;             ///< which one that is, from 1; 0: no launch, the end of the program
};

/// `inputs`: tensors, scalars (tensors of one element) and lists by the wrapper's parameter names; an
/// optional tensor that is missing is not given. Errors: "launch-precondition" (the wrapper goes another way,
/// or raises an error), "torch-operator" (Rejected: a function left to torch, other than zero_, fill_ and
/// clone), "null-argument" (Rejected), "tensor-dtype", "size-unbound", and those of bindLaunch, makeMemory
/// and Interpreter::run.
Expected<ProgramRun> runProgram(const Module& module, const HostProgram& program, const TensorFile& inputs,
                                const Schedule& schedule, const StopToken& stop);

} // namespace plumbline::ir
