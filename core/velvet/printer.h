// Text of a document in a dialect of Velvet, with the origin of every line.
#pragma once

#include "core/velvet/syntax.h"

#include <optional>
#include <string_view>

namespace plumbline::velvet {

/// Dialects that the printer knows. Velvet2: labels, `returns`, `requires`, Lean 4.34.
enum class Dialect : uint8_t { Velvet2 };
std::string_view name(Dialect dialect); ///< "velvet2"
std::optional<Dialect> dialectFromName(std::string_view name);

struct PrintedDocument {
  std::string text;              ///< UTF-8, ends in a line end
  std::vector<LineOrigin> lines; ///< one a line of `text`
};

/// Deterministic. One clause a line, each clause's expression in parentheses.
PrintedDocument print(const Document& document, Dialect dialect);

/// An expression on one line, with the parentheses that Lean's precedence levels ask for.
std::string print(const Expr& expr);

} // namespace plumbline::velvet
