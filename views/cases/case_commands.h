// Cuts of cases as steps that can be undone.
#pragma once

#include "views/cases/case_session.h"

#include <QPointer>
#include <QUndoCommand>

namespace plumbline::views {

/// Cuts one case. Names the case by its conditions, so that it can be undone after a new check; a step whose
/// case is gone does nothing and leaves the stack.
class SplitCommand : public QUndoCommand {
public:
  SplitCommand(CaseSession* session, CaseSession::Cut cut);
  void redo() override;
  void undo() override;

private:
  QPointer<CaseSession> m_session;
  CaseSession::Cut m_cut;
};

/// Takes all cuts at and below one case away.
class JoinCommand : public QUndoCommand {
public:
  JoinCommand(CaseSession* session, int node);
  void redo() override;
  void undo() override;

private:
  QPointer<CaseSession> m_session;
  CaseAddress m_where;
  std::vector<CaseSession::Cut> m_cuts;
};

} // namespace plumbline::views
