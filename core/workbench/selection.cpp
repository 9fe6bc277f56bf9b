#include "core/workbench/selection.h"

#include <algorithm>
#include <tuple>

namespace plumbline::workbench {

namespace {

using Position = std::pair<int, int>;

Position startOf(const SourceRange& range) {
  return {range.line, range.column};
}
Position endOf(const SourceRange& range) {
  return {std::max(range.endLine, range.line), range.endLine > 0 ? range.endColumn : range.column};
}

/// Smaller ranges come first; lines count before columns.
std::pair<int, int> extent(const SourceRange& range) {
  const Position start = startOf(range);
  const Position end = endOf(range);
  return {end.first - start.first, end.second - start.second};
}

class Resolver {
public:
  Resolver(const Snapshot& snapshot, const Anchor& anchor) : m_snapshot(snapshot), m_anchor(anchor) {}

  Highlight run() {
    seed();
    followLinks();
    followPanels();
    return std::move(m_result);
  }

private:
  void seed() {
    using Kind = Anchor::Kind;
    switch (m_anchor.kind) {
    case Kind::None: break;
    case Kind::Node: m_result.nodes.insert(m_anchor.index); break;
    case Kind::Cuda: seedCuda(); break;
    case Kind::MethodLine: seedMethodLine(); break;
    case Kind::Goal: seedGoal(m_anchor.index); break;
    case Kind::Case: seedCase(); break;
    case Kind::SpecStep: seedStep(Side::Spec, true); break;
    case Kind::KernelStep: seedStep(Side::Kernel, true); break;
    }
  }

  void seedCuda() {
    const SourceRange* best = nullptr;
    for (const Link& link : m_snapshot.links)
      for (const SourceRange& range : link.cuda)
        if (overlap(range, m_anchor.range) && (best == nullptr || extent(range) < extent(*best)))
          best = &range;
    addCuda(best != nullptr ? *best : m_anchor.range);
  }

  void seedMethodLine() {
    const auto line = static_cast<size_t>(m_anchor.index);
    m_result.methodLines.insert(m_anchor.index);
    if (line == 0 || line > m_snapshot.method.lines.size())
      return;
    const MethodLine& origin = m_snapshot.method.lines[line - 1];
    addNodes(origin.nodes);
    for (const SourceRange& range : origin.cuda)
      addCuda(range);
  }

  void seedGoal(int goal) {
    if (goal < 0 || goal >= static_cast<int>(m_snapshot.goals.size()))
      return;
    m_result.goals.insert(goal);
    const GoalRow& row = m_snapshot.goals[static_cast<size_t>(goal)];
    addNodes(row.nodes);
    for (const SourceRange& range : row.spans)
      addCuda(range);
  }

  void seedCase() {
    if (m_anchor.index < 0 || m_anchor.index >= static_cast<int>(m_snapshot.cases.nodes.size()))
      return;
    const int goal = m_snapshot.cases.nodes[static_cast<size_t>(m_anchor.index)].goal;
    for (int k = 0; k < static_cast<int>(m_snapshot.goals.size()); ++k)
      if (m_snapshot.goals[static_cast<size_t>(k)].caseGoal == goal)
        seedGoal(k);
  }

  void seedStep(Side side, bool withCounterpart) {
    if (m_anchor.program < 0 || m_anchor.program >= static_cast<int>(m_snapshot.programs.size()))
      return;
    addStep(*m_snapshot.programs[static_cast<size_t>(m_anchor.program)], side, m_anchor.index,
            withCounterpart);
  }

  void addStep(const StepProgram& program, Side side, int index, bool withCounterpart) {
    const std::vector<StepInfo>& steps = program.steps(side);
    if (index < 0 || index >= static_cast<int>(steps.size()))
      return;
    const StepInfo& step = steps[static_cast<size_t>(index)];
    (side == Side::Spec ? m_result.specSteps : m_result.kernelSteps).insert(index);
    addNodes(step.nodes);
    for (const SourceRange& range : step.cuda)
      addCuda(range);
    if (withCounterpart && step.counterpart >= 0)
      addStep(program, side == Side::Spec ? Side::Kernel : Side::Spec, step.counterpart, false);
  }

  void addNodes(const std::vector<int>& nodes) { m_result.nodes.insert(nodes.begin(), nodes.end()); }

  void addCuda(const SourceRange& range) {
    if (std::find(m_result.cuda.begin(), m_result.cuda.end(), range) == m_result.cuda.end())
      m_result.cuda.push_back(range);
  }

  static bool contains(const std::vector<SourceRange>& ranges, const SourceRange& range) {
    return std::find(ranges.begin(), ranges.end(), range) != ranges.end();
  }

  /// One step along the links: what stems from the same expression as the seed.
  void followLinks() {
    const Highlight seeded = m_result;
    for (const Link& link : m_snapshot.links) {
      const bool byNode = std::any_of(link.nodes.begin(), link.nodes.end(),
                                      [&](int node) { return seeded.nodes.contains(node); });
      const bool byRange = std::any_of(link.cuda.begin(), link.cuda.end(), [&](const SourceRange& range) {
        return contains(seeded.cuda, range);
      });
      // A thing of its own side alone is no counterpart: only links that join the two sides lead on.
      if ((byNode || byRange) && !link.nodes.empty() && !link.cuda.empty()) {
        addNodes(link.nodes);
        for (const SourceRange& range : link.cuda)
          addCuda(range);
      }
    }
  }

  bool touches(const std::vector<int>& nodes, const std::vector<SourceRange>& ranges) const {
    const bool byNode =
        std::any_of(nodes.begin(), nodes.end(), [&](int node) { return m_result.nodes.contains(node); });
    return byNode || std::any_of(ranges.begin(), ranges.end(), [&](const SourceRange& range) {
             return std::any_of(m_result.cuda.begin(), m_result.cuda.end(),
                                [&](const SourceRange& other) { return overlap(range, other); });
           });
  }

  /// Rows and lines that speak of what is highlighted.
  void followPanels() {
    if (m_result.nodes.empty() && m_result.cuda.empty())
      return;
    for (size_t k = 0; k < m_snapshot.method.lines.size(); ++k)
      if (touches(m_snapshot.method.lines[k].nodes, m_snapshot.method.lines[k].cuda))
        m_result.methodLines.insert(static_cast<int>(k) + 1);
    for (size_t k = 0; k < m_snapshot.goals.size(); ++k)
      if (touches(m_snapshot.goals[k].nodes, m_snapshot.goals[k].spans))
        m_result.goals.insert(static_cast<int>(k));
    if (m_anchor.program < 0 || m_anchor.program >= static_cast<int>(m_snapshot.programs.size()))
      return;
    const StepProgram& program = *m_snapshot.programs[static_cast<size_t>(m_anchor.program)];
    for (Side side : {Side::Spec, Side::Kernel})
      for (size_t k = 0; k < program.steps(side).size(); ++k)
        if (touches(program.steps(side)[k].nodes, program.steps(side)[k].cuda))
          (side == Side::Spec ? m_result.specSteps : m_result.kernelSteps).insert(static_cast<int>(k));
  }

  const Snapshot& m_snapshot;
  const Anchor& m_anchor;
  Highlight m_result;
};

} // namespace

bool Highlight::empty() const {
  return nodes.empty() && cuda.empty() && methodLines.empty() && goals.empty() && specSteps.empty() &&
         kernelSteps.empty();
}

bool overlap(const SourceRange& a, const SourceRange& b) {
  if (a.file != b.file || !a.known() || !b.known())
    return false;
  if (startOf(a) == endOf(a) || startOf(b) == endOf(b))
    return startOf(a) <= endOf(b) && startOf(b) <= endOf(a);
  return startOf(a) < endOf(b) && startOf(b) < endOf(a);
}

Highlight counterparts(const Snapshot& snapshot, const Anchor& anchor) {
  return Resolver(snapshot, anchor).run();
}

} // namespace plumbline::workbench
