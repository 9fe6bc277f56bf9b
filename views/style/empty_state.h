// What a panel shows while it has nothing to show, or what it shows is out of date.
#pragma once

#include <QWidget>

class QLabel;
class QStackedWidget;

namespace plumbline::views {

/// A panel's content, or in its place a sentence that says why there is none and what to do next; above both,
/// a strip for a notice.
class EmptyState : public QWidget {
  Q_OBJECT
public:
  /// Takes ownership of `content`.
  explicit EmptyState(QWidget* content, QWidget* parent = nullptr);

  /// An empty text shows the content.
  void setText(const QString& text);
  bool showsContent() const;
  QString text() const;

  /// One line above the content; empty: none.
  void setNotice(const QString& notice);
  QString notice() const;

  /// The notice of results that belong to an older state of the files.
  static QString staleNotice();

private:
  QLabel* m_notice;
  QStackedWidget* m_pages;
  QLabel* m_label;
};

} // namespace plumbline::views
