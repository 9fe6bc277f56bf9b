#include "core/ir/schedule.h"

#include <algorithm>
#include <charconv>
#include <numeric>
#include <random>

namespace plumbline::ir {
namespace {

constexpr uint64_t kMostRandomBlocks = uint64_t{1} << 26;

/// The same permutation with every standard library, unlike std::shuffle.
template <class T> void permute(std::vector<T>& items, uint64_t seed) {
  std::mt19937_64 random(seed);
  for (size_t i = items.size(); i > 1; --i)
    std::swap(items[i - 1], items[random() % i]);
}

std::vector<uint32_t> permutation(uint32_t size, uint64_t seed) {
  std::vector<uint32_t> order(size);
  std::iota(order.begin(), order.end(), 0U);
  permute(order, seed);
  return order;
}

std::array<int64_t, 3> unfold(int64_t linear, const std::array<int64_t, 3>& size) {
  return {linear % size[0], linear / size[0] % size[1], linear / size[0] / size[1]};
}

} // namespace

Expected<Schedule> parseSchedule(const std::string& text) {
  if (text == "forward")
    return Schedule{};
  if (text == "backward")
    return Schedule{Schedule::Kind::Backward, 0};
  Schedule schedule{Schedule::Kind::Random, 0};
  const std::string prefix = "random:";
  const char* end = text.data() + text.size();
  if (text.starts_with(prefix) && text.size() > prefix.size()) {
    auto [stopped, code] = std::from_chars(text.data() + prefix.size(), end, schedule.seed);
    if (code == std::errc() && stopped == end)
      return schedule;
  }
  return fail(ErrorKind::Usage, "schedule-syntax", "unknown schedule '" + text + "'",
              "use forward, backward or random:SEED");
}

Expected<ThreadSequence> ThreadSequence::wholeGrid(const std::array<int64_t, 3>& grid,
                                                   const std::array<int64_t, 3>& block,
                                                   const Schedule& schedule) {
  uint64_t total = 1;
  for (int64_t size : {block[0], block[1], block[2], grid[0], grid[1], grid[2]}) {
    if (size < 1 || __builtin_mul_overflow(total, static_cast<uint64_t>(size), &total))
      total = UINT64_MAX;
    if (total >= UINT32_MAX)
      return fail(ErrorKind::Usage, "run-too-large", "the launch has no thread, or 2^32 threads and more",
                  "run with other sizes");
  }
  ThreadSequence made;
  made.m_grid = grid;
  made.m_block = block;
  made.m_schedule = schedule;
  made.m_size = static_cast<uint32_t>(total);
  made.m_perBlock = static_cast<uint32_t>(block[0] * block[1] * block[2]);
  if (schedule.kind != Schedule::Kind::Random)
    return made;
  if (made.m_size / made.m_perBlock >= kMostRandomBlocks)
    return fail(ErrorKind::Usage, "run-too-large", "too many blocks for a random order",
                "use another schedule");
  made.m_blockOrder = permutation(made.m_size / made.m_perBlock, schedule.seed);
  return made;
}

ThreadSequence ThreadSequence::of(std::span<const ThreadId> threads, const Schedule& schedule) {
  ThreadSequence made;
  made.m_threads.assign(threads.begin(), threads.end());
  made.m_size = static_cast<uint32_t>(threads.size());
  if (schedule.kind == Schedule::Kind::Backward)
    made.m_threads.assign(threads.rbegin(), threads.rend());
  if (schedule.kind == Schedule::Kind::Random)
    permute(made.m_threads, schedule.seed);
  return made;
}

Expected<ThreadSequence> ThreadSequence::wholeBlocks(std::span<const ThreadId> threads,
                                                     const std::array<int64_t, 3>& block,
                                                     const Schedule& schedule) {
  ThreadSequence made;
  made.m_block = block;
  made.m_schedule = schedule;
  made.m_perBlock = static_cast<uint32_t>(block[0] * block[1] * block[2]);
  for (const ThreadId& thread : threads)
    if (std::ranges::find(made.m_blocks, thread.block) == made.m_blocks.end())
      made.m_blocks.push_back(thread.block);
  const uint64_t total = uint64_t{made.m_perBlock} * made.m_blocks.size();
  if (made.m_perBlock == 0 || total >= UINT32_MAX)
    return fail(ErrorKind::Usage, "run-too-large", "the launch has no thread, or 2^32 threads and more",
                "run with other sizes");
  made.m_size = static_cast<uint32_t>(total);
  if (schedule.kind == Schedule::Kind::Backward)
    std::ranges::reverse(made.m_blocks);
  if (schedule.kind == Schedule::Kind::Random)
    permute(made.m_blocks, schedule.seed);
  return made;
}

uint32_t ThreadSequence::blockNumber(uint32_t position) const {
  if (!m_blocks.empty() || m_schedule.kind == Schedule::Kind::Forward)
    return position;
  return m_schedule.kind == Schedule::Kind::Random ? m_blockOrder[position] : blocks() - 1 - position;
}

ThreadId ThreadSequence::inBlock(uint32_t block, uint32_t thread) const {
  return {m_blocks.empty() ? unfold(blockNumber(block), m_grid) : m_blocks[block], unfold(thread, m_block)};
}

std::vector<uint32_t> ThreadSequence::order(uint32_t block, uint32_t round) const {
  if (m_schedule.kind == Schedule::Kind::Random)
    return permutation(m_perBlock, m_schedule.seed ^
                                       (uint64_t{blockNumber(block)} + 1) * 0x9E3779B97F4A7C15ULL ^
                                       uint64_t{round} * 0xD1B54A32D192ED03ULL);
  std::vector<uint32_t> threads(m_perBlock);
  std::iota(threads.begin(), threads.end(), 0U);
  if (m_schedule.kind == Schedule::Kind::Backward)
    std::ranges::reverse(threads);
  return threads;
}

ThreadId ThreadSequence::operator[](uint32_t position) const {
  if (!m_threads.empty())
    return m_threads[position];
  if (m_schedule.kind == Schedule::Kind::Backward)
    position = m_size - 1 - position;
  uint32_t block = position / m_perBlock;
  uint32_t thread = position % m_perBlock;
  if (m_schedule.kind == Schedule::Kind::Random) {
    block = m_blockOrder[block];
    if (m_orderedBlock != block) {
      m_threadOrder =
          permutation(m_perBlock, m_schedule.seed ^ (uint64_t{block} + 1) * 0x9E3779B97F4A7C15ULL);
      m_orderedBlock = block;
    }
    thread = m_threadOrder[thread];
  }
  return {unfold(block, m_grid), unfold(thread, m_block)};
}

} // namespace plumbline::ir
