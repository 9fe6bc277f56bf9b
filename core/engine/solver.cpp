#include "core/engine/solver.h"

namespace plumbline::engine {
namespace {

/// A solver that keeps to its own limit answers before this much more has passed; one that does not is
/// killed.
constexpr std::chrono::milliseconds overtime(300);

std::string valueQuestion(const SmtQuery& query) {
  std::string text = "(get-value (";
  for (const SmtVariable& variable : query.variables)
    text += variable.expression + " ";
  return text + "))\n";
}

SolverStatus statusOf(std::string_view firstLine) {
  if (firstLine == "sat")
    return SolverStatus::Sat;
  if (firstLine == "unsat")
    return SolverStatus::Unsat;
  if (firstLine == "timeout")
    return SolverStatus::Timeout;
  return firstLine == "unknown" ? SolverStatus::Unknown : SolverStatus::Error;
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \n\r\t") + 1);
  return text;
}

} // namespace

SolverSpec SolverSpec::z3() {
  return {"z3", {"z3", "-in"}, ":timeout"};
}

SolverSpec SolverSpec::cvc5() {
  return {"cvc5", {"cvc5", "--incremental", "--lang", "smt2", "--produce-models"}, ":tlimit-per"};
}

std::string_view statusName(SolverStatus status) {
  switch (status) {
  case SolverStatus::NotRun: return "not-run";
  case SolverStatus::Unsat: return "unsat";
  case SolverStatus::Sat: return "sat";
  case SolverStatus::Unknown: return "unknown";
  case SolverStatus::Timeout: return "timeout";
  case SolverStatus::Missing: return "solver-missing";
  case SolverStatus::Died: return "solver-died";
  case SolverStatus::Error: return "solver-error";
  }
  return "not-run";
}

Solver::Solver(SolverSpec spec) : m_spec(std::move(spec)) {}

Solver::~Solver() {
  m_worker.submit([this] { m_child.kill(); });
}

void Solver::start() {
  m_worker.submit([this] { (void)ensureStarted(); });
}

pid_t Solver::childPid() {
  return m_worker.submit([this] { return m_child.pid(); }).get();
}

void Solver::ask(const SmtQuery& query, std::chrono::milliseconds limit, const StopToken& stop,
                 std::function<void(SolverAnswer)> done) {
  m_worker.submit([this, query, limit, stop, done = std::move(done)] {
    const bool stopped = stop.stopRequested();
    done(answer(query, limit, stop));
    // A stopped solver was killed; the next query finds a warm one.
    if (!stopped && !m_child.running())
      (void)ensureStarted();
  });
}

SolverAnswer Solver::askAndWait(const SmtQuery& query, std::chrono::milliseconds limit,
                                const StopToken& stop) {
  return m_worker.submit([&] { return answer(query, limit, stop); }).get();
}

Expected<void> Solver::ensureStarted() {
  if (m_child.running())
    return {};
  ChildProcess::Options options;
  options.memoryLimitBytes = m_spec.memoryLimitBytes;
  Expected<ChildProcess> child = ChildProcess::start(m_spec.command, options);
  if (!child)
    return fail(child.error());
  m_child = std::move(*child);
  return {};
}

SolverAnswer Solver::answer(const SmtQuery& query, std::chrono::milliseconds limit, const StopToken& stop) {
  SolverAnswer result;
  result.engine = m_spec.name;
  if (stop.stopRequested())
    return result;
  if (Expected<void> started = ensureStarted(); !started) {
    result.status = SolverStatus::Missing;
    result.detail = started.error().message;
    return result;
  }
  const auto start = StopToken::Clock::now();
  Expected<SolverAnswer> exchanged = exchange(query, limit, stop.withTimeout(limit + overtime));
  if (exchanged) {
    result = std::move(*exchanged);
    result.engine = m_spec.name;
  } else {
    m_child.kill();
    result.status = exchanged.error().id == "timeout" ? SolverStatus::Timeout : SolverStatus::Died;
    result.detail = exchanged.error().message;
  }
  result.timeMs = std::chrono::duration<double, std::milli>(StopToken::Clock::now() - start).count();
  return result;
}

/// Sends text and returns what comes back before the echo of a marker that no answer contains.
Expected<std::string> Solver::send(const std::string& text, const StopToken& stop) {
  const std::string marker = "plumbline-end-" + std::to_string(m_nextMarker++);
  if (Expected<void> sent = m_child.write(text + "(echo \"" + marker + "\")\n", stop); !sent)
    return fail(sent.error());
  std::string reply;
  while (true) {
    const Expected<std::string> line = m_child.readLine(stop);
    if (!line)
      return fail(line.error());
    if (*line == marker || *line == "\"" + marker + "\"")
      return trimmed(std::move(reply));
    reply += *line + "\n";
  }
}

Expected<SolverAnswer> Solver::exchange(const SmtQuery& query, std::chrono::milliseconds limit,
                                        const StopToken& stop) {
  const std::string options = "(reset)\n(set-option " + m_spec.timeLimitOption + " " +
                              std::to_string(std::max<int64_t>(1, limit.count())) + ")\n";
  const Expected<std::string> reply = send(options + query.text, stop);
  if (!reply)
    return fail(reply.error());
  SolverAnswer result;
  result.status = statusOf(*reply);
  // After an error a solver goes on with what it understood; its verdict is then about another question.
  if (result.status == SolverStatus::Error)
    result.detail = *reply;
  if (result.status == SolverStatus::Sat)
    return withModel(query, std::move(result), stop);
  if (result.status == SolverStatus::Unknown) {
    Expected<std::string> reason = send("(get-info :reason-unknown)\n", stop);
    if (!reason)
      return fail(reason.error());
    if (reason->find("timeout") != std::string::npos)
      result.status = SolverStatus::Timeout;
    result.detail = std::move(*reason);
  }
  return result;
}

Expected<SolverAnswer> Solver::withModel(const SmtQuery& query, SolverAnswer answer, const StopToken& stop) {
  if (query.variables.empty()) {
    answer.model.emplace();
    return answer;
  }
  const Expected<std::string> values = send(valueQuestion(query), stop);
  if (!values)
    return fail(values.error());
  Expected<SmtModel> model = parseModel(*values, query);
  if (model)
    answer.model = std::move(*model);
  else
    answer.detail = model.error().message;
  return answer;
}

} // namespace plumbline::engine
