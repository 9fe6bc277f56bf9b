// Capturing a Python module: a client of the child `python3 resources/capture/capture.py`.
#pragma once

#include "core/base/child_process.h"
#include "core/torch/graph.h"

namespace plumbline::torch {

/// One call of a compiled wrapper that ModelNew.forward makes.
struct WrapperCall {
  std::string function;
  /// For each argument: the index of a forward() input (tensor), or a Python number.
  struct Argument {
    int input = -1;
    std::optional<double> number;
    std::string text; ///< repr of the number
  };
  std::vector<Argument> arguments;
};

/// The CUDA side of a candidate .py.
struct CandidateSource {
  std::string cuda;               ///< cuda_sources joined
  std::string cpp;                ///< cpp_sources joined
  std::vector<std::string> flags; ///< extra_cuda_cflags
  std::vector<std::string> functions;
  std::optional<WrapperCall> call; ///< set when forward is exactly one wrapper call on its inputs
  std::string unread;              ///< otherwise: why not, naming what else forward does
};

/// Keeps one Python child warm. One thread at a time.
class PythonCapture {
public:
  /// Finds an interpreter that imports torch (PLUMBLINE_PYTHON, python3, /usr/bin/python3) and starts it.
  /// Returns at once; errors of the interpreter appear at the first request ("python-missing",
  /// "torch-missing").
  static Expected<PythonCapture> start();

  /// Executes the file and exports class `Model` with dynamic sizes. Errors: "capture-failed" with the Python
  /// message.
  Expected<Graph> captureModel(const std::string& path, const std::string& mode, const StopToken& stop);
  /// Executes the file with load_inline replaced by a recorder. Errors: "capture-failed", "no-cuda-source".
  Expected<CandidateSource> captureCandidate(const std::string& path, const StopToken& stop);
  /// Runs the graph's operators in PyTorch (CPU) on given inputs: {name: {shape, dtype, bits}} to the same
  /// for outputs.
  Expected<Json> evaluate(const Graph& graph, const Json& inputs, const StopToken& stop);

private:
  explicit PythonCapture(ChildProcess child) : m_child(std::move(child)) {}
  Expected<Json> request(const Json& message, const StopToken& stop);
  ChildProcess m_child;
};

} // namespace plumbline::torch
