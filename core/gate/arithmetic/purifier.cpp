#include "core/gate/arithmetic/purifier.h"

#include <algorithm>
#include <limits>

namespace plumbline::gate {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;

namespace {

template <class Map> auto* find(const Map& map, TermId atom) {
  const auto found = map.find(atom);
  return found == map.end() ? nullptr : &found->second;
}

} // namespace

const DivisionAtoms* Purifier::division(TermId atom) const {
  return find(m_divisions, atom);
}
const ChoiceAtom* Purifier::choice(TermId atom) const {
  return find(m_choices, atom);
}
const BitAtom* Purifier::bits(TermId atom) const {
  return find(m_bits, atom);
}
std::optional<size_t> Purifier::age(TermId atom) const {
  const auto* found = find(m_ages, atom);
  return found != nullptr ? std::optional<size_t>(*found) : std::nullopt;
}

Polynomial Purifier::integer(TermId id) {
  translate(id);
  return m_integers.at(id);
}

FormulaId Purifier::formula(TermId id, bool positive) {
  translate(id);
  return positive ? m_bools.at(id).positive : m_bools.at(id).negative;
}

void Purifier::translate(TermId root) {
  if (m_integers.contains(root) || m_bools.contains(root))
    return;
  for (const TermId id : m_store.postOrder(root)) {
    if (m_store[id].sort == Sort::Bool && !m_bools.contains(id))
      m_bools.emplace(id, translateBool(id));
    if (m_store[id].sort == Sort::Int && !m_integers.contains(id))
      m_integers.emplace(id, translateInteger(id));
  }
}

TermId Purifier::invent(Sort sort, const std::string& kind) {
  const TermId atom = freshVariable(m_store, sort, kind);
  m_ages.emplace(atom, m_ages.size());
  return atom;
}

Polynomial Purifier::translateInteger(TermId id) {
  const Term term = m_store[id];
  const auto arg = [&](size_t index) -> const Polynomial& { return m_integers.at(term.args[index]); };
  std::optional<Polynomial> result;
  switch (term.op) {
  case Op::IntConst: return constantPolynomial(static_cast<int64_t>(term.payload));
  case Op::Var: return atomPolynomial(id);
  case Op::IAdd: result = vc::add(arg(0), arg(1)); break;
  case Op::ISub: result = vc::add(arg(0), arg(1), -1); break;
  case Op::IMul: result = vc::multiply(arg(0), arg(1)); break;
  case Op::IDiv: return divided(arg(0), arg(1), false);
  case Op::IRem: return divided(arg(0), arg(1), true);
  case Op::Ite: {
    const Polarities& condition = m_bools.at(term.args[0]);
    const TermId atom = invent(Sort::Int, "choice");
    m_choices.emplace(atom, ChoiceAtom{condition.positive, condition.negative, arg(1), arg(2)});
    return atomPolynomial(atom);
  }
  case Op::Opaque:
    if (const BitOperation operation = bitOperation(m_store, id); operation != BitOperation::None)
      return bitwise(operation, arg(0), arg(1));
    break;
  default: break;
  }
  // A value that is too large to write down is an unknown integer.
  return result ? *result : atomPolynomial(invent(Sort::Int, "large"));
}

Polynomial Purifier::divided(const Polynomial& dividend, const Polynomial& divisor, bool remainder) {
  if (divisor == constantPolynomial(1))
    return remainder ? Polynomial() : dividend;
  const auto [entry, added] = m_quotients.try_emplace({dividend.terms, divisor.terms}, TermId());
  if (added) {
    DivisionAtoms atoms{dividend, divisor, invent(Sort::Int, "quotient"), invent(Sort::Int, "remainder")};
    entry->second = atoms.quotient;
    m_divisions.emplace(atoms.quotient, atoms);
    m_divisions.emplace(atoms.remainder, atoms);
  }
  const DivisionAtoms& atoms = m_divisions.at(entry->second);
  return atomPolynomial(remainder ? atoms.remainder : atoms.quotient);
}

Polynomial Purifier::bitwise(BitOperation operation, const Polynomial& left, const Polynomial& right) {
  if (isConstant(left) && !isConstant(right))
    return bitwise(operation, right, left);
  const auto [entry, added] = m_bitResults.try_emplace({operation, left.terms, right.terms}, TermId());
  if (added) {
    const BitAtom bits{operation, left, right};
    // The low bits of a non-negative number are also its remainder, which is known before the atom then.
    if (const auto modulus = lowMaskModulus(bits))
      (void)divided(left, constantPolynomial(*modulus), true);
    entry->second = invent(Sort::Int, "bits");
    m_bits.emplace(entry->second, bits);
  }
  return atomPolynomial(entry->second);
}

FormulaId Purifier::variable(TermId id, bool positive) {
  return m_formulas.literal({Literal::Kind::Variable, {}, id, positive});
}

Purifier::Polarities Purifier::literal(Literal literal) {
  const std::optional<Literal> opposite = negated(literal);
  if (opposite)
    return {m_formulas.literal(std::move(literal)), m_formulas.literal(*opposite)};
  const TermId unknown = freshVariable(m_store, Sort::Bool, "large");
  return {variable(unknown, true), variable(unknown, false)};
}

/// variables + constant >= 0 and its opposite, where the constant may leave int64. What cannot be written
/// down is weakened, so that what the conditions exclude is excluded; a Bool variable keeps the two apart.
Purifier::Polarities Purifier::wideComparison(const Polynomial& variables, __int128 constant) {
  constexpr __int128 least = std::numeric_limits<int64_t>::min() + 1;
  constexpr __int128 most = std::numeric_limits<int64_t>::max();
  const auto weakened = [&](const std::optional<Polynomial>& p, __int128 number) {
    const auto whole =
        p && number <= most ? plusConstant(*p, static_cast<int64_t>(std::max(number, least))) : std::nullopt;
    return whole ? m_formulas.atLeastZero(*whole) : m_formulas.truth(true);
  };
  const TermId unknown = freshVariable(m_store, Sort::Bool, "large");
  return {m_formulas.all({variable(unknown, true), weakened(variables, constant)}),
          m_formulas.all({variable(unknown, false), weakened(scaled(variables, -1), -constant - 1)})};
}

Purifier::Polarities Purifier::comparison(TermId id) {
  const Term& term = m_store[id];
  Polynomial a = m_integers.at(term.args[0]);
  Polynomial b = m_integers.at(term.args[1]);
  Literal result;
  result.kind = term.op == Op::IEq ? Literal::Kind::Zero : Literal::Kind::AtLeastZero;
  auto difference = vc::add(b, a, -1);
  if (difference && term.op == Op::ILt)
    difference = plusConstant(*difference, -1);
  if (difference && (result.kind == Literal::Kind::Zero || negated({result.kind, *difference, {}, true}))) {
    result.polynomial = *difference;
    return literal(std::move(result));
  }
  const __int128 constant =
      static_cast<__int128>(constantTerm(b)) - constantTerm(a) - (term.op == Op::ILt ? 1 : 0);
  a.terms.erase(Monomial{});
  b.terms.erase(Monomial{});
  difference = vc::add(b, a, -1);
  if (difference && result.kind == Literal::Kind::AtLeastZero)
    return wideComparison(*difference, constant);
  // A variable in its place, the same for the same term.
  result.polynomial = atomPolynomial(invent(Sort::Int, "large"));
  return literal(std::move(result));
}

Purifier::Polarities Purifier::choiceOf(const Polarities& condition, const Polarities& a,
                                        const Polarities& b) {
  const auto either = [&](FormulaId whenTrue, FormulaId whenFalse) {
    return m_formulas.any(
        {m_formulas.all({condition.positive, whenTrue}), m_formulas.all({condition.negative, whenFalse})});
  };
  return {either(a.positive, b.positive), either(a.negative, b.negative)};
}

Purifier::Polarities Purifier::translateBool(TermId id) {
  const Term term = m_store[id];
  const auto arg = [&](size_t index) -> const Polarities& { return m_bools.at(term.args[index]); };
  switch (term.op) {
  case Op::BoolConst: return {m_formulas.truth(term.payload != 0), m_formulas.truth(term.payload == 0)};
  case Op::Not: return {arg(0).negative, arg(0).positive};
  case Op::And:
    return {m_formulas.all({arg(0).positive, arg(1).positive}),
            m_formulas.any({arg(0).negative, arg(1).negative})};
  case Op::Or:
    return {m_formulas.any({arg(0).positive, arg(1).positive}),
            m_formulas.all({arg(0).negative, arg(1).negative})};
  case Op::Ite: return choiceOf(arg(0), arg(1), arg(2));
  case Op::ILt:
  case Op::ILe:
  case Op::IEq: return comparison(id);
  default: return {variable(id, true), variable(id, false)};
  }
}

} // namespace plumbline::gate
