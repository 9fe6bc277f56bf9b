#include "core/logic/interval_eval.h"

#include "core/f32/soft_float.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>

namespace plumbline::logic {

namespace {

using f32::Binary32;
using f32::Binary64;
using f32::Range;
using f32::Soft;
using f32::Width;

Width widthOf(Sort sort) {
  return sort == Sort::F32 ? Width::Binary32 : Width::Binary64;
}

Interval anything(Sort sort) {
  Interval result;
  result.sort = sort;
  if (sort == Sort::F32 || sort == Sort::F64)
    result.range = f32::wholeRange(widthOf(sort));
  return result;
}
Interval boolean(bool mayBeTrue, bool mayBeFalse) {
  return {Sort::Bool, {}, mayBeTrue, mayBeFalse, std::nullopt};
}
Interval integer(int64_t value) {
  return {Sort::Int, {}, true, true, value};
}
Interval floating(Sort sort, const Range& range) {
  return {sort, range, true, true, std::nullopt};
}
Interval point(Sort sort, uint64_t bits) {
  if (sort == Sort::Bool)
    return boolean(bits != 0, bits == 0);
  if (sort == Sort::Int)
    return integer(static_cast<int64_t>(bits));
  return floating(sort, f32::pointRange(bits, widthOf(sort)));
}

/// Interval arithmetic in one format.
template <class F> class Arithmetic {
public:
  using S = Soft<F>;
  using Bits = typename S::Bits;
  static constexpr Width width = F::totalBits == 32 ? Width::Binary32 : Width::Binary64;

  static Range apply(Op op, const Range& a, const Range& b, const Range& c) {
    if (a.empty || b.empty || c.empty)
      return nanOnly();
    bool nan = a.mayBeNan || b.mayBeNan || c.mayBeNan;
    Range result = applyToNumbers(op, a, b, c);
    result.mayBeNan = result.mayBeNan || nan;
    return result;
  }

  static Interval compare(Op op, const Range& a, const Range& b) {
    if (op == Op::FIsNan)
      return boolean(a.mayBeNan, !a.empty);
    if (op == Op::FSame)
      return boolean(!f32::disjoint(a, b, width), !(a == b && isSingle(a)));
    if (a.empty || b.empty)
      return boolean(false, true);
    bool nan = a.mayBeNan || b.mayBeNan;
    auto lowA = static_cast<Bits>(a.low), highA = static_cast<Bits>(a.high);
    auto lowB = static_cast<Bits>(b.low), highB = static_cast<Bits>(b.high);
    switch (op) {
    case Op::FLt: return boolean(S::less(lowA, highB), nan || !S::less(highA, lowB));
    case Op::FLe: return boolean(S::lessEqual(lowA, highB), nan || !S::lessEqual(highA, lowB));
    default: break;
    }
    bool overlap = S::lessEqual(lowA, highB) && S::lessEqual(lowB, highA);
    bool always = S::equal(lowA, highA) && S::equal(lowA, lowB) && S::equal(lowB, highB);
    return boolean(overlap, nan || !always);
  }

private:
  static Range nanOnly() { return {0, 0, true, true}; }
  static bool isSingle(const Range& range) {
    return range.empty || (range.low == range.high && !range.mayBeNan);
  }
  static bool isPoint(const Range& range) { return range.low == range.high; }
  static bool hasInfinity(const Range& range) {
    return S::isInf(static_cast<Bits>(range.low)) || S::isInf(static_cast<Bits>(range.high));
  }
  static bool hasZero(const Range& range) {
    return f32::orderedKey(range.low, width) <= 0 && f32::orderedKey(range.high, width) >= -1;
  }

  static Bits scalar(Op op, Bits a, Bits b, Bits c) {
    switch (op) {
    case Op::FAdd: return S::add(a, b);
    case Op::FSub: return S::sub(a, b);
    case Op::FMul: return S::mul(a, b);
    case Op::FDiv: return S::div(a, b);
    case Op::FSqrt: return S::sqrt(a);
    case Op::FNeg: return S::neg(a);
    case Op::FAbs: return S::abs(a);
    default: return S::fma(a, b, c);
    }
  }

  static Range applyToNumbers(Op op, const Range& a, const Range& b, const Range& c) {
    if (isPoint(a) && isPoint(b) && isPoint(c))
      return f32::pointRange(
          scalar(op, static_cast<Bits>(a.low), static_cast<Bits>(b.low), static_cast<Bits>(c.low)), width);
    if (op == Op::FSqrt)
      return squareRoot(a);
    if (op == Op::FAbs)
      return absolute(a);
    // Where no NaN can arise inside, each operation is monotone in every operand, in the order that puts -0
    // below +0 (the direction may depend on the other operands), so its extremes lie at the corners.
    return mayBeSingular(op, a, b, c) ? f32::wholeRange(width) : corners(op, a, b, c);
  }

  /// A divisor may be zero, or an invalid operation on infinities is possible.
  static bool mayBeSingular(Op op, const Range& a, const Range& b, const Range& c) {
    const bool infiniteA = hasInfinity(a), infiniteB = hasInfinity(b);
    switch (op) {
    case Op::FNeg: return false;
    case Op::FAdd:
    case Op::FSub: return infiniteA && infiniteB;
    case Op::FMul: return (infiniteA && hasZero(b)) || (infiniteB && hasZero(a));
    case Op::FDiv: return hasZero(b) || (infiniteA && infiniteB);
    default: return infiniteA || infiniteB || hasInfinity(c);
    }
  }

  static Range corners(Op op, const Range& a, const Range& b, const Range& c) {
    Range result = nanOnly();
    result.mayBeNan = false;
    for (uint64_t x : {a.low, a.high})
      for (uint64_t y : {b.low, b.high})
        for (uint64_t z : {c.low, c.high}) {
          Bits value = scalar(op, static_cast<Bits>(x), static_cast<Bits>(y), static_cast<Bits>(z));
          result = f32::hull(result, f32::pointRange(value, width), width);
        }
    return result;
  }

  static Range squareRoot(const Range& a) {
    constexpr Bits minusZero = S::signMask;
    bool negative = f32::orderedKey(a.low, width) < -1;
    if (f32::orderedKey(a.high, width) < -1)
      return nanOnly();
    Bits low = negative ? minusZero : static_cast<Bits>(a.low);
    return {S::sqrt(low), S::sqrt(static_cast<Bits>(a.high)), false, negative};
  }

  static Range absolute(const Range& a) {
    Bits low = S::abs(static_cast<Bits>(a.low));
    Bits high = S::abs(static_cast<Bits>(a.high));
    bool crosses = S::isNegative(static_cast<Bits>(a.low)) != S::isNegative(static_cast<Bits>(a.high));
    return {crosses ? 0 : std::min(low, high), std::max(low, high), false, false};
  }
};

Range converted(Sort from, Sort to, Range range) {
  auto one = [&](uint64_t bits) -> uint64_t {
    if (from == to)
      return bits;
    return to == Sort::F64 ? f32::convert<Binary32, Binary64>(static_cast<uint32_t>(bits))
                           : f32::convert<Binary64, Binary32>(bits);
  };
  if (!range.empty) {
    range.low = one(range.low);
    range.high = one(range.high);
  }
  return range;
}

Interval chosen(const Interval& condition, const Interval& a, const Interval& b) {
  if (!condition.mayBeFalse)
    return a;
  if (!condition.mayBeTrue)
    return b;
  if (a == b)
    return a;
  if (a.sort == Sort::Bool)
    return boolean(a.mayBeTrue || b.mayBeTrue, a.mayBeFalse || b.mayBeFalse);
  if (a.sort == Sort::Int)
    return anything(Sort::Int);
  return floating(a.sort, f32::hull(a.range, b.range, widthOf(a.sort)));
}

std::optional<Interval> integerStep(Op op, int64_t a, int64_t b) {
  int64_t result = 0;
  switch (op) {
  case Op::ILt: return boolean(a < b, a >= b);
  case Op::ILe: return boolean(a <= b, a > b);
  case Op::IEq: return boolean(a == b, a != b);
  case Op::IAdd: return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(integer(result));
  case Op::ISub: return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(integer(result));
  case Op::IMul: return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(integer(result));
  default: break;
  }
  if (b == 0 || b == -1) // -1: the quotient may overflow
    return std::nullopt;
  return integer(op == Op::IDiv ? a / b : a % b);
}

Interval integerStep(const FlatProgram::Step& step, const Interval& a, const Interval& b) {
  if (!a.integer || !b.integer)
    return anything(step.sort);
  return integerStep(step.op, *a.integer, *b.integer).value_or(anything(step.sort));
}

Interval fromInteger(Sort sort, const Interval& a) {
  if (!a.integer)
    return anything(sort);
  return point(sort, sort == Sort::F32 ? f32::fromInteger<Binary32>(*a.integer)
                                       : f32::fromInteger<Binary64>(*a.integer));
}

Interval toInteger(const FlatProgram::Step& step, const Range& range) {
  if (range.mayBeNan || range.empty || range.low != range.high)
    return anything(Sort::Int);
  int width = static_cast<int>(step.payload & 0xFF);
  bool isSigned = (step.payload & 0x100) != 0;
  int64_t value = step.argSort == Sort::F32
                      ? f32::toInteger<Binary32>(static_cast<uint32_t>(range.low), width, isSigned)
                      : f32::toInteger<Binary64>(range.low, width, isSigned);
  return !isSigned && value < 0 ? anything(Sort::Int) : integer(value);
}

} // namespace

bool certainlyDifferent(const Interval& a, const Interval& b) {
  if (a.sort != b.sort)
    return false;
  if (a.sort == Sort::Bool)
    return !(a.mayBeTrue && b.mayBeTrue) && !(a.mayBeFalse && b.mayBeFalse);
  if (a.sort == Sort::Int)
    return a.integer && b.integer && *a.integer != *b.integer;
  return f32::disjoint(a.range, b.range, widthOf(a.sort));
}

IntervalTerm::IntervalTerm(const TermStore& store, std::span<const TermId> roots)
    : m_program(store, roots), m_cells(m_program.steps.size()) {}

void IntervalTerm::evaluate(std::span<const uint64_t> values, const Load& load) {
  if (values.size() < m_program.inputs.size()) {
    std::fputs("plumbline: internal error: too few values for a compiled term\n", stderr);
    std::abort();
  }
  for (size_t i = 0; i < m_program.steps.size(); ++i)
    m_cells[i] = run(m_program.steps[i], values, load);
}

Interval IntervalTerm::run(const FlatProgram::Step& step, std::span<const uint64_t> values,
                           const Load& load) const {
  switch (step.op) {
  case Op::BoolConst:
  case Op::IntConst:
  case Op::FloatConst: return point(step.sort, step.payload);
  case Op::Var: return point(step.sort, values[step.input]);
  case Op::Load: return loadStep(step, load);
  case Op::Opaque: return opaqueStep(step);
  case Op::Not: return boolean(arg(step, 0).mayBeFalse, arg(step, 0).mayBeTrue);
  case Op::And: return chosen(arg(step, 0), arg(step, 1), boolean(false, true));
  case Op::Or: return chosen(arg(step, 0), boolean(true, false), arg(step, 1));
  case Op::Ite: return chosen(arg(step, 0), arg(step, 1), arg(step, 2));
  case Op::IAdd:
  case Op::ISub:
  case Op::IMul:
  case Op::IDiv:
  case Op::IRem:
  case Op::ILt:
  case Op::ILe:
  case Op::IEq: return integerStep(step, arg(step, 0), arg(step, 1));
  case Op::IntToFloat: return fromInteger(step.sort, arg(step, 0));
  case Op::FloatToInt: return toInteger(step, arg(step, 0).range);
  case Op::FConvert: return floating(step.sort, converted(step.argSort, step.sort, arg(step, 0).range));
  default: break;
  }
  const Range& a = arg(step, 0).range;
  const Range zero =
      f32::pointRange(0, widthOf(step.argSort)); // for operands that the operator does not have
  const Range& b = step.argCount > 1 ? arg(step, 1).range : zero;
  const Range& c = step.argCount > 2 ? arg(step, 2).range : zero;
  const bool single = step.argSort == Sort::F32;
  if (step.sort == Sort::Bool)
    return single ? Arithmetic<Binary32>::compare(step.op, a, b)
                  : Arithmetic<Binary64>::compare(step.op, a, b);
  return floating(step.sort, single ? Arithmetic<Binary32>::apply(step.op, a, b, c)
                                    : Arithmetic<Binary64>::apply(step.op, a, b, c));
}

Interval IntervalTerm::loadStep(const FlatProgram::Step& step, const Load& load) const {
  const Interval& index = arg(step, 0);
  if (!load || !index.integer)
    return anything(step.sort);
  auto bits = load(m_program.symbols[step.symbol], *index.integer);
  return bits ? point(step.sort, *bits) : anything(step.sort);
}

Interval IntervalTerm::opaqueStep(const FlatProgram::Step& step) const {
  std::vector<Range> args;
  for (uint32_t index : m_program.argsOf(step)) {
    if (m_cells[index].sort != step.sort)
      return anything(step.sort);
    args.push_back(m_cells[index].range);
  }
  if (step.sort != Sort::F32 && step.sort != Sort::F64)
    return anything(step.sort);
  return floating(step.sort, f32::enclose(m_program.symbols[step.symbol], widthOf(step.sort), args));
}

std::vector<std::string> IntervalTerm::opaqueFunctions() const {
  std::vector<std::string> result;
  for (const FlatProgram::Step& step : m_program.steps)
    if (step.op == Op::Opaque)
      if (const std::string& name = m_program.symbols[step.symbol];
          std::find(result.begin(), result.end(), name) == result.end())
        result.push_back(name);
  return result;
}

} // namespace plumbline::logic
