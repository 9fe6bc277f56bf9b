#include "views/shell/desk.h"

#include "views/shell/journal.h"
#include "views/shell/panel.h"
#include "views/shell/recent_pairs.h"
#include "views/style/style.h"

#include <QFileInfo>
#include <QUndoStack>

#include <algorithm>

namespace plumbline::views {

using workbench::SnapshotPtr;
using Level = JournalEntry::Level;

Desk::Desk(Session& session, Journal& journal, QUndoStack& undo, QObject* parent)
    : QObject(parent), m_session(session), m_journal(journal), m_undo(undo) {
  connect(&session, &Session::opened, this, &Desk::onOpened);
  connect(&session, &Session::checked, this, &Desk::onChecked);
  connect(&session, &Session::progress, this, [this](const QString& line) {
    m_journal.add(Level::Detail, line);
    Q_EMIT progressed(line);
  });
  connect(&session, &Session::taskChanged, this, [this](const QString& task) {
    m_task = task;
    for (Panel* panel : m_panels)
      panel->setBusy(task);
    Q_EMIT taskChanged(task);
  });
  connect(&m_watch, &FileWatch::changed, this, &Desk::onFileChanged);
  connect(&m_watch, &FileWatch::settled, this, &Desk::checkAgain);
}

void Desk::addPanel(Panel* panel) {
  m_panels.push_back(panel);
  connect(panel, &Panel::selected, this, &Desk::onSelected);
  connect(panel, &Panel::valuesChosen, this, &Desk::valuesChosen);
  connect(panel, &Panel::casesChanged, this, &Desk::onCases);
  connect(panel, &QObject::destroyed, this, [this, panel] {
    std::erase(m_panels, panel);
    std::erase(m_outstanding, panel);
  });
}

void Desk::open(const workbench::Request& request) {
  m_request = request;
  m_open = true;
  m_first = true;
  show(nullptr);
  m_journal.add(Level::Info, tr("Opening %1").arg(pairTitle(request)));
  start();
}

void Desk::checkAgain() {
  if (!m_open)
    return;
  m_journal.add(Level::Info, tr("Checking again"));
  start();
}

void Desk::start() {
  m_watch.watch({toQt(m_request.model), toQt(m_request.kernel), toQt(m_request.launchFile)});
  m_changedSince = false;
  setStale(m_snapshot ? tr("not current: being checked again") : QString());
  m_waiting = true;
  m_number = m_session.check(m_request);
}

void Desk::cancel() {
  if (!isBusy())
    return;
  m_session.cancelAll();
  m_journal.add(Level::Info, tr("Cancelled"));
  Q_EMIT cancelling();
}

void Desk::close() {
  m_session.cancelAll();
  m_number = 0;
  m_waiting = false;
  m_open = false;
  m_watch.watch({});
  setStale({});
  show(nullptr);
}

void Desk::show(const SnapshotPtr& snapshot) {
  m_snapshot = snapshot;
  m_undo.clear(); // its commands speak of cases that are gone
  const bool onTheWay = !m_outstanding.empty();
  m_outstanding.assign(m_panels.begin(), m_panels.end());
  if (!onTheWay)
    deliverNext();
  Q_EMIT snapshotChanged(snapshot);
}

void Desk::deliverNext() {
  // One panel a turn of the event loop: all of them together would hold up the window noticeably.
  if (m_outstanding.empty())
    return;
  Panel* panel = m_outstanding.front();
  m_outstanding.pop_front();
  panel->setSnapshot(m_snapshot);
  panel->setStale(!m_staleReason.isEmpty());
  if (!m_outstanding.empty())
    QTimer::singleShot(0, this, &Desk::deliverNext);
}

void Desk::setStale(const QString& reason) {
  m_staleReason = reason;
  // A panel that still shows the older snapshot is not current, whatever holds of the new one.
  for (Panel* panel : m_panels)
    panel->setStale(!reason.isEmpty() ||
                    std::find(m_outstanding.begin(), m_outstanding.end(), panel) != m_outstanding.end());
  Q_EMIT staleChanged(reason);
}

void Desk::onOpened(quint64 number, const SnapshotPtr& snapshot) {
  // A pair that is shown already keeps its older state, marked as such, until the check has ended.
  if (number == m_number && m_first)
    show(snapshot);
}

void Desk::onChecked(quint64 number, const SnapshotPtr& snapshot) {
  if (number != m_number || !m_open)
    return;
  m_watch.look();
  const bool first = m_first;
  m_first = false;
  m_waiting = false;
  show(snapshot);
  setStale(m_changedSince ? tr("changed on disk: not checked yet") : QString());
  logResult(*snapshot);
  Q_EMIT checkEnded(first);
}

void Desk::onFileChanged(const QString& file) {
  m_changedSince = true;
  m_journal.add(Level::Info, tr("%1 has changed").arg(QFileInfo(file).fileName()));
  if (m_snapshot)
    setStale(tr("changed on disk: not checked yet"));
}

void Desk::onSelected(const workbench::Anchor& anchor) {
  if (!m_snapshot)
    return;
  const workbench::Highlight highlight = workbench::counterparts(*m_snapshot, anchor);
  for (Panel* panel : m_panels)
    panel->setHighlight(highlight, anchor);
}

void Desk::onCases(const workbench::CaseForest& forest) {
  if (!m_snapshot)
    return;
  auto next = std::make_shared<workbench::Snapshot>(*m_snapshot);
  next->cases = forest;
  m_snapshot = std::move(next);
}

void Desk::logResult(const workbench::Snapshot& snapshot) {
  m_journal.add(snapshot.error ? Level::Error : Level::Info, toQt(snapshot.headline));
  if (snapshot.error)
    m_journal.add(Level::Error, toQt(toString(*snapshot.error)));
  for (const std::string& note : snapshot.notes)
    m_journal.add(Level::Detail, toQt(note));
  for (const std::string& missing : snapshot.missing)
    m_journal.add(Level::Warning, toQt(missing));
}

} // namespace plumbline::views
