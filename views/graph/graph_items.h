// Boxes and arrows of the graph panel.
#pragma once

#include "core/workbench/snapshot.h"

#include <QFont>
#include <QGraphicsItem>
#include <QPainterPath>

#include <array>

namespace plumbline::views {

/// Marks of a box that change while the graph stays.
struct NodeMarks {
  bool current = false; ///< has the keyboard
  bool linked = false;  ///< counterpart of the selection
  bool found = false;   ///< matches the search
};

/// What a node says to assistive technology and in its tooltip, one fact a line.
QString describe(const workbench::GraphNode& node);

/// Measures boxes. Widths are sums of the characters' widths: quick, and exact enough for a box.
class NodeMeasure {
public:
  explicit NodeMeasure(const QFont& font);
  /// Size that holds the node's lines.
  QSizeF operator()(const workbench::GraphNode& node) const;

private:
  struct Widths {
    explicit Widths(const QFont& font);
    double of(const QString& line) const;
    std::array<float, 256> latin;
    double other;
    double height;
  };
  Widths m_title;
  Widths m_text;
};

/// One node: its outline says its kind, beside colour and words. The node must outlive the item.
class NodeItem : public QGraphicsItem {
public:
  enum { Type = UserType + 1 };
  NodeItem(int index, const workbench::GraphNode& node, QSizeF size);

  const workbench::GraphNode& node() const { return m_node; }

  int index() const { return m_index; }
  const NodeMarks& marks() const { return m_marks; }
  void setMarks(const NodeMarks& marks);

  int type() const override { return Type; }
  QRectF boundingRect() const override;
  QPainterPath shape() const override { return m_outline; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
  void paintText(QPainter* painter) const;

  int m_index;
  const workbench::GraphNode& m_node;
  QSizeF m_size;
  QPainterPath m_outline;
  NodeMarks m_marks;
};

/// One arrow.
class EdgeItem : public QGraphicsItem {
public:
  enum { Type = UserType + 2 };
  explicit EdgeItem(const QPainterPath& path);

  /// Joins two highlighted boxes.
  void setLinked(bool linked);

  int type() const override { return Type; }
  QRectF boundingRect() const override { return m_bounds; }
  void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
  QPainterPath m_path;
  QPolygonF m_head;
  QRectF m_bounds;
  bool m_linked = false;
};

} // namespace plumbline::views
