// What a name or an expression is.
#pragma once

#include "lean-bridge/server/index.h"

#include <optional>

namespace plumbline::server {

struct HoverText {
  std::string markdown;
  velvet::TextRange range;
};

/// Type, kind of value, clause, and where in the CUDA source and in the module's graph it comes from.
std::optional<HoverText> hoverAt(const Snapshot& snapshot, const DocumentIndex& index, uint32_t offset);

} // namespace plumbline::server
