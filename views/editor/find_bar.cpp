#include "views/editor/find_bar.h"

#include "views/editor/code_editor.h"
#include "views/editor/source_marks.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace plumbline::views {

namespace {

QToolButton* button(const QString& text, const QString& name, QWidget* parent) {
  auto* result = new QToolButton(parent);
  result->setText(text);
  result->setToolTip(name);
  result->setAccessibleName(name);
  result->setAutoRaise(true);
  return result;
}

} // namespace

FindBar::FindBar(CodeEditor& editor, QWidget* parent)
    : QWidget(parent), m_editor(editor), m_text(new QLineEdit), m_caseSensitive(new QCheckBox(tr("Aa"))),
      m_count(new QLabel) {
  m_text->setPlaceholderText(tr("Find"));
  m_text->setAccessibleName(tr("Find in this text"));
  m_text->setClearButtonEnabled(true);
  m_caseSensitive->setToolTip(tr("Match case"));
  m_caseSensitive->setAccessibleName(tr("Match case"));
  QToolButton* previous = button(QStringLiteral("▲"), tr("Previous (Shift+F3)"), this);
  QToolButton* next = button(QStringLiteral("▼"), tr("Next (F3)"), this);
  QToolButton* close = button(QStringLiteral("✕"), tr("Close (Esc)"), this);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(4, 2, 4, 2);
  row->addWidget(m_text, 1);
  row->addWidget(m_count);
  for (QWidget* widget : {static_cast<QWidget*>(m_caseSensitive), static_cast<QWidget*>(previous),
                          static_cast<QWidget*>(next), static_cast<QWidget*>(close)})
    row->addWidget(widget);
  connect(m_text, &QLineEdit::textEdited, this, [this] { search(true, true); });
  connect(m_caseSensitive, &QCheckBox::toggled, this, [this] { search(true, true); });
  connect(previous, &QToolButton::clicked, this, [this] { findNext(false); });
  connect(next, &QToolButton::clicked, this, [this] { findNext(true); });
  connect(close, &QToolButton::clicked, this, &FindBar::shut);
  setFocusProxy(m_text);
  hide();
}

void FindBar::open() {
  const QString selected = m_editor.selectedText();
  if (!selected.isEmpty() && !selected.contains(QLatin1Char('\n')))
    m_text->setText(selected);
  show();
  m_text->setFocus(Qt::ShortcutFocusReason);
  m_text->selectAll();
  refresh();
}

void FindBar::findNext(bool forward) {
  if (m_text->text().isEmpty())
    open();
  else
    search(forward, false);
}

void FindBar::shut() {
  showMatches(m_editor, {}, false);
  hide();
  m_editor.setFocus(Qt::ShortcutFocusReason);
}

void FindBar::refresh() {
  if (!isVisible())
    return;
  const int count = showMatches(m_editor, m_text->text(), m_caseSensitive->isChecked());
  m_count->setText(m_text->text().isEmpty() ? QString() : tr("%n found", nullptr, count));
}

void FindBar::search(bool forward, bool fromHere) {
  m_editor.find(m_text->text(), m_caseSensitive->isChecked(), forward, fromHere);
  refresh();
}

void FindBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    shut();
  else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
    findNext((event->modifiers() & Qt::ShiftModifier) == 0);
  else
    QWidget::keyPressEvent(event);
}

} // namespace plumbline::views
