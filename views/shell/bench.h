// What panels may ask to be computed. The work is done elsewhere; answers come as signals.
#pragma once

#include "core/workbench/snapshot.h"

#include <QObject>
#include <QString>

namespace plumbline::views {

/// Names one request; 0 is none.
using Ticket = quint64;

/// The engines as a panel sees them. GUI thread only; no call blocks. Each ticket gets `ended` exactly once,
/// after its results. A new check ends all open tickets as cancelled, and no result of theirs follows.
class Bench : public QObject {
  Q_OBJECT
public:
  using QObject::QObject;

  /// Settles one case; answered by `caseSettled`.
  virtual Ticket settle(int caseGoal, const workbench::CasePath& path) = 0;
  /// Settles all cells of a matrix; answered by `cellSettled` for each.
  virtual Ticket settleMatrix(int caseGoal, int variable) = 0;
  /// Run the kernel or the module on values of CaseGoal::variables; answered by `runFinished`.
  virtual Ticket runInterpreter(int caseGoal, const std::vector<uint32_t>& values) = 0;
  virtual Ticket runPyTorch(int caseGoal, const std::vector<uint32_t>& values) = 0;
  /// Ends a request; unknown tickets are ignored.
  virtual void cancel(Ticket ticket) = 0;

Q_SIGNALS:
  void caseSettled(plumbline::views::Ticket ticket, const plumbline::workbench::CaseResult& result);
  void cellSettled(plumbline::views::Ticket ticket, const plumbline::workbench::MatrixCell& cell);
  void runFinished(plumbline::views::Ticket ticket, const plumbline::workbench::RunResult& result);
  /// The request is over: nothing more comes for it.
  void ended(plumbline::views::Ticket ticket, bool cancelled);
};

} // namespace plumbline::views
