// Kernel IR: the typed thread program made from the instantiated Clang AST. Every node has its source range.
// What one thread does; the launch contract (launch.h) says how many threads there are.
// JSON form: resources/schema/kernel.schema.json.
#pragma once

#include "core/base/json.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::ir {

enum class ScalarType : uint8_t { Void, Bool, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, F16, BF16 };

std::string_view name(ScalarType type); ///< "void", "bool", "i8", ... "f64", "f16", "bf16"
std::optional<ScalarType> scalarTypeFromName(std::string_view name);
bool isInteger(ScalarType type); ///< I8..U64 (not Bool)
bool isSigned(ScalarType type);  ///< I8, I16, I32, I64
bool isFloat(ScalarType type);   ///< F32, F64: what can be computed with
/// F16 (IEEE binary16) and BF16 (binary32's exponent, 7 bits of mantissa): loaded, stored, copied, and
/// converted from and to F32 and F64, nothing else.
constexpr bool isSixteenBitFloat(ScalarType type) {
  return type == ScalarType::F16 || type == ScalarType::BF16;
}
constexpr bool isAnyFloat(ScalarType type) {
  return type >= ScalarType::F32;
}
int bitWidth(ScalarType type); ///< 1 for Bool, 0 for Void

struct Type {
  ScalarType scalar = ScalarType::Void;
  bool pointer = false; ///< pointer to `lanes` consecutive values of type `scalar`
  uint8_t lanes = 1;    ///< of a pointer: 1, or 2, 3, 4 for float2, int4, ...; vectors are never values
  bool operator==(const Type&) const = default;
};

std::string toString(const Type& type); ///< "f32", "f32*", "f32x4*"
std::optional<Type> typeFromString(std::string_view text);
int byteSize(ScalarType type);          ///< in memory: 1 for Bool, 0 for Void
int byteSize(const Type& pointer);      ///< of what it points to
int byteAlignment(const Type& pointer); ///< that CUDA asks of what it points to: float4 16, float3 4

enum class ExprKind : uint8_t {
  IntLiteral,   ///< intValue, in the range of type
  FloatLiteral, ///< bits (of the type's format), text: as written without suffix ("0.01")
  BoolLiteral,  ///< intValue 0 or 1
  Local,        ///< local: variable or parameter
  Builtin,      ///< text: "threadIdx.x" ... "gridDim.z", "warpSize"; type U32 (warpSize: I32)
  Unary,        ///< op, args[0]
  Binary, ///< op, args[0..1]; both of one type after C's conversions, which are explicit casts. A shift's
          ///< count may be of another integer type; the result has the type of args[0]. Never narrower than
          ///< I32
  LogicalAnd,  ///< args[0..1], Bool, short-circuit
  LogicalOr,   ///< args[0..1], Bool, short-circuit
  Conditional, ///< args: condition (Bool), then, else; only the chosen branch is evaluated
  Cast, ///< args[0] to type: C++'s conversion (to Bool: != 0; float to integer: truncation; between floats:
        ///< to nearest, ties to even)
  PointerAdd,  ///< args: pointer, integer offset in units of what it points to
  Load,        ///< args[0]: pointer; intValue: the lane that is read. The address is aligned for all lanes
  Intrinsic,   ///< text: name from intrinsics.def ("fmaxf"); args
  Call,        ///< callee: index of a device function of the module; args
  Array,       ///< array: pointer to the first element of an array variable of this function
  PointerCast, ///< args[0]: pointer; the same address with another pointer type
};

enum class UnaryOp : uint8_t { Neg, LogicalNot, BitNot };
enum class BinaryOp : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Rem,
  Shl,
  Shr,
  BitAnd,
  BitOr,
  BitXor,
  Lt,
  Le,
  Gt,
  Ge,
  Eq,
  Ne
};

std::string_view name(ExprKind kind); ///< "int", "float", "bool", "local", "builtin", "unary", ... "pcast"
std::string_view name(UnaryOp op);    ///< "neg", "not", "bitnot"
std::string_view name(BinaryOp op);   ///< "add", ... "ne"
std::optional<ExprKind> exprKindFromName(std::string_view name);
std::optional<UnaryOp> unaryOpFromName(std::string_view name);
std::optional<BinaryOp> binaryOpFromName(std::string_view name);

enum class ExprId : int32_t { None = -1 };
enum class StmtId : int32_t { None = -1 };

struct Expr {
  ExprKind kind = ExprKind::IntLiteral;
  Type type = {};
  SourceRange where = {};
  std::vector<ExprId> args = {};
  UnaryOp unary = UnaryOp::Neg;
  BinaryOp binary = BinaryOp::Add;
  int64_t intValue = 0; ///< U64 literals above INT64_MAX are stored as their two's complement
  uint64_t bits = 0;
  std::string text = {};
  int local = -1;
  int callee = -1;
  int array = -1;
};

enum class StmtKind : uint8_t {
  Assign,  ///< local = value
  Store,   ///< *pointer = value; lane: the lane that is written. The address is aligned for all lanes
  If,      ///< condition, thenBody, elseBody
  Return,  ///< value or None
  Eval,    ///< value: a call evaluated for its effects
  Declare, ///< local or array: begins its life, without a value
  Loop,  ///< while (condition) { thenBody; elseBody }, where `continue` goes on with elseBody, the step. With
         ///< testAfter the condition is tested after them instead of before. Condition None: true
  Block, ///< thenBody, once; `break` leaves it
  Break, ///< leaves the level-th enclosing Loop or Block, counted from 0 at the innermost
  Continue,   ///< goes on with the step of the level-th enclosing Loop or Block, which is a Loop
  Barrier,    ///< op: BlockBarrier; WarpBarrier with args[0]: the U32 mask of the lanes that meet
  Collective, ///< local = op(args) over the lanes of a warp that meet here; args[0]: their U32 mask, except
              ///< of ActiveMask. A shuffle's args: mask, value, lane or delta or lane mask (I32), width
              ///< (I32). A vote's: mask, predicate (Bool)
  Atomic,     ///< local (or -1) = old value of *pointer, which becomes op(old, value); one step that no other
              ///< atomic operation interrupts, in no order with respect to other accesses. CompareExchange:
              ///< *pointer becomes value where it has the bits of args[0]
  Fence,      ///< a memory fence; text: "block", "device", "system"
};

/// What a Barrier, a Collective or an Atomic does.
enum class SyncOp : uint8_t {
  None,
  BlockBarrier,
  WarpBarrier,
  Shuffle,     ///< value of the given lane
  ShuffleUp,   ///< of the lane `delta` below
  ShuffleDown, ///< of the lane `delta` above
  ShuffleXor,
  VoteAny,
  VoteAll,
  Ballot,     ///< U32: the lanes whose predicate holds
  ActiveMask, ///< U32: some set of lanes that contains this one
  BlockCount, ///< barriers of the block that also combine a Bool, args[0]: how many hold (I32)
  BlockAnd,   ///< I32: whether all hold
  BlockOr,    ///< I32: whether one holds
  AtomicAdd,
  AtomicSub,
  AtomicMin,
  AtomicMax,
  AtomicAnd,
  AtomicOr,
  AtomicXor,
  AtomicExchange,
  AtomicCompareExchange,
  AtomicIncrement, ///< U32: old >= value ? 0 : old + 1
  AtomicDecrement, ///< U32: old == 0 || old > value ? value : old - 1
};

std::string_view name(StmtKind kind); ///< "assign", "store", "if", "return", "eval", "declare", ... "fence"
std::optional<StmtKind> stmtKindFromName(std::string_view name);
std::string_view name(SyncOp op); ///< "none", "barrier", "warp-barrier", "shuffle", ... "atomic-decrement"
std::optional<SyncOp> syncOpFromName(std::string_view name);
bool isBlockBarrier(SyncOp op); ///< BlockBarrier, BlockCount, BlockAnd, BlockOr: all threads of a block meet
bool isAtomic(SyncOp op);

struct Stmt {
  StmtKind kind = StmtKind::Eval;
  SourceRange where = {};
  int local = -1;
  ExprId pointer = ExprId::None;
  ExprId value = ExprId::None;
  ExprId condition = ExprId::None;
  std::vector<StmtId> thenBody = {};
  std::vector<StmtId> elseBody = {};
  int array = -1;
  int lane = 0;
  int level = 0;
  bool testAfter = false;
  SyncOp sync = SyncOp::None;
  std::vector<ExprId> args = {};
  std::string text = {};
};

struct Local {
  std::string name;
  Type type;
  SourceRange where;
};

/// Where an array variable lives.
enum class ArraySpace : uint8_t {
  Thread,   ///< one for each thread
  Shared,   ///< one for each block; without contents at its start
  Constant, ///< one, never written; `cells` are its contents
};
std::string_view name(ArraySpace space); ///< "thread", "shared", "constant"
std::optional<ArraySpace> arraySpaceFromName(std::string_view name);

/// An array variable of a kernel, flattened: row-major over its extents.
struct ArrayVariable {
  std::string name;
  ScalarType element = ScalarType::Void;
  ArraySpace space = ArraySpace::Thread;
  std::vector<int64_t> extents; ///< each at least 1; empty for the dynamic shared memory of a launch
  SourceRange where;
  std::vector<uint64_t> cells = {}; ///< Constant: bits of every element, two's complement for integers
  int64_t alignment = 0;            ///< bytes that its address is a multiple of; 0: the element's size

  /// Elements; -1 for dynamic shared memory, whose bytes the launch gives.
  int64_t length() const;
};

/// A kernel or a device function. Only kernels have arrays. The first `parameterCount` locals are its
/// parameters. A non-parameter local has no value until it is assigned.
struct Function {
  std::string name; ///< with template arguments: "scale<float>"
  Type returnType;
  SourceRange where;
  int parameterCount = 0;
  std::vector<Local> locals;
  std::vector<ArrayVariable> arrays;
  std::vector<Expr> exprs; ///< arena; children have smaller indices
  std::vector<Stmt> stmts; ///< arena
  std::vector<StmtId> body;

  const Expr& operator[](ExprId id) const { return exprs[static_cast<size_t>(id)]; }
  const Stmt& operator[](StmtId id) const { return stmts[static_cast<size_t>(id)]; }
};

/// One `__global__` function, instantiated.
struct Kernel {
  std::string name;
  int function = -1;                 ///< index into Module::functions; -1 when rejected
  int maxThreadsPerBlock = 0;        ///< from __launch_bounds__, 0: none
  std::vector<Rejection> rejections; ///< of everything reachable from it
};

/// What a `.cu` file (or the CUDA strings of a `.py`) contains.
struct Module {
  std::vector<Function> functions;
  std::vector<Kernel> kernels;
};

/// Uses something besides straight-line code, branches and calls: arrays, loops, barriers, lanes, atomics.
/// Names the first such construct ("loop", "shared-memory", ...), for layers that do not read it yet; nothing
/// when there is none. Calls are followed.
std::optional<Rejection> beyondScalarCode(const Module& module, int function);

/// Checks indices, types, arena order, that every statement stands in one place, that no function calls
/// itself, and that every node has a source range. Returns what is wrong, or nothing.
std::vector<std::string> verify(const Module& module);

Json toJson(const Module& module);
/// Errors: "kernel-json". The result has passed `verify`.
Expected<Module> moduleFromJson(const Json& json);

/// Readable text, one statement a line.
std::string print(const Function& function, const Module& module);

} // namespace plumbline::ir
