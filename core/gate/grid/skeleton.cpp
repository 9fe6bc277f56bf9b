#include "core/gate/grid/skeleton.h"

#include <algorithm>
#include <deque>

namespace plumbline::gate::grid {

/// The loops around a segment that have a head in the skeleton.
Steps Skeleton::startOf(int segment) const {
  Steps steps;
  for (int loop = m_program.segments[static_cast<size_t>(segment)].loop; loop != outside;
       loop = m_symbols.loop(loop).parent)
    if (m_symbols.loop(loop).level != Level::Thread)
      steps[loop] = Step::Same;
  return steps;
}

std::map<int, std::set<Steps>> Skeleton::search(int from, bool stopAtWarps, bool stopAtBlocks) {
  std::map<int, std::set<Steps>> found;
  std::deque<std::pair<int, Steps>> open;
  const auto go = [&](int segment, Steps steps) {
    const Segment& node = m_program.segments[static_cast<size_t>(segment)];
    if (node.kind == Segment::Kind::LoopHead) {
      const auto known = steps.find(node.loop);
      if (known == steps.end())
        steps[node.loop] = Step::First;
      else
        known->second = known->second == Step::Same ? Step::Next : Step::Any;
    } else if (node.kind == Segment::Kind::LoopExit) {
      steps.erase(node.loop);
    }
    if ((stopAtBlocks && node.kind == Segment::Kind::BlockBarrier) ||
        (stopAtWarps && node.kind == Segment::Kind::WarpBarrier))
      return;
    if (found[segment].insert(steps).second)
      open.emplace_back(segment, std::move(steps));
  };
  const Steps start = startOf(from);
  for (int next : m_program.segments[static_cast<size_t>(from)].next)
    go(next, start);
  while (!open.empty()) {
    const auto [segment, steps] = open.front();
    open.pop_front();
    for (int next : m_program.segments[static_cast<size_t>(segment)].next)
      go(next, steps);
  }
  return found;
}

const std::map<int, std::set<Steps>>& Skeleton::following(int from, bool stopAtWarps) {
  const std::pair key(from, stopAtWarps);
  const auto known = m_known.find(key);
  if (known != m_known.end())
    return known->second;
  return m_known.emplace(key, search(from, stopAtWarps, true)).first->second;
}

bool Skeleton::canFollow(int from, int to) {
  auto known = m_reachable.find(from);
  if (known == m_reachable.end()) {
    std::set<int> reached;
    for (const auto& [segment, steps] : search(from, false, false))
      reached.insert(segment);
    known = m_reachable.emplace(from, std::move(reached)).first;
  }
  return known->second.contains(to);
}

bool Skeleton::hasWarpBarriers() const {
  return std::any_of(m_program.segments.begin(), m_program.segments.end(),
                     [](const Segment& each) { return each.kind == Segment::Kind::WarpBarrier; });
}

} // namespace plumbline::gate::grid
