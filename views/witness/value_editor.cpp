#include "views/witness/value_editor.h"

#include "core/workbench/case_forest.h"
#include "views/style/style.h"
#include "views/witness/bits_widget.h"
#include "views/witness/float_text.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>

namespace plumbline::views {

namespace {

QString classText(uint32_t bits) {
  const QString name = toQt(std::string(workbench::name(workbench::classOf(bits))));
  return canonical(bits) == bits ? name
                                 : ValueEditor::tr("%1, counts as %2").arg(name, hexText(canonical(bits)));
}

QToolButton* stepButton(const QString& symbol, const QString& name) {
  auto* button = new QToolButton;
  button->setText(symbol);
  button->setAccessibleName(name);
  button->setToolTip(name);
  return button;
}

} // namespace

ValueEditor::ValueEditor(const QString& label, QWidget* parent)
    : QWidget(parent), m_label(label), m_view(new BitsWidget), m_hex(new QLineEdit), m_decimal(new QLineEdit),
      m_class(new QLabel), m_problem(new QLabel),
      m_down(stepButton(QStringLiteral("◂"), tr("Next value below %1").arg(label))),
      m_up(stepButton(QStringLiteral("▸"), tr("Next value above %1").arg(label))), m_presets(new QComboBox) {
  auto* name = new QLabel(label);
  name->setTextFormat(Qt::PlainText);
  name->setFont(fixedFont());
  name->setBuddy(m_decimal);
  m_view->setAccessibleName(tr("Bits of %1").arg(label));
  m_problem->setTextFormat(Qt::PlainText);
  m_problem->setWordWrap(true);
  m_problem->setAccessibleName(tr("What is wrong with the text"));
  m_problem->hide();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 2, 4, 4);
  column->setSpacing(3);
  column->addWidget(name);
  column->addWidget(m_view);
  column->addWidget(makeFields());
  column->addWidget(m_problem);
  connect(m_view, &BitsWidget::toggled, this,
          [this](int bit) { change(m_bits ^ (1U << bit), Source::Once); });
  connect(m_view, &BitsWidget::stepped, this, &ValueEditor::step);
  connect(m_down, &QToolButton::clicked, this, [this] { step(-1); });
  connect(m_up, &QToolButton::clicked, this, [this] { step(1); });
  connect(m_hex, &QLineEdit::textEdited, this, [this] { typed(m_hex, Source::HexTyped); });
  connect(m_decimal, &QLineEdit::textEdited, this, [this] { typed(m_decimal, Source::DecimalTyped); });
  // Leaving a field shows the value there is, in its usual form.
  for (QLineEdit* field : {m_hex, m_decimal})
    connect(field, &QLineEdit::editingFinished, this, [this] { setBits(m_bits); });
  connect(m_presets, &QComboBox::activated, this,
          [this](int row) { change(presets()[static_cast<size_t>(row)].second, Source::Once); });
  setBits(0);
}

QWidget* ValueEditor::makeFields() {
  const QFontMetrics metrics(fixedFont());
  m_hex->setFont(fixedFont());
  m_decimal->setFont(fixedFont());
  m_hex->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("0x7fc00000")) + 16);
  m_decimal->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("-1.175e-38")) + 16);
  m_hex->setAccessibleName(tr("Hexadecimal bits of %1").arg(m_label));
  m_decimal->setAccessibleName(tr("Decimal value of %1").arg(m_label));
  m_decimal->setToolTip(tr("0.5, 1e-40, 0x1.8p-3, nan, inf, -0"));
  m_class->setAccessibleName(tr("Class of %1").arg(m_label));
  m_presets->setAccessibleName(tr("Special values for %1").arg(m_label));
  m_presets->setPlaceholderText(tr("special"));
  m_presets->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_presets->setMinimumContentsLength(7);
  for (const auto& [name, bits] : presets())
    m_presets->addItem(name, bits);
  m_presets->view()->setMinimumWidth(
      QFontMetrics(QApplication::font()).horizontalAdvance(QStringLiteral("- smallest subnormal")) + 40);
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  row->addWidget(m_hex, 2);
  row->addWidget(m_decimal, 3);
  row->addWidget(m_down);
  row->addWidget(m_up);
  row->addWidget(m_presets);
  row->addWidget(m_class, 2);
  return bar;
}

void ValueEditor::setBits(uint32_t bits) {
  m_bits = bits;
  m_view->setBits(bits);
  const bool hexTyped = m_hex->hasFocus() && m_hex->isModified() && parseHex(m_hex->text()).bits == bits;
  const bool decimalTyped =
      m_decimal->hasFocus() && m_decimal->isModified() && parseValue(m_decimal->text()).bits == bits;
  if (!hexTyped)
    m_hex->setText(hexText(bits));
  if (!decimalTyped)
    m_decimal->setText(decimalText(bits));
  mark(m_hex, {});
  mark(m_decimal, {});
  m_class->setText(classText(bits));
  m_down->setEnabled(neighbour(bits, -1).has_value());
  m_up->setEnabled(neighbour(bits, 1).has_value());
  m_presets->setCurrentIndex(m_presets->findData(bits));
}

void ValueEditor::typed(QLineEdit* field, Source source) {
  const ParsedBits parsed = source == Source::HexTyped ? parseHex(field->text()) : parseValue(field->text());
  mark(field, parsed.problem);
  if (parsed.bits && *parsed.bits != m_bits)
    change(*parsed.bits, source);
}

void ValueEditor::mark(QLineEdit* field, const QString& problem) {
  QPalette colours;
  if (!problem.isEmpty()) {
    colours.setColor(QPalette::Text, problemText());
    colours.setColor(QPalette::Base, statusFill(workbench::CaseStatus::Witnessed));
  }
  field->setPalette(colours);
  field->setAccessibleDescription(problem);
  m_problem->setText(problem.isEmpty() ? QString() : QStringLiteral("✘ ") + problem);
  m_problem->setVisible(!problem.isEmpty());
}

void ValueEditor::step(int direction) {
  if (const std::optional<uint32_t> next = neighbour(m_bits, direction))
    change(*next, Source::Once);
}

void ValueEditor::change(uint32_t bits, Source source) {
  setBits(bits);
  Q_EMIT edited(bits, source);
}

} // namespace plumbline::views
