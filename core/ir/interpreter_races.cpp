#include "core/ir/interpreter_races.h"

#include <algorithm>

namespace plumbline::ir {
namespace {

constexpr int64_t kMostDense = int64_t{1} << 24;

} // namespace

// ---- clocks

BlockClocks::BlockClocks(uint32_t threadsPerBlock, bool meetsInWarps)
    : m_inWarps(meetsInWarps), m_now(threadsPerBlock), m_barrier(threadsPerBlock),
      m_known(meetsInWarps ? threadsPerBlock : 0) {}

void BlockClocks::startBlock(uint32_t firstThread) {
  m_first = firstThread;
  ++m_interval;
  std::ranges::fill(m_now, 1U);
  std::ranges::fill(m_barrier, 0U);
  std::ranges::fill(m_known, std::array<uint32_t, 32>{});
}

void BlockClocks::meetInBlock() {
  ++m_interval;
  for (size_t i = 0; i < m_now.size(); ++i)
    m_barrier[i] = ++m_now[i];
}

void BlockClocks::meetInWarp(uint32_t warp, uint32_t mask) {
  std::array<uint32_t, 32> joined{};
  const auto forEach = [&](auto&& action) {
    for (uint32_t lane = 0; lane < 32; ++lane)
      if ((mask >> lane & 1U) != 0)
        action(lane, size_t{warp} * 32 + lane);
  };
  forEach([&](uint32_t lane, size_t thread) {
    for (size_t other = 0; other < 32; ++other)
      joined[other] = std::max(joined[other], m_known[thread][other]);
    joined[lane] = std::max(joined[lane], m_now[thread]);
  });
  forEach([&](uint32_t, size_t thread) {
    m_known[thread] = joined;
    ++m_now[thread];
  });
}

bool BlockClocks::ordered(uint32_t thread, uint32_t time, uint32_t other) const {
  if (thread == other || beforeBarrier(thread, time))
    return true;
  return m_inWarps && group(thread) == group(other) && time <= m_known[other - m_first][lane(thread)];
}

// ---- accesses

RaceTracker::RaceTracker(int64_t cells, bool sparse)
    : m_dense(!sparse && cells <= kMostDense ? static_cast<size_t>(cells) : 0) {}

void RaceTracker::clear() {
  std::ranges::fill(m_dense, Cell{});
  m_sparse.clear();
  m_records.clear();
}

RaceTracker::Cell& RaceTracker::cell(int64_t index) {
  return m_dense.empty() ? m_sparse[index] : m_dense[static_cast<size_t>(index)];
}

RacesFound RaceTracker::access(int64_t index, AccessKind kind, const TracedAccess& made,
                               const BlockClocks& clocks) {
  Cell& touched = cell(index);
  const uint32_t ownTag = 1 + static_cast<uint32_t>(kind);
  if (touched.tag == 0 || (touched.tag == ownTag && touched.only.thread == made.thread)) {
    touched.only = made;
    touched.tag = ownTag;
    return {};
  }
  Record& record = recordOf(touched);
  for (Accesses& set : record.kinds)
    refresh(set, clocks);
  RacesFound found;
  for (const AccessKind other : {AccessKind::Write, AccessKind::Atomic, AccessKind::Read}) {
    if (kind == AccessKind::Read && other == AccessKind::Read)
      continue;
    const Accesses& set = record.kinds[static_cast<size_t>(other)];
    if (kind == AccessKind::Atomic && other == AccessKind::Atomic)
      find(set, made.thread, clocks, found.unorderedAtomic, found.unorderedAtomic);
    else
      find(set, made.thread, clocks, found.inGrid, found.inBlock);
  }
  insert(record.kinds[static_cast<size_t>(kind)], made, clocks);
  return found;
}

RaceTracker::Record& RaceTracker::recordOf(Cell& touched) {
  if (touched.tag >= 4)
    return m_records[touched.tag - 4];
  const uint32_t kind = touched.tag - 1;
  touched.tag = static_cast<uint32_t>(m_records.size()) + 4;
  Record& made = m_records.emplace_back();
  made.kinds[kind].recent[0] = touched.only;
  made.kinds[kind].latest = touched.only;
  return made;
}

/// Drops what a barrier has ordered before everything to come in this block, and keeps one access of an
/// earlier block.
void RaceTracker::refresh(Accesses& set, const BlockClocks& clocks) {
  if (set.lanes && set.lanes->interval != clocks.interval())
    set.lanes.reset();
  if (set.latest.known() && !clocks.inThisBlock(set.latest.thread)) {
    set.earlierBlock = set.latest;
    set.latest = {};
    set.recent = {};
  }
  for (TracedAccess& recent : set.recent)
    if (recent.known() && clocks.beforeBarrier(recent.thread, recent.time))
      recent = {};
  if (!set.recent[0].known())
    std::swap(set.recent[0], set.recent[1]);
}

void RaceTracker::find(const Accesses& set, uint32_t thread, const BlockClocks& clocks, TracedAccess& inGrid,
                       TracedAccess& inBlock) {
  if (!inGrid.known())
    inGrid = set.earlierBlock;
  const auto test = [&](const TracedAccess& earlier) {
    if (!inBlock.known() && earlier.known() && !clocks.ordered(earlier.thread, earlier.time, thread))
      inBlock = earlier;
  };
  if (set.lanes) {
    for (const TracedAccess& earlier : set.lanes->last)
      test(earlier);
    return;
  }
  for (const TracedAccess& earlier : set.recent)
    test(earlier);
}

void RaceTracker::insert(Accesses& set, const TracedAccess& made, const BlockClocks& clocks) {
  set.latest = made;
  auto& [first, second] = set.recent;
  if (set.lanes && set.lanes->group == clocks.group(made.thread)) {
    set.lanes->last[clocks.lane(made.thread)] = made;
    return;
  }
  if (set.lanes) { // two groups: each thread is outside one of them
    set.lanes.reset();
    second = made;
    return;
  }
  for (TracedAccess& recent : set.recent)
    if (recent.known() && clocks.ordered(recent.thread, recent.time, made.thread))
      recent = {};
  if (!first.known())
    std::swap(first, second);
  if (!first.known() || !second.known()) {
    (first.known() ? second : first) = made;
    return;
  }
  if (clocks.group(first.thread) != clocks.group(second.thread))
    return; // each thread is unordered with one of them
  if (clocks.group(first.thread) != clocks.group(made.thread)) {
    second = made;
    return;
  }
  set.lanes = std::make_unique<Lanes>();
  set.lanes->interval = clocks.interval();
  set.lanes->group = clocks.group(made.thread);
  for (const TracedAccess& one : {first, second, made})
    set.lanes->last[clocks.lane(one.thread)] = one;
}

} // namespace plumbline::ir
