// Types of a document's expressions, and what is wrong with them.
#pragma once

#include "core/velvet/lean_type.h"
#include "core/velvet/syntax.h"

#include <unordered_map>

namespace plumbline::velvet {

struct Typing {
  std::vector<Diagnostic> diagnostics;             ///< by place
  std::unordered_map<const Expr*, LeanType> types; ///< of the expressions of the document it was made for
};

/// Types everything in a document. Nat becomes Int, Bool becomes Prop and Prop becomes Bool where Lean's
/// elaborator does it; text of unknown structure has no type and causes no error. Ids: "unknown-name",
/// "unknown-type", "type-mismatch", "not-a-function", "arguments", "not-mutable", "duplicate-name",
/// "duplicate-label". What only Lean can know (a field or a qualified name that is not in the table) is a
/// warning.
Typing typeDocument(const Document& document);

} // namespace plumbline::velvet
