#include "core/gate/vercors/states.h"

#include "core/gate/vercors/digits.h"
#include "core/gate/vercors/lists.h"
#include "core/gate/vercors/refusal.h"

#include <algorithm>

namespace plumbline::gate::vercors {

using logic::Op;
using logic::Sort;
using logic::TermId;

States::States(Setting& setting, const Walk& walk, const SizeText& sizes,
               const std::vector<std::string>& locals)
    : m_setting(setting), m_store(setting.store), m_walk(walk), m_sizes(sizes), m_locals(locals),
      m_objects(setting.function()) {
  const ir::Function& function = setting.function();
  for (int i = 0; i < function.parameterCount; ++i)
    if (function.locals[static_cast<size_t>(i)].type.pointer)
      m_global[i] = kernelWide(i);
  for (size_t i = 0; i < function.arrays.size(); ++i)
    m_shared.push_back(m_objects.ofArray(static_cast<int>(i)));
  std::set<int> roots;
  for (size_t i = 0; i < walk.regions.size(); ++i)
    roots.insert(rootOf(static_cast<int>(i)));
  for (const int root : roots)
    for (const int object : m_shared)
      m_states[{root, object}] = inRegion(root, object);
  conserve();
}

// --- Regions ---

int States::headRegion(int loop) const {
  for (size_t i = 0; i < m_walk.regions.size(); ++i)
    if (m_walk.regions[i].head == loop)
      return static_cast<int>(i);
  return -1;
}

/// Regions without a barrier between them have one state: that of the last head of a loop they come to.
int States::rootOf(int region) const {
  std::set<int> seen;
  while (m_walk.regions[static_cast<size_t>(region)].flowsTo >= 0) {
    if (!seen.insert(region).second)
      refuse("vercors-barrier", "loops with barriers that follow each other without a barrier between them",
             m_walk.regions[static_cast<size_t>(region)].where);
    region = headRegion(m_walk.regions[static_cast<size_t>(region)].flowsTo);
  }
  return region;
}

TermId States::atRegion(int region, TermId term) {
  const Region& from = m_walk.regions[static_cast<size_t>(region)];
  if (from.flowsTo < 0)
    return term;
  term = atRegion(headRegion(from.flowsTo), term);
  const Loop& loop = m_walk.loops[static_cast<size_t>(from.flowsTo)];
  return from.arrival && loop.counter >= 0 ? m_store.substitute(term, {{loop.variable, *from.arrival}})
                                           : term;
}

bool States::isLive(int root, int object) const {
  std::set<int> reached{root};
  for (bool grown = true; grown;) {
    grown = false;
    for (const Meeting& meeting : m_walk.meetings)
      if (reached.contains(rootOf(meeting.before)) && reached.insert(rootOf(meeting.after)).second)
        grown = true;
  }
  return std::ranges::any_of(m_walk.accesses, [&](const Access& access) {
    return access.object == object && reached.contains(rootOf(access.region));
  });
}

TermId States::lengthOf(int object) {
  if (m_objects.isParameter(object))
    return m_setting.launch.lengths.at(m_objects.name(object));
  const ir::ArrayVariable& array = m_objects.array(object);
  if (array.length() >= 0)
    return m_store.integer(array.length());
  return m_store.idiv(m_setting.launch.sharedBytes, m_store.integer(ir::byteSize(array.element)));
}

TermId States::cellVariable() {
  return m_store.var(Sort::Int, "cell");
}

void States::refuseState(const Scope& scope, const std::string& why, const SourceRange& where) const {
  std::string text = "the array '" + m_objects.name(scope.object) + "', ";
  if (scope.root >= 0) {
    const Region& region = m_walk.regions[static_cast<size_t>(scope.root)];
    text += region.start == ir::StmtId::None ? "before the first barrier"
            : region.head >= 0               ? "from the loop in line " + std::to_string(region.where.line)
                               : "after the barrier in line " + std::to_string(region.where.line);
    text += ", ";
  }
  refuse("vercors-permission", text + why, where);
}

// --- States ---

State States::kernelWide(int object) {
  const Scope scope{-1, object};
  State state;
  const bool touched = std::ranges::find(m_walk.accesses, object, &Access::object) != m_walk.accesses.end();
  const bool written = std::ranges::any_of(
      m_walk.accesses, [&](const Access& each) { return each.object == object && each.write; });
  if (!written) {
    state.kind = touched ? State::Kind::Shares : State::Kind::Absent;
    return state;
  }
  state.kind = State::Kind::Cells;
  TermText text(m_setting, m_sizes, m_locals);
  for (const Access& access : m_walk.accesses)
    if (access.object == object) {
      std::optional<Clause> clause = clauseOf(scope, access, text);
      if (!clause)
        refuse("vercors-index",
               "a cell of the array '" + m_objects.name(object) +
                   "' that neither the place of the thread nor a counter with a constant step decides",
               access.where);
      addClause(state.clauses, *std::move(clause));
    }
  separate(scope, state);
  return state;
}

State States::inRegion(int root, int object) {
  const Scope scope{root, object};
  State state;
  if (!isLive(root, object))
    return state;
  std::vector<const Access*> mine;
  for (const Access& access : m_walk.accesses)
    if (access.object == object && rootOf(access.region) == root)
      mine.push_back(&access);
  state.kind = State::Kind::Shares;
  if (std::ranges::none_of(mine, [](const Access* each) { return each->write; }))
    return state;
  state.kind = State::Kind::Cells;
  TermText text(m_setting, m_sizes, m_locals);
  text.setEnvironment(m_walk, m_walk.regions[static_cast<size_t>(root)].environment);
  for (const Access* access : mine) {
    std::optional<Clause> clause = clauseOf(scope, *access, text);
    if (!clause)
      refuseState(
          scope,
          "of which a thread touches a cell that neither its place nor a counter with a constant step "
          "decides",
          access->where);
    addClause(state.clauses, *std::move(clause));
  }
  separate(scope, state);
  return state;
}

/// What the access says over the values at the start of the root region: in the last turn of a loop, its
/// counter was one step behind. Nothing: it cannot be said.
std::optional<TermId> States::atRoot(const Scope& scope, const Access& access, TermId term) {
  const Region& region = m_walk.regions[static_cast<size_t>(access.region)];
  if (scope.root < 0 || access.region == scope.root || !region.isTail)
    return term;
  const Loop& loop = m_walk.loops[static_cast<size_t>(region.flowsTo)];
  const std::vector<TermId> nodes = m_store.postOrder(term);
  if (loop.counter < 0 || std::ranges::find(nodes, loop.variable) == nodes.end())
    return term;
  if (loop.course == Course::Up)
    return m_store.substitute(term, {{loop.variable, m_store.isub(loop.variable, loop.step)}});
  if (loop.course == Course::Down)
    return m_store.substitute(term, {{loop.variable, m_store.iadd(loop.variable, loop.step)}});
  return std::nullopt;
}

/// A part of the loop's own condition that compares its counter with something.
bool States::endsCounter(const Loop& loop, TermId condition) const {
  const logic::Term& term = m_store[condition];
  const logic::Term& compared = term.op == Op::Not ? m_store[term.args[0]] : term;
  return (compared.op == Op::ILt || compared.op == Op::ILe) && contains(compared.args, loop.variable) &&
         contains(m_store.postOrder(loop.condition), condition);
}

std::optional<Clause> States::clauseOf(const Scope& scope, const Access& access, TermText& shown) {
  TermText text = shown;
  const std::optional<TermId> cell = atRoot(scope, access, access.cell);
  if (!cell)
    return std::nullopt;
  Clause clause;
  clause.cell = *cell;
  clause.write = access.write;
  clause.where = access.where;
  const std::vector<TermId> nodes = m_store.postOrder(*cell);
  const std::vector<int> around =
      scope.root < 0 ? std::vector<int>{} : m_walk.regions[static_cast<size_t>(scope.root)].loops;
  for (const int index : access.loops) {
    const Loop& loop = m_walk.loops[static_cast<size_t>(index)];
    if (contains(around, index) || loop.counter < 0 || std::ranges::find(nodes, loop.variable) == nodes.end())
      continue;
    if (loop.course != Course::Up && loop.course != Course::Down)
      return std::nullopt;
    clause.loops.push_back(index);
    text.setName(loop.variable, "c" + std::to_string(clause.loops.size()) + "_");
    for (const TermId each : loop.range) // over what the outer counters are
      if (!text.text(each))
        return std::nullopt;
  }
  if (!text.text(*cell))
    return std::nullopt;
  const std::vector<TermId> known =
      scope.root < 0 ? std::vector<TermId>{} : m_walk.regions[static_cast<size_t>(scope.root)].known;
  std::set<int> bounded;
  for (const TermId condition : access.guard) {
    if (contains(known, condition))
      continue;
    const std::optional<TermId> there = atRoot(scope, access, condition);
    if (!there || !text.text(*there)) {
      clause.weakened = true;
      continue;
    }
    if (!contains(clause.guard, *there) && m_store.boolValue(*there) != true)
      clause.guard.push_back(*there);
    for (const int index : clause.loops)
      if (endsCounter(m_walk.loops[static_cast<size_t>(index)], condition))
        bounded.insert(index);
  }
  if (bounded.size() != clause.loops.size())
    return std::nullopt; // a counter without an end
  return clause;
}

/// Two loops whose counters start and step alike count the same: the clause speaks of the other one's, where
/// its cell is the same then.
void States::alignLoops(const Clause& other, Clause& clause) {
  if (other.loops.size() != clause.loops.size() || other.loops == clause.loops)
    return;
  std::unordered_map<TermId, TermId> counters;
  for (size_t i = 0; i < clause.loops.size(); ++i) {
    const Loop& from = m_walk.loops[static_cast<size_t>(clause.loops[i])];
    const Loop& to = m_walk.loops[static_cast<size_t>(other.loops[i])];
    if (from.course != to.course || from.step != to.step ||
        m_store.substitute(from.start, counters) != to.start)
      return;
    counters.emplace(from.variable, to.variable);
  }
  if (m_store.substitute(clause.cell, counters) != other.cell)
    return;
  clause.cell = other.cell;
  clause.loops = other.loops;
  for (TermId& each : clause.guard)
    each = m_store.substitute(each, counters);
}

/// Two accesses of one cell are one clause, wherever one of them happens.
void States::addClause(std::vector<Clause>& clauses, Clause clause) {
  for (Clause& other : clauses) {
    alignLoops(other, clause);
    if (other.cell != clause.cell || other.loops != clause.loops)
      continue;
    std::vector<TermId> common;
    TermId left = m_store.boolean(true);
    TermId right = m_store.boolean(true);
    for (const TermId each : other.guard)
      if (contains(clause.guard, each))
        common.push_back(each);
      else
        left = m_store.land(left, each);
    for (const TermId each : clause.guard)
      if (!contains(other.guard, each))
        right = m_store.land(right, each);
    if (const TermId either = m_store.lor(left, right);
        m_store.boolValue(either) != true && !m_setting.proves(common, either))
      common.push_back(either);
    other.guard = std::move(common);
    other.weakened = other.weakened || clause.weakened;
    if (clause.write && !other.write)
      other.where = clause.where;
    other.write = other.write || clause.write;
    return;
  }
  clauses.push_back(std::move(clause));
}

bool States::dependsOnThread(TermId term) const {
  return std::ranges::any_of(m_store.postOrder(term), [&](TermId each) {
    if (m_store[each].op != Op::Var)
      return false;
    if (m_store.symbolText(each).starts_with("threadIdx."))
      return true;
    return std::ranges::any_of(m_walk.loops, [&](const Loop& loop) {
      return loop.counter >= 0 && loop.variable == each && !loop.uniform;
    });
  });
}

/// Cells that do not depend on the thread, and are only read, may be read by all.
void States::shareIfEqual(Clause& clause) const {
  if (clause.write || dependsOnThread(clause.cell))
    return;
  for (const int index : clause.loops)
    for (const TermId each : m_walk.loops[static_cast<size_t>(index)].range)
      if (dependsOnThread(each))
        return;
  std::vector<TermId> equal;
  for (const TermId each : clause.guard) {
    const bool ofThread = dependsOnThread(each);
    const bool ofCounter = ofThread && std::ranges::any_of(clause.loops, [&](int index) {
                             return endsCounter(m_walk.loops[static_cast<size_t>(index)], each);
                           });
    if (ofCounter)
      return; // its end would be lost
    if (!ofThread)
      equal.push_back(each);
    else
      clause.weakened = true;
  }
  clause.guard = std::move(equal);
  clause.everybody = true;
}

/// No two clauses of any threads share a cell; what all may read is shared.
void States::separate(const Scope& scope, State& state) {
  std::vector<Clause>& clauses = state.clauses;
  for (Clause& clause : clauses)
    if (!apart(scope, clause, clause, false) && scope.root >= 0)
      shareIfEqual(clause);
  for (size_t i = 0; i < clauses.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (!apart(scope, clauses[i], clauses[j], false) && scope.root >= 0)
        for (Clause* each : {&clauses[i], &clauses[j]})
          shareIfEqual(*each);
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (clauses[i].weakened && !inBounds(scope, clauses[i]))
      refuseState(scope,
                  "of which a thread touches cells under a condition on data, all of which may not exist",
                  clauses[i].where);
    for (size_t j = 0; j <= i; ++j) {
      if (!apart(scope, clauses[i], clauses[j], false))
        refuseState(scope, "of which two threads are not shown to touch different cells", clauses[i].where);
      if (apart(scope, clauses[i], clauses[j], true))
        continue;
      if (i == j || clauses[i].everybody || clauses[j].everybody || !clauses[j].loops.empty())
        refuseState(scope, "of which a thread may touch one cell under two names", clauses[i].where);
      TermId same = m_store.ieq(clauses[i].cell, clauses[j].cell);
      for (const TermId each : clauses[j].guard)
        same = m_store.land(same, each);
      clauses[i].guard.push_back(m_store.lnot(same));
    }
  }
}

std::vector<TermId> States::factsOf(const Scope& scope, const Clause& clause) const {
  std::vector<TermId> facts = clause.guard;
  for (const int index : clause.loops)
    for (const TermId each : m_walk.loops[static_cast<size_t>(index)].facts)
      facts.push_back(each);
  if (scope.root >= 0)
    for (const TermId each : m_walk.regions[static_cast<size_t>(scope.root)].known)
      facts.push_back(each);
  return facts;
}

bool States::inBounds(const Scope& scope, const Clause& clause) {
  const std::vector<TermId> facts = factsOf(scope, clause);
  return m_setting.proves(facts, m_store.ile(m_store.integer(0), clause.cell)) &&
         m_setting.proves(facts, m_store.ilt(clause.cell, lengthOf(scope.object)));
}

bool States::apart(const Scope& scope, const Clause& a, const Clause& b, bool sameThread) {
  if (a.everybody && b.everybody && !sameThread)
    return true; // equal shares; that the two are different cells is asked of one thread
  if (sameThread)
    return apartIn(scope, a, b, true, true);
  return apartIn(scope, a, b, false, true) && (scope.root >= 0 || apartIn(scope, a, b, false, false));
}

/// Of one thread: different counters give different cells (one clause), or the cells of two clauses differ.
bool States::apartIn(const Scope& scope, const Clause& a, const Clause& b, bool sameThread, bool sameBlock) {
  if (sameThread && &a == &b && a.loops.empty())
    return true;
  std::vector<TermId> first = factsOf(scope, a);
  std::vector<TermId> second = factsOf(scope, b);
  second.push_back(b.cell);
  const std::set<int> quantified(b.loops.begin(), b.loops.end());
  const auto other = renamed(second, sameThread, sameBlock, quantified);
  second.pop_back();
  for (const TermId each : second)
    first.push_back(m_store.substitute(each, other));
  if (!sameThread) {
    first.push_back(otherThread(sameBlock));
  } else if (&a == &b) {
    TermId same = m_store.boolean(true);
    for (const int index : a.loops) {
      const TermId counter = m_walk.loops[static_cast<size_t>(index)].variable;
      same = m_store.land(same, m_store.ieq(counter, m_store.substitute(counter, other)));
    }
    first.push_back(m_store.lnot(same));
  }
  const TermId goal = m_store.lnot(m_store.ieq(a.cell, m_store.substitute(b.cell, other)));
  // Often few facts are enough, and many hide the way. Facts that exclude each other need not speak of cells.
  if (m_setting.proves(withoutTurns(first), m_store.boolean(false)) ||
      (!sameThread && m_setting.proves({otherThread(sameBlock)}, goal)) ||
      m_setting.proves(withoutTurns(first), goal))
    return true;
  std::vector<TermId> digits = withoutTurns(first);
  for (const TermId each : equalDigits(m_setting, digits, a.cell, m_store.substitute(b.cell, other)))
    digits.push_back(each);
  if (m_setting.proves(digits, m_store.boolean(false)))
    return true;
  for (const int left : a.loops)
    for (const int right : b.loops)
      if (const std::optional<TermId> fact = turnsApart(left, right, other))
        first.push_back(*fact);
  return !(a.loops.empty() && b.loops.empty()) && m_setting.proves(first, goal);
}

std::vector<TermId> States::withoutTurns(const std::vector<TermId>& facts) const {
  std::vector<TermId> rest;
  for (const TermId fact : facts)
    if (std::ranges::none_of(m_store.postOrder(fact), [&](TermId each) {
          return m_store[each].op == Op::Var && m_store.symbolText(each).find(" turn") != std::string::npos;
        }))
      rest.push_back(fact);
  return rest;
}

/// Two counters with one step are in the same turn, or at least one step apart: what linear arithmetic does
/// not find by itself.
std::optional<TermId> States::turnsApart(int left, int right,
                                         const std::unordered_map<TermId, TermId>& other) {
  const Loop& a = m_walk.loops[static_cast<size_t>(left)];
  const Loop& b = m_walk.loops[static_cast<size_t>(right)];
  if (a.step != b.step || m_store.substitute(b.step, other) != a.step)
    return std::nullopt;
  const TermId turn = m_store.substitute(b.turn, other);
  auto before = [&](TermId first, TermId second) {
    return m_store.land(
        m_store.ilt(first, second),
        m_store.ile(m_store.iadd(m_store.imul(first, a.step), a.step), m_store.imul(second, a.step)));
  };
  return m_store.lor(m_store.ieq(a.turn, turn), m_store.lor(before(a.turn, turn), before(turn, a.turn)));
}

std::unordered_map<TermId, TermId> States::renamed(const std::vector<TermId>& terms, bool sameThread,
                                                   bool sameBlock, const std::set<int>& quantified) {
  std::unordered_map<TermId, TermId> names;
  auto isOwn = [&](TermId id) {
    const std::string& name = m_store.symbolText(id);
    for (size_t i = 0; i < m_walk.loops.size(); ++i) {
      const Loop& loop = m_walk.loops[i];
      if (loop.counter >= 0 && (loop.variable == id || loop.turn == id))
        return quantified.contains(static_cast<int>(i)) || (!sameThread && (!loop.uniform || !sameBlock));
    }
    return !sameThread && (name.starts_with("threadIdx.") || (!sameBlock && name.starts_with("blockIdx.")) ||
                           m_walk.unknowns.contains(id));
  };
  for (const TermId id : m_store.postOrder(terms))
    if (m_store[id].op == Op::Var && isOwn(id))
      names.emplace(id, m_store.var(m_store[id].sort, m_store.symbolText(id) + "'"));
  return names;
}

TermId States::otherThread(bool sameBlock) {
  TermId same = m_store.boolean(true);
  for (size_t i = 0; i < 3; ++i) {
    const TermId extent = sameBlock ? m_setting.launch.blockDim[i] : m_setting.launch.gridDim[i];
    if (m_store.intValue(extent) == 1)
      continue;
    const std::string name = std::string(sameBlock ? "threadIdx." : "blockIdx.") + "xyz"[i];
    same = m_store.land(same, m_store.ieq(m_store.var(Sort::Int, name), m_store.var(Sort::Int, name + "'")));
  }
  return m_store.lnot(same);
}

} // namespace plumbline::gate::vercors
