#include "views/models/row_filter.h"

#include "views/models/roles.h"

#include <algorithm>

namespace plumbline::views {

RowFilter::RowFilter(QObject* parent) : QSortFilterProxyModel(parent) {
  setSortRole(SortRole);
  setRecursiveFilteringEnabled(true);
}

void RowFilter::setWords(const QString& words) {
  m_words = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
  invalidateFilter();
}

void RowFilter::setOnlyOpen(bool onlyOpen) {
  m_onlyOpen = onlyOpen;
  invalidateFilter();
}

bool RowFilter::filterAcceptsRow(int sourceRow, const QModelIndex& sourceParent) const {
  if (!filters())
    return true;
  const QModelIndex index = sourceModel()->index(sourceRow, 0, sourceParent);
  if (m_onlyOpen && !index.data(OpenRole).toBool())
    return false;
  if (m_words.isEmpty())
    return true;
  const QString text = index.data(FilterRole).toString();
  return std::all_of(m_words.begin(), m_words.end(),
                     [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

} // namespace plumbline::views
