#include "core/base/json.h"
#include "core/engine/solver.h"
#include "tests/unit/engine/leaf_terms.h"

#include <cstdlib>
#include <gtest/gtest.h>

namespace plumbline::engine {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;

class SmtTextTest : public ::testing::Test, public plumbline::testing::LeafTerms {
protected:
  Expected<SmtQuery> query(std::vector<TermId> assertions, SmtReading reading) {
    SmtOptions options;
    options.reading = reading;
    options.canonicalOpaque = [](std::string_view spelling) {
      return spelling == "aten.exp" || spelling == "expf" ? std::string("exp") : std::string(spelling);
    };
    return smtQuery(store, assertions, options);
  }

  /// Compares with tests/golden/smt/NAME.smt2, and asks a solver whether the text means what the test says.
  /// To change an expectation, edit that file by hand.
  void expectGolden(const std::string& name, const std::vector<TermId>& assertions, SmtReading reading,
                    SolverStatus status) {
    const Expected<SmtQuery> made = query(assertions, reading);
    ASSERT_TRUE(made) << toString(made.error());
    const Expected<std::string> golden =
        readFile(std::string(PLUMBLINE_SOURCE_DIR) + "/tests/golden/smt/" + name + ".smt2");
    ASSERT_TRUE(golden) << toString(golden.error()) << "\nthe query is now:\n" << made->text;
    EXPECT_EQ(made->text, *golden);
    const SolverAnswer answer =
        Solver(SolverSpec::cvc5()).askAndWait(*made, std::chrono::seconds(20), StopToken());
    EXPECT_EQ(answer.status, status) << statusName(answer.status) << answer.detail;
  }

  std::string errorOf(TermId assertion, SmtReading reading) {
    const auto made = query({assertion}, reading);
    return made ? "no error" : made.error().id;
  }

  TermId same(TermId a, TermId b) { return store.binary(Op::FSame, a, b); }
};

TEST_F(SmtTextTest, LeakyReluUnderIeee) {
  const TermId spec = store.ite(less(f(0), x), x, mul(x, store.f32Bits(0x3C23D70A, "0.01")));
  const TermId kernel = store.ite(less(x, f(0)), mul(store.f32Bits(0x3C23D70A, "0.01"), x), x);
  const TermId rights[] = {kernel};
  expectGolden("leaky_relu_ieee", differenceAssertions(store, spec, rights, always, SmtReading::Ieee),
               SmtReading::Ieee, SolverStatus::Unsat);
}

TEST_F(SmtTextTest, AssociativityUnderReal) {
  const TermId left = add(add(x, y), z);
  const TermId rights[] = {add(x, add(y, z))};
  expectGolden("associativity_real", differenceAssertions(store, left, rights, always, SmtReading::Real),
               SmtReading::Real, SolverStatus::Unsat);
}

/// The right side divides where the left is defined, so its divisor is part of the question.
TEST_F(SmtTextTest, DivisionAndRootUnderReal) {
  const TermId left = store.unary(Op::FSqrt, div(x, y));
  const TermId rights[] = {div(store.unary(Op::FSqrt, x), store.unary(Op::FSqrt, y))};
  expectGolden("division_root_real", differenceAssertions(store, left, rights, always, SmtReading::Real),
               SmtReading::Real, SolverStatus::Sat);
}

TEST_F(SmtTextTest, IntegersLoadsAndOpaqueFunctions) {
  const TermId n = store.var(Sort::Int, "n");
  const TermId index = store.irem(store.idiv(n, store.integer(-4)), store.integer(7));
  const TermId value = store.load(Sort::F32, "input[0]", index);
  const TermId one[] = {value};
  const TermId aten = store.opaque(Sort::F32, "aten.exp", one);
  const TermId cuda = store.opaque(Sort::F32, "expf", one);
  const TermId fast = store.opaque(Sort::F32, "__expf", one);
  expectGolden("integers_opaque_ieee",
               {store.ilt(store.integer(INT64_MIN), n), store.lnot(same(aten, cuda)), same(aten, fast)},
               SmtReading::Ieee, SolverStatus::Unsat);
}

TEST_F(SmtTextTest, DoublesAndSpecialConstants) {
  const TermId wide = store.binary(Op::FMul, store.convert(Sort::F64, x), d(0.01));
  const TermId narrow = store.convert(Sort::F32, wide);
  expectGolden("doubles_ieee",
               {store.lnot(same(narrow, mul(x, f(0.01F)))), store.lnot(same(x, store.f32Bits(0x7FC00000))),
                less(x, store.f32Bits(0x7F800000)), store.unary(Op::FIsNan, store.fma(x, y, z))},
               SmtReading::Ieee, SolverStatus::Sat);
}

TEST_F(SmtTextTest, RefusesByName) {
  EXPECT_EQ(errorOf(store.ieq(store.floatToInt(x, 32, true), store.integer(0)), SmtReading::Ieee),
            "smt-float-to-int");
  EXPECT_EQ(errorOf(same(x, store.f32Bits(0x7F800000)), SmtReading::Real), "smt-real-nonfinite");
  EXPECT_EQ(errorOf(same(x, store.f32Bits(0x3F800000, "one")), SmtReading::Real), "smt-real-literal");
}

TEST_F(SmtTextTest, NamesNeverCollide) {
  const TermId other = store.var(Sort::F64, "x");
  const TermId odd = store.var(Sort::F32, "a|b\\c");
  const TermId odd2 = store.var(Sort::F32, "a_b_c");
  const auto made =
      query({same(x, odd), same(odd, odd2), same(store.convert(Sort::F32, other), x)}, SmtReading::Ieee);
  ASSERT_TRUE(made);
  ASSERT_EQ(made->variables.size(), 4U);
  for (size_t i = 0; i < 4; ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(made->variables[i].expression, made->variables[j].expression);
}

/// A chain that doubles its size at each step stays linear.
TEST_F(SmtTextTest, SharedTermsAreWrittenOnce) {
  TermId term = x;
  for (int i = 0; i < 200; ++i)
    term = add(term, term);
  const auto made = query({same(term, x)}, SmtReading::Ieee);
  ASSERT_TRUE(made);
  EXPECT_LT(made->text.size(), 200U * 100U);
}

} // namespace
} // namespace plumbline::engine
