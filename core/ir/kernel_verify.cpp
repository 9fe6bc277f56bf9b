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

/// Checks one function; collects complaints.
class FunctionVerifier {
public:
  FunctionVerifier(const Function& function, const Module& module, std::vector<std::string>& problems)
      : m_function(function), m_module(module), m_problems(problems) {}

  void run() {
    if (!m_function.where.known())
      complain("the function has no source range");
    checkLocals();
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
      if (local.type.scalar == ScalarType::Void)
        complain("local " + local.name + " has no type");
      if (!local.where.known())
        complain("local " + local.name + " has no source range");
    }
  }

  /// Argument count of a kind; -1 when another rule fixes it.
  static int argumentCount(ExprKind kind) {
    switch (kind) {
    case ExprKind::Unary:
    case ExprKind::Cast:
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
    }
    return "unknown kind";
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
    return from.scalar == ScalarType::Void || expr.type.scalar == ScalarType::Void
               ? "conversion from or to void"
               : "";
  }

  std::string pointerProblem(const Expr& expr) const {
    const Type& pointer = argType(expr, 0);
    if (!pointer.pointer)
      return "not a pointer";
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
      if (stmt.kind != StmtKind::If && !(stmt.thenBody.empty() && stmt.elseBody.empty()))
        complain("statement " + std::to_string(index) + " has a body but is no if");
      checkBody(stmt.thenBody);
      checkBody(stmt.elseBody);
    }
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
    }
    return "unknown kind";
  }

  const Function& m_function;
  const Module& m_module;
  std::vector<std::string>& m_problems;
  std::vector<bool> m_used;
};

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
  if (!problems.empty())
    return problems; // the call graph is sound only then
  std::vector<int> state(module.functions.size(), 0);
  for (size_t i = 0; i < module.functions.size(); ++i)
    if (callsItself(module, i, state))
      problems.push_back(module.functions[i].name + ": calls itself");
  return problems;
}

} // namespace plumbline::ir
