#include "app/cli/cuda_coverage.h"

#include "app/cli/commands.h"
#include "app/cli/progress.h"
#include "core/ir/constructs.h"

#include <chrono>
#include <cstdio>

namespace plumbline::cli {
namespace {

using Clock = std::chrono::steady_clock;

struct KernelEntry {
  std::string name;
  std::set<std::string> constructs; ///< of a translated one
  std::set<std::string> rejections; ///< ids; empty: translated
};

struct FileEntry {
  std::string file;
  std::string error; ///< the file could not be read at all
  std::vector<KernelEntry> kernels;
  size_t launches = 0;          ///< contracts of wrappers that are one launch
  size_t programs = 0;          ///< ways through other wrappers
  bool whole = true;            ///< no wrapper is unread whatever it is called with
  std::set<std::string> unread; ///< ids
  double milliseconds = 0;
};

struct Totals {
  size_t kernels = 0;
  size_t translated = 0;
  size_t failed = 0; ///< files
  size_t withLaunch = 0;
  size_t whole = 0; ///< of them: with every wrapper
  double milliseconds = 0;
  double slowest = 0;
  std::map<std::string, size_t> constructs; ///< translated kernels that use it
  std::map<std::string, size_t> rejections; ///< kernels that it stops
  std::map<std::string, size_t> unread;     ///< files
};

FileEntry read(session::ImportChildren& children, const std::string& file) {
  FileEntry entry;
  entry.file = file;
  const Clock::time_point start = Clock::now();
  session::CheckOptions options;
  options.kernel = file;
  const Expected<session::ImportChildren::Candidate> candidate = children.readKernel(options, {});
  entry.milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  if (!candidate) {
    entry.error = candidate.error().id;
    return entry;
  }
  const ir::Module& module = candidate->imported.module;
  for (const ir::Kernel& kernel : module.kernels) {
    KernelEntry made;
    made.name = kernel.name;
    for (const Rejection& rejection : kernel.rejections)
      made.rejections.insert(rejection.id);
    if (made.rejections.empty())
      made.constructs = ir::constructsOf(module, kernel.function);
    entry.kernels.push_back(std::move(made));
  }
  entry.launches = candidate->imported.launches.size();
  entry.programs = candidate->imported.programs.size();
  for (const ir::UnreadWay& way : candidate->imported.unreadWays)
    entry.whole = entry.whole && !way.when.empty();
  for (const Rejection& unread : candidate->imported.unread)
    entry.unread.insert(unread.id);
  return entry;
}

Totals add(const std::vector<FileEntry>& files) {
  Totals totals;
  for (const FileEntry& file : files) {
    totals.failed += !file.error.empty();
    const bool read = file.launches + file.programs > 0;
    totals.withLaunch += read;
    totals.whole += read && file.whole;
    totals.milliseconds += file.milliseconds;
    totals.slowest = std::max(totals.slowest, file.milliseconds);
    for (const KernelEntry& kernel : file.kernels) {
      ++totals.kernels;
      totals.translated += kernel.rejections.empty();
      for (const std::string& id : kernel.constructs)
        ++totals.constructs[id];
      for (const std::string& id : kernel.rejections)
        ++totals.rejections[id];
    }
    for (const std::string& id : file.unread)
      ++totals.unread[id];
  }
  return totals;
}

Json toJson(const std::vector<FileEntry>& files, const Totals& totals) {
  Json list = Json::array();
  for (const FileEntry& file : files) {
    Json kernels = Json::array();
    for (const KernelEntry& kernel : file.kernels)
      kernels.push_back({{"name", kernel.name},
                         {"state", kernel.rejections.empty() ? "translated" : "rejected"},
                         {"constructs", kernel.constructs},
                         {"rejections", kernel.rejections}});
    list.push_back({{"file", file.file},
                    {"error", file.error},
                    {"kernels", std::move(kernels)},
                    {"launches", file.launches},
                    {"programs", file.programs},
                    {"unread", file.unread},
                    {"time_ms", file.milliseconds}});
  }
  return {{"schema", 1},
          {"files", std::move(list)},
          {"constructs", totals.constructs},
          {"rejections", totals.rejections},
          {"unread", totals.unread}};
}

std::string joined(const std::set<std::string>& ids) {
  std::string text;
  for (const std::string& id : ids)
    text += (text.empty() ? "" : " ") + id;
  return text;
}

std::string countTable(const char* title, const std::map<std::string, size_t>& counts) {
  std::string text = counts.empty() ? "" : std::string(title) + "\n";
  std::vector<std::pair<size_t, std::string>> rows;
  for (const auto& [id, count] : counts)
    rows.emplace_back(count, id);
  std::sort(rows.rbegin(), rows.rend());
  for (const auto& [count, id] : rows) {
    const std::string number = std::to_string(count);
    text += std::string(number.size() < 7 ? 7 - number.size() : 0, ' ') + number + "  " + id + "\n";
  }
  return text;
}

std::string table(const std::vector<FileEntry>& files, const Totals& totals) {
  std::string text;
  for (const FileEntry& file : files) {
    if (!file.error.empty())
      text += file.file + ": failed [" + file.error + "]\n";
    for (const KernelEntry& kernel : file.kernels)
      if (!kernel.rejections.empty())
        text += file.file + ": " + kernel.name + ": rejected [" + joined(kernel.rejections) + "]\n";
  }
  text += countTable("translated kernels that use", totals.constructs);
  text += countTable("kernels rejected for", totals.rejections);
  text += countTable("files with a launch that was not read for", totals.unread);
  char line[256];
  std::snprintf(line, sizeof line,
                "%zu files, %zu failed to parse, %zu with a launch contract (%zu for every wrapper); %zu "
                "kernels: %zu translated, %zu "
                "rejected; %.1f s, slowest file %.2f s\n",
                files.size(), totals.failed, totals.withLaunch, totals.whole, totals.kernels,
                totals.translated, totals.kernels - totals.translated, totals.milliseconds / 1000,
                totals.slowest / 1000);
  return text + line;
}

} // namespace

int cudaCoverage(const std::vector<std::string>& files, bool json) {
  session::ImportChildren children;
  std::vector<FileEntry> entries;
  Progress progress("import");
  for (const std::string& file : files) {
    progress(entries.size(), files.size(), file);
    entries.push_back(read(children, file));
  }
  const Totals totals = add(entries);
  if (!printOut(json ? prettyJson(toJson(entries, totals)) : table(entries, totals)))
    return 4;
  return totals.failed == 0 && totals.translated == totals.kernels ? 0 : 3;
}

} // namespace plumbline::cli
