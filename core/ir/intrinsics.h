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
};

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
