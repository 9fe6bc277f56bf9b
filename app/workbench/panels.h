// Puts the panels into the window.
#pragma once

#include <QStringList>

class QSettings;

namespace plumbline::views {
class MainWindow;
}

namespace plumbline::app {

/// All panels, the servers' menu, and the bundled samples on the start page. `settings` is the window's.
void fillWindow(views::MainWindow& window, QSettings* settings = nullptr);

/// What was not found on this machine and what that costs, a sentence each.
QStringList missingTools();

} // namespace plumbline::app
