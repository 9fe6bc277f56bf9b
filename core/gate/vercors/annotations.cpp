#include "core/gate/vercors/annotations.h"

#include "core/gate/vercors/lists.h"
#include "core/gate/vercors/names.h"
#include "core/gate/vercors/refusal.h"

#include <algorithm>

namespace plumbline::gate::vercors {

using logic::Op;
using logic::TermId;

namespace {

constexpr const char* threadsOfBlock = "blockDim.x * blockDim.y * blockDim.z";

class Annotator {
public:
  Annotator(Setting& setting, const Walk& walk)
      : m_setting(setting), m_store(setting.store), m_walk(walk), m_objects(setting.function()),
        m_names(localNames(setting.function())), m_sizes(setting.contract, setting.function()),
        m_states(setting, walk, m_sizes, m_names) {}

  Annotations run() {
    launchShape();
    for (const std::string& fact : m_sizes.facts())
      context(fact);
    arrays();
    for (const std::string& each : globals())
      context(each);
    sharedAtStart();
    for (const Meeting& meeting : m_walk.meetings)
      barrier(meeting);
    for (const Loop& loop : m_walk.loops)
      invariants(loop);
    return std::move(m_made);
  }

private:
  // --- The contract of the kernel ---

  void context(const std::string& text) {
    std::string line = "context " + text;
    if (!contains(m_made.contract, line))
      m_made.contract.push_back(std::move(line));
  }

  void launchShape() {
    for (size_t axis = 0; axis < 3; ++axis)
      for (const auto& [name, extents] : {std::pair("blockDim.", &m_setting.contract.block),
                                          std::pair("gridDim.", &m_setting.contract.grid)}) {
        const std::string own = std::string(name) + "xyz"[axis];
        const ir::SizeExpr& extent = *(*extents)[axis];
        std::optional<std::string> value = m_sizes.tryText(extent);
        if (value == own)
          value = m_sizes.partsText(extent);
        if (value)
          context(own + " == " + *value);
      }
  }

  void arrays() {
    std::set<std::string> memories;
    for (int i = 0; i < m_setting.function().parameterCount; ++i) {
      const ir::Local& local = m_setting.function().locals[static_cast<size_t>(i)];
      if (!local.type.pointer)
        continue;
      const ir::BufferContract& buffer = *ir::findBuffer(m_setting.contract, local.name);
      if (const std::string memory = ir::sharedMemory(m_setting.contract, buffer);
          !memory.empty() && !memories.insert(memory).second)
        refuse("vercors-alias", "two parameters for the array " + memory, local.where);
      const std::string& name = m_names[static_cast<size_t>(i)];
      const auto [length, exact] = parameterLength(buffer);
      context(name + " != NULL && " + (exact ? "" : length + " <= ") + "\\pointer_length(" + name + ")" +
              (exact ? " == " + length : ""));
    }
  }

  /// Elements, and whether there are no more.
  std::pair<std::string, bool> parameterLength(const ir::BufferContract& buffer) const {
    if (!m_sizes.tryText(*buffer.length))
      if (std::optional<std::string> least = m_sizes.atMostText(*buffer.length))
        return {*std::move(least), false};
    return {m_sizes.text(*buffer.length), true};
  }

  std::vector<std::string> globals() {
    std::vector<std::string> lines;
    TermText text(m_setting, m_sizes, m_names);
    for (int i = 0; i < m_setting.function().parameterCount; ++i) {
      const ir::Local& local = m_setting.function().locals[static_cast<size_t>(i)];
      if (!local.type.pointer)
        continue;
      const State& state = m_states.ofParameter(i);
      if (state.kind == State::Kind::Shares)
        lines.push_back(every("k_", parameterLength(*ir::findBuffer(m_setting.contract, local.name)).first,
                              {},
                              permission(i, "k_",
                                         std::string("write \\ (") + threadsOfBlock +
                                             " * gridDim.x * gridDim.y * gridDim.z)")));
      for (const Clause& clause : state.clauses)
        lines.push_back(clauseText(i, clause, text, [](TermId term) { return term; }));
    }
    return lines;
  }

  void sharedAtStart() {
    TermText text(m_setting, m_sizes, m_names);
    for (const int object : m_states.sharedObjects())
      if (m_objects.array(object).length() < 0)
        m_made.contract.push_back("requires \\shared_mem_size(" + name(object) +
                                  ") == " + length(object, text));
    for (const std::string& each : shared(0, text))
      m_made.contract.push_back("requires " + each);
  }

  // --- Permissions ---

  const std::string& name(int object) const { return m_names[static_cast<size_t>(object)]; }

  std::string permission(int object, const std::string& cell, const std::string& amount) const {
    return "Perm(&" + name(object) + "[" + cell + "], " + amount + ")";
  }

  static std::string every(const std::string& variable, const std::string& length,
                           const std::vector<std::string>& more, const std::string& permission) {
    std::string text =
        "(\\forall* int " + variable + "; 0 <= " + variable + " && " + variable + " < " + length;
    for (const std::string& each : more)
      text += " && " + each;
    return text + "; " + permission + ")";
  }

  std::string must(const std::optional<std::string>& text, int object) const {
    if (!text)
      refuse("vercors-barrier",
             "permissions of the array '" + m_objects.name(object) +
                 "' over a variable that has changed where they are to be stated",
             m_where);
    return *text;
  }

  std::string length(int object, const TermText& text) {
    const std::optional<std::string> made = text.text(m_states.lengthOf(object));
    if (!made)
      refuse("vercors-free-size",
             "the array '" + m_objects.name(object) +
                 "', whose size no parameter and no extent of the launch carries",
             m_objects.array(object).where);
    return *made;
  }

  template <class Move>
  std::string clauseText(int object, const Clause& clause, TermText text, const Move& moved) const {
    std::vector<std::string> conditions;
    auto add = [&](TermId term) {
      std::string made = must(text.text(moved(term)), object);
      if (made != "true" && !contains(conditions, made))
        conditions.push_back(std::move(made));
    };
    std::string variables;
    for (size_t i = 0; i < clause.loops.size(); ++i) {
      const Loop& loop = m_walk.loops[static_cast<size_t>(clause.loops[i])];
      const std::string variable = "c" + std::to_string(i + 1) + "_";
      text.setName(loop.variable, variable);
      variables += (i > 0 ? ", int " : "int ") + variable;
      for (const TermId each : loop.range)
        add(each);
    }
    for (const TermId each : clause.guard)
      add(each);
    std::string guard;
    for (const std::string& each : conditions)
      guard += (guard.empty() ? "" : " && ") + each;
    if (conditions.size() > 1 && variables.empty())
      guard = "(" + guard + ")";
    const std::string held =
        permission(object, must(text.text(moved(clause.cell)), object),
                   clause.everybody ? std::string("write \\ (") + threadsOfBlock + ")" : "write");
    if (!variables.empty())
      return "(\\forall* " + variables + "; " + guard + "; " + held + ")";
    return guard.empty() ? held : guard + " ==> " + held;
  }

  /// Of all arrays of the block, from the start of the region to the next barrier.
  std::vector<std::string> shared(int region, const TermText& text) {
    std::vector<std::string> lines;
    for (const int object : m_states.sharedObjects()) {
      const State& state = m_states.ofRegion(region, object);
      if (state.kind == State::Kind::Shares)
        lines.push_back(every("k_", length(object, text), {},
                              permission(object, "k_", std::string("write \\ (") + threadsOfBlock + ")")));
      const auto moved = [&](TermId term) { return m_states.atRegion(region, term); };
      for (const Clause& clause : state.clauses)
        if (std::ranges::none_of(clause.guard,
                                 [&](TermId each) { return m_store.boolValue(moved(each)) == false; }))
          lines.push_back(clauseText(object, clause, text, moved));
      if (state.keepsRest)
        lines.push_back(rest(region, object, state, text));
    }
    return lines;
  }

  std::string rest(int region, int object, const State& state, TermText text) {
    const std::string all = length(object, text);
    text.setName(m_states.cellVariable(), "k_");
    std::vector<std::string> conditions;
    for (const TermId each : state.kept)
      if (m_store.boolValue(m_states.atRegion(region, each)) != false)
        conditions.push_back("!" + must(text.text(m_states.atRegion(region, each)), object));
    std::string first;
    for (size_t i = 0; i < 3; ++i)
      if (m_store.intValue(m_setting.launch.blockDim[i]) != 1)
        first += (first.empty() ? "threadIdx." : " && threadIdx.") + std::string(1, "xyz"[i]) + " == 0";
    const std::string kept = every("k_", all, conditions, permission(object, "k_", "write"));
    return first.empty() ? kept : "(" + first + ") ==> " + kept;
  }

  // --- Barriers and loops ---

  void barrier(const Meeting& meeting) {
    m_where = meeting.where;
    TermText text(m_setting, m_sizes, m_names);
    text.setEnvironment(m_walk, meeting.environment);
    Clauses& lines = m_made.statements[meeting.stmt];
    for (const std::string& each :
         counterFacts(m_walk.regions[static_cast<size_t>(meeting.after)].known, text))
      lines.push_back("context " + each);
    for (const std::string& each : shared(meeting.before, text))
      lines.push_back("requires " + each);
    for (const std::string& each : shared(meeting.after, text))
      lines.push_back("ensures " + each);
  }

  /// What is known there of the counters of loops.
  std::vector<std::string> counterFacts(const std::vector<TermId>& known, const TermText& text) const {
    std::vector<std::string> lines;
    for (const Loop& loop : m_walk.loops) {
      if (loop.counter < 0 || !text.text(loop.variable))
        continue;
      std::vector<TermId> facts = loop.range;
      for (const TermId each : known)
        if (contains(m_store.postOrder(each), loop.variable))
          facts.push_back(each);
      for (const TermId each : facts)
        if (const std::optional<std::string> made = text.text(each))
          if (!contains(lines, *made))
            lines.push_back(*made);
    }
    return lines;
  }

  void invariants(const Loop& loop) {
    m_where = m_setting.function()[loop.stmt].where;
    TermText text(m_setting, m_sizes, m_names);
    text.setEnvironment(m_walk, loop.head);
    Clauses& lines = m_made.statements[loop.stmt];
    for (const TermId each : loop.range)
      if (const std::optional<std::string> made = text.text(each))
        lines.push_back("loop_invariant " + *made);
    if (loop.end)
      if (const std::optional<std::string> made = text.text(*loop.end))
        lines.push_back("loop_invariant " + *made);
    for (const std::string& each : globals())
      lines.push_back("loop_invariant " + each);
    for (const std::string& each : shared(loop.region, text))
      lines.push_back("loop_invariant " + each);
    if (loop.measure)
      if (const std::optional<std::string> made = text.text(*loop.measure))
        lines.push_back("decreases " + *made);
  }

  Setting& m_setting;
  const logic::TermStore& m_store;
  const Walk& m_walk;
  Objects m_objects;
  std::vector<std::string> m_names;
  SizeText m_sizes;
  States m_states;
  SourceRange m_where;
  Annotations m_made;
};

} // namespace

Annotations annotate(Setting& setting, const Walk& walk) {
  return Annotator(setting, walk).run();
}

} // namespace plumbline::gate::vercors
