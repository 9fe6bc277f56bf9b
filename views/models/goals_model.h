// The proof goals of a snapshot, grouped by obligation.
#pragma once

#include "core/workbench/snapshot.h"

#include <QAbstractItemModel>
#include <QString>

#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace plumbline::views {

/// Two levels: groups in the order of their first goal, and their goals. Texts are made when they are asked
/// for. A new snapshot keeps selection and expansion of goals that have the same group and name. GUI thread
/// only.
class GoalsModel : public QAbstractItemModel {
  Q_OBJECT
public:
  enum Column : int { Status, Goal, Evidence, Time, ColumnCount };

  using QAbstractItemModel::QAbstractItemModel;

  void setSnapshot(const workbench::SnapshotPtr& snapshot);
  /// Goals (indices into the snapshot) to be shown as counterparts of the selection.
  void setHighlight(const std::set<int>& goals);
  /// Whether the results belong to the present files; if not, no result looks like one.
  void setCurrent(bool current);

  /// Position of a goal of the snapshot; invalid when there is none.
  QModelIndex indexOf(int goal, int column = 0) const;
  /// The goal at a position, or nullptr for a group.
  const workbench::GoalRow* goalAt(const QModelIndex& index) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  struct Group {
    QString name;
    std::vector<int> goals;
  };
  /// Goals by group and name; those of one name are told apart by their order.
  using Names = std::unordered_map<std::string, std::vector<int>>;

  static std::vector<Group> grouped(const workbench::Snapshot& snapshot);
  static Names namesOf(const workbench::SnapshotPtr& snapshot);
  void takeIn(const workbench::SnapshotPtr& snapshot);
  /// Where what stood at `index` in the snapshot before stands now.
  QModelIndex moved(const QModelIndex& index, const workbench::SnapshotPtr& before, const Names& then,
                    const Names& now, const std::vector<Group>& groups) const;
  QVariant groupData(const Group& group, int column, int role) const;
  QVariant goalData(int goal, int column, int role) const;
  QString display(const workbench::GoalRow& row, int column) const;
  QString statusText(const workbench::GoalRow& row) const;
  QString accessible(const workbench::GoalRow& row, int column) const;
  void touch(const std::set<int>& goals);

  workbench::SnapshotPtr m_snapshot;
  std::vector<Group> m_groups;
  std::vector<int> m_groupOf; ///< by goal
  std::vector<int> m_rowOf;   ///< by goal: its row in the group
  std::set<int> m_highlight;
  bool m_current = true;
};

} // namespace plumbline::views
