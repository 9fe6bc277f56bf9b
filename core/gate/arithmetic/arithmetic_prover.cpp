#include "core/gate/arithmetic/arithmetic_prover.h"

#include "core/gate/arithmetic/decision.h"
#include "core/gate/arithmetic/enumeration.h"
#include "core/gate/arithmetic/lemma_encoding.h"

#include <algorithm>
#include <array>
#include <utility>

namespace plumbline::gate {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

using Clock = std::chrono::steady_clock;
using Outcome = engine::PortfolioResult::Outcome;

/// Pairs of loads whose congruence is stated to the engines; a model is checked against all pairs.
constexpr size_t loadPairs = 64;
constexpr DecisionLimits plainLimits{200, 0, 0, false, 200000};
constexpr DecisionLimits quickLimits{150, 40, 2, true, 200000};
constexpr DecisionLimits lemmaLimits{2500, 120, 6, true, 4000000};

/// Points times nodes of an enumeration: some tens of milliseconds.
constexpr uint64_t enumerationWork = uint64_t{1} << 26;

/// Limits for the values of a counterexample that is sought after a larger one.
constexpr std::array<int64_t, 2> smallValues{64, 2048};

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

} // namespace

class ArithmeticProver::Work {
public:
  Work(TermStore& store, engine::Portfolio* portfolio)
      : m_store(store), m_portfolio(portfolio), m_integerPart(store), m_purifier(store), m_encoding(store) {}

  void setLimits(std::chrono::milliseconds quick, std::chrono::milliseconds full) {
    m_quickLimit = quick;
    m_fullLimit = full;
  }

  void setSecondOpinion(bool wanted) { m_secondOpinion = wanted; }

  void assume(TermId fact) {
    const TermId integer = m_integerPart.of(fact);
    if (std::find(m_assumptions.begin(), m_assumptions.end(), integer) == m_assumptions.end())
      m_assumptions.push_back(integer);
  }

  void bound(const std::string& variable, vc::Bounds range) {
    const TermId term = m_store.var(Sort::Int, variable);
    if (range.low)
      assume(m_store.ile(m_store.integer(*range.low), term));
    if (range.high)
      assume(m_store.ile(term, m_store.integer(*range.high)));
  }

  IndexProof prove(std::span<const TermId> hypotheses, TermId goal, const StopToken& stop, bool alone) {
    engine::Portfolio* const portfolio = std::exchange(m_portfolio, alone ? nullptr : m_portfolio);
    IndexProof proof = prove(hypotheses, goal, stop);
    m_portfolio = portfolio;
    return proof;
  }

  IndexProof prove(std::span<const TermId> hypotheses, TermId goal, const StopToken& stop) {
    const Clock::time_point start = Clock::now();
    Question question = ask(hypotheses, goal);
    IndexProof proof;
    if (!settle(question, proof, true) && !tryAll(question, proof, stop))
      askSolvers(question, proof, stop);
    else if (m_secondOpinion && proof.status == ProofStatus::Proved)
      askAgain(question, proof, stop);
    if (proof.status == ProofStatus::Refuted)
      shrink(question, proof, stop);
    proof.timeMs = millisecondsSince(start);
    return proof;
  }

  bool quick(std::span<const TermId> hypotheses, TermId goal) {
    if (m_store.boolValue(goal) == true)
      return true;
    Question question = ask(hypotheses, goal);
    IndexProof proof;
    return settle(question, proof, false) && proof.status == ProofStatus::Proved;
  }

private:
  /// What must hold together for a counterexample, as integer parts.
  struct Question {
    std::vector<TermId> all;
    std::vector<TermId> relevant; ///< connected to the goal by variables
    std::vector<IntegerPart::Unknown> unknowns;
    bool trivial = false;
  };

  Question ask(std::span<const TermId> hypotheses, TermId goal) {
    Question question;
    const TermId negated = m_store.lnot(m_integerPart.of(goal));
    question.all = m_assumptions;
    for (const TermId hypothesis : hypotheses)
      addConjuncts(m_integerPart.of(hypothesis), question.all);
    question.trivial =
        std::find(question.all.begin(), question.all.end(), m_store.lnot(negated)) != question.all.end();
    question.all.push_back(negated);
    question.unknowns = m_integerPart.unknownsIn(question.all);
    const std::vector<TermId> facts = m_integerPart.facts(question.unknowns, loadPairs);
    question.all.insert(question.all.begin(), facts.begin(), facts.end());
    question.relevant = relevant(question.all, negated);
    for (const TermId assertion : question.all)
      question.trivial = question.trivial || m_store.boolValue(assertion) == false;
    return question;
  }

  void addConjuncts(TermId term, std::vector<TermId>& into) const {
    const logic::Term& node = m_store[term];
    if (node.op != Op::And) {
      into.push_back(term);
      return;
    }
    addConjuncts(node.args[0], into);
    addConjuncts(node.args[1], into);
  }

  const std::vector<TermId>& variablesOf(TermId term) {
    const auto [entry, added] = m_variables.try_emplace(term);
    if (added)
      for (const TermId id : m_store.postOrder(term))
        if (m_store[id].op == Op::Var)
          entry->second.push_back(id);
    return entry->second;
  }

  /// The assertions that share variables with `start`, directly or through others. Leaving some out is sound
  /// for proofs.
  std::vector<TermId> relevant(const std::vector<TermId>& assertions, TermId start) {
    for (const TermId assertion : assertions)
      (void)variablesOf(assertion); // `m_variables` is complete then
    std::set<TermId> known(variablesOf(start).begin(), variablesOf(start).end());
    if (known.empty()) // a constant goal holds when the assumptions contradict each other
      return assertions;
    std::vector<bool> used(assertions.size(), false);
    for (bool changed = true; changed;) {
      changed = false;
      for (size_t i = 0; i < assertions.size(); ++i) {
        const std::vector<TermId>& variables = variablesOf(assertions[i]);
        if (used[i] ||
            (assertions[i] != start &&
             std::none_of(variables.begin(), variables.end(), [&](TermId id) { return known.contains(id); })))
          continue;
        used[i] = changed = true;
        known.insert(variables.begin(), variables.end());
      }
    }
    std::vector<TermId> result;
    for (size_t i = 0; i < assertions.size(); ++i)
      if (used[i])
        result.push_back(assertions[i]);
    return result;
  }

  /// The prover's own layers: intervals, linear arithmetic, the same with lemmas, a few or many.
  bool settle(Question& question, IndexProof& proof, bool thorough) {
    const auto proved = [&](const char* engine, const char* encoding) {
      proof.status = ProofStatus::Proved;
      proof.engine = engine;
      proof.encoding = encoding;
      return true;
    };
    m_query = buildQuery(m_purifier, question.relevant);
    if (question.trivial || m_query.contradictory)
      return proved("interval", "interval");
    const auto decided = [&](const DecisionLimits& limits) {
      Decision decision(m_query, limits);
      if (decision.refutes())
        return proved("linear", decision.usedLemmas() ? "linear+lemma" : "linear");
      return tryCandidates(decision.candidates(), question, proof);
    };
    if (decided(plainLimits) || decided(quickLimits))
      return true;
    if (!thorough)
      return false;
    if (m_query.dividesByConstant) {
      ArithmeticQuery usual = std::move(m_query);
      m_query = buildQuery(m_purifier, question.relevant, DivisionForm::ReplaceRemainder);
      if (decided(lemmaLimits))
        return true;
      m_query = std::move(usual);
    }
    return decided(lemmaLimits);
  }

  /// Where linear arithmetic gave up, it had values that solve all but the products.
  bool tryCandidates(const std::vector<VariableValues>& candidates, const Question& question,
                     IndexProof& proof) const {
    for (VariableValues values : candidates) {
      complete(values, question);
      if (!confirmed(values, question))
        continue;
      report(proof, values, question);
      proof.engine = proof.encoding = "linear";
      return true;
    }
    return false;
  }

  /// Tries all values where the question has few.
  bool tryAll(const Question& question, IndexProof& proof, const StopToken& stop) {
    EnumerationResult result = enumerate(m_store, question.relevant, m_query.bounds, enumerationWork, stop);
    if (result.status == EnumerationResult::Status::NoSolution)
      proof.status = ProofStatus::Proved;
    if (result.status == EnumerationResult::Status::Solution) {
      complete(result.values, question);
      if (confirmed(result.values, question))
        report(proof, result.values, question);
    }
    if (proof.status == ProofStatus::Unknown)
      return false;
    proof.engine = proof.encoding = "enumeration";
    return true;
  }

  void askSolvers(const Question& question, IndexProof& proof, const StopToken& stop) {
    if (m_portfolio == nullptr) {
      proof.reason = "no solver is available";
      return;
    }
    const std::vector<TermId> linear = m_encoding.assertions(m_query);
    proof.encoding = "linear+lemma";
    if (run(linear, m_quickLimit, question, proof, stop) || proof.conflict)
      return;
    IndexProof raw;
    raw.encoding = "nonlinear";
    run(question.all, m_fullLimit, question, raw, stop);
    proof = std::move(raw);
  }

  /// Looks for a counterexample with small numbers, which can be run and read.
  void shrink(const Question& question, IndexProof& proof, const StopToken& stop) {
    const std::set<TermId> variables = integerVariables(question);
    for (const int64_t limit : smallValues) {
      if (largest(proof) <= smallValues.back())
        return;
      Question smaller = question;
      for (const TermId variable : variables)
        for (const TermId inside : {m_store.ile(m_store.integer(-limit), variable),
                                    m_store.ile(variable, m_store.integer(limit))}) {
          smaller.all.push_back(inside);
          smaller.relevant.push_back(inside);
          (void)variablesOf(inside);
        }
      IndexProof other;
      if (!settle(smaller, other, true) && m_portfolio != nullptr) {
        other.encoding = "linear+lemma";
        run(m_encoding.assertions(m_query), m_quickLimit, smaller, other, stop);
      }
      if (other.status == ProofStatus::Refuted)
        proof = std::move(other);
    }
  }

  std::set<TermId> integerVariables(const Question& question) const {
    std::set<TermId> result;
    for (const TermId assertion : question.all)
      for (const TermId variable : m_variables.at(assertion))
        if (m_store[variable].sort == Sort::Int)
          result.insert(variable);
    return result;
  }

  static int64_t largest(const IndexProof& proof) {
    int64_t result = 0;
    for (const auto& [name, value] : proof.model)
      result = std::max(result, value < 0 ? -(value + 1) : value);
    return result;
  }

  /// Lets the solvers look at what is proved already.
  void askAgain(const Question& question, IndexProof& proof, const StopToken& stop) {
    if (m_portfolio == nullptr)
      return;
    IndexProof other;
    askSolvers(question, other, stop);
    proof.query = other.query;
    if (other.status == ProofStatus::Proved) {
      proof.engine += "+" + other.engine;
      return;
    }
    if (other.status == ProofStatus::Unknown && !other.conflict)
      return;
    proof.reason =
        other.conflict ? other.reason : "a solver has a counterexample to a proof by " + proof.engine;
    proof.conflict = true;
    proof.status = ProofStatus::Unknown;
  }

  /// Asks both solvers. Returns whether that settled the question.
  bool run(const std::vector<TermId>& assertions, std::chrono::milliseconds limit, const Question& question,
           IndexProof& proof, const StopToken& stop) {
    const auto query = engine::smtQuery(m_store, assertions, {});
    if (!query) {
      proof.reason = query.error().message;
      return false;
    }
    proof.query = query->text;
    const auto result = m_portfolio->run(*query, limit, stop);
    if (!result) {
      proof.reason = result.error().message;
      return false;
    }
    for (const engine::SolverAnswer& answer : result->answers)
      if (answer.decisive())
        proof.engine += (proof.engine.empty() ? "" : "+") + answer.engine;
    if (result->outcome == Outcome::Unsat)
      proof.status = ProofStatus::Proved;
    else if (result->outcome == Outcome::Sat)
      readModel(proof, *query, *result, question);
    else
      proof.reason = "no solver settled it within its time limit";
    proof.conflict = result->outcome == Outcome::Conflict;
    if (proof.conflict)
      proof.reason = "the solvers contradict each other";
    return proof.status != ProofStatus::Unknown;
  }

  void readModel(IndexProof& proof, const engine::SmtQuery& query, const engine::PortfolioResult& result,
                 const Question& question) {
    proof.reason = "the solvers' counterexample is none by exact evaluation";
    if (!result.model)
      return;
    VariableValues values;
    for (size_t i = 0; i < query.variables.size(); ++i)
      if (m_store[query.variables[i].term].op == Op::Var)
        values[query.variables[i].term] = static_cast<int64_t>((*result.model)[i].payload);
    complete(values, question);
    if (confirmed(values, question))
      report(proof, values, question);
  }

  /// Values for eliminated variables from what replaced them, for variables that the solver was not told of
  /// from their bounds.
  void complete(VariableValues& values, const Question& question) const {
    for (auto entry = m_query.eliminated.rbegin(); entry != m_query.eliminated.rend(); ++entry)
      if (const auto value = valueOf(entry->second, values))
        values.try_emplace(entry->first, *value);
    for (const TermId assertion : question.all)
      for (const TermId variable : m_variables.at(assertion)) {
        const auto range = m_query.bounds.find(variable);
        const vc::Bounds bounds = range != m_query.bounds.end() ? range->second : vc::Bounds{};
        values.try_emplace(variable,
                           bounds.low ? *bounds.low : std::min<int64_t>(0, bounds.high.value_or(0)));
      }
  }

  static std::optional<int64_t> valueOf(const Polynomial& p, const VariableValues& values) {
    AtomBounds points;
    for (const auto& [monomial, coefficient] : p.terms)
      for (const TermId atom : monomial)
        if (const auto value = values.find(atom); value != values.end())
          points[atom] = {value->second, value->second};
    const vc::Bounds result = boundsOf(p, points);
    return result.low == result.high ? result.low : std::nullopt;
  }

  bool confirmed(const VariableValues& values, const Question& question) const {
    const auto holds = [&](TermId assertion) { return evaluatesToTrue(m_store, assertion, values); };
    const size_t count = question.unknowns.size();
    const std::vector<TermId> facts = m_integerPart.facts(question.unknowns, count * count);
    return std::all_of(facts.begin(), facts.end(), holds) &&
           std::all_of(question.all.begin(), question.all.end(), holds);
  }

  void report(IndexProof& proof, const VariableValues& values, const Question& question) const {
    proof.status = ProofStatus::Refuted;
    proof.reason.clear();
    std::set<TermId> unknown;
    for (const IntegerPart::Unknown& entry : question.unknowns) {
      unknown.insert(entry.variable);
      const auto value = values.find(entry.variable);
      const auto index = entry.index ? evaluateInteger(m_store, *entry.index, values) : std::nullopt;
      if (index && value != values.end() && m_store[entry.original].sort == Sort::Int)
        proof.loads[m_store.symbolText(entry.original)][static_cast<int64_t>(*index)] = value->second;
    }
    for (const TermId assertion : question.all)
      for (const TermId variable : m_variables.at(assertion))
        if (!unknown.contains(variable))
          proof.model[m_store.symbolText(variable)] = values.at(variable);
  }

  TermStore& m_store;
  engine::Portfolio* m_portfolio;
  IntegerPart m_integerPart;
  Purifier m_purifier;
  LemmaEncoding m_encoding;
  std::chrono::milliseconds m_quickLimit{500};
  std::chrono::milliseconds m_fullLimit{2000};
  bool m_secondOpinion = false;
  std::vector<TermId> m_assumptions; ///< integer parts
  std::unordered_map<TermId, std::vector<TermId>> m_variables;
  ArithmeticQuery m_query; ///< of the present question
};

ArithmeticProver::ArithmeticProver(TermStore& store, engine::Portfolio* portfolio)
    : m_work(std::make_unique<Work>(store, portfolio)) {}
ArithmeticProver::~ArithmeticProver() = default;
ArithmeticProver::ArithmeticProver(ArithmeticProver&&) noexcept = default;

void ArithmeticProver::setLimits(std::chrono::milliseconds quick, std::chrono::milliseconds full) {
  m_work->setLimits(quick, full);
}
void ArithmeticProver::setSecondOpinion(bool wanted) {
  m_work->setSecondOpinion(wanted);
}
void ArithmeticProver::assume(TermId fact) {
  m_work->assume(fact);
}
void ArithmeticProver::bound(const std::string& variable, vc::Bounds range) {
  m_work->bound(variable, range);
}
IndexProof ArithmeticProver::prove(std::span<const TermId> hypotheses, TermId goal, const StopToken& stop) {
  return m_work->prove(hypotheses, goal, stop);
}
IndexProof ArithmeticProver::proveAlone(std::span<const TermId> hypotheses, TermId goal,
                                        const StopToken& stop) {
  return m_work->prove(hypotheses, goal, stop, true);
}
bool ArithmeticProver::quick(std::span<const TermId> hypotheses, TermId goal) {
  return m_work->quick(hypotheses, goal);
}

} // namespace plumbline::gate
