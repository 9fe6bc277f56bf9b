#include "lean-bridge/client/document_state.h"

#include <gtest/gtest.h>

namespace plumbline::lsp {
namespace {

Diagnostic at(int line, const std::string& message, Severity severity = Severity::Error) {
  Diagnostic diagnostic;
  diagnostic.range = {{line, 0}, {line, 3}};
  diagnostic.message = message;
  diagnostic.severity = severity;
  return diagnostic;
}

DocumentState opened(std::string_view text = "one\ntwo\n") {
  DocumentState state("u", "lean4", text);
  state.advanceVersion();
  state.opened();
  return state;
}

std::string messages(const DocumentState& state) {
  std::string all;
  for (const Diagnostic& diagnostic : state.diagnostics())
    all += diagnostic.message;
  return all;
}

TEST(DocumentState, AnEditIsInProgressAtOnce) {
  DocumentState state = opened();
  EXPECT_EQ(state.apply(FileProgress{"u", 1, {}}), Applied::Changed);
  EXPECT_EQ(state.progress(), Progress::Finished);
  state.edit({{Range{{0, 3}, {0, 3}}, "\r\nx\r"}});
  EXPECT_EQ(state.text(), "one\nx\n\ntwo\n");
  EXPECT_EQ(state.version(), 2);
  EXPECT_EQ(state.progress(), Progress::Processing);
  EXPECT_EQ(state.apply(FileProgress{"u", 1, {}}), Applied::Stale);
  EXPECT_EQ(state.progress(), Progress::Processing);
}

TEST(DocumentState, ProvedMarksDoNotOutliveTheirVersion) {
  DocumentState state = opened();
  Diagnostic proved = at(1, "", Severity::Information);
  proved.leanTags = {LeanTag::GoalsAccomplished};
  proved.isSilent = true;
  state.apply(PublishDiagnostics{"u", 1, false, {proved}});
  EXPECT_EQ(state.accomplished().size(), 1U);
  EXPECT_TRUE(state.visibleDiagnostics().empty());
  state.edit({{Range{{0, 0}, {0, 0}}, "x"}});
  EXPECT_TRUE(state.accomplished().empty());
  EXPECT_FALSE(state.diagnosticsAreCurrent());
}

TEST(DocumentState, AnUnversionedListReplaces) {
  DocumentState state = opened();
  state.apply(PublishDiagnostics{"u", 1, false, {at(0, "a")}});
  EXPECT_EQ(state.apply(PublishDiagnostics{"u", std::nullopt, false, {at(0, "b")}}), Applied::Changed);
  EXPECT_EQ(messages(state), "b");
  EXPECT_EQ(state.apply(PublishDiagnostics{"u", 7, false, {at(0, "c")}}), Applied::Stale)
      << "of no version we sent";
}

TEST(DocumentState, AHeaderErrorIsNoCrash) {
  DocumentState state = opened();
  state.apply(PublishDiagnostics{"u", 1, false, {at(0, "unknown module")}});
  state.apply(FileProgress{"u", 1, {{Range{}, ProgressKind::FatalError}}});
  EXPECT_EQ(state.progress(), Progress::Failed);
  EXPECT_FALSE(state.crashed());
  state.edit({{std::nullopt, "x"}});
  state.apply(FileProgress{"u", 2, {{Range{}, ProgressKind::FatalError}}});
  EXPECT_TRUE(state.crashed()) << "the explanation was of another version";
}

TEST(DocumentState, StaleImportsAreAHint) {
  DocumentState state = opened();
  state.apply(PublishDiagnostics{
      "u",
      1,
      false,
      {at(0, "Imports are out of date and should be rebuilt; use ...", Severity::Information)}});
  EXPECT_EQ(state.imports(), Imports::ShouldBeRebuilt);
  state.apply(PublishDiagnostics{"u", 1, true, {at(0, "Imports are out of date and must be rebuilt")}});
  EXPECT_EQ(state.imports(), Imports::MustBeRebuilt);
  state.apply(PublishDiagnostics{"u", 1, false, {}});
  EXPECT_EQ(state.imports(), Imports::Current);
}

TEST(DocumentState, WhatIsKeptIsBounded) {
  DocumentState state = opened();
  state.apply(PublishDiagnostics{"u", 1, false,
                                 std::vector<Diagnostic>(DocumentState::maximalDiagnostics + 5, at(1, "m"))});
  EXPECT_EQ(state.diagnostics().size(), DocumentState::maximalDiagnostics);
  EXPECT_EQ(state.droppedDiagnostics(), 5U);
}

TEST(DocumentState, GoalsOfOtherVersionsAreDropped) {
  DocumentState state = opened();
  EXPECT_EQ(state.apply(DocumentGoals{"u", 1, true, {DocumentGoal{}}}), Applied::Changed);
  EXPECT_TRUE(state.goalsAreComplete());
  state.edit({{std::nullopt, "x"}});
  EXPECT_FALSE(state.goalsAreCurrent());
  EXPECT_EQ(state.apply(DocumentGoals{"u", 1, true, {}}), Applied::Stale);
}

TEST(DocumentState, TheTextOutlivesTheServer) {
  DocumentState state = opened();
  state.serverLost();
  state.edit({{Range{{0, 0}, {0, 3}}, "1"}});
  EXPECT_EQ(state.text(), "1\ntwo\n");
  EXPECT_EQ(state.progress(), Progress::Unknown);
  EXPECT_FALSE(state.diagnosticsAreCurrent());
}

} // namespace
} // namespace plumbline::lsp
