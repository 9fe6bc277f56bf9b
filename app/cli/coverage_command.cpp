// plumbline coverage: which programs of a folder can be read, checked, given a meaning and printed.
#include "app/cli/commands.h"
#include "app/cli/progress.h"

#include "core/method/coverage.h"

#include <algorithm>
#include <cstdio>

namespace plumbline::cli {
namespace {

using method::CoverageEntry;
using Entries = std::vector<CoverageEntry>;

Json toJson(const Entries& entries) {
  Json programs = Json::array();
  for (const CoverageEntry& entry : entries)
    programs.push_back({{"file", entry.file},
                        {"import", entry.import},
                        {"shape", entry.shape},
                        {"denotation", entry.denotation},
                        {"print", entry.print},
                        {"operators", entry.operators},
                        {"missing", entry.missing},
                        {"time_ms", entry.milliseconds}});
  return {{"schema", 1}, {"programs", programs}};
}

std::string mark(const std::string& state) {
  return state == "ok" ? "ok  " : state.starts_with("not reached") ? "-   " : "NO  ";
}

std::string milliseconds(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%7.1f", value);
  return text;
}

/// The first reason that is not a consequence of another.
std::string firstReason(const CoverageEntry& entry) {
  for (const std::string& state : {entry.import, entry.shape, entry.denotation, entry.print})
    if (state != "ok" && !state.starts_with("not reached"))
      return state;
  return {};
}

std::string totals(const Entries& entries) {
  auto count = [&](auto member) {
    return std::to_string(
        std::ranges::count_if(entries, [&](const CoverageEntry& entry) { return entry.*member == "ok"; }));
  };
  double time = 0;
  for (const CoverageEntry& entry : entries)
    time += entry.milliseconds;
  return std::to_string(entries.size()) + " programs: import " + count(&CoverageEntry::import) + ", shape " +
         count(&CoverageEntry::shape) + ", denotation " + count(&CoverageEntry::denotation) + ", print " +
         count(&CoverageEntry::print) + ";" + milliseconds(time) + " ms\n";
}

/// Missing operators, by the number of programs that they hold up.
std::string missingOperators(const Entries& entries) {
  std::map<std::string, size_t> uses;
  for (const CoverageEntry& entry : entries)
    for (const std::string& target : entry.missing)
      ++uses[target];
  std::string text;
  for (const auto& [target, count] : uses)
    text += "  " + target + " in " + std::to_string(count) + "\n";
  return text.empty() ? text : "operators without a denotation:\n" + text;
}

std::string table(const Entries& entries) {
  std::string text = "import shape denot. print    ms  operators  program\n";
  for (const CoverageEntry& entry : entries) {
    const std::string count = std::to_string(entry.operators.size());
    text += mark(entry.import) + "   " + mark(entry.shape) + "  " + mark(entry.denotation) + "   " +
            mark(entry.print) + milliseconds(entry.milliseconds) + std::string(11 - count.size(), ' ') +
            count + "  " + entry.file + "\n";
    if (const std::string reason = firstReason(entry); !reason.empty())
      text += "         " + reason + "\n";
  }
  return text + missingOperators(entries) + totals(entries);
}

} // namespace

int coverageCommand(const std::vector<std::string>& words) {
  const bool json = std::find(words.begin(), words.end(), "--json") != words.end();
  Expected<Arguments> arguments = parseArguments(words, {{"--json"}, {}, {}, 1});
  const Expected<Entries> entries = arguments
                                        ? method::coverage(arguments->positional[0], Progress("coverage"))
                                        : tl::unexpected(arguments.error());
  if (!entries)
    return report(entries.error(), json);
  if (!printOut(json ? prettyJson(toJson(*entries)) : table(*entries)))
    return 4;
  return std::ranges::all_of(*entries, &CoverageEntry::isComplete) ? 0 : 3;
}

} // namespace plumbline::cli
