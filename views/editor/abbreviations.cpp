#include "views/editor/abbreviations.h"

#include <algorithm>
#include <array>

namespace plumbline::views {

namespace {

struct Abbreviation {
  std::string_view word;
  std::string_view symbol;
};

/// Names as editors for Lean have them.
constexpr std::array abbreviations = {
    Abbreviation{"forall", "∀"}, Abbreviation{"all", "∀"},    Abbreviation{"exists", "∃"},
    Abbreviation{"ex", "∃"},     Abbreviation{"and", "∧"},    Abbreviation{"or", "∨"},
    Abbreviation{"not", "¬"},    Abbreviation{"neg", "¬"},    Abbreviation{"to", "→"},
    Abbreviation{"r", "→"},      Abbreviation{"l", "←"},      Abbreviation{"iff", "↔"},
    Abbreviation{"le", "≤"},     Abbreviation{"ge", "≥"},     Abbreviation{"ne", "≠"},
    Abbreviation{"times", "×"},  Abbreviation{"N", "ℕ"},      Abbreviation{"Z", "ℤ"},
    Abbreviation{"R", "ℝ"},      Abbreviation{"in", "∈"},     Abbreviation{"lam", "λ"},
    Abbreviation{"fun", "λ"},    Abbreviation{"mapsto", "↦"}, Abbreviation{"<", "⟨"},
    Abbreviation{">", "⟩"},      Abbreviation{".", "·"},      Abbreviation{"|-", "⊢"},
};

} // namespace

std::string_view symbolFor(std::string_view word) {
  const auto* const found = std::find_if(abbreviations.begin(), abbreviations.end(),
                                         [&](const Abbreviation& row) { return row.word == word; });
  return found == abbreviations.end() ? std::string_view{} : found->symbol;
}

} // namespace plumbline::views
