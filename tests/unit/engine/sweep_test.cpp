#include "core/engine/sweep.h"
#include "tests/unit/engine/leaf_terms.h"

#include <cmath>
#include <csignal>
#include <fstream>
#include <gtest/gtest.h>
#include <limits>
#include <sys/stat.h>

namespace plumbline::engine {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;
using Outcome = SweepResult::Outcome;

/// One warm child for all tests of this file.
class SweepTest : public ::testing::Test, public plumbline::testing::LeafTerms {
protected:
  static Sweeper& sweeper() {
    static Sweeper instance;
    return instance;
  }
  SweepTask task(TermId left, TermId right) { return {&store, left, {right}, always, "x"}; }
  static Expected<SweepResult> run(const SweepTask& task) { return sweeper().run(task, StopToken()); }
  static std::string errorOf(const SweepTask& task) {
    const auto result = run(task);
    return result ? "no error" : result.error().id;
  }
};

bool processExists(pid_t pid) {
  return ::kill(pid, 0) == 0;
}

uint32_t bitsOf(float value) {
  return std::bit_cast<uint32_t>(value);
}

bool sameValue(float a, float b) {
  return bitsOf(a) == bitsOf(b) || (std::isnan(a) && std::isnan(b));
}

/// The lowest pattern of [from, to) where the two functions differ, by a plain loop.
template <class Left, class Right>
std::optional<uint32_t> plainLoop(uint64_t from, uint64_t to, Left left, Right right) {
  for (uint64_t pattern = from; pattern < to; ++pattern) {
    const auto x = std::bit_cast<float>(static_cast<uint32_t>(pattern));
    if (!sameValue(left(x), right(x)))
      return static_cast<uint32_t>(pattern);
  }
  return std::nullopt;
}

TEST_F(SweepTest, ProvesACommutedLeakyReluOnEveryPattern) {
  const TermId scaled = mul(x, f(0.01F));
  const TermId left = store.ite(less(x, f(0)), scaled, x);
  const TermId right = store.ite(less(x, f(0)), mul(f(0.01F), x), x);
  const auto result = run(task(left, right));
  ASSERT_TRUE(result) << toString(result.error());
  EXPECT_EQ(result->outcome, Outcome::Equal);
  EXPECT_TRUE(result->complete());
  EXPECT_NE(result->machine.find("LLVM"), std::string::npos);
}

TEST_F(SweepTest, FindsOnePlantedPatternWhereverItIs) {
  const TermId left = add(x, x);
  for (const uint32_t pattern : {0U, 1U, 4095U, 4096U, 0x000FFFFFU, 0x00100000U, 0x3F7FFFFFU, 0x7F800000U,
                                 0x80000000U, 0xFF7FFFFFU, 0xFF800000U}) {
    SweepTask part = task(left, planted(mul(f(2), x), pattern, f(123)));
    part.from = pattern & 0xF8000000U; // not always from 0, to save time
    const auto result = run(part);
    ASSERT_TRUE(result) << toString(result.error());
    EXPECT_EQ(result->outcome, Outcome::Different);
    EXPECT_EQ(result->first, pattern);
    EXPECT_EQ(result->checkedTo, uint64_t{pattern} + 1);
  }
}

TEST_F(SweepTest, TheLowestOfSeveralDifferencesWins) {
  TermId right = x;
  for (const uint32_t pattern : {0x00345678U, 0x00345679U, 0x40000000U, 0xC0000000U})
    right = planted(right, pattern, f(1));
  for (int round = 0; round < 5; ++round) {
    const auto result = run(task(x, right));
    ASSERT_TRUE(result) << toString(result.error());
    EXPECT_EQ(result->first, 0x00345678U);
  }
}

TEST_F(SweepTest, AHypothesisHidesOnlyWhatItExcludes) {
  SweepTask masked = task(x, planted(planted(x, 0x3F800000, f(7)), 0x40000000, f(7)));
  masked.hypothesis = store.lnot(isBits(x, 0x3F800000));
  const auto result = run(masked);
  ASSERT_TRUE(result) << toString(result.error());
  EXPECT_EQ(result->first, 0x40000000U);
}

TEST_F(SweepTest, OneMatchingVariantIsEnoughForEachValue) {
  const TermId zero = f(0);
  const TermId minusZero = f(-0.0F);
  // relu with either zero for a zero argument: each variant alone fails, together they cover both.
  const TermId relu = store.ite(store.lor(less(f(0), x), store.unary(Op::FIsNan, x)), x, zero);
  const TermId reluMinus = store.ite(store.lor(less(f(0), x), store.unary(Op::FIsNan, x)), x, minusZero);
  const TermId left = planted(relu, 0x80000000, minusZero);
  SweepTask both{&store, left, {relu, reluMinus}, always, "x"};
  EXPECT_TRUE(run(both)->complete());
  EXPECT_EQ(run(task(left, relu))->first, 0x80000000U);
  EXPECT_EQ(run(task(left, reluMinus))->first, 0x00000000U);
}

/// A difference that every NaN has is reported at the lowest NaN pattern.
TEST_F(SweepTest, EveryNanPatternIsSwept) {
  const TermId right = store.ite(store.unary(Op::FIsNan, x), f(0), x);
  EXPECT_EQ(run(task(x, right))->first, 0x7F800001U);
  SweepTask last = task(x, right);
  last.from = 0xFFFFFFFFU;
  EXPECT_EQ(run(last)->first, 0xFFFFFFFFU);
}

TEST_F(SweepTest, NanPayloadsAreOneValueButZerosAreTwo) {
  const TermId nan = store.ite(store.unary(Op::FIsNan, x), f(std::numeric_limits<float>::quiet_NaN()), x);
  EXPECT_TRUE(run(task(x, nan))->complete());
  EXPECT_EQ(run(task(x, planted(x, 0x80000000, f(0))))->first, 0x80000000U);
}

TEST_F(SweepTest, TheOptimiserDoesNotAssumeRealArithmetic) {
  EXPECT_TRUE(run(task(mul(x, f(0.5F)), div(x, f(2))))->complete());
  // (x + 1) - 1 loses the smallest subnormal.
  const auto third = run(task(div(x, f(3)), mul(x, f(1.0F / 3.0F))));
  EXPECT_EQ(
      third->first,
      plainLoop(0, 1 << 25, [](float v) { return v / 3.0F; }, [](float v) { return v * (1.0F / 3.0F); }));
  EXPECT_EQ(run(task(store.binary(Op::FSub, add(x, f(1)), f(1)), x))->first, 1U);
  // -0 + 0 is +0.
  EXPECT_EQ(run(task(add(x, f(0)), x))->first, 0x80000000U);
}

TEST_F(SweepTest, ContractionIsNeverIntroduced) {
  const TermId separate = add(mul(x, x), f(1e-3F));
  const TermId fused = store.fma(x, x, f(1e-3F));
  const auto result = run(task(separate, fused));
  const auto separateLoop = [](float v) { return v * v + 1e-3F; };
  const auto fusedLoop = [](float v) { return std::fma(v, v, 1e-3F); };
  ASSERT_EQ(result->outcome, Outcome::Different);
  const float hit = std::bit_cast<float>(*result->first);
  EXPECT_FALSE(sameValue(separateLoop(hit), fusedLoop(hit)));
  SweepTask part = task(separate, fused);
  part.from = *result->first - 1000;
  part.to = uint64_t{*result->first} + 1000;
  EXPECT_EQ(run(part)->first, plainLoop(part.from, part.to, separateLoop, fusedLoop));
}

struct PlainCase {
  const char* name;
  std::function<TermId(plumbline::testing::LeafTerms&)> term;
  std::function<float(float)> plain;
};

std::vector<PlainCase> plainCases() {
  using plumbline::testing::LeafTerms;
  return {
      {"sqrt", [](LeafTerms& t) { return t.store.unary(Op::FSqrt, t.x); },
       [](float v) { return std::sqrt(v); }},
      {"abs", [](LeafTerms& t) { return t.store.unary(Op::FAbs, t.x); },
       [](float v) { return std::fabs(v); }},
      {"neg", [](LeafTerms& t) { return t.store.unary(Op::FNeg, t.x); }, [](float v) { return -v; }},
      {"double product",
       [](LeafTerms& t) {
         return t.store.convert(Sort::F32, t.mul(t.store.convert(Sort::F64, t.x), t.d(0.01)));
       },
       [](float v) { return static_cast<float>(v * 0.01); }},
      {"reciprocal root", [](LeafTerms& t) { return t.div(t.f(1), t.store.unary(Op::FSqrt, t.x)); },
       [](float v) { return 1.0F / std::sqrt(v); }},
      {"PTX maximum", [](LeafTerms& t) { return t.store.ptxMax(t.x, t.f(0)); },
       [](float v) { return v > 0.0F ? v : 0.0F; }},
      {"int32 round trip",
       [](LeafTerms& t) { return t.store.intToFloat(Sort::F32, t.store.floatToInt(t.x, 32, true)); },
       [](float v) {
         if (std::isnan(v))
           return 0.0F;
         if (v >= 2147483648.0F)
           return 2147483648.0F; // INT_MAX rounds up
         return v < -2147483648.0F ? -2147483648.0F : static_cast<float>(static_cast<int32_t>(v));
       }},
      {"uint8 arithmetic",
       [](LeafTerms& t) {
         const TermId n = t.store.floatToInt(t.x, 8, false);
         const TermId q = t.store.idiv(t.store.isub(n, t.store.integer(100)), t.store.integer(7));
         return t.store.intToFloat(Sort::F32, t.store.imul(q, t.store.irem(n, t.store.integer(-5))));
       },
       [](float v) {
         const int n = std::isnan(v) || v <= 0 ? 0 : (v >= 255 ? 255 : static_cast<int>(v));
         return static_cast<float>(((n - 100) / 7) * (n % -5));
       }},
      {"wide sum",
       [](LeafTerms& t) {
         const TermId n = t.store.floatToInt(t.x, 32, true);
         return t.store.intToFloat(Sort::F32, t.store.iadd(n, n));
       },
       [](float v) {
         const double n = std::isnan(v) ? 0 : std::clamp(double{v}, -2147483648.0, 2147483647.0);
         return static_cast<float>(2 * static_cast<int64_t>(n));
       }},
  };
}

/// Where each operation first differs from the identity, in windows around the interesting places.
TEST_F(SweepTest, AgreesWithAPlainLoop) {
  for (const PlainCase& plainCase : plainCases()) {
    const TermId term = plainCase.term(*this);
    for (const uint32_t middle :
         {0x00004000U, 0x00800000U, 0x3F800000U, 0x42C80000U, 0x437F0000U, 0x4F000000U, 0x7F800000U,
          0x80004000U, 0xC2C80000U, 0xCF000000U, 0xFF800000U}) {
      SweepTask window = task(term, x);
      window.from = middle - 0x4000;
      window.to = uint64_t{middle} + 0x4000;
      // A plain value is planted for every pattern that differs, until none does: the whole window is
      // compared.
      const auto result = run(window);
      ASSERT_TRUE(result) << plainCase.name << ": " << toString(result.error());
      EXPECT_EQ(result->first, plainLoop(window.from, window.to, plainCase.plain, [](float v) { return v; }))
          << plainCase.name << " near " << std::hex << middle;
    }
  }
}

/// Points: the term equals the plain value at each single pattern.
TEST_F(SweepTest, AgreesWithThePlainValueAtSinglePatterns) {
  for (const PlainCase& plainCase : plainCases()) {
    const TermId term = plainCase.term(*this);
    for (const uint32_t pattern :
         {1U, 0x007FFFFFU, 0x3F800001U, 0x42C90000U, 0x437F8000U, 0x4EFFFFFFU, 0x4F000000U, 0x7F7FFFFFU,
          0x7F800000U, 0x7FA00000U, 0x80000000U, 0xBF800000U, 0xCF000001U, 0xFF800000U}) {
      const float expected = plainCase.plain(std::bit_cast<float>(pattern));
      SweepTask point = task(term, f(expected));
      point.from = pattern;
      point.to = uint64_t{pattern} + 1;
      const auto result = run(point);
      ASSERT_TRUE(result) << plainCase.name << ": " << toString(result.error());
      EXPECT_EQ(result->outcome, Outcome::Equal) << plainCase.name << " at " << std::hex << pattern;
    }
  }
}

TEST_F(SweepTest, RefusesByName) {
  const TermId oneArgument[] = {x};
  EXPECT_EQ(errorOf(task(store.opaque(Sort::F32, "expf", oneArgument), x)), "sweep-opaque");
  EXPECT_EQ(errorOf(task(store.load(Sort::F32, "a", store.integer(0)), x)), "sweep-load");
  EXPECT_EQ(errorOf(task(add(x, y), x)), "sweep-free-variable");
  const TermId zeroChoice = store.ite(store.var(Sort::Bool, "choice"), f(0), x);
  EXPECT_EQ(errorOf(task(zeroChoice, x)), "sweep-free-variable");
  const TermId n = store.floatToInt(x, 64, true);
  EXPECT_EQ(errorOf(task(store.intToFloat(Sort::F32, store.iadd(n, n)), x)), "sweep-int-range");
  EXPECT_EQ(errorOf(task(store.intToFloat(Sort::F32, store.idiv(store.integer(1), n)), x)),
            "sweep-int-division");
  EXPECT_EQ(errorOf({&store, x, {}, always, "x"}), "sweep-request");
  EXPECT_EQ(errorOf({&store, x, {d(0)}, always, "x"}), "sweep-request");
  SweepTask small = task(x, x);
  small.to = 1000;
  EXPECT_EQ(run(small)->outcome, Outcome::Equal) << "the child survives refusals";
}

TEST_F(SweepTest, AnInterruptedSweepIsResumedAndLeavesNoProcess) {
  Sweeper own;
  // Slow enough to be caught: a chain of divisions.
  TermId slow = x;
  for (int i = 0; i < 40; ++i)
    slow = div(add(slow, f(1)), store.unary(Op::FSqrt, slow));
  SweepTask all = task(slow, slow);
  StopToken stop;
  pid_t pid = -1;
  const auto result = own.run(all, stop, [&](uint64_t checkedTo) {
    if (checkedTo > 0)
      stop.requestStop();
  });
  ASSERT_TRUE(result) << toString(result.error());
  ASSERT_EQ(result->outcome, Outcome::Interrupted);
  EXPECT_FALSE(result->complete());
  EXPECT_GT(result->checkedTo, 0U);
  EXPECT_LT(result->checkedTo, allPatterns);
  EXPECT_EQ(own.childPid(), -1);
  SweepTask rest = task(x, planted(x, static_cast<uint32_t>(result->checkedTo) + 5, f(1)));
  rest.from = result->checkedTo;
  const auto resumed = own.run(rest, StopToken());
  ASSERT_TRUE(resumed) << toString(resumed.error());
  EXPECT_EQ(resumed->first, result->checkedTo + 5);
  pid = own.childPid();
  EXPECT_TRUE(processExists(pid));
}

TEST_F(SweepTest, TheChildEndsWithItsSweeper) {
  pid_t pid = -1;
  {
    Sweeper own;
    own.start();
    pid = own.childPid();
    ASSERT_GT(pid, 0);
  }
  EXPECT_FALSE(processExists(pid));
}

TEST_F(SweepTest, AKilledChildIsANamedErrorAndTheNextSweepWorks) {
  Sweeper own;
  TermId slow = x;
  for (int i = 0; i < 40; ++i)
    slow = div(add(slow, f(1)), store.unary(Op::FSqrt, slow));
  own.start();
  const pid_t pid = own.childPid();
  ASSERT_GT(pid, 0);
  const auto result = own.run(task(slow, slow), StopToken(), [&](uint64_t) { ::kill(pid, SIGKILL); });
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().id, "sweep-died");
  EXPECT_FALSE(processExists(pid));
  SweepTask small = task(x, x);
  small.to = 1000;
  EXPECT_EQ(own.run(small, StopToken())->outcome, Outcome::Equal);
}

TEST_F(SweepTest, AMissingProgramIsNamed) {
  Sweeper missing("/nonexistent/plumbline-sweep");
  const auto result = missing.run(task(x, x), StopToken());
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().id, "sweep-missing");
}

/// A child that answers without having done the work is not believed.
TEST_F(SweepTest, AnAnswerThatDoesNotCoverTheTaskIsAnError) {
  const std::string path = ::testing::TempDir() + "false-sweep";
  for (const char* reply :
       {R"({"id":0,"result":"equal","checked":7,"machine":"m","compile_ms":1,"time_ms":1})",
        R"({"id":9,"result":"equal","checked":4294967296})", R"({"id":0,"result":"equal"})",
        R"({"id":0,"result":"fine"})", R"({"id":0,"error":{}})", "not json", "[]"}) {
    {
      std::ofstream script(path);
      script << "#!/bin/sh\nread line\necho '" << reply << "'\nread line\n";
    }
    ::chmod(path.c_str(), 0755);
    Sweeper lying(path);
    const auto result = lying.run(task(x, x), StopToken());
    ASSERT_FALSE(result) << reply;
    EXPECT_EQ(result.error().id, "sweep-died") << reply;
    EXPECT_EQ(lying.childPid(), -1);
  }
}

TEST_F(SweepTest, TheRecordHoldsTheTermsAndTheRange) {
  SweepTask part = task(x, x);
  part.from = 16;
  part.to = 4711;
  const auto result = run(part);
  ASSERT_TRUE(result);
  const Json record = toJson(*result, part);
  EXPECT_EQ(record["outcome"], "equal");
  EXPECT_EQ(record["from"], 16);
  EXPECT_EQ(record["checked_to"], 4711);
  EXPECT_EQ(record["terms"]["roots"].size(), 3U);
  EXPECT_FALSE(result->complete());
}

} // namespace
} // namespace plumbline::engine
