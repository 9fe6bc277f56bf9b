// The comparison under work as the window sees it: a bench that also opens and checks.
#pragma once

#include "views/shell/bench.h"

namespace plumbline::views {

/// GUI thread only; no call blocks, results come as signals. Of several requests the newest wins: older ones
/// are cancelled and what they still give is dropped.
class Session : public Bench {
  Q_OBJECT
public:
  using Bench::Bench;

  /// Opens and checks a pair. Returns the request's number, which grows.
  virtual quint64 check(const workbench::Request& request) = 0;
  /// Asks everything that runs or waits to stop. A check that was running still delivers its (undetermined)
  /// result.
  virtual void cancelAll() = 0;

Q_SIGNALS:
  /// What can be shown before anything is checked: texts and graph.
  void opened(quint64 number, const plumbline::workbench::SnapshotPtr& snapshot);
  /// The check is over, however it ended.
  void checked(quint64 number, const plumbline::workbench::SnapshotPtr& snapshot);
  /// A line for people about what runs.
  void progress(const QString& line);
  /// What is being computed; empty: nothing.
  void taskChanged(const QString& task);
};

} // namespace plumbline::views
