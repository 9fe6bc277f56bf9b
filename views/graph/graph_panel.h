// Panel Graph: the captured PyTorch program.
#pragma once

#include "views/shell/panel.h"

class QLabel;
class QLineEdit;

namespace plumbline::views {

class EmptyState;
class GraphView;

/// The drawing with its search box and zoom buttons.
class GraphPanel : public Panel {
  Q_OBJECT
public:
  explicit GraphPanel(const PanelContext& context, QWidget* parent = nullptr);

  QString emptyText() const override;

protected:
  void onSnapshot() override;
  void onHighlight() override;
  void onAppearance() override;
  void resizeEvent(QResizeEvent* event) override;

private:
  QWidget* makeBar();
  void fitBar(); ///< the number of nodes is shown where it has room
  void makeActions();
  void search();
  void step(int direction);
  void showCount(int at, int count);

  EmptyState* m_pages;
  GraphView* m_view;
  QLineEdit* m_search;
  QLabel* m_count;
  QLabel* m_size;
  QWidget* m_bar = nullptr;
  int m_matches = 0;
};

} // namespace plumbline::views
