#include "lean-bridge/protocol/interactive.h"

#include <gtest/gtest.h>

namespace plumbline::lsp {
namespace {

constexpr RpcFormat v1 = RpcFormat::V1;

Json text(const char* value) {
  return Json{{"text", value}};
}

Json tagged(const char* ref, const char* position, Json inner) {
  return Json{{"tag", Json::array({Json{{"info", {{"__rpcref", ref}}}, {"subexprPos", position}}, inner})}};
}

TEST(Interactive, ReferencesAreExactlyOneKey) {
  EXPECT_EQ(rpcRefFromJson(Json{{"__rpcref", "12"}}, v1), RpcRef{"12"});
  EXPECT_EQ(rpcRefFromJson(Json{{"p", "3"}}, RpcFormat::V0), RpcRef{"3"});
  EXPECT_FALSE(rpcRefFromJson(Json{{"p", "3"}}, v1));
  EXPECT_FALSE(rpcRefFromJson(Json{{"p", "3"}, {"q", 1}}, RpcFormat::V0));
  EXPECT_FALSE(rpcRefFromJson(Json{{"__rpcref", 12}}, v1));
  EXPECT_EQ(toJson(RpcRef{"18446744073709551615"}, v1), (Json{{"__rpcref", "18446744073709551615"}}));
}

TEST(Interactive, EveryOccurrenceOfAReferenceCounts) {
  const Json json{
      {"a", {{"__rpcref", "1"}}},
      {"b", Json::array({Json{{"__rpcref", "1"}}, Json{{"p", "3"}, {"q", 1}}, Json{{"__rpcref", "2"}}})}};
  std::vector<std::string> ids;
  for (const RpcRef& ref : referencesIn(json, v1))
    ids.push_back(ref.id);
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(ids, (std::vector<std::string>{"1", "1", "2"}));
}

TEST(Interactive, CodeIsFlattenedWithItsParts) {
  const Json json =
      tagged("1", "/", Json{{"append", Json::array({text("a "), tagged("2", "/0", text("+")), text(" b")})}});
  const CodeWithInfos code = codeFromJson(json, v1);
  EXPECT_EQ(code.text, "a + b");
  ASSERT_EQ(code.parts.size(), 2U);
  EXPECT_EQ(code.parts[0], (Subexpression{0, 5, RpcRef{"1"}, "/", DiffTag::None}));
  EXPECT_EQ(code.parts[1], (Subexpression{2, 3, RpcRef{"2"}, "/0", DiffTag::None}));
  EXPECT_EQ(toJson(code, v1), json);
}

TEST(Interactive, WrittenCodeReadsBack) {
  const std::vector<CodeWithInfos> samples = {
      {"", {}, false},
      {"abc", {}, false},
      {"abc",
       {{0, 3, RpcRef{"1"}, "/", DiffTag::WasChanged}, {0, 3, RpcRef{"2"}, "/1", DiffTag::None}},
       false},
      {"abc",
       {{0, 1, RpcRef{"1"}, "/", DiffTag::None}, {1, 3, RpcRef{"2"}, "/", DiffTag::WillDelete}},
       false},
      {"abcd", {{1, 3, RpcRef{"1"}, "", DiffTag::None}, {1, 1, RpcRef{"2"}, "", DiffTag::None}}, false}};
  for (const CodeWithInfos& code : samples)
    EXPECT_EQ(codeFromJson(toJson(code, v1), v1), code) << toJson(code, v1).dump();
}

TEST(Interactive, BrokenTreesGiveWhatTheyHave) {
  EXPECT_EQ(codeFromJson(nullptr, v1).text, "");
  EXPECT_EQ(codeFromJson(Json{{"tag", Json::array()}}, v1).text, "");
  EXPECT_EQ(codeFromJson(Json{{"tag", Json::array({nullptr})}}, v1).text, "");
  EXPECT_EQ(codeFromJson(Json{{"append", Json::array({text("a"), 3, text("b")})}}, v1).text, "ab");
  EXPECT_EQ(
      messageFromJson(Json{{"tag", Json::array({Json{{"unheardOf", 1}}, text("shown")})}}, v1).code.text,
      "shown");
  EXPECT_EQ(messageFromJson(Json{{"tag", Json::array({"highlighted", text("shown")})}}, v1).code.text,
            "shown");
}

TEST(Interactive, DepthCostsNoStack) {
  Json code = text("x");
  Json message = text("y");
  for (int i = 0; i < 100000; ++i) {
    Json outer{{"append", Json::array()}};
    outer["append"].push_back(std::move(code));
    code = Json{{"tag", Json::array()}};
    code["tag"].push_back(nullptr);
    code["tag"].push_back(std::move(outer));
    Json widget{{"widget", Json::object()}};
    widget["widget"]["alt"] = std::move(message);
    message = Json{{"tag", Json::array()}};
    message["tag"].push_back(std::move(widget));
    message["tag"].push_back(text(""));
  }
  EXPECT_EQ(codeFromJson(code, v1).text, "x");
  EXPECT_EQ(codeFromJson(code, v1).parts.size(), 100000U);
  EXPECT_EQ(messageFromJson(message, v1).code.text, "y");
  EXPECT_TRUE(referencesIn(code, v1).empty());
}

TEST(Interactive, HugeTextsAreCutAtACharacter) {
  std::string many;
  while (many.size() < maximalCodeBytes + 10)
    many += "\u2200";
  const CodeWithInfos code = codeFromJson(Json{{"text", many}}, v1);
  EXPECT_TRUE(code.truncated);
  EXPECT_LE(code.text.size(), maximalCodeBytes);
  EXPECT_EQ(code.text.size() % 3, 0U);
}

Json goal() {
  return Json{
      {"hyps",
       Json::array(
           {Json{{"names", {"a", "[anonymous]", "b\u271d"}},
                 {"fvarIds", {"1", "2", "3"}},
                 {"type", text("Nat")}},
            Json{{"names", {"[anonymous]"}}, {"type", text("Inhabited Nat")}, {"isInstance", true}},
            Json{{"names", {"x"}}, {"type", text("Nat")}, {"val", text("3")}, {"isInserted", true}}})},
      {"type", text("a = b")},
      {"ctx", {{"__rpcref", "9"}}},
      {"userName", "inl"},
      {"goalPrefix", "\u22a2 "},
      {"mvarId", "m"}};
}

constexpr const char* goalAsText = "case inl\na b\u271d : Nat\n: Inhabited Nat\nx : Nat := 3\n\u22a2 a = b";

TEST(Interactive, GoalsAsText) {
  const InteractiveGoal one = interactiveGoalFromJson(goal(), v1);
  EXPECT_EQ(goalText(one), goalAsText);
  EXPECT_EQ(one.context, RpcRef{"9"});
  EXPECT_TRUE(one.hypotheses[1].isInstance);
  EXPECT_EQ(interactiveGoalFromJson(toJson(one, v1), v1), one);
  EXPECT_FALSE(one.vouching);
  EXPECT_EQ(goalsText({one, one}), std::string(goalAsText) + "\n\n" + goalAsText);
  EXPECT_EQ(goalsText({}), "No goals");
  EXPECT_FALSE(goalsFromJson(nullptr, v1));
  EXPECT_EQ(goalsFromJson(goalsJson({one}, v1), v1)->front(), one);
}

TEST(Interactive, MessagesKeepWhatStandsInTheirEmbeds) {
  const auto embed = [](Json tag) { return Json{{"tag", Json::array({std::move(tag), text("")})}}; };
  const Json trace = embed(Json{{"trace",
                                 {{"indent", 2},
                                  {"cls", "Meta"},
                                  {"msg", text("head")},
                                  {"collapsed", true},
                                  {"children", {{"strict", Json::array({text("one"), text("two")})}}}}}});
  const Json lazy = embed(Json{
      {"trace",
       {{"indent", 0}, {"cls", "c"}, {"msg", text("m")}, {"children", {{"lazy", {{"__rpcref", "4"}}}}}}}});
  const Json json{
      {"append", Json::array({text("type "), embed(Json{{"expr", tagged("7", "/", text("Nat"))}}), text("\n"),
                              embed(Json{{"goal", goal()}}), text("\n"),
                              embed(Json{{"widget", {{"wi", nullptr}, {"alt", text("picture")}}}}),
                              text("\n"), trace, text("\n"), lazy})}};
  const InteractiveMessage message = messageFromJson(json, v1);
  EXPECT_EQ(message.code.text,
            std::string("type Nat\n") + goalAsText + "\npicture\n  [Meta] head\none\ntwo\n[c] m");
  ASSERT_EQ(message.code.parts.size(), 1U);
  EXPECT_EQ(message.code.text.substr(message.code.parts[0].begin, 3), "Nat");
  ASSERT_EQ(message.lazy.size(), 1U);
  EXPECT_EQ(message.lazy[0].children, RpcRef{"4"});
  EXPECT_EQ(message.lazy[0].at, message.code.text.size());
}

TEST(Interactive, DiagnosticsWithInteractiveMessages) {
  const Json json = Json::array({Json{{"range", toJson(Range{})},
                                      {"severity", 1},
                                      {"message", {{"append", Json::array({text("a"), text("b")})}}}},
                                 Json{{"message", text("no range")}}});
  const auto list = interactiveDiagnosticsFromJson(json, v1);
  ASSERT_EQ(list.size(), 1U);
  EXPECT_EQ(list[0].diagnostic.message, "ab");
  EXPECT_TRUE(interactiveDiagnosticsFromJson(nullptr, v1).empty());
}

TEST(Interactive, GoalsOfADocument) {
  DocumentGoals goals{"u",
                      3,
                      true,
                      {{{"inv_1", GoalState::Closed, {"z3", "cvc5"}, "tactic not checked by Lean"},
                        Range{{1, 0}, {1, 5}},
                        Range{{9, 0}, {9, 9}},
                        "invariant-entry",
                        "\u22a2 true"},
                       {{"inv_2", GoalState::Open, {}, ""}, Range{}, std::nullopt, "bounds", "x"}}};
  const std::optional<DocumentGoals> read = documentGoalsFromJson(toJson(goals));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->goals, goals.goals);
  EXPECT_EQ(read->version, 3);
  EXPECT_TRUE(read->complete);
  const auto strange = documentGoalsFromJson(Json{
      {"textDocument", {{"uri", "u"}}}, {"goals", Json::array({Json{{"goal", "g"}, {"state", "surely"}}})}});
  ASSERT_TRUE(strange);
  EXPECT_EQ(strange->goals[0].vouching.state, GoalState::Open) << "an unknown state claims nothing";
}

} // namespace
} // namespace plumbline::lsp
