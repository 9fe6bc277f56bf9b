#include "core/base/json.h"
#include "core/workbench/project.h"

#include <algorithm>
#include <filesystem>

namespace plumbline::workbench {

namespace fs = std::filesystem;

namespace {

/// Where the samples may be, likeliest first.
std::vector<fs::path> sampleFolders() {
  std::vector<fs::path> folders;
  if (const char* given = std::getenv("PLUMBLINE_SAMPLES"))
    folders.emplace_back(given);
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (error)
    return folders;
  fs::path folder = executable.parent_path();
  folders.push_back(folder / ".." / "share" / "plumbline" / "samples");
  for (int level = 0; level < 4; ++level, folder = folder.parent_path())
    folders.push_back(folder / "resources" / "samples");
  return folders;
}

Sample readSample(const fs::path& folder) {
  Sample sample;
  sample.name = folder.filename().string();
  sample.title = sample.name;
  sample.model = (folder / "graph.json").lexically_normal().string();
  sample.kernel = (folder / "kernel.cu").lexically_normal().string();
  const std::string expectation = (folder / "expect.json").string();
  const Expected<std::string> text = readFile(expectation);
  const Expected<Json> json = text ? parseJson(*text, expectation) : tl::unexpected(text.error());
  if (!json || !json->is_object())
    return sample;
  if (const auto why = json->find("why"); why != json->end() && why->is_string())
    sample.title = why->get<std::string>();
  if (const auto ieee = json->find("ieee"); ieee != json->end() && ieee->is_object())
    if (const auto relation = ieee->find("relation"); relation != ieee->end() && relation->is_string())
      sample.relation = relation->get<std::string>();
  return sample;
}

} // namespace

std::vector<Sample> bundledSamples() {
  std::vector<Sample> samples;
  for (const fs::path& root : sampleFolders()) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(root, error))
      if (fs::exists(entry.path() / "graph.json") && fs::exists(entry.path() / "kernel.cu"))
        samples.push_back(readSample(entry.path()));
    if (!samples.empty())
      break;
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) { return a.name < b.name; });
  return samples;
}

} // namespace plumbline::workbench
