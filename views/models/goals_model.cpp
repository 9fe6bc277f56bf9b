#include "views/models/goals_model.h"

#include "views/models/roles.h"
#include "views/style/style.h"

#include <QBrush>

#include <algorithm>
#include <string_view>
#include <unordered_map>

namespace plumbline::views {

using workbench::CaseStatus;
using workbench::GoalRow;

namespace {

/// Id of a group's position; goals carry their group's row.
constexpr quintptr groupId = ~quintptr{0};

bool isOpen(CaseStatus status) {
  return status != CaseStatus::Closed && status != CaseStatus::Empty;
}

/// Group and name; neither holds a zero byte.
std::string keyOf(const GoalRow& row) {
  return row.group + '\0' + row.name;
}

QString evidenceText(const GoalRow& row) {
  QStringList engines;
  for (const workbench::EvidenceRow& evidence : row.evidence)
    if (const QString engine = toQt(evidence.engine); !engines.contains(engine))
      engines << engine;
  return engines.join(QStringLiteral(", "));
}

} // namespace

std::vector<GoalsModel::Group> GoalsModel::grouped(const workbench::Snapshot& snapshot) {
  std::vector<Group> groups;
  std::unordered_map<std::string_view, size_t> known;
  for (size_t k = 0; k < snapshot.goals.size(); ++k) {
    const std::string& name = snapshot.goals[k].group;
    const auto [at, isNew] = known.try_emplace(name, groups.size());
    if (isNew)
      groups.push_back({toQt(name), {}});
    groups[at->second].goals.push_back(static_cast<int>(k));
  }
  return groups;
}

GoalsModel::Names GoalsModel::namesOf(const workbench::SnapshotPtr& snapshot) {
  Names names;
  for (size_t k = 0; snapshot && k < snapshot->goals.size(); ++k)
    names[keyOf(snapshot->goals[k])].push_back(static_cast<int>(k));
  return names;
}

void GoalsModel::setSnapshot(const workbench::SnapshotPtr& snapshot) {
  Q_EMIT layoutAboutToBeChanged();
  const QModelIndexList before = persistentIndexList();
  const workbench::SnapshotPtr old = m_snapshot;
  const std::vector<Group> oldGroups = m_groups;
  takeIn(snapshot);
  if (!before.isEmpty()) {
    const Names then = namesOf(old);
    const Names now = namesOf(snapshot);
    QModelIndexList after;
    for (const QModelIndex& index : before)
      after << moved(index, old, then, now, oldGroups);
    changePersistentIndexList(before, after);
  }
  Q_EMIT layoutChanged();
}

void GoalsModel::takeIn(const workbench::SnapshotPtr& snapshot) {
  m_snapshot = snapshot;
  m_highlight.clear();
  m_groups = snapshot ? grouped(*snapshot) : std::vector<Group>{};
  m_groupOf.assign(snapshot ? snapshot->goals.size() : 0, 0);
  m_rowOf = m_groupOf;
  for (size_t group = 0; group < m_groups.size(); ++group)
    for (size_t row = 0; row < m_groups[group].goals.size(); ++row) {
      const auto goal = static_cast<size_t>(m_groups[group].goals[row]);
      m_groupOf[goal] = static_cast<int>(group);
      m_rowOf[goal] = static_cast<int>(row);
    }
}

QModelIndex GoalsModel::moved(const QModelIndex& index, const workbench::SnapshotPtr& before,
                              const Names& then, const Names& now, const std::vector<Group>& groups) const {
  if (index.internalId() == groupId) {
    const QString& name = groups[static_cast<size_t>(index.row())].name;
    const auto group = std::find_if(m_groups.begin(), m_groups.end(),
                                    [&](const Group& other) { return other.name == name; });
    return group == m_groups.end()
               ? QModelIndex()
               : createIndex(static_cast<int>(group - m_groups.begin()), index.column(), groupId);
  }
  const int goal = groups[index.internalId()].goals[static_cast<size_t>(index.row())];
  const std::string key = keyOf(before->goals[static_cast<size_t>(goal)]);
  const std::vector<int>& twins = then.at(key);
  const auto repeat = static_cast<size_t>(std::lower_bound(twins.begin(), twins.end(), goal) - twins.begin());
  const auto found = now.find(key);
  return found == now.end() || repeat >= found->second.size()
             ? QModelIndex()
             : indexOf(found->second[repeat], index.column());
}

void GoalsModel::setHighlight(const std::set<int>& goals) {
  const std::set<int> before = std::exchange(m_highlight, goals);
  touch(before);
  touch(goals);
}

void GoalsModel::touch(const std::set<int>& goals) {
  for (int goal : goals)
    if (const QModelIndex index = indexOf(goal); index.isValid())
      Q_EMIT dataChanged(index, index.siblingAtColumn(ColumnCount - 1), {Qt::BackgroundRole});
}

QModelIndex GoalsModel::indexOf(int goal, int column) const {
  if (goal < 0 || goal >= static_cast<int>(m_groupOf.size()))
    return {};
  const auto k = static_cast<size_t>(goal);
  return createIndex(m_rowOf[k], column, static_cast<quintptr>(m_groupOf[k]));
}

const GoalRow* GoalsModel::goalAt(const QModelIndex& index) const {
  if (!index.isValid() || index.internalId() == groupId)
    return nullptr;
  const Group& group = m_groups[index.internalId()];
  return &m_snapshot->goals[static_cast<size_t>(group.goals[static_cast<size_t>(index.row())])];
}

QModelIndex GoalsModel::index(int row, int column, const QModelIndex& parent) const {
  if (!hasIndex(row, column, parent))
    return {};
  return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) : groupId);
}

QModelIndex GoalsModel::parent(const QModelIndex& child) const {
  if (!child.isValid() || child.internalId() == groupId)
    return {};
  return createIndex(static_cast<int>(child.internalId()), 0, groupId);
}

int GoalsModel::rowCount(const QModelIndex& parent) const {
  if (!parent.isValid())
    return static_cast<int>(m_groups.size());
  if (parent.column() != 0 || parent.internalId() != groupId)
    return 0;
  return static_cast<int>(m_groups[static_cast<size_t>(parent.row())].goals.size());
}

int GoalsModel::columnCount(const QModelIndex&) const {
  return ColumnCount;
}

QVariant GoalsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid())
    return {};
  if (index.internalId() == groupId)
    return groupData(m_groups[static_cast<size_t>(index.row())], index.column(), role);
  const Group& group = m_groups[index.internalId()];
  return goalData(group.goals[static_cast<size_t>(index.row())], index.column(), role);
}

QVariant GoalsModel::groupData(const Group& group, int column, int role) const {
  const auto count = static_cast<int>(group.goals.size());
  switch (role) {
  case Qt::DisplayRole: return column == Status ? tr("%1 (%2)").arg(group.name).arg(count) : QVariant();
  case Qt::AccessibleTextRole: return tr("%1, %n goals", nullptr, count).arg(group.name);
  case IndexRole: return -1;
  case SortRole: return column == Status ? QVariant(group.name) : QVariant();
  default: return {};
  }
}

void GoalsModel::setCurrent(bool current) {
  if (current == m_current)
    return;
  m_current = current;
  for (int group = 0; group < static_cast<int>(m_groups.size()); ++group) {
    const QModelIndex parent = index(group, 0);
    Q_EMIT dataChanged(index(0, 0, parent), index(rowCount(parent) - 1, ColumnCount - 1, parent));
  }
}

QString GoalsModel::statusText(const GoalRow& row) const {
  if (!m_current && row.status != CaseStatus::Open)
    return tr("was %1").arg(statusWord(row.status));
  return statusSymbol(row.status) + QLatin1Char(' ') + statusWord(row.status);
}

QString GoalsModel::display(const GoalRow& row, int column) const {
  switch (column) {
  case Status: return statusText(row);
  case Goal: return oneLine(toQt(row.name));
  case Evidence: return evidenceText(row);
  case Time: return timeText(row.timeMs);
  default: return {};
  }
}

QString GoalsModel::accessible(const GoalRow& row, int column) const {
  const QString status = m_current ? statusWord(row.status) : statusText(row);
  if (column == Goal)
    return tr("%1, %2").arg(toQt(row.name), status);
  return column == Status ? status : display(row, column);
}

QVariant GoalsModel::goalData(int goal, int column, int role) const {
  const GoalRow& row = m_snapshot->goals[static_cast<size_t>(goal)];
  switch (role) {
  case Qt::DisplayRole: return display(row, column);
  case Qt::ToolTipRole: return oneLine(toQt(row.statement), 600);
  case Qt::AccessibleTextRole: return accessible(row, column);
  case Qt::ForegroundRole:
    if (column == Status)
      return QBrush(m_current ? statusColor(row.status) : faintText());
    return {};
  case Qt::BackgroundRole: return m_highlight.contains(goal) ? QVariant(QBrush(linkedFill())) : QVariant();
  case Qt::TextAlignmentRole:
    return int((column == Time ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  case IndexRole: return goal;
  case StatusRole: return static_cast<int>(row.status);
  case OpenRole: return isOpen(row.status);
  case FilterRole:
    return QStringList{toQt(row.name), toQt(row.statement), evidenceText(row)}.join(QLatin1Char('\n'));
  case SortRole:
    if (column == Status)
      return static_cast<int>(row.status);
    return column == Time ? QVariant(row.timeMs) : QVariant(display(row, column));
  default: return {};
  }
}

QVariant GoalsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
  case Status: return tr("Status");
  case Goal: return tr("Goal");
  case Evidence: return tr("Evidence");
  case Time: return tr("Time");
  default: return {};
  }
}

} // namespace plumbline::views
