// Random pairs of terms: what is proved must agree at exact rational points, what is said to differ must
// differ there.
#include "core/engine/real.h"
#include "core/logic/eval_real.h"

#include <array>
#include <bit>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::engine {
namespace {

using logic::Op;
using logic::RealValue;
using logic::Sort;
using logic::Term;
using logic::TermId;
using logic::TermStore;

class PairGenerator {
public:
  PairGenerator(TermStore& store, uint32_t seed) : m_store(store), m_random(seed) {}

  TermId term(int depth) {
    if (depth == 0 || m_random() % 6 == 0)
      return leaf();
    switch (m_random() % 9) {
    case 0:
    case 1: return m_store.binary(Op::FAdd, term(depth - 1), term(depth - 1));
    case 2: return m_store.binary(Op::FSub, term(depth - 1), term(depth - 1));
    case 3: return m_store.binary(Op::FMul, term(depth - 1), term(depth - 1));
    case 4: return m_store.binary(Op::FDiv, term(depth - 1), term(depth - 1));
    case 5: return m_store.unary(m_random() % 3 == 0 ? Op::FSqrt : Op::FAbs, term(depth - 1));
    case 6: return m_store.ptxMax(term(depth - 1), leaf());
    default: return m_store.ite(condition(depth), term(depth - 1), term(depth - 1));
    }
  }

  /// The same term with about one node changed, in a way that may or may not matter.
  TermId variant(TermId root) {
    std::vector<TermId> order = m_store.postOrder(root);
    TermId victim = order[m_random() % order.size()];
    return m_store.substitute(root, {{victim, changed(victim)}});
  }

private:
  TermId constant() {
    static constexpr std::array values = {0.0F, 1.0F, -1.0F, 2.0F, 0.5F, -3.0F};
    return m_store.f32Bits(std::bit_cast<uint32_t>(values.at(m_random() % values.size())));
  }
  TermId leaf() {
    return m_random() % 3 == 0 ? constant() : m_store.var(Sort::F32, m_random() % 3 == 0 ? "y" : "x");
  }
  TermId condition(int depth) {
    static constexpr std::array ops = {Op::FLt, Op::FLe, Op::FEq};
    TermId result = m_store.binary(ops.at(m_random() % ops.size()), term(std::min(depth - 1, 1)), leaf());
    return m_random() % 4 == 0 ? m_store.lnot(result) : result;
  }
  TermId changed(TermId id) {
    const Term term = m_store[id];
    switch (term.op) {
    case Op::FLt: return m_store.binary(m_random() % 2 == 0 ? Op::FLe : Op::FLt, term.args[0], term.args[1]);
    case Op::FLe: return m_store.lnot(m_store.binary(Op::FLt, term.args[m_random() % 2], term.args[0]));
    case Op::FAdd:
    case Op::FMul: return m_store.binary(term.op, term.args[1], term.args[0]);
    case Op::FSub: return m_store.binary(Op::FAdd, term.args[0], m_store.unary(Op::FNeg, term.args[1]));
    case Op::FAbs: return m_store.ptxMax(term.args[0], m_store.unary(Op::FNeg, term.args[0]));
    case Op::FloatConst: return constant();
    default:
      return term.sort == Sort::F32 ? m_store.binary(Op::FAdd, id, m_store.f32Bits(0))
                                    : m_store.lnot(m_store.lnot(id));
    }
  }

  TermStore& m_store;
  std::mt19937 m_random;
};

/// True when the two terms differ at one of the points, or the first is undefined where the second is not.
bool differSomewhere(const TermStore& store, TermId kernel, TermId spec, std::mt19937& random) {
  std::array roots = {kernel, spec};
  logic::CompiledRealTerm term(store, roots);
  std::vector<Rational> grid;
  for (int numerator = -8; numerator <= 8; ++numerator) {
    grid.emplace_back(numerator, 2);
    grid.back().canonicalize();
  }
  for (int i = 0; i < 20; ++i) {
    grid.emplace_back(static_cast<int>(random() % 4001) - 2000, static_cast<int>(random() % 997) + 1);
    grid.back().canonicalize();
  }
  for (const Rational& first : grid)
    for (const Rational& second : grid) {
      std::array values = {first, second};
      term.evaluate(values);
      RealValue a = term.result(0), b = term.result(1);
      if (!b.known() || a.kind == RealValue::Kind::Inexact)
        continue;
      if (!a.known() || a.value != b.value)
        return true;
    }
  return false;
}

TEST(RealFuzz, VerdictsHoldAtRationalPoints) {
  int proved = 0, different = 0;
  std::mt19937 random(99);
  RealOptions options;
  options.maxCases = 500;
  options.samples = 300;
  for (uint32_t seed = 0; seed < 800; ++seed) {
    TermStore store;
    PairGenerator generator(store, seed);
    TermId spec = generator.term(4);
    TermId kernel = generator.variant(seed % 2 == 0 ? spec : generator.variant(spec));
    RealResult result = proveRealEqual(store, kernel, spec, store.boolean(true), options);
    if (result.status == RealResult::Status::Proved) {
      proved += kernel != spec ? 1 : 0;
      ASSERT_FALSE(differSomewhere(store, kernel, spec, random))
          << "seed " << seed << ": " << store.print(kernel) << " vs " << store.print(spec);
    }
    if (result.status == RealResult::Status::Different) {
      ++different;
      ASSERT_NE(result.kernelValue, result.specValue);
      std::array roots = {kernel, spec};
      logic::CompiledRealTerm term(store, roots);
      std::vector<Rational> values;
      for (const auto& input : term.inputs())
        values.push_back(result.assignment.at(store.var(input.sort, input.name)));
      term.evaluate(values);
      ASSERT_EQ(term.result(1).value, result.specValue);
      ASSERT_TRUE(term.result(0).kind == RealValue::Kind::Undefined ||
                  term.result(0).value == result.kernelValue);
    }
  }
  EXPECT_GT(proved, 300);
  EXPECT_GT(different, 80);
  RecordProperty("proved", proved);
  RecordProperty("different", different);
}

} // namespace
} // namespace plumbline::engine
