// What belongs together: from one selected thing to its counterparts in every panel.
#pragma once

#include "core/workbench/snapshot.h"

#include <set>

namespace plumbline::workbench {

/// One selected thing.
struct Anchor {
  enum class Kind : uint8_t { None, Node, Cuda, MethodLine, Goal, Case, SpecStep, KernelStep };
  Kind kind = Kind::None;
  int index = -1;    ///< of Node, MethodLine (from 1), Goal, Case (forest node), steps
  int program = 0;   ///< of steps: index into Snapshot::programs
  SourceRange range; ///< of Cuda: the caret (an empty range) or the selected text
  bool operator==(const Anchor&) const = default;
};

/// Everything to be highlighted, the anchor's own place included.
struct Highlight {
  std::set<int> nodes;
  std::vector<SourceRange> cuda;
  std::set<int> methodLines;
  std::set<int> goals;
  std::set<int> specSteps;
  std::set<int> kernelSteps;
  bool empty() const;
};

/// Pure and fast (linear in the snapshot). A caret in a CUDA text selects the smallest linked range around
/// it, else its line.
Highlight counterparts(const Snapshot& snapshot, const Anchor& anchor);

/// Whether the two ranges share a character, or the empty one lies in the other.
bool overlap(const SourceRange& a, const SourceRange& b);

} // namespace plumbline::workbench
