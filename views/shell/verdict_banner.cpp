#include "views/shell/verdict_banner.h"

#include "views/style/style.h"

#include <QApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace plumbline::views {

using workbench::Snapshot;
using workbench::Tone;

namespace {

constexpr int tickMs = 100;

QLabel* label(const QString& name) {
  auto* result = new QLabel;
  result->setTextFormat(Qt::PlainText);
  result->setWordWrap(true);
  result->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  result->setFocusPolicy(Qt::NoFocus);
  result->setAccessibleName(name);
  return result;
}

void setColor(QLabel* target, const QColor& color) {
  QPalette palette = target->palette();
  palette.setColor(QPalette::WindowText, color);
  target->setPalette(palette);
}

void setSize(QLabel* target, double factor, bool bold) {
  QFont font = QApplication::font();
  if (font.pointSizeF() > 0)
    font.setPointSizeF(font.pointSizeF() * factor);
  font.setBold(bold);
  target->setFont(font);
}

bool isUndetermined(const workbench::ReadingView& reading) {
  return reading.relation == "undetermined";
}

/// A question mark where nothing is known, whatever the colour says about how bad that is.
QString symbolOf(const workbench::ReadingView& reading) {
  return isUndetermined(reading) && reading.tone != Tone::Bad ? QStringLiteral("?")
                                                              : toneSymbol(reading.tone);
}
QString symbolOf(const Snapshot& snapshot) {
  const bool nothingKnown = std::all_of(snapshot.readings.begin(), snapshot.readings.end(), isUndetermined);
  return nothingKnown && snapshot.tone == Tone::Weak ? QStringLiteral("?") : toneSymbol(snapshot.tone);
}

QString readingLine(const workbench::ReadingView& reading) {
  QString line = symbolOf(reading) + QLatin1Char(' ') + toQt(reading.reading) + QLatin1String(": ") +
                 toQt(reading.relation);
  for (const std::string& part : {reading.scope, reading.reason})
    if (!part.empty())
      line += QStringLiteral("  —  ") + toQt(part);
  return line;
}

void addSection(QStringList& lines, const QString& title, const std::vector<std::string>& entries) {
  if (entries.empty())
    return;
  lines << title;
  for (const std::string& entry : entries)
    lines << QStringLiteral("  • ") + toQt(entry);
}

} // namespace

QString toneSymbol(Tone tone) {
  switch (tone) {
  case Tone::Neutral: return QStringLiteral("○");
  case Tone::Good: return QStringLiteral("✔");
  case Tone::Weak: return QStringLiteral("◐");
  case Tone::Bad: return QStringLiteral("✘");
  case Tone::Alarm: return QStringLiteral("⚠");
  }
  return {};
}

VerdictBanner::VerdictBanner(QWidget* parent)
    : QFrame(parent), m_symbol(new QLabel), m_headline(label(tr("Verdict"))),
      m_readings(label(tr("Readings"))), m_next(label(tr("What to do next"))),
      m_stale(label(tr("State of the verdict"))), m_details(label(tr("Assumptions and notes"))),
      m_detailsButton(new QToolButton), m_checkButton(new QToolButton), m_taskRow(makeTaskRow()) {
  setFrameShape(QFrame::NoFrame);
  setAutoFillBackground(true);
  m_detailsButton->setText(tr("Details"));
  m_detailsButton->setCheckable(true);
  m_detailsButton->setToolTip(tr("Hypotheses, assumptions, notes, missing tools"));
  m_checkButton->setText(tr("Check Again (F5)"));
  auto* top = new QHBoxLayout;
  top->addWidget(m_symbol);
  top->addWidget(m_headline, 1);
  top->addWidget(m_checkButton);
  top->addWidget(m_detailsButton);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 6, 10, 6);
  column->setSpacing(2);
  column->addLayout(top);
  for (QWidget* row : {static_cast<QWidget*>(m_stale), static_cast<QWidget*>(m_readings),
                       static_cast<QWidget*>(m_next), m_taskRow, static_cast<QWidget*>(m_details)})
    column->addWidget(row);
  m_details->hide();
  m_delay.setSingleShot(true);
  m_delay.setInterval(busyDelayMs);
  m_tick.setInterval(tickMs);
  connect(&m_delay, &QTimer::timeout, this, &VerdictBanner::update);
  connect(&m_tick, &QTimer::timeout, this, &VerdictBanner::updateElapsed);
  connect(m_detailsButton, &QToolButton::toggled, this, &VerdictBanner::updateDetails);
  connect(m_checkButton, &QToolButton::clicked, this, &VerdictBanner::checkRequested);
  connect(m_cancel, &QToolButton::clicked, this, &VerdictBanner::cancelRequested);
  applyLook();
}

QWidget* VerdictBanner::makeTaskRow() {
  auto* widget = new QWidget;
  auto* row = new QHBoxLayout(widget);
  row->setContentsMargins(0, 0, 0, 0);
  m_task = label(tr("Running task"));
  m_cancel = new QToolButton;
  m_cancel->setText(tr("Cancel (Shift+F5)"));
  row->addWidget(m_task, 1);
  row->addWidget(m_cancel);
  widget->hide();
  return widget;
}

void VerdictBanner::setSnapshot(const workbench::SnapshotPtr& snapshot) {
  m_snapshot = snapshot;
  update();
  updateDetails();
}

void VerdictBanner::setStale(const QString& reason) {
  m_staleReason = reason;
  update();
}

void VerdictBanner::setTask(const QString& task) {
  if (task == m_taskName)
    return;
  const bool wasRunning = !m_taskName.isEmpty();
  m_taskName = task;
  m_progress.clear();
  m_cancelling = false;
  if (task.isEmpty()) {
    m_delay.stop();
    m_tick.stop();
  } else if (!wasRunning) {
    m_since.start();
    m_delay.start();
    m_tick.start();
  }
  update();
}

void VerdictBanner::setProgress(const QString& line) {
  m_progress = line;
  updateElapsed();
}

void VerdictBanner::setCancelling() {
  m_cancelling = !m_taskName.isEmpty();
  update();
}

bool VerdictBanner::showsTask() const {
  return !m_taskName.isEmpty() && !m_delay.isActive();
}

bool VerdictBanner::showsCurrentVerdict() const {
  return m_snapshot != nullptr && m_staleReason.isEmpty();
}

QString VerdictBanner::text() const {
  QStringList parts{m_symbol->text(), m_headline->text()};
  if (!m_staleReason.isEmpty())
    parts << m_stale->text();
  parts << m_readings->text() << m_next->text();
  if (showsTask())
    parts << m_task->text();
  parts.removeAll(QString());
  return parts.join(QLatin1Char('\n'));
}

void VerdictBanner::update() {
  const bool current = showsCurrentVerdict();
  const Tone tone = current ? m_snapshot->tone : Tone::Neutral;
  const QColor color = current ? toneColor(tone) : faintText();
  m_symbol->setText(current ? symbolOf(*m_snapshot) : toneSymbol(Tone::Neutral));
  const QString headline = m_snapshot ? toQt(m_snapshot->headline) : QString();
  const bool older = !current && !headline.isEmpty();
  m_headline->setText(older ? tr("Before: %1").arg(headline) : headline);
  setColor(m_symbol, color);
  setColor(m_headline, color);
  m_stale->setText(m_staleReason.isEmpty() ? QString() : QStringLiteral("● ") + m_staleReason);
  m_stale->setVisible(!m_staleReason.isEmpty());
  QStringList readings;
  if (current)
    for (const workbench::ReadingView& reading : m_snapshot->readings)
      readings << readingLine(reading);
  m_readings->setText(readings.join(QLatin1Char('\n')));
  m_readings->setVisible(!readings.isEmpty());
  QStringList next;
  if (current)
    if (const std::optional<Error>& error = m_snapshot->error; error && !error->next.empty())
      next << toQt(error->next);
  if (current)
    for (const workbench::ReadingView& reading : m_snapshot->readings)
      if (!reading.next.empty() && !next.contains(toQt(reading.next)))
        next << toQt(reading.next);
  m_next->setText(next.isEmpty() ? QString() : tr("Next: %1").arg(next.join(QLatin1String("; "))));
  m_next->setVisible(!next.isEmpty());
  m_taskRow->setVisible(showsTask());
  m_cancel->setEnabled(!m_cancelling);
  m_checkButton->setVisible(m_snapshot != nullptr && m_taskName.isEmpty());
  updateElapsed();
}

void VerdictBanner::updateElapsed() {
  if (m_taskName.isEmpty())
    return;
  const QString time = tr("%1 s").arg(static_cast<double>(m_since.elapsed()) / 1000.0, 0, 'f', 1);
  QString line = QStringLiteral("⏳ ") + m_taskName + QLatin1String("  ") + time;
  if (m_cancelling)
    line += tr("  —  cancelling…");
  else if (!m_progress.isEmpty())
    line += QStringLiteral("  —  ") + m_progress;
  m_task->setText(line);
}

void VerdictBanner::updateDetails() {
  QStringList lines;
  if (m_snapshot) {
    addSection(lines, tr("Hypotheses"), m_snapshot->hypotheses);
    addSection(lines, tr("Assumptions"), m_snapshot->assumptions);
    addSection(lines, tr("Notes"), m_snapshot->notes);
    addSection(lines, tr("Not found on this machine"), m_snapshot->missing);
  }
  m_details->setText(lines.join(QLatin1Char('\n')));
  m_detailsButton->setVisible(!lines.isEmpty());
  const bool missing = m_snapshot && !m_snapshot->missing.empty();
  m_detailsButton->setText(missing ? tr("⚠ Details: tools are missing") : tr("Details"));
  m_details->setVisible(m_detailsButton->isChecked() && !lines.isEmpty());
}

void VerdictBanner::applyLook() {
  setSize(m_symbol, 1.4, true);
  setSize(m_headline, 1.25, true);
  setSize(m_stale, 1.0, true);
  setColor(m_stale, statusColor(workbench::CaseStatus::Split));
  for (QLabel* plain : {m_readings, m_next, m_task, m_details})
    setColor(plain, palette().color(QPalette::WindowText));
  update();
}

} // namespace plumbline::views
