#include "lean-bridge/protocol/structures.h"

#include "lean-bridge/protocol/text_document.h"

#include <algorithm>
#include <limits>

namespace plumbline::lsp {
namespace {

Json toJson(const RelatedInformation& related);
Json toJson(const ProgressRange& progress);
Json toJson(const TextDocumentEdit& edit);

/// Reads each element of a list; elements that cannot be read are left out.
template <class T, class Read> std::vector<T> listFrom(const Json& json, Read read) {
  std::vector<T> list;
  if (json.is_array())
    for (const Json& item : json)
      if (std::optional<T> value = read(item))
        list.push_back(std::move(*value));
  return list;
}

template <class T> Json listJson(const std::vector<T>& list) {
  Json json = Json::array();
  for (const T& item : list)
    json.push_back(toJson(item));
  return json;
}

template <class Tag> std::vector<Tag> tagsFrom(const Json& json, int first, int last) {
  return listFrom<Tag>(json, [&](const Json& item) -> std::optional<Tag> {
    if (!item.is_number_integer() || item.get<int64_t>() < first || item.get<int64_t>() > last)
      return std::nullopt;
    return static_cast<Tag>(item.get<int>());
  });
}

template <class Tag> Json tagsJson(const std::vector<Tag>& tags) {
  Json json = Json::array();
  for (Tag tag : tags)
    json.push_back(static_cast<int>(tag));
  return json;
}

Json toJson(const RelatedInformation& related) {
  return Json{{"location", toJson(Location{related.uri, related.range})}, {"message", related.message}};
}

std::optional<Location> locationFromJson(const Json& json) {
  const bool link = json.is_object() && json.contains("targetUri");
  const std::string uri = stringAt(json, link ? "targetUri" : "uri");
  std::optional<Range> range = rangeFromJson(memberOf(json, link ? "targetSelectionRange" : "range"));
  if (!range && link)
    range = rangeFromJson(memberOf(json, "targetRange"));
  if (uri.empty() || !range)
    return std::nullopt;
  return Location{uri, *range};
}

std::optional<RelatedInformation> relatedFromJson(const Json& json) {
  const std::optional<Location> where = locationFromJson(memberOf(json, "location"));
  if (!where)
    return std::nullopt;
  return RelatedInformation{where->uri, where->range, stringAt(json, "message")};
}

Json toJson(const ProgressRange& progress) {
  return Json{{"range", toJson(progress.range)}, {"kind", static_cast<int>(progress.kind)}};
}

std::optional<ProgressRange> progressRangeFromJson(const Json& json) {
  const std::optional<Range> range = rangeFromJson(memberOf(json, "range"));
  if (!range)
    return std::nullopt;
  const bool fatal = intAt(json, "kind") == static_cast<int>(ProgressKind::FatalError);
  return ProgressRange{*range, fatal ? ProgressKind::FatalError : ProgressKind::Processing};
}

Json toJson(const TextDocumentEdit& edit) {
  Json document{{"uri", edit.uri}, {"version", edit.version ? Json(*edit.version) : Json(nullptr)}};
  return Json{{"textDocument", std::move(document)}, {"edits", listJson(edit.edits)}};
}

} // namespace

const Json& memberOf(const Json& json, const char* key) {
  static const Json none = nullptr;
  if (!json.is_object())
    return none;
  const auto found = json.find(key);
  return found != json.end() ? *found : none;
}

std::string stringAt(const Json& json, const char* key, const std::string& otherwise) {
  const Json& value = memberOf(json, key);
  return value.is_string() ? value.get<std::string>() : otherwise;
}

std::optional<int> intAt(const Json& json, const char* key) {
  const Json& value = memberOf(json, key);
  if (!value.is_number_integer())
    return std::nullopt;
  constexpr int64_t most = std::numeric_limits<int>::max();
  if (value.is_number_unsigned() && value.get<uint64_t>() > static_cast<uint64_t>(most))
    return std::nullopt;
  const auto number = value.get<int64_t>();
  if (number > most || number < std::numeric_limits<int>::min())
    return std::nullopt;
  return static_cast<int>(number);
}

bool boolAt(const Json& json, const char* key, bool otherwise) {
  const Json& value = memberOf(json, key);
  return value.is_boolean() ? value.get<bool>() : otherwise;
}

Json toJson(Position position) {
  return Json{{"line", position.line}, {"character", position.character}};
}

Json toJson(const Range& range) {
  return Json{{"start", toJson(range.start)}, {"end", toJson(range.end)}};
}

std::optional<Position> positionFromJson(const Json& json) {
  // Some clients send 2^31 or more for "to the end"; that is clamped, not refused.
  const auto coordinate = [&](const char* key) -> std::optional<int> {
    const Json& value = memberOf(json, key);
    if (!value.is_number_integer())
      return std::nullopt;
    if (const std::optional<int> number = intAt(json, key))
      return std::max(0, *number);
    return value.is_number_unsigned() ? std::numeric_limits<int>::max() : 0;
  };
  const std::optional<int> line = coordinate("line");
  const std::optional<int> character = coordinate("character");
  if (!line || !character)
    return std::nullopt;
  return Position{*line, *character};
}

std::optional<Range> rangeFromJson(const Json& json) {
  const std::optional<Position> start = positionFromJson(memberOf(json, "start"));
  const std::optional<Position> end = positionFromJson(memberOf(json, "end"));
  if (!start || !end)
    return std::nullopt;
  return Range{*start, *end};
}

bool Diagnostic::has(LeanTag tag) const {
  return std::find(leanTags.begin(), leanTags.end(), tag) != leanTags.end();
}

Json toJson(const Diagnostic& diagnostic) {
  Json json{{"range", toJson(diagnostic.range)}};
  if (diagnostic.fullRange)
    json["fullRange"] = toJson(*diagnostic.fullRange);
  if (diagnostic.hasSeverity)
    json["severity"] = static_cast<int>(diagnostic.severity);
  if (!diagnostic.code.empty())
    json["code"] = diagnostic.code;
  if (!diagnostic.source.empty())
    json["source"] = diagnostic.source;
  json["message"] = diagnostic.message;
  if (!diagnostic.tags.empty())
    json["tags"] = tagsJson(diagnostic.tags);
  if (!diagnostic.leanTags.empty())
    json["leanTags"] = tagsJson(diagnostic.leanTags);
  if (diagnostic.isSilent)
    json["isSilent"] = true;
  if (!diagnostic.related.empty())
    json["relatedInformation"] = listJson(diagnostic.related);
  if (!diagnostic.data.is_null())
    json["data"] = diagnostic.data;
  return json;
}

std::optional<Diagnostic> diagnosticFromJson(const Json& json) {
  const std::optional<Range> range = rangeFromJson(memberOf(json, "range"));
  if (!range)
    return std::nullopt;
  Diagnostic diagnostic;
  diagnostic.range = *range;
  diagnostic.fullRange = rangeFromJson(memberOf(json, "fullRange"));
  const std::optional<int> severity = intAt(json, "severity");
  diagnostic.hasSeverity = severity && *severity >= 1 && *severity <= 4;
  if (diagnostic.hasSeverity)
    diagnostic.severity = static_cast<Severity>(*severity);
  const Json& code = memberOf(json, "code");
  diagnostic.code = code.is_number_integer() ? code.dump() : stringAt(json, "code");
  diagnostic.source = stringAt(json, "source");
  diagnostic.message = stringAt(json, "message");
  diagnostic.tags = tagsFrom<DiagnosticTag>(memberOf(json, "tags"), 1, 2);
  diagnostic.leanTags = tagsFrom<LeanTag>(memberOf(json, "leanTags"), 1, 2);
  diagnostic.isSilent = boolAt(json, "isSilent");
  diagnostic.related = listFrom<RelatedInformation>(memberOf(json, "relatedInformation"), relatedFromJson);
  diagnostic.data = memberOf(json, "data");
  return diagnostic;
}

Json toJson(const PublishDiagnostics& publish) {
  Json json{{"uri", publish.uri}};
  if (publish.version)
    json["version"] = *publish.version;
  if (publish.isIncremental)
    json["isIncremental"] = true;
  json["diagnostics"] = listJson(publish.diagnostics);
  return json;
}

std::optional<PublishDiagnostics> publishDiagnosticsFromJson(const Json& json) {
  PublishDiagnostics publish;
  publish.uri = stringAt(json, "uri");
  if (publish.uri.empty() || !memberOf(json, "diagnostics").is_array())
    return std::nullopt;
  publish.version = intAt(json, "version");
  publish.isIncremental = boolAt(json, "isIncremental");
  publish.diagnostics = listFrom<Diagnostic>(memberOf(json, "diagnostics"), diagnosticFromJson);
  return publish;
}

bool FileProgress::failed() const {
  return std::any_of(processing.begin(), processing.end(),
                     [](const ProgressRange& part) { return part.kind == ProgressKind::FatalError; });
}

bool FileProgress::finished() const {
  return std::all_of(processing.begin(), processing.end(),
                     [](const ProgressRange& part) { return part.kind == ProgressKind::FatalError; });
}

Json toJson(const FileProgress& progress) {
  Json document = textDocumentJson(progress.uri);
  if (progress.version)
    document["version"] = *progress.version;
  return Json{{"textDocument", std::move(document)}, {"processing", listJson(progress.processing)}};
}

std::optional<FileProgress> fileProgressFromJson(const Json& json) {
  FileProgress progress;
  const Json& document = memberOf(json, "textDocument");
  progress.uri = stringAt(document, "uri");
  if (progress.uri.empty() || !memberOf(json, "processing").is_array())
    return std::nullopt;
  progress.version = intAt(document, "version");
  progress.processing = listFrom<ProgressRange>(memberOf(json, "processing"), progressRangeFromJson);
  return progress;
}

Json toJson(const Location& location) {
  return Json{{"uri", location.uri}, {"range", toJson(location.range)}};
}

std::vector<Location> locationsFromJson(const Json& json) {
  if (json.is_array())
    return listFrom<Location>(json, locationFromJson);
  const std::optional<Location> one = locationFromJson(json);
  return one ? std::vector<Location>{*one} : std::vector<Location>{};
}

Json toJson(const TextEdit& edit) {
  return Json{{"range", toJson(edit.range)}, {"newText", edit.newText}};
}

std::optional<TextEdit> textEditFromJson(const Json& json) {
  const std::optional<Range> range = rangeFromJson(memberOf(json, "range"));
  if (!range || !memberOf(json, "newText").is_string())
    return std::nullopt;
  return TextEdit{*range, stringAt(json, "newText")};
}

Json toJson(const WorkspaceEdit& edit) {
  return Json{{"documentChanges", listJson(edit.documents)}};
}

std::optional<WorkspaceEdit> workspaceEditFromJson(const Json& json) {
  if (!json.is_object())
    return std::nullopt;
  WorkspaceEdit edit;
  if (const Json& documents = memberOf(json, "documentChanges"); documents.is_array()) {
    for (const Json& item : documents) {
      if (item.is_object() && item.contains("kind")) {
        edit.hasFileOperations = true;
        continue;
      }
      const Json& document = memberOf(item, "textDocument");
      edit.documents.push_back({stringAt(document, "uri"), intAt(document, "version"),
                                listFrom<TextEdit>(memberOf(item, "edits"), textEditFromJson)});
    }
  } else if (const Json& changes = memberOf(json, "changes"); changes.is_object()) {
    for (const auto& [uri, edits] : changes.items())
      edit.documents.push_back({uri, std::nullopt, listFrom<TextEdit>(edits, textEditFromJson)});
  }
  return edit;
}

Expected<std::string> applyEdits(const std::string& text, const std::vector<TextEdit>& edits) {
  struct Piece {
    size_t begin;
    size_t end;
    const std::string* text;
  };
  const TextDocument document(text);
  std::vector<Piece> pieces;
  for (const TextEdit& edit : edits) {
    const auto [begin, end] = document.bytes(edit.range);
    pieces.push_back({begin, end, &edit.newText});
  }
  std::stable_sort(pieces.begin(), pieces.end(),
                   [](const Piece& a, const Piece& b) { return a.begin < b.begin; });
  std::string out;
  size_t at = 0;
  for (const Piece& piece : pieces) {
    if (piece.begin < at)
      return fail(ErrorKind::Tool, "edits-overlap", "two edits of one change overlap",
                  "ask for the change again");
    out.append(text, at, piece.begin - at).append(*piece.text);
    at = piece.end;
  }
  return out.append(text, at, std::string::npos);
}

Json toJson(const CodeAction& action) {
  Json json{{"title", action.title}};
  if (!action.kind.empty())
    json["kind"] = action.kind;
  if (action.isPreferred)
    json["isPreferred"] = true;
  if (action.edit)
    json["edit"] = toJson(*action.edit);
  if (!action.disabledReason.empty())
    json["disabled"] = Json{{"reason", action.disabledReason}};
  if (!action.data.is_null())
    json["data"] = action.data;
  return json;
}

std::optional<CodeAction> codeActionFromJson(const Json& json) {
  CodeAction action;
  action.title = stringAt(json, "title");
  if (action.title.empty())
    return std::nullopt;
  action.kind = stringAt(json, "kind");
  action.isPreferred = boolAt(json, "isPreferred");
  action.edit = workspaceEditFromJson(memberOf(json, "edit"));
  action.disabledReason = stringAt(memberOf(json, "disabled"), "reason");
  action.data = memberOf(json, "data");
  action.raw = json;
  return action;
}

PlainGoal plainGoalOf(std::vector<std::string> goals) {
  PlainGoal plain{goals.empty() ? "no goals" : "", std::move(goals)};
  for (const std::string& goal : plain.goals) {
    if (!plain.rendered.empty())
      plain.rendered += "\n---\n";
    plain.rendered += "```lean\n" + goal + "\n```";
  }
  return plain;
}

Json toJson(const PlainGoal& goal) {
  return Json{{"rendered", goal.rendered}, {"goals", goal.goals}};
}

std::optional<PlainGoal> plainGoalFromJson(const Json& json) {
  const Json& goals = memberOf(json, "goals");
  if (!goals.is_array())
    return std::nullopt;
  return PlainGoal{stringAt(json, "rendered"),
                   listFrom<std::string>(goals, [](const Json& item) -> std::optional<std::string> {
                     return item.is_string() ? std::optional(item.get<std::string>()) : std::nullopt;
                   })};
}

Json toJson(const PlainTermGoal& goal) {
  return Json{{"goal", goal.goal}, {"range", toJson(goal.range)}};
}

std::optional<PlainTermGoal> plainTermGoalFromJson(const Json& json) {
  const std::optional<Range> range = rangeFromJson(memberOf(json, "range"));
  if (!range || !memberOf(json, "goal").is_string())
    return std::nullopt;
  return PlainTermGoal{stringAt(json, "goal"), *range};
}

Json textDocumentJson(const std::string& uri) {
  return Json{{"uri", uri}};
}

Json textDocumentPositionJson(const std::string& uri, Position position) {
  return Json{{"textDocument", textDocumentJson(uri)}, {"position", toJson(position)}};
}

} // namespace plumbline::lsp
