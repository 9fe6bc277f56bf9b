#include "views/models/matrix_model.h"

#include "views/models/case_address.h"
#include "views/models/roles.h"
#include "views/style/style.h"

#include <QBrush>

namespace plumbline::views {

using workbench::CaseStatus;
using workbench::FloatClass;
using workbench::floatClassCount;
using workbench::MatrixCell;

QString shortName(FloatClass floatClass) {
  switch (floatClass) {
  case FloatClass::NaN: return QStringLiteral("NaN");
  case FloatClass::NegativeInfinity: return QStringLiteral("-inf");
  case FloatClass::NegativeNormal: return QStringLiteral("-norm");
  case FloatClass::NegativeSubnormal: return QStringLiteral("-sub");
  case FloatClass::NegativeZero: return QStringLiteral("-0");
  case FloatClass::PositiveZero: return QStringLiteral("+0");
  case FloatClass::PositiveSubnormal: return QStringLiteral("+sub");
  case FloatClass::PositiveNormal: return QStringLiteral("+norm");
  case FloatClass::PositiveInfinity: return QStringLiteral("+inf");
  }
  return {};
}

void MatrixModel::setMatrix(const workbench::CaseGoal& goal, int variable,
                            const workbench::CaseMatrix* matrix) {
  beginResetModel();
  m_goal = goal;
  m_variable = variable;
  m_cells.assign(goal.rows.size() * floatClassCount, {});
  if (matrix != nullptr)
    for (const MatrixCell& cell : matrix->cells)
      if (const size_t at =
              static_cast<size_t>(cell.row) * floatClassCount + static_cast<size_t>(cell.floatClass);
          cell.row >= 0 && at < m_cells.size())
        m_cells[at] = cell;
  endResetModel();
}

void MatrixModel::clear() {
  beginResetModel();
  m_goal = {};
  m_variable = -1;
  m_cells.clear();
  endResetModel();
}

void MatrixModel::setCell(const MatrixCell& cell) {
  const QModelIndex at = index(cell.row, static_cast<int>(cell.floatClass));
  if (!at.isValid())
    return;
  m_cells[static_cast<size_t>(at.row()) * floatClassCount + static_cast<size_t>(at.column())] = cell;
  Q_EMIT dataChanged(at, at);
}

void MatrixModel::setCurrent(bool current) {
  m_current = current;
  if (rowCount() > 0)
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, floatClassCount - 1));
}

void MatrixModel::setWorking(bool working) {
  m_working = working;
  if (rowCount() > 0)
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, floatClassCount - 1));
}

workbench::CasePath MatrixModel::conditions(const QModelIndex& index) const {
  workbench::CasePath path = m_goal.rows[static_cast<size_t>(index.row())];
  path.push_back({-1, true, m_variable, static_cast<FloatClass>(index.column())});
  return path;
}

const MatrixCell* MatrixModel::cellAt(const QModelIndex& index) const {
  if (!index.isValid())
    return nullptr;
  const MatrixCell& cell =
      m_cells[static_cast<size_t>(index.row()) * floatClassCount + static_cast<size_t>(index.column())];
  return cell.known ? &cell : nullptr;
}

int MatrixModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_goal.rows.size());
}

int MatrixModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : floatClassCount;
}

QString MatrixModel::rowText(int row) const {
  return toQt(pathText(m_goal, m_goal.rows[static_cast<size_t>(row)], tr("all inputs").toStdString()));
}

QString MatrixModel::status(const QModelIndex& index) const {
  const MatrixCell* cell = cellAt(index);
  if (cell == nullptr)
    return m_working ? tr("not computed yet, working") : tr("not computed");
  const QString word = statusWord(cell->result.status);
  return m_current ? word : tr("was %1").arg(word);
}

QString MatrixModel::spoken(const QModelIndex& index) const {
  QString line = tr("%1, %2: %3")
                     .arg(rowText(index.row()),
                          toQt(std::string(name(static_cast<FloatClass>(index.column())))), status(index));
  const MatrixCell* cell = cellAt(index);
  if (cell == nullptr)
    return line;
  if (!cell->result.engine.empty())
    line = tr("%1 by %2").arg(line, toQt(cell->result.engine));
  for (const std::string& more : {cell->result.result, cell->result.reason})
    if (!more.empty())
      line += QStringLiteral("; ") + oneLine(toQt(more), 300);
  return line;
}

QVariant MatrixModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid())
    return {};
  const MatrixCell* cell = cellAt(index);
  switch (role) {
  case Qt::DisplayRole:
    if (cell == nullptr)
      return m_working ? QStringLiteral("…") : QStringLiteral("·");
    return m_current ? statusSymbol(cell->result.status) : QStringLiteral("?");
  case Qt::ToolTipRole:
  case Qt::AccessibleTextRole: return spoken(index);
  case Qt::ForegroundRole:
    return QBrush(cell != nullptr && m_current ? statusColor(cell->result.status) : faintText());
  case Qt::BackgroundRole:
    return cell != nullptr && m_current ? QVariant(QBrush(statusFill(cell->result.status))) : QVariant();
  case Qt::TextAlignmentRole: return int(Qt::AlignCenter);
  case StatusRole: return cell == nullptr ? -1 : static_cast<int>(cell->result.status);
  default: return {};
  }
}

QVariant MatrixModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation == Qt::Vertical)
    return role == Qt::DisplayRole || role == Qt::ToolTipRole || role == Qt::AccessibleTextRole
               ? QVariant(rowText(section))
               : QVariant();
  const auto floatClass = static_cast<FloatClass>(section);
  if (role == Qt::DisplayRole)
    return shortName(floatClass);
  if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole)
    return toQt(std::string(name(floatClass)));
  return {};
}

} // namespace plumbline::views
