// The locked parts of a document one by one, in canonical form.
#pragma once

#include "core/velvet/parser.h"

#include <set>

namespace plumbline::velvet {

struct LockedPart {
  std::string text;
  TextRange range; ///< where it stands
  bool isComment = false;
};

/// Names that a document uses or declares: all its words, and the first parts of those with dots.
std::set<std::string> namesIn(std::string_view text);

/// Whether an item may be added to a document that uses these names: comments, proofs, theorems, definitions
/// that nothing else means.
bool isFree(const Item& item, const std::set<std::string>& used);

/// The parts of a parsed text, without its free items (by the names that the generated document uses) and its
/// invariants.
std::vector<LockedPart> lockedParts(const Parsed& parsed, std::string_view text,
                                    const std::set<std::string>& used);

} // namespace plumbline::velvet
