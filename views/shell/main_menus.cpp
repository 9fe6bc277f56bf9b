// The menus of the main window. Every entry is an action of the registry, so the palette has it too.
#include "views/shell/command_palette.h"
#include "views/shell/main_window.h"
#include "views/shell/shortcut_list.h"
#include "views/style/style.h"

#include <QAction>
#include <QActionGroup>
#include <QDockWidget>
#include <QMenu>
#include <QMenuBar>

namespace plumbline::views {

QAction* MainWindow::add(QMenu* menu, const ActionSpec& spec, std::function<void()> run) {
  QAction* action = m_actions.add(this, spec, std::move(run));
  menu->addAction(action);
  return action;
}

void MainWindow::makeMenus() {
  makeFileMenu(menuBar()->addMenu(tr("&File")));
  makeEditMenu(menuBar()->addMenu(tr("&Edit")));
  makeCheckMenu(menuBar()->addMenu(tr("&Check")));
  makeViewMenu(menuBar()->addMenu(tr("&View")));
  makeHelpMenu(menuBar()->addMenu(tr("&Help")));
}

void MainWindow::makeFileMenu(QMenu* menu) {
  const QString file = tr("File");
  add(menu,
      {QStringLiteral("file-open"),
       tr("&Open..."),
       file,
       {QKeySequence::Open},
       tr("Name a module and a kernel")},
      [this] { showOpenPage(m_desk->request(), {}); });
  m_recentMenu = menu->addMenu(tr("Open &Recent"));
  m_samplesMenu = menu->addMenu(tr("&Samples"));
  menu->addSeparator();
  m_closeAction =
      add(menu, {QStringLiteral("file-close"), tr("&Close Pair"), file, {QKeySequence(Qt::CTRL | Qt::Key_W)}},
          [this] { closePair(); });
  add(menu,
      {QStringLiteral("file-start"),
       tr("Start &Page"),
       file,
       {QKeySequence(Qt::ALT | Qt::Key_Home)},
       tr("Samples and recent pairs")},
      [this] {
        showPage(Page::Start);
        m_start->setFocus();
      });
  add(menu,
      {QStringLiteral("file-back"),
       tr("&Back to the Open Pair"),
       file,
       {QKeySequence(Qt::ALT | Qt::Key_End)}},
      [this] {
        if (m_desk->isOpen())
          showPage(Page::Work);
      });
  menu->addSeparator();
  add(menu, {QStringLiteral("file-quit"), tr("&Quit"), file, {QKeySequence(Qt::CTRL | Qt::Key_Q)}},
      [this] { close(); });
}

void MainWindow::makeEditMenu(QMenu* menu) {
  QAction* undo = m_undo.createUndoAction(this, tr("&Undo"));
  undo->setShortcut(QKeySequence::Undo);
  QAction* redo = m_undo.createRedoAction(this, tr("&Redo"));
  redo->setShortcuts({QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_Z), QKeySequence(Qt::CTRL | Qt::Key_Y)});
  for (QAction* action : {undo, redo}) {
    addAction(action);
    menu->addAction(action);
    m_actions.list(action == undo ? QStringLiteral("edit-undo") : QStringLiteral("edit-redo"), tr("Edit"),
                   action);
  }
}

void MainWindow::makeCheckMenu(QMenu* menu) {
  m_checkAction =
      add(menu, {QStringLiteral("check-again"), tr("Check &Again"), tr("Check"), {QKeySequence(Qt::Key_F5)}},
          [this] { m_desk->checkAgain(); });
  m_cancelAction = add(menu,
                       {QStringLiteral("check-cancel"),
                        tr("&Cancel"),
                        tr("Check"),
                        {QKeySequence(Qt::SHIFT | Qt::Key_F5)},
                        tr("Stop what is being computed")},
                       [this] { m_desk->cancel(); });
}

void MainWindow::makeViewMenu(QMenu* menu) {
  makePanelActions(menu);
  menu->addSeparator();
  const QString view = tr("View");
  add(menu,
      {QStringLiteral("view-zoom-in"),
       tr("Zoom &In"),
       view,
       {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)}},
      [this] { m_appearance.setZoom(m_appearance.zoom() + 10); });
  add(menu,
      {QStringLiteral("view-zoom-out"), tr("Zoom &Out"), view, {QKeySequence(Qt::CTRL | Qt::Key_Minus)}},
      [this] { m_appearance.setZoom(m_appearance.zoom() - 10); });
  add(menu,
      {QStringLiteral("view-zoom-reset"), tr("&Normal Size"), view, {QKeySequence(Qt::CTRL | Qt::Key_0)}},
      [this] { m_appearance.setZoom(100); });
  menu->addSeparator();
  makeThemeActions(menu);
  menu->addSeparator();
  add(menu,
      {QStringLiteral("view-reset-layout"),
       tr("&Reset Layout"),
       view,
       {},
       tr("Panels where they were at first")},
      [this] { m_workspace->applyDefaultLayout(); });
}

void MainWindow::makePanelActions(QMenu* menu) {
  QMenu* shown = menu->addMenu(tr("&Panels"));
  for (int k = 0; k < panelSlotCount; ++k) {
    const auto slot = static_cast<PanelSlot>(k);
    add(menu,
        {QLatin1String("panel-") + id(slot),
         tr("&%1 %2").arg(k + 1).arg(title(slot)),
         tr("Panel"),
         {QKeySequence(Qt::ALT | static_cast<Qt::Key>(Qt::Key_1 + k))},
         tr("Go to this panel")},
        [this, slot] {
          if (m_desk->isOpen())
            showPage(Page::Work);
          m_workspace->focusPanel(slot);
        });
    QAction* toggle = m_workspace->dock(slot)->toggleViewAction();
    shown->addAction(toggle);
    auto* listed = m_actions.add(
        this,
        {QLatin1String("panel-toggle-") + id(slot), tr("Show or Hide %1").arg(title(slot)), tr("Panel")},
        [toggle] { toggle->trigger(); });
    listed->setStatusTip(tr("Shows the panel, or takes it away"));
  }
}

void MainWindow::makeThemeActions(QMenu* menu) {
  QMenu* themes = menu->addMenu(tr("&Theme"));
  auto* group = new QActionGroup(this);
  const auto addTheme = [&](Theme theme, const QString& text) {
    QAction* action = add(themes, {QLatin1String("view-theme-") + name(theme), text, tr("Theme")},
                          [this, theme] { m_appearance.setTheme(theme); });
    action->setCheckable(true);
    action->setChecked(m_appearance.theme() == theme);
    group->addAction(action);
    connect(&m_appearance, &Appearance::changed, action,
            [this, action, theme] { action->setChecked(m_appearance.theme() == theme); });
  };
  addTheme(Theme::System, tr("Follow the &System"));
  addTheme(Theme::Light, tr("&Light"));
  addTheme(Theme::Dark, tr("&Dark"));
}

void MainWindow::makeHelpMenu(QMenu* menu) {
  const QString help = tr("Help");
  add(menu,
      {QStringLiteral("help-palette"),
       tr("Command &Palette..."),
       help,
       {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P)},
       tr("Any command by typing a part of its name")},
      [this] { m_palette->open(); });
  add(menu, {QStringLiteral("help-keys"), tr("Commands and &Keys"), help, {QKeySequence(Qt::Key_F1)}},
      [this] { (new ShortcutList(m_actions, this))->show(); });
  add(menu, {QStringLiteral("help-about"), tr("&About Plumbline"), help},
      [this] { (new AboutWindow(this))->show(); });
}

void MainWindow::fillRecentMenu() {
  m_recentMenu->clear();
  int index = 0;
  for (const workbench::Request& request : m_recent.all()) {
    QAction* action =
        m_recentMenu->addAction(pairTitle(request).replace(QLatin1Char('&'), QLatin1String("&&")));
    action->setStatusTip(toQt(request.kernel));
    connect(action, &QAction::triggered, this, [this, index] { openRecent(index); });
    ++index;
  }
  m_recentMenu->setEnabled(index > 0);
}

void MainWindow::fillSamplesMenu() {
  m_samplesMenu->clear();
  for (size_t index = 0; index < m_samples.size(); ++index) {
    const SampleStory& sample = m_samples[index];
    QAction* action = add(
        m_samplesMenu, {QLatin1String("sample-") + sample.name, sample.name, tr("Sample"), {}, sample.story},
        [this, index] { openSample(static_cast<int>(index)); });
    action->setToolTip(sample.story);
  }
  m_samplesMenu->setEnabled(!m_samples.empty());
}

void MainWindow::updateActions() {
  if (m_cancelAction == nullptr)
    return;
  m_checkAction->setEnabled(m_desk->isOpen());
  m_closeAction->setEnabled(m_desk->isOpen());
  m_cancelAction->setEnabled(m_desk->isBusy());
  m_actions.find(QStringLiteral("file-back"))->setEnabled(m_desk->isOpen() && page() != Page::Work);
}

} // namespace plumbline::views
