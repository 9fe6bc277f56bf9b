#include "core/velvet/parser.h"
#include "core/velvet/printer.h"

#include "tests/method/reader.h"

#include <gtest/gtest.h>
#include <random>

namespace plumbline::velvet {
namespace {

const ExprPtr a = name("a");
const ExprPtr b = name("b");
const ExprPtr c = name("c");

std::string op(BinaryOp outer, BinaryOp inner, bool left) {
  const ExprPtr nested = binary(inner, a, b);
  return print(left ? *binary(outer, nested, c) : *binary(outer, c, nested));
}

TEST(Printer, ParenthesesFollowTheLevels) {
  EXPECT_EQ(op(BinaryOp::Multiply, BinaryOp::Add, true), "(a + b) * c");
  EXPECT_EQ(op(BinaryOp::Add, BinaryOp::Multiply, true), "a * b + c");
  EXPECT_EQ(op(BinaryOp::Subtract, BinaryOp::Subtract, true), "a - b - c");
  EXPECT_EQ(op(BinaryOp::Subtract, BinaryOp::Subtract, false), "c - (a - b)");
  EXPECT_EQ(op(BinaryOp::Implies, BinaryOp::Implies, false), "c → a → b");
  EXPECT_EQ(op(BinaryOp::Implies, BinaryOp::Implies, true), "(a → b) → c");
  EXPECT_EQ(op(BinaryOp::And, BinaryOp::Or, true), "(a ∨ b) ∧ c");
  EXPECT_EQ(op(BinaryOp::Or, BinaryOp::And, true), "a ∧ b ∨ c");
  EXPECT_EQ(op(BinaryOp::Equal, BinaryOp::Less, true), "(a < b) = c");
  EXPECT_EQ(op(BinaryOp::Equal, BinaryOp::BoolEqual, true), "(a == b) = c");
  EXPECT_EQ(op(BinaryOp::Less, BinaryOp::Add, false), "c < a + b");
}

TEST(Printer, PrefixesAndApplications) {
  EXPECT_EQ(print(*unary(UnaryOp::Not, binary(BinaryOp::Less, a, b))), "¬ (a < b)");
  EXPECT_EQ(print(*unary(UnaryOp::Negate, binary(BinaryOp::Add, a, b))), "-(a + b)");
  EXPECT_EQ(print(*apply("f", {unary(UnaryOp::Negate, a), apply("g", {b})})), "f (-a) (g b)");
  EXPECT_EQ(print(*number(-3)), "-3");
  EXPECT_EQ(print(*apply("f", {number(-3)})), "f (-3)");
  EXPECT_EQ(print(*number(INT64_MIN)), "-9223372036854775808");
  EXPECT_EQ(print(*element(name("in"), field(binary(BinaryOp::Add, a, b), "toNat"))), "«in»[(a + b).toNat]!");
  EXPECT_EQ(print(*ascribe(binary(BinaryOp::Add, a, b), "Int")), "(a + b : Int)");
  EXPECT_EQ(print(*applyTo(field(name("y"), "set!"), {a, element(b, c)})), "y.set! a b[c]!");
  EXPECT_EQ(print(*hexNumber(0x3f800000, 8)), "0x3F800000");
  EXPECT_EQ(print(*hexNumber(0, 8)), "0x00000000");
}

TEST(Printer, WhatTakesEverythingToItsRightIsEnclosed) {
  const ExprPtr choice = ifThenElse(binary(BinaryOp::Less, a, b), a, b);
  EXPECT_EQ(print(*choice), "if a < b then a else b");
  EXPECT_EQ(print(*binary(BinaryOp::Add, choice, c)), "(if a < b then a else b) + c");
  EXPECT_EQ(print(*ifThenElse(a, b, choice)), "if a then b else (if a < b then a else b)");
  EXPECT_EQ(print(*forall("k", "Nat", forall("j", "Nat", a))), "∀ k : Nat, ∀ j : Nat, a");
  EXPECT_EQ(print(*binary(BinaryOp::And, forall("k", "Nat", a), b)), "(∀ k : Nat, a) ∧ b");
}

/// Trees of every form, for the reader to read back.
class Trees {
public:
  ExprPtr make(int depth) {
    if (depth == 0)
      return m_random() % 3 == 0 ? number(static_cast<int64_t>(m_random() % 100))
                                 : name(std::string(1, "abcxyz"[m_random() % 6]));
    auto next = [&] { return make(depth - 1); };
    switch (m_random() % 9) {
    case 0: return apply("f", {next(), next()});
    case 1: return element(name("x"), next());
    case 2: return ascribe(next(), "Int");
    case 3: return unary(static_cast<UnaryOp>(m_random() % 3), next());
    case 4: return ifThenElse(next(), next(), next());
    case 5: return m_random() % 2 == 0 ? forall("k", "Nat", next()) : exists("k", "Bool", next());
    case 6: return pair(next(), next());
    default: return binary(static_cast<BinaryOp>(m_random() % 21), next(), next());
    }
  }

private:
  std::mt19937 m_random{11};
};

TEST(Printer, EveryTreeReadsBackAsItself) {
  Trees trees;
  for (int i = 0; i < 20000; ++i) {
    const ExprPtr tree = trees.make(1 + i % 5);
    const auto read = method_test::readExpression(print(*tree));
    ASSERT_TRUE(read) << print(*tree);
    ASSERT_TRUE(equal(**read, *tree)) << print(*tree) << "\n" << print(**read);
    const ExprPtr parsed = parseExpression(print(*tree));
    ASSERT_TRUE(parsed) << print(*tree);
    ASSERT_TRUE(equal(*parsed, *tree)) << print(*tree) << "\n" << print(*parsed);
  }
}

TEST(Printer, LinesCarryTheirOrigins) {
  Document document;
  document.items.emplace_back(Import{"Velvet"});
  Method method;
  method.name = "m";
  method.resultName = "end";
  method.resultType = "Nat";
  method.origin.cuda = {{"k.cu", 3, 1, 3, 9}};
  method.requirements.push_back({"m_pos", binary(BinaryOp::Less, number(0), a), {{}, {"x"}, true}, "why"});
  method.body.push_back(letStmt("end", "Nat", number(0), {{{"k.cu", 4, 1, 4, 5}}, {}, true}, true));
  method.body.push_back(returnStmt(name("end"), {}));
  document.items.emplace_back(method);
  document.items.emplace_back(Proof{"m", {"d"}});
  const PrintedDocument printed = print(document, Dialect::Velvet2);
  EXPECT_EQ(printed.text, "import Velvet\n"
                          "\n"
                          "method m\n"
                          "  returns («end» : Nat)\n"
                          "  -- why\n"
                          "  requires m_pos: (0 < a)\n"
                          "do\n"
                          "  let mut «end» : Nat := 0\n"
                          "  return «end»\n"
                          "\n"
                          "prove_correct m by\n"
                          "  velvet_vcgen [m, d] with try finish\n");
  ASSERT_EQ(printed.lines.size(), 12U);
  EXPECT_EQ(printed.lines[2].cuda.at(0).line, 3);
  EXPECT_EQ(printed.lines[5].nodes, std::vector<std::string>{"x"});
  EXPECT_EQ(printed.lines[7].cuda.at(0).line, 4);
  EXPECT_TRUE(printed.lines[8].locked);
  EXPECT_FALSE(printed.lines[10].locked);
}

TEST(Printer, DialectsHaveNames) {
  EXPECT_EQ(dialectFromName("velvet2"), Dialect::Velvet2);
  EXPECT_EQ(dialectFromName("velvet-cav"), Dialect::VelvetCav);
  EXPECT_EQ(dialectFromName("velvet"), std::nullopt);
  EXPECT_EQ(name(Dialect::Velvet2), "velvet2");
}

} // namespace
} // namespace plumbline::velvet
