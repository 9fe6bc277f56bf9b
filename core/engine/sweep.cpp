#include "core/engine/sweep.h"

#include "core/logic/term_json.h"

#include <cstdlib>

namespace plumbline::engine {
namespace {

constexpr const char* programName = "plumbline-sweep";

Json termsToJson(const SweepTask& task) {
  std::vector<logic::TermId> roots{task.left};
  roots.insert(roots.end(), task.rights.begin(), task.rights.end());
  roots.push_back(task.hypothesis);
  return logic::toJson(*task.store, roots);
}

Expected<std::string> requestLine(const SweepTask& task, uint64_t id) {
  const Json request{
      {"id", id},          {"terms", termsToJson(task)}, {"variables", Json::array({task.variable})},
      {"jobs", task.jobs}, {"from", task.from},          {"to", task.to}};
  try {
    return request.dump() + "\n";
  } catch (const Json::exception&) {
    return fail(ErrorKind::Tool, "sweep-request", "a name in the terms is not valid UTF-8", "rename it");
  }
}

tl::unexpected<Error> died(const Error& cause) {
  return fail(ErrorKind::Tool, "sweep-died", "the sweep process ended unexpectedly: " + cause.message,
              "run the command again; the other engines are tried instead");
}

tl::unexpected<Error> unreadableAnswer() {
  return fail(ErrorKind::Tool, "sweep-died", "the sweep process sent an answer that does not fit the request",
              "check that plumbline-sweep has the version of this program");
}

tl::unexpected<Error> refusal(const Json& error) {
  try {
    return fail(ErrorKind::Tool, error.at("id").get<std::string>(), error.at("message").get<std::string>(),
                error.at("next").get<std::string>());
  } catch (const Json::exception&) {
    return unreadableAnswer();
  }
}

/// An answer counts only when it covers what was asked.
bool coversTask(const SweepResult& result, const SweepTask& task) {
  if (result.outcome == SweepResult::Outcome::Equal)
    return result.checkedTo == task.to;
  return result.first && *result.first >= task.from && *result.first < task.to &&
         result.checkedTo == uint64_t{*result.first} + 1;
}

Expected<SweepResult> readReply(const Json& reply, const SweepTask& task, SweepResult result) {
  try {
    const auto outcome = reply.at("result").get<std::string>();
    if (outcome != "equal" && outcome != "different")
      return unreadableAnswer();
    result.outcome = outcome == "equal" ? SweepResult::Outcome::Equal : SweepResult::Outcome::Different;
    result.checkedTo = result.from + reply.at("checked").get<uint64_t>();
    if (result.outcome == SweepResult::Outcome::Different)
      result.first = reply.at("first").get<uint32_t>();
    result.timeMs = reply.at("time_ms").get<double>();
    result.compileMs = reply.at("compile_ms").get<double>();
    result.machine = reply.at("machine").get<std::string>();
  } catch (const Json::exception&) {
    return unreadableAnswer();
  }
  if (!coversTask(result, task))
    return unreadableAnswer();
  return result;
}

std::string_view outcomeName(SweepResult::Outcome outcome) {
  switch (outcome) {
  case SweepResult::Outcome::Equal: return "equal";
  case SweepResult::Outcome::Different: return "different";
  case SweepResult::Outcome::Interrupted: return "interrupted";
  }
  return "interrupted";
}

} // namespace

Json toJson(const SweepResult& result, const SweepTask& task) {
  Json json{{"engine", "sweep"},
            {"outcome", outcomeName(result.outcome)},
            {"from", result.from},
            {"checked_to", result.checkedTo}};
  if (result.first)
    json["first"] = *result.first;
  json["time_ms"] = result.timeMs;
  json["compile_ms"] = result.compileMs;
  json["machine"] = result.machine;
  json["variable"] = task.variable;
  json["terms"] = termsToJson(task);
  return json;
}

Sweeper::Sweeper(std::string program) : m_program(std::move(program)) {}

Sweeper::~Sweeper() {
  m_worker.submit([this] { m_child.kill(); });
}

void Sweeper::start() {
  m_worker.submit([this] { (void)ensureStarted(); });
}

pid_t Sweeper::childPid() {
  return m_worker.submit([this] { return m_child.pid(); }).get();
}

Expected<SweepResult> Sweeper::run(const SweepTask& task, const StopToken& stop,
                                   const SweepProgress& progress) {
  return m_worker.submit([&] { return runOnWorker(task, stop, progress); }).get();
}

Expected<void> Sweeper::ensureStarted() {
  if (m_child.running())
    return {};
  if (m_program.empty())
    m_program = findCompanion(programName);
  Expected<ChildProcess> child = ChildProcess::start({m_program.empty() ? programName : m_program});
  if (!child)
    return fail(ErrorKind::Tool, "sweep-missing", "cannot start plumbline-sweep: " + child.error().message,
                "it belongs beside the plumbline executable; set PLUMBLINE_LIBEXEC to its folder");
  m_child = std::move(*child);
  return {};
}

Expected<SweepResult> Sweeper::runOnWorker(const SweepTask& task, const StopToken& stop,
                                           const SweepProgress& progress) {
  if (Expected<void> started = ensureStarted(); !started)
    return fail(started.error());
  Expected<SweepResult> result = readResult(task, stop, progress);
  // A refusal leaves the child fit for the next task; after anything else that went wrong it is in an unknown
  // state.
  const bool interrupted = result && result->outcome == SweepResult::Outcome::Interrupted;
  if (interrupted || (!result && result.error().id == "sweep-died"))
    m_child.kill();
  return result;
}

Expected<SweepResult> Sweeper::readResult(const SweepTask& task, const StopToken& stop,
                                          const SweepProgress& progress) {
  const uint64_t id = m_nextId++;
  const Expected<std::string> request = requestLine(task, id);
  if (!request)
    return fail(request.error());
  SweepResult partial;
  partial.from = task.from;
  partial.checkedTo = task.from;
  const Expected<void> sent = m_child.write(*request, stop);
  Expected<std::string> line = sent ? m_child.readLine(stop) : fail(sent.error());
  for (; line; line = m_child.readLine(stop)) {
    const Expected<Json> reply = parseJson(*line, "the answer of plumbline-sweep");
    if (!reply || !reply->is_object() || reply->value("id", Json()) != id)
      return unreadableAnswer();
    if (const auto error = reply->find("error"); error != reply->end())
      return refusal(*error);
    const auto checkedTo = reply->find("progress");
    if (checkedTo == reply->end())
      return readReply(*reply, task, std::move(partial));
    if (!checkedTo->is_number_unsigned())
      return unreadableAnswer();
    partial.checkedTo = checkedTo->get<uint64_t>();
    if (progress)
      progress(partial.checkedTo);
  }
  if (line.error().id == "timeout")
    return partial;
  return died(line.error());
}

} // namespace plumbline::engine
