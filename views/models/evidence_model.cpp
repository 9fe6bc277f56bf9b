#include "views/models/evidence_model.h"

#include "views/style/style.h"

namespace plumbline::views {

void EvidenceModel::setEvidence(std::vector<workbench::EvidenceRow> evidence) {
  beginResetModel();
  m_rows = std::move(evidence);
  endResetModel();
}

int EvidenceModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int EvidenceModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant EvidenceModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid())
    return {};
  const workbench::EvidenceRow& row = at(index.row());
  if (role == Qt::AccessibleTextRole && index.column() == Engine)
    return tr("%1: %2").arg(toQt(row.engine), oneLine(toQt(row.result)));
  if (role == Qt::ToolTipRole)
    return oneLine(toQt(row.result), 600);
  if (role != Qt::DisplayRole)
    return {};
  switch (index.column()) {
  case Engine: return toQt(row.engine);
  case Result: return oneLine(toQt(row.result));
  case Artefact: return toQt(row.artefact);
  case Time: return timeText(row.timeMs);
  default: return {};
  }
}

QVariant EvidenceModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
    return {};
  switch (section) {
  case Engine: return tr("Engine");
  case Result: return tr("Result");
  case Artefact: return tr("File");
  case Time: return tr("Time");
  default: return {};
  }
}

} // namespace plumbline::views
