// What the compiler noticed about the text besides the AST. No Clang in this header.
#pragma once

#include "core/base/error.h"

#include <optional>
#include <vector>

namespace plumbline::cuda {

struct SourceNote {
  Rejection rejection;
  /// Byte offset in the main file; nothing when the place is outside it.
  std::optional<unsigned> offset;
};

struct SourceNotes {
  /// Errors: "cuda-syntax".
  std::vector<SourceNote> errors;
  /// Pragmas and attributes whose meaning is not known.
  std::vector<SourceNote> marks;
  /// What makes the meaning of the whole file uncertain: "architecture-dependent", "unknown-include".
  std::vector<Rejection> everywhere;
};

} // namespace plumbline::cuda
