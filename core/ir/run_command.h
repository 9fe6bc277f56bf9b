// What `plumbline run` does: one kernel, one launch, concrete inputs; the outputs and what went wrong.
#pragma once

#include "core/ir/interpreter.h"
#include "core/ir/tensor_io.h"

namespace plumbline::ir {

struct RunRequest {
  const Module* module = nullptr; ///< outlives the call
  std::string kernel;             ///< name; may be empty when the module has one kernel
  LaunchContract launch;
  TensorFile inputs; ///< buffers and scalars by kernel parameter, or by the wrapper's names; sizes
  Schedule schedule;
  bool exitedThreadsOk = false; ///< as in RunOptions
};

struct RunReport {
  std::string kernel;
  ConcreteLaunch launch;
  Tensors outputs; ///< buffers with role output or inout, by kernel parameter; of inputs' shapes where these
                   ///< are known
  RunResult result;
  bool ran = false; ///< false: the launch itself has findings, and nothing was executed
  std::vector<RunFinding> findings() const; ///< of the launch and of the run
};

/// The contract for `kernel` in a --launch file: an object with "kernels", or a single contract. Errors:
/// "launch-json", "launch-missing", and those of launchFromJson.
Expected<LaunchContract> launchFromFile(const Json& json, const std::string& kernel);

/// The kernel with that name, or the only one. Errors: "kernel-missing", "kernel-rejected" with the
/// rejections.
Expected<const Kernel*> findKernel(const Module& module, const std::string& name);

/// Values for the contract's sizes: given ones, then those that a tensor's length or shape, or a scalar,
/// fixes. Later sources do not overwrite earlier ones; contradictions show when lengths are compared.
std::map<std::string, int64_t> deduceSymbols(const LaunchContract& contract, const TensorFile& inputs);

/// Errors: those of findKernel, bindLaunch, makeMemory and Interpreter::run, "tensor-dtype".
Expected<RunReport> runKernel(const RunRequest& request, const StopToken& stop);

/// As resources/schema/run.schema.json says.
Json toJson(const RunReport& report);
/// For people: outputs shortened to their first elements, findings, counts.
std::string print(const RunReport& report);

} // namespace plumbline::ir
