#include "views/graph/graph_items.h"

#include "views/style/style.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <QPalette>
#include <QStyleOptionGraphicsItem>

#include <algorithm>
#include <cmath>

namespace plumbline::views {

using workbench::GraphNode;
using workbench::NodeKind;

namespace {

constexpr double margin = 10;      ///< between outline and text
constexpr double lineWidest = 260; ///< longer lines are cut
constexpr double headLength = 9;
constexpr double readable = 0.4; ///< scale below which text is not drawn

/// Lines of a box: what it is called, what it is, what it holds.
QStringList linesOf(const GraphNode& node) {
  const QString title = toQt(node.title.empty() ? node.name : node.title);
  QStringList lines{title, node.target.empty() ? kindWord(node.kind) : toQt(node.target)};
  const QString type = (toQt(node.shape) + QLatin1Char(' ') + toQt(node.dtype)).trimmed();
  if (!type.isEmpty())
    lines << type;
  return lines;
}

QPainterPath hexagon(const QRectF& box, double cut) {
  QPainterPath path(QPointF(box.left() + cut, box.top()));
  path.lineTo(box.right() - cut, box.top());
  path.lineTo(box.right(), box.center().y());
  path.lineTo(box.right() - cut, box.bottom());
  path.lineTo(box.left() + cut, box.bottom());
  path.lineTo(box.left(), box.center().y());
  path.closeSubpath();
  return path;
}

QPainterPath slanted(const QRectF& box, double cut) {
  QPainterPath path(QPointF(box.left() + cut, box.top()));
  path.lineTo(box.right(), box.top());
  path.lineTo(box.right() - cut, box.bottom());
  path.lineTo(box.left(), box.bottom());
  path.closeSubpath();
  return path;
}

QPainterPath outlineOf(NodeKind kind, const QRectF& box) {
  QPainterPath path;
  switch (kind) {
  case NodeKind::Input:
  case NodeKind::Output: path.addRoundedRect(box, box.height() / 2, box.height() / 2); break;
  case NodeKind::Parameter: return hexagon(box, margin);
  case NodeKind::Buffer: return slanted(box, margin);
  case NodeKind::Constant: path.addRect(box); break;
  case NodeKind::Operator: path.addRoundedRect(box, 6, 6); break;
  }
  return path;
}

/// Room that the outline takes from the text at both sides.
double sideRoom(NodeKind kind, double height) {
  return kind == NodeKind::Input || kind == NodeKind::Output ? height / 3 : margin * 1.6;
}

QFont titleFont(QFont font) {
  font.setBold(true);
  return font;
}

QPolygonF arrowHead(const QPainterPath& path) {
  if (path.isEmpty())
    return {};
  const QPointF tip = path.pointAtPercent(1);
  const double length = std::max(path.length(), 1e-6);
  const QPointF back = path.pointAtPercent(std::max(0.0, 1 - headLength / length));
  const double angle = std::atan2(tip.y() - back.y(), tip.x() - back.x());
  auto corner = [&](double turn) {
    return tip - QPointF(std::cos(angle + turn), std::sin(angle + turn)) * headLength;
  };
  return QPolygonF({tip, corner(0.4), corner(-0.4)});
}

} // namespace

QString describe(const GraphNode& node) {
  QStringList lines{toQt(node.name) + QStringLiteral(": ") + kindWord(node.kind)};
  if (!node.target.empty())
    lines << toQt(node.target);
  if (!node.shape.empty() || !node.dtype.empty())
    lines << QCoreApplication::translate("graph", "shape %1, %2").arg(toQt(node.shape), toQt(node.dtype));
  if (!node.detail.empty())
    lines << toQt(node.detail);
  if (node.cost)
    lines << toQt(workbench::costText(*node.cost));
  if (node.where.known())
    lines << toQt(node.where.file) + QLatin1Char(':') + QString::number(node.where.line);
  if (!node.sourceText.empty())
    lines << toQt(node.sourceText);
  return lines.join(QLatin1Char('\n'));
}

NodeMeasure::Widths::Widths(const QFont& font) {
  const QFontMetricsF metrics(font);
  for (size_t k = 0; k < latin.size(); ++k)
    latin[k] = static_cast<float>(metrics.horizontalAdvance(QChar(static_cast<char16_t>(k))));
  other = metrics.maxWidth();
  height = metrics.height();
}

double NodeMeasure::Widths::of(const QString& line) const {
  double width = 0;
  for (QChar c : line)
    width += c.unicode() < latin.size() ? static_cast<double>(latin[c.unicode()]) : other;
  return width;
}

NodeMeasure::NodeMeasure(const QFont& font) : m_title(titleFont(font)), m_text(font) {}

QSizeF NodeMeasure::operator()(const GraphNode& node) const {
  double width = 40;
  const QStringList lines = linesOf(node);
  for (qsizetype k = 0; k < lines.size(); ++k)
    width = std::max(width, (k == 0 ? m_title : m_text).of(lines[k]));
  const double height = m_title.height + m_text.height * static_cast<double>(lines.size() - 1) + 8;
  return {std::min(width, lineWidest) + 2 * sideRoom(node.kind, height), height};
}

NodeItem::NodeItem(int index, const GraphNode& node, QSizeF size)
    : m_index(index), m_node(node), m_size(size) {
  const QRectF box({-size.width() / 2, -size.height() / 2}, size);
  m_outline = outlineOf(node.kind, box);
}

void NodeItem::setMarks(const NodeMarks& marks) {
  const bool same =
      marks.current == m_marks.current && marks.linked == m_marks.linked && marks.found == m_marks.found;
  if (same)
    return;
  m_marks = marks;
  update();
}

QRectF NodeItem::boundingRect() const {
  return QRectF({-m_size.width() / 2, -m_size.height() / 2}, m_size).adjusted(-6, -6, 6, 6);
}

void NodeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const double scale = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
  const QPalette palette = QGuiApplication::palette();
  const QColor line = m_marks.linked ? linkedEdge() : palette.color(QPalette::Text);
  painter->setBrush(m_marks.linked ? linkedFill() : kindFill(m_node.kind));
  painter->setPen(
      QPen(line, m_marks.linked ? 2.5 : 1, m_node.kind == NodeKind::Buffer ? Qt::DashLine : Qt::SolidLine));
  if (scale < readable) {
    painter->setRenderHint(QPainter::Antialiasing, false);
    painter->drawRect(m_outline.boundingRect());
    return;
  }
  painter->setRenderHint(QPainter::Antialiasing);
  painter->drawPath(m_outline);
  painter->setBrush(Qt::NoBrush);
  if (m_node.kind == NodeKind::Output) // a second line inside
    painter->drawPath(outlineOf(m_node.kind, m_outline.boundingRect().adjusted(3, 3, -3, -3)));
  if (m_marks.found) {
    painter->setPen(QPen(palette.color(QPalette::Highlight), 2, Qt::DotLine));
    painter->drawPath(outlineOf(m_node.kind, m_outline.boundingRect().adjusted(-2, -2, 2, 2)));
  }
  if (m_marks.current) {
    painter->setPen(QPen(palette.color(QPalette::Highlight), 2));
    painter->drawRect(m_outline.boundingRect().adjusted(-4, -4, 4, 4));
  }
  paintText(painter);
}

void NodeItem::paintText(QPainter* painter) const {
  const QFont font = QApplication::font();
  const QColor text = QGuiApplication::palette().color(QPalette::Text);
  const double room = m_size.width() - 2 * sideRoom(m_node.kind, m_size.height()) + 2;
  double y = -m_size.height() / 2 + 4;
  const QStringList lines = linesOf(m_node);
  for (qsizetype k = 0; k < lines.size(); ++k) {
    painter->setFont(k == 0 ? titleFont(font) : font);
    painter->setPen(k == 0 ? text : QColor::fromRgbF(text.redF(), text.greenF(), text.blueF(), 0.8F));
    const QFontMetricsF metrics(painter->font());
    const QString line = metrics.elidedText(lines[k], Qt::ElideMiddle, room);
    painter->drawText(QRectF(-room / 2, y, room, metrics.height()), Qt::AlignCenter | Qt::TextDontClip, line);
    y += metrics.height();
  }
}

EdgeItem::EdgeItem(const QPainterPath& path) : m_path(path), m_head(arrowHead(path)) {
  m_bounds = (m_path.boundingRect() | m_head.boundingRect()).adjusted(-3, -3, 3, 3);
  setZValue(-1);
}

void EdgeItem::setLinked(bool linked) {
  if (linked == m_linked)
    return;
  m_linked = linked;
  update();
}

void EdgeItem::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) {
  const QColor color = m_linked ? linkedEdge() : faintText();
  const double scale = QStyleOptionGraphicsItem::levelOfDetailFromTransform(painter->worldTransform());
  painter->setRenderHint(QPainter::Antialiasing, scale >= readable);
  painter->setPen(QPen(color, scale < readable ? 0 : m_linked ? 2.5 : 1.2));
  painter->setBrush(Qt::NoBrush);
  if (scale < readable) {
    painter->drawPath(m_path);
    return;
  }
  painter->drawPath(m_path);
  painter->setBrush(color);
  painter->drawPolygon(m_head);
}

} // namespace plumbline::views
