// The work on cases: cuts, requests, and results that arrive later.
#pragma once

#include "core/workbench/snapshot.h"
#include "views/cases/case_results.h"
#include "views/models/case_address.h"
#include "views/shell/bench.h"

#include <deque>
#include <map>

namespace plumbline::views {

class CasesModel;

/// Keeps the tree of a CasesModel up to date. Results belong to cases by their conditions: one that arrives
/// when its case has been joined away is remembered and shows up again with the case. GUI thread only.
class CaseSession : public QObject {
  Q_OBJECT
public:
  /// A cut: which case, and what it is cut on.
  struct Cut {
    CaseAddress where;
    NamedCondition on;
  };

  /// `bench` and `model` must outlive the session.
  CaseSession(Bench& bench, CasesModel& model, QObject* parent = nullptr);

  /// Starts over with the snapshot's cases. Cuts made by the user are made again when the same files are
  /// compared; no result is carried over. Does nothing for the revision it has.
  void setSnapshot(const workbench::SnapshotPtr& snapshot);

  CaseScene scene() const;

  /// False when there is no such case or the cut is not possible. Known results of the parts appear at once.
  bool split(const Cut& cut);
  bool join(const CaseAddress& where);
  /// All cuts at and below a case, outer ones first.
  std::vector<Cut> cutsFrom(int node) const;

  void settle(int node);
  /// Every case without children that is open and not under work.
  void settleAllOpen();
  void settleMatrix(int goal, int variable);
  /// Ends everything that was asked for.
  void cancel();

  /// Cases and matrices that are being worked on or wait for it.
  int pending() const;
  bool matrixPending(int goal, int variable) const;

Q_SIGNALS:
  void changed(); ///< cuts or results
  void cellChanged(int goal, int variable, const plumbline::workbench::MatrixCell& cell);
  void pendingChanged();

private:
  struct Wanted {
    int goal;
    workbench::CasePath path;
    bool operator==(const Wanted&) const = default;
  };

  void collectKnown();
  workbench::CasePath conditionsOf(int goal, int variable, const workbench::MatrixCell& cell) const;
  void recut(const std::vector<Cut>& cuts);
  void apply(int goal, const workbench::CasePath& conditions, const workbench::CaseResult& result);
  void show(const CaseResults::Entry& entry);
  void showCell(const CaseResults::Entry& entry);
  void remember(int node);
  void want(const Wanted& wanted);
  bool isWanted(const Wanted& wanted) const;
  void startNext();
  void showWork();
  void onSettled(Ticket ticket, const workbench::CaseResult& result);
  void onCell(Ticket ticket, const workbench::MatrixCell& cell);
  void onEnded(Ticket ticket);

  Bench& m_bench;
  CasesModel& m_model;
  workbench::SnapshotPtr m_snapshot;
  CaseResults m_results;
  std::deque<Wanted> m_queue;
  std::map<Ticket, Wanted> m_open;
  std::map<Ticket, std::pair<int, int>> m_matrices; ///< goal and variable
};

} // namespace plumbline::views
