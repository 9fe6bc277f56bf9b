// An edit of witness values as a step that can be undone.
#pragma once

#include "views/witness/value_editor.h"

#include <QPointer>
#include <QUndoCommand>

#include <string>
#include <vector>

namespace plumbline::views {

class WitnessPanel;

/// Typing in one field of one value is one step.
class ValuesCommand : public QUndoCommand {
public:
  using Values = std::vector<uint32_t>;

  /// `goal` is the name of the goal whose values these are.
  ValuesCommand(WitnessPanel* panel, std::string goal, Values before, Values after,
                ValueEditor::Source source, int editor);

  void redo() override;
  void undo() override;
  int id() const override { return 0x77a1; }
  bool mergeWith(const QUndoCommand* other) override;

private:
  QPointer<WitnessPanel> m_panel;
  std::string m_goal;
  Values m_before;
  Values m_after;
  ValueEditor::Source m_source;
  int m_editor;
};

} // namespace plumbline::views
