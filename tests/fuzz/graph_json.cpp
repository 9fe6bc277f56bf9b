// Exported-program JSON: a graph or a named error; a graph is written in a form that reads to the same, and
// has a meaning or a named error.
#include "core/torch/graph.h"
#include "tests/fuzz/denoted.h"

using namespace plumbline;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Expected<Json> json = parseJson(fuzz::text(data, size), "fuzz");
  if (!json)
    return 0;
  const Expected<torch::Graph> graph = torch::graphFromExportedJson(*json, "fuzz");
  if (!graph) {
    fuzz::check(!graph.error().id.empty() && !graph.error().message.empty(), "a named error");
    return 0;
  }
  const Json written = torch::toJson(*graph);
  const Expected<torch::Graph> again = torch::graphFromJson(written);
  fuzz::check(again.has_value(), "written graph reads");
  fuzz::check(torch::toJson(*again) == written, "writing is stable");
  fuzz::checkDenotation(*graph);
  return 0;
}
