#include "core/method/coverage.h"

#include "core/method/stage_text.h"
#include "core/spec/in_place.h"
#include "core/spec/operators.h"
#include "core/spec/tensor_operators.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <set>

namespace plumbline::method {
namespace {

std::string reason(const Error& error) {
  return error.message + " [" + error.id + "]";
}

void listOperators(const torch::Graph& graph, CoverageEntry& entry) {
  std::set<std::string> operators;
  std::set<std::string> missing;
  for (const torch::Node& node : graph.nodes) {
    operators.insert(node.target);
    const std::string meant = torch::mutates(node) ? spec::withoutWrite(node).target : node.target;
    if (!spec::findOperator(meant) && !spec::findTensorOperator(meant))
      missing.insert(node.target);
  }
  entry.operators.assign(operators.begin(), operators.end());
  entry.missing.assign(missing.begin(), missing.end());
}

/// Shapes are checked node by node while the meaning is made.
void denoteInto(const torch::Graph& graph, CoverageEntry& entry) {
  logic::TermStore terms;
  const Expected<spec::Spec> spec = spec::denote(terms, graph);
  if (!spec) {
    const bool shape = spec.error().id == "shape-mismatch" || spec.error().id == "dtype-unsupported";
    (shape ? entry.shape : entry.denotation) = reason(spec.error());
    (shape ? entry.denotation : entry.shape) = shape ? "not reached: shape" : "not reached: denotation";
    entry.print = "not reached: denotation";
    return;
  }
  if (const Expected<std::string> text = leanText(terms, *spec); !text)
    entry.print = reason(text.error());
}

CoverageEntry coverageOf(const std::string& file) {
  const auto start = std::chrono::steady_clock::now();
  CoverageEntry entry;
  entry.file = file;
  if (const Expected<torch::Graph> graph = torch::readGraphFile(file)) {
    listOperators(*graph, entry);
    denoteInto(*graph, entry);
  } else {
    entry.import = reason(graph.error());
    entry.shape = entry.denotation = entry.print = "not reached: import";
  }
  entry.milliseconds =
      std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return entry;
}

Expected<std::vector<std::string>> graphFiles(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code code;
  if (fs::is_regular_file(folder, code))
    return std::vector<std::string>{folder};
  std::vector<std::string> files;
  for (fs::recursive_directory_iterator it(folder, code), end; !code && it != end; it.increment(code))
    if (it->path().extension() == ".json" || it->path().extension() == ".pt2")
      files.push_back(it->path().string());
  if (code)
    return fail(ErrorKind::File, "file-not-found", "cannot list " + folder + ": " + code.message(),
                "check the path");
  std::ranges::sort(files);
  return files;
}

} // namespace

Expected<std::vector<CoverageEntry>> coverage(const std::string& folder, const CoverageProgress& progress) {
  const Expected<std::vector<std::string>> files = graphFiles(folder);
  if (!files)
    return fail(files.error());
  std::vector<CoverageEntry> entries;
  entries.reserve(files->size());
  for (const std::string& file : *files) {
    if (progress)
      progress(entries.size(), files->size(), file);
    entries.push_back(coverageOf(file));
  }
  return entries;
}

} // namespace plumbline::method
