#include "core/gate/vercors/body.h"

#include "core/gate/vercors/refusal.h"
#include "core/ir/intrinsics.h"

#include <algorithm>

namespace plumbline::gate::vercors {

using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::ScalarType;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

namespace {

/// Functions of VerCors's own math.h.
constexpr std::string_view mathFunctions[] = {"fabsf", "sqrtf", "sinf",   "cosf",  "tanf", "expf",
                                              "logf",  "powf",  "floorf", "ceilf", "tanhf"};

class Writer {
public:
  Writer(const ir::Module& module, const ir::Function& function, std::set<int>& callees)
      : m_module(module), m_function(function), m_names(localNames(function)), m_callees(callees) {}

  std::string run(bool isKernel) {
    if (!m_function.arrays.empty())
      refuse("vercors-array", "the array variable '" + m_function.arrays[0].name + "'",
             m_function.arrays[0].where);
    m_text = (isKernel ? "__global__ " : "") + typeName(m_function.returnType, m_function.where) + " " +
             plainName(m_function.name) + "(";
    for (int i = 0; i < m_function.parameterCount; ++i)
      m_text += (i > 0 ? ", " : "") + declared(i);
    m_text += ") {\n";
    for (size_t i = static_cast<size_t>(m_function.parameterCount); i < m_function.locals.size(); ++i) {
      if (m_function.locals[i].type.pointer)
        refuse("vercors-pointer", "the pointer variable '" + m_function.locals[i].name + "'",
               m_function.locals[i].where);
      line(1, declared(static_cast<int>(i)) + ";");
    }
    body(m_function.body, 1);
    return m_text + "}\n";
  }

private:
  std::string declared(int local) const {
    const ir::Local& made = m_function.locals[static_cast<size_t>(local)];
    return typeName(made.type, made.where) + " " + m_names[static_cast<size_t>(local)];
  }

  void line(int depth, const std::string& text) {
    m_text.append(static_cast<size_t>(depth) * 2, ' ').append(text).push_back('\n');
  }

  void body(const std::vector<StmtId>& statements, int depth) {
    for (const StmtId id : statements)
      statement(m_function[id], depth);
  }

  void statement(const Stmt& s, int depth) {
    switch (s.kind) {
    case StmtKind::Assign:
      return line(depth, m_names[static_cast<size_t>(s.local)] + " = " + expr(s.value) + ";");
    case StmtKind::Store: return line(depth, cell(s.pointer) + " = " + expr(s.value) + ";");
    case StmtKind::Return:
      return line(depth, s.value == ExprId::None ? "return;" : "return " + expr(s.value) + ";");
    case StmtKind::Eval: return line(depth, expr(s.value) + ";");
    case StmtKind::If: return branch(s, depth);
    case StmtKind::Declare: return; // all are declared at the start
    default: unsupported(s);
    }
  }

  void branch(const Stmt& s, int depth) {
    line(depth, "if (" + expr(s.condition) + ") {");
    body(s.thenBody, depth + 1);
    if (!s.elseBody.empty()) {
      line(depth, "} else {");
      body(s.elseBody, depth + 1);
    }
    line(depth, "}");
  }

  [[noreturn]] static void unsupported(const Stmt& s) {
    switch (s.kind) {
    case StmtKind::Loop:
      refuse("vercors-loop", "a loop: its invariant about permissions is not generated", s.where);
    case StmtKind::Barrier:
      if (ir::isBlockBarrier(s.sync))
        refuse("vercors-barrier", "a barrier: its contract is not generated", s.where);
      refuse("vercors-warp", "a barrier of a warp", s.where);
    case StmtKind::Collective: refuse("vercors-warp", "an operation of a warp", s.where);
    case StmtKind::Atomic: refuse("vercors-atomic", "an atomic operation", s.where);
    case StmtKind::Fence: refuse("vercors-fence", "a memory fence", s.where);
    default: refuse("vercors-jump", "a jump out of a block of statements", s.where);
    }
  }

  /// "x[i]" of a pointer expression.
  std::string cell(ExprId id) const {
    const Expr& pointer = m_function[id];
    if (pointer.type.lanes != 1)
      refuse("vercors-vector", "a vector access", pointer.where);
    if (pointer.kind == ExprKind::Local)
      return m_names[static_cast<size_t>(pointer.local)] + "[0]";
    if (pointer.kind != ExprKind::PointerAdd || m_function[pointer.args[0]].kind != ExprKind::Local)
      refuse("vercors-pointer", "a pointer that is no parameter with an index", pointer.where);
    return m_names[static_cast<size_t>(m_function[pointer.args[0]].local)] + "[" + expr(pointer.args[1]) +
           "]";
  }

  std::string literal(const Expr& e) const {
    if (e.kind == ExprKind::BoolLiteral)
      return e.intValue != 0 ? "1" : "0";
    if (e.kind == ExprKind::IntLiteral)
      return e.type.scalar == ScalarType::U64 ? std::to_string(static_cast<uint64_t>(e.intValue))
                                              : std::to_string(e.intValue);
    const bool number = !e.text.empty() && e.text.find_first_not_of("0123456789.") == std::string::npos;
    if (!number)
      refuse("vercors-float", "the constant '" + e.text + "', which is no plain decimal fraction", e.where);
    return (e.text.find('.') == std::string::npos ? e.text + ".0" : e.text) +
           (e.type.scalar == ScalarType::F32 ? "f" : "");
  }

  std::string unary(const Expr& e) const {
    if (e.unary == ir::UnaryOp::BitNot)
      refuse("vercors-bit-operation", "the operator ~", e.where);
    return std::string(e.unary == ir::UnaryOp::Neg ? "-" : "!") + expr(e.args[0]);
  }

  std::string infix(const Expr& e, std::string_view text) const {
    return "(" + expr(e.args[0]) + " " + std::string(text) + " " + expr(e.args[1]) + ")";
  }

  std::string binary(const Expr& e) const {
    switch (e.binary) {
    case ir::BinaryOp::Shl:
    case ir::BinaryOp::Shr:
    case ir::BinaryOp::BitAnd:
    case ir::BinaryOp::BitOr:
    case ir::BinaryOp::BitXor: refuse("vercors-bit-operation", "an operator on bits", e.where);
    case ir::BinaryOp::Add: return infix(e, "+");
    case ir::BinaryOp::Sub: return infix(e, "-");
    case ir::BinaryOp::Mul: return infix(e, "*");
    case ir::BinaryOp::Div: return infix(e, "/");
    case ir::BinaryOp::Rem: return infix(e, "%");
    case ir::BinaryOp::Lt: return infix(e, "<");
    case ir::BinaryOp::Le: return infix(e, "<=");
    case ir::BinaryOp::Gt: return infix(e, ">");
    case ir::BinaryOp::Ge: return infix(e, ">=");
    case ir::BinaryOp::Eq: return infix(e, "==");
    case ir::BinaryOp::Ne: return infix(e, "!=");
    }
    return {};
  }

  std::string cast(const Expr& e) const {
    const ScalarType from = m_function[e.args[0]].type.scalar;
    if (isFloat(from) && !isFloat(e.type.scalar))
      refuse("vercors-float", "a conversion of a float to an integer", e.where);
    if (e.type.scalar == ScalarType::Bool)
      return "(" + expr(e.args[0]) + " != 0)";
    return "((" + typeName(e.type, e.where) + ")" + expr(e.args[0]) + ")";
  }

  std::string intrinsic(const Expr& e) const {
    const ir::Intrinsic* row = ir::findIntrinsic(e.text);
    const bool isMax = row != nullptr && row->meaning == ir::Meaning::IntMax;
    if (isMax || (row != nullptr && row->meaning == ir::Meaning::IntMin)) {
      const std::string a = expr(e.args[0]);
      const std::string b = expr(e.args[1]);
      return "(" + a + " < " + b + " ? " + (isMax ? b + " : " + a : a + " : " + b) + ")";
    }
    if (std::ranges::find(mathFunctions, std::string_view(e.text)) == std::end(mathFunctions))
      refuse("vercors-function", "the function '" + e.text + "', which VerCors does not declare", e.where);
    return e.text + list(e.args);
  }

  std::string list(const std::vector<ExprId>& args) const {
    std::string text;
    for (size_t i = 0; i < args.size(); ++i)
      text += (i > 0 ? ", " : "") + expr(args[i]);
    return "(" + text + ")";
  }

  std::string call(const Expr& e) const {
    const ir::Function& callee = m_module.functions[static_cast<size_t>(e.callee)];
    for (const ExprId arg : e.args)
      if (m_function[arg].type.pointer)
        refuse("vercors-call", "a call that passes a pointer to '" + callee.name + "'", e.where);
    m_callees.insert(e.callee);
    return plainName(callee.name) + list(e.args);
  }

  std::string expr(ExprId id) const {
    const Expr& e = m_function[id];
    switch (e.kind) {
    case ExprKind::IntLiteral:
    case ExprKind::FloatLiteral:
    case ExprKind::BoolLiteral: return literal(e);
    case ExprKind::Local: return m_names[static_cast<size_t>(e.local)];
    case ExprKind::Builtin:
      if (e.text == "warpSize")
        refuse("vercors-warp", "warpSize", e.where);
      return e.text;
    case ExprKind::Unary: return unary(e);
    case ExprKind::Binary: return binary(e);
    case ExprKind::LogicalAnd: return infix(e, "&&");
    case ExprKind::LogicalOr: return infix(e, "||");
    case ExprKind::Conditional:
      return "(" + expr(e.args[0]) + " ? " + expr(e.args[1]) + " : " + expr(e.args[2]) + ")";
    case ExprKind::Cast: return cast(e);
    case ExprKind::Load: return cell(e.args[0]);
    case ExprKind::Intrinsic: return intrinsic(e);
    case ExprKind::Call: return call(e);
    case ExprKind::PointerAdd:
    case ExprKind::Array:
    case ExprKind::PointerCast: refuse("vercors-pointer", "a pointer as a value", e.where);
    }
    return {};
  }

  const ir::Module& m_module;
  const ir::Function& m_function;
  std::vector<std::string> m_names;
  std::set<int>& m_callees;
  std::string m_text;
};

} // namespace

std::string functionText(const ir::Module& module, const ir::Function& function, bool isKernel,
                         std::set<int>& callees) {
  return Writer(module, function, callees).run(isKernel);
}

} // namespace plumbline::gate::vercors
