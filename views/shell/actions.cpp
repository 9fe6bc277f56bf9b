#include "views/shell/actions.h"

#include <QAction>
#include <QMainWindow>
#include <QWidget>

#include <algorithm>

namespace plumbline::views {

QAction* Actions::add(QWidget* owner, const ActionSpec& spec, std::function<void()> run) {
  auto* action = new QAction(spec.text, owner);
  action->setObjectName(spec.id);
  action->setShortcuts(spec.shortcuts);
  action->setShortcutContext(qobject_cast<QMainWindow*>(owner) != nullptr ? Qt::WindowShortcut
                                                                          : Qt::WidgetWithChildrenShortcut);
  if (!spec.hint.isEmpty()) {
    action->setToolTip(spec.hint);
    action->setStatusTip(spec.hint);
  }
  owner->addAction(action);
  connect(action, &QAction::triggered, owner, std::move(run));
  list(spec.id, spec.category, action);
  return action;
}

void Actions::list(const QString& id, const QString& category, QAction* action) {
  m_entries.push_back({id, category, action});
  connect(action, &QObject::destroyed, this, [this](QObject* gone) {
    std::erase_if(m_entries, [gone](const Entry& entry) { return entry.action == gone; });
  });
}

QAction* Actions::find(const QString& id) const {
  const auto found =
      std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) { return entry.id == id; });
  return found == m_entries.end() ? nullptr : found->action;
}

} // namespace plumbline::views
