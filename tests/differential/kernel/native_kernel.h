// CUDA sources compiled for this machine and loaded.
#pragma once

#include "core/base/error.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plumbline::differential {

/// The kernels of one source text. Owns the loaded library and its file.
class NativeKernels {
public:
  /// `kernels` as expressions, e.g. "scale<float>". `optimise`: as "-O1". Errors: "native-compile" with the
  /// compiler's words.
  static Expected<NativeKernels> compile(const std::string& source, const std::vector<std::string>& kernels,
                                         const std::string& optimise);
  NativeKernels(NativeKernels&& other) noexcept;
  NativeKernels& operator=(NativeKernels&&) = delete;
  NativeKernels(const NativeKernels&) = delete;
  NativeKernels& operator=(const NativeKernels&) = delete;
  ~NativeKernels();

  /// The kernel at that position of `kernels`; `arguments[i]` points at the i-th argument.
  void run(size_t kernel, std::vector<void*>& arguments, const std::array<int64_t, 3>& grid,
           const std::array<int64_t, 3>& block) const {
    m_entry(static_cast<int>(kernel), arguments.data(), grid.data(), block.data());
  }

private:
  using Entry = void (*)(int, void**, const int64_t*, const int64_t*);
  NativeKernels() = default;
  void* m_library = nullptr;
  Entry m_entry = nullptr;
  std::filesystem::path m_folder;
};

} // namespace plumbline::differential
