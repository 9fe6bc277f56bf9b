// Which accesses of a run are ordered, and which race. Only the interpreter uses this, for kernels whose
// threads meet, share memory or use atomic operations.
//
// Blocks run one after the other, but no two of them are ordered. Inside a block two accesses are ordered
// when one thread makes both, when a barrier of the block lies between, or when meeting points of warps lie
// between whose lanes lead from one thread to the other. Two accesses to a cell race when they are not
// ordered, at least one writes, and not both are atomic.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace plumbline::ir {

/// Logical time of the threads of the running block. Threads of a run are numbered block by block in the
/// order in which blocks run, inside a block linearly.
class BlockClocks {
public:
  BlockClocks(uint32_t threadsPerBlock, bool meetsInWarps);

  void startBlock(uint32_t firstThread);
  /// All threads of the block have met.
  void meetInBlock();
  /// The lanes of `mask` in the block's warp have met.
  void meetInWarp(uint32_t warp, uint32_t mask);

  uint32_t now(uint32_t thread) const { return m_now[thread - m_first]; }
  bool inThisBlock(uint32_t thread) const { return thread >= m_first; }
  /// Whether a barrier of the block came after that time of that thread, which is of this block.
  bool beforeBarrier(uint32_t thread, uint32_t time) const { return time < m_barrier[thread - m_first]; }
  /// Whether what `thread` of this block did at `time` comes before what `other` of this block does now.
  bool ordered(uint32_t thread, uint32_t time, uint32_t other) const;
  /// Threads with different groups are never ordered but by a barrier of the block.
  uint32_t group(uint32_t thread) const { return m_inWarps ? (thread - m_first) / 32 : thread; }
  uint32_t lane(uint32_t thread) const { return (thread - m_first) % 32; }
  /// Changes with every barrier of a block and with every block.
  uint64_t interval() const { return m_interval; }

private:
  bool m_inWarps;
  uint32_t m_first = 0;
  uint64_t m_interval = 0;
  std::vector<uint32_t> m_now;
  std::vector<uint32_t> m_barrier;               ///< time right after the last barrier
  std::vector<std::array<uint32_t, 32>> m_known; ///< latest time of each lane of the warp that comes before
};

enum class AccessKind : uint8_t { Read, Write, Atomic };

struct TracedAccess {
  static constexpr uint32_t kNobody = UINT32_MAX;
  uint32_t thread = kNobody;
  uint32_t time = 0;
  int32_t place = -1;
  bool known() const { return thread != kNobody; }
};

/// What an access found: one earlier access of another block and one of the same block that race with it, and
/// one atomic access of another thread that is not ordered with this one, which is atomic too.
struct RacesFound {
  TracedAccess inGrid;
  TracedAccess inBlock;
  TracedAccess unorderedAtomic;
  bool any() const { return inGrid.known() || inBlock.known() || unorderedAtomic.known(); }
};

/// The accesses to the cells of one piece of memory, as far as later ones need them: an access that races
/// with some earlier one is always told so.
class RaceTracker {
public:
  /// `sparse`: few of the cells are expected to be touched.
  RaceTracker(int64_t cells, bool sparse);
  /// Forgets everything.
  void clear();
  RacesFound access(int64_t cell, AccessKind kind, const TracedAccess& made, const BlockClocks& clocks);

private:
  /// The last access of each lane of one warp, in one interval.
  struct Lanes {
    uint64_t interval = 0;
    uint32_t group = 0;
    std::array<TracedAccess, 32> last;
  };
  /// Accesses of one kind to one cell.
  struct Accesses {
    TracedAccess earlierBlock;          ///< some access of a block before this one
    TracedAccess latest;                ///< of this block, as long as refresh() has not seen a later one
    std::array<TracedAccess, 2> recent; ///< of this block, neither ordered before the other
    std::unique_ptr<Lanes> lanes; ///< more than two unordered ones, all of one group; then `recent` has two
  };
  struct Record {
    std::array<Accesses, 3> kinds;
  };
  /// A cell that one thread alone has accessed, or the number of its record.
  struct Cell {
    TracedAccess only;
    uint32_t tag = 0; ///< 0 untouched, 1 + kind: `only`, else 4 + record
  };

  Cell& cell(int64_t index);
  Record& recordOf(Cell& cell);
  static void refresh(Accesses& set, const BlockClocks& clocks);
  static void find(const Accesses& set, uint32_t thread, const BlockClocks& clocks, TracedAccess& inGrid,
                   TracedAccess& inBlock);
  static void insert(Accesses& set, const TracedAccess& made, const BlockClocks& clocks);

  std::vector<Cell> m_dense;
  std::unordered_map<int64_t, Cell> m_sparse;
  std::vector<Record> m_records;
};

} // namespace plumbline::ir
