// The lines of a document as its seal sees them.
#pragma once

#include "core/velvet/parser.h"

namespace plumbline::velvet {

enum class LineUse : uint8_t {
  Locked,
  Comment,    ///< nothing but a comment
  Definition, ///< of a definition that nothing locked uses
  Import,     ///< of Plumbline's library: more of them do no harm
  Invariant,  ///< the user's, inside a locked method
  Free,       ///< of a proof, a theorem
};

/// A line with something on it.
struct SealedLine {
  uint64_t digest = 0; ///< of its column and tokens, or of its comment
  TextRange range;     ///< without the space around it
  LineUse use = LineUse::Locked;
  uint32_t column = 0;  ///< of its first token that is no comment
  TextRange first = {}; ///< that token
};

/// In order. Empty lines and seals are left out.
std::vector<SealedLine> sealedLines(const Parsed& parsed, std::string_view text);

} // namespace plumbline::velvet
