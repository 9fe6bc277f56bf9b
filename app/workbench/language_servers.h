// What the user decides about the method document's servers: restarting them, and where Lean's project is.
#pragma once

class QSettings;

namespace plumbline::lsp {
class ProofDocument;
}

namespace plumbline::views {
class MainWindow;
}

namespace plumbline::app {

/// The menu for it. `settings` keeps the project's folder; nullptr: it counts until the window closes.
void addServerMenu(views::MainWindow& window, lsp::ProofDocument& proof, QSettings* settings);

} // namespace plumbline::app
