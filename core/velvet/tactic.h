// Proof scripts of a method document, as a tree. Nothing here knows what a tactic does.
#pragma once

#include "core/velvet/expr.h"

namespace plumbline::velvet {

enum class TacticKind : uint8_t {
  Command,  ///< a word and its arguments: `grind [a, b]`, `omega`, `velvet_vcgen [f] with try finish`
  Bullet,   ///< `· body`
  Case,     ///< `case tag x y => body`: tag in `label`, the names after it in `names`
  Sequence, ///< `(body)`, separated by line ends or ";"
  Then,     ///< `body[0] <;> body[1]`
  AllGoals, ///< `all_goals body`
  AnyGoals, ///< `any_goals body`
  Try,      ///< `try body`
  Repeat,   ///< `repeat body`
  First,    ///< `first | a | b`: each element of body is a Sequence
  Focus,    ///< `focus body`
  Comment,  ///< a comment line; `text` without "-- "
};

/// One entry of a bracketed list: `[a, ← b, h x]`.
struct TacticTerm {
  std::string text; ///< as it stands
  ExprPtr expr;     ///< null where it is no expression that the parser knows
  TextRange range;
};

struct Tactic {
  TacticKind kind = TacticKind::Command;
  std::string word = {};  ///< first word of a Command: "grind"; "loom_solve!" with its mark
  std::string text = {};  ///< Command: all of it, further lines relative to its column; Comment: its text
  std::string label = {}; ///< Case: the tag; `by_cases h : P`, `have h : P`: h (empty: not named)
  std::vector<std::string> names = {}; ///< `intro`, `rename_i`, `case`: names; `at`: hypotheses, `*` included
  std::vector<TacticTerm> list = {};   ///< what stands in the first [ ] of a Command
  ExprPtr expr = nullptr;              ///< `exact`, `apply`, `by_cases`, `have`, `show`, `unfold`: the term
  std::string with = {};               ///< after `with`: "try finish"
  std::vector<Tactic> body = {};
  TextRange range = {};     ///< with its body
  TextRange wordRange = {}; ///< the first word or symbol
  TextRange labelRange = {};
};

/// A script as it was written, from its first tactic or comment to its last one.
struct WrittenScript {
  std::string text;    ///< empty: the script was not read from text
  uint32_t column = 0; ///< where it begins on its line
};

/// Whether two scripts are the same tactics with the same words, wherever they stand.
bool equal(const std::vector<Tactic>& a, const std::vector<Tactic>& b);

/// Whether the solve command of a dialect stands there: `velvet_vcgen`, `loom_solve` with or without its
/// mark.
bool isSolveCommand(const Tactic& tactic);

} // namespace plumbline::velvet
