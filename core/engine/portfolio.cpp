#include "core/engine/portfolio.h"

#include <algorithm>

namespace plumbline::engine {
namespace {

using Clock = StopToken::Clock;
using Outcome = PortfolioResult::Outcome;

/// What the solver threads fill in. Shared, since a stopped solver may report after `run` has returned.
struct Race {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<SolverAnswer> answers;
  std::vector<bool> done;
  std::optional<size_t> winner; ///< the first decisive one

  bool allDone() const {
    return std::all_of(done.begin(), done.end(), [](bool each) { return each; });
  }

  void report(size_t index, SolverAnswer answer) {
    const std::lock_guard lock(mutex);
    if (!winner && answer.decisive())
      winner = index;
    answers[index] = std::move(answer);
    done[index] = true;
    changed.notify_all();
  }
};

/// Waits until all have answered, the grace after the first decisive answer has passed, or the user has
/// cancelled.
void wait(Race& race, std::chrono::milliseconds grace, const StopToken& stop) {
  constexpr std::chrono::milliseconds cancelPoll(10);
  std::unique_lock lock(race.mutex);
  while (!race.allDone() && !race.winner && !stop.stopRequested())
    race.changed.wait_for(lock, cancelPoll);
  if (race.winner && !race.allDone())
    race.changed.wait_for(lock, grace, [&] { return race.allDone(); });
}

Outcome outcomeOf(const std::vector<SolverAnswer>& answers) {
  bool sat = false;
  bool unsat = false;
  for (const SolverAnswer& answer : answers) {
    sat = sat || answer.status == SolverStatus::Sat;
    unsat = unsat || answer.status == SolverStatus::Unsat;
  }
  if (sat && unsat)
    return Outcome::Conflict;
  if (sat)
    return Outcome::Sat;
  return unsat ? Outcome::Unsat : Outcome::Unknown;
}

std::string_view outcomeName(Outcome outcome) {
  switch (outcome) {
  case Outcome::Unknown: return "unknown";
  case Outcome::Unsat: return "unsat";
  case Outcome::Sat: return "sat";
  case Outcome::Conflict: return "conflict";
  }
  return "unknown";
}

/// One file an engine: its answer as a comment, then the text that gave it.
std::vector<std::filesystem::path> saveConflict(const PortfolioResult& result,
                                                const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> saved;
  std::error_code code;
  std::filesystem::create_directories(folder, code);
  const std::string stem = "conflict-" + std::to_string(std::hash<std::string>()(result.queryText)) + "-";
  for (const SolverAnswer& answer : result.answers) {
    const std::filesystem::path path = folder / (stem + answer.engine + ".smt2");
    const std::string text = "; " + answer.engine + " answered " + std::string(statusName(answer.status)) +
                             "\n" + result.queryText;
    if (writeFile(path, text))
      saved.push_back(path);
  }
  return saved;
}

bool allMissing(const std::vector<SolverAnswer>& answers) {
  return std::all_of(answers.begin(), answers.end(),
                     [](const SolverAnswer& answer) { return answer.status == SolverStatus::Missing; });
}

PortfolioResult collect(Race& race, const SmtQuery& query) {
  PortfolioResult result;
  result.queryText = query.text;
  const std::lock_guard lock(race.mutex);
  result.answers = race.answers;
  result.outcome = outcomeOf(result.answers);
  if (race.winner && result.outcome != Outcome::Conflict)
    result.engine = result.answers[*race.winner].engine;
  if (result.outcome == Outcome::Sat)
    for (const SolverAnswer& answer : result.answers)
      if (!result.model && answer.model)
        result.model = answer.model;
  return result;
}

} // namespace

Json toJson(const PortfolioResult& result) {
  Json answers = Json::array();
  for (const SolverAnswer& answer : result.answers) {
    Json entry{{"engine", answer.engine}, {"result", statusName(answer.status)}};
    if (!answer.detail.empty())
      entry["detail"] = answer.detail;
    entry["time_ms"] = answer.timeMs;
    answers.push_back(std::move(entry));
  }
  return {{"engine", result.engine.empty() ? "portfolio" : result.engine},
          {"result", outcomeName(result.outcome)},
          {"artefact", result.queryText},
          {"time_ms", result.timeMs},
          {"answers", std::move(answers)}};
}

Portfolio::Portfolio(PortfolioOptions options) : m_options(std::move(options)) {
  for (const SolverSpec& spec : m_options.solvers)
    m_solvers.push_back(std::make_unique<Solver>(spec));
}

Portfolio::~Portfolio() = default;

void Portfolio::start() {
  for (const auto& solver : m_solvers)
    solver->start();
}

Expected<PortfolioResult> Portfolio::run(const SmtQuery& query, std::chrono::milliseconds limit,
                                         const StopToken& stop) {
  const Clock::time_point start = Clock::now();
  auto race = std::make_shared<Race>();
  race->answers.resize(m_solvers.size());
  race->done.resize(m_solvers.size());
  const StopToken own; // stops the slower solvers without touching the user's token
  for (size_t i = 0; i < m_solvers.size(); ++i) {
    race->answers[i].engine = m_solvers[i]->name();
    m_solvers[i]->ask(query, limit, own,
                      [race, i](SolverAnswer answer) { race->report(i, std::move(answer)); });
  }
  wait(*race, m_options.grace, stop);
  own.requestStop();
  PortfolioResult result = collect(*race, query);
  result.timeMs = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (allMissing(result.answers))
    return fail(ErrorKind::Tool, "solver-missing", "no SMT solver is installed",
                "install z3 or cvc5; `plumbline doctor` shows what was found");
  if (result.outcome == Outcome::Conflict && !m_options.conflictFolder.empty())
    result.saved = saveConflict(result, m_options.conflictFolder);
  return result;
}

} // namespace plumbline::engine
