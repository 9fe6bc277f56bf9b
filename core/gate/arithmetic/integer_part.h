// The part of a term that is integer arithmetic, with everything else as variables.
#pragma once

#include "core/vc/int_normal.h"

namespace plumbline::gate {

/// Whether an Opaque term is one of bit.and, bit.or, bit.xor.
enum class BitOperation : uint8_t { None, And, Or, Xor };
BitOperation bitOperation(const logic::TermStore& store, logic::TermId id);

/// A variable that no term of the store has yet; `prefix` and a number.
logic::TermId freshVariable(logic::TermStore& store, logic::Sort sort, const std::string& prefix);

/// Replaces every maximal part that is not integer arithmetic by a variable, the same part by the same
/// variable: Bool terms over floats, integers made from floats, loads, opaque terms except the bit
/// operations. What is left has Bool and Int variables and constants, Not, And, Or, Ite, integer operators
/// and bit operations.
class IntegerPart {
public:
  explicit IntegerPart(logic::TermStore& store) : m_store(store) {}

  logic::TermId of(logic::TermId root);

  /// One replaced term and its variable.
  struct Unknown {
    logic::TermId original{};
    logic::TermId variable{};
    /// Of a Load: its index after replacement.
    std::optional<logic::TermId> index;
    vc::Bounds range; ///< of an integer made from a float
  };
  /// In order of first occurrence.
  const std::vector<Unknown>& unknowns() const { return m_unknowns; }

  /// The unknowns below the replaced terms `roots`, with those in the indices of loads.
  std::vector<Unknown> unknownsIn(std::span<const logic::TermId> roots) const;

  /// What is known of `unknowns`: ranges, and equal values at equal indices of one buffer for the first
  /// `maxPairs` pairs of loads.
  std::vector<logic::TermId> facts(const std::vector<Unknown>& unknowns, size_t maxPairs) const;

private:
  void replace(logic::TermId id);

  logic::TermStore& m_store;
  std::vector<Unknown> m_unknowns;
  std::unordered_map<logic::TermId, size_t> m_byVariable;
  std::unordered_map<logic::TermId, logic::TermId> m_replacement; ///< of every unknown, and of all seen roots
};

} // namespace plumbline::gate
