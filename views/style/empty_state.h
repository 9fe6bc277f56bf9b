// What a panel shows while it has nothing to show.
#pragma once

#include <QStackedWidget>

class QLabel;

namespace plumbline::views {

/// Two pages: the panel's content, and a sentence that says why there is none and what to do next.
class EmptyState : public QStackedWidget {
  Q_OBJECT
public:
  /// Takes ownership of `content`.
  explicit EmptyState(QWidget* content, QWidget* parent = nullptr);

  /// An empty text shows the content.
  void setText(const QString& text);
  bool showsContent() const { return currentIndex() == 0; }
  QString text() const;

private:
  QLabel* m_label;
};

} // namespace plumbline::views
