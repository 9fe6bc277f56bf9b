#include "lean-bridge/client/goal_fetcher.h"

namespace plumbline::lsp {

GoalFetcher::GoalFetcher(LanguageClient& client, QObject* parent) : QObject(parent), m_client(client) {
  m_delay.setSingleShot(true);
  connect(&m_delay, &QTimer::timeout, this, &GoalFetcher::ask);
  connect(&m_client, &LanguageClient::stateChanged, this, &GoalFetcher::schedule);
  connect(&m_client, &LanguageClient::documentChanged, this, [this](const std::string& changedUri) {
    if (changedUri == m_uri) {
      m_retriesLeft = retries;
      schedule();
    }
  });
}

void GoalFetcher::setPlace(const std::string& uri, Position position) {
  if (m_hasPlace && uri == m_uri && position == m_position)
    return;
  if (uri != m_uri || !m_session) {
    cancelRound();
    m_session = std::make_unique<RpcSession>(m_client, uri);
    connect(m_session.get(), &RpcSession::lost, this, [this] {
      if (m_round.open == 0) // calls that are under way are repeated by the session itself
        schedule();
    });
  }
  m_uri = uri;
  m_position = position;
  m_hasPlace = true;
  m_retriesLeft = retries;
  schedule();
}

void GoalFetcher::schedule() {
  if (m_hasPlace && !m_delay.isActive())
    m_delay.start(m_client.limits().goalDelay);
}

void GoalFetcher::cancelRound() {
  for (const int number : m_round.calls)
    if (m_session)
      m_session->cancel(number);
  if (m_round.plainRequest >= 0)
    m_client.cancel(m_round.plainRequest);
  const int next = m_round.number + 1;
  m_round = Round();
  m_round.number = next;
}

void GoalFetcher::show(GoalsAnswer&& answer) {
  m_answer = std::move(answer);
  emit changed();
}

void GoalFetcher::plainMessages(GoalsAnswer& answer) const {
  const DocumentState* document = m_client.document(m_uri);
  if (!document || !answer.messages.empty())
    return;
  for (const Diagnostic* diagnostic : document->messagesAtLine(m_position.line))
    answer.messages.push_back({*diagnostic, {{diagnostic->message, {}, false}, {}}});
}

void GoalFetcher::ask() {
  cancelRound();
  GoalsAnswer& fresh = m_round.answer;
  fresh.uri = m_uri;
  fresh.position = m_position;
  const DocumentState* document = m_client.document(m_uri);
  fresh.version = document ? document->version() : 0;
  if (m_client.state() != LanguageClient::State::Running || !document) {
    const std::optional<Error> error = m_client.lastError();
    fresh.message = error ? error->message : std::string();
    return show(std::move(fresh));
  }
  if (document->crashed()) {
    fresh.state = GoalsAnswer::State::Crashed;
    plainMessages(fresh);
    return show(std::move(fresh));
  }
  Json place = textDocumentPositionJson(m_uri, m_position);
  call("Lean.Widget.getInteractiveGoals", place, &GoalFetcher::takeGoals);
  call("Lean.Widget.getInteractiveTermGoal", place, &GoalFetcher::takeTermGoal);
  call("Lean.Widget.getInteractiveDiagnostics",
       Json{{"lineRange", {{"start", m_position.line}, {"end", m_position.line + 1}}}},
       &GoalFetcher::takeMessages);
  const bool elsewhere = m_answer.uri != m_uri || !(m_answer.position == m_position);
  if (elsewhere || m_answer.state == GoalsAnswer::State::NoServer) {
    GoalsAnswer waiting{
        GoalsAnswer::State::Waiting, m_uri, m_position, fresh.version, {}, false, {}, {}, {}, {}};
    plainMessages(waiting);
    show(std::move(waiting));
  }
}

void GoalFetcher::call(const char* method, Json params, void (GoalFetcher::*take)(RpcReply&&)) {
  ++m_round.open;
  const int round = m_round.number;
  m_round.calls.push_back(m_session->call(m_position, method, std::move(params),
                                          [self = QPointer(this), round, take](RpcReply&& reply) {
                                            if (self && round == self->m_round.number)
                                              (self->*take)(std::move(reply));
                                          }));
}

void GoalFetcher::takeGoals(RpcReply&& reply) {
  if (!reply.reply.ok()) {
    failed(reply.reply);
    if (!m_round.retry)
      askPlain();
    return done();
  }
  std::optional<std::vector<InteractiveGoal>> goals = goalsFromJson(reply.reply.result, m_session->format());
  m_round.answer.state = goals ? GoalsAnswer::State::Goals : GoalsAnswer::State::NoState;
  if (goals)
    m_round.answer.goals = std::move(*goals);
  m_round.answer.references.push_back(std::move(reply.references));
  done();
}

void GoalFetcher::takeTermGoal(RpcReply&& reply) {
  if (reply.reply.ok()) {
    m_round.answer.termGoal = termGoalFromJson(reply.reply.result, m_session->format());
    m_round.answer.references.push_back(std::move(reply.references));
  }
  done();
}

void GoalFetcher::takeMessages(RpcReply&& reply) {
  if (reply.reply.ok()) {
    m_round.answer.messages = interactiveDiagnosticsFromJson(reply.reply.result, m_session->format());
    m_round.answer.references.push_back(std::move(reply.references));
  }
  done();
}

/// Notes why a call failed. What an edit or a lost session caused is asked again.
void GoalFetcher::failed(const Reply& reply) {
  m_round.answer.state = GoalsAnswer::State::Failed;
  m_round.answer.message = reply.error ? reply.error->message : std::string();
  if (reply.local == LocalFailure::WorkerDown || reply.is(ErrorCode::WorkerCrashed) ||
      reply.is(ErrorCode::WorkerExited))
    m_round.answer.state = GoalsAnswer::State::Crashed;
  else if (reply.local == LocalFailure::NotRunning || reply.local == LocalFailure::ServerEnded)
    m_round.answer.state = GoalsAnswer::State::NoServer;
  else if (reply.is(ErrorCode::ContentModified))
    m_round.retry = m_retriesLeft > 0;
}

void GoalFetcher::askPlain() {
  if (m_round.answer.state != GoalsAnswer::State::Failed || m_round.plainAsked)
    return;
  m_round.plainAsked = true;
  ++m_round.open;
  const int round = m_round.number;
  m_round.plainRequest =
      m_client.documentRequest(m_uri, "$/lean/plainGoal", textDocumentPositionJson(m_uri, m_position),
                               [self = QPointer(this), round](Reply&& reply) {
                                 if (self && round == self->m_round.number)
                                   self->takePlain(std::move(reply));
                               });
}

void GoalFetcher::takePlain(Reply&& reply) {
  m_round.plainRequest = -1;
  if (reply.ok()) {
    m_round.answer.plain = true;
    const std::optional<PlainGoal> plain = plainGoalFromJson(reply.result);
    m_round.answer.state = plain ? GoalsAnswer::State::Goals : GoalsAnswer::State::NoState;
    m_round.answer.message.clear();
    if (plain)
      for (const std::string& text : plain->goals) {
        InteractiveGoal goal;
        goal.type.text = text;
        m_round.answer.goals.push_back(std::move(goal));
      }
  } else {
    failed(reply);
  }
  done();
}

void GoalFetcher::done() {
  if (--m_round.open > 0)
    return;
  if (m_round.retry) {
    --m_retriesLeft;
    m_delay.start(m_client.limits().goalDelay * (1 << (retries - m_retriesLeft)));
    return;
  }
  m_round.calls.clear();
  plainMessages(m_round.answer);
  show(std::move(m_round.answer));
}

} // namespace plumbline::lsp
