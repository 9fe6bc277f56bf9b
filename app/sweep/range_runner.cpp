#include "app/sweep/range_runner.h"

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>
#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace plumbline::sweep {
namespace {

constexpr uint64_t chunkValues = 4096; // the buffer stays in the first-level cache
constexpr uint64_t blockValues = uint64_t{1} << 20;
constexpr uint64_t none = UINT64_MAX;

enum class Fault : uint8_t { None, FloatEnvironment, Inconsistent };

bool defaultFloatEnvironment() {
#if defined(__SSE__)
  constexpr unsigned stickyFlags = 0x3f;
  constexpr unsigned afterReset =
      0x1f80; // exceptions masked, to nearest, no flush to zero, subnormals are not zeros
  if ((_mm_getcsr() & ~stickyFlags) != afterReset)
    return false;
#endif
  return std::fegetround() == FE_TONEAREST;
}

/// Blocks are handed out in ascending order. A thread stops at its first difference or beyond the lowest
/// known one, so when all have stopped every pattern below `m_best` has been compared.
class Run {
public:
  Run(const Loops& loops, PatternRange range, unsigned threads)
      : m_loops(loops), m_range(range), m_next(range.from), m_working(threads) {
    for (unsigned i = 0; i < threads; ++i)
      m_position.emplace_back(range.from);
  }

  void work(unsigned thread) {
    if (defaultFloatEnvironment())
      takeBlocks(thread);
    else
      m_fault = Fault::FloatEnvironment;
    m_position[thread] = none;
    const std::lock_guard lock(m_mutex);
    if (--m_working == 0)
      m_finished.notify_one();
  }

  bool waitFinished(std::chrono::milliseconds limit) {
    std::unique_lock lock(m_mutex);
    return m_finished.wait_for(lock, limit, [&] { return m_working == 0; });
  }

  uint64_t checkedTo() const {
    uint64_t lowest = std::min<uint64_t>(m_next, m_range.to);
    for (const auto& position : m_position)
      lowest = std::min<uint64_t>(lowest, position);
    return std::min<uint64_t>(lowest, m_best);
  }

  Expected<RangeResult> result() const {
    if (m_fault == Fault::FloatEnvironment)
      return fail(ErrorKind::Tool, "float-environment",
                  "a sweep thread did not start with the default floating-point environment",
                  "check what is preloaded into plumbline-sweep");
    if (m_fault == Fault::Inconsistent)
      return fail(ErrorKind::Internal, "sweep-inconsistent",
                  "the vector and the scalar code of a sweep disagree", "please report this with the query");
    RangeResult result;
    result.checkedTo = m_range.to;
    if (m_best != none) {
      result.first = static_cast<uint32_t>(m_best);
      result.checkedTo = m_best + 1;
    }
    return result;
  }

private:
  void takeBlocks(unsigned thread) {
    alignas(64) std::byte buffer[chunkValues * sizeof(double)];
    while (true) {
      const uint64_t start = m_next.fetch_add(blockValues);
      if (start >= m_range.to || start > m_best)
        return;
      m_position[thread] = start;
      if (!runBlock(start, std::min(start + blockValues, m_range.to), buffer))
        return;
    }
  }

  /// False when the block holds a difference or lies beyond the lowest known one.
  bool runBlock(uint64_t start, uint64_t end, std::byte* buffer) {
    for (uint64_t first = start; first < end; first += chunkValues) {
      if (first > m_best)
        return false;
      const auto count = static_cast<uint32_t>(std::min(chunkValues, end - first));
      m_loops.left(static_cast<uint32_t>(first), count, buffer);
      if (m_loops.right(static_cast<uint32_t>(first), count, buffer) != 0) {
        locate(first, count, buffer);
        return false;
      }
    }
    return true;
  }

  /// Finds the lowest difference in a chunk that has one, by asking the same code value by value.
  void locate(uint64_t first, uint32_t count, std::byte* buffer) {
    for (uint64_t pattern = first; pattern < first + count; ++pattern) {
      m_loops.left(static_cast<uint32_t>(pattern), 1, buffer);
      if (m_loops.right(static_cast<uint32_t>(pattern), 1, buffer) != 0)
        return noteDifference(pattern);
    }
    m_fault = Fault::Inconsistent;
  }

  void noteDifference(uint64_t pattern) {
    uint64_t known = m_best;
    while (pattern < known && !m_best.compare_exchange_weak(known, pattern)) {
    }
  }

  const Loops& m_loops;
  const PatternRange m_range;
  std::atomic<uint64_t> m_next;
  std::atomic<uint64_t> m_best = none;
  std::atomic<Fault> m_fault = Fault::None;
  std::deque<std::atomic<uint64_t>> m_position; ///< by thread: the block being compared
  std::mutex m_mutex;
  std::condition_variable m_finished;
  unsigned m_working;
};

} // namespace

Expected<RangeResult> runRange(const Loops& loops, PatternRange range, unsigned threads,
                               const RangeProgress& progress) {
  threads = std::max(1U, threads);
  Run run(loops, range, threads);
  std::vector<std::jthread> workers;
  workers.reserve(threads);
  for (unsigned i = 0; i < threads; ++i)
    workers.emplace_back([&run, i] { run.work(i); });
  while (!run.waitFinished(std::chrono::milliseconds(100)))
    progress(run.checkedTo());
  workers.clear();
  return run.result();
}

} // namespace plumbline::sweep
