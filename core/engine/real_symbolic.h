// Terms read over the reals as fractions of polynomials, in one case of a proof.
#pragma once

#include "core/engine/real_facts.h"
#include "core/logic/term.h"

#include <functional>
#include <set>
#include <string>
#include <unordered_map>

namespace plumbline::engine {

/// The real function that a spelling of an opaque function denotes, e.g. "exp" for "__expf".
using FunctionName = std::function<std::string(std::string_view spelling)>;

/// Gives numbers to the unknowns of a proof. Shared by all its cases.
class RealAtoms {
public:
  /// The value of a free variable, a load, or an integer term.
  AtomId leaf(logic::TermId term);
  /// The value of a function; the same atom for arguments that are the same fractions.
  AtomId function(const std::string& name, const std::vector<Fraction>& args);
  /// The non-negative square root of a polynomial.
  AtomId root(const Polynomial& radicand);

  bool isLeaf(AtomId atom) const { return m_atoms[atom].term.has_value(); }
  /// Replaces even powers of square roots.
  Polynomial reduce(const Polynomial& p) const;

private:
  struct Atom {
    std::optional<logic::TermId> term = std::nullopt; ///< leaves
    std::string name = {};                            ///< functions; "sqrt" for roots
    std::vector<Fraction> args = {};
  };
  std::vector<Atom> m_atoms;
};

/// What distinguishes one case: signs of polynomials, values put in for variables, truth of other conditions.
struct RealCase {
  RealFacts facts;
  std::map<AtomId, Polynomial> values;
  std::unordered_map<logic::TermId, bool> truths;

  /// Puts `value` in for a leaf everywhere. False on a contradiction.
  bool substitute(AtomId atom, const Polynomial& value);
};

/// What has to be decided before evaluation can go on.
struct RealSplit {
  std::optional<Polynomial> polynomial;   ///< whose sign matters ...
  SignSet signs = kNoSign;                ///< ... among these
  std::optional<logic::TermId> condition; ///< or a condition with two cases
  std::string failure; ///< or nothing can be done, for this reason (kebab-case, after ':' a name)
};

struct RealNumber {
  enum class Kind : uint8_t { Finite, PlusInfinity, MinusInfinity, Undefined };
  Kind kind = Kind::Undefined;
  Fraction value;

  bool finite() const { return kind == Kind::Finite; }
};

enum class RealTruth : uint8_t { False, True, Undefined };

/// Evaluates terms in one case. When a result is missing, `split` says what is needed. Free F32 leaves are
/// bounded by the largest binary32 value. Recursive: the caller limits the depth of terms.
class RealEvaluator {
public:
  RealEvaluator(const logic::TermStore& store, RealAtoms& atoms, RealCase& situation,
                const FunctionName& names)
      : m_store(store), m_atoms(atoms), m_case(situation), m_names(names) {}

  std::optional<RealNumber> number(logic::TermId term);
  std::optional<RealTruth> truth(logic::TermId term);
  const RealSplit& split() const { return m_split; }

  /// Applications of functions whose domain is not known here, met so far: the value counts as defined only
  /// where a specification uses the same application.
  const std::set<AtomId>& unknownDomains() const { return m_unknownDomains; }
  /// Names of the functions met so far.
  const std::set<std::string>& functions() const { return m_functions; }

private:
  using Result = std::optional<RealNumber>;

  Result compute(logic::TermId id);
  std::optional<RealTruth> computeTruth(const logic::Term& term, logic::TermId id);
  std::optional<RealTruth> connective(const logic::Term& term);
  std::optional<RealTruth> otherCondition(logic::TermId id);
  std::optional<RealTruth> compare(logic::Op op, const RealNumber& a, const RealNumber& b);
  Result constant(logic::TermId id) const;
  Result arithmetic(const logic::Term& term, const std::vector<RealNumber>& args);
  Result finite(const Fraction& value);
  Result multiply(const Fraction& a, const Fraction& b);
  Result divide(const Fraction& a, const Fraction& b);
  Result absolute(const Fraction& a);
  Result squareRoot(const Fraction& a);
  Result rootOfPolynomial(const Polynomial& p);
  Result integerValue(logic::TermId term);
  Result application(const std::string& name, const std::vector<Fraction>& args);
  Result specialApplication(const std::string& name, const std::vector<Fraction>& args, bool& handled);
  Result power(const Fraction& base, const Rational& exponent);
  Result exponential(const std::string& name, const Fraction& arg);
  /// Everything an argument must satisfy; false: outside the domain; nothing: to be split.
  std::optional<bool> insideDomain(const std::string& name, const Fraction& arg);
  std::optional<SignSet> signOf(const Fraction& value, SignSet decided);
  bool floatPartsDefined(logic::TermId unknown);
  Polynomial leafValue(logic::TermId term);
  Fraction atomValue(AtomId atom, SignSet signs);
  std::nullopt_t needSign(const Polynomial& p, SignSet signs);
  std::nullopt_t giveUp(std::string reason);

  const logic::TermStore& m_store;
  RealAtoms& m_atoms;
  RealCase& m_case;
  const FunctionName& m_names;
  RealSplit m_split;
  std::set<AtomId> m_unknownDomains;
  std::set<std::string> m_functions;
  std::unordered_map<logic::TermId, RealNumber> m_numbers;
  std::unordered_map<logic::TermId, RealTruth> m_truths;
};

} // namespace plumbline::engine
