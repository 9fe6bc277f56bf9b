// Where the boxes and arrows of a graph go: geometry only, no painting.
#pragma once

#include <QPainterPath>
#include <QPointF>
#include <QRectF>
#include <QSizeF>

#include <utility>
#include <vector>

namespace plumbline::views {

/// A graph to be drawn: sizes of the boxes and arrows between them, from and to.
struct LayoutInput {
  std::vector<QSizeF> sizes;
  std::vector<std::pair<int, int>> edges;
};

enum class LayoutMethod : uint8_t {
  Dot,     ///< Graphviz dot with curved arrows
  Layered, ///< own layered placement with straight arrows, for what dot would take too long for
};

struct Layout {
  std::vector<QPointF> centres;    ///< one a node
  std::vector<QPainterPath> edges; ///< one an edge, from its start to the tip of its arrow
  QRectF bounds;                   ///< of all boxes and arrows
  LayoutMethod method = LayoutMethod::Layered;
  double ms = 0;
};

/// Up to that many nodes and edges together dot is used (0.15 s at 1,000 nodes, but 7 s at 5,000, whatever
/// its limits are set to); beyond that the layered placement, which takes 4 ms at 5,000 nodes.
inline constexpr size_t dotLimit = 3000;

/// From top to bottom along the edges. Edges that name no node are left out (their path is empty). May be
/// called from any thread; calls of dot wait for each other, since Graphviz keeps global state.
Layout layOut(const LayoutInput& input);

/// The same by one method, whatever the size.
Layout layOutBy(const LayoutInput& input, LayoutMethod method);

} // namespace plumbline::views
