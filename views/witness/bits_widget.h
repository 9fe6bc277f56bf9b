// The 32 bits of a value, in three groups, to be clicked.
#pragma once

#include <QWidget>

#include <cstdint>

namespace plumbline::views {

/// Sign, exponent and mantissa. A click, Space, 0 and 1 change the bit under the cursor; Left, Right, Home
/// and End move it; Up and Down ask for the neighbouring value. Takes a second line when there is no room for
/// one.
class BitsWidget : public QWidget {
  Q_OBJECT
public:
  explicit BitsWidget(QWidget* parent = nullptr);

  void setBits(uint32_t bits);
  uint32_t bits() const { return m_bits; }
  int cursor() const { return m_cursor; } ///< bit number, 31 is the sign
  void setCursor(int bit);
  QRect rectOf(int bit) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override;

Q_SIGNALS:
  void toggled(int bit);
  void stepped(int direction); ///< +1 or -1

protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;

private:
  int cellWidth() const;
  int lineHeight() const;
  int oneLineWidth() const;
  bool wraps(int width) const { return width < oneLineWidth(); }
  void paintBit(class QPainter& painter, int bit) const;
  void announce();

  uint32_t m_bits = 0;
  int m_cursor = 31;
};

} // namespace plumbline::views
