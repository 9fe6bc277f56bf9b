// Kernel IR as text, close to the C it came from but with every conversion written out.
#include "core/ir/kernel.h"

namespace plumbline::ir {
namespace {

std::string_view symbol(BinaryOp op) {
  static constexpr std::array<std::string_view, 16> symbols = {"+", "-", "*", "/",  "%", "<<", ">>", "&",
                                                               "|", "^", "<", "<=", ">", ">=", "==", "!="};
  return symbols[static_cast<size_t>(op)];
}

class Printer {
public:
  Printer(const Function& function, const Module& module) : m_function(function), m_module(module) {}

  std::string run() {
    m_text = toString(m_function.returnType) + " " + m_function.name + "(";
    for (int i = 0; i < m_function.parameterCount; ++i)
      m_text += (i ? ", " : "") + declared(m_function.locals[static_cast<size_t>(i)]);
    m_text += ")\n";
    for (const ArrayVariable& array : m_function.arrays)
      line(1, declared(array));
    body(m_function.body, 1);
    return std::move(m_text);
  }

private:
  static std::string declared(const Local& local) { return toString(local.type) + " " + local.name; }

  static std::string declared(const ArrayVariable& array) {
    std::string text =
        std::string(name(array.space)) + " " + std::string(name(array.element)) + " " + array.name;
    for (int64_t extent : array.extents)
      text += "[" + std::to_string(extent) + "]";
    return array.extents.empty() ? text + "[]" : text;
  }

  const std::string& arrayName(int array) const { return m_function.arrays[static_cast<size_t>(array)].name; }

  /// ".y" of a pointer to several lanes.
  static std::string laneName(const Type& pointer, int64_t lane) {
    return pointer.lanes == 1 ? std::string() : std::string(".") + "xyzw"[lane & 3];
  }

  const std::string& localName(int local) const { return m_function.locals[static_cast<size_t>(local)].name; }

  std::string list(const std::vector<ExprId>& args) const {
    std::string text;
    for (size_t i = 0; i < args.size(); ++i)
      text += (i ? ", " : "") + expr(args[i]);
    return "(" + text + ")";
  }

  std::string literal(const Expr& e) const {
    if (e.kind == ExprKind::BoolLiteral)
      return e.intValue ? "true" : "false";
    if (e.kind == ExprKind::IntLiteral && e.type.scalar == ScalarType::U64)
      return std::to_string(static_cast<uint64_t>(e.intValue)) + "u64";
    if (e.kind == ExprKind::IntLiteral)
      return std::to_string(e.intValue) + std::string(name(e.type.scalar));
    char bits[24];
    snprintf(bits, sizeof bits, "0x%0*llx", bitWidth(e.type.scalar) / 4,
             static_cast<unsigned long long>(e.bits));
    return (e.text.empty() ? bits : e.text + "{" + bits + "}") + std::string(name(e.type.scalar));
  }

  std::string unary(const Expr& e) const {
    static constexpr std::array<std::string_view, 3> symbols = {"-", "!", "~"};
    return std::string(symbols[static_cast<size_t>(e.unary)]) + expr(e.args[0]);
  }

  std::string infix(const Expr& e, std::string_view symbolText) const {
    return "(" + expr(e.args[0]) + " " + std::string(symbolText) + " " + expr(e.args[1]) + ")";
  }

  std::string expr(ExprId id) const {
    const Expr& e = m_function[id];
    switch (e.kind) {
    case ExprKind::IntLiteral:
    case ExprKind::FloatLiteral:
    case ExprKind::BoolLiteral: return literal(e);
    case ExprKind::Local: return localName(e.local);
    case ExprKind::Builtin: return e.text;
    case ExprKind::Unary: return unary(e);
    case ExprKind::Binary: return infix(e, symbol(e.binary));
    case ExprKind::LogicalAnd: return infix(e, "&&");
    case ExprKind::LogicalOr: return infix(e, "||");
    case ExprKind::PointerAdd: return infix(e, "+");
    case ExprKind::Conditional:
      return "(" + expr(e.args[0]) + " ? " + expr(e.args[1]) + " : " + expr(e.args[2]) + ")";
    case ExprKind::Cast: return toString(e.type) + list(e.args);
    case ExprKind::Load: return "*" + expr(e.args[0]) + laneName(m_function[e.args[0]].type, e.intValue);
    case ExprKind::Array: return arrayName(e.array);
    case ExprKind::PointerCast: return toString(e.type) + list(e.args);
    case ExprKind::Intrinsic: return e.text + list(e.args);
    case ExprKind::Call: return m_module.functions[static_cast<size_t>(e.callee)].name + list(e.args);
    }
    return {};
  }

  void line(int depth, const std::string& text) {
    m_text.append(static_cast<size_t>(depth) * 2, ' ').append(text).push_back('\n');
  }

  void body(const std::vector<StmtId>& statements, int depth) {
    for (StmtId id : statements)
      statement(m_function[id], depth);
  }

  void statement(const Stmt& s, int depth) {
    switch (s.kind) {
    case StmtKind::Assign: return line(depth, localName(s.local) + " = " + expr(s.value));
    case StmtKind::Store:
      return line(depth, "*" + expr(s.pointer) + laneName(m_function[s.pointer].type, s.lane) + " = " +
                             expr(s.value));
    case StmtKind::Return: return line(depth, s.value == ExprId::None ? "return" : "return " + expr(s.value));
    case StmtKind::Eval: return line(depth, expr(s.value));
    case StmtKind::If: return branch(s, depth);
    case StmtKind::Declare:
      return line(depth, "declare " + (s.array >= 0 ? arrayName(s.array) : localName(s.local)));
    case StmtKind::Loop: return loop(s, depth);
    case StmtKind::Block: line(depth, "block"); return body(s.thenBody, depth + 1);
    case StmtKind::Break: return line(depth, "break" + level(s));
    case StmtKind::Continue: return line(depth, "continue" + level(s));
    case StmtKind::Barrier:
      return line(depth, std::string(name(s.sync)) + (s.args.empty() ? std::string() : list(s.args)));
    case StmtKind::Collective:
      return line(depth, localName(s.local) + " = " + std::string(name(s.sync)) + list(s.args));
    case StmtKind::Atomic: return atomic(s, depth);
    case StmtKind::Fence: return line(depth, "fence " + s.text);
    }
  }

  static std::string level(const Stmt& s) { return s.level == 0 ? "" : " " + std::to_string(s.level); }

  void branch(const Stmt& s, int depth) {
    line(depth, "if " + expr(s.condition));
    body(s.thenBody, depth + 1);
    if (s.elseBody.empty())
      return;
    line(depth, "else");
    body(s.elseBody, depth + 1);
  }

  void loop(const Stmt& s, int depth) {
    const std::string condition = s.condition == ExprId::None ? "true" : expr(s.condition);
    line(depth, (s.testAfter ? "do while " : "while ") + condition);
    body(s.thenBody, depth + 1);
    if (s.elseBody.empty())
      return;
    line(depth, "step");
    body(s.elseBody, depth + 1);
  }

  void atomic(const Stmt& s, int depth) {
    std::string text = std::string(name(s.sync)) + "(" + expr(s.pointer);
    for (ExprId arg : s.args)
      text += ", " + expr(arg);
    text += ", " + expr(s.value) + ")";
    line(depth, s.local < 0 ? text : localName(s.local) + " = " + text);
  }

  const Function& m_function;
  const Module& m_module;
  std::string m_text;
};

} // namespace

std::string print(const Function& function, const Module& module) {
  return Printer(function, module).run();
}

} // namespace plumbline::ir
