// A kernel's source compiled for this machine and loaded.
#pragma once

#include "core/base/error.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plumbline::differential {

/// Owns the loaded library and its file.
class NativeKernel {
public:
  /// `kernel` as an expression, e.g. "scale<float>". Errors: "native-compile" with the compiler's words.
  static Expected<NativeKernel> compile(const std::string& source, const std::string& kernel);
  NativeKernel(NativeKernel&& other) noexcept;
  NativeKernel& operator=(NativeKernel&&) = delete;
  NativeKernel(const NativeKernel&) = delete;
  NativeKernel& operator=(const NativeKernel&) = delete;
  ~NativeKernel();

  /// `arguments[i]` points at the i-th argument.
  void run(std::vector<void*>& arguments, const std::array<int64_t, 3>& grid,
           const std::array<int64_t, 3>& block) const {
    m_entry(arguments.data(), grid.data(), block.data());
  }

private:
  using Entry = void (*)(void**, const int64_t*, const int64_t*);
  NativeKernel() = default;
  void* m_library = nullptr;
  Entry m_entry = nullptr;
  std::filesystem::path m_folder;
};

} // namespace plumbline::differential
