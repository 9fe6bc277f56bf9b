#include "core/engine/real_symbolic.h"

#include "core/f32/soft_float.h"
#include "core/logic/eval_real.h"

#include <algorithm>
#include <array>

namespace plumbline::engine {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;

namespace {

constexpr size_t kMostTerms = 400;  // of a fraction
constexpr size_t kMostBits = 20000; // of a coefficient
constexpr uint32_t kHighestDegree = 64;
constexpr long kHighestPower = 16;

bool tooLarge(const Polynomial& p) {
  if (p.terms().size() > kMostTerms)
    return true;
  return std::any_of(p.terms().begin(), p.terms().end(), [](const auto& term) {
    const auto& [monomial, coefficient] = term;
    return monomial.degree() > kHighestDegree || mpz_sizeinbase(coefficient.get_num_mpz_t(), 2) > kMostBits ||
           mpz_sizeinbase(coefficient.get_den_mpz_t(), 2) > kMostBits;
  });
}

RealNumber undefinedNumber() {
  return {RealNumber::Kind::Undefined, {}};
}
RealNumber constantNumber(const Rational& value) {
  return {RealNumber::Kind::Finite, Fraction(Polynomial(value))};
}
Fraction constantFraction(const Rational& value) {
  return Fraction(Polynomial(value));
}
Fraction negated(const Fraction& a) {
  return {a.numerator.scaled(-1), a.denominator};
}

bool excludes(SignSet signs, SignSet others) {
  return (signs & others) == 0;
}

bool isTotal(std::string_view name) {
  static constexpr std::array names = {"exp",  "exp2", "exp10", "expm1", "sin",  "cos",  "atan", "sinh",
                                       "cosh", "tanh", "asinh", "erf",   "erfc", "cbrt", "hypot"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool isPositive(std::string_view name) {
  return name == "exp" || name == "exp2" || name == "exp10" || name == "cosh" || name == "erfc";
}

/// A side condition of a function: factor * x + offset must be positive (or also zero).
struct DomainCondition {
  std::string_view name;
  int factor;
  int offset;
  bool zeroAllowed;
};
constexpr std::array kDomains = {
    DomainCondition{"log", 1, 0, false},    DomainCondition{"log2", 1, 0, false},
    DomainCondition{"log10", 1, 0, false},  DomainCondition{"log1p", 1, 1, false},
    DomainCondition{"rsqrt", 1, 0, false},  DomainCondition{"asin", 1, 1, true},
    DomainCondition{"asin", -1, 1, true},   DomainCondition{"acos", 1, 1, true},
    DomainCondition{"acos", -1, 1, true},   DomainCondition{"atanh", 1, 1, false},
    DomainCondition{"atanh", -1, 1, false}, DomainCondition{"acosh", 1, -1, true},
};

bool hasKnownDomain(std::string_view name) {
  return isTotal(name) || std::any_of(kDomains.begin(), kDomains.end(),
                                      [&](const DomainCondition& row) { return row.name == name; });
}

} // namespace

AtomId RealAtoms::leaf(TermId term) {
  for (AtomId i = 0; i < m_atoms.size(); ++i)
    if (m_atoms[i].term == term)
      return i;
  m_atoms.push_back({.term = term});
  return static_cast<AtomId>(m_atoms.size() - 1);
}

AtomId RealAtoms::function(const std::string& name, const std::vector<Fraction>& args) {
  for (AtomId i = 0; i < m_atoms.size(); ++i)
    if (m_atoms[i].name == name &&
        std::equal(args.begin(), args.end(), m_atoms[i].args.begin(), m_atoms[i].args.end(), sameFraction))
      return i;
  m_atoms.push_back({.name = name, .args = args});
  return static_cast<AtomId>(m_atoms.size() - 1);
}

AtomId RealAtoms::root(const Polynomial& radicand) {
  return function("sqrt", {Fraction(radicand)});
}

Polynomial RealAtoms::reduce(const Polynomial& p) const {
  for (const auto& [monomial, coefficient] : p.terms())
    for (const auto& [atom, exponent] : monomial.powers) {
      if (exponent < 2 || m_atoms[atom].name != "sqrt")
        continue;
      Polynomial term = Polynomial(coefficient);
      for (const auto& [other, power] : monomial.powers)
        term = term * (other == atom ? Polynomial::atom(other).power(power % 2)
                                     : Polynomial::atom(other).power(power));
      Polynomial original = Polynomial(coefficient);
      for (const auto& [other, power] : monomial.powers)
        original = original * Polynomial::atom(other).power(power);
      term = term * m_atoms[atom].args[0].numerator.power(exponent / 2);
      return reduce(p - original + term);
    }
  return p;
}

bool RealCase::substitute(AtomId atom, const Polynomial& value) {
  for (auto& [other, polynomial] : values)
    polynomial = polynomial.substitute(atom, value);
  values[atom] = value;
  return facts.substitute(atom, value);
}

std::nullopt_t RealEvaluator::needSign(const Polynomial& p, SignSet signs) {
  m_split = {p, signs, std::nullopt, {}};
  return std::nullopt;
}

std::nullopt_t RealEvaluator::giveUp(std::string reason) {
  m_split = {std::nullopt, kNoSign, std::nullopt, std::move(reason)};
  return std::nullopt;
}

std::optional<RealNumber> RealEvaluator::number(TermId id) {
  if (auto found = m_numbers.find(id); found != m_numbers.end())
    return found->second;
  const Term& term = m_store[id];
  if (term.op == Op::Load && !floatPartsDefined(term.args[0]))
    return std::nullopt;
  auto result = term.op == Op::Var || term.op == Op::Load ? finite(Fraction(leafValue(id))) : compute(id);
  if (result)
    m_numbers.emplace(id, *result);
  return result;
}

std::optional<RealNumber> RealEvaluator::compute(TermId id) {
  const Term& term = m_store[id];
  if (term.op == Op::FloatConst)
    return constant(id);
  if (term.op == Op::IntToFloat)
    return integerValue(term.args[0]);
  if (term.op == Op::Ite) {
    auto holds = truth(term.args[0]);
    if (!holds)
      return std::nullopt;
    return *holds == RealTruth::Undefined ? undefinedNumber()
                                          : number(term.args[*holds == RealTruth::True ? 1 : 2]);
  }
  std::vector<RealNumber> args;
  for (TermId arg : term.args) {
    if (m_store[arg].sort != Sort::F32 && m_store[arg].sort != Sort::F64)
      return giveUp("argument-sort");
    auto value = number(arg);
    if (!value)
      return std::nullopt;
    if (value->kind == RealNumber::Kind::Undefined)
      return undefinedNumber();
    args.push_back(*value);
  }
  return arithmetic(term, args);
}

std::optional<RealNumber> RealEvaluator::constant(TermId id) const {
  if (auto value = logic::constantValue(m_store, id))
    return constantNumber(*value);
  using Wide = f32::Soft<f32::Binary64>;
  const Term& term = m_store[id];
  uint64_t bits = term.sort == Sort::F64
                      ? term.payload
                      : f32::convert<f32::Binary32, f32::Binary64>(static_cast<uint32_t>(term.payload));
  if (Wide::isNan(bits))
    return undefinedNumber();
  return RealNumber{Wide::isNegative(bits) ? RealNumber::Kind::MinusInfinity : RealNumber::Kind::PlusInfinity,
                    {}};
}

std::optional<RealNumber> RealEvaluator::arithmetic(const Term& term, const std::vector<RealNumber>& args) {
  if (term.op == Op::FConvert)
    return args[0];
  bool allFinite = std::all_of(args.begin(), args.end(), [](const RealNumber& arg) { return arg.finite(); });
  if (!allFinite) {
    if (term.op != Op::FNeg)
      return undefinedNumber();
    bool positive = args[0].kind == RealNumber::Kind::PlusInfinity;
    return RealNumber{positive ? RealNumber::Kind::MinusInfinity : RealNumber::Kind::PlusInfinity, {}};
  }
  switch (term.op) {
  case Op::FAdd: return finite(args[0].value + args[1].value);
  case Op::FSub: return finite(args[0].value - args[1].value);
  case Op::FMul: return multiply(args[0].value, args[1].value);
  case Op::FDiv: return divide(args[0].value, args[1].value);
  case Op::FNeg: return finite(negated(args[0].value));
  case Op::FAbs: return absolute(args[0].value);
  case Op::FSqrt: return squareRoot(args[0].value);
  case Op::FFma: {
    auto product = multiply(args[0].value, args[1].value);
    return product ? finite(product->value + args[2].value) : std::nullopt;
  }
  case Op::Opaque: {
    std::vector<Fraction> values;
    values.reserve(args.size());
    for (const RealNumber& arg : args)
      values.push_back(arg.value);
    return application(m_names(m_store.symbolText(term.symbol)), values);
  }
  default: return giveUp("operator:" + std::string(logic::jsonName(term.op)));
  }
}

std::optional<RealNumber> RealEvaluator::finite(const Fraction& value) {
  Fraction reduced(m_atoms.reduce(value.numerator), m_atoms.reduce(value.denominator));
  if (tooLarge(reduced.numerator) || tooLarge(reduced.denominator))
    return giveUp("too-large");
  return RealNumber{RealNumber::Kind::Finite, std::move(reduced)};
}

std::optional<RealNumber> RealEvaluator::multiply(const Fraction& a, const Fraction& b) {
  return finite(a * b);
}

std::optional<RealNumber> RealEvaluator::divide(const Fraction& a, const Fraction& b) {
  SignSet signs = m_case.facts.sign(b.numerator);
  if (signs == kZero)
    return undefinedNumber();
  if (!excludes(signs, kZero))
    return needSign(b.numerator, signs);
  return finite(a / b);
}

/// The possible signs of a fraction, split as far as `decided` asks: the answer lies inside it or outside it.
std::optional<SignSet> RealEvaluator::signOf(const Fraction& value, SignSet decided) {
  SignSet over = m_case.facts.isZero(value.numerator) ? kZero : m_case.facts.sign(value.numerator);
  if (over == kZero)
    return kZero;
  auto under = static_cast<SignSet>(m_case.facts.sign(value.denominator) & kNonZero);
  if (under == kNonZero)
    return needSign(value.denominator, kNonZero);
  if (under == kNegative)
    over = static_cast<SignSet>((over & kZero) | ((over & kNegative) != 0 ? kPositive : 0) |
                                ((over & kPositive) != 0 ? kNegative : 0));
  bool inside = excludes(over, static_cast<SignSet>(kAnySign & ~decided));
  if (inside || excludes(over, decided))
    return over;
  return needSign(value.numerator, m_case.facts.sign(value.numerator));
}

std::optional<RealNumber> RealEvaluator::absolute(const Fraction& a) {
  auto signs = signOf(a, kNegative);
  if (!signs)
    return std::nullopt;
  return finite(excludes(*signs, kNegative) ? a : negated(a));
}

/// sqrt(n/d) is sqrt(n*d)/|d|.
std::optional<RealNumber> RealEvaluator::squareRoot(const Fraction& a) {
  auto signs = signOf(a, kNegative);
  if (!signs)
    return std::nullopt;
  if (excludes(*signs, static_cast<SignSet>(kZero | kPositive)))
    return undefinedNumber();
  if (*signs == kZero)
    return constantNumber(0);
  if (!excludes(*signs, kZero))
    return needSign(a.numerator, m_case.facts.sign(a.numerator));
  auto root = rootOfPolynomial(m_atoms.reduce(a.numerator * a.denominator));
  auto under = absolute(Fraction(a.denominator));
  if (!root || !under)
    return std::nullopt;
  return finite(root->value / under->value);
}

/// The root of a positive polynomial. Squares of monomials and square factors of the content are taken out.
std::optional<RealNumber> RealEvaluator::rootOfPolynomial(const Polynomial& p) {
  if (tooLarge(p))
    return giveUp("too-large");
  Rational content = ::abs(p.leadingCoefficient());
  auto factor = f32::exactSqrt(content);
  Polynomial rest = factor ? p.scaled(1 / content) : p;
  Fraction outside = constantFraction(factor.value_or(1));
  if (factor && rest.terms().size() == 1) {
    Monomial half;
    for (const auto& [atom, exponent] : rest.terms().begin()->first.powers) {
      if (exponent % 2 != 0)
        return finite(outside * atomValue(m_atoms.root(rest), kPositive));
      half.powers.emplace_back(atom, exponent / 2);
    }
    Polynomial product(Rational(1));
    for (const auto& [atom, exponent] : half.powers)
      product = product * Polynomial::atom(atom).power(exponent);
    auto size = absolute(Fraction(product));
    return size ? finite(outside * size->value) : std::nullopt;
  }
  return finite(outside * atomValue(m_atoms.root(rest), kPositive));
}

/// Integers are exact; an integer expression is an unknown of its own.
std::optional<RealNumber> RealEvaluator::integerValue(TermId term) {
  if (auto value = m_store.intValue(term))
    return constantNumber(f32::rationalFromInteger(*value));
  return floatPartsDefined(term) ? finite(Fraction(leafValue(term))) : std::nullopt;
}

/// The floats inside an integer or Bool term that is taken as an unknown must have values, so that nothing
/// undefined hides in it. False: to be split, or given up.
bool RealEvaluator::floatPartsDefined(TermId unknown) {
  for (TermId id : m_store.postOrder(unknown)) {
    const Term& term = m_store[id];
    if (term.op == Op::Opaque) {
      giveUp("opaque-integer");
      return false;
    }
    for (TermId arg : term.args) {
      if (m_store[arg].sort != Sort::F32 && m_store[arg].sort != Sort::F64)
        continue;
      auto value = number(arg);
      if (value && !value->finite())
        giveUp("undefined-integer");
      if (!value || !value->finite())
        return false;
    }
  }
  return true;
}

Polynomial RealEvaluator::leafValue(TermId term) {
  AtomId atom = m_atoms.leaf(term);
  if (auto found = m_case.values.find(atom); found != m_case.values.end())
    return found->second;
  Polynomial value = Polynomial::atom(atom);
  if (m_store[term].sort == Sort::F32) {
    static const Rational largest =
        f32::toRational<f32::Binary32>(f32::Soft<f32::Binary32>::largest).value_or(0);
    m_case.facts.assume(value - Polynomial(largest), static_cast<SignSet>(kNegative | kZero));
    m_case.facts.assume(value + Polynomial(largest), static_cast<SignSet>(kPositive | kZero));
  }
  return value;
}

Fraction RealEvaluator::atomValue(AtomId atom, SignSet signs) {
  Polynomial value = Polynomial::atom(atom);
  if (signs != kAnySign)
    m_case.facts.assume(value, signs);
  return Fraction(value);
}

std::optional<bool> RealEvaluator::insideDomain(const std::string& name, const Fraction& arg) {
  for (const DomainCondition& row : kDomains) {
    if (row.name != name)
      continue;
    Fraction quantity = arg * constantFraction(row.factor) + constantFraction(row.offset);
    auto allowed = static_cast<SignSet>(row.zeroAllowed ? kPositive | kZero : kPositive);
    auto signs = signOf(quantity, allowed);
    if (!signs)
      return std::nullopt;
    if (excludes(*signs, allowed))
      return false;
  }
  return true;
}

std::optional<RealNumber> RealEvaluator::application(const std::string& name,
                                                     const std::vector<Fraction>& args) {
  m_functions.insert(name);
  std::vector<Rational> constants;
  for (const Fraction& arg : args)
    if (auto value = arg.constant())
      constants.push_back(*value);
  if (constants.size() == args.size()) {
    logic::RealValue value = logic::exactFunctionValue(name, constants);
    if (value.known())
      return constantNumber(value.value);
    if (value.kind == logic::RealValue::Kind::Undefined)
      return undefinedNumber();
  }
  if (args.size() == 1) {
    auto inside = insideDomain(name, args[0]);
    if (!inside)
      return std::nullopt;
    if (!*inside)
      return undefinedNumber();
  }
  bool handled = false;
  auto special = specialApplication(name, args, handled);
  if (handled)
    return special;
  AtomId atom = m_atoms.function(name, args);
  if (!hasKnownDomain(name))
    m_unknownDomains.insert(atom);
  return finite(atomValue(atom, isPositive(name) ? kPositive : kAnySign));
}

/// Functions that have a place in the algebra of fractions.
std::optional<RealNumber>
RealEvaluator::specialApplication(const std::string& name, const std::vector<Fraction>& args, bool& handled) {
  handled = true;
  if (args.size() == 1 && (name == "exp" || name == "exp2" || name == "exp10"))
    return exponential(name, args[0]);
  if (args.size() == 1 && name == "rsqrt") {
    auto root = squareRoot(args[0]);
    return root && root->finite() ? divide(constantFraction(1), root->value) : root;
  }
  if (args.size() == 2 && (name == "divide" || name == "div"))
    return divide(args[0], args[1]);
  auto exponent = args.size() == 2 && name == "pow" ? args[1].constant() : std::nullopt;
  if (exponent && exponent->get_den() == 1 && ::abs(*exponent) <= kHighestPower)
    return power(args[0], *exponent);
  if (exponent && *exponent == Rational(1, 2))
    return squareRoot(args[0]);
  handled = false;
  return std::nullopt;
}

std::optional<RealNumber> RealEvaluator::power(const Fraction& base, const Rational& exponent) {
  long count = exponent.get_num().get_si();
  Fraction result = constantFraction(1);
  for (long i = 0; i < std::labs(count); ++i) {
    auto next = multiply(result, base);
    if (!next)
      return std::nullopt;
    result = next->value;
  }
  return count < 0 ? divide(constantFraction(1), result) : finite(result);
}

/// f(-x) = 1/f(x) and f(k*x) = f(x)^k, so that every multiple of an argument leads to one atom.
std::optional<RealNumber> RealEvaluator::exponential(const std::string& name, const Fraction& arg) {
  Rational content = arg.numerator.leadingCoefficient() / arg.denominator.leadingCoefficient();
  bool multiple = content.get_den() == 1 && ::abs(content) <= kHighestPower;
  Rational count = multiple ? content : Rational(content < 0 ? -1 : 1);
  if (count == 0)
    return giveUp("empty-argument");
  AtomId atom = m_atoms.function(name, {arg * constantFraction(1 / count)});
  return power(atomValue(atom, kPositive), count);
}

std::optional<RealTruth> RealEvaluator::truth(TermId id) {
  if (auto found = m_truths.find(id); found != m_truths.end())
    return found->second;
  auto result = computeTruth(m_store[id], id);
  if (result)
    m_truths.emplace(id, *result);
  return result;
}

std::optional<RealTruth> RealEvaluator::computeTruth(const Term& term, TermId id) {
  switch (term.op) {
  case Op::BoolConst: return term.payload != 0 ? RealTruth::True : RealTruth::False;
  case Op::Not:
  case Op::And:
  case Op::Or:
  case Op::Ite: return connective(term);
  case Op::FLt:
  case Op::FLe:
  case Op::FEq:
  case Op::FSame: {
    auto a = number(term.args[0]);
    auto b = a ? number(term.args[1]) : std::nullopt;
    return a && b ? compare(term.op, *a, *b) : std::nullopt;
  }
  case Op::FIsNan: {
    auto value = number(term.args[0]);
    if (!value)
      return std::nullopt;
    return value->kind == RealNumber::Kind::Undefined ? RealTruth::Undefined : RealTruth::False;
  }
  default: return otherCondition(id);
  }
}

std::optional<RealTruth> RealEvaluator::connective(const Term& term) {
  auto first = truth(term.args[0]);
  if (!first || *first == RealTruth::Undefined)
    return first;
  bool holds = *first == RealTruth::True;
  switch (term.op) {
  case Op::Not: return holds ? RealTruth::False : RealTruth::True;
  case Op::And: return holds ? truth(term.args[1]) : first;
  case Op::Or: return holds ? first : truth(term.args[1]);
  default: return truth(term.args[holds ? 1 : 2]);
  }
}

/// Conditions on integers and free Bool variables: both truths are possible.
std::optional<RealTruth> RealEvaluator::otherCondition(TermId id) {
  if (!floatPartsDefined(id))
    return std::nullopt;
  if (auto found = m_case.truths.find(id); found != m_case.truths.end())
    return found->second ? RealTruth::True : RealTruth::False;
  m_split = {std::nullopt, kNoSign, id, {}};
  return std::nullopt;
}

std::optional<RealTruth> RealEvaluator::compare(Op op, const RealNumber& a, const RealNumber& b) {
  using Kind = RealNumber::Kind;
  if (a.kind == Kind::Undefined || b.kind == Kind::Undefined)
    return RealTruth::Undefined;
  auto answer = [](bool value) { return value ? RealTruth::True : RealTruth::False; };
  auto wanted = op == Op::FLt ? kNegative : op == Op::FLe ? static_cast<SignSet>(kNegative | kZero) : kZero;
  if (!a.finite() || !b.finite()) {
    auto rank = [](const RealNumber& x) { return x.finite() ? 0 : x.kind == Kind::PlusInfinity ? 1 : -1; };
    int order = rank(a) - rank(b);
    SignSet sign = order < 0 ? kNegative : order > 0 ? kPositive : kZero;
    return answer((sign & wanted) != 0);
  }
  auto difference = finite(a.value - b.value);
  if (!difference)
    return std::nullopt;
  auto signs = signOf(difference->value, wanted);
  return signs ? std::optional(answer(!excludes(*signs, wanted))) : std::nullopt;
}

} // namespace plumbline::engine
