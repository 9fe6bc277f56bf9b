// The typing and shape rules of kernel IR. Whoever reads a module may rely on them.
#include "core/ir/intrinsics.h"
#include "core/ir/kernel.h"

#include <algorithm>

namespace plumbline::ir {
namespace {

bool isArithmetic(ScalarType type) {
  return isFloat(type) || (isInteger(type) && bitWidth(type) >= 32);
}

bool inRange(int64_t value, ScalarType type) {
  const int width = bitWidth(type);
  if (width == 64)
    return true; // a U64 literal is stored as its two's complement
  const int64_t one = 1;
  if (isSigned(type))
    return value >= -(one << (width - 1)) && value < (one << (width - 1));
  return value >= 0 && value < (one << width);
}

bool isBuiltinName(std::string_view text) {
  static constexpr std::array<std::string_view, 12> names = {
      "threadIdx.x", "threadIdx.y", "threadIdx.z", "blockIdx.x", "blockIdx.y", "blockIdx.z",
      "blockDim.x",  "blockDim.y",  "blockDim.z",  "gridDim.x",  "gridDim.y",  "gridDim.z"};
  return std::find(names.begin(), names.end(), text) != names.end();
}

constexpr Type kBool{ScalarType::Bool, false};
constexpr Type kI32{ScalarType::I32, false};
constexpr Type kU32{ScalarType::U32, false};

bool isWellFormed(const Type& type) {
  return type.lanes == 1 ||
         (type.pointer && type.lanes <= 4 && type.lanes >= 1 && type.scalar != ScalarType::Void);
}

/// More elements than any memory of a thread or a block has.
constexpr int64_t kLongestArray = int64_t{1} << 28;

/// Checks one function; collects complaints.
class FunctionVerifier {
public:
  FunctionVerifier(const Function& function, const Module& module, std::vector<std::string>& problems)
      : m_function(function), m_module(module), m_problems(problems) {}

  void run() {
    if (!m_function.where.known())
      complain("the function has no source range");
    checkLocals();
    checkArrays();
    for (size_t i = 0; i < m_function.exprs.size(); ++i)
      checkExpr(i);
    if (!m_problems.empty())
      return; // statements rely on sound expressions
    m_used.assign(m_function.stmts.size(), false);
    checkBody(m_function.body);
    if (std::find(m_used.begin(), m_used.end(), false) != m_used.end())
      complain("a statement of the arena stands in no body");
  }

private:
  void complain(const std::string& what) { m_problems.push_back(m_function.name + ": " + what); }

  void complainExpr(size_t index, const std::string& what) {
    complain("expression " + std::to_string(index) + " (" + std::string(name(m_function.exprs[index].kind)) +
             "): " + what);
  }

  void checkLocals() {
    if (m_function.parameterCount < 0 ||
        static_cast<size_t>(m_function.parameterCount) > m_function.locals.size())
      complain("more parameters than locals");
    for (const Local& local : m_function.locals) {
      if (local.type.scalar == ScalarType::Void || !isWellFormed(local.type))
        complain("local " + local.name + " has no type");
      if (!local.where.known())
        complain("local " + local.name + " has no source range");
    }
  }

  void checkArrays() {
    int dynamic = 0;
    for (const ArrayVariable& array : m_function.arrays) {
      if (std::string problem = arrayProblem(array); !problem.empty())
        complain("array " + array.name + ": " + problem);
      dynamic += array.extents.empty();
    }
    if (dynamic > 1)
      complain("two arrays are the dynamic shared memory");
  }

  static std::string arrayProblem(const ArrayVariable& array) {
    if (array.element == ScalarType::Void)
      return "no element type";
    if (!array.where.known())
      return "no source range";
    if (array.alignment < 0 || array.alignment > 1024)
      return "no alignment";
    if (array.extents.empty())
      return array.space == ArraySpace::Shared && array.cells.empty() ? "" : "no extents";
    int64_t length = 1;
    for (int64_t extent : array.extents) {
      if (extent < 1 || extent > kLongestArray || length > kLongestArray / extent)
        return "empty or too long";
      length *= extent;
    }
    const bool constant = array.space == ArraySpace::Constant;
    return array.cells.size() == (constant ? static_cast<size_t>(length) : 0)
               ? ""
               : "a constant array alone has contents, for each element";
  }

  /// Argument count of a kind; -1 when another rule fixes it.
  static int argumentCount(ExprKind kind) {
    switch (kind) {
    case ExprKind::Unary:
    case ExprKind::Cast:
    case ExprKind::PointerCast:
    case ExprKind::Load: return 1;
    case ExprKind::Binary:
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
    case ExprKind::PointerAdd: return 2;
    case ExprKind::Conditional: return 3;
    case ExprKind::Intrinsic:
    case ExprKind::Call: return -1;
    default: return 0;
    }
  }

  void checkExpr(size_t index) {
    const Expr& expr = m_function.exprs[index];
    if (!expr.where.known())
      complainExpr(index, "no source range");
    for (ExprId arg : expr.args)
      if (static_cast<int64_t>(arg) < 0 || static_cast<size_t>(arg) >= index)
        return complainExpr(index, "an argument does not come before it");
    int wanted = argumentCount(expr.kind);
    if (wanted >= 0 && expr.args.size() != static_cast<size_t>(wanted))
      return complainExpr(index, "wrong number of arguments");
    if (!isWellFormed(expr.type))
      complainExpr(index, "a vector is no value");
    if (std::string problem = typeProblem(expr); !problem.empty())
      complainExpr(index, problem);
  }

  const Type& argType(const Expr& expr, size_t i) const { return m_function[expr.args[i]].type; }

  std::string typeProblem(const Expr& expr) const {
    switch (expr.kind) {
    case ExprKind::IntLiteral:
    case ExprKind::FloatLiteral:
    case ExprKind::BoolLiteral: return literalProblem(expr);
    case ExprKind::Local: return localProblem(expr);
    case ExprKind::Builtin: return builtinProblem(expr);
    case ExprKind::Unary: return unaryProblem(expr);
    case ExprKind::Binary: return binaryProblem(expr);
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr:
      return argType(expr, 0) == kBool && argType(expr, 1) == kBool && expr.type == kBool
                 ? ""
                 : "not of type bool";
    case ExprKind::Conditional:
      if (argType(expr, 0) != kBool)
        return "the condition is not a bool";
      return argType(expr, 1) == expr.type && argType(expr, 2) == expr.type ? "" : "branches of another type";
    case ExprKind::Cast: return castProblem(expr);
    case ExprKind::PointerAdd:
    case ExprKind::Load: return pointerProblem(expr);
    case ExprKind::Intrinsic: return intrinsicProblem(expr);
    case ExprKind::Call: return callProblem(expr);
    case ExprKind::Array: return arrayUseProblem(expr);
    case ExprKind::PointerCast:
      return argType(expr, 0).pointer && expr.type.pointer && expr.type.scalar != ScalarType::Void
                 ? ""
                 : "not between pointers";
    }
    return "unknown kind";
  }

  std::string arrayUseProblem(const Expr& expr) const {
    if (expr.array < 0 || static_cast<size_t>(expr.array) >= m_function.arrays.size())
      return "no such array";
    const ScalarType element = m_function.arrays[static_cast<size_t>(expr.array)].element;
    return expr.type == Type{element, true} ? "" : "not a pointer to the array's elements";
  }

  static std::string literalProblem(const Expr& expr) {
    if (expr.type.pointer)
      return "a literal is no pointer";
    if (expr.kind == ExprKind::BoolLiteral)
      return expr.type == kBool && (expr.intValue == 0 || expr.intValue == 1) ? ""
                                                                              : "not 0 or 1 of type bool";
    if (expr.kind == ExprKind::FloatLiteral) {
      if (!isFloat(expr.type.scalar))
        return "not of a float type";
      return expr.type.scalar == ScalarType::F32 && expr.bits >> 32 != 0 ? "bits wider than the type" : "";
    }
    if (!isInteger(expr.type.scalar))
      return "not of an integer type";
    return inRange(expr.intValue, expr.type.scalar) ? "" : "outside the range of its type";
  }

  std::string localProblem(const Expr& expr) const {
    if (expr.local < 0 || static_cast<size_t>(expr.local) >= m_function.locals.size())
      return "no such local";
    return m_function.locals[static_cast<size_t>(expr.local)].type == expr.type ? "" : "not the local's type";
  }

  static std::string builtinProblem(const Expr& expr) {
    if (expr.text == "warpSize")
      return expr.type == Type{ScalarType::I32, false} ? "" : "warpSize is an i32";
    if (!isBuiltinName(expr.text))
      return "unknown builtin '" + expr.text + "'";
    return expr.type == Type{ScalarType::U32, false} ? "" : "builtins are u32";
  }

  std::string unaryProblem(const Expr& expr) const {
    const Type& type = argType(expr, 0);
    if (type != expr.type || type.pointer)
      return "operand and result differ in type";
    if (expr.unary == UnaryOp::LogicalNot)
      return type == kBool ? "" : "not of type bool";
    if (expr.unary == UnaryOp::BitNot && isFloat(type.scalar))
      return "bit operation on a float";
    return isArithmetic(type.scalar) ? "" : "arithmetic on a type narrower than i32";
  }

  std::string binaryProblem(const Expr& expr) const {
    const Type& left = argType(expr, 0);
    const Type& right = argType(expr, 1);
    if (left.pointer || right.pointer || !isArithmetic(left.scalar) || !isArithmetic(right.scalar))
      return "arithmetic on a type narrower than i32, on bool or on a pointer";
    const bool shift = expr.binary == BinaryOp::Shl || expr.binary == BinaryOp::Shr;
    if (left != right && !shift)
      return "operands differ in type";
    const bool comparison = expr.binary >= BinaryOp::Lt;
    if (expr.type != (comparison ? kBool : left))
      return "wrong result type";
    const bool integerOnly = expr.binary >= BinaryOp::Rem && expr.binary <= BinaryOp::BitXor;
    return integerOnly && (isFloat(left.scalar) || isFloat(right.scalar)) ? "integer operation on a float"
                                                                          : "";
  }

  std::string castProblem(const Expr& expr) const {
    const Type& from = argType(expr, 0);
    if (from.pointer || expr.type.pointer)
      return "pointers are not converted";
    const ScalarType to = expr.type.scalar;
    if (from.scalar == ScalarType::Void || to == ScalarType::Void)
      return "conversion from or to void";
    const bool fits =
        (!isSixteenBitFloat(from.scalar) || isFloat(to)) && (!isSixteenBitFloat(to) || isFloat(from.scalar));
    return fits ? "" : "a sixteen-bit float is converted from or to something else than f32 or f64";
  }

  std::string pointerProblem(const Expr& expr) const {
    const Type& pointer = argType(expr, 0);
    if (!pointer.pointer)
      return "not a pointer";
    if (expr.kind == ExprKind::Load && (expr.intValue < 0 || expr.intValue >= pointer.lanes))
      return "no such lane";
    if (expr.kind == ExprKind::Load)
      return expr.type == Type{pointer.scalar, false} ? "" : "not the pointee's type";
    if (expr.type != pointer)
      return "the pointer changes its type";
    const Type& offset = argType(expr, 1);
    return isInteger(offset.scalar) && !offset.pointer ? "" : "the offset is not an integer";
  }

  std::string intrinsicProblem(const Expr& expr) const {
    const Intrinsic* intrinsic = findIntrinsic(expr.text);
    if (!intrinsic)
      return "unknown intrinsic '" + expr.text + "'";
    if (expr.type != Type{intrinsic->result, false})
      return "wrong result type for " + expr.text;
    if (expr.args.size() != intrinsic->arguments.size())
      return "wrong number of arguments for " + expr.text;
    for (size_t i = 0; i < expr.args.size(); ++i)
      if (argType(expr, i) != Type{intrinsic->arguments[i], false})
        return "wrong argument type for " + expr.text;
    return "";
  }

  std::string callProblem(const Expr& expr) const {
    if (expr.callee < 0 || static_cast<size_t>(expr.callee) >= m_module.functions.size())
      return "no such function";
    const Function& callee = m_module.functions[static_cast<size_t>(expr.callee)];
    if (expr.type != callee.returnType)
      return "wrong result type for " + callee.name;
    if (callee.parameterCount < 0 || callee.locals.size() < static_cast<size_t>(callee.parameterCount) ||
        expr.args.size() != static_cast<size_t>(callee.parameterCount))
      return "wrong number of arguments for " + callee.name;
    for (size_t i = 0; i < expr.args.size(); ++i)
      if (argType(expr, i) != callee.locals[i].type)
        return "wrong argument type for " + callee.name;
    return "";
  }

  void checkBody(const std::vector<StmtId>& body) {
    for (StmtId id : body) {
      const auto index = static_cast<int64_t>(id);
      if (index < 0 || static_cast<size_t>(index) >= m_function.stmts.size())
        return complain("a body names no statement");
      if (m_used[static_cast<size_t>(index)])
        return complain("statement " + std::to_string(index) + " stands in two places");
      m_used[static_cast<size_t>(index)] = true;
      const Stmt& stmt = m_function[id];
      if (!stmt.where.known())
        complain("statement " + std::to_string(index) + " has no source range");
      if (std::string problem = stmtProblem(stmt); !problem.empty())
        complain("statement " + std::to_string(index) + " (" + std::string(name(stmt.kind)) +
                 "): " + problem);
      checkBodiesOf(stmt, index);
    }
  }

  void checkBodiesOf(const Stmt& stmt, int64_t index) {
    const bool breakable = stmt.kind == StmtKind::Loop || stmt.kind == StmtKind::Block;
    if (!breakable && stmt.kind != StmtKind::If && !stmt.thenBody.empty())
      complain("statement " + std::to_string(index) + " has a body but is no if, loop or block");
    if (stmt.kind != StmtKind::Loop && stmt.kind != StmtKind::If && !stmt.elseBody.empty())
      complain("statement " + std::to_string(index) + " has a second body but is no if or loop");
    if (breakable)
      m_enclosing.push_back({stmt.kind == StmtKind::Loop, false});
    checkBody(stmt.thenBody);
    if (breakable)
      m_enclosing.back().inStep = true;
    checkBody(stmt.elseBody);
    if (breakable)
      m_enclosing.pop_back();
  }

  std::string jumpProblem(const Stmt& stmt) const {
    if (stmt.level < 0 || static_cast<size_t>(stmt.level) >= m_enclosing.size())
      return "no such enclosing loop or block";
    const Enclosing& target = m_enclosing[m_enclosing.size() - 1 - static_cast<size_t>(stmt.level)];
    if (target.inStep)
      return "leaves a loop from its step";
    return stmt.kind == StmtKind::Break || target.isLoop ? "" : "goes on with something that is no loop";
  }

  bool isLocal(int local) const {
    return local >= 0 && static_cast<size_t>(local) < m_function.locals.size();
  }
  const Type& localType(int local) const { return m_function.locals[static_cast<size_t>(local)].type; }
  bool hasType(ExprId id, const Type& type) const { return expr(id) && expr(id)->type == type; }

  std::string declareProblem(const Stmt& stmt) const {
    if (stmt.array < 0)
      return isLocal(stmt.local) && stmt.local >= m_function.parameterCount ? "" : "no such local";
    if (static_cast<size_t>(stmt.array) >= m_function.arrays.size() || stmt.local != -1)
      return "no such array";
    return m_function.arrays[static_cast<size_t>(stmt.array)].space == ArraySpace::Thread
               ? ""
               : "the array is not the thread's";
  }

  std::string barrierProblem(const Stmt& stmt) const {
    if (stmt.sync == SyncOp::BlockBarrier)
      return stmt.args.empty() ? "" : "arguments";
    return stmt.sync == SyncOp::WarpBarrier && stmt.args.size() == 1 && hasType(stmt.args[0], kU32)
               ? ""
               : "no barrier, or no mask";
  }

  static bool isShuffled(const Type& type) {
    return !type.pointer && (isFloat(type.scalar) || (isInteger(type.scalar) && bitWidth(type.scalar) >= 32));
  }

  std::string collectiveProblem(const Stmt& stmt) const {
    if (!isLocal(stmt.local))
      return "no such local";
    const Type& result = localType(stmt.local);
    switch (stmt.sync) {
    case SyncOp::Shuffle:
    case SyncOp::ShuffleUp:
    case SyncOp::ShuffleDown:
    case SyncOp::ShuffleXor:
      return stmt.args.size() == 4 && hasType(stmt.args[0], kU32) && isShuffled(result) &&
                     hasType(stmt.args[1], result) && hasType(stmt.args[2], kI32) &&
                     hasType(stmt.args[3], kI32)
                 ? ""
                 : "wrong arguments of a shuffle";
    case SyncOp::VoteAny:
    case SyncOp::VoteAll:
    case SyncOp::Ballot:
      return stmt.args.size() == 2 && hasType(stmt.args[0], kU32) && hasType(stmt.args[1], kBool) &&
                     result == (stmt.sync == SyncOp::Ballot ? kU32 : kI32)
                 ? ""
                 : "wrong arguments of a vote";
    case SyncOp::ActiveMask: return stmt.args.empty() && result == kU32 ? "" : "wrong arguments of a mask";
    case SyncOp::BlockCount:
    case SyncOp::BlockAnd:
    case SyncOp::BlockOr:
      return stmt.args.size() == 1 && hasType(stmt.args[0], kBool) && result == kI32
                 ? ""
                 : "wrong arguments of a barrier";
    default: return "no collective operation";
    }
  }

  /// What CUDA has: 32- and 64-bit integers; floats can be added and exchanged.
  static bool hasAtomic(SyncOp op, ScalarType type) {
    if (isFloat(type))
      return op == SyncOp::AtomicAdd || op == SyncOp::AtomicExchange;
    if (op == SyncOp::AtomicIncrement || op == SyncOp::AtomicDecrement)
      return type == ScalarType::U32;
    return isAtomic(op) && isInteger(type) && bitWidth(type) >= 32;
  }

  std::string atomicProblem(const Stmt& stmt) const {
    const Expr* pointer = expr(stmt.pointer);
    if (!pointer || !pointer->type.pointer || pointer->type.lanes != 1)
      return "not a pointer to a scalar";
    const Type type{pointer->type.scalar, false};
    if (!hasAtomic(stmt.sync, type.scalar))
      return "no atomic operation on this type";
    if (!hasType(stmt.value, type) ||
        (stmt.local != -1 && (!isLocal(stmt.local) || localType(stmt.local) != type)))
      return "the value or the result is of another type";
    const bool compares = stmt.sync == SyncOp::AtomicCompareExchange;
    return stmt.args.size() == (compares ? 1U : 0U) && (!compares || hasType(stmt.args[0], type))
               ? ""
               : "wrong arguments";
  }

  const Expr* expr(ExprId id) const {
    const auto index = static_cast<int64_t>(id);
    return index >= 0 && static_cast<size_t>(index) < m_function.exprs.size() ? &m_function[id] : nullptr;
  }

  std::string stmtProblem(const Stmt& stmt) const {
    const Expr* value = expr(stmt.value);
    switch (stmt.kind) {
    case StmtKind::Assign:
      if (stmt.local < 0 || static_cast<size_t>(stmt.local) >= m_function.locals.size())
        return "no such local";
      return value && value->type == m_function.locals[static_cast<size_t>(stmt.local)].type
                 ? ""
                 : "the value is missing or of another type";
    case StmtKind::Store: {
      const Expr* pointer = expr(stmt.pointer);
      if (!pointer || !pointer->type.pointer)
        return "not a pointer";
      if (stmt.lane < 0 || stmt.lane >= pointer->type.lanes)
        return "no such lane";
      return value && value->type == Type{pointer->type.scalar, false}
                 ? ""
                 : "the value is missing or of another type";
    }
    case StmtKind::If: {
      const Expr* condition = expr(stmt.condition);
      return condition && condition->type == kBool ? "" : "the condition is not a bool";
    }
    case StmtKind::Return:
      if (stmt.value == ExprId::None)
        return m_function.returnType == Type{} ? "" : "returns no value";
      return value && value->type == m_function.returnType ? "" : "returns another type";
    case StmtKind::Eval: return value ? "" : "no expression";
    case StmtKind::Declare: return declareProblem(stmt);
    case StmtKind::Loop:
      return stmt.condition == ExprId::None || hasType(stmt.condition, kBool) ? ""
                                                                              : "the condition is not a bool";
    case StmtKind::Block: return "";
    case StmtKind::Break:
    case StmtKind::Continue: return jumpProblem(stmt);
    case StmtKind::Barrier: return barrierProblem(stmt);
    case StmtKind::Collective: return collectiveProblem(stmt);
    case StmtKind::Atomic: return atomicProblem(stmt);
    case StmtKind::Fence:
      return stmt.text == "block" || stmt.text == "device" || stmt.text == "system" ? "" : "unknown fence";
    }
    return "unknown kind";
  }

  const Function& m_function;
  const Module& m_module;
  std::vector<std::string>& m_problems;
  std::vector<bool> m_used;

  struct Enclosing {
    bool isLoop;
    bool inStep;
  };
  std::vector<Enclosing> m_enclosing; ///< loops and blocks around the present statement, outermost first
};

/// Arrays, and points where threads meet, stand in kernels only: what a kernel calls is scalar code.
void verifyCallees(const Module& module, std::vector<std::string>& problems) {
  const auto meets = [](const Stmt& stmt) {
    return stmt.kind == StmtKind::Barrier || stmt.kind == StmtKind::Collective;
  };
  for (const Function& function : module.functions)
    for (const Expr& expr : function.exprs) {
      if (expr.kind != ExprKind::Call)
        continue;
      const Function& callee = module.functions[static_cast<size_t>(expr.callee)];
      if (!callee.arrays.empty() || std::ranges::any_of(callee.stmts, meets))
        problems.push_back(callee.name + ": is called, but has an array or a point where threads meet");
    }
}

/// Finds a function that can reach itself by calls. States: 0 new, 1 on the stack, 2 done.
bool callsItself(const Module& module, size_t index, std::vector<int>& state) {
  if (state[index] != 0)
    return state[index] == 1;
  state[index] = 1;
  for (const Expr& expr : module.functions[index].exprs)
    if (expr.kind == ExprKind::Call && callsItself(module, static_cast<size_t>(expr.callee), state))
      return true;
  state[index] = 2;
  return false;
}

void verifyKernels(const Module& module, std::vector<std::string>& problems) {
  for (const Kernel& kernel : module.kernels) {
    if (kernel.function == -1 && !kernel.rejections.empty())
      continue;
    if (kernel.function < 0 || static_cast<size_t>(kernel.function) >= module.functions.size())
      problems.push_back(kernel.name + ": the kernel has neither a function nor a rejection");
    else if (module.functions[static_cast<size_t>(kernel.function)].returnType != Type{})
      problems.push_back(kernel.name + ": a kernel returns nothing");
  }
}

} // namespace

std::vector<std::string> verify(const Module& module) {
  std::vector<std::string> problems;
  for (const Function& function : module.functions) {
    std::vector<std::string> own;
    FunctionVerifier(function, module, own).run();
    problems.insert(problems.end(), own.begin(), own.end());
  }
  verifyKernels(module, problems);
  if (problems.empty())
    verifyCallees(module, problems);
  if (!problems.empty())
    return problems; // the call graph is sound only then
  std::vector<int> state(module.functions.size(), 0);
  for (size_t i = 0; i < module.functions.size(); ++i)
    if (callsItself(module, i, state))
      problems.push_back(module.functions[i].name + ": calls itself");
  return problems;
}

} // namespace plumbline::ir
