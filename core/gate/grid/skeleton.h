// Which accesses can lie in one barrier interval, and in which iterations of the loops around.
#pragma once

#include "core/gate/grid/program.h"

namespace plumbline::gate::grid {

/// The iteration of a loop that a later point is in, seen from an earlier one.
enum class Step : uint8_t { Same, Next, First, Any };

/// By loop; only loops in which threads wait for each other (or that decide whether they do).
using Steps = std::map<int, Step>;

class Skeleton {
public:
  Skeleton(const Program& program, const SymbolTable& symbols) : m_program(program), m_symbols(symbols) {}

  /// The segments that can follow `from` without a barrier of the block, in the relations given. With
  /// `stopAtWarps`, also without a place where warps wait.
  const std::map<int, std::set<Steps>>& following(int from, bool stopAtWarps);
  /// Whether `to` can follow at all.
  bool canFollow(int from, int to);
  bool hasWarpBarriers() const;

private:
  std::map<int, std::set<Steps>> search(int from, bool stopAtWarps, bool stopAtBlocks);
  Steps startOf(int segment) const;

  const Program& m_program;
  const SymbolTable& m_symbols;
  std::map<std::pair<int, bool>, std::map<int, std::set<Steps>>> m_known;
  std::map<int, std::set<int>> m_reachable;
};

} // namespace plumbline::gate::grid
