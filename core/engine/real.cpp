#include "core/engine/real.h"

#include "core/f32/elementary.h"
#include "core/logic/eval_real.h"

#include <algorithm>
#include <array>
#include <random>

namespace plumbline::engine {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

namespace {

constexpr size_t kMostDepth = 1500; // evaluation is recursive

bool isFloat(Sort sort) {
  return sort == Sort::F32 || sort == Sort::F64;
}

struct Question {
  TermId kernel;
  TermId spec;
  TermId hypothesis;

  std::array<TermId, 3> roots() const { return {kernel, spec, hypothesis}; }
};

bool tooDeep(const TermStore& store, const Question& question) {
  auto roots = question.roots();
  std::unordered_map<TermId, size_t> depth;
  for (TermId id : store.postOrder(roots)) {
    size_t below = 0;
    for (TermId arg : store[id].args)
      below = std::max(below, depth.at(arg));
    depth.emplace(id, below + 1);
    if (below + 1 > kMostDepth)
      return true;
  }
  return false;
}

/// Walks the tree of cases. All of them must agree.
class CaseProof {
public:
  CaseProof(const TermStore& store, const Question& question, const RealOptions& options,
            const FunctionName& names)
      : m_store(store), m_question(question), m_options(options), m_names(names) {}

  RealResult run() {
    if (tooDeep(m_store, m_question)) {
      m_result.reason = "too-deep";
      return m_result;
    }
    std::vector<RealCase> open(1);
    while (!open.empty()) {
      RealCase next = std::move(open.back());
      open.pop_back();
      if (!look(next, open))
        return m_result;
    }
    if (m_definedLeaves == 0)
      m_result.reason = "never-defined";
    else
      m_result.status = RealResult::Status::Proved;
    return m_result;
  }

private:
  bool refuse(std::string reason) {
    m_result.reason = std::move(reason);
    return false;
  }

  /// Settles a case or adds its parts to `open`. False: give up.
  bool look(RealCase& situation, std::vector<RealCase>& open) {
    if (m_options.stop.stopRequested())
      return refuse("stopped");
    RealEvaluator evaluator(m_store, m_atoms, situation, m_names);
    auto assumed = evaluator.truth(m_question.hypothesis);
    if (!assumed)
      return divide(situation, evaluator.split(), open);
    if (*assumed == RealTruth::Undefined)
      return refuse("hypothesis-undefined");
    if (*assumed == RealTruth::False)
      return true;
    if (++m_result.cases > m_options.maxCases)
      return refuse("cases");
    return m_store[m_question.spec].sort == Sort::Bool ? lookBool(evaluator, situation, open)
                                                       : lookFloat(evaluator, situation, open);
  }

  bool lookFloat(RealEvaluator& evaluator, RealCase& situation, std::vector<RealCase>& open) {
    auto spec = evaluator.number(m_question.spec);
    if (!spec)
      return divide(situation, evaluator.split(), open);
    if (spec->kind == RealNumber::Kind::Undefined)
      return true;
    auto domains = evaluator.unknownDomains();
    auto kernel = evaluator.number(m_question.kernel);
    if (!kernel)
      return divide(situation, evaluator.split(), open);
    if (evaluator.unknownDomains() != domains)
      return refuse("function-domain");
    bool same = kernel->kind == spec->kind;
    if (same && spec->finite()) {
      const Fraction& a = kernel->value;
      const Fraction& b = spec->value;
      same =
          sameFraction(a, b) ||
          situation.facts.isZero(m_atoms.reduce(a.numerator * b.denominator - b.numerator * a.denominator));
    }
    return settle(evaluator, same);
  }

  bool lookBool(RealEvaluator& evaluator, RealCase& situation, std::vector<RealCase>& open) {
    auto spec = evaluator.truth(m_question.spec);
    if (!spec)
      return divide(situation, evaluator.split(), open);
    if (*spec == RealTruth::Undefined)
      return true;
    auto domains = evaluator.unknownDomains();
    auto kernel = evaluator.truth(m_question.kernel);
    if (!kernel)
      return divide(situation, evaluator.split(), open);
    if (evaluator.unknownDomains() != domains)
      return refuse("function-domain");
    return settle(evaluator, *kernel == *spec);
  }

  bool settle(const RealEvaluator& evaluator, bool same) {
    if (!same)
      return refuse("not-equal-in-normal-form");
    ++m_definedLeaves;
    m_result.functions.insert(evaluator.functions().begin(), evaluator.functions().end());
    return true;
  }

  bool divide(const RealCase& situation, const RealSplit& split, std::vector<RealCase>& open) {
    if (!split.failure.empty())
      return refuse(split.failure);
    if (open.size() > m_options.maxCases)
      return refuse("cases");
    if (split.condition) {
      for (bool value : {false, true}) {
        open.push_back(situation);
        open.back().truths.emplace(*split.condition, value);
      }
      return true;
    }
    if (!split.polynomial)
      return refuse("internal-split");
    for (SignSet sign : {kNegative, kPositive, kZero}) {
      if ((split.signs & sign) == 0)
        continue;
      RealCase part = situation;
      bool possible = part.facts.assume(*split.polynomial, sign);
      if (possible && sign == kZero)
        possible = solve(part, *split.polynomial);
      if (possible)
        open.push_back(std::move(part));
    }
    return true;
  }

  /// Puts the solution of p = 0 in for a leaf that occurs linearly, when there is one among leaves only.
  bool solve(RealCase& situation, const Polynomial& p) const {
    for (const auto& [monomial, coefficient] : p.terms()) {
      if (monomial.degree() != 1)
        continue;
      AtomId atom = monomial.powers[0].first;
      Polynomial rest = p - Polynomial::atom(atom).scaled(coefficient);
      bool usable = m_atoms.isLeaf(atom) && !rest.contains(atom);
      for (const auto& [other, factor] : rest.terms())
        for (const auto& power : other.powers)
          usable = usable && m_atoms.isLeaf(power.first);
      if (usable)
        return situation.substitute(atom, rest.scaled(-1 / coefficient));
    }
    return true;
  }

  const TermStore& m_store;
  const Question& m_question;
  const RealOptions& m_options;
  const FunctionName& m_names;
  RealAtoms m_atoms;
  RealResult m_result;
  size_t m_definedLeaves = 0;
};

/// The largest closed float subterms (constants, quotients of constants, ...) with their exact values.
std::vector<std::pair<TermId, Rational>> closedTerms(const TermStore& store, const Question& question) {
  auto roots = question.roots();
  std::unordered_map<TermId, bool> closed;
  std::vector<TermId> order = store.postOrder(roots);
  std::set<TermId> outermost;
  for (TermId id : order) {
    const logic::Term& term = store[id];
    bool all = isFloat(term.sort) && term.op != Op::Var && term.op != Op::Load && term.op != Op::Opaque;
    for (TermId arg : term.args)
      all = all && closed.at(arg);
    closed.emplace(id, all);
    if (all)
      outermost.insert(id);
    for (TermId arg : term.args)
      if (all)
        outermost.erase(arg);
  }
  std::vector<std::pair<TermId, Rational>> result;
  for (TermId id : order)
    if (outermost.contains(id)) {
      logic::CompiledRealTerm value(store, id);
      value.evaluate({});
      if (value.result().known())
        result.emplace_back(id, value.result().value);
    }
  return result;
}

/// The same question with constants of the same nearest binary32 value made equal; nothing when there are
/// none.
std::optional<Question> withJoinedConstants(TermStore& store, const Question& question) {
  std::map<uint32_t, Rational> representative;
  std::unordered_map<TermId, TermId> replacement;
  bool joined = false;
  for (const auto& [id, value] : closedTerms(store, question)) {
    auto bits = f32::fromRational<f32::Binary32>(value);
    if (f32::Soft<f32::Binary32>::isInf(bits) || f32::Soft<f32::Binary32>::isZero(bits))
      continue; // out of range: nothing that a binary32 constant could stand for
    auto [entry, inserted] = representative.try_emplace(bits, value);
    if (entry->second == value)
      continue;
    joined = true;
    std::string text = f32::toString(entry->second);
    replacement.emplace(id, store[id].sort == Sort::F32
                                ? store.f32Bits(bits, text)
                                : store.f64Bits(f32::fromRational<f32::Binary64>(entry->second), text));
  }
  if (!joined)
    return std::nullopt;
  return Question{store.substitute(question.kernel, replacement),
                  store.substitute(question.spec, replacement),
                  store.substitute(question.hypothesis, replacement)};
}

/// Looks for inputs at which both sides have exact values that differ.
class DifferenceSearch {
public:
  DifferenceSearch(TermStore& store, const Question& question, const RealOptions& options)
      : m_options(options), m_random(options.seed), m_term(prepare(store, question)) {
    std::set<Rational> constants;
    for (const auto& [id, value] : closedTerms(store, question))
      constants.insert(value);
    for (int value : {0, 1, -1, 2, -2})
      m_pool.emplace_back(value);
    for (const Rational& value : constants)
      for (const Rational& shift :
           {Rational(0), Rational(1), Rational(-1), Rational(1, 1024), Rational(-1, 1024)})
        for (int sign : {1, -1})
          m_pool.push_back(value * sign + shift);
    for (int value : {3, 7, -5, 100, -100, 10000, -10000})
      m_pool.emplace_back(value);
    m_pool.emplace_back(1, 2);
    m_pool.emplace_back(-1, 3);
  }

  void run(RealResult& result) {
    std::vector<Rational> values(m_term.inputs().size());
    for (size_t sample = 0; sample < m_options.samples && !m_options.stop.stopRequested(); ++sample) {
      for (size_t i = 0; i < values.size(); ++i)
        values[i] = pick(m_term.inputs()[i].sort, sample, i);
      if (!inRange(values))
        continue;
      m_term.evaluate(values);
      if (!separates(result))
        continue;
      result.status = RealResult::Status::Different;
      result.reason.clear();
      for (size_t i = 0; i < values.size(); ++i)
        result.assignment.emplace(m_leaves.at(i), values[i]);
      return;
    }
  }

private:
  /// Loads become variables, so that they can be given values.
  logic::CompiledRealTerm prepare(TermStore& store, const Question& question) {
    auto roots = question.roots();
    std::unordered_map<TermId, TermId> replacement;
    std::unordered_map<std::string, TermId> loads;
    for (TermId id : store.postOrder(roots)) {
      if (store[id].op != Op::Load)
        continue;
      std::string name = "real search load " + std::to_string(loads.size());
      loads.emplace(name, id);
      replacement.emplace(id, store.var(store[id].sort, name));
    }
    std::vector<TermId> replaced;
    replaced.reserve(roots.size());
    for (TermId root : roots)
      replaced.push_back(store.substitute(root, replacement));
    logic::CompiledRealTerm compiled(store, replaced);
    for (const auto& input : compiled.inputs()) {
      auto load = loads.find(input.name);
      m_leaves.push_back(load != loads.end() ? load->second : store.var(input.sort, input.name));
    }
    return compiled;
  }

  /// The pool's values in every combination as far as the samples reach, then random ones.
  Rational pick(Sort sort, size_t sample, size_t position) {
    if (sort == Sort::Bool)
      return Rational(static_cast<int>(m_random() % 2));
    if (sort == Sort::Int)
      return Rational(static_cast<int>(m_random() % 9));
    size_t digit = sample;
    for (size_t i = 0; i < position; ++i)
      digit /= m_pool.size();
    if (sample < m_options.samples / 2 && (digit > 0 || position == 0))
      return m_pool[digit % m_pool.size()];
    if (m_random() % 2 == 0)
      return m_pool[m_random() % m_pool.size()];
    Rational value(static_cast<int>(m_random() % 2001) - 1000, static_cast<int>(m_random() % 64) + 1);
    value.canonicalize();
    return value;
  }

  bool inRange(const std::vector<Rational>& values) const {
    static const Rational largest =
        f32::toRational<f32::Binary32>(f32::Soft<f32::Binary32>::largest).value_or(0);
    for (size_t i = 0; i < values.size(); ++i)
      if (m_term.inputs()[i].sort == Sort::F32 && ::abs(values[i]) > largest)
        return false;
    return true;
  }

  bool separates(RealResult& result) const {
    logic::RealValue kernel = m_term.result(0), spec = m_term.result(1), assumed = m_term.result(2);
    using Kind = logic::RealValue::Kind;
    if (!assumed.known() || assumed.value == 0 || !spec.known() || kernel.kind == Kind::Inexact)
      return false;
    if (kernel.known() && kernel.value == spec.value)
      return false;
    result.kernelValue = kernel.known() ? std::optional(kernel.value) : std::nullopt;
    result.specValue = spec.value;
    return true;
  }

  const RealOptions& m_options;
  std::mt19937_64 m_random;
  std::vector<TermId> m_leaves;
  logic::CompiledRealTerm m_term;
  std::vector<Rational> m_pool;
};

std::string defaultFunctionName(std::string_view spelling) {
  return std::string(f32::canonicalFunction(spelling).value_or(spelling));
}

} // namespace

RealResult proveRealEqual(TermStore& store, TermId kernel, TermId spec, TermId hypothesis,
                          const RealOptions& options) {
  const FunctionName names = options.functionName ? options.functionName : FunctionName(defaultFunctionName);
  Question question{kernel, spec, hypothesis};
  if (isFloat(store[kernel].sort) != isFloat(store[spec].sort) || store[hypothesis].sort != Sort::Bool ||
      (!isFloat(store[spec].sort) && store[spec].sort != Sort::Bool)) {
    RealResult unsupported;
    unsupported.reason = "sorts";
    return unsupported;
  }
  RealResult result = CaseProof(store, question, options, names).run();
  if (result.proved())
    return result;
  if (auto joined = withJoinedConstants(store, question)) {
    RealResult second = CaseProof(store, *joined, options, names).run();
    if (second.proved()) {
      second.assumptions.emplace_back("rounded-constant");
      return second;
    }
    question = *joined;
  }
  DifferenceSearch(store, question, options).run(result);
  return result;
}

} // namespace plumbline::engine
