#include "views/shell/dock_title.h"

#include <QApplication>
#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace plumbline::views {

namespace {

QToolButton* button(const QString& symbol, const QString& name) {
  auto* result = new QToolButton;
  result->setText(symbol);
  result->setToolTip(name);
  result->setAccessibleName(name);
  result->setAutoRaise(true);
  result->setFocusPolicy(Qt::NoFocus);
  return result;
}

} // namespace

DockTitle::DockTitle(QDockWidget* dock) : QWidget(dock), m_name(new QLabel(dock->windowTitle())) {
  QToolButton* floating =
      button(QStringLiteral("❐"), tr("Let %1 float, or dock it").arg(dock->windowTitle()));
  QToolButton* close = button(QStringLiteral("✕"), tr("Close %1").arg(dock->windowTitle()));
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(6, 1, 2, 1);
  row->setSpacing(0);
  row->addWidget(m_name, 1);
  row->addWidget(floating);
  row->addWidget(close);
  connect(floating, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
  connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
  applyLook();
}

void DockTitle::applyLook() {
  QFont font = QApplication::font();
  font.setBold(true);
  m_name->setFont(font);
}

} // namespace plumbline::views
