// The table of device functions in intrinsics.def.
#pragma once

#include "core/ir/kernel.h"

namespace plumbline::ir {

enum class Meaning : uint8_t {
  Add,
  Sub,
  Mul,
  Div,
  Sqrt,
  Fma,
  Abs,
  Reciprocal,
  IsNan,
  PtxMax,
  PtxMin,
  StdMax,
  StdMin,
  IntMax,
  IntMin,
  IntAbs,
  Opaque,
  Floor, ///< and Ceil, Trunc: to integral values
  Ceil,
  Trunc,
  RoundEven, ///< to the nearest integral value, ties to even
  RoundAway, ///< ties away from zero
  Fmod,      ///< exact remainder of the division that truncates
  Remainder, ///< IEEE 754 remainder: of the division that rounds to even
  PositiveDifference,
  Saturate,    ///< to [+0, 1]; +0 for NaN
  CopySign,    ///< no value where the sign is that of a NaN
  SignBit,     ///< of a number; a NaN's sign has no value
  FloatToBits, ///< of a number; a NaN's bits have no value
  BitsToFloat,
};

/// The comparison has a term for it. The others have their exact meaning in the interpreter alone.
constexpr bool hasTerm(Meaning meaning) {
  return meaning <= Meaning::Opaque;
}

struct Intrinsic {
  std::string_view spelling;
  ScalarType result;
  std::vector<ScalarType> arguments;
  Meaning meaning;
};

/// All rows, in the order of the table.
const std::vector<Intrinsic>& intrinsics();
/// nullptr when the table has no such spelling.
const Intrinsic* findIntrinsic(std::string_view spelling);

} // namespace plumbline::ir
