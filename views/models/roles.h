// Data roles that the models of the panels have in common, beside Qt's own.
#pragma once

#include <Qt>

namespace plumbline::views {

enum Role : int {
  IndexRole = Qt::UserRole + 1, ///< int: index of the thing in the snapshot; -1 for a heading
  StatusRole,                   ///< int: workbench::CaseStatus
  SortRole,                     ///< what a column is sorted by: a number or a text
  FilterRole,                   ///< QString: everything that a text filter searches
  OpenRole,                     ///< bool: neither closed nor empty
};

} // namespace plumbline::views
