// Statements: branches, jumps, waiting, accesses.
#include "core/gate/grid/executor_impl.h"

#include <algorithm>

namespace plumbline::gate::grid {

using ir::ExprId;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;
using ir::SyncOp;
using logic::Sort;
using logic::TermId;

/// Whether the thread has not left what it is in.
TermId Executor::alive(const Frame& frame) {
  TermId result = m_store.lnot(frame.returned);
  for (const Scope& scope : frame.scopes)
    result = m_store.land(result, m_store.land(m_store.lnot(scope.broken), m_store.lnot(scope.continued)));
  return result;
}

void Executor::statements(Frame& frame, const std::vector<StmtId>& body, TermId path) {
  const Waiting after = frame.later;
  std::vector<Waiting> later(body.size(), after);
  for (size_t i = body.size(); i-- > 1;)
    later[i - 1] = std::max(later[i], m_structure.waitingIn(frame.function, body[i]));
  for (size_t i = 0; i < body.size(); ++i) {
    if (m_store.boolValue(reached(frame, path)) == false)
      break;
    frame.later = later[i];
    checkSize(frame.function[body[i]].where);
    statement(frame, body[i], path);
  }
  frame.later = after;
}

void Executor::statement(Frame& frame, StmtId id, TermId path) {
  const Stmt& stmt = frame.function[id];
  switch (stmt.kind) {
  case StmtKind::Assign: assign(frame, stmt.local, value(frame, stmt.value, reached(frame, path))); return;
  case StmtKind::Store: {
    const TermId guard = reached(frame, path);
    const Value pointer = value(frame, stmt.pointer, guard);
    value(frame, stmt.value, guard);
    access(pointer, frame.function[stmt.pointer].type, true, guard, stmt.where, stmt.lane);
    return;
  }
  case StmtKind::If: branch(frame, id, path); return;
  case StmtKind::Return: leave(frame, stmt, path); return;
  case StmtKind::Eval: value(frame, stmt.value, reached(frame, path)); return;
  case StmtKind::Declare:
    if (stmt.local >= 0)
      assign(frame, stmt.local, Value{-1, zero(), m_false});
    if (stmt.array >= 0)
      ++m_program.objects[static_cast<size_t>(m_arrayObjects[static_cast<size_t>(stmt.array)])].lives;
    return;
  case StmtKind::Loop: loop(frame, id, path); return;
  case StmtKind::Block: block(frame, stmt, path); return;
  case StmtKind::Break:
  case StmtKind::Continue: jump(frame, stmt, path); return;
  case StmtKind::Barrier:
    if (stmt.sync == SyncOp::WarpBarrier)
      needFullMask(frame, stmt, path);
    wait(ir::isBlockBarrier(stmt.sync) ? Waiting::Block : Waiting::Warp, stmt.where);
    return;
  case StmtKind::Collective: collective(frame, stmt, path); return;
  case StmtKind::Atomic: atomic(frame, stmt, path); return;
  case StmtKind::Fence: return; // orders nothing by itself
  }
  unsupported("unsupported-construct", std::string(ir::name(stmt.kind)), stmt.where);
}

/// Threads that have left meanwhile keep the old value; that matters behind a loop or block.
void Executor::assign(Frame& frame, int local, const Value& value) {
  Value& target = frame.locals[static_cast<size_t>(local)];
  TermId stays = m_true;
  for (const Scope& scope : frame.scopes)
    stays = m_store.land(stays, m_store.land(m_store.lnot(scope.broken), m_store.lnot(scope.continued)));
  if (m_store.boolValue(stays) == true)
    target = value;
  else
    target = merge(stays, value, target, frame.function.locals[static_cast<size_t>(local)].name,
                   frame.function.locals[static_cast<size_t>(local)].where);
}

void Executor::agree(TermId guard, TermId condition, Waiting waiting, const SourceRange& where) {
  const Level level = waiting == Waiting::Block ? Level::Block : Level::Warp;
  if (m_dry > 0 || waiting == Waiting::None || m_symbols.levelOf(condition) <= level)
    return;
  m_program.agreements.push_back({guard, condition, level, m_loop, where, {}});
}

void Executor::branch(Frame& frame, StmtId id, TermId path) {
  const Stmt& stmt = frame.function[id];
  const TermId guard = reached(frame, path);
  const TermId condition = scalar(frame, stmt.condition, guard);
  std::vector<Waiting> around;
  for (const Scope& scope : frame.scopes)
    around.push_back(scope.waiting);
  agree(guard, condition, m_structure.decides(frame.function, id, around, frame.later), stmt.where);
  if (const auto known = m_store.boolValue(condition)) {
    statements(frame, *known ? stmt.thenBody : stmt.elseBody, path);
    return;
  }
  const bool waits = m_structure.waitingIn(frame.function, id) != Waiting::None;
  if (waits)
    segment();
  const std::vector<int> before = m_tails;
  const std::vector<Value> localsBefore = frame.locals;
  statements(frame, stmt.thenBody, m_store.land(path, condition));
  std::vector<Value> afterThen = std::exchange(frame.locals, localsBefore);
  const std::vector<int> thenTails = m_tails;
  if (waits) {
    m_tails = before;
    startSegment();
  }
  statements(frame, stmt.elseBody, m_store.land(path, m_store.lnot(condition)));
  if (waits) {
    for (int tail : thenTails)
      if (std::find(m_tails.begin(), m_tails.end(), tail) == m_tails.end())
        m_tails.push_back(tail);
    startSegment();
  }
  for (size_t i = 0; i < frame.locals.size(); ++i)
    frame.locals[i] = merge(condition, afterThen[i], frame.locals[i], frame.function.locals[i].name,
                            frame.function.locals[i].where);
}

Value Executor::merge(TermId condition, const Value& a, const Value& b, const std::string& what,
                      const SourceRange& where) {
  if (m_store.boolValue(condition) == true)
    return a;
  if (m_store.boolValue(a.initialised) == false)
    return {b.object, b.term, m_store.land(m_store.lnot(condition), b.initialised)};
  if (m_store.boolValue(b.initialised) == false)
    return {a.object, a.term, m_store.land(condition, a.initialised)};
  if (a.object != b.object)
    unsupported("pointer-merge", "'" + what + "' may point into two different arrays", where);
  const TermId initialised =
      a.initialised == b.initialised ? a.initialised : m_store.ite(condition, a.initialised, b.initialised);
  return {a.object, a.term == b.term ? a.term : m_store.ite(condition, a.term, b.term), initialised};
}

void Executor::leave(Frame& frame, const Stmt& stmt, TermId path) {
  const TermId now = reached(frame, path);
  if (stmt.value != ExprId::None)
    frame.returnValues.emplace_back(now, value(frame, stmt.value, now));
  frame.returned = m_store.lor(frame.returned, now);
}

void Executor::jump(Frame& frame, const Stmt& stmt, TermId path) {
  const TermId now = reached(frame, path);
  Scope& scope = frame.scopes[frame.scopes.size() - 1 - static_cast<size_t>(stmt.level)];
  const bool breaks = stmt.kind == StmtKind::Break;
  if (scope.waiting != Waiting::None) {
    segment();
    std::vector<int>& from = breaks ? scope.brokenAt : scope.continuedAt;
    from.insert(from.end(), m_tails.begin(), m_tails.end());
  }
  TermId& flag = breaks ? scope.broken : scope.continued;
  flag = m_store.lor(flag, now);
}

void Executor::block(Frame& frame, const Stmt& stmt, TermId path) {
  frame.scopes.push_back({m_false, m_false, m_structure.waitingIn(frame.function, stmt.thenBody)});
  statements(frame, stmt.thenBody, path);
  for (int tail : frame.scopes.back().brokenAt)
    m_tails.push_back(tail);
  if (!frame.scopes.back().brokenAt.empty())
    startSegment();
  frame.scopes.pop_back();
}

void Executor::wait(Waiting waiting, const SourceRange& where) {
  for (Agreement& each : m_program.agreements)
    if (!each.barrier.known())
      each.barrier = where;
  addSegment(waiting == Waiting::Block ? Segment::Kind::BlockBarrier : Segment::Kind::WarpBarrier, m_loop);
  startSegment();
}

/// Shuffles, votes and barriers of a warp are read for whole warps only.
void Executor::needFullMask(Frame& frame, const Stmt& stmt, TermId path) {
  if (stmt.args.empty())
    return;
  const TermId guard = reached(frame, path);
  const TermId mask = scalar(frame, stmt.args[0], guard);
  require(Requirement::Kind::Unknown, guard, m_store.ieq(mask, m_store.integer(0xffffffffLL)), stmt.where,
          "only the full mask is understood");
}

void Executor::collective(Frame& frame, const Stmt& stmt, TermId path) {
  const TermId guard = reached(frame, path);
  for (ExprId arg : stmt.args)
    value(frame, arg, guard);
  Level level = Level::Thread;
  if (ir::isBlockBarrier(stmt.sync))
    level = Level::Block;
  else if (stmt.sync == SyncOp::VoteAny || stmt.sync == SyncOp::VoteAll || stmt.sync == SyncOp::Ballot)
    level = Level::Warp;
  if (!ir::isBlockBarrier(stmt.sync) && stmt.sync != SyncOp::ActiveMask) {
    needFullMask(frame, stmt, path);
    const auto dims = m_launch.blockDim;
    const TermId threads = m_store.imul(dims[0], m_store.imul(dims[1], dims[2]));
    require(Requirement::Kind::Unknown, guard,
            m_store.ieq(m_store.irem(threads, m_store.integer(32)), zero()), stmt.where,
            "the last warp of a block is not full: lanes that do not exist may be asked");
  }
  if (stmt.sync != SyncOp::ActiveMask)
    wait(ir::isBlockBarrier(stmt.sync) ? Waiting::Block : Waiting::Warp, stmt.where);
  if (stmt.local < 0)
    return;
  const ir::Type& type = frame.function.locals[static_cast<size_t>(stmt.local)].type;
  assign(frame, stmt.local, {-1, unknownOf(type.scalar, std::string(ir::name(stmt.sync)), level), m_true});
}

void Executor::atomic(Frame& frame, const Stmt& stmt, TermId path) {
  const TermId guard = reached(frame, path);
  const Value pointer = value(frame, stmt.pointer, guard);
  const ir::Type& type = frame.function[stmt.pointer].type;
  if (stmt.value != ExprId::None)
    value(frame, stmt.value, guard);
  for (ExprId arg : stmt.args)
    value(frame, arg, guard);
  access(pointer, type, true, guard, stmt.where, 0);
  if (m_dry == 0) {
    m_program.accesses.back().atomic = true;
    m_program.accesses.back().floatAtomic = ir::isFloat(type.scalar);
  }
  if (stmt.local >= 0)
    assign(
        frame, stmt.local,
        {-1,
         unknownOf(frame.function.locals[static_cast<size_t>(stmt.local)].type.scalar, "old", Level::Thread),
         m_true});
}

void Executor::access(const Value& pointer, const ir::Type& type, bool write, TermId guard,
                      const SourceRange& where, int lane) {
  if (pointer.object < 0)
    unsupported("pointer", "an access through a pointer without a known array", where);
  Object& object = m_program.objects[static_cast<size_t>(pointer.object)];
  if (m_dry > 0) {
    object.written |= write;
    return;
  }
  object.written |= write;
  Access made;
  made.object = pointer.object;
  made.write = write;
  made.width = ir::byteSize(type.scalar);
  made.alignment = ir::byteAlignment(type);
  made.address = pointer.term;
  made.offset = m_store.iadd(pointer.term, m_store.integer(lane * made.width));
  made.guard = guard;
  made.segment = segment();
  made.loop = m_loop;
  made.life = object.lives;
  made.where = where;
  m_program.accesses.push_back(made);
}

} // namespace plumbline::gate::grid
