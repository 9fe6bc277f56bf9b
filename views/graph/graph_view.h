// The drawing of a graph: zoom, pan, keyboard, search.
#pragma once

#include "core/workbench/snapshot.h"
#include "views/graph/layout_job.h"

#include <QGraphicsView>

#include <set>
#include <vector>

namespace plumbline::views {

class EdgeItem;
class NodeItem;

/// Shows nodes placed by a LayoutJob. One node is current: arrow keys move along edges (up to an input, down
/// to a use, left and right to the neighbour beside it), Return chooses it, as a click does. GUI thread only.
class GraphView : public QGraphicsView {
  Q_OBJECT
public:
  explicit GraphView(QWidget* parent = nullptr);
  ~GraphView() override;

  /// Keeps what is shown when the graph is the same; `snapshot` may be nullptr.
  void setSnapshot(const workbench::SnapshotPtr& snapshot);
  void setHighlight(const std::set<int>& nodes);
  /// Font or colours have changed: everything is measured again.
  void restyle();

  void zoomBy(double factor);
  void fit();
  double zoom() const { return transform().m11(); }

  /// Marks nodes whose name, operator or shape has all words, and moves to the first; how many there are.
  int search(const QString& words);
  /// Moves to the next (+1) or previous (-1) match; its position from 0, or -1.
  int searchStep(int step);

  int current() const { return m_current; }
  void setCurrent(int node);
  NodeItem* item(int node) const; ///< nullptr before the layout is there
  bool layoutRunning() const { return m_job.running(); }
  const Layout& geometryOfGraph() const { return m_layout; }

Q_SIGNALS:
  void chosen(int node);
  void laidOut();

protected:
  bool viewportEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;

private:
  const std::vector<workbench::GraphNode>& nodes() const;
  void startLayout();
  void place(const Layout& layout);
  void updateMarks(int node);
  void updateEdges();
  void moveAlong(int key);
  int neighbour(int key) const;
  void announce();

  workbench::SnapshotPtr m_snapshot;
  LayoutInput m_input;
  Layout m_layout;
  LayoutJob m_job;
  std::vector<NodeItem*> m_items;
  std::vector<EdgeItem*> m_edges;
  std::vector<std::vector<int>> m_uses; ///< by node: nodes that read it
  std::set<int> m_highlight;
  std::vector<int> m_found;
  int m_foundAt = -1;
  int m_current = -1;
  bool m_fitWanted = true; ///< until the user zooms or pans
  QPoint m_pressed;
};

} // namespace plumbline::views
