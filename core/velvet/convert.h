// A document of one dialect as one of the other.
#pragma once

#include "core/velvet/dialect.h"
#include "core/velvet/syntax.h"

namespace plumbline::velvet {

/// To velvet-cav: Lean 4.24 has no model of Float32, so it becomes an abstract scalar S of Plumbline.Scalar,
/// and clauses other than invariants lose their labels. To velvet2: S stays, and assertions get labels.
/// Origins stay; a seal goes (printSealed makes one for the result).
///
/// Errors: ErrorKind::Rejected "dialect", with one rejection for each thing that the dialect cannot express,
/// by name: a function of Float32 that no abstract scalar has, binary64, text of unknown structure, a proof
/// script other than the solve command, (mut ...) parameters.
Expected<Document> convert(const Document& document, Dialect to);

} // namespace plumbline::velvet
