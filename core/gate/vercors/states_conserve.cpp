// At a barrier, nothing is handed out that was not collected.

#include "core/gate/vercors/refusal.h"
#include "core/gate/vercors/states.h"

#include <algorithm>

namespace plumbline::gate::vercors {

using logic::Op;
using logic::Sort;
using logic::TermId;

/// What one state lacks for the next ones its first thread keeps, and then everything is there.
void States::conserve() {
  for (bool changed = true; changed;) {
    changed = false;
    for (const Meeting& meeting : m_walk.meetings)
      for (const int object : m_shared) {
        const int root = rootOf(meeting.before);
        if (conserves(meeting, object))
          continue;
        keepRest(root, object, meeting);
        changed = true;
      }
  }
}

bool States::conserves(const Meeting& meeting, int object) {
  const State& before = m_states.at({rootOf(meeting.before), object});
  const State& after = m_states.at({rootOf(meeting.after), object});
  if (after.kind == State::Kind::Absent || before.kind == State::Kind::Shares || before.keepsRest)
    return true;
  std::vector<TermId> facts = m_walk.regions[static_cast<size_t>(meeting.after)].known;
  if (after.kind == State::Kind::Shares || after.keepsRest) {
    const TermId cell = m_store.var(Sort::Int, "any cell");
    facts.push_back(m_store.ile(m_store.integer(0), cell));
    facts.push_back(m_store.ilt(cell, lengthOf(object)));
    return covers(meeting, object, facts, cell);
  }
  return std::ranges::all_of(after.clauses, [&](const Clause& clause) {
    std::vector<TermId> all = facts;
    for (const TermId each : clause.guard)
      all.push_back(atRegion(meeting.after, each));
    for (const int index : clause.loops)
      for (const TermId each : m_walk.loops[static_cast<size_t>(index)].facts)
        all.push_back(atRegion(meeting.after, each));
    // The counters of a clause are those of any turn; so are those of the clauses that collect its cells.
    std::unordered_map<TermId, TermId> names;
    for (const int index : clause.loops) {
      const Loop& loop = m_walk.loops[static_cast<size_t>(index)];
      for (const TermId each : {loop.variable, loop.turn})
        names.emplace(each, m_store.var(Sort::Int, m_store.symbolText(each) + " given"));
    }
    for (TermId& each : all)
      each = m_store.substitute(each, names);
    return covers(meeting, object, all, m_store.substitute(atRegion(meeting.after, clause.cell), names));
  });
}

/// Whether some thread holds the cell before the barrier.
bool States::covers(const Meeting& meeting, int object, std::vector<TermId> facts, TermId cell) {
  const int root = rootOf(meeting.before);
  TermId held = m_store.boolean(false);
  for (const Clause& clause : m_states.at({root, object}).clauses)
    if (const std::optional<TermId> claimed = claim({root, object}, clause))
      held =
          m_store.lor(held, m_store.substitute(atRegion(meeting.before, *claimed), {{cellVariable(), cell}}));
  return m_setting.proves(facts, held);
}

void States::keepRest(int root, int object, const Meeting& meeting) {
  State& state = m_states.at({root, object});
  state.keepsRest = true;
  for (const Clause& clause : state.clauses) {
    const std::optional<TermId> claimed = claim({root, object}, clause);
    if (!claimed)
      refuseState({root, object},
                  "of which the cells that no thread touches are needed after the barrier in line " +
                      std::to_string(meeting.where.line) + ", and which these are cannot be said",
                  clause.where);
    state.kept.push_back(*claimed);
  }
}

// --- Which thread has a cell ---

std::vector<TermId> States::axes() {
  std::vector<TermId> result;
  for (size_t i = 0; i < 3; ++i)
    if (m_store.intValue(m_setting.launch.blockDim[i]) != 1)
      result.push_back(m_store.var(Sort::Int, std::string("threadIdx.") + "xyz"[i]));
  return result;
}

/// Bool over the cell variable: some thread has the cell by this clause. Nothing: it cannot be said.
std::optional<TermId> States::claim(const Scope& scope, const Clause& clause) {
  for (const Values& values : inverses(clause)) {
    if (!isInverse(scope, clause, values))
      continue;
    std::vector<TermId> conditions;
    if (!clause.everybody)
      for (size_t i = 0; i < 3; ++i) {
        const auto place = values.find(m_store.var(Sort::Int, std::string("threadIdx.") + "xyz"[i]));
        if (place == values.end())
          continue;
        conditions.push_back(m_store.ile(m_store.integer(0), place->second));
        conditions.push_back(m_store.ilt(place->second, m_setting.launch.blockDim[i]));
      }
    std::vector<TermId> parts;
    for (const int index : clause.loops)
      for (const TermId each : m_walk.loops[static_cast<size_t>(index)].range)
        parts.push_back(each);
    parts.insert(parts.end(), clause.guard.begin(), clause.guard.end());
    parts.push_back(m_store.ieq(clause.cell, cellVariable()));
    std::vector<TermId> facts{m_store.ile(m_store.integer(0), cellVariable()),
                              m_store.ilt(cellVariable(), lengthOf(scope.object))};
    for (const TermId each : parts)
      conditions.push_back(m_store.substitute(each, values));
    TermId all = m_store.boolean(true);
    for (const TermId each : conditions)
      if (!m_setting.proves(facts, each)) {
        all = m_store.land(all, each);
        facts.push_back(each);
      }
    return all;
  }
  return std::nullopt;
}

/// Whoever has a cell by the clause is the thread that the values name, in the turn that they name.
bool States::isInverse(const Scope& scope, const Clause& clause, const Values& values) {
  std::vector<TermId> facts = factsOf(scope, clause);
  for (const auto& [variable, value] : values) {
    const TermId there = m_store.substitute(value, {{cellVariable(), clause.cell}});
    if (!m_setting.proves(facts, m_store.ieq(variable, there)))
      return false;
  }
  return true;
}

/// The term with every coordinate of the thread, and every counter of the clause, zero.
TermId States::without(TermId term, const Clause& clause) {
  std::unordered_map<TermId, TermId> zeros;
  for (const TermId axis : axes())
    zeros.emplace(axis, m_store.integer(0));
  for (const int index : clause.loops)
    zeros.emplace(m_walk.loops[static_cast<size_t>(index)].variable, m_store.integer(0));
  return m_store.substitute(term, zeros);
}

States::Values States::coordinatesOf(TermId distance, bool twoAxes) {
  Values values;
  const std::vector<TermId> all = axes();
  const TermId zero = m_store.integer(0);
  for (size_t i = 0; i < all.size(); ++i)
    values.emplace(all[i], i == 0 ? distance : zero);
  if (twoAxes && all.size() == 2) {
    const size_t first = m_store.symbolText(all[0]).ends_with("x") ? 0 : 1;
    const TermId width = m_setting.launch.blockDim[first];
    values[all[0]] = m_store.irem(distance, width);
    values[all[1]] = m_store.idiv(distance, width);
  }
  return values;
}

/// Conditions that name one coordinate.
void States::pin(const Clause& clause, Values& values) {
  for (const TermId condition : clause.guard) {
    const logic::Term& term = m_store[condition];
    if (term.op != Op::IEq)
      continue;
    for (const TermId axis : axes())
      for (const size_t side : {size_t{0}, size_t{1}})
        if (term.args[side] == axis && !dependsOnThread(term.args[1 - side]))
          values[axis] = term.args[1 - side];
  }
}

/// Guesses.
std::vector<States::Values> States::inverses(const Clause& clause) {
  const TermId cell = cellVariable();
  const TermId rest = without(clause.cell, clause);
  const TermId distance = m_store.isub(cell, rest);
  std::vector<Values> guesses;
  if (clause.loops.size() > 1)
    return guesses;
  if (clause.loops.empty()) {
    guesses = {coordinatesOf(distance, false), coordinatesOf(m_store.isub(rest, cell), false)};
    if (axes().size() == 2)
      guesses.push_back(coordinatesOf(distance, true));
    Values fixed;
    pin(clause, fixed);
    if (fixed.size() == axes().size())
      guesses.insert(guesses.begin(), fixed);
    if (clause.everybody)
      guesses = {Values{}};
    return guesses;
  }
  const Loop& loop = m_walk.loops[static_cast<size_t>(clause.loops[0])];
  const TermId way = m_store.isub(distance, without(loop.start, clause));
  Values fixed;
  pin(clause, fixed);
  if (clause.everybody)
    guesses.push_back({});
  else if (fixed.size() == axes().size())
    guesses.push_back(fixed);
  else
    guesses = {coordinatesOf(m_store.irem(way, loop.step), false), coordinatesOf(distance, false)};
  for (Values& guess : guesses)
    guess.emplace(loop.variable, distance);
  return guesses;
}

} // namespace plumbline::gate::vercors
