// Goals over the protocol: plain and interactive, diagnostics, progress, sessions, code actions.
#include "tests/lean-bridge/server/goal_session.h"

#include <gtest/gtest.h>

namespace plumbline::server_test {
namespace {

const std::string uri = "file:///fill.lean";

const std::string fill = R"(import Velvet

theorem seven_pos (a : Int) : a = 7 → 0 < a := by
  omega

method fill
    (n : Nat)
    (aIn : Array Int)
  returns (a : Array Int)
  requires size_in: (aIn.size = n)
  ensures size_out: (a.size = n)
  ensures filled: (∀ k : Nat, k < n → a[k]! = 7)
do
  let mut a : Array Int := aIn
  let mut i : Nat := 0
  while more: (i < n)
    invariant i_le: (i ≤ n)
    invariant a_size: (a.size = n)
    invariant seven: (∀ k : Nat, k < i → a[k]! = 7)
    decreasing rest: (n - i)
    done_with finish: (i = n)
  do
    a := a.set! i 7
    i := i + 1
  return a

prove_correct fill by
  velvet_vcgen [fill] with try finish
)";

Json document() {
  return {{"uri", uri}};
}
Json at(const std::string& text, const std::string& what, size_t offset = 0) {
  return {{"textDocument", document()}, {"position", positionOf(text, what, offset)}};
}

class Goals : public testing::Test {
protected:
  void SetUp() override { session.start(); }

  std::vector<Json> diagnostics(int version) {
    std::vector<Json> last;
    for (const Json& each : session.notifications("textDocument/publishDiagnostics"))
      if (each["version"] == version)
        last = each["diagnostics"].get<std::vector<Json>>();
    return last;
  }

  GoalSession session{server::GoalOptions{}};
};

TEST_F(Goals, AreSettledInTheBackground) {
  session.open(uri, fill);
  const Json all = session.complete(uri, 1);
  ASSERT_FALSE(all.is_null());
  for (const char* name : {"i_le.entry", "i_le.step", "seven.step", "rest.measure", "finish.exit", "filled"})
    EXPECT_EQ(stateOf(all, name), "closed") << name;
  session.onLoop([](server::Server&) {}); // what was sent together with the last list has arrived
  const std::vector<Json> progress = session.notifications("$/lean/fileProgress");
  ASSERT_FALSE(progress.empty());
  EXPECT_FALSE(progress.front()["processing"].empty());
  EXPECT_TRUE(progress.back()["processing"].empty());
  for (const Json& each : session.notifications("textDocument/publishDiagnostics"))
    for (const Json& diagnostic : each["diagnostics"])
      EXPECT_TRUE(!diagnostic.contains("leanTags") || diagnostic["leanTags"] != Json::array({2}))
          << "goals accomplished is Lean's to say";
}

TEST_F(Goals, PlainGoalsSayWhoVouchesForThem) {
  session.open(uri, fill);
  session.complete(uri, 1);
  const Json plain = session.result("$/lean/plainGoal", at(fill, "invariant seven", 3));
  ASSERT_TRUE(plain.is_object());
  EXPECT_EQ(plain["goals"].size(), 2U) << "before the first turn, and after each";
  const std::string first = plain["goals"][0];
  EXPECT_TRUE(first.starts_with("case seven.entry\nn : Nat\n")) << first;
  EXPECT_NE(first.find("not checked by Lean"), std::string::npos) << first;
  EXPECT_TRUE(session.result("$/lean/plainGoal", at(fill, "import Velvet")).is_null());
  const Json proof = session.result("$/lean/plainGoal", at(fill, "velvet_vcgen", 2));
  EXPECT_EQ(proof["goals"].size(), 10U) << "never an empty list, which would read as: Lean is content";
}

TEST_F(Goals, AWrongInvariantIsShownWhereItStands) {
  session.open(uri, fill);
  session.complete(uri, 1);
  session.replace(uri, 2, "k < i → a[k]! = 7", "k < i → a[k]! = 8");
  const Json all = session.complete(uri, 2);
  EXPECT_EQ(stateOf(all, "seven.entry"), "closed");
  EXPECT_EQ(stateOf(all, "seven.step"), "witnessed");
  EXPECT_EQ(stateOf(all, "filled"), "witnessed");
  EXPECT_EQ(stateOf(all, "i_le.step"), "closed");
  const std::string text = session.text(uri);
  std::set<std::string> found;
  for (const Json& diagnostic : diagnostics(2)) {
    found.insert(diagnostic["code"]);
    if (diagnostic["code"] == "goal-false" &&
        diagnostic["message"].get<std::string>().find("seven.step") != std::string::npos)
      EXPECT_EQ(diagnostic["range"]["start"], positionOf(text, "invariant seven"));
    if (diagnostic["code"] == "unsolved-goals") {
      EXPECT_EQ(diagnostic["range"]["start"], positionOf(text, "by\n  velvet_vcgen"));
      EXPECT_EQ(diagnostic["leanTags"], Json::array({1}));
    }
  }
  EXPECT_TRUE(found.contains("goal-false"));
  EXPECT_TRUE(found.contains("unsolved-goals"));
}

TEST_F(Goals, RequirementsThatContradictEachOtherAreAWarning) {
  session.open(uri, fill);
  session.complete(uri, 1);
  for (const Json& diagnostic : diagnostics(1))
    EXPECT_NE(diagnostic["code"], "requirements-contradict");
  session.replace(uri, 2, "  ensures size_out", "  requires none: (n < aIn.size)\n  ensures size_out");
  const Json all = session.complete(uri, 2);
  session.onLoop([](server::Server&) {});
  const std::string text = session.text(uri);
  size_t found = 0;
  for (const Json& diagnostic : diagnostics(2))
    if (diagnostic["code"] == "requirements-contradict") {
      ++found;
      EXPECT_EQ(diagnostic["severity"], 2);
      EXPECT_EQ(diagnostic["range"]["start"], positionOf(text, "requires size_in"));
      EXPECT_EQ(diagnostic["range"]["end"], positionOf(text, "(n < aIn.size)", 14));
      EXPECT_EQ(diagnostic["message"],
                "these requirements contradict each other: every goal below holds for nothing");
    }
  EXPECT_EQ(found, 1U);
  EXPECT_EQ(stateOf(all, "filled"), "closed");
  const std::string remark = "holds for nothing: the requirements contradict each other";
  for (const Json& goal : all["goals"])
    EXPECT_NE(goal["remark"].get<std::string>().find(remark), std::string::npos) << goal;
  const Json plain = session.result("$/lean/plainGoal", at(text, "ensures filled", 3));
  EXPECT_NE(plain["goals"][0].get<std::string>().find(remark), std::string::npos) << plain;
  // Mended, the warning goes.
  session.replace(uri, 3, "(n < aIn.size)", "(n ≤ aIn.size)");
  session.complete(uri, 3);
  session.onLoop([](server::Server&) {});
  for (const Json& diagnostic : diagnostics(3))
    EXPECT_NE(diagnostic["code"], "requirements-contradict");
}

TEST_F(Goals, AContradictionInALoopLeavesItsOwnGoalOpen) {
  session.open(uri, fill);
  session.replace(uri, 2, "invariant a_size: (a.size = n)", "invariant a_size: (a.size < 0)");
  Json all = session.complete(uri, 2);
  EXPECT_EQ(stateOf(all, "a_size.entry"), "witnessed");
  session.replace(uri, 3, "(a.size < 0)", "(a.size = n)");
  session.replace(uri, 4, "    a := a.set! i 7", "    assert none: (i < i)\n    a := a.set! i 7");
  all = session.complete(uri, 4);
  EXPECT_EQ(stateOf(all, "none"), "witnessed");
  session.onLoop([](server::Server&) {});
  for (const Json& diagnostic : diagnostics(4))
    EXPECT_NE(diagnostic["code"], "requirements-contradict") << "the requirements are fine";
}

TEST_F(Goals, WhatATacticLeavesIsReportedThoughNoEngineIsAsked) {
  const std::string text = "import Velvet\n\nmethod m\n    (a : Nat)\n    (b : Nat)\n  returns (r : Nat)\n"
                           "  requires hh: (a = b)\n  ensures q: (a = 7)\ndo\n  return a\n\n"
                           "prove_correct m by\n  velvet_vcgen [m]\n  rw [hh]\n";
  session.open(uri, text);
  session.complete(uri, 1);
  size_t found = 0;
  for (const Json& diagnostic : diagnostics(1))
    if (diagnostic["code"] == "unsolved-goals") {
      ++found;
      EXPECT_EQ(diagnostic["range"]["start"], positionOf(text, "by\n  velvet_vcgen"));
      EXPECT_NE(diagnostic["message"].get<std::string>().find("⊢ b = 7"), std::string::npos) << diagnostic;
    }
  EXPECT_EQ(found, 1U);
  const Json shown = session.result("$/lean/plainGoal", at(text, "rw [hh]", 7));
  const std::string goal = shown["goals"][0];
  EXPECT_NE(goal.find("⊢ b = 7"), std::string::npos) << goal;
  EXPECT_EQ(goal.find("-- running"), std::string::npos) << goal;
}

TEST_F(Goals, SorryIsAWarningAndItsGoalsAreMarked) {
  session.open(uri, fill);
  session.replace(uri, 2, "with try finish", "with sorry");
  const Json all = session.complete(uri, 2);
  for (const Json& goal : all["goals"])
    EXPECT_NE(goal.dump().find("admitted in the proof (sorry)"), std::string::npos) << goal.dump();
  session.onLoop([](server::Server&) {});
  std::map<std::string, Json> found;
  for (const Json& diagnostic : diagnostics(2))
    found[diagnostic["code"]] = diagnostic;
  ASSERT_TRUE(found.contains("uses-sorry"));
  EXPECT_EQ(found["uses-sorry"]["severity"], 2);
  EXPECT_EQ(found["uses-sorry"]["range"]["start"], positionOf(session.text(uri), "fill by\n"));
  session.replace(uri, 3, "velvet_vcgen [fill] with sorry", "velvet_vcgenn [fill]");
  EXPECT_EQ(session.complete(uri, 3).dump().find("(sorry)"), std::string::npos);
  session.onLoop([](server::Server&) {});
  found.clear();
  for (const Json& diagnostic : diagnostics(3))
    found[diagnostic["code"]] = diagnostic;
  ASSERT_TRUE(found.contains("unknown-tactic"));
  ASSERT_TRUE(found.contains("unsolved-goals"));
  EXPECT_EQ(found["unsolved-goals"]["severity"], 1); // nothing states goals
  EXPECT_FALSE(found.contains("no-goals"));
  session.replace(uri, 4, "velvet_vcgenn [fill]", "velvet_vcgen [fill]\n  unheard_of");
  session.complete(uri, 4);
  session.onLoop([](server::Server&) {});
  found.clear();
  for (const Json& diagnostic : diagnostics(4))
    found[diagnostic["code"]] = diagnostic;
  ASSERT_TRUE(found.contains("unsolved-goals"));
  EXPECT_EQ(found["unsolved-goals"]["severity"], 2); // only Lean knows what the tactic leaves
}

const std::string late = R"(import Velvet

method late
    (aaa : Array Int)
    (zed : Int)
  returns (r : Int)
  requires long: (aaa.size = 300)
  ensures positive: (0 < r)
do
  let y : Int := zed
  return y

prove_correct late by
  velvet_vcgen [late]
)";

TEST_F(Goals, AWitnessBeginsWithWhatTheGoalSpeaksOf) {
  session.open(uri, late);
  const Json all = session.complete(uri, 1);
  ASSERT_EQ(stateOf(all, "positive"), "witnessed");
  const std::string remark = all["goals"][0]["remark"];
  EXPECT_TRUE(remark.starts_with("false at zed = ")) << remark;
  EXPECT_TRUE(remark.ends_with(", ...")) << remark;
  EXPECT_EQ(remark.find("aaa"), std::string::npos) << "300 elements are left out as a whole: " << remark;
}

TEST_F(Goals, TheNewestEditWins) {
  session.open(uri, fill);
  for (int version = 2; version < 40; ++version)
    session.replace(uri, version, version % 2 == 0 ? "(i ≤ n)" : "(i ≤ n + 1)",
                    version % 2 == 0 ? "(i ≤ n + 1)" : "(i ≤ n)");
  const Json all = session.complete(uri, 39);
  EXPECT_EQ(stateOf(all, "finish.exit"), "closed");
  EXPECT_EQ(stateOf(session.goals(uri, 39), "i_le.step"), "closed");
}

TEST_F(Goals, SessionsAndReferences) {
  session.open(uri, fill);
  session.complete(uri, 1);
  const auto call = [&](const std::string& id, const std::string& method, const Json& params) {
    Json all = at(fill, "invariant seven", 3);
    all["sessionId"] = id;
    all["method"] = method;
    all["params"] = params;
    return session.request("$/lean/rpc/call", all);
  };
  const std::string id = session.result("$/lean/rpc/connect", {{"uri", uri}})["sessionId"];
  const Json answer = call(id, "Lean.Widget.getInteractiveGoals", at(fill, "invariant seven", 3));
  const auto goals = lsp::goalsFromJson(answer["result"], lsp::RpcFormat::V0);
  ASSERT_TRUE(goals && goals->size() == 2);
  const lsp::InteractiveGoal& step = (*goals)[1];
  EXPECT_EQ(step.userName, "seven.step");
  EXPECT_EQ(step.goalPrefix, "⊢ ");
  EXPECT_EQ(step.hypotheses[0].names, std::vector<std::string>{"n"});
  EXPECT_EQ(step.hypotheses[0].type.text, "Nat");
  ASSERT_TRUE(step.context && step.vouching);
  EXPECT_EQ(step.vouching->state, lsp::GoalState::Closed);
  EXPECT_EQ(call("17", "Lean.Widget.getInteractiveGoals", {})["error"]["code"], -32900);
  EXPECT_EQ(call(id, "Lean.Widget.somethingElse", {})["error"]["code"], -32601);
  const Json messages = call(id, "Lean.Widget.getInteractiveDiagnostics", Json::object())["result"];
  EXPECT_TRUE(messages.is_array());
}

TEST(RpcSessions, ExpireUnlessTheyAreKeptAlive) {
  using Clock = server::RpcSessions::Clock;
  server::RpcSessions sessions(1);
  const Clock::time_point start;
  const std::string one = sessions.connect("a", start);
  const std::string two = sessions.connect("a", start);
  EXPECT_NE(one, two);
  EXPECT_FALSE(sessions.isAlive("b", one, start));
  sessions.keepAlive("a", one, start + std::chrono::seconds(20));
  EXPECT_TRUE(sessions.isAlive("a", one, start + std::chrono::seconds(40)));
  EXPECT_FALSE(sessions.isAlive("a", two, start + std::chrono::seconds(40)));
  const lsp::RpcRef ref = sessions.refer(one);
  EXPECT_TRUE(sessions.knows(one, ref));
  sessions.release("a", one, {ref}, start + std::chrono::seconds(41));
  EXPECT_FALSE(sessions.knows(one, ref));
  EXPECT_EQ(sessions.references(one), 0U);
}

// --- Code actions ---

Json actionsAt(GoalSession& session, const Json& position) {
  return session.result("textDocument/codeAction", {{"textDocument", document()},
                                                    {"range", {{"start", position}, {"end", position}}},
                                                    {"context", {{"diagnostics", Json::array()}}}});
}

std::vector<std::string> titles(GoalSession& session, const Json& position) {
  std::vector<std::string> found;
  for (const Json& each : actionsAt(session, position))
    found.push_back(each["title"]);
  return found;
}

/// The text after the action with this title at a place.
std::string afterAction(GoalSession& session, const Json& position, const std::string& title) {
  const Json actions = actionsAt(session, position);
  std::string titles;
  for (const Json& each : actions) {
    const auto action = lsp::codeActionFromJson(each);
    titles += action->title + "\n";
    if (action->title == title)
      return lsp::applyEdits(session.text(uri), action->edit->documents[0].edits)
          .value_or("overlapping edits");
  }
  ADD_FAILURE() << "no action '" << title << "' among\n" << titles;
  return {};
}

/// Applies the action and opens the result as the next version; the goals that it has then.
Json apply(GoalSession& session, int version, const Json& position, const std::string& title) {
  const std::string text = afterAction(session, position, title);
  session.change(uri, version, Json::array({{{"text", text}}}));
  const velvet::Parsed parsed = velvet::parse(text, velvet::Dialect::Velvet2);
  EXPECT_TRUE(parsed.diagnostics.empty()) << text;
  return session.complete(uri, version);
}

class CodeActions : public Goals {
protected:
  void SetUp() override {
    Goals::SetUp();
    session.open(uri, fill);
    session.replace(uri, 2, "k < i → a[k]! = 7", "k < i → a[k]! = 8");
    session.complete(uri, 2);
    where = positionOf(session.text(uri), "invariant seven", 2);
  }
  std::string tail() { return session.text(uri).substr(session.text(uri).find("prove_correct")); }
  Json where;
};

TEST_F(CodeActions, SettleAddsACaseWhereTheGoalIsNotFalse) {
  for (const std::string& title : titles(session, where))
    EXPECT_FALSE(title.starts_with("Settle")) << title << ": 'seven.step' is shown false";
  session.replace(uri, 3, "k < i → a[k]! = 8", "k < i → mystery a[k]!");
  EXPECT_EQ(stateOf(session.complete(uri, 3), "seven.step"), "open");
  apply(session, 4, where, "Settle 'seven.step'");
  EXPECT_EQ(tail(), "prove_correct fill by\n  velvet_vcgen [fill] with try finish\n  case seven => grind\n");
}

TEST_F(CodeActions, AHintGoesIntoTheSolveCommand) {
  apply(session, 3, where, "Use hint 'seven_pos'");
  EXPECT_EQ(tail(), "prove_correct fill by\n  velvet_vcgen [fill, seven_pos] with try finish\n");
}

TEST_F(CodeActions, AWitnessIsWrittenDown) {
  apply(session, 3, where, "Write down the witness of 'seven.step'");
  EXPECT_NE(tail().find("-- seven.step is false at\n  --   "), std::string::npos) << tail();
}

TEST_F(CodeActions, AWitnessBecomesATheoremThatHolds) {
  const Json goals = apply(session, 3, where, "Insert the witness of 'seven.step' as a theorem");
  ASSERT_FALSE(goals.is_null());
  const std::string text = session.text(uri);
  const size_t begin = text.find("theorem seven_step_witness : ¬ ");
  ASSERT_NE(begin, std::string::npos) << text;
  const Json plain = session.result("$/lean/plainGoal", at(text, "decide", 2));
  EXPECT_NE(plain.dump().find("true ("), std::string::npos) << plain.dump() << text;
}

TEST_F(CodeActions, ALemmaIsPromoted) {
  apply(session, 3, positionOf(session.text(uri), "seven_pos"), "Promote 'seven_pos' to the hint pool");
  EXPECT_NE(session.text(uri).find("@[grind]\ntheorem seven_pos"), std::string::npos);
}

TEST_F(CodeActions, InvariantsAreGenerated) {
  session.replace(uri, 3, "    invariant i_le: (i ≤ n)\n    invariant a_size: (a.size = n)\n", "");
  const Json before = session.complete(uri, 3);
  EXPECT_NE(stateOf(before, "finish.exit"), "closed");
  const Json after =
      apply(session, 4, positionOf(session.text(uri), "while more", 2), "Generate invariants for this loop");
  EXPECT_NE(
      session.text(uri).find("    invariant a_size: (a.size = aIn.size)\n    invariant i_le: (i ≤ n)\n"),
      std::string::npos)
      << session.text(uri);
  EXPECT_EQ(stateOf(after, "finish.exit"), "closed");
  EXPECT_EQ(stateOf(after, "i_le.step"), "closed");
}

TEST_F(CodeActions, ACaseIsClosed) {
  session.change(uri, 3, Json::array({{{"text", fill + "  case filled =>\n    intro k\n"}}}));
  session.change(uri, 4,
                 Json::array({{{"text", session.text(uri).replace(session.text(uri).find("with try finish"),
                                                                  15, "")}}}));
  session.complete(uri, 4);
  apply(session, 5, positionOf(session.text(uri), "intro k", 2), "Close this case");
  EXPECT_NE(tail().find("    intro k\n    grind\n"), std::string::npos) << tail();
}

const std::string guarded = R"(import Velvet

method clampAll
    (n : Nat)
    (x : Array Float32)
    (yIn : Array Float32)
  returns (y : Array Float32)
  requires size_x: (x.size = n)
  ensures value: (∀ k : Nat, k < n → yIn[k]! = (if x[k]! < Float32.ofBits 0x00000000 then Float32.ofBits 0x00000000 else x[k]!))
do
  return yIn

prove_correct clampAll by
  velvet_vcgen [clampAll]
)";

TEST_F(Goals, SplitsOnAGuardAndOnAFloatClass) {
  session.open(uri, guarded);
  session.complete(uri, 1);
  const Json where = positionOf(guarded, "ensures value", 2);
  const std::string guard = afterAction(session, where, "Split 'value' on x[k]! < Float32.ofBits 0x00000000");
  EXPECT_TRUE(guard.ends_with(
      "  case value =>\n    intro k h\n    by_cases guard : x[k]! < Float32.ofBits 0x00000000\n"
      "    · grind\n    · grind\n"))
      << guard;
  apply(session, 2, where, "Split 'value' on Float32.isNaN yIn[k]! = true");
  const std::string text = session.text(uri);
  const Json plain = session.result("$/lean/plainGoal", at(text, "· grind", 5));
  ASSERT_EQ(plain["goals"].size(), 1U) << plain.dump();
  EXPECT_NE(plain["goals"][0].get<std::string>().find("nan : Float32.isNaN yIn[k]! = true\n⊢ yIn[k]! ="),
            std::string::npos)
      << plain.dump();
}

} // namespace
} // namespace plumbline::server_test
