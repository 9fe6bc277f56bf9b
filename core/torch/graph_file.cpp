#include "core/torch/archive.h"
#include "core/torch/graph.h"

namespace plumbline::torch {

Expected<Graph> readGraphFile(const std::string& path) {
  if (path.ends_with(".pt2")) {
    auto document = readExportArchive(path);
    return document ? graphFromExportedJson(*document, path) : fail(document.error());
  }
  if (!path.ends_with(".json"))
    return fail(ErrorKind::Usage, "model-kind", "cannot tell what kind of model " + path + " is",
                "give a .py, a .pt2 or a graph .json");
  auto text = readFile(path);
  if (!text)
    return fail(text.error());
  auto json = parseJson(*text, path);
  if (!json)
    return fail(json.error());
  return json->is_object() && json->contains("plumbline_graph") ? graphFromJson(*json)
                                                                : graphFromExportedJson(*json, path);
}

} // namespace plumbline::torch
