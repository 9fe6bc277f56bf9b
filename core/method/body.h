// The kernel's program of one thread as statements of the method.
#pragma once

#include "core/method/environment.h"
#include "core/method/inexpressible.h"

namespace plumbline::method {

struct BodyText {
  std::vector<velvet::Stmt> statements;
  std::vector<velvet::Definition> definitions; ///< device functions that are pure expressions
  std::vector<Inexpressible> inexpressible;
};

/// Integers become Int with assertions that no operation leaves its C type; accesses become `set!` and `[ ]!`
/// under asserted bounds; an early return becomes a nested `if`. Throws Refused.
BodyText bodyText(const gate::Problem& problem, Environment& environment);

} // namespace plumbline::method
