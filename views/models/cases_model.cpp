#include "views/models/cases_model.h"

#include "views/models/case_address.h"
#include "views/models/roles.h"
#include "views/style/style.h"

#include <QBrush>

#include <algorithm>
#include <numeric>

namespace plumbline::views {

using workbench::CaseForest;
using workbench::CaseGoal;
using workbench::CaseMatrix;
using workbench::CaseNode;
using workbench::CaseResult;
using workbench::CaseStatus;

template <class Change> void CasesModel::rearrange(const Change& change) {
  Q_EMIT layoutAboutToBeChanged();
  const QModelIndexList before = persistentIndexList();
  std::vector<CaseAddress> addresses;
  for (const QModelIndex& index : before)
    addresses.push_back(addressOf({m_goals, m_forest}, nodeAt(index)));
  change();
  const auto roots = std::find_if(m_forest.nodes.begin(), m_forest.nodes.end(),
                                  [](const CaseNode& node) { return node.parent >= 0; });
  m_roots.resize(static_cast<size_t>(roots - m_forest.nodes.begin()));
  std::iota(m_roots.begin(), m_roots.end(), 0);
  QModelIndexList after;
  for (size_t k = 0; k < addresses.size(); ++k)
    after << indexOf(findCase({m_goals, m_forest}, addresses[k]), before[static_cast<qsizetype>(k)].column());
  changePersistentIndexList(before, after);
  Q_EMIT layoutChanged();
}

void CasesModel::reset(std::vector<CaseGoal> goals, CaseForest forest) {
  rearrange([&] {
    m_goals = std::move(goals);
    m_forest = std::move(forest);
    m_working.clear();
  });
}

bool CasesModel::split(int node, workbench::SplitOn on) {
  const std::vector<workbench::SplitOn> possible =
      possibleSplits(m_goals[static_cast<size_t>(this->node(node).goal)], this->node(node));
  const bool offered = std::any_of(possible.begin(), possible.end(), [&](const workbench::SplitOn& other) {
    return other.guard == on.guard && other.variable == on.variable;
  });
  if (!offered || !this->node(node).children.empty())
    return false;
  // A guard has two outcomes; rows must be announced before they are there.
  beginInsertRows(indexOf(node), 0, (on.guard >= 0 ? 2 : workbench::floatClassCount) - 1);
  m_forest = workbench::split(std::move(m_forest), m_goals, node, on);
  endInsertRows();
  touch(node);
  return true;
}

bool CasesModel::join(int node) {
  if (this->node(node).children.empty())
    return false;
  rearrange([&] { m_forest = workbench::join(m_forest, node); });
  return true;
}

void CasesModel::setResult(int node, const CaseResult& result) {
  m_forest = workbench::withResult(std::move(m_forest), node, result);
  for (int k = node; k >= 0; k = this->node(k).parent)
    touch(k);
}

CaseMatrix& CasesModel::matrix(int goal, int variable) {
  if (findMatrix(m_forest, goal, variable) == nullptr) {
    CaseMatrix matrix{goal, variable, {}};
    const auto rows = static_cast<int>(m_goals[static_cast<size_t>(goal)].rows.size());
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < workbench::floatClassCount; ++k)
        matrix.cells.push_back({row, static_cast<workbench::FloatClass>(k), {}, false});
    m_forest.matrices.push_back(std::move(matrix));
  }
  return const_cast<CaseMatrix&>(*findMatrix(m_forest, goal, variable));
}

void CasesModel::setWorking(std::set<int> nodes) {
  std::set<int> before = std::exchange(m_working, std::move(nodes));
  for (int node : before)
    if (!m_working.contains(node))
      touch(node);
  for (int node : m_working)
    if (!before.contains(node))
      touch(node);
}

void CasesModel::setCurrent(bool current) {
  if (current == m_current)
    return;
  Q_EMIT layoutAboutToBeChanged();
  m_current = current;
  Q_EMIT layoutChanged(); // all rows, wherever they are
}

QModelIndex CasesModel::indexOf(int node, int column) const {
  if (node < 0 || node >= static_cast<int>(m_forest.nodes.size()))
    return {};
  return createIndex(rowOf(node), column, static_cast<quintptr>(node));
}

int CasesModel::nodeAt(const QModelIndex& index) const {
  return index.isValid() ? static_cast<int>(index.internalId()) : -1;
}

const std::vector<int>& CasesModel::childrenOf(const QModelIndex& parent) const {
  return parent.isValid() ? node(nodeAt(parent)).children : m_roots;
}

int CasesModel::rowOf(int node) const {
  const int parent = this->node(node).parent;
  if (parent < 0)
    return node;
  // Children are numbered in order, except in a forest made by hand.
  const std::vector<int>& children = this->node(parent).children;
  auto found = std::lower_bound(children.begin(), children.end(), node);
  if (found == children.end() || *found != node)
    found = std::find(children.begin(), children.end(), node);
  return static_cast<int>(found - children.begin());
}

QModelIndex CasesModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent))
    return {};
  return createIndex(row, column, static_cast<quintptr>(childrenOf(parent)[static_cast<size_t>(row)]));
}

QModelIndex CasesModel::parent(const QModelIndex& child) const {
  return child.isValid() ? indexOf(node(nodeAt(child)).parent) : QModelIndex();
}

int CasesModel::rowCount(const QModelIndex& parent) const {
  return parent.column() > 0 ? 0 : static_cast<int>(childrenOf(parent).size());
}

int CasesModel::columnCount(const QModelIndex&) const {
  return ColumnCount;
}

QString CasesModel::caseText(int node) const {
  const CaseNode& found = this->node(node);
  const CaseGoal& goal = m_goals[static_cast<size_t>(found.goal)];
  return toQt(found.path.empty() ? goal.name : conditionText(goal, found.path.back()));
}

QString CasesModel::statusText(int node) const {
  const CaseStatus status = this->node(node).result.status;
  QString text = statusSymbol(status) + QLatin1Char(' ') + statusWord(status);
  if (!m_current && status != CaseStatus::Open && status != CaseStatus::Split)
    text = tr("was %1").arg(statusWord(status));
  return m_working.contains(node) ? tr("%1, working").arg(text) : text;
}

QString CasesModel::display(int node, int column) const {
  const CaseResult& result = this->node(node).result;
  switch (column) {
  case Case: return caseText(node);
  case Status: return statusText(node);
  case Engine: return oneLine(toQt(result.engine.empty() ? result.reason : result.engine));
  case Time: return timeText(result.timeMs);
  default: return {};
  }
}

QString CasesModel::spoken(int node) const {
  QString line = caseText(node) + QStringLiteral(", ") + statusText(node);
  const CaseResult& result = this->node(node).result;
  return result.engine.empty() ? line : tr("%1 by %2").arg(line, toQt(result.engine));
}

QString CasesModel::toolTip(int node) const {
  const CaseNode& found = this->node(node);
  const CaseGoal& goal = m_goals[static_cast<size_t>(found.goal)];
  QString tip = toQt(pathText(goal, found.path, goal.name)) + QLatin1Char('\n') + statusText(node);
  for (const std::string& line : {found.result.engine, found.result.result, found.result.reason})
    if (!line.empty())
      tip += QLatin1Char('\n') + oneLine(toQt(line), 300);
  return tip;
}

QVariant CasesModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid())
    return {};
  const int node = nodeAt(index);
  const CaseStatus status = this->node(node).result.status;
  switch (role) {
  case Qt::DisplayRole: return display(node, index.column());
  case Qt::ToolTipRole: return toolTip(node);
  case Qt::AccessibleTextRole: return index.column() == Case ? spoken(node) : display(node, index.column());
  case Qt::FontRole: return index.column() == Case ? QVariant(fixedFont()) : QVariant();
  case Qt::ForegroundRole:
    if (index.column() == Status)
      return QBrush(m_current ? statusColor(status) : faintText());
    return {};
  case Qt::TextAlignmentRole:
    return index.column() == Time ? QVariant(int(Qt::AlignRight | Qt::AlignVCenter)) : QVariant();
  case IndexRole: return node;
  case StatusRole: return static_cast<int>(status);
  default: return {};
  }
}

QVariant CasesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
  case Case: return tr("Case");
  case Status: return tr("Status");
  case Engine: return tr("Settled by");
  case Time: return tr("Time");
  default: return {};
  }
}

void CasesModel::touch(int node) {
  if (const QModelIndex index = indexOf(node); index.isValid())
    Q_EMIT dataChanged(index, index.siblingAtColumn(ColumnCount - 1));
}

} // namespace plumbline::views
