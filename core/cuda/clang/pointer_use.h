// Which pointer parameters a device function reads and writes through. No Clang here.
#pragma once

#include "core/ir/kernel.h"

#include <vector>

namespace plumbline::cuda {

struct PointerUse {
  bool loaded = false;
  bool stored = false;
};

/// One entry per parameter of module.functions[function]; calls and pointer variables are followed. Every use
/// that may happen on some path counts.
std::vector<PointerUse> pointerUse(const ir::Module& module, int function);

} // namespace plumbline::cuda
