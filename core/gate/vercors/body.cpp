#include "core/gate/vercors/body.h"

#include "core/gate/vercors/names.h"
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
  Writer(const ir::Module& module, const ir::Function& function, bool isKernel, std::set<int>& callees,
         const BodyNotes* notes)
      : m_module(module), m_function(function), m_isKernel(isKernel), m_notes(notes),
        m_names(bodyNames(function)), m_bases(pointerBases(function)), m_callees(callees) {}

  std::string run() {
    const std::vector<std::string> given = localNames(m_function);
    m_text = (m_isKernel ? "__global__ " : "") + typeName(m_function.returnType, m_function.where) + " " +
             plainName(m_function.name) + "(";
    for (size_t i = 0; i < parameters(); ++i)
      m_text += (i > 0 ? ", " : "") + declared(i, given[i]);
    m_text += ") {\n";
    for (const ir::ArrayVariable& array : m_function.arrays)
      declare(array);
    for (size_t i = 0; i < m_function.locals.size(); ++i)
      if (i >= parameters())
        line(1, declared(i, m_names[i]) + ";");
      else if (m_names[i] != given[i])
        copy(i, given[i]);
    body(m_function.body, 1);
    return m_text + "}\n";
  }

private:
  size_t parameters() const { return static_cast<size_t>(m_function.parameterCount); }

  /// Pointer variables are offsets into the one array that they point into.
  std::string declared(size_t local, const std::string& name) const {
    const ir::Local& made = m_function.locals[local];
    const bool isOffset = made.type.pointer && local >= parameters();
    return (isOffset ? "int" : typeName(made.type, made.where)) + " " + name;
  }

  void copy(size_t parameter, const std::string& given) {
    const ir::Local& made = m_function.locals[parameter];
    if (made.type.pointer)
      refuse("vercors-pointer", "the parameter '" + made.name + "', which is moved", made.where);
    line(1, declared(parameter, m_names[parameter]) + ";");
    line(1, m_names[parameter] + " = " + given + ";");
  }

  void declare(const ir::ArrayVariable& array) {
    if (array.space != ir::ArraySpace::Shared)
      refuse("vercors-array",
             std::string(array.space == ir::ArraySpace::Thread ? "the array '" : "the constant array '") +
                 array.name + "', which is no array of a block",
             array.where);
    if (array.extents.size() > 1)
      refuse("vercors-array", "the shared array '" + array.name + "' of more than one dimension",
             array.where);
    const std::string name =
        m_names[m_function.locals.size() + static_cast<size_t>(&array - m_function.arrays.data())];
    const std::string type = typeName({array.element, false, 1}, array.where);
    if (array.length() < 0)
      line(1, "extern __shared__ " + type + " " + name + "[];");
    else
      line(1, "__shared__ " + type + " " + name + "[" + std::to_string(array.length()) + "];");
  }

  void line(int depth, const std::string& text) {
    m_text.append(static_cast<size_t>(depth) * 2, ' ').append(text).push_back('\n');
  }

  void body(const std::vector<StmtId>& statements, int depth) {
    for (const StmtId id : statements)
      statement(id, depth);
  }

  void statement(StmtId id, int depth) {
    const Stmt& s = m_function[id];
    switch (s.kind) {
    case StmtKind::Assign: return assign(s, depth);
    case StmtKind::Store: return line(depth, cell(s.pointer) + " = " + expr(s.value) + ";");
    case StmtKind::Return:
      return line(depth, s.value == ExprId::None ? "return;" : "return " + expr(s.value) + ";");
    case StmtKind::Eval: return line(depth, expr(s.value) + ";");
    case StmtKind::If: return branch(s, depth);
    case StmtKind::Declare: return; // all are declared at the start
    case StmtKind::Loop: return loop(id, s, depth);
    case StmtKind::Barrier:
      if (s.sync != ir::SyncOp::BlockBarrier)
        unsupported(s);
      annotation(id, depth);
      return line(depth, "__syncthreads();");
    case StmtKind::Break:
    case StmtKind::Continue:
      if (s.level > 0)
        unsupported(s);
      return line(depth, s.kind == StmtKind::Break ? "break;" : "continue;");
    default: unsupported(s);
    }
  }

  void annotation(StmtId id, int depth) {
    if (m_notes != nullptr)
      if (const auto found = m_notes->statements.find(id);
          found != m_notes->statements.end() && !found->second.empty())
        m_text += annotationText(found->second, depth);
  }

  void assign(const Stmt& s, int depth) {
    const auto local = static_cast<size_t>(s.local);
    line(depth, assignment(local, s.value) + ";");
  }

  std::string assignment(size_t local, ExprId value) const {
    return m_names[local] + " = " + (m_function.locals[local].type.pointer ? offset(value) : expr(value));
  }

  /// `continue` has to go on with the step, which then stands in the head of a `for`.
  void loop(StmtId id, const Stmt& s, int depth) {
    if (!m_isKernel)
      refuse("vercors-loop", "a loop of a device function", s.where);
    if (s.testAfter)
      refuse("vercors-loop", "a loop whose condition is tested at its end: no invariant can stand there",
             s.where);
    annotation(id, depth);
    const std::string condition = s.condition == ExprId::None ? "(1 == 1)" : expr(s.condition);
    const bool hasContinue = continues(s.thenBody, 0);
    if (hasContinue && (s.elseBody.size() > 1 ||
                        (s.elseBody.size() == 1 && m_function[s.elseBody[0]].kind != StmtKind::Assign)))
      refuse("vercors-jump", "`continue` in a loop whose step is no single assignment", s.where);
    if (hasContinue && s.elseBody.size() == 1) {
      const Stmt& step = m_function[s.elseBody[0]];
      line(depth,
           "for (; " + condition + "; " + assignment(static_cast<size_t>(step.local), step.value) + ") {");
      body(s.thenBody, depth + 1);
    } else {
      line(depth, "while (" + condition + ") {");
      body(s.thenBody, depth + 1);
      body(s.elseBody, depth + 1);
    }
    line(depth, "}");
  }

  bool continues(const std::vector<StmtId>& statements, int depth) const {
    return std::ranges::any_of(statements, [&](StmtId id) {
      const Stmt& s = m_function[id];
      const int inner = depth + (s.kind == StmtKind::Loop || s.kind == StmtKind::Block ? 1 : 0);
      return (s.kind == StmtKind::Continue && s.level == depth) || continues(s.thenBody, inner) ||
             continues(s.elseBody, inner);
    });
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
    case StmtKind::Barrier:
      if (ir::isBlockBarrier(s.sync))
        refuse("vercors-barrier", "a barrier that also combines values", s.where);
      refuse("vercors-warp", "a barrier of a warp", s.where);
    case StmtKind::Collective: refuse("vercors-warp", "an operation of a warp", s.where);
    case StmtKind::Atomic: refuse("vercors-atomic", "an atomic operation", s.where);
    case StmtKind::Fence: refuse("vercors-fence", "a memory fence", s.where);
    default: refuse("vercors-jump", "a jump out of a block of statements", s.where);
    }
  }

  /// "x[i]" of a pointer expression.
  std::string cell(ExprId id) const {
    const int object = baseOf(m_function, id, m_bases);
    const std::string at = offset(id);
    return m_names[static_cast<size_t>(object)] + "[" + at + "]";
  }

  /// Of a pointer expression, in its array.
  std::string offset(ExprId id) const {
    const Expr& pointer = m_function[id];
    if (pointer.type.lanes != 1)
      refuse("vercors-vector", "a vector access", pointer.where);
    if (pointer.kind == ExprKind::PointerAdd) {
      const std::string before = offset(pointer.args[0]);
      return before == "0" ? expr(pointer.args[1]) : "(" + before + " + " + expr(pointer.args[1]) + ")";
    }
    const bool isVariable =
        pointer.kind == ExprKind::Local && static_cast<size_t>(pointer.local) >= parameters();
    if (!isVariable && pointer.kind != ExprKind::Local && pointer.kind != ExprKind::Array)
      refuse("vercors-pointer", "a pointer that is no array with an index", pointer.where);
    return isVariable ? m_names[static_cast<size_t>(pointer.local)] : "0";
  }

  std::string literal(const Expr& e) const {
    if (e.kind == ExprKind::BoolLiteral)
      return e.intValue != 0 ? "1" : "0";
    if (e.kind == ExprKind::IntLiteral)
      return e.type.scalar == ScalarType::U64 ? std::to_string(static_cast<uint64_t>(e.intValue))
                                              : std::to_string(e.intValue);
    const std::optional<std::string> number = decimal(e.text);
    if (!number)
      refuse("vercors-float", "the constant '" + e.text + "', which is no decimal fraction", e.where);
    return *number + (e.type.scalar == ScalarType::F32 ? "f" : "");
  }

  /// "12.5", ".5", "3.4e38" without an exponent.
  static std::optional<std::string> decimal(const std::string& text) {
    const size_t mark = text.find_first_of("eE");
    std::string digits = text.substr(0, mark);
    int64_t exponent = 0;
    if (mark != std::string::npos) {
      const std::string power = text.substr(mark + 1);
      const size_t start = power.starts_with('-') || power.starts_with('+') ? 1 : 0;
      if (power.size() == start || power.size() > start + 3 ||
          power.find_first_not_of("0123456789", start) != std::string::npos)
        return std::nullopt;
      exponent = std::stoll(power);
    }
    size_t point = digits.find('.');
    if (point == std::string::npos)
      point = digits.size();
    else
      digits.erase(point, 1);
    if (digits.empty() || digits.find_first_not_of("0123456789") != std::string::npos)
      return std::nullopt;
    int64_t before = static_cast<int64_t>(point) + exponent;
    if (before < 1) {
      digits.insert(0, static_cast<size_t>(1 - before), '0');
      before = 1;
    }
    if (static_cast<int64_t>(digits.size()) < before + 1)
      digits.append(static_cast<size_t>(before + 1) - digits.size(), '0');
    digits.insert(static_cast<size_t>(before), 1, '.');
    const size_t first = std::min(digits.find_first_not_of('0'), digits.find('.') - 1);
    return digits.substr(first);
  }

  std::string unary(const Expr& e) const {
    if (e.unary == ir::UnaryOp::BitNot)
      refuse("vercors-bit-operation", "the operator ~", e.where);
    return std::string(e.unary == ir::UnaryOp::Neg ? "-" : "!") + expr(e.args[0]);
  }

  std::string infix(const Expr& e, std::string_view text) const {
    return "(" + expr(e.args[0]) + " " + std::string(text) + " " + expr(e.args[1]) + ")";
  }

  /// Shifts by a constant, and masks of low bits, of a number that is not negative.
  std::string bits(ExprId id, const Expr& e) const {
    const Expr& right = m_function[e.args[1]];
    const bool isMask = e.binary == ir::BinaryOp::BitAnd;
    const bool low = isMask ? (right.intValue & (right.intValue + 1)) == 0 && right.intValue < INT32_MAX
                            : right.intValue <= 30;
    const bool exact = m_notes != nullptr ? m_notes->bitExprs.contains(static_cast<int>(id))
                                          : m_isKernel || !isSigned(e.type.scalar);
    if (right.kind != ExprKind::IntLiteral || right.intValue < 0 || !low || !exact)
      refuse("vercors-bit-operation", "an operator on bits", e.where);
    const int64_t number = isMask ? right.intValue + 1 : int64_t{1} << right.intValue;
    const char* symbol = isMask ? " % " : e.binary == ir::BinaryOp::Shl ? " * " : " / ";
    return "(" + expr(e.args[0]) + symbol + std::to_string(number) + ")";
  }

  std::string binary(ExprId id, const Expr& e) const {
    switch (e.binary) {
    case ir::BinaryOp::Shl:
    case ir::BinaryOp::Shr:
    case ir::BinaryOp::BitAnd: return bits(id, e);
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
    const ir::Meaning meaning = row != nullptr ? row->meaning : ir::Meaning::Opaque;
    // The numbers that VerCors has are rational: without NaN, fmaxf is a choice.
    const bool isMax =
        meaning == ir::Meaning::IntMax || meaning == ir::Meaning::PtxMax || meaning == ir::Meaning::StdMax;
    if (isMax || meaning == ir::Meaning::IntMin || meaning == ir::Meaning::PtxMin ||
        meaning == ir::Meaning::StdMin) {
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
    case ExprKind::Binary: return binary(id, e);
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
  bool m_isKernel;
  const BodyNotes* m_notes;
  std::vector<std::string> m_names;
  std::vector<int> m_bases;
  std::set<int>& m_callees;
  std::string m_text;
};

} // namespace

std::string functionText(const ir::Module& module, const ir::Function& function, bool isKernel,
                         std::set<int>& callees, const BodyNotes* notes) {
  return Writer(module, function, isKernel, callees, notes).run();
}

std::string annotationText(const Clauses& clauses, int depth) {
  const std::string indent(static_cast<size_t>(depth) * 2, ' ');
  std::string text = indent + "/*@\n";
  for (const std::string& clause : clauses)
    text += indent + "  " + clause + ";\n";
  return text + indent + "@*/\n";
}

} // namespace plumbline::gate::vercors
