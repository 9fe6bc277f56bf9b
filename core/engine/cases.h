// Case splitting: an equality of two terms is cut along its guards until each leaf has no condition left.
#pragma once

#include "core/engine/normalise.h"

namespace plumbline::engine {

/// An atom (a Bool term without And, Or, Not, Ite) with its truth value on a path.
struct Decision {
  logic::TermId atom;
  bool value;
};

struct CaseLeaf {
  std::vector<Decision> path;
  logic::TermId left;
  std::vector<logic::TermId> right; ///< one per assignment of the choices, without duplicates
  bool closed = false;              ///< left is one of right, syntactically
};

struct CaseSplit {
  std::vector<CaseLeaf> leaves; ///< a partition of all inputs (infeasible cases may be among them)
  bool complete = true;         ///< false: the limit of leaves was reached
  bool closed() const;
};

/// Whether a branch whose two sides are equal already is cut further.
enum class SplitDepth : uint8_t { UntilEqual, EveryGuard };

/// Splits `left = some variant of right`. `right` may contain Bool variables listed in `choices`: the two
/// sides agree on an input when some assignment of the choices makes them the same value.
CaseSplit splitCases(logic::TermStore& store, Normaliser& normalise, logic::TermId left, logic::TermId right,
                     const std::vector<logic::TermId>& choices, size_t maxLeaves,
                     SplitDepth depth = SplitDepth::UntilEqual);

/// The atoms below the roots, choices left out, in evaluation order.
std::vector<logic::TermId> guardsOf(const logic::TermStore& store, std::span<const logic::TermId> roots,
                                    const std::vector<logic::TermId>& choices);

/// The term under every assignment of the choices that occur in it, as it is. Empty when more than eight
/// occur.
std::vector<logic::TermId> underEveryChoice(logic::TermStore& store, logic::TermId term,
                                            const std::vector<logic::TermId>& choices);

/// All variants of a term under assignments of the choices (normalised, without duplicates). At most 2^8; the
/// empty result means there were more.
std::vector<logic::TermId> choiceVariants(logic::TermStore& store, Normaliser& normalise, logic::TermId term,
                                          const std::vector<logic::TermId>& choices);

/// The conjunction of a path.
logic::TermId pathCondition(logic::TermStore& store, const std::vector<Decision>& path);

} // namespace plumbline::engine
