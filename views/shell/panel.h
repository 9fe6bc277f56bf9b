// A panel of the window: what the frame tells it and what it tells the frame.
#pragma once

#include "core/workbench/selection.h"

#include <QWidget>

class QUndoStack;

namespace plumbline::views {

class Actions;
class Bench;
class Journal;

/// What a panel gets from the window; all of it outlives the panel.
struct PanelContext {
  Actions& actions;
  Bench& bench;
  Journal& journal;
  QUndoStack& undo;
};

/// Base class of the panels. GUI thread only. A hidden panel does not refresh: it catches up when it is
/// shown. Subclasses override the `on...` functions and read the state from the getters.
class Panel : public QWidget {
  Q_OBJECT
public:
  explicit Panel(const PanelContext& context, QWidget* parent = nullptr);

  /// The new state of the work; nullptr: nothing is open. Clears the highlight.
  void setSnapshot(const workbench::SnapshotPtr& snapshot);
  /// What is to be highlighted; `anchor` is what was selected, possibly in this panel itself.
  void setHighlight(const workbench::Highlight& highlight, const workbench::Anchor& anchor);
  /// The snapshot belongs to an older state of the files: show it as not current.
  void setStale(bool stale);
  /// Name of what is being computed for the next snapshot; empty: nothing.
  void setBusy(const QString& task);
  /// Fonts or colours have changed (zoom, theme).
  void refreshAppearance();

  /// Shows values of a case goal's variables: of interest to the witness panel only.
  virtual void showValues(int caseGoal, const std::vector<uint32_t>& values);
  /// What the panel says while it has nothing to show, and what to do next.
  virtual QString emptyText() const = 0;

Q_SIGNALS:
  /// The user selected something; the window answers with setHighlight on all panels.
  void selected(const plumbline::workbench::Anchor& anchor);
  /// The user asked to see values in the witness panel.
  void valuesChosen(int caseGoal, const std::vector<uint32_t>& values);
  /// The user changed how cases are split, or a case was settled. The window's snapshot gets this forest, so
  /// that later anchors of kind Case refer to it; the sender is not told again.
  void casesChanged(const plumbline::workbench::CaseForest& forest);

protected:
  const PanelContext& context() const { return m_context; }
  const workbench::SnapshotPtr& snapshot() const { return m_snapshot; }
  const workbench::Highlight& highlight() const { return m_highlight; }
  const workbench::Anchor& anchor() const { return m_anchor; }
  bool stale() const { return m_stale; }
  const QString& busyTask() const { return m_busyTask; }

  /// The panel is visible and the state named has changed since the last call.
  virtual void onSnapshot() = 0;
  virtual void onHighlight() {}
  virtual void onStatus() {} ///< stale() or busyTask()
  virtual void onAppearance() {}

  void showEvent(QShowEvent* event) override;

private:
  enum Pending : uint8_t { Nothing = 0, Appearance = 1, State = 2, Marks = 4, Status = 8 };
  void want(int pending);
  void catchUp();

  PanelContext m_context;
  workbench::SnapshotPtr m_snapshot;
  workbench::Highlight m_highlight;
  workbench::Anchor m_anchor;
  QString m_busyTask;
  int m_pending = State | Appearance;
  bool m_stale = false;
};

} // namespace plumbline::views
