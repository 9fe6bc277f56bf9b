// Who says what about one goal.
#pragma once

#include "core/workbench/snapshot.h"

#include <QAbstractTableModel>

namespace plumbline::views {

/// One row an EvidenceRow. GUI thread only.
class EvidenceModel : public QAbstractTableModel {
  Q_OBJECT
public:
  enum Column : int { Engine, Result, Artefact, Time, ColumnCount };

  using QAbstractTableModel::QAbstractTableModel;

  void setEvidence(std::vector<workbench::EvidenceRow> evidence);
  const workbench::EvidenceRow& at(int row) const { return m_rows[static_cast<size_t>(row)]; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
  std::vector<workbench::EvidenceRow> m_rows;
};

} // namespace plumbline::views
