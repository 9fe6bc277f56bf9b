#include "core/ir/size_expr.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace plumbline::ir {
namespace {

Expected<int64_t> valueOf(const std::string& text, const std::map<std::string, int64_t>& sizes = {}) {
  Expected<SizeExprPtr> expr = parseSizeExpr(text);
  if (!expr)
    return fail(expr.error());
  return evaluate(**expr, [&](const std::string& name) {
    auto found = sizes.find(name);
    return found == sizes.end() ? std::nullopt : std::optional<int64_t>(found->second);
  });
}

bool same(const SizeExpr& a, const SizeExpr& b) {
  if (a.kind != b.kind || a.value != b.value || a.symbol != b.symbol || a.args.size() != b.args.size())
    return false;
  for (size_t i = 0; i < a.args.size(); ++i)
    if (!same(*a.args[i], *b.args[i]))
      return false;
  return true;
}

TEST(SizeExpr, EvaluatesAsCDoes) {
  EXPECT_EQ(*valueOf("2 + 3 * 4"), 14);
  EXPECT_EQ(*valueOf("(2 + 3) * 4"), 20);
  EXPECT_EQ(*valueOf("10 - 3 - 2"), 5);
  EXPECT_EQ(*valueOf("100 / 7 / 2"), 7);
  EXPECT_EQ(*valueOf("-7 / 2"), -3);
  EXPECT_EQ(*valueOf("-7 % 2"), -1);
  EXPECT_EQ(*valueOf("7 % -2"), 1);
  EXPECT_EQ(*valueOf("-(2 + 3)"), -5);
  EXPECT_EQ(*valueOf("max(1, ceil(n / 256))", {{"n", 257}}), 2);
  EXPECT_EQ(*valueOf("max(1, ceil(n / 256))", {{"n", 0}}), 1);
  EXPECT_EQ(*valueOf("ceil((n / 4) / 256)", {{"n", 1027}}), 1);
  EXPECT_EQ(*valueOf("min(3, 1, 2)"), 1);
  EXPECT_EQ(*valueOf("x.size.0 * x.size.1", {{"x.size.0", 6}, {"x.size.1", 7}}), 42);
}

TEST(SizeExpr, CeilRoundsTowardsPositiveInfinity) {
  for (int64_t a = -20; a <= 20; ++a)
    for (int64_t b : {-7, -2, -1, 1, 3, 8}) {
      int64_t expected = a / b;
      while (expected * b < a == (b > 0) && expected * b != a)
        ++expected;
      EXPECT_EQ(*valueOf("ceil(a / b)", {{"a", a}, {"b", b}}), expected) << a << " / " << b;
    }
}

TEST(SizeExpr, ConditionsGiveZeroOrOne) {
  EXPECT_EQ(*valueOf("G * B < 2147483648", {{"G", 65536}, {"B", 32767}}), 1);
  EXPECT_EQ(*valueOf("G * B < 2147483648", {{"G", 65536}, {"B", 32768}}), 0);
  EXPECT_EQ(*valueOf("1 <= n && n != 5", {{"n", 5}}), 0);
  EXPECT_EQ(*valueOf("n % 4 == 0 && n >= 4", {{"n", 8}}), 1);
  EXPECT_EQ(*valueOf("n != 0 && 5 / n > 1", {{"n", 0}}), 0) << "the right side is not looked at";
}

TEST(SizeExpr, IntermediateValuesAreUnbounded) {
  const std::map<std::string, int64_t> sizes = {{"a", INT64_MAX}, {"b", INT64_MIN}};
  EXPECT_EQ(*valueOf("a * 4 / 4", sizes), INT64_MAX);
  EXPECT_EQ(*valueOf("b * 2 < a", sizes), 1);
  EXPECT_EQ(valueOf("a + 1", sizes).error().id, "size-overflow");
  EXPECT_EQ(valueOf("b / -1", sizes).error().id, "size-overflow");
  EXPECT_EQ(*valueOf("b % -1", sizes), 0);
  EXPECT_EQ(valueOf("a * a * a", sizes).error().id, "size-overflow");
  EXPECT_EQ(*valueOf("-9223372036854775808"), INT64_MIN);
}

TEST(SizeExpr, NamesWhatIsWrong) {
  EXPECT_EQ(valueOf("n + 1").error().id, "size-unbound");
  EXPECT_EQ(valueOf("1 / (n - n)", {{"n", 3}}).error().id, "size-division");
  EXPECT_EQ(valueOf("1 % 0").error().id, "size-division");
  for (const char* text : {"",
                           "1 +",
                           "(1",
                           "1)",
                           "a b",
                           "1 < 2 < 3",
                           "(1 < 2) + 1",
                           "1 && 2",
                           "max(1)",
                           "max(1, 2 < 3)",
                           "ceil(n)",
                           "ceil(a / b + 1)",
                           "sqrt(2)",
                           "9223372036854775808",
                           "1.5",
                           "3x",
                           "a.",
                           "a = b",
                           "-(1 < 2)",
                           "a || b",
                           "#"})
    EXPECT_EQ(valueOf(text, {{"a", 1}, {"b", 1}, {"n", 1}}).error().id, "size-expression") << text;
  EXPECT_NE(valueOf("1 + $").error().message.find("column 5"), std::string::npos);
}

TEST(SizeExpr, DeepOrLongTextIsRefused) {
  EXPECT_EQ(valueOf(std::string(3000, '(')).error().id, "size-expression");
  EXPECT_EQ(valueOf(std::string(3000, '-') + "1").error().id, "size-expression");
  std::string sum = "1";
  while (sum.size() < 5000)
    sum += "+1";
  EXPECT_EQ(valueOf(sum).error().id, "size-expression");
  EXPECT_EQ(*valueOf(sum.substr(0, 4095)), 2048);
}

TEST(SizeExpr, SymbolsAreListedOnce) {
  EXPECT_EQ(symbolsOf(**parseSizeExpr("b + a * b + c.size.0")),
            (std::vector<std::string>{"a", "b", "c.size.0"}));
}

SizeExprPtr randomNumber(std::mt19937& random, int depth) {
  using Kind = SizeExpr::Kind;
  static constexpr Kind kinds[] = {Kind::Add, Kind::Sub, Kind::Mul, Kind::Div,
                                   Kind::Rem, Kind::Max, Kind::Min, Kind::CeilDiv};
  if (depth == 0 || random() % 5 == 0)
    return random() % 2 == 0 ? sizeConstant(static_cast<int64_t>(random() % 41) - 20)
                             : sizeSymbol(std::string(1, static_cast<char>('a' + random() % 4)) + ".size.1");
  return sizeBinary(kinds[random() % 8], randomNumber(random, depth - 1), randomNumber(random, depth - 1));
}

TEST(SizeExpr, PrintedTextParsesToTheSameTree) {
  using Kind = SizeExpr::Kind;
  static constexpr Kind comparisons[] = {Kind::Lt, Kind::Le, Kind::Gt, Kind::Ge, Kind::Eq, Kind::Ne};
  std::mt19937 random(7);
  for (int i = 0; i < 3000; ++i) {
    SizeExprPtr expr = randomNumber(random, 5);
    if (i % 3 == 0)
      expr = sizeBinary(comparisons[random() % 6], expr, randomNumber(random, 3));
    if (i % 9 == 0)
      expr = sizeBinary(Kind::And, expr, sizeBinary(Kind::And, expr, expr));
    const std::string text = print(*expr);
    Expected<SizeExprPtr> parsed = parseSizeExpr(text);
    if (text.size() > 4096)
      continue;
    ASSERT_TRUE(parsed) << text << ": " << parsed.error().message;
    ASSERT_TRUE(same(*expr, **parsed)) << text << " became " << print(**parsed);
  }
}

} // namespace
} // namespace plumbline::ir
