// The workbench window: menus, pages, banner and panels around one pair.
#pragma once

#include "views/shell/actions.h"
#include "views/shell/appearance.h"
#include "views/shell/desk.h"
#include "views/shell/journal.h"
#include "views/shell/panel.h"
#include "views/shell/recent_pairs.h"
#include "views/shell/start_page.h"
#include "views/shell/workspace.h"

#include <QMainWindow>
#include <QUndoStack>

class QMenu;
class QSettings;
class QStackedWidget;

namespace plumbline::views {

class CommandPalette;
class OpenPage;
class VerdictBanner;

/// GUI thread only. Panels are made by the caller with `panelContext` and handed over before `begin`.
class MainWindow : public QMainWindow {
  Q_OBJECT
public:
  enum class Page : uint8_t { Start, Open, Work };

  /// `settings` remembers layout, theme and recent pairs; nullptr: nothing is read or kept. All outlive the
  /// window.
  MainWindow(Session& session, Appearance& appearance, QSettings* settings, QWidget* parent = nullptr);
  ~MainWindow() override;

  PanelContext panelContext();
  void setPanel(PanelSlot slot, Panel* panel);
  void setSamples(const std::vector<SampleStory>& samples);
  void setMissingTools(const QStringList& missing);
  /// All panels are there: restores what is remembered.
  void begin();

  /// Opens and checks a pair; one that cannot be opened is put into the form with the reason.
  void openPair(const workbench::Request& request);
  void showPage(Page page);
  Page page() const;

  Actions& actions() { return m_actions; }
  Desk& desk() { return *m_desk; }
  Journal& journal() { return m_journal; }
  Workspace& workspace() { return *m_workspace; }
  VerdictBanner& banner() { return *m_banner; }
  StartPage& startPage() { return *m_start; }
  OpenPage& openPage() { return *m_openPage; }
  QUndoStack& undoStack() { return m_undo; }

protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

private:
  void makePages();
  void connectDesk();
  void makeMenus();
  void makeFileMenu(QMenu* menu);
  void makeEditMenu(QMenu* menu);
  void makeCheckMenu(QMenu* menu);
  void makeViewMenu(QMenu* menu);
  void makePanelActions(QMenu* menu);
  void makeThemeActions(QMenu* menu);
  void makeHelpMenu(QMenu* menu);
  void fillRecentMenu();
  void fillSamplesMenu();
  QAction* add(QMenu* menu, const ActionSpec& spec, std::function<void()> run);

  void closePair();
  void showOpenPage(const workbench::Request& request, const QString& question);
  void openFiles(const QStringList& files);
  void openSample(int index);
  void openRecent(int index);
  void onCheckEnded(bool first);
  void applyLook();
  void updateActions();
  void remember();
  void recall();

  // Declared first, so that panels, which use them, go before them.
  Journal m_journal;
  Actions m_actions;
  QUndoStack m_undo;
  Session& m_session;
  Appearance& m_appearance;
  QSettings* m_settings;
  Desk* m_desk = nullptr;
  QStackedWidget* m_pages = nullptr;
  StartPage* m_start = nullptr;
  OpenPage* m_openPage = nullptr;
  VerdictBanner* m_banner = nullptr;
  Workspace* m_workspace = nullptr;
  CommandPalette* m_palette = nullptr;
  QMenu* m_recentMenu = nullptr;
  QMenu* m_samplesMenu = nullptr;
  QAction* m_checkAction = nullptr;
  QAction* m_cancelAction = nullptr;
  QAction* m_closeAction = nullptr;
  std::vector<SampleStory> m_samples;
  RecentPairs m_recent;
};

} // namespace plumbline::views
