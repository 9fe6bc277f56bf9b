#include "views/cases/case_results.h"

#include <algorithm>

namespace plumbline::views {

using workbench::CasePath;
using workbench::CaseResult;
using workbench::CaseStatus;

namespace {

/// Cases with more conditions than this are compared with the parts of them in the tree only.
constexpr size_t subsetLimit = 12;

bool settled(const CaseResult& result) {
  return result.status == CaseStatus::Closed || result.status == CaseStatus::Empty;
}

bool witnessed(const CaseResult& result) {
  return result.status == CaseStatus::Witnessed;
}

CaseResult conflictOf(const CaseResult& closed, const CaseResult& witness) {
  CaseResult conflict = witness;
  conflict.status = CaseStatus::Conflict;
  conflict.engine = closed.engine + ", " + witness.engine;
  conflict.reason =
      closed.engine + " says \"" + closed.result + "\", but " + witness.engine + " found a witness";
  return conflict;
}

/// What holds of a case for which two answers came.
CaseResult combined(const CaseResult& before, const CaseResult& now) {
  if (before.status == CaseStatus::Conflict || now.status == CaseStatus::Open)
    return before;
  if (settled(before) && witnessed(now))
    return conflictOf(before, now);
  return witnessed(before) && settled(now) ? conflictOf(now, before) : now;
}

} // namespace

void CaseResults::clear() {
  m_results.clear();
  m_witnessed.clear();
}

CaseResults::Key CaseResults::keyOf(int goal, const CasePath& conditions) {
  Key key{goal, conditions};
  std::sort(key.second.begin(), key.second.end());
  return key;
}

std::vector<CaseResults::Entry> CaseResults::add(int goal, const CasePath& conditions,
                                                 const CaseResult& result) {
  const Key key = keyOf(goal, conditions);
  const auto before = m_results.find(key);
  CaseResult now = before == m_results.end() ? result : combined(before->second, result);
  std::vector<Key> others;
  if (witnessed(now))
    others = closedAround(key);
  else if (settled(now))
    others = witnessedInside(key);
  std::vector<Entry> changed{{goal, conditions, {}}};
  const CaseResult own = now;
  for (const Key& other : others) {
    CaseResult& theirs = m_results[other];
    now = settled(own) ? conflictOf(own, theirs) : conflictOf(theirs, own);
    theirs = now;
    m_witnessed.erase(other);
    changed.push_back({other.first, other.second, now});
  }
  changed.front().result = now;
  put(goal, conditions, now);
  return changed;
}

void CaseResults::put(int goal, const CasePath& conditions, const CaseResult& result) {
  const Key key = keyOf(goal, conditions);
  m_results[key] = result;
  if (witnessed(result))
    m_witnessed.insert(key);
  else
    m_witnessed.erase(key);
}

std::vector<CaseResults::Key> CaseResults::closedAround(const Key& key) const {
  const CasePath& all = key.second;
  std::vector<Key> found;
  if (all.size() > subsetLimit)
    return found;
  for (size_t mask = 0; mask + 1 < size_t{1} << all.size(); ++mask) {
    Key part{key.first, {}};
    for (size_t k = 0; k < all.size(); ++k)
      if (mask >> k & 1)
        part.second.push_back(all[k]);
    if (const auto at = m_results.find(part); at != m_results.end() && settled(at->second))
      found.push_back(std::move(part));
  }
  return found;
}

std::vector<CaseResults::Key> CaseResults::witnessedInside(const Key& key) const {
  std::vector<Key> found;
  for (const Key& other : m_witnessed)
    if (other.first == key.first && other.second.size() > key.second.size() &&
        std::includes(other.second.begin(), other.second.end(), key.second.begin(), key.second.end()))
      found.push_back(other);
  return found;
}

const CaseResult* CaseResults::find(int goal, const CasePath& conditions) const {
  const auto found = m_results.find(keyOf(goal, conditions));
  return found == m_results.end() ? nullptr : &found->second;
}

} // namespace plumbline::views
