// Running NVIDIA's compiler on device code, where it is installed. Nothing else of Plumbline needs it.
#pragma once

#include "core/base/stop_token.h"
#include "core/cuda/cuda_import.h"

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cuda {

/// The compiler: `given` if it is not empty, else PLUMBLINE_NVCC, PATH, CUDA_HOME, CUDA_PATH,
/// /usr/local/cuda, the Python environment VIRTUAL_ENV, and the folder that `./dev nvcc` fills. Error:
/// "nvcc-missing" (Tool), which tells how to get it.
Expected<std::string> findNvcc(const std::string& given);

/// "13.0.88" of the compiler. Error: "nvcc-failed".
Expected<std::string> nvccVersion(const std::string& nvcc, const StopToken& stop);

struct PtxRequest {
  std::string source;                      ///< CUDA text, host code and all
  std::string name;                        ///< of the source file, for messages
  std::vector<std::string> instantiations; ///< of kernel templates: "scale<float>"
  std::string nvcc;                        ///< a path from findNvcc
  std::string arch = "sm_80";
  std::vector<std::string> flags; ///< of the candidate's own build, then the user's
};

/// What it takes to compile an imported source: its instantiations and its own flags. `text` is what was
/// imported.
PtxRequest ptxRequest(const ImportedCuda& imported, std::string text, std::string name);

struct PtxText {
  std::string ptx;
  std::string version; ///< of nvcc
  std::string arch;
  std::vector<std::string>
      flags; ///< those that were used; what only concerns the host or the target is left out
};

/// Name that the PTX gives to the file that was compiled; its lines are those of PtxRequest::source.
inline constexpr std::string_view ptxSourceName = "plumbline_kernel.cu";

/// Compiles the kernels of a source. Errors: "nvcc-rejects" (File, with position: nvcc does not compile the
/// device code), "nvcc-failed" (Tool), "nvcc-flag" (Usage: a flag that names files or programs), "nvcc-arch"
/// (Usage), "ptx-size", "timeout".
Expected<PtxText> compileToPtx(const PtxRequest& request, const StopToken& stop);

} // namespace plumbline::cuda
