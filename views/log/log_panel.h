// Panel Log: what happened in this session.
#pragma once

#include "views/shell/panel.h"

class QLineEdit;
class QTreeView;

namespace plumbline::views {

class EmptyState;
class LogModel;
class RowFilter;

/// The journal's lines with a filter. Follows new lines only while the last one is in view.
class LogPanel : public Panel {
  Q_OBJECT
public:
  explicit LogPanel(const PanelContext& context, QWidget* parent = nullptr);

  QString emptyText() const override;

protected:
  void onSnapshot() override {}
  void onAppearance() override;

private:
  QWidget* makeBar();
  void makeActions();
  void makeView();
  void showState();
  void copy();

  EmptyState* m_pages;
  LogModel* m_log;
  RowFilter* m_rows;
  QTreeView* m_view;
  QLineEdit* m_words;
  bool m_follows = true;
};

} // namespace plumbline::views
