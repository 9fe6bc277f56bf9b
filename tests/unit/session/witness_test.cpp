// Witnesses: replay of true and false separating inputs, values of the spec, sampling.
#include "core/session/value_goal.h"
#include "tests/support/pointwise.h"

namespace plumbline::session {
namespace {

using namespace plumbline::test;
using gate::Sizes;
using logic::Op;

StopToken limit() {
  return StopToken().withTimeout(std::chrono::seconds(60));
}

/// ite(x < 0, 0, x): keeps NaN and -0.
TermId keepNan(TermStore& store, const std::vector<TermId>& x) {
  return store.ite(store.binary(Op::FLt, x[0], store.f32Bits(0)), store.f32Bits(0), x[0]);
}

const std::string dropsNan =
    source("int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i] > 0.0f ? x[i] : 0.0f;");

/// A comparison with the goal that an accepted gate leads to.
struct Prepared {
  std::unique_ptr<Comparison> made;
  ElementGoal goal;
};

Prepared prepare(const test::Module& module, const std::string& text) {
  static engine::Portfolio solvers;
  Prepared result{test::compare(module, text), {}};
  const gate::GateReport report =
      gate::checkGate(result.made->store, result.made->bound(), &solvers, limit());
  if (report.status != gate::GateStatus::Accepted) {
    ADD_FAILURE() << report.reason;
    return result;
  }
  result.goal =
      prepareElement(result.made->store, result.made->bound(), report, report.values[0], &solvers, limit());
  return result;
}

TEST(ReplayCandidate, ConfirmsATrueDifferenceAndContradictsAFalseOne) {
  Prepared relu = prepare({.element = keepNan}, dropsNan);
  ASSERT_EQ(relu.goal.inputs.size(), 1u);
  auto replay = [&](uint32_t bits, int64_t size, int64_t index) {
    return replayCandidate(relu.made->store, relu.made->bound(), relu.goal, {{{"s0", size}}, index, {bits}},
                           limit());
  };
  const auto nan = replay(0x7fc00000, 5, 3);
  ASSERT_TRUE(nan);
  EXPECT_EQ(nan->interpreter, Replay::Confirmed);
  EXPECT_EQ(nan->pytorch, Replay::NotRun);
  EXPECT_EQ(nan->kernel, "0x00000000");
  EXPECT_EQ(nan->spec, "0x7fc00000");
  EXPECT_EQ(nan->index, 3);
  EXPECT_EQ(nan->inputs.at("x").shape, std::vector<int64_t>{5});
  EXPECT_EQ(nan->inputs.at("x").bits, (std::vector<uint32_t>{0, 0, 0, 0x7fc00000, 0}));
  const auto negativeZero = replay(0x80000000, 1, 0);
  ASSERT_TRUE(negativeZero);
  EXPECT_EQ(negativeZero->interpreter, Replay::Confirmed);
  for (uint32_t same : {0u, 0x3f800000u, 0xbf800000u, 0x7f800000u}) {
    const auto witness = replay(same, 4, 2);
    ASSERT_TRUE(witness);
    EXPECT_EQ(witness->interpreter, Replay::Contradicted) << hexBits(same);
  }
}

TEST(ReplayCandidate, OneCellCannotHoldTwoValues) {
  Prepared sum =
      prepare({.element = [](TermStore& store,
                             const std::vector<TermId>& x) { return store.binary(Op::FAdd, x[0], x[0]); }},
              source("int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                     "  if (i < n) y[i] = x[i] + x[i > 0 ? i - 1 : 0];"));
  ASSERT_EQ(sum.goal.inputs.size(), 2u);
  auto replay = [&](int64_t index, std::vector<uint32_t> values) {
    return replayCandidate(sum.made->store, sum.made->bound(), sum.goal,
                           {{{"s0", 4}}, index, std::move(values)}, limit());
  };
  const auto clash = replay(0, {0x3f800000, 0x40000000});
  ASSERT_FALSE(clash);
  EXPECT_EQ(clash.error().id, "witness-cells");
  const auto apart = replay(2, {0x3f800000, 0x40000000});
  ASSERT_TRUE(apart);
  EXPECT_EQ(apart->interpreter, Replay::Confirmed);
  EXPECT_EQ(apart->kernel, "0x40400000");
  for (const Place& place : places(sum.made->store, sum.made->bound(), sum.goal, 20))
    EXPECT_GT(place.index, 0) << "the two cells are one at the first element";
  EXPECT_FALSE(places(sum.made->store, sum.made->bound(), sum.goal, 20).empty());
}

TEST(ReplayCandidate, AnIndexOutsideIsAnError) {
  Prepared relu = prepare({.element = keepNan}, dropsNan);
  for (int64_t index : {int64_t{-1}, int64_t{4}, int64_t{1} << 40})
    EXPECT_FALSE(
        replayCandidate(relu.made->store, relu.made->bound(), relu.goal, {{{"s0", 4}}, index, {0}}, limit()));
}

TEST(SpecValues, OneForEachChoiceOfAZero) {
  const auto made =
      test::compare({.element =
                         [](TermStore& store, const std::vector<TermId>& x) {
                           const TermId zero = store.ite(store.var(Sort::Bool, "zero:op"),
                                                         store.f32Bits(0x80000000), store.f32Bits(0));
                           return store.ite(store.binary(Op::FEq, x[0], store.f32Bits(0)), zero, x[0]);
                         }},
                    source(guardedCopy));
  auto values = [&](uint64_t bits) {
    return specValues(made->store, made->bound(), 0, {{"s0", 1}}, 0, {{"x", {bits}}});
  };
  EXPECT_EQ(values(0), (std::vector<uint64_t>{0, 0x80000000}));
  EXPECT_EQ(values(0x40000000), (std::vector<uint64_t>{0x40000000}));
  EXPECT_FALSE(specValues(made->store, made->bound(), 0, {{"s0", 1}}, 1, {{"x", {0}}}))
      << "outside the tensor";
}

TEST(SampleKernel, FindsADifferenceOfItsOwn) {
  const auto different = test::compare({.element = keepNan}, dropsNan);
  const auto sample = sampleKernel(different->store, different->bound(), limit());
  ASSERT_TRUE(sample && sample->difference);
  EXPECT_EQ(sample->difference->interpreter, Replay::Confirmed);
  EXPECT_NE(sample->difference->kernel, sample->difference->spec);

  const auto same = test::compare({}, source(guardedCopy));
  const auto agreed = sampleKernel(same->store, same->bound(), limit());
  ASSERT_TRUE(agreed);
  EXPECT_FALSE(agreed->difference);
  EXPECT_GT(agreed->compared, 100u);
}

TEST(SampleKernel, RunsWithFindingsShowNothing) {
  const auto made = test::compare({.element = keepNan},
                                  source("int i = blockIdx.x * blockDim.x + threadIdx.x;\n  y[i] = 3.0f;"));
  const auto sample = sampleKernel(made->store, made->bound(), limit());
  ASSERT_FALSE(sample) << "every small size is out of bounds";
  EXPECT_EQ(sample.error().id, "sample-run");
}

TEST(JoinedFunctions, NamesWhatTwoSpellingsShare) {
  TermStore store;
  const TermId x = store.var(Sort::F32, "x");
  auto call = [&](const char* spelling) { return store.opaque(Sort::F32, spelling, std::span(&x, 1)); };
  EXPECT_EQ(joinedFunctions(store, call("expf"), call("aten.exp")), std::set<std::string>{"same(exp)"});
  EXPECT_TRUE(joinedFunctions(store, call("expf"), call("expf")).empty());
  EXPECT_TRUE(joinedFunctions(store, x, x).empty());
  const TermId kernel = store.binary(Op::FAdd, call("expf"), call("tanhf"));
  const TermId spec = store.binary(Op::FAdd, call("aten.exp"), call("aten.tanh"));
  EXPECT_EQ(joinedFunctions(store, kernel, spec), (std::set<std::string>{"same(exp)", "same(tanh)"}));
}

TEST(HexBits, EightDigits) {
  EXPECT_EQ(hexBits(0), "0x00000000");
  EXPECT_EQ(hexBits(0xff800000), "0xff800000");
}

// --- One goal, engine by engine ---

TEST(SettleIeee, AGoalIsBornAsAnError) {
  EXPECT_EQ(GoalOutcome{}.relation, Relation::Error);
}

TEST(SettleIeee, WithoutEnginesOnlyWhatTheNormaliserClosesIsEqual) {
  Prepared copy = prepare({}, source(guardedCopy));
  EXPECT_EQ(settleIeee(copy.made->store, copy.made->bound(), copy.goal, {}, limit()).relation,
            Relation::Equal);
  Prepared relu = prepare({.element = keepNan}, dropsNan);
  const GoalOutcome outcome = settleIeee(relu.made->store, relu.made->bound(), relu.goal, {}, limit());
  EXPECT_EQ(outcome.relation, Relation::Different);
  ASSERT_TRUE(outcome.witness);
  EXPECT_EQ(outcome.witness->interpreter, Replay::Confirmed);
}

TEST(SettleIeee, AStoppedGoalIsNeverEqual) {
  // x * 2 - x is x only where nothing overflows: neither the normaliser nor the first candidates decide it.
  Prepared sum = prepare({}, source("int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                    "  if (i < n) y[i] = (x[i] * 0.5f) * 2.0f;"));
  StopToken stopped;
  stopped.requestStop();
  engine::Sweeper sweeper;
  engine::Portfolio portfolio;
  Engines engines;
  engines.sweeper = &sweeper;
  engines.portfolio = &portfolio;
  const GoalOutcome outcome = settleIeee(sum.made->store, sum.made->bound(), sum.goal, engines, stopped);
  EXPECT_NE(outcome.relation, Relation::Equal);
  EXPECT_NE(outcome.relation, Relation::EqualModulo);
}

} // namespace
} // namespace plumbline::session
