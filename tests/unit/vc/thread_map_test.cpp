// Proposed inverses of index maps, checked by evaluation at every thread and element of small grids.
#include "core/vc/thread_map.h"

#include "tests/support/integer_terms.h"

#include <gtest/gtest.h>

namespace plumbline::vc {
namespace {

using logic::Sort;
using logic::TermId;
using logic::TermStore;
using Extents = std::array<int64_t, 3>;

constexpr const char* axes[] = {"x", "y", "z"};

/// A launch of known extents; `fixed` writes them into the terms, otherwise they stand there as variables.
struct Launch {
  Extents block{4, 2, 1};
  Extents grid{3, 2, 1};
  bool fixed = true;
  TermStore store = {};

  ThreadGeometry geometry() {
    ThreadGeometry made{};
    for (size_t axis = 0; axis < 3; ++axis) {
      made.blockDim[axis] = extent("blockDim.", block, axis);
      made.gridDim[axis] = extent("gridDim.", grid, axis);
    }
    return made;
  }
  TermId extent(const std::string& prefix, const Extents& values, size_t axis) {
    return fixed ? store.integer(values[axis]) : store.var(Sort::Int, prefix + axes[axis]);
  }
  /// blockIdx * blockDim + threadIdx
  TermId global(size_t axis) {
    return store.iadd(store.imul(blockVariable(store, axis), geometry().blockDim[axis]),
                      threadVariable(store, axis));
  }
  int64_t width(size_t axis) const { return block[axis] * grid[axis]; }
  TermId var(const char* name) { return store.var(Sort::Int, name); }

  /// Values of everything but the coordinates.
  test::Assignment sizes() const {
    test::Assignment values{{"w", width(0)}, {"h", width(1)}, {"offset", 11}};
    for (size_t axis = 0; axis < 3; ++axis) {
      values[std::string("blockDim.") + axes[axis]] = block[axis];
      values[std::string("gridDim.") + axes[axis]] = grid[axis];
    }
    return values;
  }
};

/// The proposal sends each of the elements first .. first + count - 1 to an existing thread with that index.
void expectInverse(Launch& launch, TermId index, int64_t first, int64_t count) {
  const TermId element = launch.var("i");
  const ThreadGeometry geometry = launch.geometry();
  const auto witness = proposeWitness(launch.store, index, element, geometry);
  ASSERT_TRUE(witness.has_value()) << launch.store.print(index);
  for (int64_t i = first; i < first + count; ++i) {
    test::Assignment thread = launch.sizes();
    thread["i"] = i;
    for (size_t axis = 0; axis < 3; ++axis) {
      const auto block = test::valueOf(launch.store, witness->block[axis], thread);
      const auto inBlock = test::valueOf(launch.store, witness->thread[axis], thread);
      ASSERT_TRUE(block && inBlock);
      EXPECT_TRUE(0 <= *block && *block < launch.grid[axis])
          << i << " along " << axes[axis] << ": " << *block;
      EXPECT_TRUE(0 <= *inBlock && *inBlock < launch.block[axis])
          << i << " along " << axes[axis] << ": " << *inBlock;
      thread[std::string("blockIdx.") + axes[axis]] = *block;
      thread[std::string("threadIdx.") + axes[axis]] = *inBlock;
    }
    EXPECT_EQ(test::valueOf(launch.store, index, thread), i);
    EXPECT_EQ(test::valueOf(launch.store, atWitness(launch.store, index, *witness), thread), i);
  }
}

TEST(ThreadMap, OneDimension) {
  for (const bool fixed : {true, false}) {
    Launch launch{{4, 1, 1}, {3, 1, 1}, fixed};
    expectInverse(launch, launch.global(0), 0, launch.width(0));
  }
}

TEST(ThreadMap, TheOrderOfFactorsAndSummandsDoesNotMatter) {
  Launch launch{{4, 1, 1}, {3, 1, 1}};
  TermStore& store = launch.store;
  const TermId index =
      store.iadd(threadVariable(store, 0), store.imul(store.integer(4), blockVariable(store, 0)));
  expectInverse(launch, index, 0, 12);
}

TEST(ThreadMap, OneBlockOrOneThreadABlock) {
  Launch oneBlock{{8, 1, 1}, {1, 1, 1}};
  expectInverse(oneBlock, threadVariable(oneBlock.store, 0), 0, 8);
  Launch oneThread{{1, 1, 1}, {9, 1, 1}};
  expectInverse(oneThread, blockVariable(oneThread.store, 0), 0, 9);
}

TEST(ThreadMap, Offset) {
  Launch launch{{4, 1, 1}, {3, 1, 1}};
  TermStore& store = launch.store;
  expectInverse(launch, store.iadd(launch.global(0), store.integer(5)), 5, 12);
  expectInverse(launch, store.isub(launch.global(0), launch.var("offset")), -11, 12);
}

TEST(ThreadMap, Reversed) {
  Launch launch{{4, 1, 1}, {3, 1, 1}};
  TermStore& store = launch.store;
  expectInverse(launch, store.isub(store.integer(11), launch.global(0)), 0, 12);
  expectInverse(launch, store.isub(store.isub(launch.var("w"), store.integer(1)), launch.global(0)), 0, 12);
}

TEST(ThreadMap, TwoDimensionsRowMajor) {
  for (const bool fixed : {true, false}) {
    Launch launch{{4, 2, 1}, {3, 2, 1}, fixed};
    TermStore& store = launch.store;
    const TermId width = fixed ? store.integer(launch.width(0)) : launch.var("w");
    expectInverse(launch, store.iadd(store.imul(launch.global(1), width), launch.global(0)), 0,
                  launch.width(0) * launch.width(1));
  }
}

TEST(ThreadMap, TwoDimensionsColumnMajor) {
  Launch launch{{4, 2, 1}, {3, 2, 1}};
  TermStore& store = launch.store;
  expectInverse(launch, store.iadd(store.imul(launch.global(0), launch.var("h")), launch.global(1)), 0,
                launch.width(0) * launch.width(1));
}

TEST(ThreadMap, ThreeDimensions) {
  Launch launch{{2, 3, 2}, {3, 2, 2}};
  TermStore& store = launch.store;
  const TermId w = launch.var("w");
  const TermId h = launch.var("h");
  const TermId row = store.iadd(store.imul(launch.global(2), h), launch.global(1));
  expectInverse(launch, store.iadd(store.imul(row, w), launch.global(0)), 0,
                launch.width(0) * launch.width(1) * launch.width(2));
}

TEST(ThreadMap, ABlockForEachRow) {
  Launch launch{{6, 1, 1}, {1, 5, 1}};
  TermStore& store = launch.store;
  const TermId index =
      store.iadd(store.imul(blockVariable(store, 1), store.integer(6)), threadVariable(store, 0));
  expectInverse(launch, index, 0, 30);
}

TEST(ThreadMap, OtherShapesGetNoProposal) {
  Launch launch;
  TermStore& store = launch.store;
  const TermId n = launch.var("n");
  const TermId x = launch.global(0);
  const TermId block = blockVariable(store, 0);
  const TermId thread = threadVariable(store, 0);
  const TermId condition = store.ilt(x, n);
  const TermId others[] = {
      store.imul(x, x),
      store.idiv(x, store.integer(2)),
      store.irem(x, n),
      store.ite(condition, x, n),
      store.imul(block, thread),
      store.iadd(store.imul(block, store.integer(5)), thread), // not the extent of a block: gaps
      block,                                                   // the same for all threads of a block
  };
  for (TermId index : others)
    EXPECT_FALSE(proposeWitness(store, index, launch.var("i"), launch.geometry()).has_value())
        << store.print(index);
}

} // namespace
} // namespace plumbline::vc
