// Interactive goals and messages: text whose parts carry references into the server's memory.
//
// On the wire they are trees of any depth (TaggedText). Here a tree is its text and a flat list of its tagged
// parts, so that nothing needs a deep stack.
#pragma once

#include "core/base/json.h"
#include "lean-bridge/protocol/structures.h"

#include <optional>
#include <string>
#include <vector>

namespace plumbline::lsp {

/// How references are written: V0 is {"p": "12"}, V1 is {"__rpcref": "12"}. V1 only when both sides announced
/// it.
enum class RpcFormat { V0, V1 };

/// An object of the server, kept there until it is released once for each time it was received. Its number is
/// a string that is passed back as it came. It belongs to the session that it was received in.
struct RpcRef {
  std::string id;

  bool operator==(const RpcRef&) const = default;
};

Json toJson(const RpcRef& ref, RpcFormat format);
/// An object with exactly the one key of the format, and a string in it.
std::optional<RpcRef> rpcRefFromJson(const Json& json, RpcFormat format);
/// Every reference in a result, as often as it stands there.
std::vector<RpcRef> referencesIn(const Json& json, RpcFormat format);

enum class DiffTag { None, WasChanged, WillChange, WasDeleted, WillDelete, WasInserted, WillInsert };

/// A tagged part of a text: bytes [begin, end).
struct Subexpression {
  size_t begin = 0;
  size_t end = 0;
  std::optional<RpcRef> info; ///< for infoToInteractive and getGoToLocation
  std::string position;       ///< opaque, of the subexpression in its expression
  DiffTag diff = DiffTag::None;

  bool operator==(const Subexpression&) const = default;
};

/// Code with its tagged parts, outer ones before those inside them.
struct CodeWithInfos {
  std::string text;
  std::vector<Subexpression> parts;
  bool truncated = false; ///< cut at `maximalCodeBytes` or `maximalCodeParts`

  bool operator==(const CodeWithInfos&) const = default;
};

inline constexpr size_t maximalCodeBytes = 4U << 20U;
inline constexpr size_t maximalCodeParts = 200000;

CodeWithInfos codeFromJson(const Json& json, RpcFormat format);
/// As TaggedText; parts must be properly nested, outer ones first.
Json toJson(const CodeWithInfos& code, RpcFormat format);

struct Hypothesis {
  std::vector<std::string> names;
  std::vector<std::string> fvarIds;
  CodeWithInfos type;
  std::optional<CodeWithInfos> value;
  bool isInstance = false;
  bool isType = false;
  bool isInserted = false;
  bool isRemoved = false;

  bool operator==(const Hypothesis&) const = default;
};

/// What has settled a goal so far, and who says so. Only Plumbline's own server sends it.
enum class GoalState { Open, Running, Closed, Witnessed, Conflict };

const char* toString(GoalState state);

struct Vouching {
  std::string goal; ///< the goal's name, the same in every version of the document in which it arises
  GoalState state = GoalState::Open;
  std::vector<std::string> engines; ///< that settled it
  std::string remark;               ///< for example "tactic not checked by Lean"

  bool operator==(const Vouching&) const = default;
};

struct InteractiveGoal {
  std::vector<Hypothesis> hypotheses;
  CodeWithInfos type;
  std::optional<RpcRef> context;
  std::string userName;
  std::string goalPrefix; ///< usually a turnstile and a space
  std::string mvarId;
  bool isInserted = false;
  bool isRemoved = false;
  std::optional<Vouching> vouching; ///< the member "plumbline"

  bool operator==(const InteractiveGoal&) const = default;
};

Json toJson(const InteractiveGoal& goal, RpcFormat format);
InteractiveGoal interactiveGoalFromJson(const Json& json, RpcFormat format);
/// {"goals": [...]}; null on the wire (no goal state here) is nothing.
Json goalsJson(const std::vector<InteractiveGoal>& goals, RpcFormat format);
std::optional<std::vector<InteractiveGoal>> goalsFromJson(const Json& json, RpcFormat format);

/// A goal as text: its case, a line for each hypothesis, the conclusion.
std::string goalText(const InteractiveGoal& goal);
/// All goals, with an empty line between them; "No goals" when there are none.
std::string goalsText(const std::vector<InteractiveGoal>& goals);

struct InteractiveTermGoal {
  InteractiveGoal goal;
  Range range;
  std::optional<RpcRef> term;
};

std::optional<InteractiveTermGoal> termGoalFromJson(const Json& json, RpcFormat format);

/// Children of a trace that the server computes only when asked (lazyTraceChildrenToInteractive).
struct LazyChildren {
  size_t at = 0; ///< byte in the text where they would stand
  RpcRef children;
  int indent = 0;
};

/// A message with code, goals and traces in it.
struct InteractiveMessage {
  CodeWithInfos code; ///< the text of the whole message; its parts are those of all code in it
  std::vector<LazyChildren> lazy;
};

/// Reads TaggedText<MsgEmbed>. What is unknown or incomplete contributes the text it has.
InteractiveMessage messageFromJson(const Json& json, RpcFormat format);
/// A message that is text only.
Json messageJson(const std::string& text);

/// A diagnostic whose message is interactive; `diagnostic.message` is its text.
struct InteractiveDiagnostic {
  Diagnostic diagnostic;
  InteractiveMessage message;
};

std::vector<InteractiveDiagnostic> interactiveDiagnosticsFromJson(const Json& json, RpcFormat format);

/// One goal of a document as `$/plumbline/goals` lists it.
struct DocumentGoal {
  Vouching vouching;
  Range range;                ///< where it arises: an invariant, a loop, an access
  std::optional<Range> proof; ///< where the proof script deals with it
  std::string kind;           ///< for example "invariant-entry", "postcondition", "bounds"
  std::string text;           ///< its conclusion; hypotheses are asked for with a position

  bool operator==(const DocumentGoal&) const = default;
};

/// The notification `$/plumbline/goals`, sent by Plumbline's server whenever a goal of the document's present
/// version changes. It always holds all goals.
struct DocumentGoals {
  static constexpr const char* method = "$/plumbline/goals";
  std::string uri;
  int version = 0;
  bool complete = false; ///< no engine is running any more
  std::vector<DocumentGoal> goals;
};

Json toJson(const DocumentGoals& goals);
std::optional<DocumentGoals> documentGoalsFromJson(const Json& json);

} // namespace plumbline::lsp
