#include "views/witness/steps_pane.h"

#include "views/models/steps_model.h"
#include "views/style/style.h"

#include <QHeaderView>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

namespace plumbline::views {

using workbench::Side;

namespace {

constexpr int sideBySide = 560;

} // namespace

StepsPane::StepsPane(QWidget* parent)
    : QWidget(parent), m_sides(new QSplitter), m_spec(makeHalf(Side::Spec)),
      m_kernel(makeHalf(Side::Kernel)) {
  m_sides->setChildrenCollapsible(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_sides);
}

StepsPane::Half StepsPane::makeHalf(Side side) {
  Half half{new StepsModel(side, this), new QTreeView};
  half.view->setModel(half.model);
  half.view->setRootIsDecorated(false);
  half.view->setUniformRowHeights(true);
  half.view->setAccessibleName(side == Side::Spec ? tr("Steps of PyTorch") : tr("Steps of the kernel"));
  half.view->header()->setStretchLastSection(true);
  m_sides->addWidget(half.view);
  connect(half.view->selectionModel(), &QItemSelectionModel::currentChanged, this,
          [this, side](const QModelIndex& index) {
            if (!m_quiet)
              choose(side, index.row());
          });
  connect(half.view, &QTreeView::clicked, this,
          [this, side](const QModelIndex& index) { choose(side, index.row()); });
  return half;
}

void StepsPane::choose(Side side, int row) {
  if (row < 0 || m_program < 0)
    return;
  workbench::Anchor anchor;
  anchor.kind = side == Side::Spec ? workbench::Anchor::Kind::SpecStep : workbench::Anchor::Kind::KernelStep;
  anchor.index = row;
  anchor.program = m_program;
  Q_EMIT chosen(anchor);
}

void StepsPane::setProgram(std::shared_ptr<const workbench::StepProgram> program, int index) {
  const QScopedValueRollback quiet(m_quiet, true);
  m_program = index;
  m_spec.model->setProgram(program);
  m_kernel.model->setProgram(std::move(program));
  restyle();
}

void StepsPane::setTrace(const workbench::StepTrace& trace) {
  showTrace(m_spec, trace.spec);
  showTrace(m_kernel, trace.kernel);
}

void StepsPane::showTrace(Half& half, std::vector<workbench::StepValue> values) {
  const int before = half.model->divergingRow();
  half.model->setTrace(std::move(values));
  const int now = half.model->divergingRow();
  if (now >= 0 && now != before)
    half.view->scrollTo(half.model->index(now, 0));
}

void StepsPane::setHighlight(const workbench::Highlight& highlight, const workbench::Anchor& anchor) {
  const bool here = anchor.program == m_program;
  m_spec.model->setHighlight(here ? highlight.specSteps : std::set<int>());
  m_kernel.model->setHighlight(here ? highlight.kernelSteps : std::set<int>());
}

void StepsPane::restyle() {
  const QFontMetrics metrics(fixedFont());
  for (const Half& half : {m_spec, m_kernel}) {
    half.view->header()->resizeSection(StepsModel::Mark, metrics.horizontalAdvance(QStringLiteral("≠")) + 14);
    int widest = metrics.horizontalAdvance(QStringLiteral("v > 0.0f ? v"));
    for (int row = 0; row < std::min(half.model->rowCount(), 200); ++row)
      widest = std::max(
          widest, metrics.horizontalAdvance(half.model->index(row, StepsModel::Step).data().toString()));
    half.view->header()->resizeSection(StepsModel::Step,
                                       std::min(widest, metrics.averageCharWidth() * 40) + 14);
  }
}

void StepsPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  m_sides->setOrientation(event->size().width() >= sideBySide ? Qt::Horizontal : Qt::Vertical);
}

} // namespace plumbline::views
