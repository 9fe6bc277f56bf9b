#include "core/spec/coverage.h"

#include "core/spec/spec.h"

#include <algorithm>
#include <filesystem>

namespace plumbline::spec {
namespace {

CoverageEntry coverageOf(const std::string& file) {
  CoverageEntry entry{file, false, false, std::nullopt};
  auto graph = torch::readGraphFile(file);
  if (!graph) {
    entry.error = graph.error();
    return entry;
  }
  entry.read = true;
  logic::TermStore terms;
  auto spec = denote(terms, *graph);
  entry.denoted = spec.has_value();
  if (!spec)
    entry.error = spec.error();
  return entry;
}

} // namespace

Expected<std::vector<CoverageEntry>> coverage(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code code;
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
    if (it->path().extension() == ".json" || it->path().extension() == ".pt2")
      files.push_back(it->path().string());
  if (code)
    return fail(ErrorKind::File, "file-not-found", "cannot list " + folder + ": " + code.message(),
                "check the path");
  std::ranges::sort(files);
  std::vector<CoverageEntry> entries;
  entries.reserve(files.size());
  for (const std::string& file : files)
    entries.push_back(coverageOf(file));
  return entries;
}

} // namespace plumbline::spec
