// Parts of a kernel that Lean's text can name but not define.
#pragma once

#include "core/base/error.h"

namespace plumbline::method {

/// The document is complete, yet nothing can be proved about it in Lean.
struct Inexpressible {
  std::string what; ///< "binary64 arithmetic"
  SourceRange where;
};

} // namespace plumbline::method
