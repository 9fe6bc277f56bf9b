#include "core/ir/kernel.h"

#include <algorithm>

namespace plumbline::ir {
namespace {

constexpr std::array<std::string_view, 12> kScalarNames = {"void", "bool", "i8",  "u8",  "i16", "u16",
                                                           "i32",  "u32",  "i64", "u64", "f32", "f64"};
constexpr std::array<std::string_view, 15> kExprNames = {"int",   "float",  "bool", "local",     "builtin",
                                                         "unary", "binary", "and",  "or",        "cond",
                                                         "cast",  "padd",   "load", "intrinsic", "call"};
constexpr std::array<std::string_view, 5> kStmtNames = {"assign", "store", "if", "return", "eval"};
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
std::optional<UnaryOp> unaryOpFromName(std::string_view name) {
  return fromName<UnaryOp>(kUnaryNames, name);
}
std::optional<BinaryOp> binaryOpFromName(std::string_view name) {
  return fromName<BinaryOp>(kBinaryNames, name);
}

std::string toString(const Type& type) {
  return std::string(name(type.scalar)) + (type.pointer ? "*" : "");
}

std::optional<Type> typeFromString(std::string_view text) {
  Type type;
  type.pointer = text.ends_with('*');
  auto scalar = scalarTypeFromName(type.pointer ? text.substr(0, text.size() - 1) : text);
  if (!scalar)
    return std::nullopt;
  type.scalar = *scalar;
  return type;
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
  case ScalarType::U16: return 16;
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
