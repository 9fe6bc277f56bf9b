#include "views/cases/matrix_pane.h"

#include "views/models/cases_model.h"
#include "views/models/matrix_model.h"
#include "views/style/style.h"

#include <QApplication>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace plumbline::views {

using workbench::CaseStatus;

namespace {

QString legendText() {
  QStringList parts;
  for (CaseStatus status :
       {CaseStatus::Closed, CaseStatus::Empty, CaseStatus::Witnessed, CaseStatus::Conflict, CaseStatus::Open})
    parts << QStringLiteral("<span style='color:%1'>%2</span> %3")
                 .arg(statusColor(status).name(), statusSymbol(status), statusWord(status));
  parts << MatrixPane::tr("· not computed");
  return parts.join(QStringLiteral(" &nbsp; "));
}

} // namespace

MatrixPane::MatrixPane(const CasesModel& cases, QWidget* fill, QWidget* parent)
    : QWidget(parent), m_model(new MatrixModel(this)), m_variables(new QComboBox), m_table(new QTableView),
      m_note(new QLabel), m_legend(new QLabel), m_cases(cases) {
  m_variables->setAccessibleName(tr("Value whose classes are shown"));
  m_note->setWordWrap(true);
  m_note->setTextFormat(Qt::PlainText);
  m_legend->setWordWrap(true);
  m_legend->setTextFormat(Qt::RichText);
  m_legend->setAccessibleName(tr("Legend of the matrix"));
  m_table->setModel(m_model);
  m_table->setAccessibleName(tr("Matrix of guards and classes"));
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->setTabKeyNavigation(false);
  m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
  m_table->setCornerButtonEnabled(false);
  m_table->horizontalHeader()->setHighlightSections(true);
  m_table->verticalHeader()->setHighlightSections(true);
  auto* bar = new QHBoxLayout;
  bar->addWidget(m_variables);
  bar->addStretch(1);
  bar->addWidget(fill);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(4, 0, 4, 2);
  column->setSpacing(2);
  column->addLayout(bar);
  column->addWidget(m_table, 1);
  column->addWidget(m_note);
  column->addWidget(m_legend);

  connect(m_variables, &QComboBox::currentIndexChanged, this, [this] {
    showMatrix();
    Q_EMIT variableChanged();
  });
  connect(m_table, &QTableView::clicked, this, &MatrixPane::choose);
  connect(m_table, &QTableView::activated, this, &MatrixPane::choose);
}

int MatrixPane::variable() const {
  return m_variables->currentIndex();
}

void MatrixPane::setGoal(int goal) {
  const QModelIndex before = m_table->currentIndex();
  const workbench::CaseGoal shown =
      goal < 0 ? workbench::CaseGoal{} : m_cases.goals()[static_cast<size_t>(goal)];
  const bool same =
      goal >= 0 && m_name == shown.name && m_variables->count() == static_cast<int>(shown.variables.size());
  const int chosen = same ? variable() : 0;
  m_goal = goal;
  m_name = shown.name;
  {
    const QSignalBlocker quiet(m_variables);
    m_variables->clear();
    for (const std::string& name : shown.variables)
      m_variables->addItem(toQt(name));
    m_variables->setCurrentIndex(shown.variables.empty() ? -1 : chosen);
  }
  m_variables->setVisible(shown.variables.size() > 1);
  m_note->setText(toQt(shown.rowsNote));
  m_note->setVisible(!shown.rowsNote.empty());
  showMatrix();
  if (same)
    m_table->setCurrentIndex(m_model->index(before.row(), before.column()));
}

void MatrixPane::showMatrix() {
  if (m_goal < 0 || variable() < 0)
    m_model->clear();
  else
    m_model->setMatrix(m_cases.goals()[static_cast<size_t>(m_goal)], variable(),
                       findMatrix(m_cases.forest(), m_goal, variable()));
}

void MatrixPane::setCell(int goal, int variable, const workbench::MatrixCell& cell) {
  if (goal == m_goal && variable == this->variable())
    m_model->setCell(cell);
}

void MatrixPane::setCurrent(bool current) {
  m_model->setCurrent(current);
}

void MatrixPane::setWorking(bool working) {
  m_model->setWorking(working);
}

void MatrixPane::restyle() {
  m_legend->setText(legendText());
  const QFontMetrics metrics(QApplication::font());
  const int column = metrics.horizontalAdvance(QStringLiteral("+norm")) + 12;
  m_table->horizontalHeader()->setMinimumSectionSize(column);
  m_table->horizontalHeader()->setDefaultSectionSize(column);
  m_table->verticalHeader()->setMinimumSectionSize(metrics.height() + 10);
  m_table->verticalHeader()->setDefaultSectionSize(metrics.height() + 10);
  m_table->verticalHeader()->setFont(fixedFont());
}

void MatrixPane::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  // Long conditions leave room for the classes; the whole text is in the tooltip.
  m_table->verticalHeader()->setMaximumWidth(std::max(120, width() * 2 / 5));
}

void MatrixPane::choose(const QModelIndex& index) {
  if (index.isValid())
    Q_EMIT cellChosen(m_model->conditions(index), m_model->cellAt(index));
}

} // namespace plumbline::views
