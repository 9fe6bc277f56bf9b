#include "views/witness/outcome_pane.h"

#include "views/style/style.h"
#include "views/witness/float_text.h"

#include <QLabel>
#include <QVBoxLayout>

#include <algorithm>

namespace plumbline::views {

using workbench::CaseStatus;
using workbench::RunResult;
using workbench::StepTrace;

namespace {

const QString interpreterName = QStringLiteral("interpreter");

QString resultText(const std::optional<uint32_t>& bits) {
  return bits ? valueText(*bits) : OutcomePane::tr("not known");
}

QString allowedText(const StepTrace& trace) {
  QStringList all;
  for (uint32_t bits : trace.allowed)
    all << valueText(bits);
  // One allowed value that is the result itself says nothing more.
  const bool plain =
      trace.allowed.size() == 1 && trace.specResult && trace.allowed.front() == *trace.specResult;
  return plain || all.isEmpty() ? QString()
                                : OutcomePane::tr("; allowed: %1").arg(all.join(OutcomePane::tr(" or ")));
}

void colour(QLabel* label, const QColor& color) {
  QPalette palette;
  palette.setColor(QPalette::WindowText, color);
  label->setPalette(palette);
}

/// Whether the run contradicts what the steps say.
bool contradicts(const RunResult& result, const StepTrace& trace) {
  if (!result.ran || !result.bits)
    return false;
  const uint32_t bits = canonical(*result.bits);
  if (result.engine.compare(interpreterName.toStdString()) == 0)
    return trace.kernelResult && canonical(*trace.kernelResult) != bits;
  return !trace.allowed.empty() && std::none_of(trace.allowed.begin(), trace.allowed.end(),
                                                [&](uint32_t allowed) { return canonical(allowed) == bits; });
}

} // namespace

OutcomePane::OutcomePane(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(6, 2, 6, 2);
  column->setSpacing(1);
  m_verdict = line(tr("Comparison"));
  m_spec = line(tr("Result of PyTorch"));
  m_kernel = line(tr("Result of the kernel"));
  m_note = line(tr("Note"));
  m_replay = line(tr("Replay of the witness"));
  m_interpreter = line(tr("Answer of the interpreter"));
  m_pytorch = line(tr("Answer of PyTorch"));
  QFont bold = m_verdict->font();
  bold.setBold(true);
  m_verdict->setFont(bold);
  clearRuns();
}

QLabel* OutcomePane::line(const QString& accessibleName) {
  auto* label = new QLabel;
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  label->setAccessibleName(accessibleName);
  layout()->addWidget(label);
  return label;
}

void OutcomePane::setTrace(const StepTrace& trace, bool current) {
  const bool known = trace.kernelResult && (trace.specResult || !trace.allowed.empty());
  if (!known)
    m_verdict->setText(tr("? cannot be compared step by step"));
  else
    m_verdict->setText(trace.differs ? tr("≠ differs here") : tr("= same here"));
  const CaseStatus status = trace.differs ? CaseStatus::Witnessed : CaseStatus::Closed;
  colour(m_verdict, known && current ? statusColor(status) : faintText());
  m_spec->setText(tr("PyTorch: %1%2").arg(resultText(trace.specResult), allowedText(trace)));
  m_kernel->setText(tr("Kernel: %1").arg(resultText(trace.kernelResult)));
  m_note->setText(toQt(trace.note));
  m_note->setVisible(!trace.note.empty());
}

void OutcomePane::setReplay(const QString& text) {
  m_replay->setText(text);
  m_replay->setVisible(!text.isEmpty());
}

QLabel* OutcomePane::runLine(const QString& engine) const {
  return engine.compare(interpreterName, Qt::CaseInsensitive) == 0 ? m_interpreter : m_pytorch;
}

void OutcomePane::setRunning(const QString& engine) {
  QLabel* label = runLine(engine);
  colour(label, faintText());
  label->setText(tr("Ran on %1: working").arg(engine));
  label->show();
}

void OutcomePane::setRun(const RunResult& result, const StepTrace& trace) {
  const QString engine = toQt(result.engine);
  QLabel* label = runLine(engine);
  const bool conflict = contradicts(result, trace);
  QString text =
      result.ran ? tr("Ran on %1: %2").arg(engine, toQt(result.value)) : tr("Did not run on %1").arg(engine);
  if (!result.message.empty())
    text += QStringLiteral("; ") + toQt(result.message);
  if (conflict)
    text = tr("⚠ %1; this contradicts the steps").arg(text);
  colour(label, conflict     ? statusColor(CaseStatus::Conflict)
                : result.ran ? palette().color(QPalette::WindowText)
                             : statusColor(CaseStatus::Split));
  label->setText(text);
  label->show();
}

void OutcomePane::clearRuns() {
  for (QLabel* label : {m_interpreter, m_pytorch}) {
    label->clear();
    label->hide();
  }
}

} // namespace plumbline::views
