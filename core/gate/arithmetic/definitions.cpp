// What holds of the atoms that the purifier invents.
#include "core/gate/arithmetic/purifier.h"

namespace plumbline::gate {

using logic::TermId;

namespace {

/// Collects conditions; one that cannot be written down makes the whole unusable.
class Conditions {
public:
  void atLeastZero(const std::optional<Polynomial>& p) { add(Literal::Kind::AtLeastZero, p); }
  void zero(const std::optional<Polynomial>& p) { add(Literal::Kind::Zero, p); }
  /// a <= b
  void ordered(const std::optional<Polynomial>& a, const std::optional<Polynomial>& b) {
    atLeastZero(difference(b, a));
  }
  std::optional<std::vector<Literal>> take() {
    return m_failed ? std::nullopt : std::optional(std::move(m_literals));
  }

  static std::optional<Polynomial> difference(const std::optional<Polynomial>& a,
                                              const std::optional<Polynomial>& b) {
    return a && b ? vc::add(*a, *b, -1) : std::nullopt;
  }
  static std::optional<Polynomial> sum(const std::optional<Polynomial>& a,
                                       const std::optional<Polynomial>& b) {
    return a && b ? vc::add(*a, *b) : std::nullopt;
  }

private:
  void add(Literal::Kind kind, const std::optional<Polynomial>& p) {
    m_failed = m_failed || !p;
    if (p)
      m_literals.push_back({kind, *p, {}, true});
  }

  std::vector<Literal> m_literals;
  bool m_failed = false;
};

/// dividend = divisor * quotient + remainder, with the signs of both operands as given: 0 <= +-dividend and
/// 1 <= +-divisor.
void divisionConditions(Conditions& conditions, const DivisionAtoms& atoms, int64_t dividendSign,
                        int64_t divisorSign) {
  const Polynomial one = constantPolynomial(1);
  const Polynomial quotient = atomPolynomial(atoms.quotient);
  const Polynomial remainder = atomPolynomial(atoms.remainder);
  const auto product = vc::multiply(atoms.divisor, quotient);
  conditions.zero(Conditions::difference(Conditions::difference(atoms.dividend, product), remainder));
  const auto magnitude = scaled(atoms.dividend, dividendSign);
  const auto divisorMagnitude = scaled(atoms.divisor, divisorSign);
  const auto remainderMagnitude = scaled(remainder, dividendSign);
  const auto quotientMagnitude = scaled(quotient, dividendSign * divisorSign);
  conditions.atLeastZero(remainderMagnitude);
  conditions.ordered(Conditions::sum(remainderMagnitude, one), divisorMagnitude);
  conditions.atLeastZero(quotientMagnitude);
  conditions.ordered(quotientMagnitude, magnitude);
  conditions.ordered(remainderMagnitude, magnitude);
}

FormulaId conjunction(Formulas& formulas, const std::vector<Literal>& literals) {
  std::vector<FormulaId> parts;
  parts.reserve(literals.size());
  for (const Literal& literal : literals)
    parts.push_back(formulas.literal(literal));
  return formulas.all(parts);
}

} // namespace

std::optional<std::vector<Literal>> naturalDivision(const DivisionAtoms& atoms) {
  Conditions conditions;
  divisionConditions(conditions, atoms, 1, 1);
  return conditions.take();
}

std::optional<int64_t> lowMaskModulus(const BitAtom& bits) {
  const int64_t mask = constantTerm(bits.right);
  if (bits.operation != BitOperation::And || !isConstant(bits.right) || mask <= 0 ||
      mask >= (int64_t{1} << 62) || (mask & (mask + 1)) != 0)
    return std::nullopt;
  return mask + 1;
}

std::optional<std::vector<Literal>> naturalBits(TermId atom, const BitAtom& bits) {
  Conditions conditions;
  const Polynomial value = atomPolynomial(atom);
  const auto sum = vc::add(bits.left, bits.right);
  conditions.atLeastZero(value);
  switch (bits.operation) {
  case BitOperation::And:
    conditions.ordered(value, bits.left);
    conditions.ordered(value, bits.right);
    break;
  case BitOperation::Or:
    conditions.ordered(bits.left, value);
    conditions.ordered(bits.right, value);
    conditions.ordered(value, sum);
    break;
  default:
    conditions.ordered(value, sum);
    conditions.ordered(Conditions::difference(bits.left, bits.right), value);
    conditions.ordered(Conditions::difference(bits.right, bits.left), value);
    break;
  }
  return conditions.take();
}

FormulaId Purifier::definition(TermId atom) {
  if (const auto found = m_definitions.find(atom); found != m_definitions.end())
    return found->second;
  FormulaId result = m_formulas.truth(true);
  if (const DivisionAtoms* atoms = division(atom))
    result = divisionDefinition(*atoms);
  else if (const ChoiceAtom* choiceAtom = choice(atom))
    result = choiceDefinition(atom, *choiceAtom);
  else if (const BitAtom* bitAtom = bits(atom))
    result = bitDefinition(atom, *bitAtom);
  m_definitions.emplace(atom, result);
  return result;
}

FormulaId Purifier::divisionCase(const DivisionAtoms& atoms, int dividendSign, int divisorSign) {
  Conditions conditions;
  // A negative dividend is at most -1, so that the cases exclude each other.
  conditions.atLeastZero(dividendSign > 0
                             ? std::optional(atoms.dividend)
                             : Conditions::difference(scaled(atoms.dividend, -1), constantPolynomial(1)));
  conditions.atLeastZero(Conditions::difference(scaled(atoms.divisor, divisorSign), constantPolynomial(1)));
  divisionConditions(conditions, atoms, dividendSign, divisorSign);
  const auto literals = conditions.take();
  return literals ? conjunction(m_formulas, *literals) : m_formulas.truth(true);
}

FormulaId Purifier::divisionDefinition(const DivisionAtoms& atoms) {
  return m_formulas.any({m_formulas.zero(atoms.divisor), divisionCase(atoms, 1, 1),
                         divisionCase(atoms, -1, 1), divisionCase(atoms, 1, -1),
                         divisionCase(atoms, -1, -1)});
}

FormulaId Purifier::choiceDefinition(TermId atom, const ChoiceAtom& choice) {
  const auto isValue = [&](const Polynomial& value) {
    const auto difference = vc::add(atomPolynomial(atom), value, -1);
    return difference ? m_formulas.zero(*difference) : m_formulas.truth(true);
  };
  return m_formulas.any({m_formulas.all({choice.condition, isValue(choice.whenTrue)}),
                         m_formulas.all({choice.otherwise, isValue(choice.whenFalse)})});
}

FormulaId Purifier::bitDefinition(TermId atom, const BitAtom& bits) {
  auto literals = naturalBits(atom, bits);
  const auto negative = [&](const Polynomial& operand) {
    const auto opposite = negated({Literal::Kind::AtLeastZero, operand, {}, true});
    return opposite ? m_formulas.literal(*opposite) : m_formulas.truth(true);
  };
  if (!literals)
    return m_formulas.truth(true);
  return m_formulas.any({negative(bits.left), negative(bits.right), conjunction(m_formulas, *literals)});
}

} // namespace plumbline::gate
