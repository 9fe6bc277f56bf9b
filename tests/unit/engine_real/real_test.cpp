#include "core/engine/real.h"

#include <array>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace plumbline::engine {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;
using Status = RealResult::Status;

class RealTest : public testing::Test {
protected:
  TermStore store;
  TermId x = store.var(Sort::F32, "x");
  TermId y = store.var(Sort::F32, "y");
  TermId z = store.var(Sort::F32, "z");
  TermId always = store.boolean(true);
  TermId zero = constant(0.0F);
  TermId one = constant(1.0F);

  TermId constant(float value, std::string_view text = {}) {
    return store.f32Bits(std::bit_cast<uint32_t>(value), text);
  }
  TermId add(TermId a, TermId b) { return store.binary(Op::FAdd, a, b); }
  TermId sub(TermId a, TermId b) { return store.binary(Op::FSub, a, b); }
  TermId mul(TermId a, TermId b) { return store.binary(Op::FMul, a, b); }
  TermId div(TermId a, TermId b) { return store.binary(Op::FDiv, a, b); }
  TermId neg(TermId a) { return store.unary(Op::FNeg, a); }
  TermId sqrt(TermId a) { return store.unary(Op::FSqrt, a); }
  TermId less(TermId a, TermId b) { return store.binary(Op::FLt, a, b); }
  TermId lessEqual(TermId a, TermId b) { return store.binary(Op::FLe, a, b); }
  TermId call(std::string_view spelling, TermId arg) {
    std::array args = {arg};
    return store.opaque(Sort::F32, spelling, args);
  }
  TermId relu(TermId a) { return store.ite(less(a, zero), zero, a); }
  TermId leaky(TermId a, TermId slope) { return store.ite(less(zero, a), a, mul(a, slope)); }
  TermId clamp(TermId a, TermId low, TermId high) {
    return store.ite(less(a, low), low, store.ite(less(high, a), high, a));
  }
  TermId sigmoid(std::string_view exp) { return div(one, add(one, call(exp, neg(x)))); }

  RealResult ask(TermId kernel, TermId spec) { return proveRealEqual(store, kernel, spec, always); }
  void expectProved(TermId kernel, TermId spec, size_t assumptions = 0) {
    RealResult result = ask(kernel, spec);
    EXPECT_EQ(result.status, Status::Proved)
        << store.print(kernel) << " vs " << store.print(spec) << ": " << result.reason;
    EXPECT_EQ(result.assumptions.size(), assumptions) << store.print(kernel);
  }
  /// Different, and the reported numbers are those of the two functions written in C++.
  template <class F, class G> void expectDifferent(TermId kernel, TermId spec, F kernelAt, G specAt) {
    RealResult result = ask(kernel, spec);
    ASSERT_EQ(result.status, Status::Different) << store.print(kernel) << ": " << result.reason;
    Rational at = result.assignment.contains(x) ? result.assignment.at(x) : Rational(0);
    EXPECT_EQ(result.specValue, Rational(specAt(at)));
    EXPECT_EQ(result.kernelValue, Rational(kernelAt(at)));
    EXPECT_NE(result.kernelValue, result.specValue);
  }
  void expectNotProved(TermId kernel, TermId spec) {
    EXPECT_NE(ask(kernel, spec).status, Status::Proved) << store.print(kernel) << " vs " << store.print(spec);
  }
};

TEST_F(RealTest, ReluInEverySpelling) {
  TermId nanKeeping = store.ite(store.unary(Op::FIsNan, x), x, store.ptxMax(x, zero));
  TermId withChoice =
      store.ite(less(zero, x), x, store.ite(store.var(Sort::Bool, "zero:relu"), constant(-0.0F), zero));
  for (TermId kernel : {store.ite(less(zero, x), x, zero), store.ptxMax(x, zero), store.ptxMax(zero, x),
                        nanKeeping, mul(constant(0.5F), add(x, store.unary(Op::FAbs, x)))}) {
    expectProved(kernel, relu(x));
    expectProved(kernel, withChoice);
  }
}

TEST_F(RealTest, LeakyRelu) {
  TermId slope = constant(0.01F, "0.01");
  expectProved(store.ite(less(zero, x), x, mul(slope, x)), leaky(x, slope));
  expectProved(store.ptxMax(x, mul(slope, x)), leaky(x, slope));
  TermId inDouble = store.convert(
      Sort::F32, mul(store.convert(Sort::F64, x), store.f64Bits(std::bit_cast<uint64_t>(0.01), "0.01")));
  expectProved(store.ite(less(zero, x), x, inDouble), leaky(x, slope));
}

TEST_F(RealTest, ConstantsWithTheSameNearestFloatAreJoinedUnderAnAssumption) {
  expectProved(leaky(x, constant(0.01F)), leaky(x, constant(0.01F, "0.01")), 1);
  EXPECT_EQ(ask(leaky(x, constant(0.01F)), leaky(x, constant(0.01F, "0.01"))).assumptions.at(0),
            "rounded-constant");
  expectProved(mul(x, constant(1.0F / 3.0F, "0.33333334")), mul(x, div(one, constant(3.0F))), 1);
  // Neighbouring floats are different constants.
  expectNotProved(mul(x, constant(0.01F)), mul(x, constant(std::nextafter(0.01F, 1.0F))));
}

TEST_F(RealTest, FieldLaws) {
  expectProved(add(add(x, y), z), add(x, add(y, z)));
  expectProved(div(x, constant(3.0F)), mul(x, constant(1.0F / 3.0F, "1/3")));
  expectProved(mul(x, constant(0.5F)), div(x, constant(2.0F)));
  expectProved(store.fma(x, y, z), add(z, mul(y, x)));
  expectProved(mul(add(x, y), sub(x, y)), sub(mul(x, x), mul(y, y)));
  expectProved(add(x, x), mul(constant(2.0F), x));
  expectProved(store.convert(Sort::F32, store.convert(Sort::F64, x)), x);
}

TEST_F(RealTest, Clamps) {
  TermId low = constant(-1.0F), high = one;
  expectProved(store.ptxMax(low, store.ptxMin(x, high)), clamp(x, low, high));
  expectProved(store.ptxMin(high, store.ptxMax(x, low)), clamp(x, low, high));
  TermId top = constant(std::numeric_limits<float>::infinity()),
         largest = constant(std::numeric_limits<float>::max());
  expectProved(store.ptxMax(x, zero), clamp(x, zero, top));
  expectProved(x, clamp(x, neg(top), top));
  expectProved(store.ptxMax(x, zero), clamp(x, zero, largest));
  expectProved(store.ptxMax(x, neg(largest)), x);
  expectProved(store.ptxMax(y, x), store.ptxMax(x, y));
  expectProved(store.ptxMax(mul(x, y), zero), relu(mul(y, x)));
}

TEST_F(RealTest, AbsoluteValueAndRoots) {
  expectProved(store.ite(less(x, zero), neg(x), x), store.unary(Op::FAbs, x));
  expectProved(store.ptxMax(x, neg(x)), store.unary(Op::FAbs, x));
  expectProved(sqrt(mul(x, x)), store.unary(Op::FAbs, x));
  expectProved(x, mul(sqrt(x), sqrt(x))); // where sqrt(x) is defined
  expectProved(call("rsqrtf", x), div(one, sqrt(x)));
  expectProved(mul(x, call("aten.rsqrt", x)), mul(sqrt(x), div(x, x)));
  expectProved(sqrt(div(x, constant(4.0F))), mul(constant(0.5F), sqrt(x)));
}

TEST_F(RealTest, OpaqueFunctionsAreRealFunctions) {
  expectProved(sigmoid("expf"), sigmoid("aten.exp"));
  expectProved(sigmoid("__expf"), sigmoid("aten.exp"));
  expectProved(div(call("expf", x), add(one, call("expf", x))), sigmoid("aten.exp"));
  TermId square = call("expf", mul(constant(2.0F), x));
  expectProved(div(sub(square, one), add(square, one)),
               div(sub(call("expf", x), call("expf", neg(x))), add(call("expf", x), call("expf", neg(x)))));
  expectProved(mul(x, call("tanhf", add(x, y))), mul(call("aten.tanh", add(y, x)), x));
  RealResult result = ask(sigmoid("expf"), sigmoid("aten.exp"));
  EXPECT_EQ(result.functions, (std::set<std::string>{"exp"}));
  std::array quotient = {x, y};
  expectProved(store.opaque(Sort::F32, "__fdividef", quotient), div(x, y));
}

TEST_F(RealTest, TheDomainIsThatOfTheSpecification) {
  expectProved(x, mul(div(x, y), y));
  RealResult undefined = ask(mul(div(x, y), y), x);
  EXPECT_EQ(undefined.status, Status::Different);
  EXPECT_EQ(undefined.assignment.at(y), Rational(0));
  EXPECT_FALSE(undefined.kernelValue.has_value());
  expectNotProved(mul(sqrt(x), sqrt(x)), x);
  expectNotProved(sub(call("logf", x), call("logf", x)), zero);
  expectProved(call("logf", x), add(call("aten.log", x), zero));
  // A function of unknown domain has to be applied by the specification, too.
  expectNotProved(sub(call("frobnicate", x), call("frobnicate", x)), zero);
  expectProved(mul(call("frobnicate", x), one), call("frobnicate", x));
  // Nothing is proved about a specification without values.
  RealResult never = ask(x, div(x, zero));
  EXPECT_EQ(never.status, Status::Unknown);
  EXPECT_EQ(never.reason, "never-defined");
}

TEST_F(RealTest, Hypotheses) {
  TermId positive = lessEqual(zero, x);
  EXPECT_EQ(proveRealEqual(store, x, store.unary(Op::FAbs, x), positive).status, Status::Proved);
  EXPECT_EQ(proveRealEqual(store, x, store.unary(Op::FAbs, x), lessEqual(constant(-1.0F), x)).status,
            Status::Different);
  TermId n = store.var(Sort::Int, "n");
  TermId inside = store.ilt(n, store.integer(3));
  TermId nested = store.ite(inside, x, store.ite(inside, y, z));
  expectProved(nested, store.ite(inside, x, z));
  EXPECT_EQ(proveRealEqual(store, nested, x, inside).status, Status::Proved);
  EXPECT_EQ(ask(nested, x).status, Status::Different);
}

TEST_F(RealTest, LoadsAndBooleans) {
  TermId i = store.var(Sort::Int, "i");
  TermId a = store.load(Sort::F32, "a", i), b = store.load(Sort::F32, "b", i);
  expectProved(add(b, a), add(a, b));
  RealResult result = ask(a, b);
  EXPECT_EQ(result.status, Status::Different);
  EXPECT_NE(result.assignment.at(a), result.assignment.at(b));
  expectProved(store.lnot(less(x, y)), lessEqual(y, x));
  expectNotProved(store.lnot(less(x, y)), less(y, x));
}

TEST_F(RealTest, DifferingPairs) {
  auto id = [](const Rational& v) { return v; };
  auto positivePart = [](const Rational& v) { return v < 0 ? Rational(0) : v; };
  expectDifferent(x, relu(x), id, positivePart);
  expectDifferent(x, store.unary(Op::FAbs, x), id, [](const Rational& v) { return Rational(::abs(v)); });
  expectDifferent(mul(x, x), x, [](const Rational& v) { return Rational(v * v); }, id);
  auto leakyAt = [](const Rational& slope) {
    return [slope](const Rational& v) { return v > 0 ? v : Rational(v * slope); };
  };
  expectDifferent(leaky(x, constant(0.02F, "0.02")), leaky(x, constant(0.01F, "0.01")),
                  leakyAt(Rational(1, 50)), leakyAt(Rational(1, 100)));
  TermId two = constant(2.0F);
  expectDifferent(
      store.ptxMax(x, mul(two, x)), leaky(x, two),
      [](const Rational& v) { return std::max(v, Rational(2 * v)); }, leakyAt(2));
  expectDifferent(
      mul(x, constant(0.333F, "0.333")), div(x, constant(3.0F)),
      [](const Rational& v) { return Rational(v * Rational(333, 1000)); },
      [](const Rational& v) { return Rational(v / 3); });
  auto clampAt = [](const Rational& low, const Rational& high) {
    return [=](const Rational& v) { return std::max(low, std::min(high, v)); };
  };
  expectDifferent(clamp(x, neg(one), two), clamp(x, neg(one), one), clampAt(-1, 2), clampAt(-1, 1));
  expectDifferent(relu(x), clamp(x, zero, constant(6.0F)), positivePart, clampAt(0, 6));
  // Only at one point, or only in a narrow gap.
  expectDifferent(
      store.ite(less(x, zero), zero, one), store.ite(lessEqual(x, zero), zero, one),
      [](const Rational& v) { return Rational(v < 0 ? 0 : 1); },
      [](const Rational& v) { return Rational(v <= 0 ? 0 : 1); });
  expectDifferent(
      store.ite(lessEqual(x, constant(0.001F, "0.001")), zero, x), relu(x),
      [](const Rational& v) { return v <= Rational(1, 1000) ? Rational(0) : v; }, positivePart);
  expectDifferent(
      add(x, mul(constant(1e-9F, "1e-9"), x)), x,
      [](const Rational& v) { return Rational(v + v / 1000000000); }, id);
}

TEST_F(RealTest, DifferingPairsThroughFunctionsAreNotProved) {
  expectNotProved(div(one, add(one, call("expf", x))), sigmoid("aten.exp"));
  expectNotProved(call("tanhf", x), call("aten.erf", x));
  expectNotProved(call("expf", add(x, one)), call("expf", x));
  expectNotProved(sqrt(add(mul(x, x), mul(y, y))), add(store.unary(Op::FAbs, x), store.unary(Op::FAbs, y)));
  expectNotProved(call("expf", store.unary(Op::FAbs, x)), call("expf", x));
}

TEST_F(RealTest, GivesUpByName) {
  RealOptions few;
  few.maxCases = 2;
  few.samples = 0;
  EXPECT_EQ(proveRealEqual(store, clamp(x, zero, one), clamp(x, zero, one), always, few).reason, "cases");
  RealOptions stopped;
  stopped.stop.requestStop();
  EXPECT_EQ(proveRealEqual(store, x, y, always, stopped).reason, "stopped");
  TermId deep = x;
  for (int i = 0; i < 5000; ++i)
    deep = add(deep, y);
  EXPECT_EQ(ask(deep, x).status, Status::Different);
  RealOptions silent;
  silent.samples = 0;
  EXPECT_EQ(proveRealEqual(store, deep, deep, always, silent).reason, "too-deep");
  TermId power = add(x, y);
  for (int i = 0; i < 40; ++i)
    power = mul(power, power);
  EXPECT_EQ(proveRealEqual(store, power, x, always, silent).reason, "too-large");
  EXPECT_EQ(ask(less(x, y), x).reason, "sorts");
}

} // namespace
} // namespace plumbline::engine
