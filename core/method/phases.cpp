#include "core/method/body_writer.h"
#include "core/method/invariants.h"
#include "core/method/lean_names.h"
#include "core/method/refusal.h"
#include "core/method/size_text.h"

#include <algorithm>

namespace plumbline::method {

using ir::ExprId;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;
using velvet::ExprPtr;

namespace {

/// "kernel.cu:4-9".
std::string placesText(const ir::Function& function, const std::vector<StmtId>& body) {
  const SourceRange& first = function[body.front()].where;
  const SourceRange& last = function[body.back()].where;
  const std::string text = placeText(first);
  return last.file == first.file && last.endLine > first.line ? text + "-" + std::to_string(last.endLine)
                                                              : text;
}

} // namespace

/// What lives across a barrier, for all threads of the block.
void BodyWriter::declarePerThread(Frame& frame) {
  const ExprPtr threads = threadsOfBlock(m_environment);
  for (int index : m_plan.perThreadArrays) {
    const ArrayText& text = m_environment.arrays[static_cast<size_t>(index)];
    const SourceRange& where = frame.function.arrays[static_cast<size_t>(index)].where;
    m_comment = placeText(where) + "; of every thread, since it lives across a barrier";
    emit(velvet::letStmt(text.name, "Array " + leanType(text.element), velvet::name(text.entry),
                         originAt(where), true));
    m_frameFacts.addArray(text.name, velvet::field(velvet::name(text.entry), "size"));
  }
  for (int index : m_plan.perThread) {
    const ir::Local& local = frame.function.locals[static_cast<size_t>(index)];
    LocalText& text = frame.locals[static_cast<size_t>(index)];
    const LocalPlan& plan = m_plan.whole.locals[static_cast<size_t>(index)];
    const std::string element = typeText(local.type);
    ExprPtr first = local.type.pointer ? velvet::number(0) : defaultValue(local.type.scalar);
    if (index < frame.function.parameterCount && text.value)
      first = text.value;
    text.variable = m_environment.names.fresh(local.name);
    m_comment = placeText(local.where) + "; of every thread, since it lives across a barrier";
    emit(velvet::letStmt(text.variable, "Array " + element,
                         velvet::apply("Array.replicate", {threads, first}), originAt(local.where), true));
    m_frameFacts.addArray(text.variable, threads);
    if (!plan.needsFlag)
      continue;
    text.flag = m_environment.names.fresh(local.name + "_has_value");
    emit(velvet::letStmt(text.flag, "Array Bool",
                         velvet::apply("Array.replicate", {threads, velvet::name("false")}),
                         originAt(local.where), true));
    m_frameFacts.addArray(text.flag, threads);
  }
}

void BodyWriter::requireUniform(Frame& frame, const Stmt& stmt) const {
  std::set<int> locals;
  collectLocals(frame.function, stmt.condition, locals);
  for (int local : locals) {
    const bool isFixed =
        local < frame.function.parameterCount && !m_plan.whole.locals[static_cast<size_t>(local)].isMutable;
    if (!isFixed && !m_plan.blockLocals.contains(local))
      refuse("divergent-barrier",
             "a jump or barrier under a condition on '" +
                 frame.function.locals[static_cast<size_t>(local)].name +
                 "', which may differ between threads",
             stmt.where);
  }
}

/// Once for the block, phase by phase.
void BodyWriter::blockList(Frame& frame, const Body& body) {
  const std::vector<ListPart> parts = partsOf(frame.function, frame.exits, m_plan, body, m_tail);
  StmtId before = StmtId::None;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].isPhase) {
      for (StmtId id : parts[i].statements)
        declareBefore(frame, id);
      phase(frame, parts[i].statements);
      continue;
    }
    const StmtId id = parts[i].statements.front();
    const Stmt& stmt = frame.function[id];
    if (stmt.kind == StmtKind::Barrier) {
      m_comment.clear();
      emit(velvet::commentStmt(placeText(stmt.where) + "; barrier: the interval ends here",
                               originAt(stmt.where)));
      continue;
    }
    Body rest;
    for (size_t j = i + 1; j < parts.size(); ++j)
      rest.insert(rest.end(), parts[j].statements.begin(), parts[j].statements.end());
    if (statement(frame, id, before, rest))
      return;
    before = id;
  }
}

/// Statements between barriers, thread by thread.
void BodyWriter::phase(Frame& frame, const Body& body) {
  if (++m_phases > 1)
    renewThreads(m_environment);
  const FunctionPlan plan = frame.plan;
  const auto flags = frame.flags;
  const std::vector<LocalText> locals = frame.locals;
  m_atBlockLevel = false;
  frame.plan = planBody(m_module, frame.function, body, valuedOutside(frame));
  std::vector<velvet::Stmt> statements = nested([&] {
    m_lastComment.clear();
    bindPerThread(frame);
    recompute(frame, body);
    declareThreadArrays(frame, body);
    for (const Exit& exit : frame.exits.exits(body))
      declareFlag(frame, exit, frame.function[body.front()].where);
    threadList(frame, body);
  });
  m_atBlockLevel = true;
  frame.plan = plan;
  frame.flags = flags;
  for (size_t i = 0; i < locals.size(); ++i) {
    const std::string memory = frame.locals[i].buffer;
    frame.locals[i] = locals[i];
    if (m_plan.perThread.contains(static_cast<int>(i)))
      frame.locals[i].buffer = memory; // a pointer goes on pointing there
  }
  m_comment.clear();
  const bool doesSomething = std::ranges::any_of(statements, [](const velvet::Stmt& s) {
    return s.kind != velvet::StmtKind::Let && s.kind != velvet::StmtKind::Comment;
  });
  announcePhase(frame, body);
  const LoopParts parts{m_parts.store, m_problem, {}, &m_frameFacts};
  if (doesSomething)
    for (velvet::Stmt& stmt : launchLoops(parts, m_environment, LoopsOver::Threads, std::move(statements)))
      emit(std::move(stmt));
  for (StmtId id : body)
    forgetChanged(frame, id);
  m_thread = nullptr;
}

std::set<int> BodyWriter::valuedOutside(const Frame& frame) const {
  std::set<int> result;
  for (size_t i = 0; i < frame.locals.size(); ++i)
    if (const int local = static_cast<int>(i); m_plan.blockLocals.contains(local) ||
                                               m_plan.perThread.contains(local) ||
                                               m_plan.recomputed.contains(local))
      result.insert(local);
  return result;
}

/// Where the phase stands, and under which condition a loop over the threads says what the kernel does.
void BodyWriter::announcePhase(const Frame& frame, const Body& body) {
  velvet::LineOrigin origin;
  for (StmtId id : body)
    origin.cuda.push_back(frame.function[id].where);
  const std::string number = std::to_string(m_phases);
  emit(velvet::commentStmt("phase " + number + ", " + placesText(frame.function, body), origin));
  std::string names;
  for (const std::string& key : m_parts.memory.written(body)) {
    const std::optional<int> array = arrayOfKey(key);
    if (!array || !m_environment.arrays[static_cast<size_t>(*array)].perThread)
      names += (names.empty() ? "" : ", ") + memory(key).name;
  }
  if (!names.empty())
    emit(velvet::commentStmt("race condition " + number + ": no thread writes a cell of " + names +
                                 " that another one reads or writes in this interval",
                             origin));
}

/// Arrays of one thread begin with any contents.
void BodyWriter::declareThreadArrays(const Frame& frame, const Body& body) {
  for (size_t i = 0; i < frame.function.arrays.size(); ++i) {
    const ir::ArrayVariable& array = frame.function.arrays[i];
    const ArrayText& text = m_environment.arrays[i];
    if (array.space != ir::ArraySpace::Thread || text.perThread ||
        !m_parts.memory.mentions(body, static_cast<int>(i)))
      continue;
    m_comment = placeText(array.where);
    emit(velvet::letStmt(text.name, "Array " + leanType(text.element), velvet::name(text.entry),
                         originAt(array.where), true));
    m_frameFacts.addArray(text.name, velvet::field(velvet::name(text.entry), "size"));
  }
}

/// Variables indexed by this thread's number.
void BodyWriter::bindPerThread(Frame& frame) {
  if (m_plan.perThread.empty() && m_plan.perThreadArrays.empty())
    return;
  m_thread = threadNumber(m_environment);
  if (m_thread->form == velvet::Form::Binary) {
    const std::string number = m_environment.thread;
    emit(velvet::letStmt(number, "Nat", m_thread, originAt(frame.function.where)));
    m_thread = velvet::name(number);
  }
  for (int local : m_plan.perThread) {
    LocalText& text = frame.locals[static_cast<size_t>(local)];
    text.slot = m_thread;
    text.value = velvet::element(velvet::name(text.variable), m_thread);
  }
}

/// Values of another phase that follow from the thread's number alone.
void BodyWriter::recompute(Frame& frame, const Body& body) {
  std::set<int> needed;
  std::vector<StmtId> order;
  auto need = [&](auto&& self, ExprId id) -> void {
    std::set<int> locals;
    collectLocals(frame.function, id, locals);
    for (int local : locals)
      if (const auto found = m_plan.recomputed.find(local);
          found != m_plan.recomputed.end() && std::ranges::find(body, found->second) == body.end() &&
          needed.insert(local).second) {
        self(self, frame.function[found->second].value);
        order.push_back(found->second);
      }
  };
  auto visit = [&](auto&& self, const Body& list) -> void {
    for (StmtId id : list) {
      const Stmt& stmt = frame.function[id];
      for (ExprId expr : {stmt.pointer, stmt.value, stmt.condition})
        if (expr != ExprId::None)
          need(need, expr);
      self(self, stmt.thenBody);
      self(self, stmt.elseBody);
    }
  };
  visit(visit, body);
  const bool before = std::exchange(m_isMuted, true);
  for (StmtId id : order) {
    const Stmt& stmt = frame.function[id];
    LocalText& text = frame.locals[static_cast<size_t>(stmt.local)];
    setComment(frame, stmt);
    const ir::Local& local = frame.function.locals[static_cast<size_t>(stmt.local)];
    const ExprPtr value = assignedValue(frame, stmt, local, text);
    declareVariable(frame, stmt.local, value, stmt.where, false);
  }
  m_isMuted = before;
}

} // namespace plumbline::method
