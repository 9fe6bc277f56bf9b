// The dialects of Velvet.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plumbline::velvet {

/// Velvet2: labels, `returns`, `requires`, Lean 4.34. VelvetCav: string names, `return`, `require`,
/// Lean 4.24.
enum class Dialect : uint8_t { Velvet2, VelvetCav };
std::string_view name(Dialect dialect); ///< "velvet2", "velvet-cav"
std::optional<Dialect> dialectFromName(std::string_view name);

} // namespace plumbline::velvet
