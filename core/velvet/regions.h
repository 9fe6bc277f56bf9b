// What of a document was generated and may not be changed, and whether somebody did.
#pragma once

#include "core/velvet/parser.h"
#include "core/velvet/printer.h"

namespace plumbline::velvet {

/// A difference between the locked parts of a generated document and those of a text that was made from it.
struct LockedChange {
  enum class Kind : uint8_t { Changed, Removed, Added };
  Kind kind = Kind::Changed;
  int generatedLine = 0; ///< from 1; where it is missing: the line behind that place
  int line = 0;          ///< in the text, from 1
  TextRange range;       ///< in the text; empty for something removed
  std::string expected;  ///< in canonical form, parts separated by line ends; empty for something added
  std::string found;     ///< the same; empty for something removed
};

/// The changes, in order; none: nothing is tampered with. Compared are the trees, so layout is free, and what
/// stands in a comment is no part of the method. Free are invariants, proofs, theorems, comments, and
/// definitions whose name nothing generated uses; everything else that was not generated is a change, an
/// `axiom`, an `instance` or an `open` that could give locked text another meaning among it.
std::vector<LockedChange> lockedChanges(const PrintedDocument& generated, std::string_view text,
                                        Dialect dialect);

/// One sentence for a person.
std::string toString(const LockedChange& change);

/// Whether each line of `text` is locked. Empty lines are free.
std::vector<bool> lockedLines(const PrintedDocument& generated, std::string_view text, Dialect dialect);

} // namespace plumbline::velvet
