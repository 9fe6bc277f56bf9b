// What is known of a value under the `real` reading: the number itself, or an interval around it.
#pragma once

#include "core/f32/interval.h"
#include "core/logic/term.h"

#include <variant>

namespace plumbline::logic {

/// Why a value is not known. A larger precision may help against the first three.
enum class Doubt : uint8_t {
  None,
  Comparison, ///< the operands of a comparison that matters cannot be told apart
  Domain,     ///< an argument cannot be told from the edge of a function's domain, or from a pole
  Rounding,   ///< a number cannot be told from a whole one where it is truncated
  Function,   ///< a function whose meaning is not known here
  Stopped
};
/// For people, e.g. "the operands of a comparison cannot be told apart".
std::string_view name(Doubt doubt);

/// A value of any sort; Bool as 0 and 1. Immutable.
class EnclosedValue {
public:
  enum class Kind : uint8_t {
    Exact,        ///< this number
    Enclosed,     ///< some number of the interval
    Either,       ///< Bool: true or false
    PlusInfinity, ///< only of a constant
    MinusInfinity,
    Undefined, ///< no real value: a division by zero, the root of a negative number, an input that is NaN
    Undecided  ///< see `doubt`
  };

  EnclosedValue() = default; ///< Undefined
  static EnclosedValue whole(int64_t value);
  /// Exact, but an interval around it if it has more than 100,000 bits.
  static EnclosedValue number(f32::Rational value, int precision);
  /// Exact if there is only one number in it.
  static EnclosedValue within(f32::Interval interval);
  static EnclosedValue either() { return EnclosedValue(Kind::Either); }
  static EnclosedValue infinity(bool isNegative) {
    return EnclosedValue(isNegative ? Kind::MinusInfinity : Kind::PlusInfinity);
  }
  static EnclosedValue undecided(Doubt doubt);

  Kind kind() const { return m_kind; }
  Doubt doubt() const { return m_doubt; }
  bool isExact() const { return m_kind == Kind::Exact; }
  /// A real number, known or enclosed.
  bool isNumber() const { return m_kind == Kind::Exact || m_kind == Kind::Enclosed; }
  bool isInfinite() const { return m_kind == Kind::PlusInfinity || m_kind == Kind::MinusInfinity; }
  /// An exact whole number that fits.
  std::optional<int64_t> integer() const;
  /// The number, of an exact value only.
  f32::Rational rational() const;
  /// The enclosure of a number.
  f32::Interval interval(int precision) const;
  /// Exact and this number.
  bool is(int64_t value) const;
  /// Surely the same number: equal, or enclosed by the same computation.
  bool isSame(const EnclosedValue& other) const;
  size_t hash() const; ///< equal for those that are the same

private:
  explicit EnclosedValue(Kind kind) : m_kind(kind) {}

  Kind m_kind = Kind::Undefined;
  Doubt m_doubt = Doubt::None;
  std::variant<int64_t, f32::Rational, f32::Interval> m_data;
};

/// Arithmetic at one precision of the intervals. Operands are numbers unless it says otherwise. The same
/// operation on the same operands gives the same value (EnclosedValue::isSame), as long as the table of those
/// that were computed does not overflow: so equal inputs have equal images. Copies share the table. One
/// thread.
class EnclosedArithmetic {
public:
  explicit EnclosedArithmetic(int precision);
  int precision() const { return m_precision; }

  EnclosedValue add(const EnclosedValue& a, const EnclosedValue& b) const;
  EnclosedValue subtract(const EnclosedValue& a, const EnclosedValue& b) const;
  EnclosedValue multiply(const EnclosedValue& a, const EnclosedValue& b) const;
  EnclosedValue square(const EnclosedValue& a) const;
  EnclosedValue divide(const EnclosedValue& a, const EnclosedValue& b) const;
  EnclosedValue squareRoot(const EnclosedValue& a) const;
  EnclosedValue absolute(const EnclosedValue& a) const;
  EnclosedValue negate(const EnclosedValue& a) const; ///< or an infinity
  /// By canonical name (core/f32/elementary.h).
  EnclosedValue function(std::string_view canonical, std::span<const EnclosedValue> args) const;
  EnclosedValue toInteger(const EnclosedValue& a, uint64_t payload) const; ///< see Op::FloatToInt
  /// The larger or smaller one; numbers or infinities.
  EnclosedValue extreme(const EnclosedValue& a, const EnclosedValue& b, bool maximum) const;
  /// FLt, FLe, FEq, FSame, ILt, ILe, IEq on numbers or infinities: exact or Either.
  EnclosedValue compare(Op op, const EnclosedValue& a, const EnclosedValue& b) const;
  /// One of two values of any kind, it is not known which: their hull when that says as much as either,
  /// otherwise Undecided.
  EnclosedValue oneOf(Sort sort, const EnclosedValue& a, const EnclosedValue& b) const;

private:
  using Operands = std::span<const EnclosedValue>;
  using Compute = f32::Interval (*)(const f32::Interval&, const f32::Interval&, int);
  class Table;

  EnclosedValue fromImage(const f32::Image& image) const;
  EnclosedValue onIntervals(std::string_view operation, const EnclosedValue& a, const EnclosedValue& b,
                            Compute compute) const;
  EnclosedValue image(std::string_view function, Operands args) const;

  int m_precision;
  std::shared_ptr<Table> m_table;
};

} // namespace plumbline::logic
