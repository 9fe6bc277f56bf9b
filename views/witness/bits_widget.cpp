#include "views/witness/bits_widget.h"

#include "views/style/style.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>

#include <algorithm>
#include <array>

namespace plumbline::views {

namespace {

constexpr int signBit = 31;
constexpr int groupGap = 8;

struct Group {
  int high;
  int low;
  const char* name;
  QRgb light;
  QRgb dark;
};

constexpr std::array<Group, 3> groups{{{31, 31, QT_TRANSLATE_NOOP("bits", "sign"), 0xfde0dd, 0x5a2320},
                                       {30, 23, QT_TRANSLATE_NOOP("bits", "exponent"), 0xdcecf5, 0x1f3d4d},
                                       {22, 0, QT_TRANSLATE_NOOP("bits", "mantissa"), 0xe2f2dd, 0x24421d}}};

const Group& groupOf(int bit) {
  return bit == signBit ? groups[0] : bit >= 23 ? groups[1] : groups[2];
}

QString nameOf(const Group& group) {
  return QCoreApplication::translate("bits", group.name);
}

} // namespace

BitsWidget::BitsWidget(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  policy.setHeightForWidth(true);
  setSizePolicy(policy);
  setToolTip(tr("Click a bit, or press Space on it; arrows move, Up and Down give the neighbouring value"));
}

void BitsWidget::setBits(uint32_t bits) {
  m_bits = bits;
  announce();
  update();
}

void BitsWidget::setCursor(int bit) {
  m_cursor = std::clamp(bit, 0, signBit);
  announce();
  update();
}

int BitsWidget::cellWidth() const {
  return QFontMetrics(fixedFont()).horizontalAdvance(QLatin1Char('0')) + 5;
}

int BitsWidget::lineHeight() const {
  return QFontMetrics(fixedFont()).height() + 4 + QFontMetrics(font()).height();
}

int BitsWidget::oneLineWidth() const {
  // The sign's label is wider than its bit.
  return cellWidth() * 32 + 2 * groupGap + QFontMetrics(font()).horizontalAdvance(nameOf(groups[0]));
}

QSize BitsWidget::sizeHint() const {
  return {oneLineWidth(), lineHeight()};
}

QSize BitsWidget::minimumSizeHint() const {
  return {cellWidth() * 23 + 2, lineHeight()};
}

int BitsWidget::heightForWidth(int width) const {
  return wraps(width) ? 2 * lineHeight() + 2 : lineHeight();
}

QRect BitsWidget::rectOf(int bit) const {
  const int cell = cellWidth();
  const int high = QFontMetrics(fixedFont()).height() + 4;
  const int signWidth = std::max(cell, QFontMetrics(font()).horizontalAdvance(nameOf(groups[0])));
  const int exponentAt = signWidth + groupGap;
  if (bit == signBit)
    return {0, 0, cell, high};
  if (bit >= 23)
    return {exponentAt + (30 - bit) * cell, 0, cell, high};
  const bool wrapped = wraps(width());
  const int left = wrapped ? 0 : exponentAt + 8 * cell + groupGap;
  return {left + (22 - bit) * cell, wrapped ? lineHeight() + 2 : 0, cell, high};
}

void BitsWidget::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setFont(fixedFont());
  for (int bit = signBit; bit >= 0; --bit)
    paintBit(painter, bit);
  painter.setFont(font());
  painter.setPen(palette().color(QPalette::Text));
  for (const Group& group : groups) {
    const QRect first = rectOf(group.high);
    const QRect last = rectOf(group.low);
    const QFontMetrics metrics(font());
    const int width = std::max(last.right() - first.left() + 1, metrics.horizontalAdvance(nameOf(group)) + 2);
    painter.drawText(QRect(first.left(), first.bottom() + 1, width, metrics.height()), Qt::AlignLeft,
                     nameOf(group));
  }
}

void BitsWidget::paintBit(QPainter& painter, int bit) const {
  const QRect rect = rectOf(bit);
  const bool isSet = (m_bits >> bit & 1) != 0;
  const Group& group = groupOf(bit);
  QColor fill = QColor::fromRgb(isDark() ? group.dark : group.light);
  if (isSet)
    fill = isDark() ? fill.lighter(170) : fill.darker(125);
  painter.fillRect(rect.adjusted(0, 0, -1, 0), fill);
  QFont font = fixedFont();
  font.setBold(isSet);
  painter.setFont(font);
  painter.setPen(palette().color(QPalette::Text));
  painter.drawText(rect.adjusted(0, 0, -1, 0), Qt::AlignCenter,
                   isSet ? QStringLiteral("1") : QStringLiteral("0"));
  if (bit == m_cursor && hasFocus()) {
    painter.setPen(QPen(palette().color(QPalette::Highlight), 2));
    painter.drawRect(rect.adjusted(1, 1, -2, -1));
  }
}

void BitsWidget::mousePressEvent(QMouseEvent* event) {
  for (int bit = signBit; bit >= 0; --bit)
    if (event->button() == Qt::LeftButton && rectOf(bit).contains(event->pos())) {
      setCursor(bit);
      Q_EMIT toggled(bit);
      return;
    }
}

void BitsWidget::keyPressEvent(QKeyEvent* event) {
  const bool isSet = (m_bits >> m_cursor & 1) != 0;
  switch (event->key()) {
  case Qt::Key_Left: setCursor(m_cursor + 1); return;
  case Qt::Key_Right: setCursor(m_cursor - 1); return;
  case Qt::Key_Home: setCursor(signBit); return;
  case Qt::Key_End: setCursor(0); return;
  case Qt::Key_Up: Q_EMIT stepped(1); return;
  case Qt::Key_Down: Q_EMIT stepped(-1); return;
  case Qt::Key_Space: Q_EMIT toggled(m_cursor); return;
  case Qt::Key_0:
  case Qt::Key_1:
    if (isSet != (event->key() == Qt::Key_1))
      Q_EMIT toggled(m_cursor);
    setCursor(m_cursor - 1);
    return;
  default: QWidget::keyPressEvent(event);
  }
}

void BitsWidget::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  announce();
}

void BitsWidget::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange)
    updateGeometry();
}

void BitsWidget::announce() {
  const Group& group = groupOf(m_cursor);
  setAccessibleDescription(tr("%1 bit %2 is %3; all bits: 0x%4")
                               .arg(nameOf(group))
                               .arg(m_cursor - group.low)
                               .arg(m_bits >> m_cursor & 1)
                               .arg(m_bits, 8, 16, QLatin1Char('0')));
  QAccessibleEvent event(this, QAccessible::DescriptionChanged);
  QAccessible::updateAccessibility(&event);
}

} // namespace plumbline::views
