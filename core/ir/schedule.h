// The order in which a run executes threads. Blocks run one after the other. In a block a thread runs until
// it waits for others or ends, then the next one runs: between two meeting points accesses never interleave,
// which loses no race (those are found from what is ordered, not from what happened), but only some of the
// values that a racing kernel can produce.
#pragma once

#include "core/ir/finding.h"

#include <span>

namespace plumbline::ir {

struct Schedule {
  enum class Kind : uint8_t { Forward, Backward, Random };
  Kind kind = Kind::Forward;
  uint64_t seed = 0;
};

/// "forward", "backward", "random:SEED". Error: "schedule-syntax".
Expected<Schedule> parseSchedule(const std::string& text);

/// The threads of a run by their position in the order.
class ThreadSequence {
public:
  /// The whole grid: blocks in order (x fastest), in each block its threads; Random permutes the blocks, and
  /// the threads of each block. Error: "run-too-large" (2^32 - 1 threads or more, 2^26 blocks or more for
  /// Random).
  static Expected<ThreadSequence> wholeGrid(const std::array<int64_t, 3>& grid,
                                            const std::array<int64_t, 3>& block, const Schedule& schedule);
  /// Given threads, in the order given by the schedule.
  static ThreadSequence of(std::span<const ThreadId> threads, const Schedule& schedule);

  /// All threads of the blocks that hold a given thread; blocks in the order given by the schedule. Error:
  /// "run-too-large".
  static Expected<ThreadSequence> wholeBlocks(std::span<const ThreadId> threads,
                                              const std::array<int64_t, 3>& block, const Schedule& schedule);

  /// Of `wholeGrid` and `wholeBlocks`: the n-th block to run, and the order in which its threads go on the
  /// round-th time that they can; threads are counted linearly.
  uint32_t blocks() const { return m_size / m_perBlock; }
  uint32_t threadsPerBlock() const { return m_perBlock; }
  ThreadId inBlock(uint32_t block, uint32_t thread) const;
  std::vector<uint32_t> order(uint32_t block, uint32_t round) const;

  uint32_t size() const { return m_size; }
  ThreadId operator[](uint32_t position) const;

private:
  uint32_t blockNumber(uint32_t position) const;

  std::array<int64_t, 3> m_grid{};
  std::array<int64_t, 3> m_block{};
  Schedule m_schedule;
  uint32_t m_size = 0;
  uint32_t m_perBlock = 1;
  std::vector<uint32_t> m_blockOrder;           ///< Random only
  std::vector<std::array<int64_t, 3>> m_blocks; ///< `wholeBlocks` only, in the order given by the schedule
  std::vector<ThreadId> m_threads;              ///< `of` only
  mutable std::vector<uint32_t> m_threadOrder;  ///< Random only: of the block at m_orderedBlock
  mutable uint32_t m_orderedBlock = UINT32_MAX;
};

} // namespace plumbline::ir
