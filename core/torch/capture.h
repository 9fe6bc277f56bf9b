// Capturing a Python module: a client of the child `python3 resources/capture/capture.py`.
#pragma once

#include "core/base/child_process.h"
#include "core/torch/graph.h"
#include "core/torch/input_spec.h"

namespace plumbline::torch {

/// One call of a compiled wrapper that ModelNew.forward makes and whose result it returns.
struct WrapperCall {
  std::string function; ///< the C++ function behind the Python name
  int inputs = 0;       ///< tensors that forward() was run with
  /// For each argument one of: a tensor input of forward(), a Python number or list of integers, a parameter
  /// or buffer of the module, nothing.
  struct Argument {
    int input = -1;                                         ///< index among the tensor inputs of forward()
    std::optional<double> number;                           ///< as the C++ parameter holds it
    std::string text;                                       ///< repr of the number or list
    std::string parameter;                                  ///< state_dict key
    std::optional<std::vector<double>> list = std::nullopt; ///< of integers
    bool absent = false;                                    ///< None for an optional tensor
  };
  std::vector<Argument> arguments;
};

/// The CUDA side of a candidate .py: of the extension that `call` calls; of all of them when it is not set.
struct CandidateSource {
  std::string cuda;                             ///< cuda_sources joined
  std::string cpp;                              ///< cpp_sources joined
  std::vector<std::string> flags;               ///< extra_cuda_cflags
  std::map<std::string, std::string> functions; ///< Python name to C++ function
  std::optional<WrapperCall> call; ///< set when forward is exactly one wrapper call on its inputs
  std::string unread;              ///< otherwise: why not, naming what else forward does
};

/// A class of a candidate as a graph: each call of a compiled function is a node
/// "plumbline_wrapper.FUNCTION.default" with the arguments of the C++ function, between the operators that
/// are left to torch.
struct RecordedClass {
  Graph graph;
  struct Parameter {
    std::string key;   ///< in the class's state_dict
    std::string model; ///< key of the same parameter or buffer of Model; empty: there is none
    std::string by;    ///< "name", "order" (the first one left of its shape), or empty
  };
  std::vector<Parameter> parameters;
  std::vector<std::string> left; ///< keys of Model that correspond to nothing
};
inline constexpr const char* wrapperNamespace = "plumbline_wrapper.";

/// Keeps one Python child warm; after an error that ended it, the next request starts another. One thread at
/// a time. Files are executed, so their authors are trusted as far as the account that runs Plumbline.
class PythonCapture {
public:
  /// Starts the first interpreter that imports torch: PLUMBLINE_PYTHON alone if it is set, else `python3`,
  /// /usr/bin/python3. Returns at once; "torch-missing" appears at the first request. Error:
  /// "python-missing".
  static Expected<PythonCapture> start();
  /// The same among the given interpreters.
  static Expected<PythonCapture> start(const std::vector<std::string>& interpreters);

  /// Executes the file and exports class `Model` with dynamic sizes; `mode` is "train" (as constructed) or
  /// "eval". Errors: "capture-failed" with the Python message and the line, those of graphFromExportedJson,
  /// "timeout".
  Expected<Graph> captureModel(const std::string& path, const std::string& mode, const StopToken& stop);
  /// Reads a TorchScript file (nothing of it is executed but what loading does) at the given shapes. Errors:
  /// "script-torn", "input-missing", "input-unknown", "input-large", "capture-failed", those of
  /// graphFromExportedJson.
  Expected<Graph> readScripted(const std::string& path, const std::vector<InputSpec>& inputs,
                               const StopToken& stop);
  /// Executes the file with load_inline replaced by a recorder. Errors: "capture-failed", "no-cuda-source".
  Expected<CandidateSource> captureCandidate(const std::string& path, const StopToken& stop);
  /// Executes the file with the compiler replaced, and exports `className` with dynamic sizes. get_inputs(),
  /// get_init_inputs() and Model come from `modelPath`; empty: from the file itself. `wrappers` says what
  /// each C++ function returns (session/wrapper_shapes.h). Errors: "call-unread" (a wrapper that is not read,
  /// writes in place, or returns a shape that its contract does not say), those of captureModel.
  Expected<RecordedClass> recordClass(const std::string& path, const std::string& className,
                                      const std::string& modelPath, const std::string& mode,
                                      const Json& wrappers, const StopToken& stop);
  /// Runs the graph's operators in PyTorch (CPU) on given inputs: {name: {shape, dtype, bits}} to the same
  /// for outputs. The shapes give the sizes. Errors: "shape-mismatch", "input-missing", "capture-failed".
  Expected<Json> evaluate(const Graph& graph, const Json& inputs, const StopToken& stop);

private:
  PythonCapture(std::vector<std::string> interpreters, ChildProcess child)
      : m_interpreters(std::move(interpreters)), m_child(std::move(child)) {}
  /// The "ok" member of the answer. A request that was stopped ends the child.
  Expected<Json> request(Json message, const StopToken& stop);

  std::vector<std::string> m_interpreters;
  ChildProcess m_child;
  int64_t m_lastId = 0;
};

} // namespace plumbline::torch
