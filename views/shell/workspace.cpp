#include "views/shell/workspace.h"

#include "views/shell/dock_title.h"
#include "views/shell/panel.h"

#include <QCoreApplication>
#include <QDockWidget>
#include <QScrollArea>

#include <algorithm>

namespace plumbline::views {

namespace {

constexpr int layoutVersion = 1;

QString text(const char* source) {
  return QCoreApplication::translate("Workspace", source);
}

} // namespace

QString title(PanelSlot slot) {
  switch (slot) {
  case PanelSlot::Graph: return text("Graph");
  case PanelSlot::Cuda: return text("CUDA");
  case PanelSlot::Method: return text("Method");
  case PanelSlot::Goals: return text("Goals");
  case PanelSlot::Cases: return text("Cases");
  case PanelSlot::Witness: return text("Witness");
  case PanelSlot::Safety: return text("Safety");
  case PanelSlot::Log: return text("Log");
  }
  return {};
}

QString id(PanelSlot slot) {
  switch (slot) {
  case PanelSlot::Graph: return QStringLiteral("graph");
  case PanelSlot::Cuda: return QStringLiteral("cuda");
  case PanelSlot::Method: return QStringLiteral("method");
  case PanelSlot::Goals: return QStringLiteral("goals");
  case PanelSlot::Cases: return QStringLiteral("cases");
  case PanelSlot::Witness: return QStringLiteral("witness");
  case PanelSlot::Safety: return QStringLiteral("safety");
  case PanelSlot::Log: return QStringLiteral("log");
  }
  return {};
}

Workspace::Workspace(QWidget* parent) : QMainWindow(parent, Qt::Widget) {
  setDockNestingEnabled(true);
  setDockOptions(AnimatedDocks | AllowNestedDocks | AllowTabbedDocks);
  setTabPosition(Qt::AllDockWidgetAreas, QTabWidget::North);
  setContextMenuPolicy(Qt::NoContextMenu);
  for (int k = 0; k < panelSlotCount; ++k) {
    const auto slot = static_cast<PanelSlot>(k);
    auto* dock = new QDockWidget(title(slot), this);
    dock->setObjectName(QLatin1String("dock-") + id(slot));
    dock->setTitleBarWidget(new DockTitle(dock));
    m_docks.emplace(slot, dock);
    addDockWidget(Qt::LeftDockWidgetArea, dock);
  }
  applyDefaultLayout();
}

void Workspace::setPanel(PanelSlot slot, Panel* panel) {
  panel->setObjectName(QLatin1String("panel-") + id(slot));
  panel->setAccessibleName(title(slot));
  m_panels[slot] = panel;
  // A panel that needs more room than its dock has is scrolled; it never makes the window larger than the
  // screen.
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(panel);
  m_docks.at(slot)->setWidget(scroll);
}

Panel* Workspace::panel(PanelSlot slot) const {
  const auto found = m_panels.find(slot);
  return found == m_panels.end() ? nullptr : found->second;
}

QDockWidget* Workspace::dock(PanelSlot slot) const {
  return m_docks.at(slot);
}

void Workspace::raisePanel(PanelSlot slot) {
  m_docks.at(slot)->show();
  m_docks.at(slot)->raise();
}

void Workspace::focusPanel(PanelSlot slot) {
  raisePanel(slot);
  if (Panel* panel = this->panel(slot)) {
    panel->setFocus(Qt::ShortcutFocusReason);
    // A panel without a proxy hands the focus to its first widget that takes it.
    if (!panel->isAncestorOf(focusWidget()) || focusWidget() == panel)
      for (QWidget* child : panel->findChildren<QWidget*>())
        if (child->isVisible() && child->isEnabled() &&
            (child->focusPolicy() & Qt::TabFocus) == Qt::TabFocus) {
          child->setFocus(Qt::ShortcutFocusReason);
          break;
        }
  }
}

void Workspace::applyLook() {
  for (const auto& [slot, dock] : m_docks)
    static_cast<DockTitle*>(dock->titleBarWidget())->applyLook();
}

void Workspace::applyDefaultLayout() {
  const auto at = [this](PanelSlot slot) { return m_docks.at(slot); };
  for (const auto& [slot, dock] : m_docks) {
    dock->setFloating(false);
    removeDockWidget(dock);
  }
  addDockWidget(Qt::LeftDockWidgetArea, at(PanelSlot::Graph));
  splitDockWidget(at(PanelSlot::Graph), at(PanelSlot::Cuda), Qt::Horizontal);
  splitDockWidget(at(PanelSlot::Cuda), at(PanelSlot::Goals), Qt::Horizontal);
  splitDockWidget(at(PanelSlot::Cuda), at(PanelSlot::Method), Qt::Vertical);
  splitDockWidget(at(PanelSlot::Goals), at(PanelSlot::Witness), Qt::Vertical);
  tabifyDockWidget(at(PanelSlot::Goals), at(PanelSlot::Safety));
  tabifyDockWidget(at(PanelSlot::Goals), at(PanelSlot::Log));
  tabifyDockWidget(at(PanelSlot::Witness), at(PanelSlot::Cases));
  for (const auto& [slot, dock] : m_docks)
    dock->show();
  at(PanelSlot::Goals)->raise();
  at(PanelSlot::Witness)->raise();
  m_defaultSizes = true;
  applyDefaultSizes();
}

void Workspace::applyDefaultSizes() {
  const auto at = [this](PanelSlot slot) { return m_docks.at(slot); };
  const int w = std::max(width(), 600);
  const int h = std::max(height(), 400);
  resizeDocks({at(PanelSlot::Graph), at(PanelSlot::Cuda), at(PanelSlot::Goals)},
              {w * 22 / 100, w * 38 / 100, w * 40 / 100}, Qt::Horizontal);
  resizeDocks({at(PanelSlot::Cuda), at(PanelSlot::Method)}, {h / 2, h / 2}, Qt::Vertical);
  resizeDocks({at(PanelSlot::Goals), at(PanelSlot::Witness)}, {h / 2, h / 2}, Qt::Vertical);
}

QByteArray Workspace::saveLayout() const {
  return saveState(layoutVersion);
}

bool Workspace::restoreLayout(const QByteArray& text) {
  const bool restored = !text.isEmpty() && restoreState(text, layoutVersion);
  const bool anything = std::any_of(m_docks.begin(), m_docks.end(),
                                    [](const auto& entry) { return !entry.second->isHidden(); });
  m_defaultSizes = !(restored && anything);
  if (m_defaultSizes)
    applyDefaultLayout();
  return !m_defaultSizes;
}

void Workspace::showEvent(QShowEvent* event) {
  QMainWindow::showEvent(event);
  if (m_defaultSizes)
    applyDefaultSizes();
}

void Workspace::resizeEvent(QResizeEvent* event) {
  QMainWindow::resizeEvent(event);
  if (m_defaultSizes && isVisible())
    applyDefaultSizes();
}

} // namespace plumbline::views
