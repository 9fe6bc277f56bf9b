// The order in which a run executes threads. Threads run to completion one after the other.
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

  uint32_t size() const { return m_size; }
  ThreadId operator[](uint32_t position) const;

private:
  std::array<int64_t, 3> m_grid{};
  std::array<int64_t, 3> m_block{};
  Schedule m_schedule;
  uint32_t m_size = 0;
  uint32_t m_perBlock = 1;
  std::vector<uint32_t> m_blockOrder;          ///< Random only
  std::vector<ThreadId> m_threads;             ///< `of` only
  mutable std::vector<uint32_t> m_threadOrder; ///< Random only: of the block at m_orderedBlock
  mutable uint32_t m_orderedBlock = UINT32_MAX;
};

} // namespace plumbline::ir
