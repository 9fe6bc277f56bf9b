#include "core/method/body_writer.h"
#include "core/method/refusal.h"
#include "core/method/size_text.h"

#include <algorithm>

namespace plumbline::method {

using ir::ExprId;
using ir::ExprKind;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;
using velvet::BinaryOp;
using velvet::Clause;
using velvet::ExprPtr;
using velvet::LineOrigin;

using Move = CountedLoop::Move;

/// A loop's condition, with what must be said before it is evaluated.
struct BodyWriter::Test {
  std::vector<velvet::Stmt> before;
  ExprPtr holds;     ///< null: there is no condition
  std::string again; ///< Bool variable that carries the answer to the next test; empty: `holds` is evaluated
};

/// How a loop's clauses are named.
struct BodyWriter::LoopNote {
  std::string label;
  LineOrigin origin;
  bool testedFirst; ///< every turn begins with the condition
};

namespace {

bool isOne(const ExprPtr& value) {
  return value->form == velvet::Form::Number && value->text == "1";
}

bool isZero(const ExprPtr& value) {
  return value->form == velvet::Form::Number && value->text == "0";
}

ExprPtr plus(const ExprPtr& a, const ExprPtr& b) {
  return isZero(a) ? b : isZero(b) ? a : velvet::binary(BinaryOp::Add, a, b);
}

ExprPtr minus(const ExprPtr& a, const ExprPtr& b) {
  return isZero(b) ? a : velvet::binary(BinaryOp::Subtract, a, b);
}

ExprPtr both(const ExprPtr& a, const ExprPtr& b) {
  return a && b ? velvet::binary(BinaryOp::And, a, b) : a ? a : b;
}

bool changesMemory(const ir::Function& function, const std::vector<StmtId>& body) {
  return std::ranges::any_of(body, [&](StmtId id) {
    const Stmt& stmt = function[id];
    const bool calls = (stmt.kind == StmtKind::Assign || stmt.kind == StmtKind::Eval) &&
                       function[stmt.value].kind == ExprKind::Call;
    return stmt.kind == StmtKind::Store || calls || changesMemory(function, stmt.thenBody) ||
           changesMemory(function, stmt.elseBody);
  });
}

} // namespace

void BodyWriter::blockStatement(Frame& frame, StmtId id, bool isLast) {
  const Stmt& stmt = frame.function[id];
  const Exit out{Exit::Kind::Break, id};
  const Exits tail = m_tail;
  if (!isLast)
    m_tail = {};
  m_tail.insert(out);
  LineOrigin origin = originAt(stmt.where);
  addSilent(frame, stmt.thenBody, origin);
  m_lastComment = std::exchange(m_comment, {});
  emit(velvet::commentStmt(m_lastComment, origin));
  if (frame.exits.exits(stmt.thenBody).contains(out))
    declareFlag(frame, out, stmt.where);
  list(frame, stmt.thenBody);
  m_tail = tail;
}

ExprPtr BodyWriter::quiet(Frame& frame, ExprId id) {
  const bool before = std::exchange(m_isMuted, true);
  ExprPtr result = value(frame, id);
  m_isMuted = before;
  return result;
}

void BodyWriter::forgetChanged(const Frame& frame, StmtId id) {
  for (int local : assignedLocals(frame.function, {id})) {
    const LocalText& text = frame.locals[static_cast<size_t>(local)];
    for (const std::string& name : {text.variable, text.flag})
      if (!name.empty())
        forget(name);
  }
  if (!changesMemory(frame.function, {id}))
    return;
  for (const auto& [tensor, buffer] : m_environment.buffers)
    forgetElements(buffer.name);
  for (const ArrayText& array : m_environment.arrays)
    forgetElements(array.name);
}

BodyWriter::Test BodyWriter::testOf(Frame& frame, const Stmt& stmt) {
  Test test;
  if (stmt.condition != ExprId::None)
    test.before = nested([&] { test.holds = prop(frame, stmt.condition); });
  return test;
}

void BodyWriter::loop(Frame& frame, StmtId id, StmtId before) {
  const Stmt& stmt = frame.function[id];
  if (isBlockLevel(frame))
    requireUniform(frame, stmt);
  const std::optional<CountedLoop> counted = countedLoop(frame.function, frame.exits, id, before);
  if (!counted)
    refuse("unbounded-loop", "a loop that no counter bounds", stmt.where);
  const std::string label = frame.function.locals[static_cast<size_t>(counted->counter)].name;
  const LineOrigin origin = originAt(stmt.where);
  Exits leaves = frame.exits.exits(stmt.thenBody);
  leaves.merge(frame.exits.exits(stmt.elseBody));
  leaves.erase({Exit::Kind::Continue, id});
  if (const Exit out{Exit::Kind::Break, id}; leaves.contains(out))
    declareFlag(frame, out, stmt.where);
  forgetChanged(frame, id);

  Test test = stmt.testAfter ? Test{} : testOf(frame, stmt);
  const bool asks = std::ranges::any_of(test.before, [](const velvet::Stmt& s) {
    return s.kind != velvet::StmtKind::Assert && s.kind != velvet::StmtKind::Comment;
  });
  for (velvet::Stmt& each : test.before)
    emit(std::move(each));
  if ((stmt.testAfter && stmt.condition != ExprId::None) || asks) {
    test.again = m_environment.names.fresh(label + "_again");
    const ExprPtr first = stmt.testAfter ? velvet::name("true") : velvet::apply("decide", {test.holds});
    emit(velvet::letStmt(test.again, "Bool", first, origin, true));
    test.holds = velvet::binary(BinaryOp::Equal, velvet::name(test.again), velvet::name("true"));
  }
  const ExprPtr here = noneTaken(frame, leaves);
  const std::string comment = std::exchange(m_comment, {});
  const Exits tail = m_tail;
  velvet::Stmt made{.kind = velvet::StmtKind::While, .origin = origin};
  addSilent(frame, stmt.thenBody, made.origin);
  made.body = turn(frame, id, *counted, test, leaves);
  m_tail = tail;
  m_comment = comment;
  made.value = both(here, test.holds);
  const LineOrigin proposal{{stmt.where}, {}, false};
  made.loop.label = m_environment.fresh(label + "_more");
  addCounterFacts(frame, *counted, {label, proposal, !stmt.testAfter}, made.loop.invariants);
  for (Clause& clause : m_frameFacts.invariants(made.body, label, proposal, m_environment))
    made.loop.invariants.push_back(std::move(clause));
  made.loop.invariants.push_back(openInvariant(label, proposal, m_environment));
  ExprPtr left = measure(frame, *counted);
  if (const ExprPtr last = both(here, stmt.testAfter ? test.holds : nullptr))
    left = plus(left, velvet::ifThenElse(last, velvet::number(1), velvet::number(0)));
  made.loop.decreasing = {m_environment.fresh(label + "_left"), left, origin, {}};
  const bool plain = !here && test.again.empty();
  made.loop.doneWith = {m_environment.fresh(label + "_end"),
                        plain ? negated(frame, stmt.condition, made.value) : negation(made.value, false),
                        origin,
                        {}};
  emit(std::move(made));
  forgetChanged(frame, id);
}

/// The body, then, where nobody has left, the step and what the next test needs.
std::vector<velvet::Stmt> BodyWriter::turn(Frame& frame, StmtId id, const CountedLoop& counted,
                                           const Test& test, const Exits& leaves) {
  const Stmt& stmt = frame.function[id];
  auto stepAndTest = [&] {
    m_tail = {};
    list(frame, stmt.elseBody);
    if (stmt.condition == ExprId::None)
      return;
    setComment(frame, stmt);
    Test next = testOf(frame, stmt);
    for (velvet::Stmt& each : next.before)
      emit(std::move(each));
    if (!test.again.empty())
      set(test.again, velvet::apply("decide", {next.holds}), stmt.where);
    m_comment.clear();
  };
  return nested([&] {
    m_lastComment.clear();
    const Exit around{Exit::Kind::Continue, id};
    if (frame.exits.exits(stmt.thenBody).contains(around))
      declareFlag(frame, around, stmt.where);
    if (counted.stride != ExprId::None)
      require("progress", velvet::binary(BinaryOp::Less, velvet::number(0), strideText(frame, counted)),
              frame.function[counted.update].where);
    if (counted.move == Move::Double)
      require("progress",
              velvet::binary(BinaryOp::Less, velvet::number(0),
                             frame.locals[static_cast<size_t>(counted.counter)].value),
              frame.function[counted.update].where);
    m_tail = {around};
    list(frame, stmt.thenBody);
    if (leaves.empty())
      return stepAndTest();
    const ExprPtr here = noneTaken(frame, leaves);
    std::vector<velvet::Stmt> rest = nested(stepAndTest);
    if (!rest.empty())
      emit(velvet::ifStmt(here, std::move(rest), {}, originAt(stmt.where)));
  });
}

// --- What is known of a counter ---

ExprPtr BodyWriter::strideText(Frame& frame, const CountedLoop& counted) {
  return counted.stride == ExprId::None ? velvet::number(counted.step) : quiet(frame, counted.stride);
}

ExprPtr BodyWriter::measure(Frame& frame, const CountedLoop& counted) {
  const ExprPtr counter = frame.locals[static_cast<size_t>(counted.counter)].value;
  const ExprPtr bound = counted.bound == ExprId::None ? velvet::number(0) : quiet(frame, counted.bound);
  ExprPtr distance;
  switch (counted.move) {
  case Move::Up:
  case Move::Double: distance = minus(bound, counter); break;
  case Move::Down: distance = minus(counter, bound); break;
  case Move::Halve: distance = counter; break;
  }
  if (counted.inclusive && counted.move != Move::Halve)
    distance = plus(distance, velvet::number(1));
  return velvet::field(distance, "toNat");
}

/// Where it started, how far it can have come, and in which steps.
void BodyWriter::addCounterFacts(Frame& frame, const CountedLoop& counted, const LoopNote& note,
                                 std::vector<Clause>& result) {
  if (!counted.initial)
    return;
  const ExprPtr counter = frame.locals[static_cast<size_t>(counted.counter)].value;
  const ExprPtr first = quiet(frame, *counted.initial);
  const ExprPtr bound = counted.bound == ExprId::None ? velvet::number(0) : quiet(frame, counted.bound);
  const ExprPtr stride = strideText(frame, counted);
  auto add = [&](const char* what, ExprPtr prop) {
    result.push_back({m_environment.fresh(note.label + "_" + what), std::move(prop), note.origin, {}});
  };
  auto less = [](const ExprPtr& a, const ExprPtr& b) { return velvet::binary(BinaryOp::Less, a, b); };
  auto atMost = [](const ExprPtr& a, const ExprPtr& b) { return velvet::binary(BinaryOp::LessEqual, a, b); };
  auto implies = [](ExprPtr a, ExprPtr b) {
    return velvet::binary(BinaryOp::Implies, std::move(a), std::move(b));
  };
  const bool isUp = counted.move == Move::Up || counted.move == Move::Double;
  const ExprPtr moved = isUp ? less(first, counter) : less(counter, first);
  if (counted.move == Move::Up || counted.move == Move::Down) {
    add("from", isUp ? atMost(first, counter) : atMost(counter, first));
    const ExprPtr furthest = isUp ? plus(bound, stride) : minus(bound, stride);
    const bool nextTo = isOne(stride) && !counted.inclusive;
    ExprPtr limit;
    if (nextTo)
      limit = isUp ? atMost(counter, bound) : atMost(bound, counter);
    else if (counted.inclusive)
      limit = isUp ? atMost(counter, furthest) : atMost(furthest, counter);
    else
      limit = isUp ? less(counter, furthest) : less(furthest, counter);
    if (note.testedFirst)
      add("to", implies(moved, std::move(limit)));
    if (!isOne(stride))
      add("step",
          velvet::binary(
              BinaryOp::Equal,
              velvet::apply("Plumbline.cMod", {isUp ? minus(counter, first) : minus(first, counter), stride}),
              velvet::number(0)));
    return;
  }
  const bool positive = first->form == velvet::Form::Number && !isZero(first);
  if (counted.move == Move::Double && positive)
    add("from", atMost(first, counter));
  if (counted.move == Move::Halve && note.testedFirst) {
    add("from", atMost(counter, first));
    add("to", implies(moved, atMost(velvet::number(0), counter)));
  }
}

} // namespace plumbline::method
