#include "core/logic/enclosed_value.h"

#include "core/logic/eval_real.h"

#include <algorithm>
#include <array>
#include <unordered_map>

namespace plumbline::logic {

using f32::Image;
using f32::Interval;
using f32::Rational;
using Kind = EnclosedValue::Kind;

namespace {

/// Repeated squaring doubles the length of a number each time.
constexpr size_t kMostBits = 100000;

bool isTooLong(const Rational& value) {
  return mpz_sizeinbase(value.get_num_mpz_t(), 2) > kMostBits ||
         mpz_sizeinbase(value.get_den_mpz_t(), 2) > kMostBits;
}

std::optional<std::array<int64_t, 2>> integers(const EnclosedValue& a, const EnclosedValue& b) {
  const std::optional<int64_t> x = a.integer();
  const std::optional<int64_t> y = b.integer();
  if (!x || !y)
    return std::nullopt;
  return std::array{*x, *y};
}

/// -1, 0, 1 for -infinity, a number, infinity.
int rank(const EnclosedValue& value) {
  return value.kind() == Kind::PlusInfinity ? 1 : value.kind() == Kind::MinusInfinity ? -1 : 0;
}

EnclosedValue holds(Op op, int order) {
  if (op == Op::FLt || op == Op::ILt)
    return EnclosedValue::whole(order < 0 ? 1 : 0);
  return EnclosedValue::whole((op == Op::FLe || op == Op::ILe ? order <= 0 : order == 0) ? 1 : 0);
}

EnclosedValue compareIntervals(Op op, const Interval& a, const Interval& b) {
  const bool isLess = op == Op::FLt || op == Op::ILt;
  if (isLess || op == Op::FLe || op == Op::ILe) {
    if (isLess ? surelyLess(a, b) : surelyAtMost(a, b))
      return EnclosedValue::whole(1);
    return (isLess ? surelyAtMost(b, a) : surelyLess(b, a)) ? EnclosedValue::whole(0)
                                                            : EnclosedValue::either();
  }
  return a.overlaps(b) ? EnclosedValue::either() : EnclosedValue::whole(0);
}

} // namespace

std::string_view name(Doubt doubt) {
  switch (doubt) {
  case Doubt::None: break;
  case Doubt::Comparison: return "the operands of a comparison cannot be told apart";
  case Doubt::Domain: return "an argument cannot be told from the edge of a function's domain";
  case Doubt::Rounding: return "a number that is truncated cannot be told from a whole one";
  case Doubt::Function: return "a function has no known meaning over the reals";
  case Doubt::Stopped: return "the evaluation was stopped";
  }
  return "";
}

EnclosedValue EnclosedValue::whole(int64_t value) {
  EnclosedValue result(Kind::Exact);
  result.m_data = value;
  return result;
}

EnclosedValue EnclosedValue::number(Rational value, int precision) {
  EnclosedValue result(Kind::Exact);
  if (isTooLong(value)) {
    result.m_kind = Kind::Enclosed;
    result.m_data = Interval::around(value, precision);
  } else {
    result.m_data = std::move(value);
  }
  return result;
}

EnclosedValue EnclosedValue::within(Interval interval) {
  EnclosedValue result(Kind::Enclosed);
  if (std::optional<Rational> only = interval.point(kMostBits)) {
    result.m_kind = Kind::Exact;
    result.m_data = *std::move(only);
  } else {
    result.m_data = std::move(interval);
  }
  return result;
}

EnclosedValue EnclosedValue::undecided(Doubt doubt) {
  EnclosedValue result(Kind::Undecided);
  result.m_doubt = doubt;
  return result;
}

std::optional<int64_t> EnclosedValue::integer() const {
  if (m_kind != Kind::Exact)
    return std::nullopt;
  if (const auto* value = std::get_if<int64_t>(&m_data))
    return *value;
  const Rational& value = std::get<Rational>(m_data);
  if (value.get_den() != 1 || !value.get_num().fits_slong_p())
    return std::nullopt;
  return value.get_num().get_si();
}

Rational EnclosedValue::rational() const {
  if (const auto* value = std::get_if<int64_t>(&m_data))
    return f32::rationalFromInteger(*value);
  return std::get<Rational>(m_data);
}

Interval EnclosedValue::interval(int precision) const {
  return m_kind == Kind::Enclosed ? std::get<Interval>(m_data) : Interval::around(rational(), precision);
}

bool EnclosedValue::is(int64_t value) const {
  return integer() == value;
}

bool EnclosedValue::isSame(const EnclosedValue& other) const {
  if (m_kind != other.m_kind)
    return false;
  if (m_kind == Kind::Exact)
    return rational() == other.rational();
  return m_kind != Kind::Enclosed || std::get<Interval>(m_data).isSame(std::get<Interval>(other.m_data));
}

size_t EnclosedValue::hash() const {
  if (m_kind == Kind::Enclosed)
    return std::get<Interval>(m_data).identity();
  if (m_kind != Kind::Exact)
    return static_cast<size_t>(m_kind);
  const Rational value = rational();
  return mpz_get_ui(value.get_num_mpz_t()) * 0x9E3779B97F4A7C15U + mpz_sizeinbase(value.get_den_mpz_t(), 2);
}

/// What was computed, by operation and operands. The operands are kept, so that no other interval gets their
/// place in memory.
class EnclosedArithmetic::Table {
public:
  /// nullptr when it is not known.
  const EnclosedValue* find(std::string_view operation, Operands operands) const {
    const auto [first, last] = m_entries.equal_range(hash(operation, operands));
    for (auto entry = first; entry != last; ++entry)
      if (entry->second.operation == operation &&
          std::ranges::equal(entry->second.operands, operands, isSame))
        return &entry->second.value;
    return nullptr;
  }

  /// `operation` lives forever.
  EnclosedValue keep(std::string_view operation, Operands operands, EnclosedValue value) {
    if (m_entries.size() >= kMostEntries)
      m_entries.clear();
    m_entries.emplace(hash(operation, operands), Entry{operation, {operands.begin(), operands.end()}, value});
    return value;
  }

private:
  static constexpr size_t kMostEntries = size_t{1} << 15;
  struct Entry {
    std::string_view operation;
    std::vector<EnclosedValue> operands;
    EnclosedValue value;
  };

  static bool isSame(const EnclosedValue& a, const EnclosedValue& b) { return a.isSame(b); }
  static size_t hash(std::string_view operation, Operands operands) {
    size_t result = std::hash<std::string_view>{}(operation);
    for (const EnclosedValue& operand : operands)
      result = result * 31 + operand.hash();
    return result;
  }

  std::unordered_multimap<size_t, Entry> m_entries;
};

EnclosedArithmetic::EnclosedArithmetic(int precision)
    : m_precision(precision), m_table(std::make_shared<Table>()) {}

EnclosedValue EnclosedArithmetic::onIntervals(std::string_view operation, const EnclosedValue& a,
                                              const EnclosedValue& b, Compute compute) const {
  const std::array operands = {a, b};
  if (const EnclosedValue* known = m_table->find(operation, operands))
    return *known;
  return m_table->keep(
      operation, operands,
      EnclosedValue::within(compute(a.interval(m_precision), b.interval(m_precision), m_precision)));
}

EnclosedValue EnclosedArithmetic::image(std::string_view function, Operands args) const {
  if (const EnclosedValue* known = m_table->find(function, args))
    return *known;
  std::vector<Interval> intervals;
  for (const EnclosedValue& arg : args)
    intervals.push_back(arg.interval(m_precision));
  return m_table->keep(function, args, fromImage(f32::image(function, intervals, m_precision)));
}

EnclosedValue EnclosedArithmetic::add(const EnclosedValue& a, const EnclosedValue& b) const {
  if (!a.isExact() || !b.isExact())
    return onIntervals("add", a, b, f32::add);
  int64_t sum = 0;
  if (const auto both = integers(a, b); both && !__builtin_add_overflow((*both)[0], (*both)[1], &sum))
    return EnclosedValue::whole(sum);
  return EnclosedValue::number(a.rational() + b.rational(), m_precision);
}

EnclosedValue EnclosedArithmetic::subtract(const EnclosedValue& a, const EnclosedValue& b) const {
  if (!a.isExact() || !b.isExact())
    return a.isSame(b) ? EnclosedValue::whole(0) : onIntervals("subtract", a, b, f32::subtract);
  int64_t difference = 0;
  if (const auto both = integers(a, b); both && !__builtin_sub_overflow((*both)[0], (*both)[1], &difference))
    return EnclosedValue::whole(difference);
  return EnclosedValue::number(a.rational() - b.rational(), m_precision);
}

EnclosedValue EnclosedArithmetic::multiply(const EnclosedValue& a, const EnclosedValue& b) const {
  if (a.is(0) || b.is(0))
    return EnclosedValue::whole(0);
  if (!a.isExact() || !b.isExact())
    return a.isSame(b) ? square(a) : onIntervals("multiply", a, b, f32::multiply);
  int64_t product = 0;
  if (const auto both = integers(a, b); both && !__builtin_mul_overflow((*both)[0], (*both)[1], &product))
    return EnclosedValue::whole(product);
  return EnclosedValue::number(a.rational() * b.rational(), m_precision);
}

EnclosedValue EnclosedArithmetic::square(const EnclosedValue& a) const {
  if (a.isExact())
    return multiply(a, a);
  return onIntervals("square", a, a, [](const Interval& x, const Interval&, int precision) {
    return f32::square(x, precision);
  });
}

EnclosedValue EnclosedArithmetic::divide(const EnclosedValue& a, const EnclosedValue& b) const {
  const std::array args = {a, b};
  return function("divide", args);
}

EnclosedValue EnclosedArithmetic::squareRoot(const EnclosedValue& a) const {
  if (a.isExact()) {
    const Rational value = a.rational();
    if (value < 0)
      return {};
    if (std::optional<Rational> root = f32::exactSqrt(value))
      return EnclosedValue::number(*std::move(root), m_precision);
  }
  return image("sqrt", std::span(&a, 1));
}

EnclosedValue EnclosedArithmetic::absolute(const EnclosedValue& a) const {
  if (a.isExact())
    return EnclosedValue::number(::abs(a.rational()), m_precision);
  return onIntervals("absolute", a, a,
                     [](const Interval& x, const Interval&, int) { return f32::absolute(x); });
}

EnclosedValue EnclosedArithmetic::negate(const EnclosedValue& a) const {
  if (a.isInfinite())
    return EnclosedValue::infinity(a.kind() == Kind::PlusInfinity);
  if (a.isExact())
    return EnclosedValue::number(-a.rational(), m_precision);
  return onIntervals("negate", a, a, [](const Interval& x, const Interval&, int) { return f32::negate(x); });
}

EnclosedValue EnclosedArithmetic::fromImage(const Image& image) const {
  switch (image.kind) {
  case Image::Kind::Inside: return EnclosedValue::within(image.values);
  case Image::Kind::Outside: return {};
  case Image::Kind::Straddles: return EnclosedValue::undecided(Doubt::Domain);
  case Image::Kind::Unknown: break;
  }
  return EnclosedValue::undecided(Doubt::Function);
}

EnclosedValue EnclosedArithmetic::function(std::string_view canonical,
                                           std::span<const EnclosedValue> args) const {
  std::vector<Rational> exact;
  for (const EnclosedValue& arg : args)
    if (arg.isExact())
      exact.push_back(arg.rational());
  if (exact.size() == args.size()) {
    RealValue value = exactFunctionValue(canonical, exact);
    if (value.known())
      return EnclosedValue::number(std::move(value.value), m_precision);
    if (value.kind == RealValue::Kind::Undefined)
      return {};
  }
  return image(canonical, args);
}

EnclosedValue EnclosedArithmetic::toInteger(const EnclosedValue& a, uint64_t payload) const {
  if (a.isExact())
    return EnclosedValue::number(convertedToInteger(a.rational(), payload), m_precision);
  const Rational most = f32::scaled(1, 64); // no integer type reaches it
  const Interval interval = a.interval(m_precision);
  Rational low = convertedToInteger(interval.lowWithin(most), payload);
  if (low != convertedToInteger(interval.highWithin(most), payload))
    return EnclosedValue::undecided(Doubt::Rounding);
  return EnclosedValue::number(std::move(low), m_precision);
}

EnclosedValue EnclosedArithmetic::extreme(const EnclosedValue& a, const EnclosedValue& b,
                                          bool maximum) const {
  const EnclosedValue order = compare(Op::FLe, a, b);
  if (order.isExact())
    return order.is(1) == maximum ? b : a;
  return maximum ? onIntervals("larger", a, b,
                               [](const Interval& x, const Interval& y, int) { return f32::larger(x, y); })
                 : onIntervals("smaller", a, b,
                               [](const Interval& x, const Interval& y, int) { return f32::smaller(x, y); });
}

EnclosedValue EnclosedArithmetic::compare(Op op, const EnclosedValue& a, const EnclosedValue& b) const {
  if (rank(a) != 0 || rank(b) != 0)
    return holds(op, rank(a) - rank(b));
  if (!a.isExact() || !b.isExact())
    return a.isSame(b) ? holds(op, 0)
                       : compareIntervals(op, a.interval(m_precision), b.interval(m_precision));
  if (const auto both = integers(a, b))
    return holds(op, (*both)[0]<(*both)[1] ? -1 : (*both)[0]>(*both)[1] ? 1 : 0);
  return holds(op, cmp(a.rational(), b.rational()));
}

EnclosedValue EnclosedArithmetic::oneOf(Sort sort, const EnclosedValue& a, const EnclosedValue& b) const {
  auto isTruth = [](const EnclosedValue& value) { return value.kind() == Kind::Either || value.isExact(); };
  if (a.kind() != Kind::Undecided && a.isSame(b))
    return a;
  if (sort == Sort::Bool && isTruth(a) && isTruth(b))
    return EnclosedValue::either();
  if (!a.isNumber() || !b.isNumber())
    return EnclosedValue::undecided(Doubt::Comparison);
  if (a.isExact() && b.isExact())
    return EnclosedValue::undecided(Doubt::Comparison); // two numbers
  const Interval x = a.interval(m_precision);
  const Interval y = b.interval(m_precision);
  return x.overlaps(y) ? EnclosedValue::within(f32::hull(x, y)) : EnclosedValue::undecided(Doubt::Comparison);
}

} // namespace plumbline::logic
