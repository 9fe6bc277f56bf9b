#include "core/torch/sym_expr.h"

#include <gtest/gtest.h>

namespace plumbline::torch {
namespace {

int64_t valueOf(const std::string& text, int64_t s0, int64_t s1) {
  auto size = parseSymbolicSize(text);
  if (!size) {
    ADD_FAILURE() << toString(size.error());
    return -1;
  }
  auto value = ir::evaluate(
      **size, [&](const std::string& name) -> std::optional<int64_t> { return name == "s0" ? s0 : s1; });
  EXPECT_TRUE(value.has_value()) << text;
  return value.value_or(-1);
}

/// Division that rounds down, as Python's //.
int64_t floorDiv(int64_t a, int64_t b) {
  int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

constexpr const char* s0 = "Symbol('s0', positive=True, integer=True)";
constexpr const char* s1 = "Symbol('s1', positive=True, integer=True)";

TEST(SymbolicSize, ConstructorText) {
  const std::string a = s0;
  const std::string b = s1;
  for (int64_t x : {1, 2, 3, 7, 12})
    for (int64_t y : {1, 5}) {
      EXPECT_EQ(valueOf(a, x, y), x);
      EXPECT_EQ(valueOf("Integer(-3)", x, y), -3);
      EXPECT_EQ(valueOf("Add(" + a + ", Integer(-2), " + b + ")", x, y), x - 2 + y);
      EXPECT_EQ(valueOf("Mul(Integer(2), " + a + ", " + b + ")", x, y), 2 * x * y);
      EXPECT_EQ(valueOf("Pow(" + a + ", Integer(3))", x, y), x * x * x);
      EXPECT_EQ(valueOf("FloorDiv(Add(" + a + ", Integer(-6)), Integer(4))", x, y), floorDiv(x - 6, 4));
      EXPECT_EQ(valueOf("FloorDiv(" + a + ", Integer(2))", x, y), x / 2);
      EXPECT_EQ(valueOf("Mod(Add(" + a + ", Integer(-6)), Integer(4))", x, y),
                x - 6 - 4 * floorDiv(x - 6, 4));
      EXPECT_EQ(valueOf("CeilDiv(" + a + ", Integer(5))", x, y), (x + 4) / 5);
      EXPECT_EQ(valueOf("Max(" + a + ", " + b + ")", x, y), std::max(x, y));
      EXPECT_EQ(valueOf("GreaterThan(" + a + ", Integer(3))", x, y), x >= 3 ? 1 : 0);
    }
}

TEST(SymbolicSize, PlainText) {
  for (int64_t x : {1, 3, 8}) {
    EXPECT_EQ(valueOf("s0*s1", x, 5), 5 * x);
    EXPECT_EQ(valueOf("2*s0 - 1", x, 5), 2 * x - 1);
    EXPECT_EQ(valueOf("s0**2 + s1", x, 5), x * x + 5);
    EXPECT_EQ(valueOf("((s0 - 5)//2)", x, 5), floorDiv(x - 5, 2));
    EXPECT_EQ(valueOf("-s0 + 10", x, 5), 10 - x);
  }
}

TEST(SymbolicSize, NamedErrors) {
  const std::string deep(300, '(');
  std::string power = s0;
  for (int i = 0; i < 20; ++i)
    power = "Pow(" + power + ", Integer(8))";
  for (const std::string& text :
       {std::string(), std::string("Symbol('u0', integer=True)"), std::string("u0"), std::string("sin(s0)"),
        std::string("s0 s1"), std::string("s0**s1"), std::string("s0//0"), std::string("s0 + "),
        std::string("Add("), std::string("99999999999999999999"), std::string("Symbol(s0)"), deep,
        std::string(10000, '-'), power, std::string(5000, '1')}) {
    auto size = parseSymbolicSize(text);
    ASSERT_FALSE(size.has_value()) << text.substr(0, 80);
    EXPECT_EQ(size.error().id, "symbolic-size");
  }
}

} // namespace
} // namespace plumbline::torch
