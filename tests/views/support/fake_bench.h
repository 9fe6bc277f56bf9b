// A bench that computes nothing: it keeps what was asked, and the test answers.
#pragma once

#include "views/shell/actions.h"
#include "views/shell/bench.h"
#include "views/shell/journal.h"
#include "views/shell/panel.h"

#include <QUndoStack>

namespace plumbline::views::test {

class FakeBench : public Bench {
public:
  struct Asked {
    Ticket ticket = 0;
    QString what; ///< "settle", "matrix", "interpreter", "pytorch"
    int caseGoal = -1;
    int variable = -1;
    workbench::CasePath path;
    std::vector<uint32_t> values;
  };

  using Bench::Bench;

  Ticket settle(int caseGoal, const workbench::CasePath& path) override {
    return ask({0, QStringLiteral("settle"), caseGoal, -1, path, {}});
  }
  Ticket settleMatrix(int caseGoal, int variable) override {
    return ask({0, QStringLiteral("matrix"), caseGoal, variable, {}, {}});
  }
  Ticket runInterpreter(int caseGoal, const std::vector<uint32_t>& values) override {
    return ask({0, QStringLiteral("interpreter"), caseGoal, -1, {}, values});
  }
  Ticket runPyTorch(int caseGoal, const std::vector<uint32_t>& values) override {
    return ask({0, QStringLiteral("pytorch"), caseGoal, -1, {}, values});
  }
  void cancel(Ticket ticket) override {
    cancelled.push_back(ticket);
    Q_EMIT ended(ticket, true);
  }

  std::vector<Asked> asked;
  std::vector<Ticket> cancelled;

private:
  Ticket ask(Asked what) {
    what.ticket = ++m_last;
    asked.push_back(std::move(what));
    return m_last;
  }
  Ticket m_last = 0;
};

/// Everything a panel needs.
struct Surroundings {
  Actions actions;
  FakeBench bench;
  Journal journal;
  QUndoStack undo;
  PanelContext context() { return {actions, bench, journal, undo}; }
};

} // namespace plumbline::views::test
