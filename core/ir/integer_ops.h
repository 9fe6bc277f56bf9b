// C's integer arithmetic on values of one type. A value is held in int64_t: signed types as themselves,
// unsigned ones zero-extended, U64 as its two's complement.
#pragma once

#include "core/ir/kernel.h"

namespace plumbline::ir {

/// What besides the value an operation has to say. The value is then the one the hardware gives.
enum class IntStatus : uint8_t {
  Ok,
  Overflow,       ///< the exact result does not fit the signed type; wrapped
  DivisionByZero, ///< no value
  ShiftRange,     ///< count negative or >= width; clamped as PTX does
};

struct IntResult {
  int64_t value = 0;
  IntStatus status = IntStatus::Ok;
};

/// Keeps the low bits of the type and extends them (C++20: conversions between integer types are modular).
int64_t wrapTo(ScalarType type, int64_t value);
/// The smallest value of an integer type.
int64_t lowestValue(ScalarType type);
/// The largest one; for U64 the largest int64_t, since exact reasoning holds values in int64_t.
int64_t highestValue(ScalarType type);
/// Comparisons give 0 or 1. `type` is the operands' type (of a shift: the left one), `countType` a shift
/// count's type. A signed left shift overflows when value * 2^count does not fit the unsigned type of that
/// width (C++17).
IntResult integerBinary(BinaryOp op, ScalarType type, int64_t a, int64_t b, ScalarType countType);
IntResult integerNegate(ScalarType type, int64_t a);
/// The value of a type as text, for messages.
std::string integerText(ScalarType type, int64_t value);

} // namespace plumbline::ir
