// The kernel's program as statements of the method.
#pragma once

#include "core/method/block_plan.h"
#include "core/method/environment.h"
#include "core/method/frame_facts.h"
#include "core/method/inexpressible.h"
#include "core/method/memory_use.h"

namespace plumbline::method {

struct BodyParts {
  const logic::TermStore& store;
  const gate::Problem& problem;
  const BlockPlan& plan;
  const MemoryUse& memory;
  FrameFacts facts; ///< about variables declared outside
};

struct BodyText {
  std::vector<velvet::Stmt> statements;        ///< of one thread, or of one block where the plan has barriers
  std::vector<velvet::Definition> definitions; ///< device functions that are pure expressions
  std::vector<Inexpressible> inexpressible;
};

/// Integers become Int with assertions that no operation leaves its C type; accesses become `set!` and `[ ]!`
/// under asserted bounds; jumps become nested `if`s and flags. Throws Refused.
BodyText bodyText(const BodyParts& parts, Environment& environment);

} // namespace plumbline::method
