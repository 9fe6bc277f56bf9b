#include "views/shell/command_palette.h"

#include "views/shell/actions.h"
#include "views/shell/fuzzy.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPointer>
#include <QVBoxLayout>

#include <algorithm>

namespace plumbline::views {

namespace {

struct Row {
  int score = 0;
  QString text;
  QAction* action = nullptr;
};

bool better(const Row& a, const Row& b) {
  return a.score != b.score ? a.score > b.score : a.text.localeAwareCompare(b.text) < 0;
}

} // namespace

QString plainText(const QString& actionText) {
  QString text = actionText;
  text.replace(QLatin1String("&&"), QString(QChar(1)));
  text.remove(QLatin1Char('&'));
  text.replace(QChar(1), QLatin1Char('&'));
  while (text.endsWith(QLatin1Char('.')) || text.endsWith(QChar(0x2026)))
    text.chop(1);
  return text;
}

CommandPalette::CommandPalette(const Actions& actions, QWidget* window)
    : QFrame(window), m_actions(actions), m_field(new QLineEdit), m_list(new QListWidget) {
  setFrameShape(QFrame::StyledPanel);
  setAutoFillBackground(true);
  setBackgroundRole(QPalette::Window);
  setAccessibleName(tr("Command palette"));
  m_field->setPlaceholderText(tr("Type a part of a command's name"));
  m_field->setAccessibleName(tr("Command"));
  m_list->setAccessibleName(tr("Matching commands"));
  m_list->setFocusPolicy(Qt::NoFocus);
  m_list->setUniformItemSizes(true);
  auto* column = new QVBoxLayout(this);
  column->addWidget(m_field);
  column->addWidget(m_list);
  m_field->installEventFilter(this);
  window->installEventFilter(this);
  connect(m_field, &QLineEdit::textChanged, this, &CommandPalette::fill);
  connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::run);
  hide();
}

void CommandPalette::open() {
  if (!isVisible())
    m_focusBefore = QApplication::focusWidget();
  m_field->clear();
  fill();
  place();
  show();
  raise();
  m_field->setFocus(Qt::PopupFocusReason);
}

void CommandPalette::place() {
  const QSize window = parentWidget()->size();
  const int width = std::min(window.width() - 40, fontMetrics().averageCharWidth() * 80);
  const int height = std::min(window.height() - 80, fontMetrics().height() * 22);
  setGeometry((window.width() - width) / 2, 40, width, height);
}

void CommandPalette::fill() {
  std::vector<Row> rows;
  for (const Actions::Entry& entry : m_actions.entries()) {
    const QString text = entry.category + QLatin1String(": ") + plainText(entry.action->text());
    if (const auto score = fuzzyScore(m_field->text(), text))
      rows.push_back({*score, text, entry.action});
  }
  std::stable_sort(rows.begin(), rows.end(), better);
  m_list->clear();
  for (const Row& row : rows) {
    const QString keys = row.action->shortcut().toString(QKeySequence::NativeText);
    auto* item =
        new QListWidgetItem(keys.isEmpty() ? row.text : row.text + QLatin1String("    ") + keys, m_list);
    item->setData(Qt::UserRole, QVariant::fromValue(QPointer<QAction>(row.action)));
    item->setToolTip(row.action->statusTip());
    if (!row.action->isEnabled())
      item->setFlags(item->flags() & ~Qt::ItemIsEnabled);
  }
  m_list->setCurrentRow(rows.empty() ? -1 : 0);
}

void CommandPalette::run() {
  const QListWidgetItem* item = m_list->currentItem();
  if (item == nullptr || !(item->flags() & Qt::ItemIsEnabled))
    return;
  const auto action = item->data(Qt::UserRole).value<QPointer<QAction>>();
  leave();
  if (action)
    action->trigger();
}

void CommandPalette::leave() {
  hide();
  if (m_focusBefore != nullptr && QApplication::allWidgets().contains(m_focusBefore))
    m_focusBefore->setFocus(Qt::PopupFocusReason);
  m_focusBefore = nullptr;
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event) {
  if (watched == parentWidget() && event->type() == QEvent::Resize && isVisible())
    place();
  if (watched != m_field)
    return QFrame::eventFilter(watched, event);
  if (event->type() == QEvent::FocusOut && isVisible())
    hide();
  if (event->type() != QEvent::KeyPress)
    return false;
  const auto* key = static_cast<QKeyEvent*>(event);
  switch (key->key()) {
  case Qt::Key_Down:
  case Qt::Key_Up:
  case Qt::Key_PageDown:
  case Qt::Key_PageUp: QApplication::sendEvent(m_list, event); return true;
  case Qt::Key_Return:
  case Qt::Key_Enter: run(); return true;
  case Qt::Key_Escape: leave(); return true;
  default: return false;
  }
}

void CommandPalette::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    leave();
  else
    QFrame::keyPressEvent(event);
}

} // namespace plumbline::views
