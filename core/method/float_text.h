// Terms over binary32 as Lean expressions at Float32: what a closed fact about a kernel is made of.
#pragma once

#include "core/base/error.h"
#include "core/logic/term.h"
#include "core/velvet/syntax.h"

#include <unordered_map>

namespace plumbline::method {

/// The term as an expression of type Float32 (of type Bool, for a Bool term). `leaves` are its free
/// variables. Errors (Rejected): "no-closed-fact" for what Lean cannot compute: functions without agreed
/// bits, binary64, integers that are not known.
Expected<velvet::ExprPtr> floatText(const logic::TermStore& store, logic::TermId term,
                                    const std::unordered_map<logic::TermId, velvet::ExprPtr>& leaves);

/// Float32.ofBits 0x3F800000; one NaN.
velvet::ExprPtr bitsText(uint32_t bits);

} // namespace plumbline::method
