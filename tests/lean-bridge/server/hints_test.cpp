// The bundled pool of hints over the protocol: which are offered, the edits, completion and hover.
#include "lean-bridge/server/hint_use.h"
#include "tests/lean-bridge/server/goal_session.h"

#include <gtest/gtest.h>

namespace plumbline::server_test {
namespace {

const std::string uri = "file:///sum.lean";

/// Adds two numbers; the wrong claim keeps a goal open.
const std::string sum = R"(import Velvet

method sum (a b : Float32)
  returns (r : Float32)
  ensures same: (r = a + a)
do
  return a + b

prove_correct sum by
  velvet_vcgen [sum] with try finish
)";

class Hints : public testing::Test {
protected:
  void open(const std::string& text) {
    m_text = text;
    session.start();
    session.open(uri, text);
    ASSERT_FALSE(session.complete(uri, 1).is_null());
  }

  Json at(const std::string& what, size_t offset = 0) const {
    return {{"textDocument", {{"uri", uri}}}, {"position", positionOf(m_text, what, offset)}};
  }

  /// The text after each action of a title that begins with "Use hint".
  std::map<std::string, std::string> offered() {
    const Json position = positionOf(m_text, "ensures same", 2);
    std::map<std::string, std::string> result;
    for (const Json& each :
         session.result("textDocument/codeAction", {{"textDocument", {{"uri", uri}}},
                                                    {"range", {{"start", position}, {"end", position}}},
                                                    {"context", {{"diagnostics", Json::array()}}}})) {
      const auto action = lsp::codeActionFromJson(each);
      if (action->title.starts_with("Use hint"))
        result[action->title] =
            lsp::applyEdits(m_text, action->edit->documents.at(0).edits).value_or("overlapping edits");
    }
    return result;
  }

  std::map<std::string, Json> completion(const Json& place) {
    std::map<std::string, Json> result;
    const Json answer = session.result("textDocument/completion", place);
    for (const Json& item : answer["items"])
      result[item["label"].get<std::string>()] = item;
    return result;
  }

  std::string hover(const Json& place) {
    const Json answer = session.result("textDocument/hover", place);
    return answer.is_null() ? "" : answer["contents"]["value"].get<std::string>();
  }

  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }

  std::string m_text;
  GoalSession session{server::GoalOptions{}};
};

TEST_F(Hints, OneThatFitsComesWithItsImport) {
  open(sum);
  const auto actions = offered();
  ASSERT_EQ(actions.size(), 1U) << "only sums occur here";
  const std::string used =
      replaced(replaced(sum, "import Velvet\n", "import Velvet\nimport Plumbline.Lemmas.AddComm\n"), "[sum]",
               "[sum, Plumbline.f32_add_comm]");
  ASSERT_TRUE(actions.contains("Use hint 'Plumbline.f32_add_comm'"));
  EXPECT_EQ(actions.at("Use hint 'Plumbline.f32_add_comm'"), used);
  for (const velvet::Diagnostic& each : server::analyse(uri, 1, lsp::TextDocument(used))->typing.diagnostics)
    ADD_FAILURE() << each.message;
}

TEST_F(Hints, AnImportThatIsThereIsNotAddedAgain) {
  const std::string known =
      replaced(sum, "import Velvet\n", "import Plumbline.Lemmas.AddComm\nimport Velvet\n");
  open(known);
  EXPECT_EQ(offered()["Use hint 'Plumbline.f32_add_comm'"],
            replaced(known, "[sum]", "[sum, Plumbline.f32_add_comm]"));
}

TEST_F(Hints, OneThatIsUsedIsNotOffered) {
  open(replaced(sum, "[sum]", "[sum, Plumbline.f32_add_comm]"));
  EXPECT_TRUE(offered().empty());
}

TEST_F(Hints, FitByAllOfTheirOperators) {
  open(replaced(sum, "return a + b", "return if a < b then a * b else a + b"));
  const auto actions = offered();
  for (const char* name : {"f32_add_comm", "f32_mul_comm", "f32_lt_asymm", "f32_two_mul"})
    EXPECT_TRUE(actions.contains("Use hint 'Plumbline." + std::string(name) + "'")) << name;
  for (const char* name : {"f32_le_of_lt", "f32_neg_neg", "f32_half_div", "f32_leaky_max"})
    EXPECT_FALSE(actions.contains("Use hint 'Plumbline." + std::string(name) + "'")) << name;
}

TEST_F(Hints, IntegersNeedNone) {
  std::string text = sum;
  for (size_t at = text.find("Float32"); at != std::string::npos; at = text.find("Float32"))
    text.replace(at, 7, "Int");
  open(text);
  EXPECT_TRUE(offered().empty());
}

TEST_F(Hints, AreCompletedInListsOnly) {
  open(replaced(sum, "[sum] with try finish",
                "[sum, Plumbline.f32] with try finish\n  case same => grind [su]"));
  const auto inGrind = completion(at("[su]", 3));
  ASSERT_TRUE(inGrind.contains("Plumbline.f32_mul_comm") && inGrind.contains("sum"));
  const Json& hint = inGrind.at("Plumbline.f32_mul_comm");
  EXPECT_EQ(hint["detail"], "(a b : Float32) : a * b = b * a");
  EXPECT_EQ(hint["documentation"], "shown by cvc5; not checked by Lean");
  ASSERT_EQ(hint["additionalTextEdits"].size(), 1U);
  EXPECT_EQ(hint["additionalTextEdits"][0]["newText"], "\nimport Plumbline.Lemmas.MulComm");
  EXPECT_EQ(hint["additionalTextEdits"][0]["range"]["start"], positionOf(m_text, "import Velvet", 13));
  EXPECT_TRUE(completion(at("Plumbline.f32", 13)).contains("f32_mul_comm"));
  EXPECT_FALSE(completion(at("=> grind", 3)).contains("Plumbline.f32_mul_comm"));
  EXPECT_FALSE(completion(at("return a", 7)).contains("Plumbline.f32_mul_comm"));
}

TEST_F(Hints, HoverShowsTheStatementAndWhoShowedIt) {
  open(replaced(sum, "[sum]", "[sum, Plumbline.f32_mul_one, Plumbline.f32_le_of_lt]"));
  EXPECT_EQ(
      hover(at("Plumbline.f32_mul_one", 12)),
      "```lean\ntheorem Plumbline.f32_mul_one (a : Float32) : a * Float32.ofBits 0x3F800000 = a\n```\n\n"
      "hint of the pool, in PlumblineSweep.MulOne, which is not imported here\n\n"
      "shown by sweep; not checked by Lean; rests on the axiom of native evaluation");
  EXPECT_NE(hover(at("Plumbline.f32_le_of_lt", 12)).find("shown by z3 and cvc5; not checked by Lean"),
            std::string::npos);
}

} // namespace
} // namespace plumbline::server_test
