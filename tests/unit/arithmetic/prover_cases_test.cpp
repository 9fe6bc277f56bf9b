// Questions that kernels raise, and the rules of what the prover reads as unknown.
#include "core/gate/arithmetic/arithmetic_prover.h"

#include "tests/support/arithmetic_cases.h"
#include "tests/support/arithmetic_text.h"

#include <gtest/gtest.h>

#include <limits>

namespace plumbline::gate {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

engine::Portfolio& portfolio() {
  static engine::Portfolio shared;
  return shared;
}

TEST(ArithmeticProver, SettlesWhatKernelsAsk) {
  portfolio().start();
  for (const test::ArithmeticCase& question : test::arithmeticCases) {
    TermStore store;
    test::ArithmeticText text(store);
    ArithmeticProver prover(store, &portfolio());
    const std::vector<TermId> hypotheses = text.readAll(question.hypotheses);
    const IndexProof proof = prover.prove(hypotheses, text.read(question.goal), {});
    EXPECT_EQ(proof.status, question.holds ? ProofStatus::Proved : ProofStatus::Refuted)
        << question.name << ": " << proof.encoding << " " << proof.reason;
    EXPECT_FALSE(proof.conflict);
    EXPECT_EQ(proof.status == ProofStatus::Refuted, !proof.model.empty());
  }
}

TEST(ArithmeticProver, SolversAgreeWithItsOwnProofs) {
  int agreed = 0;
  int asked = 0;
  for (const test::ArithmeticCase& question : test::arithmeticCases) {
    if (!question.holds)
      continue;
    TermStore store;
    test::ArithmeticText text(store);
    ArithmeticProver prover(store, &portfolio());
    prover.setSecondOpinion(true);
    prover.setLimits(std::chrono::milliseconds(400), std::chrono::milliseconds(400));
    const IndexProof proof = prover.prove(text.readAll(question.hypotheses), text.read(question.goal), {});
    EXPECT_EQ(proof.status, ProofStatus::Proved) << question.name << " " << proof.reason;
    ++asked;
    agreed += proof.engine.ends_with("z3") || proof.engine.ends_with("cvc5") ? 1 : 0;
  }
  EXPECT_GT(agreed, asked * 3 / 4); // the others are beyond the solvers
}

TEST(ArithmeticProver, FloatsAndOpaqueTermsAreFreeButTheSame) {
  TermStore store;
  const TermId x = store.load(Sort::F32, "x", store.var(Sort::Int, "i"));
  const TermId less = store.binary(Op::FLt, x, store.f32Bits(0));
  const TermId converted = store.floatToInt(x, 8, false);
  const TermId opaque = store.opaque(Sort::Int, "clock", {});
  ArithmeticProver prover(store, &portfolio());
  const auto status = [&](std::vector<TermId> hypotheses, TermId goal) {
    return prover.prove(hypotheses, goal, {}).status;
  };
  EXPECT_EQ(status({less}, less), ProofStatus::Proved);
  EXPECT_EQ(status({}, less), ProofStatus::Refuted);
  EXPECT_EQ(status({}, store.ile(converted, store.integer(255))), ProofStatus::Proved);
  EXPECT_EQ(status({}, store.ile(converted, store.integer(254))), ProofStatus::Refuted);
  EXPECT_EQ(status({}, store.ieq(store.isub(opaque, opaque), store.integer(0))), ProofStatus::Proved);
  EXPECT_EQ(status({}, store.ile(store.integer(0), opaque)), ProofStatus::Refuted);
}

TEST(ArithmeticProver, ReportsTheElementsThatAModelFixes) {
  TermStore store;
  test::ArithmeticText text(store);
  ArithmeticProver prover(store, &portfolio());
  const std::vector<TermId> hypotheses = text.readAll("i == 3; j == 4; key[i] < key[j]");
  const IndexProof proof = prover.prove(hypotheses, text.read("key[i] + 1 < key[j]"), {});
  ASSERT_EQ(proof.status, ProofStatus::Refuted);
  EXPECT_EQ(proof.model.at("i"), 3);
  EXPECT_EQ(proof.loads.at("key").at(3) + 1, proof.loads.at("key").at(4));
  const IndexProof same = prover.prove(text.readAll("i == j"), text.read("key[i] == key[j]"), {});
  EXPECT_EQ(same.status, ProofStatus::Proved);
  const IndexProof other = prover.prove(text.readAll("i == j"), text.read("key[i] == lock[j]"), {});
  EXPECT_EQ(other.status, ProofStatus::Refuted);
}

TEST(ArithmeticProver, CounterexamplesAreSmallWhereSmallOnesExist) {
  TermStore store;
  test::ArithmeticText text(store);
  ArithmeticProver prover(store, &portfolio());
  const IndexProof small = prover.prove(text.readAll("1 <= n; n*n + 3*n <= 1000000000; 0 <= i <= n"),
                                        text.read("i*n < n*n && i + 5 > n || n < 3"), {});
  ASSERT_EQ(small.status, ProofStatus::Refuted);
  EXPECT_LE(small.model.at("n"), 2048);
  const IndexProof large = prover.prove(text.readAll("100000 <= n; 0 <= i <= n"), text.read("i < n"), {});
  ASSERT_EQ(large.status, ProofStatus::Refuted);
  EXPECT_EQ(large.model.at("i"), large.model.at("n"));
}

TEST(ArithmeticProver, ManyFactsStayCheap) {
  TermStore store;
  test::ArithmeticText text(store);
  ArithmeticProver prover(store, nullptr);
  for (int i = 0; i < 60; ++i) {
    const TermId size = store.var(Sort::Int, "n" + std::to_string(i % 8));
    const TermId other = store.var(Sort::Int, "m" + std::to_string(i));
    prover.assume(store.ile(store.integer(1), size));
    prover.assume(store.ile(store.integer(0), other));
    prover.assume(store.ilt(other, store.imul(size, store.integer(16))));
  }
  const std::vector<TermId> hypotheses = text.readAll("0 <= i < n1; 0 <= j < n2; m3 < n1*n2");
  EXPECT_TRUE(prover.quick(hypotheses, text.read("i*n2 + j < n1*n2")));
  EXPECT_EQ(prover.prove(hypotheses, text.read("i*n2 + j < n1*n2"), {}).status, ProofStatus::Proved);
}

TEST(ArithmeticProver, AnythingFollowsFromAContradictionOnly) {
  TermStore store;
  test::ArithmeticText text(store);
  ArithmeticProver prover(store, &portfolio());
  prover.bound("n", {1, 10});
  EXPECT_EQ(prover.prove({}, store.boolean(false), {}).status, ProofStatus::Refuted);
  EXPECT_EQ(prover.prove(text.readAll("m < m"), store.boolean(false), {}).status, ProofStatus::Proved);
  prover.assume(text.read("n*n == 2*k && 11 <= n + 3*k - 3*k"));
  EXPECT_EQ(prover.prove({}, store.boolean(false), {}).status, ProofStatus::Proved);
}

TEST(ArithmeticProver, NegativeOperandsOfBitOperationsAreUnknown) {
  TermStore store;
  test::ArithmeticText text(store);
  ArithmeticProver prover(store, &portfolio());
  EXPECT_NE(prover.prove({}, text.read("and(x, 7) <= 7"), {}).status, ProofStatus::Proved);
  EXPECT_EQ(
      prover.prove(text.readAll("0 <= x"), text.read("and(x, 7) <= 7 && and(7, x) == x % 8"), {}).status,
      ProofStatus::Proved);
}

TEST(ArithmeticProver, NothingIsKnownOfADivisionByZero) {
  TermStore store;
  test::ArithmeticText text(store);
  ArithmeticProver prover(store, &portfolio());
  EXPECT_NE(prover.prove(text.readAll("c == 0"), text.read("c*(x/c) + x % c == x"), {}).status,
            ProofStatus::Proved);
  EXPECT_EQ(prover.prove(text.readAll("c != 0"), text.read("c*(x/c) + x % c == x"), {}).status,
            ProofStatus::Proved);
}

TEST(ArithmeticProver, KnowsNothingWithoutSolversThatItCannotDoItself) {
  TermStore store;
  test::ArithmeticText text(store);
  ArithmeticProver prover(store, nullptr);
  const IndexProof proof = prover.prove({}, text.read("x*x*x != 2*y*y*y || x == 0"), {});
  EXPECT_EQ(proof.status, ProofStatus::Unknown);
  EXPECT_FALSE(proof.reason.empty());
}

// What wrappers of public kernels ask again and again must not need a solver: each costs more than all of
// these.
TEST(ArithmeticProver, ProductsOfSizesNeedNoSolver) {
  const struct {
    const char* hypotheses;
    const char* goal;
  } rows[] = {
      // Sizes below a total, an index below one of them.
      {"1 <= rows; 1 <= columns; 1 <= rest; rows*columns*rest <= 1073741824; 0 <= i; i < rows",
       "i*columns <= 2147483647"},
      {"1 <= rows; 1 <= columns; 1 <= rest; rows*columns*rest <= 1073741824; 0 <= i; i < rows; 0 <= j; "
       "j < columns",
       "i*columns + j < rows*columns*rest"},
      // The same where the number of rows is also rounded up to blocks.
      {"1 <= rows; 1 <= columns; 1 <= rest; rows*columns*rest <= 1073741824; 0 <= b; "
       "b < (rows + 255)/256; 0 <= t; t <= 255; b*256 + t < rows",
       "(b*256 + t)*columns <= 2147483647"},
      {"1 <= a; 1 <= b; 1 <= c; 1 <= d; a*b*c*d <= 1073741824", "a*c <= 1073741824"},
      // Numbers at the edge of 64 bits.
      {"1 <= n; n <= 1073741824", "0 - 9223372036854775807 <= n + 256"},
      {"0 - 5 <= n; n <= 1073741824", "n + 256 <= 9223372036854775807"},
  };
  for (const auto& row : rows) {
    TermStore store;
    test::ArithmeticText text(store);
    ArithmeticProver prover(store, nullptr);
    const IndexProof proof = prover.prove(text.readAll(row.hypotheses), text.read(row.goal), {});
    EXPECT_EQ(proof.status, ProofStatus::Proved) << row.goal << ": " << proof.encoding << " " << proof.reason;
  }
}

TEST(ArithmeticProver, NumbersBeyondSixtyFourBitsProveNothingWrong) {
  TermStore store;
  ArithmeticProver prover(store, nullptr);
  const TermId n = store.var(Sort::Int, "n");
  const TermId m = store.var(Sort::Int, "m");
  const TermId most = store.integer(std::numeric_limits<int64_t>::max());
  prover.bound("n", {-10, 10});
  prover.bound("m", {-10, 10});
  // n + most <= m - most: the two sides differ by a number of 65 bits.
  const TermId never = store.ile(store.iadd(n, most), store.isub(m, most));
  const TermId always = store.ilt(store.isub(m, most), store.iadd(n, most));
  const TermId sometimes = store.ile(n, m);
  EXPECT_EQ(prover.prove({}, always, {}).status, ProofStatus::Proved);
  EXPECT_EQ(prover.prove({}, store.lnot(never), {}).status, ProofStatus::Proved);
  EXPECT_EQ(prover.prove({}, never, {}).status, ProofStatus::Refuted);
  EXPECT_EQ(prover.prove({{always}}, sometimes, {}).status, ProofStatus::Refuted);
  EXPECT_EQ(prover.prove({{never}}, sometimes, {}).status, ProofStatus::Proved);
}

} // namespace
} // namespace plumbline::gate
