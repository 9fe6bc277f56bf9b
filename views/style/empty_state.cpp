#include "views/style/empty_state.h"

#include <QLabel>

namespace plumbline::views {

EmptyState::EmptyState(QWidget* content, QWidget* parent) : QStackedWidget(parent), m_label(new QLabel) {
  addWidget(content);
  m_label->setWordWrap(true);
  m_label->setAlignment(Qt::AlignCenter);
  m_label->setMargin(16);
  m_label->setTextFormat(Qt::PlainText);
  m_label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_label->setAccessibleName(tr("Nothing to show"));
  addWidget(m_label);
}

void EmptyState::setText(const QString& text) {
  m_label->setText(text);
  m_label->setAccessibleDescription(text);
  setCurrentIndex(text.isEmpty() ? 0 : 1);
}

QString EmptyState::text() const {
  return m_label->text();
}

} // namespace plumbline::views
