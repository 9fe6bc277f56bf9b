// Bool terms as conjunctions and disjunctions of conditions on polynomials.
#pragma once

#include "core/gate/arithmetic/polynomials.h"

namespace plumbline::gate {

/// A condition on one polynomial, or a Bool variable.
struct Literal {
  enum class Kind : uint8_t { AtLeastZero, Zero, NotZero, Variable };
  Kind kind = Kind::AtLeastZero;
  Polynomial polynomial;
  logic::TermId variable{}; ///< of Variable
  bool positive = true;     ///< of Variable

  bool operator==(const Literal&) const = default;
};

enum class FormulaId : uint32_t {};

/// Owns formulas without negation. Append-only.
class Formulas {
public:
  enum class Kind : uint8_t { False, True, Literal, All, Any };
  struct Node {
    Kind kind = Kind::False;
    Literal literal;
    std::vector<FormulaId> parts;
  };

  Formulas();
  const Node& operator[](FormulaId id) const { return m_nodes[static_cast<uint32_t>(id)]; }

  FormulaId truth(bool value) const { return FormulaId(value ? 1U : 0U); }
  /// Divides by the content and rounds, which is exact over the integers; decides constants.
  FormulaId literal(Literal literal);
  FormulaId all(const std::vector<FormulaId>& parts) { return join(Kind::All, parts); }
  FormulaId any(const std::vector<FormulaId>& parts) { return join(Kind::Any, parts); }

  FormulaId atLeastZero(Polynomial p) {
    return literal({Literal::Kind::AtLeastZero, std::move(p), {}, true});
  }
  FormulaId zero(Polynomial p) { return literal({Literal::Kind::Zero, std::move(p), {}, true}); }

private:
  FormulaId add(Node node);
  FormulaId join(Kind kind, const std::vector<FormulaId>& parts);

  std::deque<Node> m_nodes;
};

/// The opposite condition; nullopt when a coefficient leaves int64.
std::optional<Literal> negated(const Literal& literal);

} // namespace plumbline::gate
