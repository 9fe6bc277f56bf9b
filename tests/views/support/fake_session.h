// A session that computes nothing: the test says when a check ends and how.
#pragma once

#include "views/shell/session.h"

namespace plumbline::views::test {

class FakeSession : public Session {
public:
  using Session::Session;

  quint64 check(const workbench::Request& request) override {
    requests.push_back(request);
    Q_EMIT taskChanged(QStringLiteral("Checking"));
    return ++m_last;
  }
  void cancelAll() override { ++cancels; }
  Ticket settle(int, const workbench::CasePath&) override { return ++m_last; }
  Ticket settleMatrix(int, int) override { return ++m_last; }
  Ticket runInterpreter(int, const std::vector<uint32_t>&) override { return ++m_last; }
  Ticket runPyTorch(int, const std::vector<uint32_t>&) override { return ++m_last; }
  void cancel(Ticket ticket) override { Q_EMIT ended(ticket, true); }

  /// Ends the newest check, or the one with that number.
  void give(workbench::Snapshot snapshot, quint64 number = 0) {
    Q_EMIT checked(number == 0 ? m_last : number,
                   std::make_shared<const workbench::Snapshot>(std::move(snapshot)));
    Q_EMIT taskChanged(QString());
  }
  quint64 last() const { return m_last; }

  std::vector<workbench::Request> requests;
  int cancels = 0;

private:
  quint64 m_last = 0;
};

} // namespace plumbline::views::test
