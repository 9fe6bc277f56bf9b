#include "core/ir/bytecode.h"

#include <algorithm>

namespace plumbline::ir::bytecode {
namespace {

constexpr size_t kLongestCode = 1'000'000;

/// Compiles one function. Temporaries are a stack above the locals; an expression leaves its value in one
/// register.
class FunctionCompiler {
public:
  FunctionCompiler(const Function& function, Program& program, FunctionCode& out)
      : m_function(function), m_program(program), m_out(out), m_exprPlaces(function.exprs.size(), -1) {}

  bool run() {
    m_out.parameterCount = m_function.parameterCount;
    m_out.localCount = static_cast<int32_t>(m_function.locals.size());
    m_top = m_out.localCount;
    m_out.frameSize = m_top;
    body(m_function.body);
    m_place = addPlace(closingBrace());
    emit({.op = m_function.returnType == Type{} ? Op::Return : Op::MissingReturn});
    return m_out.code.size() <= kLongestCode;
  }

private:
  /// Where a thread is that comes to the end of the function.
  SourceRange closingBrace() const {
    SourceRange end = m_function.where;
    if (end.known() && end.endLine > 0 && end.endColumn > 1) {
      end.line = end.endLine;
      end.column = end.endColumn - 1;
    }
    return end;
  }

  size_t emit(Instruction instruction) {
    instruction.place = m_place;
    if (m_out.code.size() <= kLongestCode)
      m_out.code.push_back(instruction);
    return m_out.code.size() - 1;
  }

  int32_t addPlace(const SourceRange& where) {
    m_program.places.push_back(where);
    return static_cast<int32_t>(m_program.places.size()) - 1;
  }

  /// A node that several others share is compiled for each of them, but has one place.
  int32_t placeOf(const Expr& e) {
    int32_t& place = m_exprPlaces[static_cast<size_t>(&e - m_function.exprs.data())];
    if (place < 0)
      place = addPlace(e.where);
    return place;
  }

  int32_t newRegister() {
    m_out.frameSize = std::max(m_out.frameSize, m_top + 1);
    return m_top++;
  }

  int32_t here() const { return static_cast<int32_t>(m_out.code.size()); }

  bool full() const { return m_out.code.size() > kLongestCode; }

  // ---- statements

  void body(const std::vector<StmtId>& statements) {
    for (StmtId id : statements) {
      const int32_t top = m_top;
      statement(m_function[id]);
      m_top = top;
    }
  }

  void statement(const Stmt& stmt) {
    switch (stmt.kind) {
    case StmtKind::Assign: {
      const int32_t value = expr(stmt.value);
      m_place = addPlace(stmt.where);
      emit({.op = Op::Copy, .dst = stmt.local, .a = value});
      return;
    }
    case StmtKind::Store: {
      const int32_t pointer = expr(stmt.pointer);
      const int32_t value = expr(stmt.value);
      m_place = addPlace(stmt.where);
      emit(access(Op::Store, m_function[stmt.pointer].type, pointer, value, stmt.lane));
      return;
    }
    case StmtKind::Return: {
      const int32_t value = stmt.value == ExprId::None ? -1 : expr(stmt.value);
      m_place = addPlace(stmt.where);
      emit({.op = Op::Return, .a = value});
      return;
    }
    case StmtKind::Eval: expr(stmt.value); return;
    case StmtKind::If: branch(stmt); return;
    case StmtKind::Declare:
      m_place = addPlace(stmt.where);
      emit({.op = Op::Declare, .a = stmt.local, .b = stmt.array});
      return;
    case StmtKind::Loop: loop(stmt); return;
    case StmtKind::Block: block(stmt); return;
    case StmtKind::Break:
    case StmtKind::Continue: jump(stmt); return;
    case StmtKind::Barrier:
    case StmtKind::Collective: meet(stmt); return;
    case StmtKind::Atomic: atomic(stmt); return;
    case StmtKind::Fence: return; // orders no two accesses by itself, and nothing here is reordered
    }
  }

  /// A load or a store through a pointer of the given type.
  static Instruction access(Op op, const Type& pointer, int32_t address, int32_t value, int64_t lane) {
    Instruction made{.op = op, .type = pointer.scalar, .a = address};
    (op == Op::Store ? made.dst : made.b) = byteAlignment(pointer);
    if (op == Op::Store)
      made.b = value;
    made.c = static_cast<int32_t>(lane) * byteSize(pointer.scalar);
    return made;
  }

  // ---- loops and blocks

  /// Jumps out of, or to the step of, a loop or block: to be given their targets at its end.
  struct Enclosing {
    std::vector<size_t> breaks;
    std::vector<size_t> continues;
  };

  void land(const std::vector<size_t>& jumps) {
    for (size_t at : jumps)
      m_out.code[at].a = here();
  }

  void loop(const Stmt& stmt) {
    const int32_t top = here();
    size_t leave = SIZE_MAX;
    if (!stmt.testAfter)
      leave = test(stmt);
    m_enclosing.emplace_back();
    body(stmt.thenBody);
    land(m_enclosing.back().continues);
    body(stmt.elseBody);
    if (stmt.testAfter)
      leave = test(stmt);
    m_place = addPlace(stmt.where);
    emit({.op = Op::LoopBack, .a = top});
    if (leave != SIZE_MAX)
      m_out.code[leave].b = here();
    leaveEnclosing();
  }

  /// The jump out of a loop whose condition is false; SIZE_MAX when it has none.
  size_t test(const Stmt& stmt) {
    if (stmt.condition == ExprId::None)
      return SIZE_MAX;
    const int32_t top = m_top;
    const int32_t condition = expr(stmt.condition);
    m_top = top;
    m_place = addPlace(stmt.where);
    return emit({.op = Op::JumpIfFalse, .a = condition});
  }

  void block(const Stmt& stmt) {
    m_enclosing.emplace_back();
    body(stmt.thenBody);
    leaveEnclosing();
  }

  void leaveEnclosing() {
    land(m_enclosing.back().breaks);
    m_enclosing.pop_back();
  }

  void jump(const Stmt& stmt) {
    Enclosing& target = m_enclosing[m_enclosing.size() - 1 - static_cast<size_t>(stmt.level)];
    m_place = addPlace(stmt.where);
    const size_t at = emit({.op = Op::Jump});
    (stmt.kind == StmtKind::Break ? target.breaks : target.continues).push_back(at);
  }

  // ---- meeting points and atomic operations

  void meet(const Stmt& stmt) {
    Instruction made{.op = Op::Meet, .sub = static_cast<uint8_t>(stmt.sync), .dst = stmt.local};
    if (stmt.local >= 0)
      made.type = m_function.locals[static_cast<size_t>(stmt.local)].type.scalar;
    made.a = window(stmt.args);
    made.b = static_cast<int32_t>(stmt.args.size());
    m_place = addPlace(stmt.where);
    emit(made);
    m_program.meets = true;
    m_program.meetsInWarps |= !isBlockBarrier(stmt.sync);
  }

  void atomic(const Stmt& stmt) {
    Instruction made{.op = Op::Atomic,
                     .type = m_function[stmt.value].type.scalar,
                     .sub = static_cast<uint8_t>(stmt.sync),
                     .dst = stmt.local};
    made.a = expr(stmt.pointer);
    made.b = expr(stmt.value);
    if (!stmt.args.empty())
      made.c = expr(stmt.args[0]);
    m_place = addPlace(stmt.where);
    emit(made);
    m_program.shares = true;
  }

  void branch(const Stmt& stmt) {
    const int32_t condition = expr(stmt.condition);
    m_place = addPlace(stmt.where);
    const size_t skipThen = emit({.op = Op::JumpIfFalse, .a = condition});
    body(stmt.thenBody);
    if (stmt.elseBody.empty()) {
      m_out.code[skipThen].b = here();
      return;
    }
    const size_t skipElse = emit({.op = Op::Jump});
    m_out.code[skipThen].b = here();
    body(stmt.elseBody);
    m_out.code[skipElse].a = here();
  }

  // ---- expressions

  int32_t expr(ExprId id) {
    const Expr& e = m_function[id];
    if (full())
      return 0;
    switch (e.kind) {
    case ExprKind::Local: return local(e);
    case ExprKind::PointerCast: return expr(e.args[0]); // an address is bytes
    case ExprKind::Load: return load(e);
    case ExprKind::Conditional: return conditional(e);
    case ExprKind::LogicalAnd:
    case ExprKind::LogicalOr: return shortCircuit(e);
    case ExprKind::Intrinsic: return intrinsic(e);
    case ExprKind::Call: return call(e);
    default: return simple(e);
    }
  }

  int32_t local(const Expr& e) {
    if (e.local >= m_function.parameterCount) {
      m_place = placeOf(e);
      emit({.op = Op::CheckDefined, .a = e.local});
    }
    return e.local;
  }

  /// Nodes whose arguments are all evaluated, left to right, into one instruction.
  int32_t simple(const Expr& e) {
    const int32_t top = m_top;
    Instruction made = operation(e);
    if (!e.args.empty())
      made.a = expr(e.args[0]);
    if (e.args.size() > 1)
      made.b = expr(e.args[1]);
    return finish(e, made, top);
  }

  int32_t load(const Expr& e) {
    const int32_t top = m_top;
    const int32_t address = expr(e.args[0]);
    return finish(e, access(Op::Load, m_function[e.args[0]].type, address, -1, e.intValue), top);
  }

  int32_t finish(const Expr& e, Instruction made, int32_t top) {
    m_top = top;
    made.dst = newRegister();
    m_place = placeOf(e);
    emit(made);
    return made.dst;
  }

  ScalarType argScalar(const Expr& e, size_t i) const { return m_function[e.args[i]].type.scalar; }

  Instruction operation(const Expr& e) {
    Instruction made{.type = e.type.scalar};
    if (!e.args.empty())
      made.from = argScalar(e, 0);
    switch (e.kind) {
    case ExprKind::Builtin:
      made.op = Op::Builtin;
      made.a = builtinIndex(e.text);
      return made;
    case ExprKind::Unary:
      made.op =
          e.unary == UnaryOp::Neg ? Op::Negate : (e.unary == UnaryOp::BitNot ? Op::BitNot : Op::LogicalNot);
      return made;
    case ExprKind::Binary: return binary(e);
    case ExprKind::Cast: made.op = Op::Cast; return made;
    case ExprKind::PointerAdd:
      made.op = Op::PointerAdd;
      made.from = argScalar(e, 1);
      made.c = byteSize(e.type);
      return made;
    case ExprKind::Array:
      made.op = Op::Array;
      made.a = e.array;
      return made;
    default:
      made.op = Op::Constant;
      m_program.constants.push_back({e.type.scalar, e.intValue, e.bits, e.text});
      made.a = static_cast<int32_t>(m_program.constants.size()) - 1;
      return made;
    }
  }

  Instruction binary(const Expr& e) const {
    const ScalarType operand = argScalar(e, 0);
    Instruction made{
        .op = Op::IntBinary, .type = operand, .from = argScalar(e, 1), .sub = static_cast<uint8_t>(e.binary)};
    if (!isFloat(operand))
      return made;
    if (e.binary >= BinaryOp::Lt) {
      made.op = Op::FloatCompare;
      return made;
    }
    static constexpr std::array<Meaning, 4> meanings = {Meaning::Add, Meaning::Sub, Meaning::Mul,
                                                        Meaning::Div};
    made.op = Op::Arithmetic;
    made.sub = static_cast<uint8_t>(meanings[static_cast<size_t>(e.binary)]);
    return made;
  }

  int32_t conditional(const Expr& e) {
    const int32_t dst = newRegister();
    const int32_t top = m_top;
    const int32_t condition = expr(e.args[0]);
    m_place = placeOf(e);
    const size_t skipThen = emit({.op = Op::JumpIfFalse, .a = condition});
    copyInto(dst, e.args[1], top);
    const size_t skipElse = emit({.op = Op::Jump});
    m_out.code[skipThen].b = here();
    copyInto(dst, e.args[2], top);
    m_out.code[skipElse].a = here();
    return dst;
  }

  void copyInto(int32_t dst, ExprId id, int32_t top) {
    m_top = top;
    const int32_t value = expr(id);
    emit({.op = Op::Copy, .dst = dst, .a = value});
    m_top = top;
  }

  int32_t shortCircuit(const Expr& e) {
    const int32_t dst = newRegister();
    const int32_t top = m_top;
    copyInto(dst, e.args[0], top);
    const size_t skip =
        emit({.op = e.kind == ExprKind::LogicalAnd ? Op::JumpIfFalse : Op::JumpIfTrue, .a = dst});
    copyInto(dst, e.args[1], top);
    m_out.code[skip].b = here();
    return dst;
  }

  int32_t intrinsic(const Expr& e) {
    const Intrinsic& row = *findIntrinsic(e.text);
    const int32_t top = m_top;
    if (row.meaning == Meaning::Opaque)
      return opaque(e, top);
    Instruction made{.op = Op::Arithmetic,
                     .type = e.type.scalar,
                     .from = row.arguments[0],
                     .sub = static_cast<uint8_t>(row.meaning)};
    if (row.meaning == Meaning::IsNan)
      made.op = Op::IsNan;
    if (row.meaning >= Meaning::SignBit)
      made.op = Op::FloatBits;
    if (row.meaning == Meaning::IntMax || row.meaning == Meaning::IntMin || row.meaning == Meaning::IntAbs)
      made.op = Op::IntFunction;
    std::array<int32_t*, 3> slots = {&made.a, &made.b, &made.c};
    for (size_t i = 0; i < e.args.size(); ++i)
      *slots[i] = expr(e.args[i]);
    return finish(e, made, top);
  }

  /// Evaluates the arguments into consecutive registers from the present top.
  int32_t window(const std::vector<ExprId>& args) {
    const int32_t base = m_top;
    for (size_t i = 0; i < args.size(); ++i)
      newRegister();
    const int32_t above = m_top;
    for (size_t i = 0; i < args.size(); ++i)
      copyInto(base + static_cast<int32_t>(i), args[i], above);
    return base;
  }

  int32_t opaque(const Expr& e, int32_t top) {
    Instruction made{.op = Op::Opaque, .type = e.type.scalar, .from = argScalar(e, 0)};
    made.a = window(e.args);
    made.b = static_cast<int32_t>(e.args.size());
    m_program.spellings.push_back(e.text);
    made.c = static_cast<int32_t>(m_program.spellings.size()) - 1;
    return finish(e, made, top);
  }

  int32_t call(const Expr& e) {
    const int32_t top = m_top;
    Instruction made{.op = Op::Call, .type = e.type.scalar};
    made.a = window(e.args);
    made.b = e.callee;
    return finish(e, made, top);
  }

  const Function& m_function;
  Program& m_program;
  FunctionCode& m_out;
  std::vector<int32_t> m_exprPlaces;
  std::vector<Enclosing> m_enclosing; ///< innermost last
  int32_t m_top = 0;
  int32_t m_place = -1;
};

/// Compiles the function and what it calls. The call graph has no cycle.
bool compileReachable(const Module& module, int index, Program& program) {
  FunctionCode& out = program.functions[static_cast<size_t>(index)];
  if (!out.code.empty())
    return true;
  if (!FunctionCompiler(module.functions[static_cast<size_t>(index)], program, out).run())
    return false;
  out.stackSize = out.frameSize;
  for (const Instruction& instruction : out.code) {
    if (instruction.op != Op::Call)
      continue;
    if (!compileReachable(module, instruction.b, program))
      return false;
    const FunctionCode& callee = program.functions[static_cast<size_t>(instruction.b)];
    out.stackSize = std::max(out.stackSize, instruction.a + callee.stackSize);
  }
  return true;
}

/// Bytes of the smallest access of the program when it casts pointers, else 0.
int32_t smallestCastAccess(const Module& module, const Program& program) {
  bool casts = false;
  int32_t smallest = INT32_MAX;
  for (size_t i = 0; i < program.functions.size(); ++i) {
    if (program.functions[i].code.empty())
      continue;
    for (const Expr& e : module.functions[i].exprs)
      casts |= e.kind == ExprKind::PointerCast;
    for (const Instruction& instruction : program.functions[i].code)
      if (instruction.op == Op::Load || instruction.op == Op::Store || instruction.op == Op::Atomic)
        smallest = std::min(smallest, std::max(1, byteSize(instruction.type)));
  }
  return casts && smallest != INT32_MAX ? smallest : 0;
}

} // namespace

int builtinIndex(std::string_view text) {
  if (text == "warpSize")
    return 12;
  static constexpr std::array<std::string_view, 4> groups = {"threadIdx.", "blockIdx.", "blockDim.",
                                                             "gridDim."};
  for (size_t i = 0; i < groups.size(); ++i)
    if (text.starts_with(groups[i]))
      return static_cast<int>(i) * 3 + (text.back() - 'x');
  return -1;
}

Expected<Program> compile(const Module& module, int function) {
  Program program;
  program.functions.resize(module.functions.size());
  program.entry = function;
  if (!compileReachable(module, function, program))
    return fail(ErrorKind::Rejected, "kernel-too-large", "the kernel unfolds to more than a million steps",
                "split it into smaller kernels");
  const Function& entry = module.functions[static_cast<size_t>(function)];
  program.parameters.assign(entry.locals.begin(), entry.locals.begin() + entry.parameterCount);
  program.arrays = entry.arrays;
  for (const ArrayVariable& array : program.arrays)
    program.shares |= array.space == ArraySpace::Shared;
  program.smallestCastAccess = smallestCastAccess(module, program);
  return program;
}

} // namespace plumbline::ir::bytecode
