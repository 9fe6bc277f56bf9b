#include "views/cases/case_session.h"

#include "views/models/cases_model.h"

#include <algorithm>

namespace plumbline::views {

using workbench::CaseCondition;
using workbench::CaseNode;
using workbench::CasePath;
using workbench::CaseResult;
using workbench::CaseStatus;
using workbench::MatrixCell;

namespace {

/// Requests given to the bench at a time; the rest waits here, where it can be taken back at once.
constexpr size_t together = 2;

bool known(CaseStatus status) {
  return status != CaseStatus::Open && status != CaseStatus::Split;
}

CasePath sorted(CasePath path) {
  std::sort(path.begin(), path.end());
  return path;
}

} // namespace

CaseSession::CaseSession(Bench& bench, CasesModel& model, QObject* parent)
    : QObject(parent), m_bench(bench), m_model(model) {
  connect(&bench, &Bench::caseSettled, this, &CaseSession::onSettled);
  connect(&bench, &Bench::cellSettled, this, &CaseSession::onCell);
  connect(&bench, &Bench::ended, this, &CaseSession::onEnded);
}

CaseScene CaseSession::scene() const {
  return {m_model.goals(), m_model.forest()};
}

void CaseSession::setSnapshot(const workbench::SnapshotPtr& snapshot) {
  if (snapshot && m_snapshot && snapshot->revision == m_snapshot->revision &&
      snapshot->request == m_snapshot->request)
    return;
  const bool samePair = snapshot && m_snapshot && snapshot->request.model == m_snapshot->request.model &&
                        snapshot->request.kernel == m_snapshot->request.kernel;
  std::vector<Cut> cuts;
  for (int root = 0; samePair && root < static_cast<int>(m_model.goals().size()); ++root)
    for (Cut& cut : cutsFrom(root))
      cuts.push_back(std::move(cut));
  m_snapshot = snapshot;
  m_queue.clear();
  m_open.clear();
  m_matrices.clear();
  if (snapshot)
    m_model.reset(snapshot->caseGoals, snapshot->cases);
  else
    m_model.reset({}, {});
  collectKnown();
  recut(cuts);
  showWork();
}

void CaseSession::collectKnown() {
  m_results.clear();
  // The tree agrees with itself; cells are compared with it.
  for (const CaseNode& node : m_model.forest().nodes)
    if (known(node.result.status))
      m_results.put(node.goal, node.path, node.result);
  std::vector<CaseResults::Entry> contradictions;
  for (const workbench::CaseMatrix& matrix : m_model.forest().matrices)
    for (const MatrixCell& cell : matrix.cells)
      if (cell.known) {
        const CasePath conditions = conditionsOf(matrix.goal, matrix.variable, cell);
        const std::vector<CaseResults::Entry> entries = m_results.add(matrix.goal, conditions, cell.result);
        if (entries.size() > 1 || entries.front().result.status != cell.result.status)
          contradictions.insert(contradictions.end(), entries.begin(), entries.end());
      }
  for (const CaseResults::Entry& entry : contradictions) {
    show(entry);
    showCell(entry);
  }
}

CasePath CaseSession::conditionsOf(int goal, int variable, const MatrixCell& cell) const {
  CasePath path = m_model.goals()[static_cast<size_t>(goal)].rows[static_cast<size_t>(cell.row)];
  path.push_back({-1, true, variable, cell.floatClass});
  return path;
}

void CaseSession::recut(const std::vector<Cut>& cuts) {
  for (const Cut& cut : cuts) {
    const int node = findCase(scene(), cut.where);
    if (node >= 0 && m_model.node(node).children.empty())
      split(cut);
  }
}

bool CaseSession::split(const Cut& cut) {
  const int node = findCase(scene(), cut.where);
  if (node < 0)
    return false;
  const workbench::CaseGoal& goal = m_model.goals()[static_cast<size_t>(m_model.node(node).goal)];
  const workbench::SplitOn on = splitOn(goal, cut.on);
  if ((on.guard < 0 && on.variable < 0) || !m_model.split(node, on))
    return false;
  const std::vector<int> children = m_model.node(node).children;
  for (int child : children)
    if (const CaseResult* result = m_results.find(m_model.node(child).goal, m_model.node(child).path))
      m_model.setResult(child, *result);
  showWork();
  Q_EMIT changed();
  return true;
}

bool CaseSession::join(const CaseAddress& where) {
  const int node = findCase(scene(), where);
  if (node < 0 || m_model.node(node).children.empty())
    return false;
  const std::vector<int> children = m_model.node(node).children;
  for (int child : children)
    remember(child);
  m_model.join(node);
  showWork();
  Q_EMIT changed();
  return true;
}

void CaseSession::remember(int node) {
  const CaseNode& gone = m_model.node(node);
  if (known(gone.result.status))
    m_results.add(gone.goal, gone.path, gone.result);
  for (int child : gone.children)
    remember(child);
}

std::vector<CaseSession::Cut> CaseSession::cutsFrom(int node) const {
  std::vector<Cut> cuts;
  std::vector<int> left{node};
  for (size_t at = 0; at < left.size(); ++at) {
    const CaseNode& here = m_model.node(left[at]);
    if (here.children.empty())
      continue;
    const CaseCondition& on = m_model.node(here.children.front()).path.back();
    const workbench::CaseGoal& goal = m_model.goals()[static_cast<size_t>(here.goal)];
    cuts.push_back({addressOf(scene(), left[at]), named(goal, {on.guard, on.variable})});
    left.insert(left.end(), here.children.begin(), here.children.end());
  }
  return cuts;
}

void CaseSession::apply(int goal, const CasePath& conditions, const CaseResult& result) {
  for (const CaseResults::Entry& entry : m_results.add(goal, conditions, result)) {
    show(entry);
    showCell(entry);
  }
  Q_EMIT changed();
}

void CaseSession::show(const CaseResults::Entry& entry) {
  const int node = findCase(scene(), entry.goal, entry.conditions);
  if (node < 0)
    return;
  const CaseStatus before = m_model.node(node).result.status;
  // Of a case that is cut, an answer that says nothing leaves what its parts say.
  if (entry.result.status == CaseStatus::Open && before != CaseStatus::Open)
    return;
  m_model.setResult(node, entry.result);
}

void CaseSession::showCell(const CaseResults::Entry& entry) {
  const auto cut = std::find_if(entry.conditions.begin(), entry.conditions.end(),
                                [](const CaseCondition& condition) { return condition.variable >= 0; });
  if (cut == entry.conditions.end())
    return;
  CasePath rest = entry.conditions;
  rest.erase(rest.begin() + (cut - entry.conditions.begin()));
  rest = sorted(std::move(rest));
  const std::vector<CasePath>& rows = m_model.goals()[static_cast<size_t>(entry.goal)].rows;
  for (size_t row = 0; row < rows.size(); ++row) {
    if (rows[row].size() != rest.size() || sorted(rows[row]) != rest)
      continue;
    MatrixCell& cell = m_model.matrix(entry.goal, cut->variable)
                           .cells[row * workbench::floatClassCount + static_cast<size_t>(cut->floatClass)];
    cell = {static_cast<int>(row), cut->floatClass, entry.result, true};
    Q_EMIT cellChanged(entry.goal, cut->variable, cell);
  }
}

void CaseSession::settle(int node) {
  want({m_model.node(node).goal, m_model.node(node).path});
  startNext();
}

void CaseSession::settleAllOpen() {
  for (const CaseNode& node : m_model.forest().nodes)
    if (node.children.empty() && node.result.status == CaseStatus::Open)
      want({node.goal, node.path});
  startNext();
}

void CaseSession::want(const Wanted& wanted) {
  if (!isWanted(wanted))
    m_queue.push_back(wanted);
}

bool CaseSession::isWanted(const Wanted& wanted) const {
  return std::any_of(m_open.begin(), m_open.end(), [&](const auto& open) { return open.second == wanted; }) ||
         std::find(m_queue.begin(), m_queue.end(), wanted) != m_queue.end();
}

void CaseSession::startNext() {
  while (!m_queue.empty() && m_open.size() < together) {
    const Wanted next = m_queue.front();
    m_queue.pop_front();
    if (const Ticket ticket = m_bench.settle(next.goal, next.path); ticket != 0)
      m_open.emplace(ticket, next);
  }
  showWork();
}

void CaseSession::settleMatrix(int goal, int variable) {
  if (matrixPending(goal, variable))
    return;
  if (const Ticket ticket = m_bench.settleMatrix(goal, variable); ticket != 0)
    m_matrices.emplace(ticket, std::pair(goal, variable));
  Q_EMIT pendingChanged();
}

void CaseSession::cancel() {
  m_queue.clear();
  std::vector<Ticket> tickets;
  tickets.reserve(m_open.size() + m_matrices.size());
  for (const auto& [ticket, wanted] : m_open)
    tickets.push_back(ticket);
  for (const auto& [ticket, matrix] : m_matrices)
    tickets.push_back(ticket);
  for (Ticket ticket : tickets)
    m_bench.cancel(ticket);
  showWork();
}

int CaseSession::pending() const {
  return static_cast<int>(m_queue.size() + m_open.size() + m_matrices.size());
}

bool CaseSession::matrixPending(int goal, int variable) const {
  return std::any_of(m_matrices.begin(), m_matrices.end(),
                     [&](const auto& open) { return open.second == std::pair(goal, variable); });
}

void CaseSession::showWork() {
  std::set<int> nodes;
  for (const auto& [ticket, wanted] : m_open)
    if (const int node = findCase(scene(), wanted.goal, wanted.path); node >= 0)
      nodes.insert(node);
  m_model.setWorking(std::move(nodes));
  Q_EMIT pendingChanged();
}

void CaseSession::onSettled(Ticket ticket, const CaseResult& result) {
  if (const auto open = m_open.find(ticket); open != m_open.end()) {
    const Wanted wanted = open->second;
    apply(wanted.goal, wanted.path, result);
  }
}

void CaseSession::onCell(Ticket ticket, const MatrixCell& cell) {
  const auto open = m_matrices.find(ticket);
  if (open == m_matrices.end())
    return;
  const auto [goal, variable] = open->second;
  const std::vector<CasePath>& rows = m_model.goals()[static_cast<size_t>(goal)].rows;
  if (!cell.known || cell.row < 0 || cell.row >= static_cast<int>(rows.size()))
    return;
  apply(goal, conditionsOf(goal, variable, cell), cell.result);
}

void CaseSession::onEnded(Ticket ticket) {
  if (m_open.erase(ticket) + m_matrices.erase(ticket) == 0)
    return;
  startNext();
}

} // namespace plumbline::views
