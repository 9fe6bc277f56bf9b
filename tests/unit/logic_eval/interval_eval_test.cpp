#include "core/logic/interval_eval.h"

#include "core/f32/soft_float.h"
#include "core/logic/eval.h"

#include <array>
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::logic {
namespace {

using f32::Width;

uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// Random terms over x and y. Opaque functions only when asked for.
class TermGenerator {
public:
  TermGenerator(TermStore& store, uint64_t seed, bool opaque)
      : m_store(store), m_random(seed), m_opaque(opaque) {
    m_floats = {store.var(Sort::F32, "x"), store.var(Sort::F32, "y")};
  }

  TermId make(int size) {
    for (int i = 0; i < size; ++i)
      m_floats.push_back(grow());
    return m_floats.back();
  }

private:
  TermId pick() {
    // Recent terms are likelier, so that terms get deep.
    size_t count = m_floats.size();
    return m_random() % 3 == 0 ? m_floats[m_random() % count]
                               : m_floats[count - 1 - m_random() % std::min<size_t>(count, 3)];
  }
  TermId condition() {
    static constexpr std::array ops = {Op::FLt, Op::FLe, Op::FEq, Op::FSame};
    size_t choice = m_random() % (ops.size() + 1);
    TermId result = choice == ops.size() ? m_store.unary(Op::FIsNan, pick())
                                         : m_store.binary(ops.at(choice), pick(), pick());
    return m_random() % 3 == 0 ? m_store.lnot(result) : result;
  }
  TermId grow() {
    static constexpr std::array binary = {Op::FAdd, Op::FSub, Op::FMul, Op::FDiv};
    static constexpr std::array unary = {Op::FNeg, Op::FAbs, Op::FSqrt};
    static constexpr std::array names = {"expf", "tanhf", "logf", "rsqrtf", "__expf", "sinf", "aten.erf"};
    static constexpr std::array constants = {0.0F, -0.0F, 1.0F, -2.5F, 1e30F, 1e-40F, INFINITY};
    switch (m_random() % 8) {
    case 0: return m_store.unary(unary.at(m_random() % unary.size()), pick());
    case 1: return m_store.fma(pick(), pick(), pick());
    case 2: return m_store.ite(condition(), pick(), pick());
    case 3:
      return m_store.binary(binary.at(m_random() % binary.size()), pick(),
                            m_store.f32Bits(bits(constants.at(m_random() % constants.size()))));
    case 4: {
      TermId wide = m_store.binary(binary.at(m_random() % binary.size()), m_store.convert(Sort::F64, pick()),
                                   m_store.convert(Sort::F64, pick()));
      return m_store.convert(Sort::F32, wide);
    }
    case 5:
      if (m_opaque) {
        std::array args = {pick()};
        return m_store.opaque(Sort::F32, names.at(m_random() % names.size()), args);
      }
      [[fallthrough]];
    default: return m_store.binary(binary.at(m_random() % binary.size()), pick(), pick());
    }
  }

  TermStore& m_store;
  std::mt19937_64 m_random;
  bool m_opaque;
  std::vector<TermId> m_floats;
};

uint64_t randomFloat(std::mt19937_64& random) {
  static constexpr std::array specials = {0.0F, -0.0F,  1.0F,  -1.0F, INFINITY, -INFINITY,
                                          NAN,  1e-45F, 3e38F, 0.5F,  -30.0F};
  if (random() % 4 == 0)
    return bits(specials.at(random() % specials.size()));
  if (random() % 2 == 0)
    return random() & 0xFFFFFFFFU;
  return bits(std::ldexp(static_cast<float>(static_cast<int32_t>(random())), -28));
}

std::vector<uint64_t> randomInputs(std::mt19937_64& random, size_t count) {
  std::vector<uint64_t> values(count);
  for (uint64_t& value : values)
    value = randomFloat(random);
  return values;
}

bool contains(const Interval& interval, uint64_t value) {
  if (f32::Soft<f32::Binary32>::isNan(static_cast<uint32_t>(value)))
    return interval.range.mayBeNan;
  int64_t key = f32::orderedKey(value, Width::Binary32);
  return !interval.range.empty && f32::orderedKey(interval.range.low, Width::Binary32) <= key &&
         key <= f32::orderedKey(interval.range.high, Width::Binary32);
}

/// Without opaque functions an enclosure at a point is exactly the value.
TEST(IntervalEval, PointsStayPoints) {
  std::mt19937_64 random(3);
  for (uint64_t seed = 0; seed < 400; ++seed) {
    TermStore store;
    TermId root = TermGenerator(store, seed, false).make(12);
    CompiledTerm exact(store, root);
    IntervalTerm enclosed(store, root);
    for (int i = 0; i < 50; ++i) {
      auto values = randomInputs(random, exact.inputs().size());
      exact.evaluate(values);
      enclosed.evaluate(values);
      uint64_t value = exact.result().value_or(Value{}).bits;
      ASSERT_EQ(enclosed.result().range, f32::pointRange(value, Width::Binary32)) << store.print(root);
    }
  }
}

/// Any implementation of the opaque functions within the documented error must stay inside.
TEST(IntervalEval, ContainsEveryAllowedImplementation) {
  std::mt19937_64 random(4);
  auto perturbed = [&](std::string_view spelling, Sort,
                       std::span<const uint64_t> args) -> Expected<uint64_t> {
    uint64_t value =
        f32::elementaryValue(f32::canonicalFunction(spelling).value_or(""), Width::Binary32, args)
            .value_or(0);
    auto argument = static_cast<uint32_t>(args[0]);
    bool special = (argument << 1) == 0 || (argument << 1) == 0xFF000000U;
    if (f32::Soft<f32::Binary32>::isNan(static_cast<uint32_t>(value)) || (special && spelling != "__expf"))
      return value;
    int64_t step = static_cast<int64_t>(random() % 3) - 1; // every bound used here allows one ulp
    int64_t infinity = f32::orderedKey(0x7F800000U, Width::Binary32);
    return f32::fromOrderedKey(
        std::clamp(f32::orderedKey(value, Width::Binary32) + step, -infinity - 1, infinity), Width::Binary32);
  };
  Callbacks callbacks;
  callbacks.opaque = perturbed;
  int bounded = 0;
  for (uint64_t seed = 0; seed < 400; ++seed) {
    TermStore store;
    TermId root = TermGenerator(store, seed, true).make(10);
    CompiledTerm exact(store, root);
    IntervalTerm enclosed(store, root);
    for (int i = 0; i < 50; ++i) {
      auto values = randomInputs(random, exact.inputs().size());
      enclosed.evaluate(values);
      exact.evaluate(values, callbacks);
      auto value = exact.result();
      ASSERT_TRUE(value.has_value());
      ASSERT_TRUE(contains(enclosed.result(), value.value_or(Value{}).bits)) << store.print(root);
      bounded += enclosed.result().range != f32::wholeRange(Width::Binary32) ? 1 : 0;
    }
  }
  EXPECT_GT(bounded, 10000); // the enclosures say something
}

TEST(IntervalEval, SigmoidSpellingsAreSeparatedOnlyWhereTheyMustDiffer) {
  TermStore store;
  TermId x = store.var(Sort::F32, "x");
  TermId one = store.f32Bits(bits(1.0F));
  auto sigmoid = [&](std::string_view spelling, TermId numerator) {
    std::array args = {store.unary(Op::FNeg, x)};
    return store.binary(Op::FDiv, numerator,
                        store.binary(Op::FAdd, one, store.opaque(Sort::F32, spelling, args)));
  };
  std::array roots = {sigmoid("aten.exp", one), sigmoid("__expf", one),
                      sigmoid("expf", store.f32Bits(bits(1.001F)))};
  IntervalTerm term(store, roots);
  auto differ = [&](float value, size_t a, size_t b) {
    std::array values = {uint64_t{bits(value)}};
    term.evaluate(values);
    return certainlyDifferent(term.result(a), term.result(b));
  };
  EXPECT_FALSE(differ(0.5F, 0, 1));
  EXPECT_FALSE(differ(-3.0F, 0, 1));
  EXPECT_TRUE(differ(0.5F, 0, 2)); // 0.1 % apart, the bounds allow some 1e-7
  EXPECT_TRUE(differ(-3.0F, 0, 2));
  EXPECT_FALSE(differ(NAN, 0, 2)); // both NaN
  EXPECT_EQ(term.opaqueFunctions(), (std::vector<std::string>{"aten.exp", "__expf", "expf"}));
}

TEST(IntervalEval, CertainDifference) {
  auto single = [](float value) {
    return Interval{Sort::F32, f32::pointRange(bits(value), Width::Binary32), true, true, std::nullopt};
  };
  EXPECT_TRUE(certainlyDifferent(single(-0.0F), single(0.0F)));
  EXPECT_TRUE(certainlyDifferent(single(NAN), single(0.0F)));
  EXPECT_FALSE(certainlyDifferent(single(NAN), single(NAN)));
  EXPECT_FALSE(certainlyDifferent(single(1.0F), single(1.0F)));
  Interval three{Sort::Int, {}, true, true, 3};
  Interval unknown{Sort::Int, {}, true, true, std::nullopt};
  EXPECT_FALSE(certainlyDifferent(three, unknown));
  EXPECT_TRUE(certainlyDifferent(three, Interval{Sort::Int, {}, true, true, 4}));
}

/// Failures of evaluation widen to anything.
TEST(IntervalEval, ErrorsWiden) {
  TermStore store;
  TermId n = store.var(Sort::Int, "n");
  std::array roots = {store.intToFloat(Sort::F32, store.idiv(store.integer(1), n)),
                      store.load(Sort::F32, "a", n), store.ilt(store.imul(n, n), store.integer(0))};
  IntervalTerm term(store, roots);
  std::array values = {uint64_t{0}};
  term.evaluate(values);
  EXPECT_EQ(term.result(0).range, f32::wholeRange(Width::Binary32));
  EXPECT_EQ(term.result(1).range, f32::wholeRange(Width::Binary32));
  EXPECT_FALSE(term.result(2).mayBeTrue);
  values[0] = static_cast<uint64_t>(INT64_MAX);
  term.evaluate(values);
  EXPECT_TRUE(term.result(2).mayBeTrue && term.result(2).mayBeFalse);
}

} // namespace
} // namespace plumbline::logic
