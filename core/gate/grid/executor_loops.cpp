// Loops: gone through one by one where that is short and exact, else described by one arbitrary iteration.
#include "core/gate/grid/executor_impl.h"

#include "core/ir/integer_ops.h"

#include <algorithm>

namespace plumbline::gate::grid {

using ir::ExprId;
using ir::Stmt;
using ir::StmtId;
using logic::Op;
using logic::Sort;
using logic::TermId;

namespace {

constexpr int mostUnrolled = 64; ///< iterations of one loop
constexpr int mostUnrolledTogether = 256;
constexpr int mostAttempts = 5;
constexpr int shortLoop = 4; ///< iterations up to which going through them costs less
constexpr int shortWaitingLoop = 16;

/// What a failed attempt at a loop has to put back.
struct Snapshot {
  std::vector<Value> locals;
  TermId returned;
  size_t returnValues, accesses, segments, requirements, agreements;
  std::vector<Scope> scopes;
  std::vector<int> tails;
  bool startNew;
  int loop, unrolled;
};

Snapshot take(const Frame& frame, const Program& program, const std::vector<int>& tails, bool startNew,
              int loop, int unrolled) {
  return {frame.locals,
          frame.returned,
          frame.returnValues.size(),
          program.accesses.size(),
          program.segments.size(),
          program.requirements.size(),
          program.agreements.size(),
          frame.scopes,
          tails,
          startNew,
          loop,
          unrolled};
}

void putBack(const Snapshot& saved, Frame& frame, Program& program) {
  frame.locals = saved.locals;
  frame.returned = saved.returned;
  frame.returnValues.resize(saved.returnValues, {TermId{}, Value{}});
  frame.scopes = saved.scopes;
  program.accesses.resize(saved.accesses);
  program.requirements.resize(saved.requirements);
  program.agreements.resize(saved.agreements);
  program.segments.resize(saved.segments);
  for (Segment& segment : program.segments)
    std::erase_if(segment.next, [&](int next) { return next >= static_cast<int>(saved.segments); });
}

} // namespace

/// One symbolic iteration.
struct Executor::Iteration {
  int loop = outside;
  TermId counter{};
  std::map<int, Value> before; ///< locals at the loop's start
  std::map<int, Value> head;   ///< at the start of the iteration
  TermId condition{};          ///< in terms of the head
  bool ends = false;           ///< shown to end after finitely many iterations
  bool monotone = false;       ///< the condition held in all earlier iterations
  bool leaves = false;         ///< by break, return, or a jump further out
};

void Executor::loop(Frame& frame, StmtId id, TermId path) {
  const Stmt& stmt = frame.function[id];
  std::vector<Waiting> around;
  for (const Scope& scope : frame.scopes)
    around.push_back(scope.waiting);
  const Waiting waiting = m_structure.decides(frame.function, id, around, frame.later);
  const Snapshot saved = take(frame, m_program, m_tails, m_startNew, m_loop, m_unrolled);
  const auto required = m_required;
  if (unroll(frame, stmt, path, waiting == Waiting::None ? shortLoop : shortWaitingLoop))
    return;
  const auto restore = [&] {
    putBack(saved, frame, m_program);
    m_tails = saved.tails;
    m_startNew = saved.startNew;
    m_loop = saved.loop;
    m_unrolled = saved.unrolled;
    m_required = required;
  };
  restore();
  std::map<int, Change> changes;
  ++m_dry;
  iterate(frame, stmt, path, waiting, changes, true);
  --m_dry;
  restore();
  const bool regular = std::all_of(changes.begin(), changes.end(), [&](const auto& each) {
    const ir::Type& type = frame.function.locals[static_cast<size_t>(each.first)].type;
    return each.second.kind == Change::Kind::Same || each.second.kind == Change::Kind::Steps ||
           each.second.kind == Change::Kind::Alternates || (!type.pointer && !ir::isInteger(type.scalar));
  });
  if (!regular) {
    if (unroll(frame, stmt, path, mostUnrolled))
      return;
    restore();
  }
  for (int attempt = 0; attempt < mostAttempts; ++attempt) {
    try {
      iterate(frame, stmt, path, waiting, changes, false);
      return;
    } catch (const Retry&) {
      restore();
    }
  }
  unsupported("loop", "a loop whose variables have no regular form", stmt.where);
}

/// Goes through the iterations one by one while the condition is known. False: it is not, or there are too
/// many; the caller then puts everything back.
bool Executor::unroll(Frame& frame, const Stmt& stmt, TermId path, int most) {
  const int before = m_unrolled;
  frame.scopes.push_back({m_false, m_false, m_structure.waitingIn(frame.function, stmt.thenBody)});
  const auto finish = [&](bool done) {
    std::vector<int> out = frame.scopes.back().brokenAt;
    frame.scopes.pop_back();
    m_unrolled = before;
    if (done && !out.empty()) {
      m_tails.insert(m_tails.end(), out.begin(), out.end());
      startSegment();
    }
    return done;
  };
  for (int i = 0;; ++i) {
    if (m_store.boolValue(reached(frame, path)) == false)
      return finish(true);
    if (!stmt.testAfter || i > 0) {
      const std::optional<bool> goesOn =
          stmt.condition == ExprId::None
              ? std::optional(true)
              : m_store.boolValue(scalar(frame, stmt.condition, reached(frame, path)));
      if (!goesOn)
        return finish(false);
      if (!*goesOn)
        return finish(true);
    }
    if (i >= most || before * (i + 1) > mostUnrolledTogether)
      return finish(false);
    m_unrolled = before * (i + 1);
    statements(frame, stmt.thenBody, path);
    std::vector<int>& continuedAt = frame.scopes.back().continuedAt;
    if (!continuedAt.empty()) {
      m_tails.insert(m_tails.end(), continuedAt.begin(), continuedAt.end());
      continuedAt.clear();
      startSegment();
    }
    frame.scopes.back().continued = m_false;
    statements(frame, stmt.elseBody, path);
  }
}

namespace {

/// The same polynomial.
bool sameInteger(logic::TermStore& store, TermId a, TermId b) {
  return a == b || vc::normaliseIntegers(store, store.isub(a, b)) == store.integer(0);
}

} // namespace

/// The value after `number` changes from v to sum - v.
TermId Executor::alternating(TermId before, TermId sum, TermId number) {
  return m_store.ite(m_store.ieq(m_store.irem(number, m_store.integer(2)), zero()), before,
                     vc::normaliseIntegers(m_store, m_store.isub(sum, before)));
}

/// How the value at the end of an iteration comes from the one at its head.
Change Executor::classify(const ir::Type& type, const Value& head, const Value& end, int loop, TermId path) {
  Change change;
  change.kind = Change::Kind::Unknown;
  if (type.pointer && head.object != end.object)
    unsupported("pointer-merge", "a pointer goes to another array in a loop", m_program.objects.at(0).where);
  if (head.term == end.term) {
    change.kind = Change::Kind::Same;
    return change;
  }
  change.level = m_symbols.levelOf(end.term);
  if (m_store[end.term].sort != Sort::Int)
    return change;
  const TermId step = vc::normaliseIntegers(m_store, m_store.isub(end.term, head.term));
  if (!m_symbols.dependsOn(step, loop)) {
    change.kind = Change::Kind::Steps;
    change.step = step;
    return change;
  }
  const TermId sum = vc::normaliseIntegers(m_store, m_store.iadd(end.term, head.term));
  if (!type.pointer && !m_symbols.dependsOn(sum, loop)) {
    change.kind = Change::Kind::Alternates;
    change.step = sum;
    return change;
  }
  const logic::Term node = m_store[end.term];
  const auto factor = node.args.size() == 2 ? m_store.intValue(node.args[1]) : std::nullopt;
  if (node.op == Op::IDiv && node.args[0] == head.term && factor && *factor >= 2 &&
      proves(path, m_store.ile(zero(), head.term), true))
    change.kind = Change::Kind::Shrinks;
  const TermId twice = vc::normaliseIntegers(m_store, m_store.imul(m_store.integer(2), head.term));
  if (sameInteger(m_store, end.term, twice))
    change.kind = Change::Kind::Grows;
  return change;
}

/// Whether the condition, where it holds, held in all earlier iterations. Notes whether it fails in some
/// later one.
bool Executor::isMonotone(TermId condition, TermId entered, Iteration& iteration) {
  const logic::Term node = m_store[condition];
  if (node.op == Op::And) {
    const bool left = isMonotone(node.args[0], entered, iteration);
    return isMonotone(node.args[1], entered, iteration) && left;
  }
  if (!m_symbols.dependsOn(condition, iteration.loop))
    return true;
  TermId difference{};
  if (node.op == Op::ILt || node.op == Op::ILe)
    difference = m_store.isub(node.args[1], node.args[0]);
  else if (node.op == Op::Not &&
           (m_store[node.args[0]].op == Op::ILt || m_store[node.args[0]].op == Op::ILe)) {
    const std::vector<TermId> inner = m_store[node.args[0]].args;
    difference = m_store.isub(inner[0], inner[1]);
  } else {
    return false;
  }
  // What one more iteration changes: it must not depend on the iteration, and not be positive.
  const std::unordered_map<TermId, TermId> next = {
      {iteration.counter, m_store.iadd(iteration.counter, m_store.integer(1))}};
  const TermId change =
      vc::normaliseIntegers(m_store, m_store.isub(m_store.substitute(difference, next), difference));
  if (m_symbols.dependsOn(change, iteration.loop) ||
      m_symbols.dependsOn(m_store.substitute(difference, {{iteration.counter, zero()}}), iteration.loop))
    return false;
  if (!proves(entered, m_store.ile(change, zero()), true))
    return false;
  iteration.ends |= proves(entered, m_store.ilt(change, zero()), true);
  return true;
}

void Executor::iterate(Frame& frame, const Stmt& stmt, TermId path, Waiting waiting,
                       std::map<int, Change>& changes, bool dry) {
  const Level level = waiting == Waiting::Block  ? Level::Block
                      : waiting == Waiting::Warp ? Level::Warp
                                                 : Level::Thread;
  Iteration iteration;
  iteration.loop = m_symbols.addLoop({m_loop, level, {}});
  const int outer = std::exchange(m_loop, iteration.loop);
  iteration.counter = fresh(Sort::Int, "iteration", level, {0, std::nullopt});
  m_symbols.setCounter(iteration.loop, iteration.counter);
  const TermId entered = reached(frame, path);

  // --- The head of an arbitrary iteration.
  std::set<int> assigned;
  std::set<int> assignedInBody;
  Structure::assigned(frame.function, stmt.thenBody, assigned);
  assignedInBody = assigned;
  Structure::assigned(frame.function, stmt.elseBody, assigned);
  for (int local : assigned) {
    Value& value = frame.locals[static_cast<size_t>(local)];
    iteration.before[local] = value;
    if (m_store.boolValue(value.initialised) == false)
      continue;
    const ir::Local& variable = frame.function.locals[static_cast<size_t>(local)];
    const Change change = dry ? Change{} : changes[local];
    switch (change.kind) {
    case Change::Kind::Same: break;
    case Change::Kind::Steps:
      value.term = vc::normaliseIntegers(
          m_store, m_store.iadd(value.term, m_store.imul(iteration.counter, change.step)));
      break;
    case Change::Kind::Alternates:
      value.term = alternating(value.term, change.step, iteration.counter);
      break;
    default: {
      const Level own = join(change.level, m_symbols.levelOf(value.term));
      const TermId before = value.term;
      // A first guess, which the real iteration has to confirm: counters do not become negative.
      const bool guess =
          dry && m_store[before].sort == Sort::Int && proves(entered, m_store.ile(zero(), before), false);
      value.term = variable.type.pointer ? fresh(Sort::Int, variable.name, own)
                   : guess ? fresh(Sort::Int, variable.name, own, {0, ir::highestValue(variable.type.scalar)})
                           : unknownOf(variable.type.scalar, variable.name, own);
      if (change.kind == Change::Kind::Shrinks)
        m_symbols.addFact(value.term, m_store.lor(m_store.ilt(before, zero()),
                                                  m_store.land(m_store.ile(zero(), value.term),
                                                               m_store.ile(value.term, before))));
      if (change.kind == Change::Kind::Grows)
        m_symbols.addFact(value.term, m_store.lor(m_store.ilt(before, m_store.integer(1)),
                                                  m_store.ile(before, value.term)));
    }
    }
    iteration.head[local] = value;
  }

  // --- The iteration.
  if (waiting != Waiting::None)
    addSegment(Segment::Kind::LoopHead, iteration.loop);
  const int head = waiting != Waiting::None ? m_tails[0] : -1;
  startSegment();
  iteration.leaves = Structure::hasReturn(frame.function, stmt.thenBody) ||
                     Structure::hasBreak(frame.function, stmt.thenBody);
  const bool endless = stmt.condition == ExprId::None;
  iteration.condition = endless ? m_true : scalar(frame, stmt.condition, entered);
  const TermId tested =
      stmt.testAfter ? m_store.land(entered, m_store.ilt(zero(), iteration.counter)) : entered;
  if (!endless)
    agree(tested, iteration.condition, waiting, stmt.where);
  const std::vector<int> testedAt = m_tails; // where the loop is left when the condition fails
  startSegment();
  if (dry)
    iteration.monotone = true;
  else
    iteration.monotone = isMonotone(iteration.condition, entered, iteration);
  TermId runs = stmt.testAfter ? m_store.lor(m_store.ieq(iteration.counter, zero()), iteration.condition)
                               : iteration.condition;
  if (!dry && (iteration.leaves || !iteration.monotone))
    runs = m_store.land(runs, fresh(Sort::Bool, "reached", level));
  const TermId returnedBefore = frame.returned;
  const std::vector<Scope> scopesBefore = frame.scopes;
  frame.scopes.push_back({m_false, m_false, m_structure.waitingIn(frame.function, stmt.thenBody)});
  statements(frame, stmt.thenBody, m_store.land(path, runs));
  {
    Scope& scope = frame.scopes.back();
    if (!scope.continuedAt.empty()) {
      m_tails.insert(m_tails.end(), scope.continuedAt.begin(), scope.continuedAt.end());
      startSegment();
    }
    // The step is reached only by who has not left; what left does not matter for the next iteration.
    for (auto& value : frame.locals)
      if (m_store.boolValue(scope.broken) != false)
        value.term = m_store.substitute(value.term, {{scope.broken, m_false}});
    scope.broken = m_false;
    scope.continued = m_false;
  }
  statements(frame, stmt.elseBody, m_store.land(path, runs));
  const std::vector<int> brokenAt = frame.scopes.back().brokenAt;
  frame.scopes.pop_back();

  // --- Does the next head have the assumed form?
  bool fitsPlan = true;
  for (const auto& [local, value] : iteration.head) {
    const ir::Local& variable = frame.function.locals[static_cast<size_t>(local)];
    const Value& end = frame.locals[static_cast<size_t>(local)];
    const Change seen = classify(variable.type, value, end, iteration.loop, m_store.land(entered, runs));
    if (dry) {
      changes[local] = seen;
      continue;
    }
    Change& planned = changes[local];
    bool good = false;
    switch (planned.kind) {
    case Change::Kind::Same: good = value.term == end.term; break;
    case Change::Kind::Steps:
      good = sameInteger(m_store, end.term, m_store.iadd(value.term, planned.step)) &&
             !m_symbols.dependsOn(planned.step, iteration.loop);
      break;
    case Change::Kind::Alternates:
      good = sameInteger(m_store, end.term, m_store.isub(planned.step, value.term)) &&
             !m_symbols.dependsOn(planned.step, iteration.loop);
      break;
    case Change::Kind::Shrinks:
    case Change::Kind::Grows: good = seen.kind == planned.kind; break;
    case Change::Kind::Unknown: good = true; break;
    }
    const Level own = m_symbols.levelOf(value.term);
    if (good && planned.kind != Change::Kind::Same && planned.kind != Change::Kind::Steps &&
        planned.kind != Change::Kind::Alternates && join(own, m_symbols.levelOf(end.term)) != own) {
      planned.level = m_symbols.levelOf(end.term);
      fitsPlan = false;
    }
    if (!good) {
      planned = {Change::Kind::Unknown, {}, m_symbols.levelOf(end.term)};
      fitsPlan = false;
    }
  }
  if (!dry && !fitsPlan)
    throw Retry{};

  // --- Afterwards.
  m_loop = outer;
  if (!dry && !iteration.ends) {
    const bool shrinks = std::any_of(changes.begin(), changes.end(), [&](const auto& each) {
      return each.second.kind == Change::Kind::Shrinks && iteration.head.contains(each.first) &&
             proves(iteration.condition, m_store.ilt(zero(), iteration.head.at(each.first).term), true);
    });
    const bool grows = std::any_of(changes.begin(), changes.end(), [&](const auto& each) {
      if (each.second.kind != Change::Kind::Grows || !iteration.head.contains(each.first))
        return false;
      const logic::Term node = m_store[iteration.condition];
      return (node.op == Op::ILt || node.op == Op::ILe) &&
             node.args[0] == iteration.head.at(each.first).term &&
             !m_symbols.dependsOn(node.args[1], iteration.loop) &&
             proves(entered, m_store.ilt(zero(), iteration.before.at(each.first).term), true);
    });
    if (!shrinks && !grows)
      require(Requirement::Kind::Termination, entered, m_false, stmt.where, "the loop is not shown to end");
  }
  if (head >= 0) {
    for (int tail : m_tails)
      m_program.segments[static_cast<size_t>(tail)].next.push_back(head);
    m_tails = testedAt;
    m_tails.insert(m_tails.end(), brokenAt.begin(), brokenAt.end());
    addSegment(Segment::Kind::LoopExit, iteration.loop);
    startSegment();
  }
  const Level conditionLevel = [&] {
    Level result =
        level == Level::Thread
            ? m_symbols.levelOf(m_store.substitute(iteration.condition, {{iteration.counter, zero()}}))
            : level;
    return iteration.leaves && level == Level::Thread ? Level::Thread : result;
  }();
  const bool exact = iteration.monotone && iteration.ends && !iteration.leaves && !stmt.testAfter;
  const TermId count = fresh(Sort::Int, "iterations", conditionLevel, {0, std::nullopt});
  const auto conditionAt = [&](TermId number) {
    return m_store.substitute(iteration.condition, {{iteration.counter, number}});
  };
  if (iteration.monotone && !endless && !stmt.testAfter &&
      !m_symbols.dependsOn(conditionAt(zero()), iteration.loop)) {
    const TermId last = m_store.isub(count, m_store.integer(1));
    TermId known = m_store.lor(m_store.ieq(count, zero()), conditionAt(last));
    if (exact)
      known = m_store.land(known, m_store.lnot(conditionAt(count)));
    m_symbols.addFact(count, m_store.lor(m_store.lnot(entered), known));
  }
  for (const auto& [local, before] : iteration.before) {
    Value& value = frame.locals[static_cast<size_t>(local)];
    if (m_store.boolValue(before.initialised) == false) {
      value = {-1, zero(), m_false};
      continue;
    }
    const ir::Local& variable = frame.function.locals[static_cast<size_t>(local)];
    const Change& change = changes[local];
    const bool counts = !iteration.leaves || !assignedInBody.contains(local);
    value.initialised = before.initialised;
    if (change.kind == Change::Kind::Same && counts) {
      value.term = before.term;
    } else if (change.kind == Change::Kind::Steps && counts && !dry && !stmt.testAfter) {
      value.term =
          vc::normaliseIntegers(m_store, m_store.iadd(before.term, m_store.imul(count, change.step)));
    } else if (change.kind == Change::Kind::Alternates && counts && !dry && !stmt.testAfter) {
      value.term = alternating(before.term, change.step, count);
    } else {
      Level own = join(join(change.level, m_symbols.levelOf(before.term)), conditionLevel);
      if (iteration.leaves)
        own = join(own, Level::Thread);
      value.term = variable.type.pointer ? fresh(Sort::Int, variable.name, own)
                                         : unknownOf(variable.type.scalar, variable.name, own);
      if (change.kind == Change::Kind::Shrinks && counts)
        m_symbols.addFact(value.term, m_store.lor(m_store.ilt(before.term, zero()),
                                                  m_store.land(m_store.ile(zero(), value.term),
                                                               m_store.ile(value.term, before.term))));
    }
  }
  // In which iteration a thread left is not known any more.
  const auto someTime = [&](TermId before, TermId now) {
    return now == before ? before : m_store.lor(before, fresh(Sort::Bool, "left", Level::Thread));
  };
  for (size_t i = 0; i < frame.scopes.size(); ++i) {
    frame.scopes[i].broken = someTime(scopesBefore[i].broken, frame.scopes[i].broken);
    frame.scopes[i].continued = someTime(scopesBefore[i].continued, frame.scopes[i].continued);
  }
  if (frame.returned != returnedBefore)
    frame.returned = m_store.lor(returnedBefore, fresh(Sort::Bool, "returned", Level::Thread));
}

} // namespace plumbline::gate::grid
