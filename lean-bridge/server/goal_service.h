// The part of the server that knows goals: elaborates each version of a document at once, lets the engines
// work in the background, and tells the client what changed.
#pragma once

#include "lean-bridge/server/goal_view.h"
#include "lean-bridge/server/goal_worker.h"
#include "lean-bridge/server/rpc_sessions.h"
#include "lean-bridge/server/server.h"

#include <atomic>

namespace plumbline::server {

struct GoalOptions {
  goals::Limits limits = {};
  bool useSolvers = true;  ///< z3, cvc5 and the sweep, where they are installed
  bool settleGoals = true; ///< false: goals stay without an answer
};

/// Adds goals to a server: `$/lean/plainGoal`, remote calls, `$/lean/fileProgress`, `$/plumbline/goals`,
/// diagnostics and code actions.
void installGoals(Server& server, const GoalOptions& options);

/// Lives as long as the server's handlers. Everything happens on the loop's thread, except in the worker.
class GoalService : public std::enable_shared_from_this<GoalService> {
public:
  GoalService(Server& server, const GoalOptions& options);

  void install();
  ElaborationPtr elaboration(const std::string& uri) const;

private:
  void changed(const SnapshotPtr& snapshot);
  void closed(const std::string& uri);
  void refresh();
  void show(const ElaborationPtr& elaboration);
  void wantAnswers();
  void plainGoal(const Json& params, const Reply& reply);
  void call(const Json& params, const Reply& reply);
  Json interactiveGoals(const ElaborationPtr& elaboration, const Json& params, const std::string& session);
  Json interactiveDiagnostics(const ElaborationPtr& elaboration, const Json& params) const;
  ElaborationPtr elaborationFor(const Json& params) const;
  lsp::RpcFormat format() const;
  goals::Lookup lookup();

  Server& m_server;
  GoalOptions m_options;
  std::map<std::string, ElaborationPtr> m_elaborations;
  RpcSessions m_sessions;
  std::shared_ptr<std::atomic<bool>> m_refreshPosted = std::make_shared<std::atomic<bool>>(false);
  std::unique_ptr<GoalWorker> m_worker;
};

} // namespace plumbline::server
