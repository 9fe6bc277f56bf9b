// Panel Safety: what the gate says, each finding with a picture of who touches what.
#pragma once

#include "views/shell/panel.h"

class QLabel;
class QListWidget;

namespace plumbline::views {

class AccessPicture;
class EmptyState;

/// The findings of the gate in a list; the selected one with its sizes, threads and picture, and its lines
/// highlighted in the source.
class SafetyPanel : public Panel {
  Q_OBJECT
public:
  explicit SafetyPanel(const PanelContext& context, QWidget* parent = nullptr);

  QString emptyText() const override;
  const AccessPicture& picture() const { return *m_picture; }
  QListWidget& list() { return *m_list; }

protected:
  void onSnapshot() override;
  void onStatus() override;
  void onAppearance() override;

private:
  QWidget* makeDetail();
  void makeActions();
  void showFinding(bool tellOthers);
  void choose(const SourceRange& place);
  QString statusText() const;

  QLabel* m_status;
  QListWidget* m_list;
  QLabel* m_detail;
  QLabel* m_legend;
  AccessPicture* m_picture;
  EmptyState* m_pages;
};

} // namespace plumbline::views
