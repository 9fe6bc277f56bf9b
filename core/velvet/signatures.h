// Types of the names that documents may use without declaring them: Lean's own and those of lean/.
#pragma once

#include "core/velvet/lean_type.h"

#include <map>

namespace plumbline::velvet {

/// A name's type. Type variables are the heads "S" and "A"; every argument is explicit.
struct Signature {
  LeanType type;
};

/// By full name: "Plumbline.cDiv", "Array.size" (its first argument is what stands before ".size").
const std::map<std::string, Signature, std::less<>>& signatures();

/// Types that Lean or lean/ declare: "Nat", "Float32", ...
bool isKnownType(std::string_view head);

} // namespace plumbline::velvet
