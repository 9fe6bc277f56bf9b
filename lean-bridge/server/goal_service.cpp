#include "lean-bridge/server/goal_service.h"

#include "lean-bridge/server/goal_actions.h"

#include <unistd.h>

namespace plumbline::server {

namespace {

uint64_t sessionSeed() {
  const auto now = static_cast<uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  return now * 1000003 + static_cast<uint64_t>(::getpid());
}

} // namespace

GoalService::GoalService(Server& server, const GoalOptions& options)
    : m_server(server), m_options(options), m_sessions(sessionSeed()) {}

goals::Lookup GoalService::lookup() {
  return [worker = m_worker.get()](const goals::Goal& goal) { return worker->answers().find(goal.key); };
}

ElaborationPtr GoalService::elaboration(const std::string& uri) const {
  const auto found = m_elaborations.find(uri);
  return found == m_elaborations.end() ? nullptr : found->second;
}

ElaborationPtr GoalService::elaborationFor(const Json& params) const {
  return elaboration(lsp::stringAt(lsp::memberOf(params, "textDocument"), "uri"));
}

lsp::RpcFormat GoalService::format() const {
  return m_server.client().refsInFormatV1 ? lsp::RpcFormat::V1 : lsp::RpcFormat::V0;
}

// --- Versions and answers ---

void GoalService::changed(const SnapshotPtr& snapshot) {
  const ElaborationPtr made = elaborate(snapshot, lookup());
  m_elaborations[snapshot->uri] = made;
  wantAnswers();
  show(made);
}

void GoalService::closed(const std::string& uri) {
  m_elaborations.erase(uri);
  m_sessions.close(uri);
  wantAnswers();
}

void GoalService::wantAnswers() {
  if (!m_options.settleGoals)
    return;
  std::vector<GoalJob> jobs;
  for (const auto& [uri, elaboration] : m_elaborations)
    for (const goals::Goal& goal : elaboration->open)
      jobs.push_back({goal, elaboration});
  m_worker->want(std::move(jobs));
}

/// Answers have come in: what was waiting for them is made again.
void GoalService::refresh() {
  *m_refreshPosted = false;
  for (auto& [uri, known] : m_elaborations) {
    if (known->open.empty())
      continue;
    const size_t before = known->open.size();
    const ElaborationPtr made = elaborate(known->snapshot, lookup(), known);
    const bool isNew = made->open.size() != before;
    known = made;
    if (isNew)
      show(made);
  }
  wantAnswers();
}

void GoalService::show(const ElaborationPtr& elaboration) {
  const goals::Lookup answers = lookup();
  const Snapshot& snapshot = *elaboration->snapshot;
  m_server.publish("goals", snapshot.uri, snapshot.version, goalDiagnostics(*elaboration, answers));
  m_server.notify(lsp::DocumentGoals::method, lsp::toJson(documentGoals(*elaboration, answers)));
  m_server.notify("$/lean/fileProgress", lsp::toJson(progressOf(*elaboration)));
}

// --- Requests ---

void GoalService::plainGoal(const Json& params, const Reply& reply) {
  const ElaborationPtr elaboration = elaborationFor(params);
  const auto position = lsp::positionFromJson(lsp::memberOf(params, "position"));
  if (!elaboration || !position)
    return reply.result(nullptr);
  const auto shown = goalsAt(*elaboration, elaboration->snapshot->offset(*position), lookup());
  if (!shown || shown->empty()) // "no goals" would mean that Lean is content
    return reply.result(nullptr);
  std::vector<std::string> texts;
  for (const ShownGoal& goal : *shown)
    texts.push_back(plainText(goal));
  reply.result(lsp::toJson(lsp::plainGoalOf(std::move(texts))));
}

Json GoalService::interactiveGoals(const ElaborationPtr& elaboration, const Json& params,
                                   const std::string& session) {
  const auto position = lsp::positionFromJson(lsp::memberOf(params, "position"));
  if (!position)
    return nullptr;
  const auto shown = goalsAt(*elaboration, elaboration->snapshot->offset(*position), lookup());
  if (!shown || shown->empty())
    return nullptr;
  std::vector<lsp::InteractiveGoal> result;
  for (const ShownGoal& goal : *shown) {
    result.push_back(interactiveGoal(goal));
    result.back().context = m_sessions.refer(session);
  }
  return lsp::goalsJson(result, format());
}

Json GoalService::interactiveDiagnostics(const ElaborationPtr& elaboration, const Json& params) const {
  const Json& wanted = lsp::memberOf(params, "lineRange");
  const int first = lsp::intAt(wanted, "start").value_or(0);
  const int end = lsp::intAt(wanted, "end").value_or(INT32_MAX);
  const goals::Lookup answers = [worker = m_worker.get()](const goals::Goal& goal) {
    return worker->answers().find(goal.key);
  };
  Json result = Json::array();
  for (const lsp::Diagnostic& diagnostic : goalDiagnostics(*elaboration, answers)) {
    if (diagnostic.range.end.line < first || diagnostic.range.start.line >= end)
      continue;
    Json made = lsp::toJson(diagnostic);
    made["message"] = lsp::messageJson(diagnostic.message);
    result.push_back(std::move(made));
  }
  return result;
}

void GoalService::call(const Json& params, const Reply& reply) {
  const std::string uri = lsp::stringAt(lsp::memberOf(params, "textDocument"), "uri");
  const std::string session = lsp::stringAt(params, "sessionId");
  const std::string method = lsp::stringAt(params, "method");
  if (!m_sessions.isAlive(uri, session, RpcSessions::Clock::now()))
    return reply.error(lsp::ErrorCode::RpcNeedsReconnect, "Outdated RPC session");
  const ElaborationPtr known = elaboration(uri);
  if (!known)
    return reply.error(lsp::ErrorCode::ContentModified, "the document is not open");
  const Json& arguments = lsp::memberOf(params, "params");
  if (method == "Lean.Widget.getInteractiveGoals")
    return reply.result(interactiveGoals(known, arguments, session));
  if (method == "Lean.Widget.getInteractiveTermGoal")
    return reply.result(nullptr);
  if (method == "Lean.Widget.getInteractiveDiagnostics")
    return reply.result(interactiveDiagnostics(known, arguments));
  reply.error(lsp::ErrorCode::MethodNotFound, "no such remote method: " + method);
}

void GoalService::install() {
  // The worker never owns the service: it would have to wait for itself.
  const std::weak_ptr<GoalService> weak = weak_from_this();
  m_worker = std::make_unique<GoalWorker>(m_options.limits, m_options.useSolvers,
                                          [weak, server = &m_server, posted = m_refreshPosted] {
                                            if (posted->exchange(true))
                                              return;
                                            server->post([weak] {
                                              if (const auto alive = weak.lock())
                                                alive->refresh();
                                            });
                                          });
  const auto self = shared_from_this();
  m_server.onChange([self](const SnapshotPtr& snapshot) { self->changed(snapshot); });
  m_server.onClose([self](const std::string& uri) { self->closed(uri); });
  m_server.onRequest("$/lean/plainGoal",
                     [self](const Json& params, const Reply& reply) { self->plainGoal(params, reply); });
  m_server.onRequest("$/lean/plainTermGoal", [](const Json&, const Reply& reply) { reply.result(nullptr); });
  m_server.onRequest("$/lean/rpc/connect", [self](const Json& params, const Reply& reply) {
    const std::string uri = lsp::stringAt(params, "uri");
    if (!self->elaboration(uri))
      return reply.error(lsp::ErrorCode::InvalidParams, "the document is not open");
    reply.result({{"sessionId", self->m_sessions.connect(uri, RpcSessions::Clock::now())}});
  });
  m_server.onRequest("$/lean/rpc/call",
                     [self](const Json& params, const Reply& reply) { self->call(params, reply); });
  m_server.onNotification("$/lean/rpc/keepAlive", [self](const Json& params) {
    self->m_sessions.keepAlive(lsp::stringAt(params, "uri"), lsp::stringAt(params, "sessionId"),
                               RpcSessions::Clock::now());
  });
  m_server.onNotification("$/lean/rpc/release", [self](const Json& params) {
    self->m_sessions.release(lsp::stringAt(params, "uri"), lsp::stringAt(params, "sessionId"),
                             lsp::referencesIn(lsp::memberOf(params, "refs"), self->format()),
                             RpcSessions::Clock::now());
  });
  m_server.addCodeActions([self](const Snapshot& snapshot, const lsp::Range& range) {
    const ElaborationPtr known = self->elaboration(snapshot.uri);
    return known ? goalActions(*known, range, self->lookup()) : std::vector<lsp::CodeAction>();
  });
  m_server.capabilities()["experimental"]["rpcProvider"]["rpcWireFormat"] = "v1";
}

void installGoals(Server& server, const GoalOptions& options) {
  std::make_shared<GoalService>(server, options)->install();
}

} // namespace plumbline::server
