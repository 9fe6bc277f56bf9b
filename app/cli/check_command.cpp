// plumbline check: one comparison, a verdict.
#include "app/cli/commands.h"

#include "core/session/check_pool.h"
#include "core/session/document_facts.h"
#include "core/session/pytorch_replay.h"
#include "core/session/save.h"

#include <csignal>
#include <cstdio>
#include <sstream>
#include <unistd.h>

namespace plumbline::cli {
namespace {

using session::CheckOptions;
using session::CheckOutcome;
using session::Relation;

/// Ctrl-C asks the check to stop; the children die with it.
const StopToken* interrupted = nullptr;
void onInterrupt(int) {
  if (interrupted != nullptr)
    interrupted->requestStop();
}

tl::unexpected<Error> usage(std::string message, std::string next) {
  return fail(ErrorKind::Usage, "usage", std::move(message), std::move(next));
}

Expected<void> readReadings(const Arguments& arguments, CheckOptions& options) {
  const auto found = arguments.values.find("--reading");
  if (found == arguments.values.end())
    return {};
  options.readings.clear();
  for (const std::string& text : found->second) {
    const Expected<session::Reading> reading = session::readingFromName(text);
    if (!reading)
      return fail(reading.error());
    options.readings.push_back(*reading);
  }
  return {};
}

Expected<std::set<Relation>> readAccepted(const Arguments& arguments) {
  std::set<Relation> accepted;
  std::istringstream list(arguments.value("--accept"));
  for (std::string text; std::getline(list, text, ',');) {
    const auto relation = session::relationFromName(text);
    if (!relation || *relation == Relation::Conflict)
      return usage("'" + text + "' is no relation that can be accepted",
                   "use equal-modulo, reassociated, undetermined or different");
    accepted.insert(*relation);
  }
  return accepted;
}

Expected<CheckOptions> readOptions(const Arguments& arguments) {
  CheckOptions options;
  options.model = arguments.positional[0];
  options.kernel = arguments.positional[1];
  if (Expected<void> done = readReadings(arguments, options); !done)
    return fail(done.error());
  if (const auto found = arguments.values.find("--assume"); found != arguments.values.end())
    options.assume = found->second;
  if (const auto found = arguments.values.find("--input"); found != arguments.values.end())
    options.inputs = found->second;
  options.mode = arguments.value("--mode", "train");
  if (options.mode != "train" && options.mode != "eval")
    return usage("mode '" + options.mode + "' is not known", "use train or eval");
  options.kernelName = arguments.value("--kernel");
  options.launchFile = arguments.value("--launch");
  options.exitedThreadsOk = arguments.flags.contains("--exited-threads-ok");
  const std::string replay = arguments.value("--replay");
  if (!replay.empty() && replay != "pytorch")
    return usage("replay on '" + replay + "' is not available", "use --replay pytorch");
  Expected<unsigned> jobs = parsePositive("--jobs", arguments.value("--jobs", "1"));
  Expected<unsigned> seconds = parsePositive("--timeout", arguments.value("--timeout", "120"));
  if (!jobs || !seconds)
    return fail(jobs ? seconds.error() : jobs.error());
  options.jobs = arguments.values.contains("--jobs") ? *jobs : 0;
  options.timeout = std::chrono::seconds(*seconds);
  return options;
}

int finish(CheckOutcome outcome, const std::set<Relation>& accepted, const Arguments& arguments,
           session::ImportChildren& children, const StopToken& stop) {
  const bool json = arguments.has("--json");
  if (!json && !printOut(session::print(outcome.verdict)))
    return 4;
  if (!arguments.value("--replay").empty()) {
    const std::string line = session::replayInPyTorch(outcome, children, stop);
    if (!json && !line.empty())
      printOut(line + "\n");
  }
  std::string folder = arguments.value("--out");
  // A contradiction is kept even when nobody asked: it is the most valuable thing a check can find.
  if (folder.empty() && overall(outcome.verdict) == Relation::Conflict) {
    folder = "plumbline-conflict-" + std::to_string(::getpid());
    std::fprintf(stderr, "plumbline: the files of the conflict are kept in %s\n", folder.c_str());
    if (Expected<void> ready = session::prepareFolder(folder); !ready)
      return report(ready.error(), json);
  }
  if (!folder.empty()) {
    if (Expected<void> saved = session::saveOutcome(folder, outcome.verdict); !saved)
      return report(saved.error(), json);
    if (Expected<void> saved = session::saveWitnessDocument(folder, outcome); !saved)
      return report(saved.error(), json);
  }
  if (json && !printOut(prettyJson(toJson(outcome.verdict))))
    return 4;
  return session::exitCode(outcome.verdict, accepted);
}

} // namespace

int checkCommand(const std::vector<std::string>& words) {
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  const ArgumentRules rules{
      {"--json", "--exited-threads-ok"},
      {"--accept", "--mode", "--kernel", "--launch", "--replay", "--out", "--timeout", "--jobs"},
      {"--reading", "--assume", "--input"},
      2};
  Expected<Arguments> arguments = parseArguments(words, rules);
  if (!arguments)
    return report(arguments.error(), json);
  Expected<CheckOptions> options = readOptions(*arguments);
  Expected<std::set<Relation>> accepted = readAccepted(*arguments);
  if (!options || !accepted)
    return report(options ? accepted.error() : options.error(), json);
  if (const std::string folder = arguments->value("--out"); !folder.empty())
    if (Expected<void> ready = session::prepareFolder(folder); !ready)
      return report(ready.error(), json);
  StopToken stop;
  interrupted = &stop;
  std::signal(SIGINT, onInterrupt);
  std::signal(SIGTERM, onInterrupt);
  const bool terminal = ::isatty(STDERR_FILENO) != 0;
  auto progress = [terminal](const std::string& text) {
    if (terminal)
      std::fprintf(stderr, "\r\033[K%s", text.c_str());
    else
      std::fprintf(stderr, "[plumbline] %s\n", text.c_str());
  };
  session::CheckPool pool;
  CheckOutcome outcome = session::runCheck(*options, pool, stop, progress);
  if (terminal)
    std::fputs("\r\033[K", stderr);
  return finish(std::move(outcome), *accepted, *arguments, pool.children, stop);
}

} // namespace plumbline::cli
