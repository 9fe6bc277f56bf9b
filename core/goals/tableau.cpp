#include "core/goals/tableau.h"

#include "core/vc/int_normal.h"

#include <algorithm>

namespace plumbline::goals {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;

namespace {

bool isAtom(const Term& term) {
  return term.sort == Sort::Bool && term.op != Op::And && term.op != Op::Or && term.op != Op::Not &&
         term.op != Op::Ite && term.op != Op::BoolConst;
}

bool isFloat(Sort sort) {
  return sort == Sort::F32 || sort == Sort::F64;
}

} // namespace

Tableau::Tableau(logic::TermStore& store, Lowering& lowering, const Engines& engines, const Limits& limits,
                 const StopToken& stop)
    : m_store(store), m_lowering(lowering), m_engines(engines), m_limits(limits), m_stop(stop),
      m_prover(store, engines.portfolio), m_normalise(store) {
  m_prover.setLimits(limits.solver, limits.solver * 2);
}

bool Tableau::isFlag(TermId atom) const {
  return m_store[atom].op == Op::Var && m_store.symbolText(atom).starts_with("∀");
}

/// Whether the truth of an atom depends on floats (as against integers made from them).
bool Tableau::isFloatAtom(TermId atom) const {
  const Term& term = m_store[atom];
  return std::ranges::any_of(term.args, [this](TermId arg) { return isFloat(m_store[arg].sort); });
}

void Tableau::takeFacts() {
  const std::vector<TermId>& facts = m_lowering.facts();
  for (; m_factsTaken < facts.size(); ++m_factsTaken)
    m_prover.assume(facts[m_factsTaken]);
  const std::vector<TermId>& more = m_lowering.arrays().facts();
  for (; m_arrayFactsTaken < more.size(); ++m_arrayFactsTaken)
    m_prover.assume(more[m_arrayFactsTaken]);
}

void Tableau::assume(TermId hypothesis) {
  takeFacts();
  if (m_store.boolValue(hypothesis) == true)
    return;
  const bool mixed = std::ranges::any_of(m_store.postOrder(hypothesis), [this](TermId id) {
    return isFloat(m_store[id].sort) || (m_store[id].sort == Sort::Bool && isFlag(id)) ||
           (m_store[id].sort == Sort::Bool && m_store[id].op == Op::Load);
  });
  if (!isFlag(hypothesis))
    m_prover.assume(hypothesis);
  if (mixed)
    m_clauses.push_back({hypothesis, false});
  else
    define(hypothesis, m_defined);
  if (!mixed)
    for (const TermId id : m_store.postOrder(hypothesis))
      if (m_store[id].op == Op::Load)
        m_ground.push_back(id);
}

/// An equation of integers replaces a variable that the other side does not mention.
void Tableau::define(TermId equation, Known& known) {
  const Term shape = m_store[equation];
  if (shape.op == Op::And) {
    define(shape.args[0], known);
    define(shape.args[1], known);
  }
  if (shape.op != Op::IEq)
    return;
  const TermId sides[] = {replaced(shape.args[0], known), replaced(shape.args[1], known)};
  for (const size_t side : {0U, 1U}) {
    const TermId from = sides[side];
    const TermId to = sides[1 - side];
    if (m_store[from].op != Op::Var || from == to)
      continue;
    const std::vector<TermId> below = m_store.postOrder(to);
    if (std::ranges::find(below, from) != below.end())
      continue;
    known[from] = to;
    return;
  }
}

bool Tableau::exhausted() const {
  return m_ended || m_stop.stopRequested() || m_cases > m_limits.cases;
}

bool Tableau::refutes(TermId negatedGoal, Settled& result, const OnOpenCase& onOpen) {
  m_result = &result;
  m_onOpen = &onOpen;
  Node root;
  root.clauses = m_clauses;
  root.known = m_defined;
  root.clauses.push_back({negatedGoal, true});
  return refute(std::move(root));
}

void Tableau::closed(const std::string& engine, double timeMs, std::string artefact) {
  ++m_result->closedCases;
  for (Evidence& known : m_result->evidence)
    if (known.engine == engine) {
      known.timeMs += timeMs;
      return;
    }
  m_result->evidence.push_back({engine, "a case is contradictory", std::move(artefact), timeMs});
}

bool Tableau::refute(Node node) {
  ++m_cases;
  for (;;) {
    if (exhausted()) {
      leaveOpen(node, {});
      return false;
    }
    Step step = simplify(node);
    if (step != Step::Contradiction)
      step = decideIntegers(node);
    if (step == Step::Contradiction) {
      closed("linear", 0);
      return true;
    }
    if (step == Step::Progress || mergeLoads(node))
      continue;
    if (closedByNormalForm(node)) {
      closed("normalise", 0);
      return true;
    }
    if (const auto atom = pendingAtom(node, true))
      return split(node, *atom);
    if (!instantiate(node) && !mergeLoadsByProof(node))
      break;
  }
  CaseModel model;
  if (closeLeaf(node, model))
    return true;
  if (const auto atom = pendingAtom(node, false))
    return split(node, *atom);
  leaveOpen(node, model);
  return false;
}

void Tableau::leaveOpen(const Node& node, const CaseModel& model) {
  constexpr size_t maxCases = 20;
  OpenCase open;
  open.conditions = node.path;
  for (const Clause& clause : node.clauses)
    if (clause.isGoal)
      open.question += (open.question.empty() ? "" : " and ") + m_store.print(clause.term);
  if (open.question.empty())
    for (const TermId literal : node.literals)
      open.question += (open.question.empty() ? "" : " and ") + m_store.print(literal);
  if (m_result->cases.size() < maxCases)
    m_result->cases.push_back(std::move(open));
  if (!m_ended && (*m_onOpen)(model))
    m_ended = true;
}

// --- Propagation ---

TermId Tableau::replaced(TermId term, const Known& known) {
  for (int i = 0; i < 8; ++i) {
    const TermId next = m_store.substitute(term, known);
    if (next == term)
      break;
    term = next;
  }
  return term;
}

/// Remembers a literal. False when it contradicts what is known.
bool Tableau::learn(Node& node, TermId literal) {
  const bool isTrue = m_store[literal].op != Op::Not;
  const TermId atom = isTrue ? literal : m_store[literal].args[0];
  const Term term = m_store[atom];
  node.known[atom] = m_store.boolean(isTrue);
  if (!isFloatAtom(atom)) {
    if (!isFlag(atom))
      node.facts.push_back(literal);
    if (isTrue)
      define(atom, node.known);
    return true;
  }
  node.literals.push_back(literal);
  if (term.op != Op::FSame || !isTrue)
    return true;
  // An equation defines a load, a variable or a function's value that the other side does not mention.
  for (const size_t side : {0U, 1U}) {
    const TermId from = term.args[side];
    const TermId to = term.args[1 - side];
    const Op op = m_store[from].op;
    const bool leaf = op == Op::Load || op == Op::Var || op == Op::Opaque;
    const std::vector<TermId> below = m_store.postOrder(to);
    if (!leaf || std::ranges::find(below, from) != below.end())
      continue;
    node.known[from] = to;
    node.literals.pop_back(); // it is used up
    break;
  }
  return true;
}

Tableau::Step Tableau::simplify(Node& node) {
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<Clause> work;
    std::swap(work, node.clauses);
    for (size_t i = 0; i < work.size(); ++i) {
      const bool isGoal = work[i].isGoal;
      const TermId term = replaced(work[i].term, node.known);
      const Term& shape = m_store[term];
      if (m_store.boolValue(term) == true)
        continue;
      if (m_store.boolValue(term) == false)
        return Step::Contradiction;
      const bool isNot = shape.op == Op::Not;
      const Term& inner = isNot ? m_store[shape.args[0]] : shape;
      if (!isNot && shape.op == Op::And) {
        work.push_back({shape.args[0], isGoal});
        work.push_back({shape.args[1], isGoal});
        continue;
      }
      if (isNot && inner.op == Op::Or) {
        const TermId a = m_store.lnot(inner.args[0]);
        work.push_back({a, isGoal});
        work.push_back({m_store.lnot(inner.args[1]), isGoal});
        continue;
      }
      const TermId atom = isNot ? shape.args[0] : term;
      const std::vector<TermId> below = m_store.postOrder(atom);
      const bool pure = std::ranges::none_of(below, [this](TermId id) { return m_store[id].op == Op::Ite; });
      if (isAtom(inner) && (pure || !isFloatAtom(atom))) {
        changed = true;
        if (!learn(node, term))
          return Step::Contradiction;
        continue;
      }
      node.clauses.push_back({term, isGoal});
    }
    // What became known may turn up in the literals, but not as themselves.
    std::unordered_map<TermId, TermId> values;
    for (const auto& [from, to] : node.known)
      if (m_store[from].sort != Sort::Bool)
        values.emplace(from, to);
    for (TermId& literal : node.literals) {
      for (int i = 0; i < 8; ++i) {
        const TermId next = m_store.substitute(literal, values);
        if (next == literal)
          break;
        literal = next;
        changed = true;
      }
      if (m_store.boolValue(literal) == false)
        return Step::Contradiction;
    }
  }
  return contradictory(node) ? Step::Contradiction : Step::Stuck;
}

/// Literals that exclude each other as they stand, or in normal form.
bool Tableau::contradictory(Node& node) {
  std::set<TermId> normal;
  for (const TermId literal : node.literals) {
    const bool isTrue = m_store[literal].op != Op::Not;
    const TermId atom = isTrue ? literal : m_store[literal].args[0];
    const TermId form = normalAtom(atom);
    const TermId value = isTrue ? form : m_store.lnot(form);
    if (m_store.boolValue(value) == false || normal.contains(m_store.lnot(value)))
      return true;
    normal.insert(value);
  }
  return false;
}

TermId Tableau::normalAtom(TermId atom) {
  const TermId form = m_normalise(atom);
  const Term& shape = m_store[form];
  return shape.op == Op::FSame && shape.args[0] == shape.args[1] ? m_store.boolean(true) : form;
}

bool Tableau::closedByNormalForm(const Node& node) {
  for (const Clause& clause : node.clauses) {
    const Term& shape = m_store[clause.term];
    if (shape.op != Op::Not || m_store[shape.args[0]].op != Op::FSame)
      continue;
    const std::vector<TermId> sides = m_store[shape.args[0]].args;
    if (m_normalise(sides[0]) == m_normalise(sides[1]))
      return true;
  }
  return false;
}

// --- Integer conditions ---

/// Atoms on which the clauses depend, the goal's first, outer ones before inner ones.
std::vector<TermId> Tableau::pendingAtoms(const Node& node, bool goalOnly) {
  std::vector<TermId> result;
  std::set<TermId> seen;
  const std::function<void(TermId)> visit = [&](TermId id) {
    if (!seen.insert(id).second)
      return;
    const Term term = m_store[id];
    if (!isAtom(term)) {
      for (const TermId arg : term.args)
        visit(arg);
      return;
    }
    const std::vector<TermId> below = m_store.postOrder(id);
    const bool pure = std::ranges::none_of(below, [this](TermId b) { return m_store[b].op == Op::Ite; });
    if (!pure && isFloatAtom(id))
      for (const TermId arg : term.args)
        visit(arg);
    else if (!isFlag(id))
      result.push_back(id);
  };
  for (const bool goal : {true, false})
    for (const Clause& clause : node.clauses)
      if (clause.isGoal == goal && (goal || !goalOnly))
        visit(clause.term);
  return result;
}

std::optional<TermId> Tableau::pendingAtom(const Node& node, bool goalOnly) {
  for (const TermId atom : pendingAtoms(node, goalOnly))
    if (!node.known.contains(atom))
      return atom;
  return std::nullopt;
}

std::optional<bool> Tableau::decided(Node& node, TermId atom) {
  const auto [entry, isNew] = node.tried.try_emplace(atom, node.facts.size());
  if (!isNew && entry->second == node.facts.size())
    return std::nullopt;
  entry->second = node.facts.size();
  if (m_prover.quick(node.facts, atom))
    return true;
  if (m_prover.quick(node.facts, m_store.lnot(atom)))
    return false;
  return std::nullopt;
}

Tableau::Step Tableau::decideIntegers(Node& node) {
  constexpr size_t most = 80;
  bool progress = false;
  size_t count = 0;
  for (const TermId atom : pendingAtoms(node, false)) {
    if (node.known.contains(atom) || ++count > most || m_stop.stopRequested())
      continue;
    const std::optional<bool> value =
        isFloatAtom(atom) ? m_store.boolValue(normalAtom(atom)) : decided(node, atom);
    if (!value)
      continue;
    node.known[atom] = m_store.boolean(*value);
    progress = true;
    break; // what is left may be simpler now
  }
  return progress ? Step::Progress : Step::Stuck;
}

bool Tableau::split(Node& node, TermId atom) {
  bool all = true;
  for (const bool value : {true, false}) {
    if (m_ended)
      return false;
    Node child = node;
    const TermId literal = value ? atom : m_store.lnot(atom);
    child.path.push_back(m_store.print(literal));
    (void)learn(child, literal);
    if (!isFloatAtom(atom) && m_prover.quick(child.facts, m_store.boolean(false))) {
      closed("linear", 0);
      continue;
    }
    all = refute(std::move(child)) && all;
  }
  return all;
}

bool Tableau::sameIndex(Node& node, TermId a, TermId b) {
  if (a == b || vc::normaliseIntegers(m_store, a) == vc::normaliseIntegers(m_store, b))
    return true;
  const TermId same = m_store.ieq(a, b);
  if (const auto known = m_store.boolValue(same))
    return *known;
  if (const auto found = node.known.find(same); found != node.known.end())
    return m_store.boolValue(found->second) == true;
  const std::optional<bool> value = decided(node, same);
  if (value)
    node.known[same] = m_store.boolean(*value);
  return value == true;
}

std::vector<std::pair<TermId, TermId>> Tableau::pairsOfLoads(const Node& node) {
  std::vector<TermId> roots;
  for (const Clause& clause : node.clauses)
    roots.push_back(clause.term);
  roots.insert(roots.end(), node.literals.begin(), node.literals.end());
  std::vector<TermId> loads;
  for (const TermId id : m_store.postOrder(roots))
    if (m_store[id].op == Op::Load && !node.known.contains(id))
      loads.push_back(id);
  std::vector<std::pair<TermId, TermId>> result;
  for (size_t i = 0; i < loads.size(); ++i)
    for (size_t j = i + 1; j < loads.size(); ++j)
      if (m_store[loads[i]].symbol == m_store[loads[j]].symbol &&
          m_store[loads[i]].sort == m_store[loads[j]].sort)
        result.emplace_back(loads[i], loads[j]);
  return result;
}

/// Loads of one array at indices that are the same become the same load.
bool Tableau::mergeLoads(Node& node) {
  for (const auto& [a, b] : pairsOfLoads(node))
    if (sameIndex(node, m_store[a].args[0], m_store[b].args[0])) {
      node.known[b] = a;
      return true;
    }
  return false;
}

/// The same with all that the prover can do, where the goal is ready for the engines.
bool Tableau::mergeLoadsByProof(Node& node) {
  constexpr size_t most = 6;
  size_t count = 0;
  for (const auto& [a, b] : pairsOfLoads(node)) {
    const TermId same = m_store.ieq(m_store[a].args[0], m_store[b].args[0]);
    if (node.known.contains(same) || !node.proved.insert(same).second || ++count > most)
      continue;
    const gate::IndexProof proof = m_prover.prove(node.facts, same, m_stop);
    if (proof.status != gate::ProofStatus::Proved)
      continue;
    node.known[b] = a;
    return true;
  }
  return false;
}

} // namespace plumbline::goals
