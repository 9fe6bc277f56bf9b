#include "core/gate/arithmetic/query.h"

#include "core/gate/arithmetic/simplex.h"

#include <algorithm>
#include <limits>
#include <unordered_set>

namespace plumbline::gate {

using logic::Op;
using logic::TermId;

namespace {

constexpr int propagationRounds = 3;

Bounds intersected(const Bounds& a, const Bounds& b) {
  Bounds result = a;
  if (b.low)
    result.low = std::max(a.low.value_or(*b.low), *b.low);
  if (b.high)
    result.high = std::min(a.high.value_or(*b.high), *b.high);
  return result;
}

std::optional<int64_t> opposite(std::optional<int64_t> value) {
  if (!value || *value == std::numeric_limits<int64_t>::min())
    return std::nullopt;
  return -*value;
}

/// Narrows `bounds` by p >= 0, solved for each atom that stands alone with coefficient 1 or -1.
bool narrowBy(const Polynomial& p, AtomBounds& bounds) {
  bool changed = false;
  for (const auto& [monomial, coefficient] : p.terms) {
    if (monomial.size() != 1 || (coefficient != 1 && coefficient != -1))
      continue;
    Polynomial rest = p;
    rest.terms.erase(monomial);
    const std::optional<int64_t> most = boundsOf(rest, bounds).high;
    // atom + rest >= 0 gives atom >= -most; rest - atom >= 0 gives atom <= most.
    const Bounds learned =
        coefficient == 1 ? Bounds{opposite(most), std::nullopt} : Bounds{std::nullopt, most};
    Bounds& known = bounds[monomial[0]];
    const Bounds next = intersected(known, learned);
    changed = changed || next.low != known.low || next.high != known.high;
    known = next;
  }
  return changed;
}

bool narrowBy(const Literal& fact, AtomBounds& bounds) {
  bool changed = false;
  if (fact.kind == Literal::Kind::AtLeastZero || fact.kind == Literal::Kind::Zero)
    changed = narrowBy(fact.polynomial, bounds);
  if (fact.kind == Literal::Kind::Zero)
    if (const auto negative = scaled(fact.polynomial, -1))
      changed = narrowBy(*negative, bounds) || changed;
  return changed;
}

bool excluded(const Literal& fact, const AtomBounds& bounds) {
  if (fact.kind == Literal::Kind::Variable)
    return false;
  const Bounds range = boundsOf(fact.polynomial, bounds);
  switch (fact.kind) {
  case Literal::Kind::AtLeastZero: return range.high.value_or(0) < 0;
  case Literal::Kind::Zero: return range.high.value_or(0) < 0 || range.low.value_or(0) > 0;
  case Literal::Kind::NotZero: return range.low == 0 && range.high == 0;
  case Literal::Kind::Variable: break;
  }
  return false;
}

/// Whether the formula cannot hold within the bounds.
bool excluded(const Formulas& formulas, FormulaId id, const AtomBounds& bounds) {
  const Formulas::Node& node = formulas[id];
  const auto part = [&](FormulaId each) { return excluded(formulas, each, bounds); };
  switch (node.kind) {
  case Formulas::Kind::False: return true;
  case Formulas::Kind::True: return false;
  case Formulas::Kind::Literal: return excluded(node.literal, bounds);
  case Formulas::Kind::All: return std::ranges::any_of(node.parts, part);
  case Formulas::Kind::Any: break;
  }
  return std::ranges::all_of(node.parts, part);
}

/// Builds one query: facts first, then the definitions of their atoms in the order of invention.
class Builder {
public:
  Builder(Purifier& purifier, DivisionForm form) : m_purifier(purifier), m_form(form) {}

  ArithmeticQuery build(std::span<const TermId> assertions) {
    for (const TermId assertion : assertions)
      require(m_purifier.formula(assertion, true));
    propagate();
    addDefinitions();
    collectConstants();
    for (const TermId assertion : assertions)
      collectEquations(assertion);
    eliminate();
    finish();
    return std::move(m_query);
  }

private:
  const Formulas::Node& node(FormulaId id) const { return m_purifier.formulas()[id]; }

  /// Conjuncts become facts or clauses.
  void require(FormulaId id) {
    switch (node(id).kind) {
    case Formulas::Kind::False: m_query.contradictory = true; break;
    case Formulas::Kind::True: break;
    case Formulas::Kind::Literal: addFact(node(id).literal); break;
    case Formulas::Kind::Any: m_clauses.push_back(id); break;
    case Formulas::Kind::All:
      for (const FormulaId part : node(id).parts)
        require(part);
      break;
    }
  }

  void addFact(const Literal& fact) {
    if (std::find(m_query.facts.begin(), m_query.facts.end(), fact) != m_query.facts.end())
      return;
    m_query.facts.push_back(fact);
    narrow(fact);
    m_simplex.reset();
  }

  /// Bounds that exclude each other mean nothing to later steps, so that they are noticed here.
  bool narrow(const Literal& fact) {
    const bool changed = !m_query.contradictory && narrowBy(fact, m_query.bounds);
    for (const auto& [monomial, coefficient] : fact.polynomial.terms)
      if (changed && monomial.size() == 1) {
        const Bounds& range = m_query.bounds[monomial[0]];
        m_query.contradictory =
            m_query.contradictory || (range.low && range.high && *range.low > *range.high);
      }
    return changed;
  }

  void propagate() {
    for (int round = 0; round < propagationRounds; ++round) {
      bool changed = false;
      for (const Literal& fact : m_query.facts)
        changed = narrow(fact) || changed;
      if (!changed)
        break;
    }
  }

  void collectInvented(const Polynomial& p, std::map<size_t, TermId>& into) const {
    for (const auto& [monomial, coefficient] : p.terms)
      for (const TermId atom : monomial)
        if (const auto age = m_purifier.age(atom))
          into.emplace(*age, atom);
  }

  /// Each formula once: they share parts, and what one mentions has been collected with it.
  void collectInvented(FormulaId id, std::map<size_t, TermId>& into) {
    if (!m_collected.insert(id).second)
      return;
    collectInvented(node(id).literal.polynomial, into);
    for (const FormulaId part : node(id).parts)
      collectInvented(part, into);
  }

  /// All invented atoms that the facts and clauses depend on, oldest first.
  std::vector<TermId> inventedAtoms() {
    std::map<size_t, TermId> pending;
    std::map<size_t, TermId> all;
    m_collected.clear();
    for (const Literal& fact : m_query.facts)
      collectInvented(fact.polynomial, pending);
    for (const FormulaId clause : m_clauses)
      collectInvented(clause, pending);
    while (!pending.empty()) { // youngest first: definitions use older atoms only
      const auto [age, atom] = *pending.rbegin();
      pending.erase(age);
      all.emplace(age, atom);
      if (const DivisionAtoms* division = m_purifier.division(atom)) {
        collectInvented(division->dividend, pending);
        collectInvented(division->divisor, pending);
      } else {
        collectInvented(m_purifier.definition(atom), pending);
        pending.erase(age);
        if (const BitAtom* bits = m_purifier.bits(atom); bits != nullptr && lowMaskModulus(*bits))
          collectInvented(m_purifier.lowBits(*bits), pending);
      }
    }
    std::vector<TermId> result;
    result.reserve(all.size());
    for (const auto& [age, atom] : all)
      result.push_back(atom);
    return result;
  }

  void addDefinitions() {
    for (const TermId atom : inventedAtoms()) {
      if (const DivisionAtoms* division = m_purifier.division(atom))
        defineDivision(*division);
      else if (const ChoiceAtom* choice = m_purifier.choice(atom))
        defineChoice(atom, *choice);
      else if (const BitAtom* bits = m_purifier.bits(atom))
        defineBits(atom, *bits);
    }
    propagate();
  }

  void defineDivision(const DivisionAtoms& atoms) {
    if (!m_divided.insert(atoms.quotient).second)
      return;
    const auto positive = plusConstant(atoms.divisor, -1);
    const auto literals = naturalDivision(atoms);
    if (!literals || !positive || !certain(*positive) || !certain(atoms.dividend)) {
      require(m_purifier.definition(atoms.quotient));
      return;
    }
    addFacts(*literals);
    const bool differs = isConstant(atoms.divisor) && singleAtom(atoms.dividend);
    m_query.dividesByConstant = m_query.dividesByConstant || differs;
    const bool keep = differs && m_form == DivisionForm::ReplaceRemainder;
    m_equations.emplace_back(keep ? atomPolynomial(atoms.remainder) : atoms.dividend,
                             (*literals)[0].polynomial);
  }

  void addFacts(const std::vector<Literal>& literals) {
    for (const Literal& literal : literals)
      require(m_purifier.formulas().literal(literal));
  }

  void defineChoice(TermId atom, const ChoiceAtom& choice) {
    const Bounds a = boundsOf(choice.whenTrue, m_query.bounds);
    const Bounds b = boundsOf(choice.whenFalse, m_query.bounds);
    // Either value, so between the extremes of both; as facts, since later steps see only those.
    if (a.low && b.low && *a.low > std::numeric_limits<int64_t>::min() / 2 &&
        *b.low > std::numeric_limits<int64_t>::min() / 2)
      addBound(atom, 1, -std::min(*a.low, *b.low));
    if (a.high && b.high)
      addBound(atom, -1, std::max(*a.high, *b.high));
    require(m_purifier.definition(atom));
  }

  /// factor * atom + constant >= 0
  void addBound(TermId atom, int64_t factor, int64_t constant) {
    Literal literal;
    literal.polynomial.terms[{atom}] = factor;
    if (constant != 0)
      literal.polynomial.terms[{}] = constant;
    addFact(literal);
  }

  void defineBits(TermId atom, const BitAtom& bits) {
    const auto literals = naturalBits(atom, bits);
    if (!literals || !certain(bits.left) || !certain(bits.right)) {
      require(m_purifier.definition(atom));
      return;
    }
    addFacts(*literals);
    const auto left = boundsOf(bits.left, m_query.bounds).high;
    const auto right = boundsOf(bits.right, m_query.bounds).high;
    m_query.bits.push_back({atomPolynomial(atom), bits, left, right});
    if (bits.operation != BitOperation::And && left && right && *left < (int64_t{1} << 61) &&
        *right < (int64_t{1} << 61))
      addBound(atom, -1, maskAbove(std::max(*left, *right)));
    if (lowMaskModulus(bits))
      if (const auto same = vc::add(atomPolynomial(atom), m_purifier.lowBits(bits), -1))
        require(m_purifier.formulas().zero(*same));
  }

  /// The least 2^k - 1 that is not below `value`.
  static int64_t maskAbove(int64_t value) {
    int64_t mask = 0;
    while (mask < value)
      mask = 2 * mask + 1;
    return mask;
  }

  /// Whether the facts so far imply p >= 0, by intervals or linear arithmetic.
  bool certain(const Polynomial& p) {
    if (boundsOf(p, m_query.bounds).low.value_or(-1) >= 0)
      return true;
    const auto opposite = negated({Literal::Kind::AtLeastZero, p, {}, true});
    if (!opposite || isConstant(p))
      return false;
    Simplex& simplex = filledSimplex();
    simplex.push();
    const bool impossible = !simplex.assertAtLeastZero(opposite->polynomial) || !simplex.check();
    simplex.pop();
    return impossible;
  }

  Simplex& filledSimplex() {
    if (m_simplex)
      return *m_simplex;
    Simplex& simplex = m_simplex.emplace();
    for (const Literal& fact : m_query.facts) {
      if (fact.kind == Literal::Kind::AtLeastZero)
        simplex.assertAtLeastZero(fact.polynomial);
      if (fact.kind == Literal::Kind::Zero)
        simplex.assertZero(fact.polynomial);
    }
    return simplex;
  }

  /// Atoms that can have one value only.
  void collectConstants() {
    std::map<TermId, int64_t> constants;
    for (const auto& [atom, range] : m_query.bounds)
      if (range.low && range.low == range.high && *range.low > -(int64_t{1} << 62))
        constants.emplace(atom, *range.low);
    std::vector<std::pair<Polynomial, Polynomial>> equations;
    for (const auto& [atom, value] : constants)
      if (const auto p = plusConstant(atomPolynomial(atom), -value))
        equations.emplace_back(atomPolynomial(atom), *p);
    m_equations.insert(m_equations.begin(), equations.begin(), equations.end());
  }

  /// Equations of the question with a variable on one side: definitions by the caller.
  void collectEquations(TermId assertion) {
    const logic::Term& term = m_purifier.store()[assertion];
    if (term.op == Op::And) {
      collectEquations(term.args[0]);
      collectEquations(term.args[1]);
    }
    if (term.op != Op::IEq)
      return;
    for (const size_t side : {0U, 1U}) {
      if (m_purifier.store()[term.args[side]].op != Op::Var)
        continue;
      const Polynomial variable = atomPolynomial(term.args[side]);
      if (const auto p = vc::add(variable, m_purifier.integer(term.args[1 - side]), -1))
        m_equations.emplace_back(variable, *p);
    }
  }

  /// Replaces the single atom of each equation's left side, older equations first.
  void eliminate() {
    for (auto& [side, equation] : m_equations) {
      auto current = applied(equation);
      auto left = applied(side);
      if (!current || !left)
        continue;
      if (const auto atom = singleAtom(*left))
        eliminate(*atom, *current);
    }
  }

  std::optional<Polynomial> applied(Polynomial p) const {
    for (const auto& [atom, replacement] : m_query.eliminated) {
      auto next = substituted(p, atom, replacement);
      if (!next)
        return std::nullopt;
      p = *std::move(next);
    }
    return p;
  }

  /// The atom of +-atom + constant.
  static std::optional<TermId> singleAtom(const Polynomial& p) {
    std::optional<TermId> result;
    for (const auto& [monomial, coefficient] : p.terms) {
      if (monomial.empty())
        continue;
      if (result || monomial.size() != 1 || (coefficient != 1 && coefficient != -1))
        return std::nullopt;
      result = monomial[0];
    }
    return result;
  }

  /// Uses equation = 0, which has the atom alone with coefficient +-1 and nowhere else, to replace it
  /// everywhere.
  void eliminate(TermId atom, const Polynomial& equation) {
    const auto own = equation.terms.find({atom});
    if (own == equation.terms.end() || (own->second != 1 && own->second != -1))
      return;
    Polynomial rest = equation;
    rest.terms.erase({atom});
    std::set<TermId> others;
    collectAtoms(rest, others);
    auto replacement = scaled(rest, -own->second);
    if (others.contains(atom) || !replacement)
      return;
    std::vector<Literal> facts = m_query.facts;
    for (Literal& fact : facts) {
      auto next = substituted(fact.polynomial, atom, *replacement);
      if (!next)
        return;
      fact.polynomial = *std::move(next);
    }
    m_query.facts = std::move(facts);
    m_query.eliminated.emplace_back(atom, *replacement);
  }

  /// Copies everything into the query with the eliminated atoms replaced, and looks for a contradiction.
  void finish() {
    const std::vector<Literal> facts = std::move(m_query.facts);
    m_query.facts.clear();
    for (const Literal& fact : facts)
      settle(m_query.formulas.literal(fact));
    for (const FormulaId clause : m_clauses)
      settle(copied(clause));
    if (!m_query.eliminated.empty())
      propagate();
    dropExcludedParts();
    std::erase_if(m_query.bits, [&](auto& entry) { return !replaceIn(entry); });
    for (const Literal& fact : m_query.facts)
      m_query.contradictory = m_query.contradictory || excluded(fact, m_query.bounds);
  }

  /// Parts of clauses that intervals exclude; numbers may be larger than linear arithmetic can work with.
  void dropExcludedParts() {
    const std::vector<FormulaId> clauses = std::move(m_query.clauses);
    m_query.clauses.clear();
    for (const FormulaId clause : clauses) {
      std::vector<FormulaId> parts = m_query.formulas[clause].parts;
      const auto dropped = std::erase_if(
          parts, [&](FormulaId part) { return excluded(m_query.formulas, part, m_query.bounds); });
      settle(dropped == 0 ? clause : m_query.formulas.any(parts));
    }
  }

  bool replaceIn(BitFact& fact) const {
    const auto value = applied(fact.value);
    const auto left = applied(fact.operation.left);
    const auto right = applied(fact.operation.right);
    if (value && left && right)
      fact = {*value, {fact.operation.operation, *left, *right}, fact.leftHigh, fact.rightHigh};
    return value && left && right;
  }

  void settle(FormulaId id) {
    const Formulas::Node& copy = m_query.formulas[id];
    if (copy.kind == Formulas::Kind::False)
      m_query.contradictory = true;
    else if (copy.kind == Formulas::Kind::Literal)
      addFact(copy.literal);
    else if (copy.kind == Formulas::Kind::Any)
      m_query.clauses.push_back(id);
    else if (copy.kind == Formulas::Kind::All)
      for (const FormulaId part : copy.parts)
        settle(part);
  }

  FormulaId copied(FormulaId id) {
    if (const auto found = m_copies.find(id); found != m_copies.end())
      return found->second;
    const Formulas::Node& original = node(id);
    FormulaId result = m_query.formulas.truth(original.kind == Formulas::Kind::True);
    std::vector<FormulaId> parts;
    parts.reserve(original.parts.size());
    for (const FormulaId part : original.parts)
      parts.push_back(copied(part));
    if (original.kind == Formulas::Kind::All)
      result = m_query.formulas.all(parts);
    else if (original.kind == Formulas::Kind::Any)
      result = m_query.formulas.any(parts);
    else if (original.kind == Formulas::Kind::Literal)
      result = copiedLiteral(original.literal);
    m_copies.emplace(id, result);
    return result;
  }

  /// A condition that becomes too large is left out; without negations that only weakens what is asked.
  FormulaId copiedLiteral(Literal literal) {
    auto next = applied(literal.polynomial);
    if (!next)
      return m_query.formulas.truth(true);
    literal.polynomial = *std::move(next);
    return m_query.formulas.literal(std::move(literal));
  }

  Purifier& m_purifier;
  DivisionForm m_form;
  ArithmeticQuery m_query;
  std::vector<FormulaId> m_clauses; ///< of the purifier
  std::set<TermId> m_divided;       ///< quotients whose definition is in
  /// Left side and the polynomial that is zero.
  std::vector<std::pair<Polynomial, Polynomial>> m_equations;
  std::unordered_map<FormulaId, FormulaId> m_copies;
  std::unordered_set<FormulaId> m_collected; ///< formulas whose atoms have been collected
  std::optional<Simplex> m_simplex;          ///< the facts so far, when it was needed
};

} // namespace

ArithmeticQuery buildQuery(Purifier& purifier, std::span<const TermId> assertions, DivisionForm form) {
  return Builder(purifier, form).build(assertions);
}

} // namespace plumbline::gate
