#include "views/shell/open_page.h"

#include "views/style/style.h"

#include <QCheckBox>
#include <QComboBox>
#include <QCoreApplication>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plumbline::views {

using workbench::Request;

namespace {

QString text(const char* source) {
  return QCoreApplication::translate("OpenPage", source);
}

QString missingFile(const std::string& path, const QString& what) {
  if (path.empty())
    return text("Name the %1.").arg(what);
  const QFileInfo info(toQt(path));
  if (!info.exists())
    return text("There is no file %1.").arg(toQt(path));
  return info.isFile() ? QString() : text("%1 is a folder; name a file in it.").arg(toQt(path));
}

} // namespace

QString problemOf(const Request& request) {
  if (QString problem = missingFile(request.model, text("PyTorch module")); !problem.isEmpty())
    return problem;
  if (QString problem = missingFile(request.kernel, text("CUDA kernel")); !problem.isEmpty())
    return problem;
  if (!request.launchFile.empty())
    if (QString problem = missingFile(request.launchFile, text("launch file")); !problem.isEmpty())
      return problem;
  return request.readings.empty() ? text("Choose at least one reading.") : QString();
}

OpenPage::OpenPage(QWidget* parent)
    : QWidget(parent), m_question(new QLabel), m_model(new QLineEdit), m_kernel(new QLineEdit),
      m_ieee(new QCheckBox(tr("ieee: real binary32, every rounding counts"))),
      m_real(new QCheckBox(tr("real: numbers without rounding"))), m_assume(new QPlainTextEdit),
      m_mode(new QComboBox), m_kernelName(new QLineEdit), m_launch(new QLineEdit), m_problem(new QLabel),
      m_open(new QPushButton(tr("Open and Check"))) {
  m_question->setWordWrap(true);
  m_problem->setWordWrap(true);
  m_problem->setAccessibleName(tr("What is missing"));
  m_mode->addItems({QStringLiteral("train"), QStringLiteral("eval")});
  m_assume->setPlaceholderText(tr("one condition a line, for example  s0 % 4 == 0"));
  m_assume->setTabChangesFocus(true);
  m_assume->setMaximumHeight(fontMetrics().height() * 4);
  m_kernelName->setPlaceholderText(tr("only when the file has several kernels"));
  m_launch->setPlaceholderText(tr("only when the file has no host code that launches"));
  makeForm();
  for (QLineEdit* field : {m_model, m_kernel, m_launch})
    connect(field, &QLineEdit::textChanged, this, &OpenPage::check);
  for (QCheckBox* box : {m_ieee, m_real})
    connect(box, &QCheckBox::toggled, this, &OpenPage::check);
  for (QLineEdit* field : {m_model, m_kernel, m_kernelName, m_launch})
    connect(field, &QLineEdit::returnPressed, this, &OpenPage::accept);
  setRequest({}, {});
}

void OpenPage::makeForm() {
  auto* body = new QWidget;
  auto* form = new QFormLayout(body);
  form->setContentsMargins(24, 16, 24, 16);
  form->setRowWrapPolicy(QFormLayout::WrapLongRows);
  form->setFieldGrowthPolicy(QFormLayout::AllNonFixedFieldsGrow);
  form->addRow(m_question);
  const auto add = [form](const QString& label, QWidget* field, QWidget* named) {
    named->setAccessibleName(QString(label).remove(QLatin1Char('&')));
    form->addRow(label, field);
    if (auto* buddy = qobject_cast<QLabel*>(form->labelForField(field)))
      buddy->setBuddy(named);
  };
  add(tr("PyTorch &module"),
      fileRow(m_model, tr("PyTorch module"), tr("Modules (*.py *.json *.pt2);;All files (*)")), m_model);
  add(tr("CUDA &kernel"),
      fileRow(m_kernel, tr("CUDA kernel"), tr("Kernels (*.cu *.cuh *.py);;All files (*)")), m_kernel);
  auto* swap = new QPushButton(tr("&Swap the Two Files"));
  connect(swap, &QPushButton::clicked, this, &OpenPage::swapFiles);
  form->addRow(QString(), swap);
  add(tr("Readings"), m_ieee, m_ieee);
  form->addRow(QString(), m_real);
  add(tr("&Assume"), m_assume, m_assume);
  add(tr("M&ode of the module"), m_mode, m_mode);
  add(tr("Kernel &name"), m_kernelName, m_kernelName);
  add(tr("&Launch file"), fileRow(m_launch, tr("Launch file"), tr("Launch files (*.json);;All files (*)")),
      m_launch);
  form->addRow(m_problem);
  form->addRow(makeButtons());
  auto* scroll = new QScrollArea;
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidget(body);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(scroll);
}

QWidget* OpenPage::fileRow(QLineEdit* field, const QString& title, const QString& filter) {
  auto* widget = new QWidget;
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(field, 1);
  auto* button = new QToolButton;
  button->setText(tr("Browse…"));
  button->setAccessibleName(tr("Browse for the %1").arg(title));
  connect(button, &QToolButton::clicked, this,
          [this, field, title, filter] { browse(field, title, filter); });
  row->addWidget(button);
  return widget;
}

QWidget* OpenPage::makeButtons() {
  auto* widget = new QWidget;
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  auto* cancel = new QPushButton(tr("Back (Esc)"));
  row->addWidget(m_open);
  row->addWidget(cancel);
  row->addStretch(1);
  connect(m_open, &QPushButton::clicked, this, &OpenPage::accept);
  connect(cancel, &QPushButton::clicked, this, &OpenPage::cancelled);
  return widget;
}

void OpenPage::browse(QLineEdit* field, const QString& title, const QString& filter) {
  const QString other = field == m_kernel ? m_model->text() : m_kernel->text();
  const QString start = field->text().isEmpty() ? QFileInfo(other).path() : field->text();
  auto* dialog = new QFileDialog(this, title, start, filter);
  dialog->setFileMode(QFileDialog::ExistingFile);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &QFileDialog::fileSelected, field, &QLineEdit::setText);
  dialog->open();
}

void OpenPage::swapFiles() {
  const QString model = m_model->text();
  m_model->setText(m_kernel->text());
  m_kernel->setText(model);
}

void OpenPage::setRequest(const Request& request, const QString& question) {
  m_question->setText(question);
  m_question->setVisible(!question.isEmpty());
  m_model->setText(toQt(request.model));
  m_kernel->setText(toQt(request.kernel));
  const auto reads = [&request](const char* name) {
    return std::find(request.readings.begin(), request.readings.end(), name) != request.readings.end();
  };
  m_ieee->setChecked(reads("ieee"));
  m_real->setChecked(reads("real"));
  m_otherReadings.clear();
  for (const std::string& reading : request.readings)
    if (reading != "ieee" && reading != "real")
      m_otherReadings.push_back(reading);
  QStringList assume;
  for (const std::string& condition : request.assume)
    assume << toQt(condition);
  m_assume->setPlainText(assume.join(QLatin1Char('\n')));
  m_mode->setCurrentText(toQt(request.mode));
  m_kernelName->setText(toQt(request.kernelName));
  m_launch->setText(toQt(request.launchFile));
  check();
}

Request OpenPage::request() const {
  Request result;
  result.model = m_model->text().trimmed().toStdString();
  result.kernel = m_kernel->text().trimmed().toStdString();
  result.readings.clear();
  if (m_ieee->isChecked())
    result.readings.emplace_back("ieee");
  if (m_real->isChecked())
    result.readings.emplace_back("real");
  result.readings.insert(result.readings.end(), m_otherReadings.begin(), m_otherReadings.end());
  for (const QString& line : m_assume->toPlainText().split(QLatin1Char('\n'), Qt::SkipEmptyParts))
    if (!line.trimmed().isEmpty())
      result.assume.push_back(line.trimmed().toStdString());
  result.mode = m_mode->currentText().toStdString();
  result.kernelName = m_kernelName->text().trimmed().toStdString();
  result.launchFile = m_launch->text().trimmed().toStdString();
  return result;
}

void OpenPage::focusFirstEmpty() {
  QLineEdit* field = m_model->text().isEmpty() || !m_kernel->text().isEmpty() ? m_model : m_kernel;
  field->setFocus(Qt::OtherFocusReason);
}

void OpenPage::check() {
  const QString problem = problemOf(request());
  QPalette palette;
  palette.setColor(QPalette::WindowText, problemText());
  m_problem->setPalette(palette);
  m_problem->setText(problem);
  m_open->setEnabled(problem.isEmpty());
}

void OpenPage::accept() {
  check();
  if (m_open->isEnabled())
    Q_EMIT accepted(request());
}

void OpenPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape)
    Q_EMIT cancelled();
  else
    QWidget::keyPressEvent(event);
}

} // namespace plumbline::views
