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

enum class ScalarType : uint8_t { Void, Bool, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64 };

std::string_view name(ScalarType type); ///< "void", "bool", "i8", ... "f64"
std::optional<ScalarType> scalarTypeFromName(std::string_view name);
bool isInteger(ScalarType type); ///< I8..U64 (not Bool)
bool isSigned(ScalarType type);  ///< I8, I16, I32, I64
bool isFloat(ScalarType type);   ///< F32, F64
int bitWidth(ScalarType type);   ///< 1 for Bool, 0 for Void

struct Type {
  ScalarType scalar = ScalarType::Void;
  bool pointer = false; ///< pointer to `scalar`
  bool operator==(const Type&) const = default;
};

std::string toString(const Type& type); ///< "f32", "f32*"
std::optional<Type> typeFromString(std::string_view text);

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
  Cast,        ///< args[0] to type: C++'s conversion (to Bool: != 0; float to integer: truncation)
  PointerAdd,  ///< args: pointer, integer offset in elements
  Load,        ///< args[0]: pointer
  Intrinsic,   ///< text: name from intrinsics.def ("fmaxf"); args
  Call,        ///< callee: index of a device function of the module; args
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

std::string_view name(ExprKind kind); ///< "int", "float", "bool", "local", "builtin", "unary", ... "call"
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
};

enum class StmtKind : uint8_t {
  Assign, ///< local = value
  Store,  ///< *pointer = value
  If,     ///< condition, thenBody, elseBody
  Return, ///< value or None
  Eval,   ///< value: a call evaluated for its effects
};

std::string_view name(StmtKind kind); ///< "assign", "store", "if", "return", "eval"
std::optional<StmtKind> stmtKindFromName(std::string_view name);

struct Stmt {
  StmtKind kind = StmtKind::Eval;
  SourceRange where = {};
  int local = -1;
  ExprId pointer = ExprId::None;
  ExprId value = ExprId::None;
  ExprId condition = ExprId::None;
  std::vector<StmtId> thenBody = {};
  std::vector<StmtId> elseBody = {};
};

struct Local {
  std::string name;
  Type type;
  SourceRange where;
};

/// A kernel or a device function. The first `parameterCount` locals are its parameters. A non-parameter local
/// has no value until it is assigned.
struct Function {
  std::string name; ///< with template arguments: "scale<float>"
  Type returnType;
  SourceRange where;
  int parameterCount = 0;
  std::vector<Local> locals;
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

/// Checks indices, types, arena order, that every statement stands in one place, that no function calls
/// itself, and that every node has a source range. Returns what is wrong, or nothing.
std::vector<std::string> verify(const Module& module);

Json toJson(const Module& module);
/// Errors: "kernel-json". The result has passed `verify`.
Expected<Module> moduleFromJson(const Json& json);

/// Readable text, one statement a line.
std::string print(const Function& function, const Module& module);

} // namespace plumbline::ir
