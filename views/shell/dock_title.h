// Heading of a docked panel: its name, and buttons to let it float and to close it.
#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;

namespace plumbline::views {

/// Drawn with palette and font of the application, so that it follows theme and zoom. The same actions are in
/// the menus, so the buttons take no focus.
class DockTitle : public QWidget {
  Q_OBJECT
public:
  explicit DockTitle(QDockWidget* dock);
  /// The font of the application has changed.
  void applyLook();

private:
  QLabel* m_name;
};

} // namespace plumbline::views
