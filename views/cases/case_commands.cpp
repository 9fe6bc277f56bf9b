#include "views/cases/case_commands.h"

#include "views/style/style.h"

#include <QCoreApplication>

namespace plumbline::views {

SplitCommand::SplitCommand(CaseSession* session, CaseSession::Cut cut)
    : m_session(session), m_cut(std::move(cut)) {
  const QString what = toQt(m_cut.on.what);
  setText(m_cut.on.isGuard ? QCoreApplication::translate("cases", "Split on %1").arg(what)
                           : QCoreApplication::translate("cases", "Split %1 by class").arg(what));
}

void SplitCommand::redo() {
  if (!m_session || !m_session->split(m_cut))
    setObsolete(true);
}

void SplitCommand::undo() {
  if (!m_session || !m_session->join(m_cut.where))
    setObsolete(true);
}

JoinCommand::JoinCommand(CaseSession* session, int node)
    : m_session(session), m_where(addressOf(session->scene(), node)), m_cuts(session->cutsFrom(node)) {
  setText(QCoreApplication::translate("cases", "Join cases"));
}

void JoinCommand::redo() {
  if (!m_session || !m_session->join(m_where))
    setObsolete(true);
}

void JoinCommand::undo() {
  bool any = false;
  for (const CaseSession::Cut& cut : m_cuts)
    any = (m_session && m_session->split(cut)) || any;
  setObsolete(!any);
}

} // namespace plumbline::views
