#include "lean-bridge/protocol/structures.h"

#include <gtest/gtest.h>

namespace plumbline::lsp {
namespace {

const Range range{{1, 2}, {3, 4}};

Json parsed(const char* text) {
  return Json::parse(text);
}

TEST(Structures, ADiagnosticWithEverything) {
  const Json json = parsed(R"({
    "range": {"start": {"line": 1, "character": 2}, "end": {"line": 2, "character": 0}},
    "fullRange": {"start": {"line": 1, "character": 2}, "end": {"line": 300, "character": 0}},
    "severity": 3, "code": "lean.x", "source": "Lean 4", "message": "", "tags": [1, 2, 7],
    "leanTags": [2], "isSilent": true, "data": {"a": 1}, "somethingNew": [],
    "relatedInformation": [{"location": {"uri": "file:///a", "range":
        {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 1}}}, "message": "m"}, 3]})");
  const std::optional<Diagnostic> read = diagnosticFromJson(json);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->extent().end.line, 300);
  EXPECT_EQ(read->range.end.line, 2);
  EXPECT_EQ(read->severity, Severity::Information);
  EXPECT_EQ(read->tags.size(), 2U);
  EXPECT_TRUE(read->has(LeanTag::GoalsAccomplished));
  EXPECT_FALSE(read->has(LeanTag::UnsolvedGoals));
  EXPECT_TRUE(read->isSilent);
  EXPECT_EQ(read->related.size(), 1U);
  EXPECT_EQ(diagnosticFromJson(toJson(*read)), read);
}

TEST(Structures, ADiagnosticWithLittle) {
  const std::optional<Diagnostic> read = diagnosticFromJson(Json{{"range", toJson(range)}, {"code", 5}});
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->hasSeverity);
  EXPECT_EQ(read->severity, Severity::Error);
  EXPECT_EQ(read->code, "5");
  EXPECT_EQ(read->extent(), range);
  EXPECT_FALSE(diagnosticFromJson(Json{{"message", "m"}}));
  EXPECT_FALSE(diagnosticFromJson(nullptr));
  EXPECT_FALSE(diagnosticFromJson(parsed(R"({"range":{"start":{"line":"1","character":0},"end":null}})")));
}

TEST(Structures, PositionsBeyondAnyTextAreClamped) {
  EXPECT_EQ(*positionFromJson(parsed(R"({"line":4294967295,"character":-3})")),
            (Position{std::numeric_limits<int>::max(), 0}));
  EXPECT_FALSE(positionFromJson(parsed(R"({"line":1.5,"character":0})")));
}

TEST(Structures, PublishedDiagnostics) {
  PublishDiagnostics publish{"file:///a", 5, true, {Diagnostic{}}};
  const std::optional<PublishDiagnostics> read = publishDiagnosticsFromJson(toJson(publish));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->version, 5);
  EXPECT_TRUE(read->isIncremental);
  EXPECT_EQ(read->diagnostics.size(), 1U);
  const auto bare = publishDiagnosticsFromJson(parsed(R"({"uri":"u","version":null,"diagnostics":[1]})"));
  ASSERT_TRUE(bare);
  EXPECT_FALSE(bare->version);
  EXPECT_FALSE(bare->isIncremental);
  EXPECT_TRUE(bare->diagnostics.empty());
  EXPECT_FALSE(publishDiagnosticsFromJson(parsed(R"({"diagnostics":[]})")));
  EXPECT_FALSE(publishDiagnosticsFromJson(parsed(R"({"uri":"u"})")));
}

TEST(Structures, Progress) {
  FileProgress progress{"u", 1, {{range, ProgressKind::Processing}, {range, ProgressKind::FatalError}}};
  EXPECT_FALSE(progress.finished());
  EXPECT_EQ(fileProgressFromJson(toJson(progress))->processing, progress.processing);
  progress.processing.erase(progress.processing.begin());
  EXPECT_TRUE(progress.finished());
  EXPECT_TRUE(progress.failed());
  const auto done = fileProgressFromJson(parsed(R"({"textDocument":{"uri":"u"},"processing":[]})"));
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->finished());
  EXPECT_FALSE(done->failed());
  EXPECT_FALSE(fileProgressFromJson(parsed(R"({"textDocument":{"uri":"u"},"processing":null})")));
}

TEST(Structures, LocationsInAllShapes) {
  const Json location = toJson(Location{"u", range});
  const Json link{
      {"targetUri", "v"}, {"targetRange", toJson(Range{})}, {"targetSelectionRange", toJson(range)}};
  EXPECT_TRUE(locationsFromJson(nullptr).empty());
  EXPECT_EQ(locationsFromJson(location), (std::vector<Location>{{"u", range}}));
  EXPECT_EQ(locationsFromJson(Json::array({location})), (std::vector<Location>{{"u", range}}));
  EXPECT_EQ(locationsFromJson(Json::array({link, 3, Json::object()})), (std::vector<Location>{{"v", range}}));
}

TEST(Structures, WorkspaceEditsInBothForms) {
  const Json edits = Json::array({toJson(TextEdit{range, "t"})});
  const auto changes = workspaceEditFromJson(Json{{"changes", {{"u", edits}}}});
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->documents.size(), 1U);
  EXPECT_FALSE(changes->documents[0].version);
  const auto versioned = workspaceEditFromJson(
      Json{{"documentChanges",
            Json::array({Json{{"textDocument", {{"uri", "u"}, {"version", 4}}}, {"edits", edits}},
                         Json{{"kind", "delete"}, {"uri", "u"}}})}});
  ASSERT_TRUE(versioned);
  EXPECT_EQ(versioned->documents[0].version, 4);
  EXPECT_EQ(versioned->documents[0].edits, changes->documents[0].edits);
  EXPECT_TRUE(versioned->hasFileOperations);
  EXPECT_EQ(workspaceEditFromJson(toJson(*changes)), changes);
  EXPECT_FALSE(workspaceEditFromJson(nullptr));
}

TEST(Structures, EditsReferToTheTextBefore) {
  const std::string text = "one two three";
  EXPECT_EQ(*applyEdits(text, {{{{0, 8}, {0, 13}}, "3"}, {{{0, 0}, {0, 3}}, "1"}, {{{0, 4}, {0, 4}}, "+"}}),
            "1 +two 3");
  EXPECT_EQ(applyEdits(text, {{{{0, 0}, {0, 5}}, ""}, {{{0, 4}, {0, 6}}, ""}}).error().id, "edits-overlap");
  EXPECT_EQ(*applyEdits(text, {}), text);
}

TEST(Structures, CodeActionsWithAndWithoutEdit) {
  const auto action =
      codeActionFromJson(parsed(R"({"title":"Try this: x","kind":"quickfix","isPreferred":true,
    "data":{"providerName":"p"},"disabled":{"reason":"r"}})"));
  ASSERT_TRUE(action);
  EXPECT_FALSE(action->edit);
  EXPECT_TRUE(action->isPreferred);
  EXPECT_EQ(action->disabledReason, "r");
  EXPECT_EQ(action->raw["data"]["providerName"], "p");
  EXPECT_FALSE(codeActionFromJson(parsed(R"({"kind":"quickfix"})")));
}

TEST(Structures, NoGoalStateIsNotNoGoals) {
  EXPECT_FALSE(plainGoalFromJson(nullptr));
  const PlainGoal solved = plainGoalOf({});
  EXPECT_EQ(solved.rendered, "no goals");
  EXPECT_EQ(plainGoalFromJson(toJson(solved)), solved);
  EXPECT_EQ(plainGoalOf({"a", "b"}).rendered, "```lean\na\n```\n---\n```lean\nb\n```");
}

} // namespace
} // namespace plumbline::lsp
