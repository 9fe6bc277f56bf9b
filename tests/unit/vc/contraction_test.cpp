// Products and sums with one rounding: where they may be, and what the kernel then stores.
#include "core/vc/contraction.h"

#include "tests/unit/vc/thread_fixture.h"

namespace plumbline::vc::test {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;

/// What a kernel over x, y and scalars a, b, c stores in y[0], with a choice made at every place.
struct Stored {
  ir::Module module;
  std::vector<ContractionPlace> places;
  std::unique_ptr<Execution> execution;
  TermId value{};

  Stored(const std::string& body, const std::vector<int>& choices, const std::string& before = "") {
    const ir::Module source = import(
        before + "__global__ void k(float* y, float a, float b, float c, float d) {\n" + body + "\n}\n");
    if (source.kernels.empty())
      return;
    places = contractionPlaces(source, source.kernels[0]);
    module = contracted(source, places, choices);
    EXPECT_EQ(ir::verify(module), std::vector<std::string>{});
    execution = std::make_unique<Execution>(module, module.kernels[0]);
    const auto thread = execution->run();
    EXPECT_TRUE(thread) << (thread ? "" : toString(thread.error()));
    if (thread && thread->stores.size() == 1)
      value = thread->stores[0].value;
    else
      ADD_FAILURE() << "one store is expected";
  }
  logic::TermStore& store() const { return execution->store; }
  TermId v(const char* name) const { return store().var(Sort::F32, name); }
  TermId neg(TermId term) const { return store().unary(Op::FNeg, term); }
  TermId mul(TermId a, TermId b) const { return store().binary(Op::FMul, a, b); }
};

TEST(Contraction, EverySignHasItsForm) {
  struct Case {
    const char* body;
    int operand;
    bool negateFactor;
    bool negateTerm;
  };
  for (const Case& each :
       {Case{"y[0] = a * b + c;", 0, false, false}, Case{"y[0] = c + a * b;", 1, false, false},
        Case{"y[0] = a * b - c;", 0, false, true}, Case{"y[0] = c - a * b;", 1, true, false},
        Case{"y[0] = -(a * b) + c;", 0, true, false}, Case{"y[0] = c - -(a * b);", 1, false, false},
        Case{"y[0] = -(a * b) - c;", 0, true, true}}) {
    const Stored fused(each.body, {each.operand});
    ASSERT_EQ(fused.places.size(), 1U) << each.body;
    EXPECT_EQ(fused.places[0].operands, std::vector<int>{each.operand}) << each.body;
    const TermId a = fused.v("a");
    const TermId c = fused.v("c");
    EXPECT_EQ(fused.value, fused.store().fma(each.negateFactor ? fused.neg(a) : a, fused.v("b"),
                                             each.negateTerm ? fused.neg(c) : c))
        << each.body << ": " << fused.store().print(fused.value);
  }
}

TEST(Contraction, TwoProductsAreTwoChoices) {
  const char* body = "y[0] = a * b + c * d;";
  const Stored left(body, {0});
  ASSERT_EQ(left.places.size(), 1U);
  EXPECT_EQ(left.places[0].operands, (std::vector<int>{0, 1}));
  EXPECT_EQ(left.value, left.store().fma(left.v("a"), left.v("b"), left.mul(left.v("c"), left.v("d"))));
  const Stored right(body, {1});
  EXPECT_EQ(right.value,
            right.store().fma(right.v("c"), right.v("d"), right.mul(right.v("a"), right.v("b"))));
  const Stored none(body, {-1});
  EXPECT_EQ(none.value, none.store().binary(Op::FAdd, none.mul(none.v("a"), none.v("b")),
                                            none.mul(none.v("c"), none.v("d"))));
}

TEST(Contraction, AProductInALocalIsFusedWithTheFactorsOfItsTime) {
  const Stored fused("float t = a * b; a = 1.0f; y[0] = t + c; ", {0});
  ASSERT_EQ(fused.places.size(), 1U);
  EXPECT_EQ(fused.value, fused.store().fma(fused.v("a"), fused.v("b"), fused.v("c")));
  const Stored twice("float t = -(a * b); float s = t + c; y[0] = s - t; ", {0, -1});
  ASSERT_EQ(twice.places.size(), 2U);
  const TermId sum = twice.store().fma(twice.neg(twice.v("a")), twice.v("b"), twice.v("c"));
  EXPECT_EQ(twice.value,
            twice.store().binary(Op::FSub, sum, twice.neg(twice.mul(twice.v("a"), twice.v("b")))));
}

TEST(Contraction, InBranchesAndFunctions) {
  const Stored branch("float r = c; if (d > 0.0f) { float t = a * b; r = r + t; } y[0] = r;", {1});
  ASSERT_EQ(branch.places.size(), 1U);
  EXPECT_EQ(
      branch.value,
      branch.store().ite(branch.store().binary(Op::FLt, branch.store().f32Bits(0, "0.0"), branch.v("d")),
                         branch.store().fma(branch.v("a"), branch.v("b"), branch.v("c")), branch.v("c")));
  const Stored helper("y[0] = f(a, b);", {0}, "__device__ float f(float p, float q) { return p * p - q; }\n");
  ASSERT_EQ(helper.places.size(), 1U);
  EXPECT_EQ(helper.places[0].where.line, 1);
  EXPECT_EQ(helper.value, helper.store().fma(helper.v("a"), helper.v("a"), helper.neg(helper.v("b"))));
}

TEST(Contraction, WhatIsNoPlace) {
  for (const char* body :
       {"y[0] = a + b;", "y[0] = __fadd_rn(a * b, c);", "y[0] = __fmul_rn(a, b) + c;",
        "y[0] = (double)(a * b) + 1.0;", "float t = a * b; if (c > 0.0f) t = d; y[0] = t + c;",
        "float t; t = a * b; t += c; y[0] = t;", "y[0] = a / b + c;", "y[0] = (a * b) * c;"})
    EXPECT_TRUE(Stored(body, {}).places.empty()) << body;
}

} // namespace
} // namespace plumbline::vc::test
