// Panel Witness: values, bit by bit, and what both sides make of them.
#pragma once

#include "views/shell/bench.h"
#include "views/shell/panel.h"
#include "views/witness/value_editor.h"
#include "views/witness/witness_choice.h"

#include <map>

class QComboBox;
class QLabel;
class QPlainTextEdit;
class QScrollArea;
class QStackedWidget;
class QVBoxLayout;

namespace plumbline::views {

class EmptyState;
class OutcomePane;
class StepsPane;

/// Editors for the free values of one goal, both sides step by step (evaluated at each edit), and runs on the
/// interpreter and in PyTorch. A witness without steps (rationals, or through opaque functions) is shown as
/// text.
class WitnessPanel : public Panel {
  Q_OBJECT
public:
  explicit WitnessPanel(const PanelContext& context, QWidget* parent = nullptr);

  QString emptyText() const override;
  void showValues(int caseGoal, const std::vector<uint32_t>& values) override;

  const std::vector<uint32_t>& values() const { return m_values; }
  /// Shows values of the goal with that name; false when there is none. For undo.
  bool putValues(const std::string& goal, const std::vector<uint32_t>& values);

protected:
  void onSnapshot() override;
  void onHighlight() override;
  void onStatus() override;
  void onAppearance() override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

private:
  QWidget* makeBar();
  QWidget* makeSteps();
  void makeActions();
  void fillChooser(int row);
  void choose(int row);
  void showText(const WitnessChoice& choice);
  void makeEditors();
  void fitEditors();
  void edit(int editor, uint32_t bits, ValueEditor::Source source);
  void evaluate();
  void reset();
  void run(bool pytorch);
  void onRun(Ticket ticket, const workbench::RunResult& result);
  void dropRuns();
  void enableActions();
  std::string goalName(int goal) const;
  const workbench::StepProgram* program() const;

  EmptyState* m_pages;
  QComboBox* m_chooser;
  QLabel* m_hint;
  QStackedWidget* m_forms; ///< editors and steps, or text
  QScrollArea* m_scroll;   ///< as high as the editors, up to a part of the panel
  QWidget* m_editorArea;
  QVBoxLayout* m_editorColumn;
  std::vector<ValueEditor*> m_editors;
  OutcomePane* m_outcome;
  StepsPane* m_steps;
  QPlainTextEdit* m_text;

  workbench::SnapshotPtr m_shown; ///< whose witnesses and programs are on view
  std::vector<WitnessChoice> m_choices;
  int m_choice = -1;
  std::vector<uint32_t> m_values;
  workbench::StepTrace m_trace;
  std::map<Ticket, QString> m_runs; ///< under way for the present values
};

} // namespace plumbline::views
