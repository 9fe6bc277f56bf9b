// The guessed writer of an element writes it, wherever the guess succeeds: checked by numbers.
#include "core/gate/arithmetic/evaluate.h"
#include "core/gate/grid/witness.h"

#include <gtest/gtest.h>

namespace plumbline::gate::grid {
namespace {

using logic::Sort;
using logic::TermId;
using logic::TermStore;

struct Shape {
  TermStore store;
  TermId b = store.var(Sort::Int, "b"), t = store.var(Sort::Int, "t"), n = store.var(Sort::Int, "n"),
         k = store.var(Sort::Int, "k"), target = store.var(Sort::Int, "target");
  TermId number(int64_t value) { return store.integer(value); }

  /// The value of `index` at the guess, for a target and n.
  int64_t written(TermId index, const std::set<TermId>& free, int64_t element, int64_t size) {
    const auto choice = solveIndex(store, index, target, free);
    if (!choice)
      return -1;
    const TermId at = store.substitute(index, *choice);
    const auto value = evaluateInteger(store, at, {{target, element}, {n, size}});
    return value ? static_cast<int64_t>(*value) : -2;
  }

  /// The block and the thread that are chosen to write an element under conditions; 0 where any will do.
  std::pair<int64_t, int64_t> chosen(TermId index, int64_t element,
                                     const std::vector<std::pair<TermId, TermId>>& wanted) {
    const auto choice = solveIndex(store, index, target, {b, t}, wanted);
    const auto number = [&](TermId variable) -> int64_t {
      if (!choice || !choice->contains(variable))
        return choice ? 0 : -1;
      const auto value = evaluateInteger(store, choice->at(variable), {{target, element}});
      return value ? static_cast<int64_t>(*value) : -2;
    };
    return {number(b), number(t)};
  }
};

TEST(Witness, BlocksOfThreads) {
  Shape s;
  const TermId index = s.store.iadd(s.store.imul(s.number(64), s.b), s.t);
  for (int64_t element : {0, 1, 63, 64, 65, 1000})
    EXPECT_EQ(s.written(index, {s.b, s.t}, element, 7), element);
}

TEST(Witness, RowsOfSymbolicLength) {
  Shape s;
  const TermId row = s.store.iadd(s.store.imul(s.number(8), s.b), s.t);
  const TermId index = s.store.iadd(s.store.imul(row, s.n), s.k);
  for (int64_t element : {0, 5, 12, 13, 130, 131, 999})
    EXPECT_EQ(s.written(index, {s.b, s.t, s.k}, element, 13), element);
}

TEST(Witness, ConditionsOfTheWriter) {
  Shape s;
  const TermId warp = s.store.idiv(s.t, s.number(32)), lane = s.store.irem(s.t, s.number(32));
  const TermId thread = s.store.iadd(s.store.imul(s.number(64), s.b), s.t);
  // One lane of each warp; one thread of each block, by its warp and lane; one thread of the grid, which the
  // index does not mention.
  EXPECT_EQ(s.chosen(warp, 5, {{lane, s.number(3)}}), (std::pair<int64_t, int64_t>(0, 163)));
  EXPECT_EQ(s.chosen(s.b, 9, {{warp, s.number(2)}, {lane, s.number(7)}}),
            (std::pair<int64_t, int64_t>(9, 71)));
  EXPECT_EQ(s.chosen(s.n, 9, {{thread, s.number(130)}}), (std::pair<int64_t, int64_t>(2, 2)));
}

TEST(Witness, ConditionsThatContradictTheIndexAreLeftOut) {
  Shape s;
  const TermId lane = s.store.irem(s.t, s.number(32));
  EXPECT_EQ(s.chosen(s.t, 40, {{lane, s.number(3)}}), (std::pair<int64_t, int64_t>(0, 40)));
}

TEST(Witness, FallingIndex) {
  Shape s;
  const TermId index = s.store.isub(s.number(255), s.t);
  for (int64_t element : {0, 1, 200, 255})
    EXPECT_EQ(s.written(index, {s.t}, element, 1), element);
}

TEST(Witness, QuotientOfTheThread) {
  Shape s;
  const TermId index = s.store.idiv(s.t, s.number(32));
  for (int64_t element : {0, 1, 7})
    EXPECT_EQ(s.written(index, {s.t}, element, 1), element);
}

TEST(Witness, ProductsOfUnknownsAreNotGuessed) {
  Shape s;
  EXPECT_FALSE(solveIndex(s.store, s.store.imul(s.b, s.t), s.target, {s.b, s.t}));
  EXPECT_FALSE(solveIndex(s.store, s.store.iadd(s.b, s.t), s.target, {s.b, s.t}))
      << "two unknowns of coefficient one";
}

} // namespace
} // namespace plumbline::gate::grid
