#include "views/graph/graph_view.h"

#include "views/graph/graph_items.h"
#include "views/style/style.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace plumbline::views {

using workbench::GraphNode;

namespace {

constexpr double smallest = 0.02;
constexpr double largest = 4;
constexpr double keyStep = 1.25;

bool sameCost(const GraphNode& a, const GraphNode& b) {
  return a.cost.has_value() == b.cost.has_value() &&
         (!a.cost || (a.cost->operations == b.cost->operations && a.cost->bytes == b.cost->bytes));
}

bool same(const GraphNode& a, const GraphNode& b) {
  return a.name == b.name && a.kind == b.kind && a.title == b.title && a.target == b.target &&
         a.shape == b.shape && a.dtype == b.dtype && a.detail == b.detail && a.inputs == b.inputs &&
         a.where == b.where && a.sourceText == b.sourceText && sameCost(a, b);
}

bool same(const std::vector<GraphNode>& a, const std::vector<GraphNode>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const GraphNode& x, const GraphNode& y) { return same(x, y); });
}

bool matches(const GraphNode& node, const QStringList& words) {
  const QString text =
      toQt(node.name + " " + node.title + " " + node.target + " " + node.shape + " " + node.dtype);
  return std::all_of(words.begin(), words.end(),
                     [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace

GraphView::GraphView(QWidget* parent) : QGraphicsView(parent) {
  setScene(new QGraphicsScene(this));
  setDragMode(ScrollHandDrag);
  viewport()->setCursor(Qt::ArrowCursor);
  setRenderHint(QPainter::Antialiasing);
  setTransformationAnchor(AnchorUnderMouse);
  setResizeAnchor(AnchorViewCenter);
  setOptimizationFlag(DontSavePainterState);
  setAccessibleName(tr("Graph"));
  connect(&m_job, &LayoutJob::finished, this, &GraphView::place);
}

GraphView::~GraphView() = default;

const std::vector<GraphNode>& GraphView::nodes() const {
  static const std::vector<GraphNode> none;
  return m_snapshot ? m_snapshot->graph : none;
}

void GraphView::setSnapshot(const workbench::SnapshotPtr& snapshot) {
  const workbench::SnapshotPtr before = std::exchange(m_snapshot, snapshot);
  // Items refer to nodes of the snapshot they were made from: it is kept while they are.
  if (before && snapshot && same(before->graph, snapshot->graph)) {
    m_snapshot = before;
    setHighlight({});
    return;
  }
  const std::string name = before && m_current >= 0 ? before->graph[static_cast<size_t>(m_current)].name : "";
  const auto again =
      std::find_if(nodes().begin(), nodes().end(), [&](const GraphNode& n) { return n.name == name; });
  m_current = again == nodes().end() ? -1 : static_cast<int>(again - nodes().begin());
  m_highlight.clear();
  m_found.clear();
  m_foundAt = -1;
  m_fitWanted = true;
  startLayout();
}

void GraphView::restyle() {
  startLayout();
}

void GraphView::startLayout() {
  scene()->clear();
  m_items.clear();
  m_edges.clear();
  m_input = {};
  m_uses.assign(nodes().size(), {});
  const NodeMeasure measure(QApplication::font());
  for (const GraphNode& node : nodes()) {
    const auto to = static_cast<int>(m_input.sizes.size());
    m_input.sizes.push_back(measure(node));
    for (int from : node.inputs) {
      m_input.edges.emplace_back(from, to);
      if (from >= 0 && from < static_cast<int>(m_uses.size()))
        m_uses[static_cast<size_t>(from)].push_back(to);
    }
  }
  m_job.start(m_input);
}

void GraphView::place(const Layout& layout) {
  m_layout = layout;
  for (const QPainterPath& path : layout.edges) {
    m_edges.push_back(new EdgeItem(path));
    scene()->addItem(m_edges.back());
  }
  for (size_t k = 0; k < nodes().size(); ++k) {
    m_items.push_back(new NodeItem(static_cast<int>(k), nodes()[k], m_input.sizes[k]));
    m_items.back()->setPos(layout.centres[k]);
    scene()->addItem(m_items.back());
    updateMarks(static_cast<int>(k));
  }
  scene()->setSceneRect(layout.bounds.adjusted(-30, -30, 30, 30));
  updateEdges();
  if (m_fitWanted)
    fit();
  Q_EMIT laidOut();
}

NodeItem* GraphView::item(int node) const {
  return node >= 0 && node < static_cast<int>(m_items.size()) ? m_items[static_cast<size_t>(node)] : nullptr;
}

void GraphView::updateMarks(int node) {
  if (NodeItem* found = item(node))
    found->setMarks({node == m_current && hasFocus(), m_highlight.contains(node),
                     std::binary_search(m_found.begin(), m_found.end(), node)});
}

void GraphView::setHighlight(const std::set<int>& highlighted) {
  const std::set<int> before = std::exchange(m_highlight, highlighted);
  for (int node : before)
    updateMarks(node);
  for (int node : highlighted)
    updateMarks(node);
  updateEdges();
}

void GraphView::updateEdges() {
  for (size_t k = 0; k < m_edges.size(); ++k)
    m_edges[k]->setLinked(m_highlight.contains(m_input.edges[k].first) &&
                          m_highlight.contains(m_input.edges[k].second));
}

void GraphView::zoomBy(double factor) {
  m_fitWanted = false;
  const double wanted = std::clamp(zoom() * factor, smallest, largest);
  scale(wanted / zoom(), wanted / zoom());
}

void GraphView::fit() {
  m_fitWanted = true;
  if (scene()->sceneRect().isEmpty() || viewport()->rect().isEmpty())
    return;
  fitInView(scene()->sceneRect(), Qt::KeepAspectRatio);
  if (zoom() > 1)
    setTransform({}); // small graphs are not blown up
}

int GraphView::search(const QString& words) {
  const QStringList all = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  const std::vector<int> before = std::exchange(m_found, {});
  for (size_t k = 0; k < nodes().size() && !all.isEmpty(); ++k)
    if (matches(nodes()[k], all))
      m_found.push_back(static_cast<int>(k));
  m_foundAt = -1;
  for (const std::vector<int>& changed : {before, m_found})
    for (int node : changed)
      updateMarks(node);
  searchStep(1);
  return static_cast<int>(m_found.size());
}

int GraphView::searchStep(int step) {
  if (m_found.empty())
    return -1;
  const auto count = static_cast<int>(m_found.size());
  m_foundAt = m_foundAt < 0 && step > 0 ? 0 : (std::max(m_foundAt, 0) + step + count) % count;
  setCurrent(m_found[static_cast<size_t>(m_foundAt)]);
  return m_foundAt;
}

void GraphView::setCurrent(int node) {
  const int before =
      std::exchange(m_current, node >= 0 && node < static_cast<int>(nodes().size()) ? node : -1);
  updateMarks(before);
  updateMarks(m_current);
  if (const NodeItem* found = item(m_current))
    ensureVisible(found->sceneBoundingRect(), 20, 20);
  announce();
}

void GraphView::announce() {
  setAccessibleDescription(m_current < 0 ? QString() : describe(nodes()[static_cast<size_t>(m_current)]));
  QAccessibleEvent event(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&event);
}

bool GraphView::viewportEvent(QEvent* event) {
  if (event->type() != QEvent::ToolTip)
    return QGraphicsView::viewportEvent(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const auto* node = qgraphicsitem_cast<NodeItem*>(itemAt(help->pos()));
  QToolTip::showText(help->globalPos(), node == nullptr ? QString() : describe(node->node()), viewport());
  return true;
}

void GraphView::keyPressEvent(QKeyEvent* event) {
  switch (event->key()) {
  case Qt::Key_Up:
  case Qt::Key_Down:
  case Qt::Key_Left:
  case Qt::Key_Right:
    if (event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier))
      break; // scrolls
    moveAlong(event->key());
    return;
  case Qt::Key_Return:
  case Qt::Key_Enter:
  case Qt::Key_Space:
    if (m_current >= 0)
      Q_EMIT chosen(m_current);
    return;
  case Qt::Key_Plus:
  case Qt::Key_Equal: zoomBy(keyStep); return;
  case Qt::Key_Minus: zoomBy(1 / keyStep); return;
  case Qt::Key_0: fit(); return;
  default: break;
  }
  QGraphicsView::keyPressEvent(event);
}

void GraphView::moveAlong(int key) {
  if (nodes().empty())
    return;
  const int next = m_current < 0 ? 0 : neighbour(key);
  if (next >= 0)
    setCurrent(next);
}

int GraphView::neighbour(int key) const {
  if (m_items.empty())
    return -1;
  const QPointF here = m_items[static_cast<size_t>(m_current)]->pos();
  std::vector<int> candidates;
  if (key == Qt::Key_Up)
    candidates = nodes()[static_cast<size_t>(m_current)].inputs;
  else if (key == Qt::Key_Down)
    candidates = m_uses[static_cast<size_t>(m_current)];
  else
    for (const NodeItem* other : m_items)
      if (const double dx = other->x() - here.x();
          (key == Qt::Key_Left ? dx < 0 : dx > 0) &&
          std::abs(other->y() - here.y()) < other->boundingRect().height())
        candidates.push_back(other->index());
  int best = -1;
  double bestDistance = 0;
  for (int other : candidates)
    if (const NodeItem* at = item(other)) {
      const double distance = std::hypot(at->x() - here.x(), at->y() - here.y());
      if (best < 0 || distance < bestDistance) {
        best = other;
        bestDistance = distance;
      }
    }
  return best;
}

void GraphView::wheelEvent(QWheelEvent* event) {
  if (event->angleDelta().y() != 0)
    zoomBy(std::pow(keyStep, event->angleDelta().y() / 120.0));
  event->accept();
}

void GraphView::mousePressEvent(QMouseEvent* event) {
  m_pressed = event->pos();
  QGraphicsView::mousePressEvent(event);
}

void GraphView::mouseReleaseEvent(QMouseEvent* event) {
  QGraphicsView::mouseReleaseEvent(event);
  viewport()->setCursor(Qt::ArrowCursor);
  if (event->button() != Qt::LeftButton)
    return;
  if ((event->pos() - m_pressed).manhattanLength() >= QApplication::startDragDistance()) {
    m_fitWanted = false; // a pan
    return;
  }
  if (const auto* node = qgraphicsitem_cast<NodeItem*>(itemAt(event->pos()))) {
    setCurrent(node->index());
    Q_EMIT chosen(node->index());
  }
}

void GraphView::resizeEvent(QResizeEvent* event) {
  QGraphicsView::resizeEvent(event);
  if (m_fitWanted)
    fit();
}

void GraphView::focusInEvent(QFocusEvent* event) {
  QGraphicsView::focusInEvent(event);
  if (m_current < 0 && !nodes().empty())
    setCurrent(0);
  updateMarks(m_current);
}

void GraphView::focusOutEvent(QFocusEvent* event) {
  QGraphicsView::focusOutEvent(event);
  updateMarks(m_current);
}

} // namespace plumbline::views
