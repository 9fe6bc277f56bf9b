// A list whose rows have a name and a sentence under it.
#pragma once

#include <QListWidget>

namespace plumbline::views {

/// One click or Enter emits `chosen`. Rows wrap their sentence at the width of the list.
class StoryList : public QListWidget {
  Q_OBJECT
public:
  explicit StoryList(QWidget* parent = nullptr);

  void addStory(const QString& name, const QString& sentence, const QString& note);

Q_SIGNALS:
  void chosen(int row);

protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
};

} // namespace plumbline::views
