#include "core/f32/elementary.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plumbline::f32 {

namespace {

/// How the function's values over a range follow from those at its ends.
enum class Shape : uint8_t { Increasing, Decreasing, Wave, Points };

/// Error bounds of one function. A negative bound means "none documented".
struct Bounds {
  std::string_view name;
  Shape shape;
  int single;       ///< CUDA's binary32 function, in ulps
  int wide;         ///< CUDA's binary64 function, in ulps
  float domainLow;  ///< below it the value is NaN
  float domainHigh; ///< above it the value is NaN
};

constexpr float kInf = INFINITY;

constexpr std::array kBounds = {
    Bounds{"exp", Shape::Increasing, 2, 1, -kInf, kInf},
    Bounds{"exp2", Shape::Increasing, 2, 1, -kInf, kInf},
    Bounds{"exp10", Shape::Increasing, 2, 1, -kInf, kInf},
    Bounds{"expm1", Shape::Increasing, 1, 1, -kInf, kInf},
    Bounds{"log", Shape::Increasing, 1, 1, -0.0F, kInf},
    Bounds{"log2", Shape::Increasing, 3, 1, -0.0F, kInf},
    Bounds{"log10", Shape::Increasing, 3, 1, -0.0F, kInf},
    Bounds{"log1p", Shape::Increasing, 1, 1, -1.0F, kInf},
    Bounds{"sin", Shape::Wave, 2, 2, -kInf, kInf},
    Bounds{"cos", Shape::Wave, 2, 2, -kInf, kInf},
    Bounds{"tan", Shape::Points, 4, 2, -kInf, kInf},
    Bounds{"asin", Shape::Increasing, 4, 2, -1.0F, 1.0F},
    Bounds{"acos", Shape::Decreasing, 3, 2, -1.0F, 1.0F},
    Bounds{"atan", Shape::Increasing, 2, 2, -kInf, kInf},
    Bounds{"sinh", Shape::Increasing, 3, 2, -kInf, kInf},
    Bounds{"cosh", Shape::Points, 2, 1, -kInf, kInf},
    Bounds{"tanh", Shape::Increasing, 2, 2, -kInf, kInf},
    Bounds{"asinh", Shape::Increasing, 3, 3, -kInf, kInf},
    Bounds{"acosh", Shape::Increasing, 4, 3, 1.0F, kInf},
    Bounds{"atanh", Shape::Increasing, 3, 2, -1.0F, 1.0F},
    Bounds{"erf", Shape::Increasing, 2, 2, -kInf, kInf},
    Bounds{"erfc", Shape::Decreasing, 6, 5, -kInf, kInf},
    Bounds{"cbrt", Shape::Increasing, 1, 1, -kInf, kInf},
    Bounds{"rsqrt", Shape::Decreasing, 2, 1, -0.0F, kInf},
    Bounds{"pow", Shape::Points, 8, 2, -kInf, kInf},
    Bounds{"atan2", Shape::Points, 3, 2, -kInf, kInf},
    Bounds{"hypot", Shape::Points, 3, 2, -kInf, kInf},
};

const Bounds* findBounds(std::string_view canonical) {
  const auto* found = std::find_if(kBounds.begin(), kBounds.end(),
                                   [&](const Bounds& bounds) { return bounds.name == canonical; });
  return found == kBounds.end() ? nullptr : found;
}

bool isAten(std::string_view spelling) {
  return spelling.starts_with("aten.");
}
bool isIntrinsic(std::string_view spelling) {
  return spelling.starts_with("__");
}

uint64_t infinityBits(Width width) {
  return width == Width::Binary32 ? Soft<Binary32>::infinity : Soft<Binary64>::infinity;
}
bool isNanBits(uint64_t bits, Width width) {
  return width == Width::Binary32 ? Soft<Binary32>::isNan(static_cast<uint32_t>(bits))
                                  : Soft<Binary64>::isNan(bits);
}
uint64_t fromFloat(float value, Width width) {
  auto bits = std::bit_cast<uint32_t>(value);
  return width == Width::Binary32 ? bits : convert<Binary32, Binary64>(bits);
}

/// `bits` moved by a number of representable values, kept within the infinities.
uint64_t stepped(uint64_t bits, int64_t steps, Width width) {
  int64_t limit = orderedKey(infinityBits(width), width);
  return fromOrderedKey(std::clamp(orderedKey(bits, width) + steps, -limit - 1, limit), width);
}

/// Ulps allowed for a spelling when the largest argument has this magnitude; nothing when no bound is
/// documented.
std::optional<int64_t> allowedUlps(std::string_view spelling, const Bounds& bounds, Width width,
                                   double magnitude) {
  if (spelling == "__expf")
    return magnitude < 1000 ? std::optional<int64_t>(2 + static_cast<int64_t>(std::floor(1.173 * magnitude)))
                            : std::nullopt;
  if (isIntrinsic(spelling))
    return std::nullopt;
  // PyTorch's vectorised CPU versions of these are not within any small number of ulps
  // (core/spec/KNOWN_DIFFERENCES.md, rows erf-cpu and log1p-huge).
  if (spelling == "aten.erf" || spelling == "aten.log1p")
    return std::nullopt;
  int ulps = width == Width::Binary32 ? bounds.single : bounds.wide;
  return isAten(spelling) ? std::max(2, ulps) : ulps;
}

double magnitudeOf(const Range& range, Width width) {
  auto value = [&](uint64_t bits) {
    uint64_t wide =
        width == Width::Binary32 ? convert<Binary32, Binary64>(static_cast<uint32_t>(bits)) : bits;
    return std::fabs(std::bit_cast<double>(wide));
  };
  return std::max(value(range.low), value(range.high));
}

/// Zero and the infinities, where functions of one argument are exact.
bool isSpecialPoint(uint64_t bits, Width width) {
  uint64_t magnitude = width == Width::Binary32 ? Soft<Binary32>::magnitude(static_cast<uint32_t>(bits))
                                                : Soft<Binary64>::magnitude(bits);
  return magnitude == 0 || magnitude == infinityBits(width);
}

/// The correctly rounded value at a point, moved outwards by the error bound.
uint64_t bound(const Bounds& function, std::string_view spelling, Width width, uint64_t argument,
               int64_t steps) {
  uint64_t value = elementaryValue(function.name, width, std::span(&argument, 1)).value_or(0);
  if (isSpecialPoint(argument, width) && !isIntrinsic(spelling))
    return value;
  return stepped(value, steps, width);
}

/// The part of `range` on which the function is defined; what is cut off gives NaN.
Range clipped(const Range& range, const Bounds& function, Width width) {
  int64_t low =
      std::max(orderedKey(range.low, width), orderedKey(fromFloat(function.domainLow, width), width));
  int64_t high =
      std::min(orderedKey(range.high, width), orderedKey(fromFloat(function.domainHigh, width), width));
  bool cut = low != orderedKey(range.low, width) || high != orderedKey(range.high, width);
  if (low > high)
    return {0, 0, true, true};
  return {fromOrderedKey(low, width), fromOrderedKey(high, width), false, range.mayBeNan || cut};
}

Range encloseMonotone(const Bounds& function, std::string_view spelling, Width width, const Range& domain,
                      int64_t ulps) {
  bool increasing = function.shape == Shape::Increasing;
  uint64_t atLow = increasing ? domain.low : domain.high;
  uint64_t atHigh = increasing ? domain.high : domain.low;
  Range result{bound(function, spelling, width, atLow, -ulps), bound(function, spelling, width, atHigh, ulps),
               false, domain.mayBeNan};
  // 1/sqrt jumps from -inf at -0 to +inf at +0.
  bool crossesZero =
      function.name == "rsqrt" && orderedKey(domain.low, width) < 0 && domain.low != domain.high;
  if (crossesZero)
    result = Range{fromFloat(-kInf, width), infinityBits(width), false, domain.mayBeNan};
  // Special points are exact but their neighbours are widened, which may reach past them.
  if (domain.low != domain.high) {
    result.low = stepped(result.low, -ulps, width);
    result.high = stepped(result.high, ulps, width);
  }
  // The fast intrinsics may flush subnormal results to zero.
  return isIntrinsic(spelling) ? hull(result, pointRange(0, width), width) : result;
}

Range enclosePoint(const Bounds& function, std::string_view spelling, Width width,
                   std::span<const Range> args) {
  std::array<uint64_t, 2> values{};
  for (size_t i = 0; i < args.size(); ++i)
    values.at(i) = args[i].low;
  auto ulps = allowedUlps(spelling, function, width, magnitudeOf(args[0], width));
  auto value = elementaryValue(function.name, width, std::span(values).first(args.size()));
  if (!ulps || !value)
    return wholeRange(width);
  if (isNanBits(*value, width))
    return pointRange(*value, width);
  if (args.size() == 1 && isSpecialPoint(values[0], width) && !isIntrinsic(spelling))
    return pointRange(*value, width);
  return {stepped(*value, -*ulps, width), stepped(*value, *ulps, width), false, false};
}

bool isPoint(const Range& range) {
  return !range.empty && !range.mayBeNan && range.low == range.high;
}

Range encloseUnary(const Bounds& function, std::string_view spelling, Width width, const Range& arg) {
  Range domain = clipped(arg, function, width);
  if (domain.empty)
    return domain;
  auto ulps = allowedUlps(spelling, function, width, magnitudeOf(domain, width));
  if (!ulps)
    return wholeRange(width);
  if (function.shape == Shape::Increasing || function.shape == Shape::Decreasing)
    return encloseMonotone(function, spelling, width, domain, *ulps);
  if (isPoint(arg))
    return enclosePoint(function, spelling, width, std::span(&arg, 1));
  if (function.shape != Shape::Wave)
    return wholeRange(width);
  return {stepped(fromFloat(-1.0F, width), -*ulps, width), stepped(fromFloat(1.0F, width), *ulps, width),
          false, true};
}

struct Spelling {
  std::string_view text;
  std::string_view canonical;
};
/// Spellings that do not follow the pattern "aten.NAME", "NAME", "NAMEf".
constexpr std::array kSpellings = {
    Spelling{"__expf", "exp"},   Spelling{"__exp10f", "exp10"},    Spelling{"__logf", "log"},
    Spelling{"__log2f", "log2"}, Spelling{"__log10f", "log10"},    Spelling{"__sinf", "sin"},
    Spelling{"__cosf", "cos"},   Spelling{"__tanf", "tan"},        Spelling{"__powf", "pow"},
    Spelling{"__tanhf", "tanh"}, Spelling{"__frsqrt_rn", "rsqrt"}, Spelling{"__fdividef", "divide"},
};

} // namespace

std::optional<std::string_view> canonicalFunction(std::string_view spelling) {
  for (const Spelling& entry : kSpellings)
    if (entry.text == spelling)
      return entry.canonical;
  std::string_view name = isAten(spelling) ? spelling.substr(5) : spelling;
  if (const Bounds* bounds = findBounds(name))
    return bounds->name;
  if (!isAten(spelling) && name.ends_with('f'))
    if (const Bounds* bounds = findBounds(name.substr(0, name.size() - 1)))
      return bounds->name;
  return std::nullopt;
}

int64_t orderedKey(uint64_t bits, Width width) {
  uint64_t sign = width == Width::Binary32 ? uint64_t{1} << 31 : uint64_t{1} << 63;
  auto magnitude = static_cast<int64_t>(bits & ~sign);
  return (bits & sign) != 0 ? -magnitude - 1 : magnitude;
}

uint64_t fromOrderedKey(int64_t key, Width width) {
  uint64_t sign = width == Width::Binary32 ? uint64_t{1} << 31 : uint64_t{1} << 63;
  return key >= 0 ? static_cast<uint64_t>(key) : sign | static_cast<uint64_t>(-(key + 1));
}

Range wholeRange(Width width) {
  return {fromFloat(-kInf, width), infinityBits(width), false, true};
}

Range pointRange(uint64_t bits, Width width) {
  if (isNanBits(bits, width))
    return {0, 0, true, true};
  return {bits, bits, false, false};
}

Range hull(const Range& a, const Range& b, Width width) {
  bool mayBeNan = a.mayBeNan || b.mayBeNan;
  if (a.empty || b.empty) {
    Range result = a.empty ? b : a;
    result.mayBeNan = mayBeNan;
    return result;
  }
  bool lowA = orderedKey(a.low, width) <= orderedKey(b.low, width);
  bool highA = orderedKey(a.high, width) >= orderedKey(b.high, width);
  return {lowA ? a.low : b.low, highA ? a.high : b.high, false, mayBeNan};
}

bool disjoint(const Range& a, const Range& b, Width width) {
  if (a.mayBeNan && b.mayBeNan)
    return false;
  return a.empty || b.empty || orderedKey(a.high, width) < orderedKey(b.low, width) ||
         orderedKey(b.high, width) < orderedKey(a.low, width);
}

Range enclose(std::string_view spelling, Width width, std::span<const Range> args) {
  auto canonical = canonicalFunction(spelling);
  const Bounds* function = canonical ? findBounds(*canonical) : nullptr;
  if (function == nullptr || static_cast<int>(args.size()) != functionArity(function->name))
    return wholeRange(width);
  if (args.size() == 1)
    return args[0].empty ? Range{0, 0, true, true} : encloseUnary(*function, spelling, width, args[0]);
  bool points = std::all_of(args.begin(), args.end(), isPoint);
  return points ? enclosePoint(*function, spelling, width, args) : wholeRange(width);
}

std::optional<std::string> errorBound(std::string_view spelling, Width width) {
  auto canonical = canonicalFunction(spelling);
  const Bounds* function = canonical ? findBounds(*canonical) : nullptr;
  if (function == nullptr)
    return std::nullopt;
  if (spelling == "__expf")
    return std::string("__expf: 2 + floor(abs(1.173 * x)) ulp");
  auto ulps = allowedUlps(spelling, *function, width, 0);
  if (!ulps)
    return std::nullopt;
  return std::string(spelling) + ": " + std::to_string(*ulps) + " ulp";
}

} // namespace plumbline::f32
