#include "views/witness/values_command.h"

#include "views/witness/witness_panel.h"

#include <QCoreApplication>

namespace plumbline::views {

ValuesCommand::ValuesCommand(WitnessPanel* panel, std::string goal, Values before, Values after,
                             ValueEditor::Source source, int editor)
    : m_panel(panel), m_goal(std::move(goal)), m_before(std::move(before)), m_after(std::move(after)),
      m_source(source), m_editor(editor) {
  setText(QCoreApplication::translate("witness", "Edit values"));
}

void ValuesCommand::redo() {
  if (!m_panel || !m_panel->putValues(m_goal, m_after))
    setObsolete(true);
}

void ValuesCommand::undo() {
  if (!m_panel || !m_panel->putValues(m_goal, m_before))
    setObsolete(true);
}

bool ValuesCommand::mergeWith(const QUndoCommand* other) {
  const auto* next = static_cast<const ValuesCommand*>(other);
  const bool typing = m_source != ValueEditor::Source::Once && m_source == next->m_source;
  if (!typing || m_editor != next->m_editor || m_goal != next->m_goal || m_after != next->m_before)
    return false;
  m_after = next->m_after;
  return true;
}

} // namespace plumbline::views
