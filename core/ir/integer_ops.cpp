#include "core/ir/integer_ops.h"

#include <limits>

namespace plumbline::ir {
namespace {

__extension__ typedef __int128 Wide;

bool comesBefore(ScalarType type, int64_t a, int64_t b) {
  return isSigned(type) ? a < b : static_cast<uint64_t>(a) < static_cast<uint64_t>(b);
}

IntResult fromExact(ScalarType type, Wide exact) {
  const int64_t wrapped = wrapTo(type, static_cast<int64_t>(exact));
  return {wrapped, wrapped == exact ? IntStatus::Ok : IntStatus::Overflow};
}

IntResult signedArithmetic(BinaryOp op, ScalarType type, int64_t a, int64_t b) {
  switch (op) {
  case BinaryOp::Add: return fromExact(type, Wide{a} + b);
  case BinaryOp::Sub: return fromExact(type, Wide{a} - b);
  case BinaryOp::Mul: return fromExact(type, Wide{a} * b);
  default: break;
  }
  if (b == 0)
    return {0, IntStatus::DivisionByZero};
  IntResult quotient = fromExact(type, Wide{a} / b);
  if (op == BinaryOp::Div)
    return quotient;
  // C makes a % b undefined when a / b is.
  return {b == -1 ? 0 : a % b, quotient.status};
}

IntResult unsignedArithmetic(BinaryOp op, ScalarType type, int64_t left, int64_t right) {
  const auto a = static_cast<uint64_t>(left);
  const auto b = static_cast<uint64_t>(right);
  switch (op) {
  case BinaryOp::Add: return {wrapTo(type, static_cast<int64_t>(a + b))};
  case BinaryOp::Sub: return {wrapTo(type, static_cast<int64_t>(a - b))};
  case BinaryOp::Mul: return {wrapTo(type, static_cast<int64_t>(a * b))};
  default: break;
  }
  if (b == 0)
    return {0, IntStatus::DivisionByZero};
  return {static_cast<int64_t>(op == BinaryOp::Div ? a / b : a % b)};
}

IntResult shiftLeft(ScalarType type, int64_t a, int count) {
  const auto shifted = static_cast<int64_t>(static_cast<uint64_t>(a) << count);
  const int64_t value = wrapTo(type, shifted);
  if (!isSigned(type))
    return {value};
  const int width = bitWidth(type);
  const bool lost = a < 0 || (static_cast<uint64_t>(a) >> (width - count)) != 0;
  return {value, lost && count > 0 ? IntStatus::Overflow : (a < 0 ? IntStatus::Overflow : IntStatus::Ok)};
}

IntResult shift(BinaryOp op, ScalarType type, int64_t a, int64_t b, ScalarType countType) {
  const int width = bitWidth(type);
  const bool tooFar =
      (isSigned(countType) && b < 0) || static_cast<uint64_t>(b) >= static_cast<uint64_t>(width);
  if (op == BinaryOp::Shl) {
    if (tooFar)
      return {0, IntStatus::ShiftRange};
    return b == 0 ? IntResult{a} : shiftLeft(type, a, static_cast<int>(b));
  }
  const int64_t filled = isSigned(type) && a < 0 ? -1 : 0;
  if (tooFar)
    return {filled, IntStatus::ShiftRange};
  return {isSigned(type) ? a >> b : static_cast<int64_t>(static_cast<uint64_t>(a) >> b)};
}

} // namespace

int64_t lowestValue(ScalarType type) {
  if (!isSigned(type))
    return 0;
  return bitWidth(type) == 64 ? std::numeric_limits<int64_t>::min() : -(int64_t{1} << (bitWidth(type) - 1));
}

int64_t highestValue(ScalarType type) {
  if (bitWidth(type) == 64)
    return std::numeric_limits<int64_t>::max();
  return (int64_t{1} << (bitWidth(type) - (isSigned(type) ? 1 : 0))) - 1;
}

int64_t wrapTo(ScalarType type, int64_t value) {
  switch (type) {
  case ScalarType::Bool: return value != 0;
  case ScalarType::I8: return static_cast<int8_t>(value);
  case ScalarType::U8: return static_cast<uint8_t>(value);
  case ScalarType::I16: return static_cast<int16_t>(value);
  case ScalarType::U16: return static_cast<uint16_t>(value);
  case ScalarType::I32: return static_cast<int32_t>(value);
  case ScalarType::U32: return static_cast<uint32_t>(value);
  default: return value;
  }
}

IntResult integerBinary(BinaryOp op, ScalarType type, int64_t a, int64_t b, ScalarType countType) {
  switch (op) {
  case BinaryOp::Add:
  case BinaryOp::Sub:
  case BinaryOp::Mul:
  case BinaryOp::Div:
  case BinaryOp::Rem:
    return isSigned(type) ? signedArithmetic(op, type, a, b) : unsignedArithmetic(op, type, a, b);
  case BinaryOp::Shl:
  case BinaryOp::Shr: return shift(op, type, a, b, countType);
  case BinaryOp::BitAnd: return {a & b};
  case BinaryOp::BitOr: return {a | b};
  case BinaryOp::BitXor: return {a ^ b};
  case BinaryOp::Lt: return {comesBefore(type, a, b)};
  case BinaryOp::Le: return {!comesBefore(type, b, a)};
  case BinaryOp::Gt: return {comesBefore(type, b, a)};
  case BinaryOp::Ge: return {!comesBefore(type, a, b)};
  case BinaryOp::Eq: return {a == b};
  case BinaryOp::Ne: break;
  }
  return {a != b};
}

IntResult integerNegate(ScalarType type, int64_t a) {
  return isSigned(type) ? fromExact(type, -Wide{a})
                        : IntResult{wrapTo(type, static_cast<int64_t>(0 - static_cast<uint64_t>(a)))};
}

std::string integerText(ScalarType type, int64_t value) {
  return type == ScalarType::U64 ? std::to_string(static_cast<uint64_t>(value)) : std::to_string(value);
}

} // namespace plumbline::ir
