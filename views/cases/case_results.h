// What is known of cases, whether the tree shows them or not.
#pragma once

#include "core/workbench/case_forest.h"

#include <map>
#include <set>
#include <utility>
#include <vector>

namespace plumbline::views {

/// Results by goal and conditions, in whatever order these were cut. Contradictions are kept as conflicts: a
/// case that is closed and has a witness, or one closed as a part of which has a witness.
class CaseResults {
public:
  struct Entry {
    int goal = 0;
    workbench::CasePath conditions;
    workbench::CaseResult result;
  };

  void clear();

  /// Adds what is known of a case; every entry that this changes, the given one first.
  std::vector<Entry> add(int goal, const workbench::CasePath& conditions,
                         const workbench::CaseResult& result);

  /// Adds one of results that do not contradict each other.
  void put(int goal, const workbench::CasePath& conditions, const workbench::CaseResult& result);

  /// nullptr when nothing is known.
  const workbench::CaseResult* find(int goal, const workbench::CasePath& conditions) const;

private:
  using Key = std::pair<int, workbench::CasePath>; ///< conditions sorted
  static Key keyOf(int goal, const workbench::CasePath& conditions);
  std::vector<Key> closedAround(const Key& key) const;
  std::vector<Key> witnessedInside(const Key& key) const;

  std::map<Key, workbench::CaseResult> m_results;
  std::set<Key> m_witnessed; ///< those with a witness: few
};

} // namespace plumbline::views
