#include "views/models/steps_model.h"

#include "views/models/roles.h"
#include "views/style/style.h"

#include <QBrush>
#include <QFont>

#include <algorithm>

namespace plumbline::views {

using workbench::StepValue;

namespace {

bool same(const StepValue& a, const StepValue& b) {
  return a.reached == b.reached && a.value == b.value && a.bits == b.bits && a.diverges == b.diverges;
}

} // namespace

StepsModel::StepsModel(workbench::Side side, QObject* parent) : QAbstractTableModel(parent), m_side(side) {}

void StepsModel::setProgram(std::shared_ptr<const workbench::StepProgram> program) {
  if (program == m_program)
    return;
  beginResetModel();
  m_program = std::move(program);
  m_values.assign(m_program ? m_program->steps(m_side).size() : 0, {});
  m_highlight.clear();
  endResetModel();
}

void StepsModel::setTrace(std::vector<StepValue> values) {
  values.resize(m_values.size());
  const std::vector<StepValue> before = std::exchange(m_values, std::move(values));
  for (size_t k = 0; k < before.size(); ++k)
    if (!same(before[k], m_values[k]))
      touch(static_cast<int>(k));
}

void StepsModel::setHighlight(const std::set<int>& steps) {
  const std::set<int> before = std::exchange(m_highlight, steps);
  for (int row : before)
    touch(row);
  for (int row : steps)
    touch(row);
}

void StepsModel::touch(int row) {
  if (row >= 0 && row < rowCount())
    Q_EMIT dataChanged(index(row, 0), index(row, ColumnCount - 1));
}

int StepsModel::divergingRow() const {
  const auto found =
      std::find_if(m_values.begin(), m_values.end(), [](const StepValue& v) { return v.diverges; });
  return found == m_values.end() ? -1 : static_cast<int>(found - m_values.begin());
}

int StepsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_values.size());
}

int StepsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QString StepsModel::display(int row, int column) const {
  const StepValue& value = m_values[static_cast<size_t>(row)];
  switch (column) {
  case Mark: return value.diverges ? QStringLiteral("≠") : QString();
  case Step: return toQt(m_program->steps(m_side)[static_cast<size_t>(row)].text);
  case Value: return value.reached ? toQt(value.value) : tr("not reached");
  default: return {};
  }
}

QString StepsModel::spoken(int row) const {
  const StepValue& value = m_values[static_cast<size_t>(row)];
  const QString line = display(row, Step) + QStringLiteral(": ") + display(row, Value);
  return value.diverges ? tr("%1, first difference").arg(line) : line;
}

QVariant StepsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount())
    return {};
  const StepValue& value = m_values[static_cast<size_t>(index.row())];
  switch (role) {
  case Qt::DisplayRole: return display(index.row(), index.column());
  case Qt::ToolTipRole: return spoken(index.row());
  case Qt::AccessibleTextRole:
    if (index.column() == Mark)
      return value.diverges ? tr("first difference") : QString();
    return index.column() == Step ? spoken(index.row()) : QVariant();
  case Qt::FontRole: return index.column() == Mark ? QVariant() : QVariant(fixedFont());
  case Qt::ForegroundRole:
    if (value.diverges)
      return QBrush(problemText());
    return value.reached ? QVariant() : QVariant(QBrush(faintText()));
  case Qt::BackgroundRole:
    if (m_highlight.contains(index.row()))
      return QBrush(linkedFill());
    return value.diverges ? QVariant(QBrush(statusFill(workbench::CaseStatus::Witnessed))) : QVariant();
  case IndexRole: return index.row();
  default: return {};
  }
}

QVariant StepsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
  case Step: return m_side == workbench::Side::Spec ? tr("PyTorch") : tr("Kernel");
  case Value: return tr("Value");
  default: return {};
  }
}

} // namespace plumbline::views
