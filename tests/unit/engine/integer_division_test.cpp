// The encoding of C's truncating division against C++ itself.
#include "core/engine/portfolio.h"
#include "tests/unit/engine/leaf_terms.h"

#include <gtest/gtest.h>
#include <random>

namespace plumbline::engine {
namespace {

using logic::Sort;
using logic::TermId;
using namespace std::chrono_literals;

class IntegerDivision : public ::testing::TestWithParam<const char*> {
protected:
  static SolverSpec spec() { return std::string(GetParam()) == "z3" ? SolverSpec::z3() : SolverSpec::cvc5(); }
};

/// Pairs of small values of all signs, and some of 62 bits.
std::vector<std::pair<int64_t, int64_t>> operands() {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t a = -7; a <= 7; ++a)
    for (const int64_t b : {-3, -2, -1, 1, 2, 3})
      pairs.emplace_back(a, b);
  std::mt19937_64 random(20240607);
  for (int i = 0; i < 100; ++i) {
    const auto a = static_cast<int64_t>(random()) >> 2;
    const auto b = static_cast<int64_t>(random()) >> (2 + i % 60);
    pairs.emplace_back(a, b == 0 ? 1 : b);
  }
  return pairs;
}

/// One query: every quotient and remainder of a and b, which are variables, so that nothing is folded
/// beforehand.
TEST_P(IntegerDivision, TruncatesForAllSigns) {
  logic::TermStore store;
  std::vector<TermId> assertions;
  TermId wrong = store.boolean(false);
  for (const auto& [a, b] : operands()) {
    const TermId left = store.var(Sort::Int, "a" + std::to_string(assertions.size()));
    const TermId right = store.var(Sort::Int, "b" + std::to_string(assertions.size()));
    assertions.push_back(store.land(store.ieq(left, store.integer(a)), store.ieq(right, store.integer(b))));
    wrong = store.lor(wrong, store.lnot(store.ieq(store.idiv(left, right), store.integer(a / b))));
    wrong = store.lor(wrong, store.lnot(store.ieq(store.irem(left, right), store.integer(a % b))));
  }
  assertions.push_back(wrong);
  const auto query = smtQuery(store, assertions, {});
  ASSERT_TRUE(query);
  const SolverAnswer answer = Solver(spec()).askAndWait(*query, 20s, StopToken());
  EXPECT_EQ(answer.status, SolverStatus::Unsat) << statusName(answer.status) << " " << answer.detail;
}

/// The same query with one wrong quotient is satisfiable: the test above can fail.
TEST_P(IntegerDivision, AFlooredQuotientIsNoticed) {
  logic::TermStore store;
  const TermId a = store.var(Sort::Int, "a");
  const TermId b = store.var(Sort::Int, "b");
  const TermId assertions[] = {store.ieq(a, store.integer(-7)), store.ieq(b, store.integer(2)),
                               store.lnot(store.ieq(store.idiv(a, b), store.integer(-4)))};
  const SolverAnswer answer = Solver(spec()).askAndWait(*smtQuery(store, assertions, {}), 20s, StopToken());
  ASSERT_EQ(answer.status, SolverStatus::Sat);
  EXPECT_EQ(static_cast<int64_t>((*answer.model)[0].payload), -7);
}

/// itof has one rounding: the solver's conversion against the compiler's.
TEST_P(IntegerDivision, IntegersConvertWithOneRounding) {
  logic::TermStore store;
  std::vector<TermId> assertions;
  TermId wrong = store.boolean(false);
  for (const int64_t value :
       {0L, 1L, -1L, 16777216L, 16777217L, 16777219L, -16777217L, 33554434L, 33554438L, 2147483647L}) {
    const TermId n = store.var(Sort::Int, "n" + std::to_string(assertions.size()));
    assertions.push_back(store.ieq(n, store.integer(value)));
    const auto expected = std::bit_cast<uint32_t>(static_cast<float>(value));
    const TermId same =
        store.binary(logic::Op::FSame, store.intToFloat(Sort::F32, n), store.f32Bits(expected));
    wrong = store.lor(wrong, store.lnot(same));
  }
  assertions.push_back(wrong);
  const SolverAnswer answer = Solver(spec()).askAndWait(*smtQuery(store, assertions, {}), 20s, StopToken());
  EXPECT_EQ(answer.status, SolverStatus::Unsat) << statusName(answer.status) << " " << answer.detail;
}

INSTANTIATE_TEST_SUITE_P(Solvers, IntegerDivision, ::testing::Values("z3", "cvc5"));

} // namespace
} // namespace plumbline::engine
