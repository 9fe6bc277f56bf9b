// Structures of the protocol that both sides read and write, with what Lean adds to them. Reading is lenient:
// what is absent, null or of another type is left at its default unless the structure is meaningless without
// it.
#pragma once

#include "core/base/json.h"
#include "lean-bridge/protocol/positions.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace plumbline::lsp {

Json toJson(Position position);
Json toJson(const Range& range);
std::optional<Position> positionFromJson(const Json& json);
std::optional<Range> rangeFromJson(const Json& json);

enum class Severity { Error = 1, Warning = 2, Information = 3, Hint = 4 };
enum class DiagnosticTag { Unnecessary = 1, Deprecated = 2 };
enum class LeanTag { UnsolvedGoals = 1, GoalsAccomplished = 2 };

struct RelatedInformation {
  std::string uri;
  Range range;
  std::string message;

  bool operator==(const RelatedInformation&) const = default;
};

/// A diagnostic with Lean's additions.
struct Diagnostic {
  Range range; ///< may be cut at the end of the first line; for squiggles
  std::optional<Range> fullRange;
  Severity severity = Severity::Error;
  bool hasSeverity = true; ///< false when the sender named none
  std::string code;        ///< empty: none; a number is kept as its text
  std::string source;
  std::string message; ///< may be empty
  std::vector<DiagnosticTag> tags;
  std::vector<LeanTag> leanTags;
  bool isSilent = false; ///< for the goals panel only: neither squiggle nor count
  std::vector<RelatedInformation> related;
  Json data = nullptr; ///< passed back untouched with code actions

  const Range& extent() const { return fullRange ? *fullRange : range; }
  bool has(LeanTag tag) const;
  bool operator==(const Diagnostic&) const = default;
};

Json toJson(const Diagnostic& diagnostic);
/// Nothing when there is no range.
std::optional<Diagnostic> diagnosticFromJson(const Json& json);

/// `textDocument/publishDiagnostics`.
struct PublishDiagnostics {
  std::string uri;
  std::optional<int> version;
  bool isIncremental = false; ///< appended to the list of the same version instead of replacing it
  std::vector<Diagnostic> diagnostics;
};

Json toJson(const PublishDiagnostics& publish);
std::optional<PublishDiagnostics> publishDiagnosticsFromJson(const Json& json);

enum class ProgressKind { Processing = 1, FatalError = 2 };

struct ProgressRange {
  Range range;
  ProgressKind kind = ProgressKind::Processing;

  bool operator==(const ProgressRange&) const = default;
};

/// `$/lean/fileProgress`. The ranges may be disjoint; none means that the version is finished.
struct FileProgress {
  std::string uri;
  std::optional<int> version;
  std::vector<ProgressRange> processing;

  /// True when nothing more will come for this version: no range, or only fatal ones.
  bool finished() const;
  bool failed() const;
};

Json toJson(const FileProgress& progress);
std::optional<FileProgress> fileProgressFromJson(const Json& json);

struct Location {
  std::string uri;
  Range range;

  bool operator==(const Location&) const = default;
};

Json toJson(const Location& location);
/// The answer to a definition request: null, one location, a list of locations, or a list of location links
/// (whose target selection counts).
std::vector<Location> locationsFromJson(const Json& json);

struct TextEdit {
  Range range;
  std::string newText;

  bool operator==(const TextEdit&) const = default;
};

Json toJson(const TextEdit& edit);
std::optional<TextEdit> textEditFromJson(const Json& json);

struct TextDocumentEdit {
  std::string uri;
  std::optional<int> version; ///< the version the edits were made for; none: whatever is there
  std::vector<TextEdit> edits;

  bool operator==(const TextDocumentEdit&) const = default;
};

/// Edits of documents, read from `documentChanges` or `changes`, written as `documentChanges`.
struct WorkspaceEdit {
  std::vector<TextDocumentEdit> documents;
  bool hasFileOperations = false; ///< read only: it also creates, renames or deletes files

  bool operator==(const WorkspaceEdit&) const = default;
};

Json toJson(const WorkspaceEdit& edit);
std::optional<WorkspaceEdit> workspaceEditFromJson(const Json& json);

/// The text after edits that do not overlap, whose ranges all refer to the text before. Error:
/// "edits-overlap".
Expected<std::string> applyEdits(const std::string& text, const std::vector<TextEdit>& edits);

struct CodeAction {
  std::string title;
  std::string kind;
  bool isPreferred = false;
  std::optional<WorkspaceEdit> edit; ///< absent: ask `codeAction/resolve` with `raw`
  std::string disabledReason;        ///< not empty: cannot be used now
  Json data = nullptr;
  Json raw; ///< as it was received
};

Json toJson(const CodeAction& action);
std::optional<CodeAction> codeActionFromJson(const Json& json);

/// `$/lean/plainGoal`. The answer null (no goal state at this place) is not this structure without goals (all
/// solved).
struct PlainGoal {
  std::string rendered;
  std::vector<std::string> goals;

  bool operator==(const PlainGoal&) const = default;
};

/// With `rendered` made from the goals as a Lean server makes it.
PlainGoal plainGoalOf(std::vector<std::string> goals);
Json toJson(const PlainGoal& goal);
std::optional<PlainGoal> plainGoalFromJson(const Json& json);

struct PlainTermGoal {
  std::string goal;
  Range range;
};

Json toJson(const PlainTermGoal& goal);
std::optional<PlainTermGoal> plainTermGoalFromJson(const Json& json);

/// Parts of parameters.
Json textDocumentJson(const std::string& uri);
Json textDocumentPositionJson(const std::string& uri, Position position);
/// Of `json[key]`: a string, a whole number in the range of int, true; or the default.
std::string stringAt(const Json& json, const char* key, const std::string& otherwise = {});
std::optional<int> intAt(const Json& json, const char* key);
bool boolAt(const Json& json, const char* key, bool otherwise = false);
/// `json[key]`, or null when there is no such member or `json` is no object.
const Json& memberOf(const Json& json, const char* key);

} // namespace plumbline::lsp
