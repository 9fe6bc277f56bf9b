#include "views/safety/safety_panel.h"

#include "views/safety/access_picture.h"
#include "views/shell/actions.h"
#include "views/style/empty_state.h"
#include "views/style/style.h"

#include <QLabel>
#include <QListWidget>
#include <QScrollArea>
#include <QSplitter>
#include <QVBoxLayout>

namespace plumbline::views {

SafetyPanel::SafetyPanel(const PanelContext& panelContext, QWidget* parent)
    : Panel(panelContext, parent), m_status(new QLabel), m_list(new QListWidget), m_detail(new QLabel),
      m_legend(new QLabel), m_picture(new AccessPicture) {
  m_status->setWordWrap(true);
  m_status->setContentsMargins(6, 4, 6, 2);
  m_list->setAccessibleName(tr("Findings of the safety gate"));
  m_list->setWordWrap(true);
  m_list->setAlternatingRowColors(true);
  connect(m_list, &QListWidget::currentRowChanged, this, [this] { showFinding(true); });
  connect(m_picture, &AccessPicture::placeChosen, this, &SafetyPanel::choose);
  auto* parts = new QSplitter(Qt::Vertical);
  parts->addWidget(m_list);
  parts->addWidget(makeDetail());
  parts->setStretchFactor(0, 1);
  parts->setStretchFactor(1, 3);
  parts->setSizes({90, 270});
  parts->setChildrenCollapsible(false);
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(m_status);
  column->addWidget(parts, 1);
  m_pages = new EmptyState(content);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  setFocusProxy(m_list);
  makeActions();
}

QWidget* SafetyPanel::makeDetail() {
  m_detail->setWordWrap(true);
  m_detail->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  m_legend->setWordWrap(true);
  m_legend->setText(tr("R reads, W writes, A changes atomically. Click a cell to see its line."));
  auto* inside = new QWidget;
  auto* column = new QVBoxLayout(inside);
  column->setContentsMargins(6, 4, 6, 6);
  column->addWidget(m_detail);
  column->addWidget(m_picture, 0, Qt::AlignLeft);
  column->addWidget(m_legend);
  column->addStretch(1);
  auto* area = new QScrollArea;
  area->setWidget(inside);
  area->setWidgetResizable(true);
  area->setFrameShape(QFrame::NoFrame);
  return area;
}

void SafetyPanel::makeActions() {
  const auto step = [this](int by) {
    const int count = m_list->count();
    if (count > 0)
      m_list->setCurrentRow((m_list->currentRow() + by + count) % count);
  };
  context().actions.add(this,
                        {QStringLiteral("safety-next"),
                         tr("Next Finding"),
                         tr("Safety"),
                         {QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F)},
                         tr("Select the gate's next finding")},
                        [step] { step(1); });
}

QString SafetyPanel::emptyText() const {
  return tr(
      "No kernel has been checked.\nOpen a module and a kernel: Ctrl+O, or drop both files on the window.");
}

QString SafetyPanel::statusText() const {
  const workbench::SafetyView& safety = snapshot()->safety;
  QString text = tr("Safety gate: %1").arg(toQt(safety.status));
  if (safety.obligations > 0)
    text += tr(" - %1 of %2 obligations proved").arg(safety.proved).arg(safety.obligations);
  if (!safety.reason.empty() && safety.findings.empty())
    text += QLatin1String("\n") + toQt(safety.reason);
  return text;
}

void SafetyPanel::onSnapshot() {
  const QSignalBlocker quiet(m_list);
  m_list->clear();
  const bool ran = snapshot() && !snapshot()->safety.status.empty();
  m_pages->setText(ran ? QString()
                   : snapshot()
                       ? tr("The gate has not run: the kernel could not be read. See the banner above.")
                       : emptyText());
  if (!ran)
    return;
  m_status->setText(statusText());
  for (const workbench::FindingView& finding : snapshot()->safety.findings)
    m_list->addItem(toQt(finding.kind) + QLatin1String(": ") + toQt(finding.message));
  m_list->setVisible(m_list->count() > 0);
  if (m_list->count() > 0)
    m_list->setCurrentRow(0);
  showFinding(false);
}

void SafetyPanel::onStatus() {
  m_pages->setNotice(stale() ? EmptyState::staleNotice() : QString());
}

void SafetyPanel::onAppearance() {
  m_picture->updateGeometry();
  m_picture->update();
}

void SafetyPanel::showFinding(bool tellOthers) {
  const auto row = static_cast<size_t>(std::max(m_list->currentRow(), 0));
  const bool any = snapshot() && row < snapshot()->safety.findings.size();
  m_detail->setVisible(any);
  m_legend->setVisible(false);
  m_picture->setFinding(any ? snapshot()->safety.findings[row] : workbench::FindingView());
  m_picture->setVisible(!m_picture->isEmpty());
  if (!any)
    return;
  const workbench::FindingView& finding = snapshot()->safety.findings[row];
  QStringList lines;
  if (!finding.sizes.empty())
    lines << tr("With %1").arg(toQt(finding.sizes));
  for (size_t k = 0; k < finding.spans.size(); ++k)
    lines << (k < finding.threads.size() ? toQt(finding.threads[k]) + QLatin1String(" at ") : QString()) +
                 toQt(toString(finding.spans[k]));
  m_detail->setText(lines.join(QLatin1Char('\n')));
  m_legend->setVisible(!m_picture->isEmpty());
  if (tellOthers && !finding.spans.empty())
    choose(finding.spans.front());
}

void SafetyPanel::choose(const SourceRange& place) {
  workbench::Anchor anchor;
  anchor.kind = workbench::Anchor::Kind::Cuda;
  anchor.range = place;
  Q_EMIT selected(anchor);
}

} // namespace plumbline::views
