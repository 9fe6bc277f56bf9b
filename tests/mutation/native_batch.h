// All mutants of one base compiled for this machine by clang++ and loaded, twice: checked and fast.
#pragma once

#include "core/base/error.h"
#include "tests/mutation/base.h"
#include "tests/mutation/native_run.h"

namespace plumbline::mutation {

/// Elements of one call of a fast entry: 4096, as 64 x 64 for matrices.
inline constexpr int64_t chunkSize = 4096;
inline constexpr int64_t chunkColumns = 64;

/// Owns the libraries. The entries may be called from several threads.
class NativeBatch {
public:
  /// `texts` are whole CUDA files. Errors: "native-compile" with the compiler's words.
  static Expected<NativeBatch> compile(const Base& base, const std::vector<std::string>& texts);
  NativeBatch(NativeBatch&& other) noexcept;
  NativeBatch& operator=(NativeBatch&&) = delete;
  NativeBatch(const NativeBatch&) = delete;
  NativeBatch& operator=(const NativeBatch&) = delete;
  ~NativeBatch();

  /// Null for a text that is no C++.
  NativeEntry checked(size_t text) const { return m_checked[text]; }
  NativeEntry fast(size_t text) const { return m_fast[text]; }
  /// LLVM's optimised code of the fast entry, without names: equal code computes equal values.
  const std::string& code(size_t text) const { return m_code[text]; }
  Reference reference() const { return m_reference; }
  AnyDiffers anyDiffers() const { return m_anyDiffers; }

private:
  NativeBatch() = default;
  Expected<void> buildChecked(const std::string& program);
  Expected<void> buildFast(const std::string& program, size_t count);
  Expected<void*> load(const std::string& library, size_t count, std::vector<NativeEntry>& entries);

  std::filesystem::path m_folder;
  std::vector<void*> m_libraries;
  std::vector<NativeEntry> m_checked;
  std::vector<NativeEntry> m_fast;
  std::vector<std::string> m_code;
  Reference m_reference = nullptr;
  AnyDiffers m_anyDiffers = nullptr;
};

/// The C++ of one mutant: a struct that derives from host::Program, and its entry.
std::string hostText(const Base& base, const std::string& text, size_t number);

} // namespace plumbline::mutation
