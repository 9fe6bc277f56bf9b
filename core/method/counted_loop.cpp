#include "core/method/counted_loop.h"

#include <algorithm>

namespace plumbline::method {

using ir::BinaryOp;
using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

using Body = std::vector<StmtId>;
using Move = CountedLoop::Move;

std::set<int> assignedLocals(const ir::Function& function, const Body& body) {
  std::set<int> result;
  for (StmtId id : body) {
    const Stmt& stmt = function[id];
    if (stmt.local >= 0)
      result.insert(stmt.local);
    result.merge(assignedLocals(function, stmt.thenBody));
    result.merge(assignedLocals(function, stmt.elseBody));
  }
  return result;
}

namespace {

class Recogniser {
public:
  Recogniser(const ir::Function& function, const ExitAnalysis& exits, StmtId loop, StmtId before)
      : m_function(function), m_exits(exits), m_id(loop), m_loop(function[loop]), m_before(before),
        m_assigned(assignedLocals(function, {loop})) {}

  std::optional<CountedLoop> run() {
    for (const auto& [condition, holds] : conditions())
      if (std::optional<CountedLoop> found = fromCondition(condition, holds))
        return found;
    return std::nullopt;
  }

private:
  // --- Conditions that hold in every turn before the counter moves ---

  /// With the truth value that they have then.
  std::vector<std::pair<ExprId, bool>> conditions() const {
    std::vector<std::pair<ExprId, bool>> result;
    if (m_loop.condition != ExprId::None)
      collect(m_loop.condition, true, result);
    // `if (condition) break;` at the start of the body
    for (StmtId id : m_loop.thenBody) {
      const Stmt& stmt = m_function[id];
      if (stmt.kind == StmtKind::Declare)
        continue;
      const bool leaves = stmt.kind == StmtKind::If && stmt.elseBody.empty() && stmt.thenBody.size() == 1 &&
                          m_exits.exits(id) == Exits{{Exit::Kind::Break, m_id}};
      if (!leaves)
        break;
      collect(stmt.condition, false, result);
    }
    return result;
  }

  void collect(ExprId id, bool holds, std::vector<std::pair<ExprId, bool>>& result) const {
    const Expr& expr = m_function[id];
    if (expr.kind == ExprKind::Unary && expr.unary == ir::UnaryOp::LogicalNot)
      return collect(expr.args[0], !holds, result);
    if (expr.kind == (holds ? ExprKind::LogicalAnd : ExprKind::LogicalOr))
      for (ExprId arg : expr.args)
        collect(arg, holds, result);
    else
      result.emplace_back(id, holds);
  }

  std::optional<CountedLoop> fromCondition(ExprId id, bool holds) const {
    const Expr& expr = m_function[id];
    if (expr.kind == ExprKind::Cast && expr.type.scalar == ir::ScalarType::Bool && holds)
      return fromNonZero(expr.args[0]);
    if (expr.kind != ExprKind::Binary || !ir::isInteger(m_function[expr.args[0]].type.scalar))
      return std::nullopt;
    if (expr.binary == BinaryOp::Ne && holds && isZero(expr.args[1]))
      return fromNonZero(expr.args[0]);
    std::optional<BinaryOp> op = relation(expr.binary, holds);
    if (!op)
      return std::nullopt;
    if (std::optional<CountedLoop> found = compared(expr.args[0], *op, expr.args[1]))
      return found;
    return compared(expr.args[1], turned(*op), expr.args[0]);
  }

  static std::optional<BinaryOp> relation(BinaryOp op, bool holds) {
    switch (op) {
    case BinaryOp::Lt: return holds ? BinaryOp::Lt : BinaryOp::Ge;
    case BinaryOp::Le: return holds ? BinaryOp::Le : BinaryOp::Gt;
    case BinaryOp::Gt: return holds ? BinaryOp::Gt : BinaryOp::Le;
    case BinaryOp::Ge: return holds ? BinaryOp::Ge : BinaryOp::Lt;
    default: return std::nullopt;
    }
  }

  static BinaryOp turned(BinaryOp op) {
    switch (op) {
    case BinaryOp::Lt: return BinaryOp::Gt;
    case BinaryOp::Le: return BinaryOp::Ge;
    case BinaryOp::Gt: return BinaryOp::Lt;
    default: return BinaryOp::Le;
    }
  }

  /// Of an unsigned counter, "not zero" is "above zero".
  std::optional<CountedLoop> fromNonZero(ExprId counter) const {
    const int local = plainLocal(counter);
    if (local < 0 || ir::isSigned(m_function.locals[static_cast<size_t>(local)].type.scalar))
      return std::nullopt;
    CountedLoop made;
    made.counter = local;
    made.move = Move::Down;
    return moving(made);
  }

  std::optional<CountedLoop> compared(ExprId counter, BinaryOp op, ExprId bound) const {
    CountedLoop made;
    made.counter = plainLocal(counter);
    if (made.counter < 0 || !isFixed(bound))
      return std::nullopt;
    made.bound = bound;
    made.inclusive = op == BinaryOp::Le || op == BinaryOp::Ge;
    made.move = op == BinaryOp::Lt || op == BinaryOp::Le ? Move::Up : Move::Down;
    return moving(made);
  }

  // --- The one assignment ---

  std::optional<CountedLoop> moving(CountedLoop made) const {
    const auto update = updateOf(made.counter);
    if (!update)
      return std::nullopt;
    made.update = *update;
    if (!readMove(made, m_function[*update].value))
      return std::nullopt;
    if (m_before != StmtId::None) {
      const Stmt& before = m_function[m_before];
      if (before.kind == StmtKind::Assign && before.local == made.counter && isFixed(before.value))
        made.initial = before.value;
    }
    return made;
  }

  std::optional<StmtId> updateOf(int counter) const {
    size_t count = 0;
    countAssignments({m_id}, counter, count);
    if (count != 1)
      return std::nullopt;
    for (StmtId id : m_loop.elseBody)
      if (m_function[id].kind == StmtKind::Assign && m_function[id].local == counter)
        return id;
    for (StmtId id : m_loop.thenBody) {
      if (m_function[id].kind == StmtKind::Assign && m_function[id].local == counter)
        return id;
      if (m_exits.exits(id).contains({Exit::Kind::Continue, m_id}))
        return std::nullopt; // goes round without it
    }
    return std::nullopt;
  }

  void countAssignments(const Body& body, int counter, size_t& count) const {
    for (StmtId id : body) {
      const Stmt& stmt = m_function[id];
      count += stmt.local == counter;
      countAssignments(stmt.thenBody, counter, count);
      countAssignments(stmt.elseBody, counter, count);
    }
  }

  bool readMove(CountedLoop& made, ExprId assigned) const {
    const Expr& expr = stripped(assigned);
    if (expr.kind != ExprKind::Binary)
      return false;
    const bool first = plainLocal(expr.args[0]) == made.counter;
    const bool second = plainLocal(expr.args[1]) == made.counter;
    if (first == second)
      return false;
    const ExprId other = expr.args[first ? 1 : 0];
    switch (expr.binary) {
    case BinaryOp::Add: return setStride(made, other, made.move == Move::Up);
    case BinaryOp::Sub: return first && setStride(made, other, made.move == Move::Down);
    case BinaryOp::Mul: return setFactor(made, other, false, Move::Up);
    case BinaryOp::Shl: return first && setFactor(made, other, true, Move::Up);
    case BinaryOp::Div: return first && setFactor(made, other, false, Move::Down);
    case BinaryOp::Shr: return first && setFactor(made, other, true, Move::Down);
    default: return false;
    }
  }

  /// `towards`: the operator moves the counter towards the bound when the stride is positive.
  bool setStride(CountedLoop& made, ExprId stride, bool towards) const {
    if (const auto number = literal(stride)) {
      made.step = towards ? *number : -*number;
      return made.step > 0;
    }
    made.stride = stride;
    return towards && isFixed(stride);
  }

  bool setFactor(CountedLoop& made, ExprId other, bool isShift, Move move) const {
    const auto number = literal(other);
    if (!number || made.move != move || *number < (isShift ? 1 : 2) || *number > (isShift ? 30 : 1 << 30))
      return false;
    made.step = isShift ? int64_t{1} << *number : *number;
    made.move = move == Move::Up ? Move::Double : Move::Halve;
    if (made.move == Move::Double || made.bound == ExprId::None)
      return true;
    const auto bound = literal(made.bound);
    return bound && *bound >= (made.inclusive ? 1 : 0);
  }

  // --- Expressions ---

  /// Without conversions between integers, which keep the value here.
  const Expr& stripped(ExprId id) const {
    const Expr* expr = &m_function[id];
    while (expr->kind == ExprKind::Cast && ir::isInteger(expr->type.scalar) &&
           ir::isInteger(m_function[expr->args[0]].type.scalar))
      expr = &m_function[expr->args[0]];
    return *expr;
  }

  int plainLocal(ExprId id) const {
    const Expr& expr = stripped(id);
    return expr.kind == ExprKind::Local && ir::isInteger(expr.type.scalar) && !expr.type.pointer ? expr.local
                                                                                                 : -1;
  }

  std::optional<int64_t> literal(ExprId id) const {
    const Expr& expr = stripped(id);
    if (expr.kind == ExprKind::IntLiteral)
      return expr.intValue;
    if (expr.kind == ExprKind::Builtin && expr.text == "warpSize")
      return 32;
    if (expr.kind == ExprKind::Unary && expr.unary == ir::UnaryOp::Neg)
      if (const auto inner = literal(expr.args[0]))
        return -*inner;
    return std::nullopt;
  }

  bool isZero(ExprId id) const { return literal(id) == 0; }

  /// Has the same value in every turn.
  bool isFixed(ExprId id) const {
    const Expr& expr = m_function[id];
    if (expr.kind == ExprKind::Load || expr.kind == ExprKind::Call || expr.type.pointer ||
        ir::isFloat(expr.type.scalar) || (expr.kind == ExprKind::Local && m_assigned.contains(expr.local)))
      return false;
    return std::ranges::all_of(expr.args, [this](ExprId arg) { return isFixed(arg); });
  }

  const ir::Function& m_function;
  const ExitAnalysis& m_exits;
  StmtId m_id;
  const Stmt& m_loop;
  StmtId m_before;
  std::set<int> m_assigned;
};

} // namespace

std::optional<CountedLoop> countedLoop(const ir::Function& function, const ExitAnalysis& exits, StmtId loop,
                                       StmtId before) {
  return Recogniser(function, exits, loop, before).run();
}

} // namespace plumbline::method
