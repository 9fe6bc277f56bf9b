#include "core/method/method.h"
#include "core/workbench/snapshot_builder.h"

namespace plumbline::workbench {

MethodText methodText(const session::Comparison& comparison, const std::map<std::string, int>& nodeOf) {
  MethodText result;
  if (!comparison.problem || !comparison.graph) {
    result.reason = "there is no method before both sides are read";
    return result;
  }
  Expected<method::MethodDocument> document =
      method::generateMethod(comparison.store, *comparison.graph, *comparison.problem);
  if (!document) {
    result.reason = toString(document.error());
    return result;
  }
  result.text = std::move(document->text);
  for (const velvet::LineOrigin& origin : document->lines) {
    MethodLine line;
    line.cuda = origin.cuda;
    line.locked = origin.locked;
    for (const std::string& node : origin.nodes)
      if (const auto found = nodeOf.find(node); found != nodeOf.end())
        line.nodes.push_back(found->second);
    result.lines.push_back(std::move(line));
  }
  return result;
}

} // namespace plumbline::workbench
