#include "core/ir/finding.h"

namespace plumbline::ir {
namespace {

Json threadToJson(const ThreadId& id) {
  return {{"block", id.block}, {"thread", id.thread}};
}

std::string coordinates(const std::array<int64_t, 3>& c) {
  return "(" + std::to_string(c[0]) + "," + std::to_string(c[1]) + "," + std::to_string(c[2]) + ")";
}

} // namespace

std::string_view name(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBounds: return "out-of-bounds";
  case FindingKind::Misaligned: return "misaligned";
  case FindingKind::UninitialisedRead: return "uninitialised-read";
  case FindingKind::RaceGrid: return "race-grid";
  case FindingKind::RaceBlock: return "race-block";
  case FindingKind::DivergentBarrier: return "divergent-barrier";
  case FindingKind::Overflow: return "overflow";
  case FindingKind::DivisionByZero: return "division-by-zero";
  case FindingKind::Incomplete: return "incomplete";
  case FindingKind::LaunchLimit: return "launch-limit";
  case FindingKind::Undefined: break;
  }
  return "undefined";
}

Json toJson(const RunFinding& finding) {
  Json json{{"kind", name(finding.kind)}, {"message", finding.message}};
  Json& spans = json["spans"] = Json::array();
  Json& threads = json["threads"] = Json::array();
  if (finding.where.known())
    spans.push_back(plumbline::toJson(finding.where));
  if (finding.hasThread)
    threads.push_back(threadToJson(finding.thread));
  if (finding.hasOther) {
    spans.push_back(plumbline::toJson(finding.otherWhere));
    threads.push_back(threadToJson(finding.otherThread));
  }
  if (!finding.buffer.empty())
    json["buffer"] = finding.buffer;
  if (finding.index >= 0)
    json["index"] = finding.index;
  json["count"] = finding.count;
  return json;
}

std::string print(const RunFinding& finding) {
  std::string text = finding.where.known() ? toString(finding.where) + ": " : "";
  text += finding.message + " [" + std::string(name(finding.kind)) + "]";
  if (finding.hasThread)
    text +=
        " in thread " + coordinates(finding.thread.thread) + " of block " + coordinates(finding.thread.block);
  if (finding.hasOther)
    text += ", against thread " + coordinates(finding.otherThread.thread) + " of block " +
            coordinates(finding.otherThread.block) + " at " + toString(finding.otherWhere);
  if (finding.count > 1)
    text += " (" + std::to_string(finding.count) + " times)";
  return text;
}

} // namespace plumbline::ir
