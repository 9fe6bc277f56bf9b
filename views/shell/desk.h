// The pair under work: passes snapshots, highlights and states from the session to the panels.
#pragma once

#include "core/workbench/selection.h"
#include "views/shell/file_watch.h"
#include "views/shell/session.h"

#include <deque>
#include <vector>

class QUndoStack;

namespace plumbline::views {

class Journal;
class Panel;

/// Decides what is current: nothing older than the files on disk and the last request is ever shown as
/// current. GUI thread only.
class Desk : public QObject {
  Q_OBJECT
public:
  Desk(Session& session, Journal& journal, QUndoStack& undo, QObject* parent = nullptr);

  /// Panels are told of everything from now on.
  void addPanel(Panel* panel);

  /// Another pair, or the same one with other options.
  void open(const workbench::Request& request);
  void checkAgain();
  void cancel();
  /// Back to nothing.
  void close();

  bool isOpen() const { return m_open; }
  /// Something runs or a check waits to.
  bool isBusy() const { return m_waiting || !m_task.isEmpty(); }
  /// A check of the open pair has ended, however.
  bool wasChecked() const { return m_open && !m_first; }
  const workbench::Request& request() const { return m_request; }
  const workbench::SnapshotPtr& snapshot() const { return m_snapshot; }
  /// Why the snapshot is not current; empty: it is.
  const QString& staleReason() const { return m_staleReason; }

Q_SIGNALS:
  void snapshotChanged(const plumbline::workbench::SnapshotPtr& snapshot);
  void staleChanged(const QString& reason);
  void taskChanged(const QString& task);
  void progressed(const QString& line);
  void cancelling();
  /// A check has ended; `first` for the first one of a pair.
  void checkEnded(bool first);
  /// A panel asked to show values of a case goal.
  void valuesChosen(int caseGoal, const std::vector<uint32_t>& values);

private:
  void start();
  void show(const workbench::SnapshotPtr& snapshot);
  void deliverNext();
  void setStale(const QString& reason);
  void onOpened(quint64 number, const workbench::SnapshotPtr& snapshot);
  void onChecked(quint64 number, const workbench::SnapshotPtr& snapshot);
  void onFileChanged(const QString& file);
  void onSelected(const workbench::Anchor& anchor);
  void onCases(const workbench::CaseForest& forest);
  void logResult(const workbench::Snapshot& snapshot);

  Session& m_session;
  Journal& m_journal;
  QUndoStack& m_undo;
  FileWatch m_watch;
  std::vector<Panel*> m_panels;
  std::deque<Panel*> m_outstanding; ///< those that do not have m_snapshot yet
  workbench::Request m_request;
  workbench::SnapshotPtr m_snapshot;
  QString m_staleReason;
  QString m_task;
  quint64 m_number = 0; ///< of the newest request; results of others are dropped
  bool m_open = false;
  bool m_waiting = false;      ///< for the result of the newest request
  bool m_first = false;        ///< no check of this pair has ended yet
  bool m_changedSince = false; ///< a file has changed since the newest request
};

} // namespace plumbline::views
