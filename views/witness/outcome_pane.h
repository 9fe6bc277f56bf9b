// What both sides give for the values under view, and what runs of the real things gave.
#pragma once

#include "core/workbench/snapshot.h"

#include <QWidget>

class QLabel;

namespace plumbline::views {

/// Labels only; what they say is set from outside.
class OutcomePane : public QWidget {
  Q_OBJECT
public:
  explicit OutcomePane(QWidget* parent = nullptr);

  void setTrace(const workbench::StepTrace& trace, bool current);
  /// Empty texts hide their line.
  void setReplay(const QString& text);
  /// The answer of a run, compared with the steps; `running` while it is under way.
  void setRun(const workbench::RunResult& result, const workbench::StepTrace& trace);
  void setRunning(const QString& engine);
  void clearRuns();

private:
  QLabel* line(const QString& accessibleName);
  QLabel* runLine(const QString& engine) const;

  QLabel* m_verdict;
  QLabel* m_spec;
  QLabel* m_kernel;
  QLabel* m_note;
  QLabel* m_replay;
  QLabel* m_interpreter;
  QLabel* m_pytorch;
};

} // namespace plumbline::views
