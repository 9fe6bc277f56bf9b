// Pairs that were opened before, newest first.
#pragma once

#include "core/workbench/snapshot.h"

#include <QByteArray>
#include <QString>

#include <vector>

namespace plumbline::views {

/// Value type; kept in the settings as text.
class RecentPairs {
public:
  static constexpr size_t limit = 12;

  const std::vector<workbench::Request>& all() const { return m_pairs; }
  /// The pair comes first; an entry with the same files goes.
  void add(const workbench::Request& request);

  QByteArray toText() const;
  /// What cannot be read is left out.
  static RecentPairs fromText(const QByteArray& text);

private:
  std::vector<workbench::Request> m_pairs;
};

/// "kernel.cu against model.py", with the folder when it is the same.
QString pairTitle(const workbench::Request& request);

} // namespace plumbline::views
