#include "views/shell/main_window.h"

#include "views/shell/command_palette.h"
#include "views/shell/open_page.h"
#include "views/shell/pair_guess.h"
#include "views/shell/verdict_banner.h"
#include "views/style/style.h"

#include <QAction>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QScreen>
#include <QSettings>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace plumbline::views {

using workbench::Request;
using workbench::SnapshotPtr;

namespace {

constexpr QSize defaultSize(1440, 900);

QStringList localFiles(const QMimeData* data) {
  QStringList files;
  for (const QUrl& url : data->urls())
    if (url.isLocalFile() && QFileInfo(url.toLocalFile()).isFile())
      files << url.toLocalFile();
  return files;
}

} // namespace

MainWindow::MainWindow(Session& session, Appearance& appearance, QSettings* settings, QWidget* parent)
    : QMainWindow(parent), m_session(session), m_appearance(appearance), m_settings(settings),
      m_desk(new Desk(session, m_journal, m_undo, this)) {
  setWindowTitle(tr("Plumbline"));
  setAcceptDrops(true);
  resize(defaultSize.boundedTo(screen()->availableSize()));
  makePages();
  makeMenus();
  m_palette = new CommandPalette(m_actions, this);
  connectDesk();
  connect(&m_appearance, &Appearance::changed, this, &MainWindow::applyLook);
  showPage(Page::Start);
}

MainWindow::~MainWindow() {
  // Panels refer to members of this window, which go before the children of QObject would.
  m_undo.clear();
  delete takeCentralWidget();
}

PanelContext MainWindow::panelContext() {
  return {m_actions, m_session, m_journal, m_undo};
}

void MainWindow::makePages() {
  m_start = new StartPage;
  m_openPage = new OpenPage;
  m_banner = new VerdictBanner;
  m_workspace = new Workspace;
  auto* work = new QWidget;
  auto* column = new QVBoxLayout(work);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(m_banner);
  column->addWidget(m_workspace, 1);
  m_pages = new QStackedWidget;
  m_pages->addWidget(m_start);
  m_pages->addWidget(m_openPage);
  m_pages->addWidget(work);
  setCentralWidget(m_pages);
  connect(m_start, &StartPage::openRequested, this, [this] { showOpenPage(m_desk->request(), {}); });
  connect(m_start, &StartPage::sampleChosen, this, &MainWindow::openSample);
  connect(m_start, &StartPage::recentChosen, this, &MainWindow::openRecent);
  connect(m_openPage, &OpenPage::accepted, this, &MainWindow::openPair);
  connect(m_openPage, &OpenPage::cancelled, this,
          [this] { showPage(m_desk->isOpen() ? Page::Work : Page::Start); });
}

void MainWindow::connectDesk() {
  connect(m_desk, &Desk::snapshotChanged, m_banner, &VerdictBanner::setSnapshot);
  connect(m_desk, &Desk::staleChanged, m_banner, &VerdictBanner::setStale);
  connect(m_desk, &Desk::taskChanged, m_banner, &VerdictBanner::setTask);
  connect(m_desk, &Desk::progressed, m_banner, &VerdictBanner::setProgress);
  connect(m_desk, &Desk::cancelling, m_banner, &VerdictBanner::setCancelling);
  connect(m_banner, &VerdictBanner::cancelRequested, m_desk, &Desk::cancel);
  connect(m_banner, &VerdictBanner::checkRequested, m_desk, &Desk::checkAgain);
  connect(m_desk, &Desk::taskChanged, this, &MainWindow::updateActions);
  connect(m_desk, &Desk::checkEnded, this, &MainWindow::onCheckEnded);
  connect(m_desk, &Desk::valuesChosen, this, [this](int caseGoal, const std::vector<uint32_t>& values) {
    if (Panel* witness = m_workspace->panel(PanelSlot::Witness)) {
      m_workspace->raisePanel(PanelSlot::Witness);
      witness->showValues(caseGoal, values);
    }
  });
}

void MainWindow::setPanel(PanelSlot slot, Panel* panel) {
  m_workspace->setPanel(slot, panel);
  m_desk->addPanel(panel);
}

void MainWindow::setSamples(const std::vector<SampleStory>& samples) {
  m_samples = samples;
  m_start->setSamples(samples);
  fillSamplesMenu();
}

void MainWindow::setMissingTools(const QStringList& missing) {
  m_start->setMissing(missing);
  for (const QString& line : missing)
    m_journal.add(JournalEntry::Level::Warning, line);
}

void MainWindow::begin() {
  recall();
  m_start->setRecent(m_recent);
  fillRecentMenu();
  applyLook();
  updateActions();
  m_start->setFocus();
}

void MainWindow::openPair(const Request& request) {
  if (const QString problem = problemOf(request); !problem.isEmpty()) {
    showOpenPage(request, problem);
    return;
  }
  m_recent.add(request);
  m_start->setRecent(m_recent);
  fillRecentMenu();
  setWindowTitle(tr("%1 - Plumbline").arg(pairTitle(request)));
  showPage(Page::Work);
  m_desk->open(request);
  updateActions();
  m_workspace->focusPanel(PanelSlot::Cuda);
}

void MainWindow::closePair() {
  m_desk->close();
  setWindowTitle(tr("Plumbline"));
  showPage(Page::Start);
  m_start->setFocus();
}

void MainWindow::showPage(Page page) {
  m_pages->setCurrentIndex(static_cast<int>(page));
  updateActions();
}

MainWindow::Page MainWindow::page() const {
  return static_cast<Page>(m_pages->currentIndex());
}

void MainWindow::showOpenPage(const Request& request, const QString& question) {
  m_openPage->setRequest(request, question);
  showPage(Page::Open);
  m_openPage->focusFirstEmpty();
}

void MainWindow::openFiles(const QStringList& files) {
  const PairGuess guess = guessPair(files, m_desk->isOpen() ? toQt(m_desk->request().model) : QString(),
                                    m_desk->isOpen() ? toQt(m_desk->request().kernel) : QString());
  Request request = m_desk->isOpen() ? m_desk->request() : Request{};
  request.model = guess.model.toStdString();
  request.kernel = guess.kernel.toStdString();
  // Options of another kernel say nothing about this one.
  request.kernelName.clear();
  request.launchFile.clear();
  if (guess.question.isEmpty())
    openPair(request);
  else
    showOpenPage(request, guess.question);
}

void MainWindow::openSample(int index) {
  if (index < 0 || index >= static_cast<int>(m_samples.size()))
    return;
  const SampleStory& sample = m_samples[static_cast<size_t>(index)];
  Request request;
  request.model = sample.model.toStdString();
  request.kernel = sample.kernel.toStdString();
  request.readings = {"ieee", "real"};
  openPair(request);
}

void MainWindow::openRecent(int index) {
  if (index >= 0 && index < static_cast<int>(m_recent.all().size()))
    openPair(Request(m_recent.all()[static_cast<size_t>(index)])); // a copy: opening reorders the list
}

void MainWindow::onCheckEnded(bool first) {
  updateActions();
  if (!first || !m_desk->snapshot())
    return;
  const workbench::Snapshot& snapshot = *m_desk->snapshot();
  if (!snapshot.safety.findings.empty())
    m_workspace->raisePanel(PanelSlot::Safety);
  m_workspace->raisePanel(snapshot.witnesses.empty() && !snapshot.caseGoals.empty() ? PanelSlot::Cases
                                                                                    : PanelSlot::Witness);
}

void MainWindow::applyLook() {
  m_banner->applyLook();
  m_start->applyLook();
  m_workspace->applyLook();
  for (int k = 0; k < panelSlotCount; ++k)
    if (Panel* panel = m_workspace->panel(static_cast<PanelSlot>(k)))
      panel->refreshAppearance();
}

void MainWindow::remember() {
  if (m_settings == nullptr)
    return;
  m_settings->setValue(QStringLiteral("window/geometry"), saveGeometry());
  m_settings->setValue(QStringLiteral("window/layout"), m_workspace->saveLayout());
  m_settings->setValue(QStringLiteral("window/theme"), name(m_appearance.theme()));
  m_settings->setValue(QStringLiteral("window/zoom"), m_appearance.zoom());
  m_settings->setValue(QStringLiteral("recent"), m_recent.toText());
}

void MainWindow::recall() {
  if (m_settings == nullptr)
    return;
  restoreGeometry(m_settings->value(QStringLiteral("window/geometry")).toByteArray());
  m_workspace->restoreLayout(m_settings->value(QStringLiteral("window/layout")).toByteArray());
  m_recent = RecentPairs::fromText(m_settings->value(QStringLiteral("recent")).toByteArray());
}

void MainWindow::closeEvent(QCloseEvent* event) {
  remember();
  m_session.cancelAll();
  QMainWindow::closeEvent(event);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  const auto count = localFiles(event->mimeData()).size();
  if (count == 1 || count == 2)
    event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QStringList files = localFiles(event->mimeData());
  if (files.isEmpty())
    return;
  event->acceptProposedAction();
  openFiles(files);
}

} // namespace plumbline::views
