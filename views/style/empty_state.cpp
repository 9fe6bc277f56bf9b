#include "views/style/empty_state.h"

#include <QLabel>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace plumbline::views {

namespace {

QLabel* plainLabel() {
  auto* label = new QLabel;
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

} // namespace

EmptyState::EmptyState(QWidget* content, QWidget* parent)
    : QWidget(parent), m_notice(plainLabel()), m_pages(new QStackedWidget), m_label(plainLabel()) {
  m_notice->setMargin(4);
  m_notice->setFrameShape(QFrame::StyledPanel);
  m_notice->setAccessibleName(tr("Notice"));
  m_notice->hide();
  m_label->setAlignment(Qt::AlignCenter);
  m_label->setMargin(16);
  m_label->setAccessibleName(tr("Nothing to show"));
  m_pages->addWidget(content);
  m_pages->addWidget(m_label);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(2);
  layout->addWidget(m_notice);
  layout->addWidget(m_pages, 1);
}

void EmptyState::setText(const QString& text) {
  m_label->setText(text);
  m_label->setAccessibleDescription(text);
  m_pages->setCurrentIndex(text.isEmpty() ? 0 : 1);
}

bool EmptyState::showsContent() const {
  return m_pages->currentIndex() == 0;
}

QString EmptyState::text() const {
  return m_label->text();
}

void EmptyState::setNotice(const QString& notice) {
  m_notice->setText(notice);
  m_notice->setAccessibleDescription(notice);
  m_notice->setVisible(!notice.isEmpty());
}

QString EmptyState::notice() const {
  return m_notice->text();
}

QString EmptyState::staleNotice() {
  return tr("Not current: the files have changed since. F5 checks again.");
}

} // namespace plumbline::views
