#include "lean-bridge/protocol/interactive.h"

#include <array>

namespace plumbline::lsp {
namespace {

struct StateName {
  const char* name;
  GoalState state;
};
constexpr std::array stateNames = {
    StateName{"open", GoalState::Open}, StateName{"running", GoalState::Running},
    StateName{"closed", GoalState::Closed}, StateName{"witnessed", GoalState::Witnessed},
    StateName{"conflict", GoalState::Conflict}};

/// A state that is unknown is no claim: open.
GoalState stateFrom(const std::string& name) {
  for (const StateName& row : stateNames)
    if (name == row.name)
      return row.state;
  return GoalState::Open;
}

const char* keyOf(RpcFormat format) {
  return format == RpcFormat::V1 ? "__rpcref" : "p";
}

std::vector<std::string> stringsAt(const Json& json, const char* key) {
  std::vector<std::string> out;
  if (const Json& list = memberOf(json, key); list.is_array())
    for (const Json& item : list)
      if (item.is_string())
        out.push_back(item.get<std::string>());
  return out;
}

void setIf(Json& json, const char* key, bool value) {
  if (value)
    json[key] = true;
}

Json toJson(const Hypothesis& hypothesis, RpcFormat format) {
  Json json{{"names", hypothesis.names},
            {"fvarIds", hypothesis.fvarIds},
            {"type", lsp::toJson(hypothesis.type, format)}};
  if (hypothesis.value)
    json["val"] = lsp::toJson(*hypothesis.value, format);
  setIf(json, "isInstance", hypothesis.isInstance);
  setIf(json, "isType", hypothesis.isType);
  setIf(json, "isInserted", hypothesis.isInserted);
  setIf(json, "isRemoved", hypothesis.isRemoved);
  return json;
}

Hypothesis hypothesisFromJson(const Json& json, RpcFormat format) {
  Hypothesis hypothesis;
  hypothesis.names = stringsAt(json, "names");
  hypothesis.fvarIds = stringsAt(json, "fvarIds");
  hypothesis.type = codeFromJson(memberOf(json, "type"), format);
  if (const Json& value = memberOf(json, "val"); !value.is_null())
    hypothesis.value = codeFromJson(value, format);
  hypothesis.isInstance = boolAt(json, "isInstance");
  hypothesis.isType = boolAt(json, "isType");
  hypothesis.isInserted = boolAt(json, "isInserted");
  hypothesis.isRemoved = boolAt(json, "isRemoved");
  return hypothesis;
}

Json toJson(const Vouching& vouching) {
  Json json{{"goal", vouching.goal}, {"state", toString(vouching.state)}, {"engines", vouching.engines}};
  if (!vouching.remark.empty())
    json["remark"] = vouching.remark;
  return json;
}

Vouching vouchingFromJson(const Json& json) {
  return {stringAt(json, "goal"), stateFrom(stringAt(json, "state")), stringsAt(json, "engines"),
          stringAt(json, "remark")};
}

std::string hypothesisText(const Hypothesis& hypothesis) {
  std::string line;
  for (const std::string& name : hypothesis.names)
    if (name != "[anonymous]")
      line += name + " ";
  line += ": " + hypothesis.type.text;
  return hypothesis.value ? line + " := " + hypothesis.value->text : line;
}

} // namespace

const char* toString(GoalState state) {
  for (const StateName& row : stateNames)
    if (state == row.state)
      return row.name;
  return "open";
}

Json toJson(const RpcRef& ref, RpcFormat format) {
  return Json{{keyOf(format), ref.id}};
}

std::optional<RpcRef> rpcRefFromJson(const Json& json, RpcFormat format) {
  if (!json.is_object() || json.size() != 1)
    return std::nullopt;
  const auto only = json.begin();
  if (only.key() != keyOf(format) || !only->is_string())
    return std::nullopt;
  return RpcRef{only->get<std::string>()};
}

std::vector<RpcRef> referencesIn(const Json& json, RpcFormat format) {
  std::vector<RpcRef> found;
  std::vector<const Json*> open{&json};
  while (!open.empty()) {
    const Json& node = *open.back();
    open.pop_back();
    if (std::optional<RpcRef> ref = rpcRefFromJson(node, format)) {
      found.push_back(std::move(*ref));
      continue;
    }
    if (node.is_structured())
      for (const Json& child : node)
        open.push_back(&child);
  }
  return found;
}

Json toJson(const InteractiveGoal& goal, RpcFormat format) {
  Json json{{"hyps", Json::array()}, {"type", toJson(goal.type, format)}};
  for (const Hypothesis& hypothesis : goal.hypotheses)
    json["hyps"].push_back(toJson(hypothesis, format));
  if (goal.context)
    json["ctx"] = toJson(*goal.context, format);
  if (!goal.userName.empty())
    json["userName"] = goal.userName;
  json["goalPrefix"] = goal.goalPrefix;
  json["mvarId"] = goal.mvarId;
  setIf(json, "isInserted", goal.isInserted);
  setIf(json, "isRemoved", goal.isRemoved);
  if (goal.vouching)
    json["plumbline"] = toJson(*goal.vouching);
  return json;
}

InteractiveGoal interactiveGoalFromJson(const Json& json, RpcFormat format) {
  InteractiveGoal goal;
  if (const Json& hypotheses = memberOf(json, "hyps"); hypotheses.is_array())
    for (const Json& hypothesis : hypotheses)
      goal.hypotheses.push_back(hypothesisFromJson(hypothesis, format));
  goal.type = codeFromJson(memberOf(json, "type"), format);
  goal.context = rpcRefFromJson(memberOf(json, "ctx"), format);
  goal.userName = stringAt(json, "userName");
  goal.goalPrefix = stringAt(json, "goalPrefix", "\u22a2 ");
  goal.mvarId = stringAt(json, "mvarId");
  goal.isInserted = boolAt(json, "isInserted");
  goal.isRemoved = boolAt(json, "isRemoved");
  if (const Json& vouching = memberOf(json, "plumbline"); vouching.is_object())
    goal.vouching = vouchingFromJson(vouching);
  return goal;
}

Json goalsJson(const std::vector<InteractiveGoal>& goals, RpcFormat format) {
  Json list = Json::array();
  for (const InteractiveGoal& goal : goals)
    list.push_back(toJson(goal, format));
  return Json{{"goals", std::move(list)}};
}

std::optional<std::vector<InteractiveGoal>> goalsFromJson(const Json& json, RpcFormat format) {
  const Json& list = memberOf(json, "goals");
  if (!list.is_array())
    return std::nullopt;
  std::vector<InteractiveGoal> goals;
  for (const Json& goal : list)
    goals.push_back(interactiveGoalFromJson(goal, format));
  return goals;
}

std::string goalText(const InteractiveGoal& goal) {
  std::string text;
  if (!goal.userName.empty() && goal.userName != "[anonymous]")
    text += "case " + goal.userName + "\n";
  for (const Hypothesis& hypothesis : goal.hypotheses)
    text += hypothesisText(hypothesis) + "\n";
  return text + goal.goalPrefix + goal.type.text;
}

std::string goalsText(const std::vector<InteractiveGoal>& goals) {
  if (goals.empty())
    return "No goals";
  std::string text;
  for (const InteractiveGoal& goal : goals)
    text += (text.empty() ? "" : "\n\n") + goalText(goal);
  return text;
}

std::optional<InteractiveTermGoal> termGoalFromJson(const Json& json, RpcFormat format) {
  const std::optional<Range> range = rangeFromJson(memberOf(json, "range"));
  if (!range)
    return std::nullopt;
  return InteractiveTermGoal{interactiveGoalFromJson(json, format), *range,
                             rpcRefFromJson(memberOf(json, "term"), format)};
}

std::vector<InteractiveDiagnostic> interactiveDiagnosticsFromJson(const Json& json, RpcFormat format) {
  std::vector<InteractiveDiagnostic> list;
  if (!json.is_array())
    return list;
  for (const Json& item : json) {
    std::optional<Diagnostic> diagnostic = diagnosticFromJson(item);
    if (!diagnostic)
      continue;
    InteractiveMessage message = messageFromJson(memberOf(item, "message"), format);
    diagnostic->message = message.code.text;
    list.push_back({std::move(*diagnostic), std::move(message)});
  }
  return list;
}

Json toJson(const DocumentGoals& goals) {
  Json list = Json::array();
  for (const DocumentGoal& goal : goals.goals) {
    Json item = toJson(goal.vouching);
    item["range"] = toJson(goal.range);
    if (goal.proof)
      item["proof"] = toJson(*goal.proof);
    item["kind"] = goal.kind;
    item["text"] = goal.text;
    list.push_back(std::move(item));
  }
  Json document = textDocumentJson(goals.uri);
  document["version"] = goals.version;
  return Json{
      {"textDocument", std::move(document)}, {"complete", goals.complete}, {"goals", std::move(list)}};
}

std::optional<DocumentGoals> documentGoalsFromJson(const Json& json) {
  const Json& document = memberOf(json, "textDocument");
  DocumentGoals goals{
      stringAt(document, "uri"), intAt(document, "version").value_or(0), boolAt(json, "complete"), {}};
  if (goals.uri.empty() || !memberOf(json, "goals").is_array())
    return std::nullopt;
  for (const Json& item : memberOf(json, "goals"))
    goals.goals.push_back({vouchingFromJson(item), rangeFromJson(memberOf(item, "range")).value_or(Range{}),
                           rangeFromJson(memberOf(item, "proof")), stringAt(item, "kind"),
                           stringAt(item, "text")});
  return goals;
}

} // namespace plumbline::lsp
