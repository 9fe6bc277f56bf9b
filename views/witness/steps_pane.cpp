#include "views/witness/steps_pane.h"

#include "views/models/steps_model.h"
#include "views/style/style.h"

#include <QHeaderView>
#include <QResizeEvent>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>

#include <algorithm>

namespace plumbline::views {

using workbench::Side;

namespace {

/// Characters that a step and a value need beside each other, and how many a value needs.
constexpr int charactersOfHalf = 38;
constexpr int charactersOfValue = 18;

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
  const int character = metrics.averageCharWidth();
  const bool wide = width() >= 2 * charactersOfHalf * character;
  m_sides->setOrientation(wide ? Qt::Horizontal : Qt::Vertical);
  const int half = wide ? width() / 2 : width();
  for (const Half& side : {m_spec, m_kernel}) {
    const int mark = metrics.horizontalAdvance(QStringLiteral("≠")) + 14;
    int step = 12 * character;
    for (int row = 0; row < std::min(side.model->rowCount(), 200); ++row)
      step = std::max(
          step, metrics.horizontalAdvance(side.model->index(row, StepsModel::Step).data().toString()) + 14);
    step = std::min(step, std::max(12 * character, half - mark - charactersOfValue * character));
    side.view->header()->resizeSection(StepsModel::Mark, mark);
    side.view->header()->resizeSection(StepsModel::Step, step);
  }
}

void StepsPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  restyle();
}

} // namespace plumbline::views
