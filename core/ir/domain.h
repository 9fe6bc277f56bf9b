// The two arithmetics that the interpreter runs in: binary floats as bit patterns, and exact rationals.
// A domain D has: Number (a float value), and static functions that answer false when there is no value.
#pragma once

#include "core/f32/rational.h"
#include "core/f32/soft_float.h"
#include "core/ir/intrinsics.h"

#include <functional>
#include <span>

namespace plumbline::ir {

/// The value of an opaque function at concrete arguments, all of `type`; nothing when it has none here.
template <class D>
using OpaqueFunction = std::function<std::optional<typename D::Number>(
    std::string_view spelling, ScalarType type, std::span<const typename D::Number> args)>;

/// A scalar that the host passes, before its conversion to the parameter's type.
struct ScalarValue {
  ScalarType type = ScalarType::I64; ///< an integer type, Bool or a float type
  uint64_t bits = 0;                 ///< integers: sign- or zero-extended
  std::string text; ///< floats: the exact value as written ("0.01", "1/3"), for the rationals; may be empty

  static ScalarValue integer(int64_t value) { return {ScalarType::I64, static_cast<uint64_t>(value), {}}; }
  static ScalarValue floating(double value, std::string text = {}) {
    return {ScalarType::F64, std::bit_cast<uint64_t>(value), std::move(text)};
  }
};

/// Binary32, binary64 and, to be converted, the sixteen-bit formats as bit patterns, round to nearest even,
/// one canonical NaN.
struct IeeeDomain {
  using Number = uint64_t; ///< the pattern in the low bits

  static bool literal(ScalarType type, uint64_t bits, const std::string& text, Number& out);
  /// Everything that makes a float from floats. False: CopySign from a NaN.
  static bool apply(Meaning meaning, ScalarType type, const Number& a, const Number& b, const Number& c,
                    Number& out);
  static bool negate(ScalarType type, const Number& a, Number& out);
  static bool compare(BinaryOp op, ScalarType type, const Number& a, const Number& b);
  static bool isNan(ScalarType type, const Number& a);
  static bool isNonZero(ScalarType type, const Number& a); ///< conversion to bool; true for NaN
  static bool convert(ScalarType from, ScalarType to, const Number& a, Number& out);
  static bool fromInteger(ScalarType from, ScalarType to, int64_t value, Number& out);
  /// Truncates and saturates as PTX cvt.rzi; NaN gives 0. `exact` is false when a type narrower than 32 bits
  /// cannot hold the value: there is no such PTX conversion, so C++ alone says what happens, which is
  /// nothing.
  static bool toInteger(ScalarType from, ScalarType to, const Number& a, int64_t& out, bool& exact);
  /// The correctly rounded value of the functions in f32/elementary.h.
  static OpaqueFunction<IeeeDomain> defaultOpaque();
};

/// A rational, or one of the two infinities that start a max or min.
struct RealNumber {
  f32::Rational value;
  int infinite = 0; ///< -1, 0, 1

  bool operator==(const RealNumber& other) const {
    return infinite == other.infinite && value == other.value;
  }
};

/// Exact rationals. Conversions between float types are the identity, a literal has the value of its text,
/// nothing is NaN. There is no value for a division by zero, an irrational root, arithmetic on an infinity.
struct RealDomain {
  using Number = RealNumber;

  static bool literal(ScalarType type, uint64_t bits, const std::string& text, Number& out);
  static bool apply(Meaning meaning, ScalarType type, const Number& a, const Number& b, const Number& c,
                    Number& out);
  static bool negate(ScalarType type, const Number& a, Number& out);
  static bool compare(BinaryOp op, ScalarType type, const Number& a, const Number& b);
  static bool isNan(ScalarType, const Number&) { return false; }
  static bool isNonZero(ScalarType type, const Number& a);
  static bool convert(ScalarType from, ScalarType to, const Number& a, Number& out);
  static bool fromInteger(ScalarType from, ScalarType to, int64_t value, Number& out);
  /// Truncates. `exact` is false when the value does not fit the type; it is then saturated.
  static bool toInteger(ScalarType from, ScalarType to, const Number& a, int64_t& out, bool& exact);
  /// None: the opaque functions have irrational values nearly everywhere.
  static OpaqueFunction<RealDomain> defaultOpaque() { return {}; }
};

} // namespace plumbline::ir
