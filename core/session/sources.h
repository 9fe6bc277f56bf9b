// Reading MODEL and KERNEL: files, Python capture, the CUDA importer, choice of the launch.
#pragma once

#include "core/cuda/cuda_import.h"
#include "core/gate/bind.h"
#include "core/session/check.h"
#include "core/torch/capture.h"

namespace plumbline::session {

/// The importers' child processes, kept warm between checks. One thread at a time; start it from a thread
/// that outlives the object.
class ImportChildren {
public:
  /// Starts what the options need, without waiting, so that start-up overlaps with other work.
  void start(const CheckOptions& options);

  /// Errors: those of readGraphFile and PythonCapture.
  Expected<torch::Graph> readModel(const CheckOptions& options, const StopToken& stop);

  struct Candidate {
    cuda::ImportedCuda imported;
    bool python = false;                    ///< from a .py, whose forward() must then be understood
    std::optional<torch::WrapperCall> call; ///< what that forward() calls
    std::string unread;                     ///< why it could not be read
    std::string text;                       ///< the CUDA source that the ranges speak of
  };
  /// Errors: those of the importers, "no-kernel".
  Expected<Candidate> readKernel(const CheckOptions& options, const StopToken& stop);

  struct Recorded {
    torch::RecordedClass recorded;
    Candidate candidate; ///< the CUDA side of the same file
  };
  /// The class `name` of the .py file `options.kernel` as a graph of its wrappers' calls and of what is left
  /// to torch; `options.model` gives inputs and Model, when it is not empty. Errors: those of readKernel and
  /// PythonCapture::recordClass.
  Expected<Recorded> recordClass(const CheckOptions& options, const std::string& name, const StopToken& stop);

  /// Runs the graph in PyTorch. Errors: those of PythonCapture.
  Expected<Json> evaluateInPyTorch(const torch::Graph& graph, const Json& inputs, const StopToken& stop);

private:
  Expected<torch::PythonCapture*> python();
  Expected<cuda::CudaImporter*> cuda();

  std::optional<Expected<torch::PythonCapture>> m_python;
  std::optional<Expected<cuda::CudaImporter>> m_cuda;
};

/// The kernel and contract that a check is about.
struct ChosenLaunch {
  const ir::Kernel* kernel = nullptr;
  ir::LaunchContract contract;
  gate::BindOptions bind;
};

/// Errors: ErrorKind::Rejected with the rejections of the chosen kernel or of the unread wrapper;
/// "kernel-unknown", "several-launches", "launch-json", "call-unread".
Expected<ChosenLaunch> chooseLaunch(const ImportChildren::Candidate& candidate, const spec::Spec& spec,
                                    const CheckOptions& options);

} // namespace plumbline::session
