#include "core/spec/shape.h"

#include "core/spec/evaluate.h"
#include "tests/unit/spec/graphs.h"

#include <gtest/gtest.h>
#include <random>

namespace plumbline::spec {
namespace {

TEST(Broadcast, CommonShape) {
  auto common = [](const std::vector<std::string>& a, const std::vector<std::string>& b) {
    auto shape = broadcast(sizes(a), sizes(b));
    return shape ? print(*shape) : "none";
  };
  EXPECT_EQ(common({"s0", "s1"}, {"s1"}), "[s0, s1]");
  EXPECT_EQ(common({"s0", "1"}, {"1", "s1"}), "[s0, s1]");
  EXPECT_EQ(common({}, {"4"}), "[4]");
  EXPECT_EQ(common({"s0"}, {"s1"}), "none");
  EXPECT_EQ(common({"3"}, {"4"}), "none");
  EXPECT_EQ(common({"2 * s0"}, {"2 * s0"}), common({"1"}, {"2 * s0"}));
}

/// Against coordinates computed one dimension at a time, with sizes fixed or as symbols.
TEST(Broadcast, IndexByBruteForce) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    const size_t rank = 1 + random() % 4;
    std::vector<int64_t> to(rank);
    for (auto& size : to)
      size = 1 + static_cast<int64_t>(random() % 4);
    std::vector<int64_t> from(to.begin() + static_cast<std::ptrdiff_t>(random() % (rank + 1)), to.end());
    for (auto& size : from)
      size = random() % 2 ? size : 1;
    const bool symbolic = round % 2 == 0;
    Sizes values;
    Shape toShape;
    for (size_t i = 0; i < rank; ++i) {
      const std::string name = "s" + std::to_string(i);
      toShape.push_back(symbolic && to[i] != 1 ? ir::sizeSymbol(name) : ir::sizeConstant(to[i]));
      values[name] = to[i];
    }
    Shape fromShape;
    for (size_t i = 0; i < from.size(); ++i)
      fromShape.push_back(from[i] == 1 ? ir::sizeConstant(1) : toShape[rank - from.size() + i]);
    logic::TermStore terms;
    const logic::TermId index =
        broadcastIndex(terms, fromShape, toShape, terms.var(logic::Sort::Int, indexName));
    int64_t numel = 1;
    for (int64_t size : to)
      numel *= size;
    for (int64_t flat = 0; flat < numel; ++flat) {
      int64_t rest = flat;
      int64_t expected = 0;
      int64_t stride = 1;
      for (size_t k = rank; k-- > 0;) {
        const int64_t coordinate = rest % to[k];
        rest /= to[k];
        if (k + from.size() < rank)
          continue;
        const int64_t size = from[k + from.size() - rank];
        expected += size == 1 ? 0 : coordinate * stride;
        stride *= size;
      }
      values[indexName] = flat;
      auto value = sizeValue(terms, index, values);
      ASSERT_TRUE(value) << toString(value.error());
      EXPECT_EQ(*value, expected) << print(fromShape) << " to " << print(toShape) << " at " << flat;
    }
  }
}

TEST(Broadcast, SameShapeKeepsTheIndex) {
  logic::TermStore terms;
  const auto index = terms.var(logic::Sort::Int, indexName);
  EXPECT_EQ(broadcastIndex(terms, sizes({"s0", "s1"}), sizes({"s0", "s1"}), index), index);
  EXPECT_EQ(terms.print(broadcastIndex(terms, sizes({"s1"}), sizes({"s0", "s1"}), index)),
            terms.print(terms.irem(index, terms.var(logic::Sort::Int, "s1"))));
}

TEST(SizeTerm, MeansWhatTheExpressionMeans) {
  for (const char* text :
       {"s0 + 2 * s1", "s0 - s1", "s0 / 3", "(s0 - 9) % 4", "max(s0, s1)", "min(s0, s1)", "ceil(s0 / 4)",
        "ceil((s0 - 9) / 4)", "s0 < s1", "s0 <= 4 && s1 != 2", "s0 >= s1", "s0 > s1", "s0 == s1"}) {
    auto expression = ir::parseSizeExpr(text);
    ASSERT_TRUE(expression) << text;
    for (int64_t s0 = 1; s0 < 14; ++s0)
      for (int64_t s1 = 1; s1 < 4; ++s1) {
        logic::TermStore terms;
        auto value = sizeValue(terms, sizeTerm(terms, **expression), {{"s0", s0}, {"s1", s1}});
        auto expected = ir::evaluate(**expression, [&](const std::string& name) -> std::optional<int64_t> {
          return name == "s0" ? s0 : s1;
        });
        ASSERT_TRUE(value && expected) << text;
        EXPECT_EQ(*value, *expected) << text << " at " << s0 << ", " << s1;
      }
  }
}

} // namespace
} // namespace plumbline::spec
