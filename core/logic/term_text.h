// Terms for people: C-like infix, as few parentheses as precedence allows, constants in decimal. Not unique:
// two different terms may read the same (TermStore::print tells them apart).
#pragma once

#include "core/logic/term.h"

#include <functional>

namespace plumbline::logic {

/// Text to stand for a subterm, e.g. the name of a graph node; empty prints the subterm itself. Not asked
/// about the root.
using TermName = std::function<std::string(TermId)>;

/// "0 < x[i] ? x[i] : 0.01 * x[i]". At most `limit` characters, then cut with "...".
std::string displayText(const TermStore& store, TermId root, const TermName& nameOf = {},
                        size_t limit = 2000);

/// The shortest decimal that reads back as the binary32 value: "0", "-0", "0.1", "inf", "nan".
std::string decimalText(uint32_t bits);

} // namespace plumbline::logic
