// Which line of a trace is the user's, and that it survives both JSON forms.
#include "core/torch/stack_trace.h"

#include <gtest/gtest.h>

namespace plumbline::torch {
namespace {

SourceLine line(const std::string& file, int number, const std::string& text) {
  return {file, number, text};
}

/// What PyTorch 2.6 writes for a call of a layer, without and with strict export.
TEST(StackTrace, TheInnermostFrameOutsidePyTorch) {
  const std::string layer =
      "File \"/project/m.py\", line 6, in forward\n    y = s.a(x)\n"
      "  File \"/usr/lib/python3/dist-packages/torch/nn/modules/activation.py\", line 133, in "
      "forward\n    return F.relu(input, inplace=self.inplace)";
  EXPECT_EQ(userLine(layer), line("/project/m.py", 6, "y = s.a(x)"));
  EXPECT_EQ(userLine("  File \"/project/m.py\", line 8, in forward\n    s.l(y @ y),\n\n"),
            line("/project/m.py", 8, "s.l(y @ y),"));
  EXPECT_EQ(userLine("  File \"m.py\", line 3, in forward\n    a\n  File \"lib.py\", line 9, in f\n    b\n"),
            line("lib.py", 9, "b"));
  EXPECT_EQ(userLine("  File \"m.py\", line 3, in forward\n  File \"lib.py\", line 9, in f\n"),
            line("lib.py", 9, ""));
}

TEST(StackTrace, AFileThatOnlyLooksLikePyTorchIsTheUsers) {
  EXPECT_EQ(userLine("  File \"/project/torch/m.py\", line 3, in forward\n").line, 3);
  EXPECT_EQ(userLine("  File \"/x/site-packages/torchvision/models/vgg.py\", line 4, in f\n").line, 4);
}

TEST(StackTrace, NothingWhereNoFrameIsTheUsers) {
  for (const char* trace :
       {"", "\n\n", "junk", "File \"", "File \"m.py\"", "File \"m.py\", line ", "File \"m.py\", line x",
        "File \"m.py\", line 0", "File \"m.py\", line -3", "File \"m.py\", line 99999999999999999999",
        "File \"\", line 3", "File \"<eval_with_key>.1\", line 5, in forward\n    x",
        "File \"/usr/lib/python3/dist-packages/torch/functional.py\", line 5, in f\n    x",
        "File \", line 3"})
    EXPECT_EQ(userLine(trace), SourceLine()) << trace;
}

TEST(StackTrace, TextsAreMadePrintableAndShort) {
  EXPECT_EQ(userLine("File \"a\x1b[1m.py\", line 3\n    \x1b[2Jx\ty"), line("a [1m.py", 3, " [2Jx y"));
  std::string wide;
  for (int k = 0; k < 100; ++k)
    wide += "\xC3\xA4"; // two bytes each
  EXPECT_EQ(userLine("File \"m.py\", line 3\n  x" + wide).text, "x" + wide.substr(0, 158) + "...");
}

TEST(StackTrace, BothFormsOfAGraphKeepIt) {
  auto text = readFile(PLUMBLINE_SOURCE_DIR "/tests/unit/torch/fixtures/fixed.json");
  ASSERT_TRUE(text);
  Json json = *parseJson(*text, "fixed.json");
  Json& nodes = json["graph_module"]["graph"]["nodes"];
  ASSERT_GE(nodes.size(), 3U);
  nodes[0]["metadata"] = {{"nn_module_stack", "x"},
                          {"stack_trace", "File \"m.py\", line 7, in forward\n    x + 1\n"}};
  nodes[1]["metadata"] = {{"stack_trace", 5}};
  nodes[2]["metadata"] = Json::array();
  const auto graph = graphFromExportedJson(json, "fixed.json");
  ASSERT_TRUE(graph) << toString(graph.error());
  EXPECT_EQ(graph->nodes[0].where, line("m.py", 7, "x + 1"));
  EXPECT_EQ(graph->nodes[1].where, SourceLine());
  EXPECT_EQ(graph->nodes[2].where, SourceLine());
  Json own = toJson(*graph);
  EXPECT_FALSE(own["nodes"][1].contains("where"));
  const auto again = graphFromJson(own);
  ASSERT_TRUE(again) << toString(again.error());
  EXPECT_EQ(again->nodes[0].where, graph->nodes[0].where);
  for (const Json& wrong :
       {Json(), Json(3), Json{{"file", "m.py"}}, Json{{"file", "m.py"}, {"line", 0}, {"text", ""}},
        Json{{"file", "m.py"}, {"line", 3000000000}, {"text", ""}}}) {
    own["nodes"][0]["where"] = wrong;
    const auto refused = graphFromJson(own);
    ASSERT_FALSE(refused) << wrong;
    EXPECT_EQ(refused.error().id, "graph-json");
  }
}

} // namespace
} // namespace plumbline::torch
