// Intervals against mpmath's values (function_values.txt), exact rationals, and each other.
#include "core/f32/interval.h"

#include "core/f32/elementary.h"

#include <fstream>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <sstream>

namespace plumbline::f32 {
namespace {

using Kind = Image::Kind;

constexpr std::string_view kUnary[] = {"exp",   "exp2", "exp10", "expm1", "log",   "log2",  "log10",
                                       "log1p", "sin",  "cos",   "tan",   "asin",  "acos",  "atan",
                                       "sinh",  "cosh", "tanh",  "asinh", "acosh", "atanh", "erf",
                                       "erfc",  "cbrt", "rsqrt", "sqrt"};
constexpr std::string_view kBinary[] = {"pow", "atan2", "hypot", "divide"};

Rational power2(long exponent) {
  return scaled(1, exponent);
}

Interval around(const Rational& value, int precision = 128) {
  return Interval::around(value, precision);
}

Image imageAt(std::string_view function, const std::vector<Rational>& args, int precision) {
  std::vector<Interval> intervals;
  for (const Rational& arg : args)
    intervals.push_back(around(arg, precision));
  return image(function, intervals, precision);
}

/// A line of the table: function, arguments, value.
struct Row {
  std::string function;
  std::vector<Rational> args;
  std::string value;
};

std::vector<Row> table() {
  std::ifstream file(PLUMBLINE_SOURCE_DIR "/tests/unit/f32/function_values.txt");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    Row row;
    words >> row.function;
    for (int k = functionArity(row.function) == 2 ? 2 : 1; k > 0; --k) {
      std::string arg;
      words >> arg;
      row.args.push_back(parseExact(arg).value());
    }
    words >> row.value;
    rows.push_back(std::move(row));
  }
  return rows;
}

TEST(IntervalImage, ContainsTheValuesOfMpmath) {
  std::set<std::string> functions;
  for (const Row& row : table()) {
    functions.insert(row.function);
    const Image result = imageAt(row.function, row.args, 128);
    const std::string label = row.function + " at " + toString(row.args[0]);
    if (row.value == "undefined") {
      EXPECT_EQ(result.kind, Kind::Outside) << label;
      continue;
    }
    ASSERT_EQ(result.kind, Kind::Inside) << label;
    // The table's last digit is rounded; 60 digits are far more than 128 bits.
    const Rational value = parseExact(row.value).value();
    const Rational last = ::abs(value) * parseExact("1e-59").value();
    EXPECT_TRUE(result.values.overlaps(Interval::between(value - last, value + last, 300))) << label;
    EXPECT_TRUE(result.values.isNarrow(120, -1200)) << label;
  }
  EXPECT_EQ(functions.size(), std::size(kUnary) + std::size(kBinary));
}

TEST(IntervalImage, DecimalDigitsAreThoseOfMpmath) {
  size_t compared = 0;
  for (const Row& row : table()) {
    const Image result = imageAt(row.function, row.args, 256);
    if (result.kind != Kind::Inside || result.values.point())
      continue;
    const DecimalText text = decimalText(result.values, 30);
    const Rational value = parseExact(row.value).value();
    const Rational digits = parseExact(text.digits).value();
    EXPECT_LE(::abs(digits - value) * 2, ::abs(value) * parseExact("1e-29").value()) << row.function;
    EXPECT_LE(parseExact(text.low).value(), value);
    EXPECT_GE(parseExact(text.high).value(), value);
    ++compared;
  }
  EXPECT_GT(compared, 400U);
}

class RandomIntervals : public testing::Test {
protected:
  Rational number() {
    const auto top = static_cast<long>(m_random() % 2000001) - 1000000;
    const auto bottom = static_cast<long>(m_random() % 1000000) + 1;
    return scaled(Rational(top) / Rational(bottom), static_cast<long>(m_random() % 9) - 6);
  }
  /// Two numbers in order, close to each other or not.
  std::pair<Rational, Rational> pair() {
    const Rational first = number();
    const Rational second = m_random() % 2 == 0 ? number() : first + ::abs(number()) / 1000;
    return {std::min(first, second), std::max(first, second)};
  }
  Rational inside(const std::pair<Rational, Rational>& ends) {
    return ends.first + (ends.second - ends.first) * static_cast<long>(m_random() % 101) / 100;
  }

private:
  std::mt19937 m_random{20240901};
};

TEST_F(RandomIntervals, ImagesOfPartsArePartsOfTheImage) {
  size_t compared = 0;
  for (int round = 0; round < 400; ++round)
    for (const auto& names :
         {std::span<const std::string_view>(kUnary), std::span<const std::string_view>(kBinary)})
      for (std::string_view function : names) {
        std::vector<Interval> wide;
        std::vector<Rational> points;
        for (size_t k = 0; k < (names.size() == std::size(kUnary) ? 1U : 2U); ++k) {
          const auto ends = pair();
          wide.push_back(Interval::between(ends.first, ends.second, 64));
          points.push_back(inside(ends));
        }
        const Image whole = image(function, wide, 64);
        const Image part = imageAt(function, points, 256);
        if (whole.kind == Kind::Straddles)
          continue;
        ASSERT_EQ(whole.kind, part.kind) << function << " at " << points[0];
        if (whole.kind != Kind::Inside)
          continue;
        ++compared;
        ASSERT_TRUE(whole.values.contains(part.values)) << function << " at " << points[0];
      }
  EXPECT_GT(compared, 6000U);
}

TEST_F(RandomIntervals, MorePrecisionNests) {
  for (int round = 0; round < 200; ++round)
    for (std::string_view function : kUnary) {
      const std::vector<Rational> at = {number()};
      Image wider = imageAt(function, at, 53);
      for (int precision : {80, 128, 500}) {
        const Image narrower = imageAt(function, at, precision);
        ASSERT_NE(narrower.kind, Kind::Unknown);
        if (wider.kind == Kind::Inside) {
          ASSERT_EQ(narrower.kind, Kind::Inside) << function;
          ASSERT_TRUE(wider.values.contains(narrower.values)) << function << " at " << at[0];
        }
        wider = narrower;
      }
    }
}

TEST_F(RandomIntervals, ArithmeticContainsTheExactResults) {
  for (int round = 0; round < 5000; ++round) {
    const auto first = pair();
    const auto second = pair();
    const Interval a = Interval::between(first.first, first.second, 40);
    const Interval b = Interval::between(second.first, second.second, 40);
    const Rational x = inside(first);
    const Rational y = inside(second);
    ASSERT_TRUE(add(a, b, 40).contains(x + y));
    ASSERT_TRUE(subtract(a, b, 40).contains(x - y));
    ASSERT_TRUE(multiply(a, b, 40).contains(x * y));
    ASSERT_TRUE(square(a, 40).contains(x * x));
    ASSERT_FALSE(square(a, 40).contains(-1));
    ASSERT_TRUE(negate(a).contains(-x));
    ASSERT_TRUE(absolute(a).contains(::abs(x)));
    ASSERT_TRUE(larger(a, b).contains(std::max(x, y)));
    ASSERT_TRUE(smaller(a, b).contains(std::min(x, y)));
    ASSERT_TRUE(hull(a, b).contains(x) && hull(a, b).contains(y));
    if (surelyLess(a, b))
      ASSERT_LT(x, y);
    const Image quotient = image("divide", std::vector<Interval>{a, b}, 40);
    if (quotient.kind == Kind::Inside)
      ASSERT_TRUE(quotient.values.contains(x / y));
    else
      ASSERT_TRUE(b.contains(0));
  }
}

TEST(IntervalImage, WavesReachTheirExtremes) {
  const auto over = [](std::string_view function, const char* low, const char* high) {
    const Interval x = Interval::between(parseExact(low).value(), parseExact(high).value(), 64);
    return image(function, std::span(&x, 1), 64);
  };
  // A highest point of the sine only: between sin 1 = 0.8414709848 and 1.
  const Image hill = over("sin", "1", "2");
  EXPECT_TRUE(hill.values.contains(1));
  EXPECT_FALSE(hill.values.contains(parseExact("0.8414709").value()));
  EXPECT_TRUE(hill.values.contains(parseExact("0.8414710").value()));
  // cos falls from cos 1 = 0.54030 to cos 3 = -0.98999 without an extreme; pi is one.
  EXPECT_FALSE(over("cos", "1", "3").values.contains(-1));
  EXPECT_TRUE(over("cos", "1", "3.2").values.contains(-1));
  EXPECT_FALSE(over("cos", "1", "3.2").values.contains(parseExact("0.5404").value()));
  EXPECT_TRUE(over("sin", "-100", "100").values.contains(-1));
  EXPECT_EQ(over("tan", "1.5", "1.6").kind, Kind::Straddles);
  EXPECT_EQ(over("tan", "1.6", "1.7").kind, Kind::Inside);
  EXPECT_TRUE(over("cosh", "-1", "2").values.contains(1));
  EXPECT_FALSE(over("cosh", "-1", "2").values.contains(parseExact("0.999").value()));
}

TEST(IntervalImage, ArgumentsBeyondAllMeasure) {
  for (std::string_view function : kUnary) // nothing takes forever, and what is known stays
    for (const Rational& x : {power2(20000), Rational(-power2(20000)), power2(-20000)})
      EXPECT_NE(imageAt(function, {x}, 64).kind, Kind::Unknown) << function;
  const Image huge = imageAt("exp", {power2(100)}, 64);
  ASSERT_EQ(huge.kind, Kind::Inside);
  EXPECT_FALSE(huge.values.contains(power2(1000000)));
  EXPECT_EQ(decimalText(huge.values, 20).digits, "");
  EXPECT_EQ(decimalText(huge.values, 20).high, "inf");
  const Image inverse = image("divide", std::vector<Interval>{around(1), huge.values}, 64);
  EXPECT_TRUE(inverse.values.contains(0));
  EXPECT_FALSE(inverse.values.contains(power2(-1000000)));
  EXPECT_TRUE(subtract(huge.values, huge.values, 64).contains(power2(1000000)));
}

TEST(IntervalImage, EdgesOfDomains) {
  const Interval acrossZero = Interval::between(Rational(-1, 1000), Rational(1, 1000), 64);
  const Interval fromZero = Interval::between(0, 1, 64);
  auto kindOf = [](std::string_view function, const std::vector<Interval>& args) {
    return image(function, args, 64).kind;
  };
  EXPECT_EQ(kindOf("log", {acrossZero}), Kind::Straddles);
  EXPECT_EQ(kindOf("log", {fromZero}), Kind::Straddles);
  EXPECT_EQ(kindOf("sqrt", {acrossZero}), Kind::Straddles);
  EXPECT_EQ(kindOf("sqrt", {fromZero}), Kind::Inside);
  EXPECT_EQ(kindOf("divide", {around(1), acrossZero}), Kind::Straddles);
  EXPECT_EQ(kindOf("divide", {around(1), around(0)}), Kind::Outside);
  EXPECT_EQ(kindOf("pow", {acrossZero, around(Rational(1, 2))}), Kind::Straddles);
  EXPECT_EQ(kindOf("pow", {acrossZero, around(3)}), Kind::Inside);
  EXPECT_EQ(kindOf("pow", {acrossZero, around(-2)}), Kind::Straddles);
  EXPECT_EQ(kindOf("pow", {around(0), around(-2)}), Kind::Outside);
  EXPECT_EQ(kindOf("pow", {around(-1), around(Rational(1, 2))}), Kind::Outside);
  EXPECT_EQ(kindOf("pow", {around(-1), fromZero}), Kind::Straddles);
  EXPECT_EQ(kindOf("atan2", {acrossZero, around(-1)}), Kind::Straddles);
  EXPECT_EQ(kindOf("atan2", {acrossZero, around(1)}), Kind::Inside);
  EXPECT_EQ(kindOf("atan2", {around(0), around(0)}), Kind::Outside);
  EXPECT_EQ(kindOf("exp", {around(1), around(1)}), Kind::Unknown);
  EXPECT_EQ(kindOf("frobnicate", {around(1)}), Kind::Unknown);
}

TEST(IntervalText, RoundsOutward) {
  const DecimalText third = decimalText(around(Rational(1, 3), 64), 10);
  EXPECT_EQ(third.digits, "0.3333333333");
  EXPECT_EQ(third.low, "0.33333333333333");
  EXPECT_EQ(third.high, "0.33333333333334");
  const DecimalText wide = decimalText(Interval::between(Rational(-5, 4), Rational(3, 2), 64), 10);
  EXPECT_EQ(wide.digits, "");
  EXPECT_EQ(wide.low, "-1.250");
  EXPECT_EQ(wide.high, "1.500");
  // 1.4994 and 1.4996 agree in three digits when rounded, not in four.
  EXPECT_EQ(decimalText(Interval::between(parseExact("1.4994").value(), parseExact("1.4996").value(), 64), 10)
                .digits,
            "1.50");
  EXPECT_EQ(decimalText(around(parseExact("1.5e30").value(), 20), 3).digits, "1.50e30");
  EXPECT_EQ(decimalText(around(parseExact("-1.5e-30").value(), 20), 3).digits, "-1.50e-30");
  EXPECT_EQ(decimalText(around(parseExact("-0.00125").value(), 40), 3).digits, "-0.00125");
}

TEST(Interval, WidthAndPoints) {
  EXPECT_EQ(around(Rational(5, 8)).point(), Rational(5, 8));
  EXPECT_EQ(around(Rational(1, 3)).point(), std::nullopt);
  EXPECT_EQ(around(power2(200000)).point(), std::nullopt) << "too long to write out";
  EXPECT_TRUE(around(Rational(1, 3), 128).isNarrow(126, -1200));
  EXPECT_FALSE(around(Rational(1, 3), 128).isNarrow(130, -1200));
  EXPECT_TRUE(Interval::between(0, power2(-1200), 64).isNarrow(64, -1200));
  EXPECT_FALSE(Interval::between(0, power2(-1190), 64).isNarrow(64, -1200));
  EXPECT_EQ(around(Rational(1, 3)).lowWithin(Rational(1, 4)), Rational(1, 4));
}

} // namespace
} // namespace plumbline::f32
