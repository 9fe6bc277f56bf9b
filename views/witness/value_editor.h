// Everything to edit one free value with.
#pragma once

#include <QWidget>

#include <cstdint>

class QComboBox;
class QLabel;
class QLineEdit;
class QToolButton;

namespace plumbline::views {

class BitsWidget;

/// Bits, hexadecimal and decimal field, class, neighbours and a list of special values, all showing one
/// value. Text that is no value is marked in place and changes nothing.
class ValueEditor : public QWidget {
  Q_OBJECT
public:
  /// How the value was changed: typing in one field is one step of undo.
  enum class Source : uint8_t { Once, HexTyped, DecimalTyped };

  explicit ValueEditor(const QString& label, QWidget* parent = nullptr);

  /// Shows a value; nothing is emitted, and a field in which the user types is left alone if it says the
  /// same.
  void setBits(uint32_t bits);
  uint32_t bits() const { return m_bits; }

Q_SIGNALS:
  void edited(uint32_t bits, plumbline::views::ValueEditor::Source source);

private:
  QWidget* makeFields();
  void typed(QLineEdit* field, Source source);
  void mark(QLineEdit* field, const QString& problem);
  void step(int direction);
  void change(uint32_t bits, Source source);

  QString m_label;
  uint32_t m_bits = 0;
  BitsWidget* m_view;
  QLineEdit* m_hex;
  QLineEdit* m_decimal;
  QLabel* m_class;
  QLabel* m_problem;
  QToolButton* m_down;
  QToolButton* m_up;
  QComboBox* m_presets;
};

} // namespace plumbline::views
