// Puts the panels into the window.
#pragma once

#include <QStringList>

namespace plumbline::views {
class MainWindow;
}

namespace plumbline::app {

/// All seven panels, and the bundled samples on the start page.
void fillWindow(views::MainWindow& window);

/// What was not found on this machine and what that costs, a sentence each.
QStringList missingTools();

} // namespace plumbline::app
