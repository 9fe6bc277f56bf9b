#include "core/ir/kernel.h"

#include <algorithm>

namespace plumbline::ir {
namespace {

constexpr std::array<std::string_view, 14> kScalarNames = {
    "void", "bool", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "f16", "bf16"};
constexpr std::array<std::string_view, 17> kExprNames = {
    "int",  "float", "bool", "local", "builtin",   "unary", "binary", "and",  "or",
    "cond", "cast",  "padd", "load",  "intrinsic", "call",  "array",  "pcast"};
constexpr std::array<std::string_view, 14> kStmtNames = {
    "assign", "store", "if",       "return",  "eval",       "declare", "loop",
    "block",  "break", "continue", "barrier", "collective", "atomic",  "fence"};
constexpr std::array<std::string_view, 25> kSyncNames = {"none",
                                                         "barrier",
                                                         "warp-barrier",
                                                         "shuffle",
                                                         "shuffle-up",
                                                         "shuffle-down",
                                                         "shuffle-xor",
                                                         "any",
                                                         "all",
                                                         "ballot",
                                                         "active-mask",
                                                         "barrier-count",
                                                         "barrier-and",
                                                         "barrier-or",
                                                         "atomic-add",
                                                         "atomic-sub",
                                                         "atomic-min",
                                                         "atomic-max",
                                                         "atomic-and",
                                                         "atomic-or",
                                                         "atomic-xor",
                                                         "atomic-exchange",
                                                         "atomic-compare-exchange",
                                                         "atomic-increment",
                                                         "atomic-decrement"};
constexpr std::array<std::string_view, 3> kSpaceNames = {"thread", "shared", "constant"};
constexpr std::array<std::string_view, 3> kUnaryNames = {"neg", "not", "bitnot"};
constexpr std::array<std::string_view, 16> kBinaryNames = {"add", "sub",    "mul",   "div",    "rem", "shl",
                                                           "shr", "bitand", "bitor", "bitxor", "lt",  "le",
                                                           "gt",  "ge",     "eq",    "ne"};

template <class Enum, size_t N>
std::optional<Enum> fromName(const std::array<std::string_view, N>& names, std::string_view name) {
  auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

} // namespace

std::string_view name(ScalarType type) {
  return kScalarNames[static_cast<size_t>(type)];
}
std::string_view name(ExprKind kind) {
  return kExprNames[static_cast<size_t>(kind)];
}
std::string_view name(StmtKind kind) {
  return kStmtNames[static_cast<size_t>(kind)];
}
std::string_view name(SyncOp op) {
  return kSyncNames[static_cast<size_t>(op)];
}
std::string_view name(ArraySpace space) {
  return kSpaceNames[static_cast<size_t>(space)];
}
std::string_view name(UnaryOp op) {
  return kUnaryNames[static_cast<size_t>(op)];
}
std::string_view name(BinaryOp op) {
  return kBinaryNames[static_cast<size_t>(op)];
}

std::optional<ScalarType> scalarTypeFromName(std::string_view name) {
  return fromName<ScalarType>(kScalarNames, name);
}
std::optional<ExprKind> exprKindFromName(std::string_view name) {
  return fromName<ExprKind>(kExprNames, name);
}
std::optional<StmtKind> stmtKindFromName(std::string_view name) {
  return fromName<StmtKind>(kStmtNames, name);
}
std::optional<SyncOp> syncOpFromName(std::string_view name) {
  return fromName<SyncOp>(kSyncNames, name);
}
std::optional<ArraySpace> arraySpaceFromName(std::string_view name) {
  return fromName<ArraySpace>(kSpaceNames, name);
}
std::optional<UnaryOp> unaryOpFromName(std::string_view name) {
  return fromName<UnaryOp>(kUnaryNames, name);
}
std::optional<BinaryOp> binaryOpFromName(std::string_view name) {
  return fromName<BinaryOp>(kBinaryNames, name);
}

std::string toString(const Type& type) {
  std::string text(name(type.scalar));
  if (type.lanes != 1)
    text += "x" + std::to_string(type.lanes);
  return type.pointer ? text + "*" : text;
}

std::optional<Type> typeFromString(std::string_view text) {
  Type type;
  type.pointer = text.ends_with('*');
  if (type.pointer)
    text.remove_suffix(1);
  if (type.pointer && text.size() > 2 && text[text.size() - 2] == 'x') {
    type.lanes = static_cast<uint8_t>(text.back() - '0');
    if (type.lanes < 2 || type.lanes > 4)
      return std::nullopt;
    text.remove_suffix(2);
  }
  auto scalar = scalarTypeFromName(text);
  if (!scalar)
    return std::nullopt;
  type.scalar = *scalar;
  return type;
}

int byteSize(ScalarType type) {
  return (bitWidth(type) + 7) / 8;
}

int byteSize(const Type& pointer) {
  return byteSize(pointer.scalar) * pointer.lanes;
}

// CUDA C++ programming guide, built-in vector types: three lanes are aligned like one, two and four as a
// whole, up to 16 bytes.
int byteAlignment(const Type& pointer) {
  return pointer.lanes == 3 ? byteSize(pointer.scalar) : std::min(byteSize(pointer), 16);
}

bool isBlockBarrier(SyncOp op) {
  return op == SyncOp::BlockBarrier || (op >= SyncOp::BlockCount && op <= SyncOp::BlockOr);
}

bool isAtomic(SyncOp op) {
  return op >= SyncOp::AtomicAdd;
}

int64_t ArrayVariable::length() const {
  if (extents.empty())
    return -1;
  int64_t product = 1;
  for (int64_t extent : extents)
    product *= extent;
  return product;
}

bool isInteger(ScalarType type) {
  return type >= ScalarType::I8 && type <= ScalarType::U64;
}
bool isFloat(ScalarType type) {
  return type == ScalarType::F32 || type == ScalarType::F64;
}
bool isSigned(ScalarType type) {
  return type == ScalarType::I8 || type == ScalarType::I16 || type == ScalarType::I32 ||
         type == ScalarType::I64;
}

int bitWidth(ScalarType type) {
  switch (type) {
  case ScalarType::Void: return 0;
  case ScalarType::Bool: return 1;
  case ScalarType::I8:
  case ScalarType::U8: return 8;
  case ScalarType::I16:
  case ScalarType::U16:
  case ScalarType::F16:
  case ScalarType::BF16: return 16;
  case ScalarType::I32:
  case ScalarType::U32:
  case ScalarType::F32: return 32;
  case ScalarType::I64:
  case ScalarType::U64:
  case ScalarType::F64: return 64;
  }
  return 0;
}

} // namespace plumbline::ir
