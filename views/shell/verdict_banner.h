// The line on top of the window: what was found, whether it is current, and what runs.
#pragma once

#include "core/workbench/snapshot.h"

#include <QElapsedTimer>
#include <QFrame>
#include <QTimer>

class QLabel;
class QToolButton;

namespace plumbline::views {

/// GUI thread only. A verdict is shown in its colour only while it is current: with a change on disk, while a
/// check runs, or after a cancel it is grey and says so.
class VerdictBanner : public QFrame {
  Q_OBJECT
public:
  /// A task shorter than this shows no sign of work.
  static constexpr int busyDelayMs = 150;

  explicit VerdictBanner(QWidget* parent = nullptr);

  /// nullptr: nothing is open.
  void setSnapshot(const workbench::SnapshotPtr& snapshot);
  /// Why the verdict is not current; empty: it is.
  void setStale(const QString& reason);
  /// What runs; empty: nothing.
  void setTask(const QString& task);
  void setProgress(const QString& line);
  /// The user's cancel has been passed on.
  void setCancelling();
  /// Colours and fonts have changed.
  void applyLook();

  /// What is written, for tests and assistive technology: symbol, headline, state.
  QString text() const;
  bool showsCurrentVerdict() const;
  bool showsTask() const;

Q_SIGNALS:
  void cancelRequested();
  void checkRequested();

private:
  QWidget* makeTaskRow();
  void update();
  void updateDetails();
  void updateElapsed();

  QLabel* m_symbol;
  QLabel* m_headline;
  QLabel* m_readings;
  QLabel* m_next;
  QLabel* m_stale;
  QLabel* m_details;
  QToolButton* m_detailsButton;
  QToolButton* m_checkButton;
  QWidget* m_taskRow;
  QLabel* m_task;
  QToolButton* m_cancel;
  workbench::SnapshotPtr m_snapshot;
  QString m_staleReason;
  QString m_taskName;
  QString m_progress;
  bool m_cancelling = false;
  QElapsedTimer m_since;
  QTimer m_delay;
  QTimer m_tick;
};

/// Symbol of a tone, so that colour is never the only sign.
QString toneSymbol(workbench::Tone tone);

} // namespace plumbline::views
