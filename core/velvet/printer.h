// Text of a document in a dialect of Velvet, with the origin of every line.
#pragma once

#include "core/velvet/dialect.h"
#include "core/velvet/syntax.h"

namespace plumbline::velvet {

struct PrintedDocument {
  std::string text;              ///< UTF-8, ends in a line end
  std::vector<LineOrigin> lines; ///< one a line of `text`
};

/// Deterministic. One clause a line, each clause's expression in parentheses.
PrintedDocument print(const Document& document, Dialect dialect);

/// An expression on one line, with the parentheses that Lean's precedence levels ask for.
std::string print(const Expr& expr);

} // namespace plumbline::velvet
