#include "views/shell/panel.h"

namespace plumbline::views {

Panel::Panel(const PanelContext& context, QWidget* parent) : QWidget(parent), m_context(context) {}

void Panel::setSnapshot(const workbench::SnapshotPtr& snapshot) {
  m_snapshot = snapshot;
  m_highlight = {};
  m_anchor = {};
  want(State | Marks);
}

void Panel::setHighlight(const workbench::Highlight& highlight, const workbench::Anchor& anchor) {
  m_highlight = highlight;
  m_anchor = anchor;
  want(Marks);
}

void Panel::setStale(bool stale) {
  if (stale == m_stale)
    return;
  m_stale = stale;
  want(Status);
}

void Panel::setBusy(const QString& task) {
  if (task == m_busyTask)
    return;
  m_busyTask = task;
  want(Status);
}

void Panel::refreshAppearance() {
  want(Appearance);
}

void Panel::showValues(int, const std::vector<uint32_t>&) {}

void Panel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  catchUp();
}

void Panel::want(int pending) {
  m_pending |= pending;
  if (isVisible())
    catchUp();
}

void Panel::catchUp() {
  const int pending = m_pending;
  m_pending = Nothing;
  if (pending & Appearance)
    onAppearance();
  if (pending & State)
    onSnapshot();
  if (pending & Marks)
    onHighlight();
  if (pending & Status)
    onStatus();
}

} // namespace plumbline::views
