#include "core/torch/graph.h"
#include "core/torch/sizes.h"

#include <cmath>
#include <gtest/gtest.h>

namespace plumbline::torch {
namespace {

const std::string fixtures = PLUMBLINE_SOURCE_DIR "/tests/unit/torch/fixtures/";

Json document(const std::string& name) {
  auto text = readFile(fixtures + name);
  auto json = text ? parseJson(*text, name) : fail(text.error());
  EXPECT_TRUE(json.has_value());
  return json ? *json : Json();
}

const Node* findNode(const Graph& graph, const std::string& target) {
  for (const Node& node : graph.nodes)
    if (node.target == target)
      return &node;
  return nullptr;
}

TEST(Graph, FixedSizes) {
  auto graph = readGraphFile(fixtures + "fixed.json");
  ASSERT_TRUE(graph) << toString(graph.error());
  ASSERT_EQ(graph->inputs.size(), 3U);
  EXPECT_EQ(graph->inputs[0].kind, InputKind::Parameter);
  EXPECT_EQ(graph->inputs[0].key, "bias");
  EXPECT_EQ(graph->inputs[1].kind, InputKind::Buffer);
  EXPECT_EQ(graph->inputs[1].key, "scale");
  EXPECT_EQ(graph->inputs[2].kind, InputKind::User);
  EXPECT_TRUE(graph->symbols.empty());
  const TensorInfo& x = graph->tensors.at(graph->inputs[2].name);
  EXPECT_EQ(x.dtype, DType::F32);
  ASSERT_EQ(x.sizes.size(), 2U);
  EXPECT_EQ(x.sizes[0]->value, 5);
  EXPECT_EQ(x.sizes[1]->value, 3);
}

TEST(Graph, SymbolicSizes) {
  auto graph = readGraphFile(fixtures + "symbolic.json");
  ASSERT_TRUE(graph) << toString(graph.error());
  EXPECT_EQ(graph->symbols.size(), 2U);
  for (const auto& [name, range] : graph->symbols) {
    EXPECT_EQ(range.low, 2);
    EXPECT_FALSE(range.high.has_value());
    EXPECT_TRUE(graph->hints.at(name) == 4 || graph->hints.at(name) == 8);
  }
  const Node* leaky = findNode(*graph, "aten.leaky_relu.default");
  ASSERT_NE(leaky, nullptr);
  EXPECT_EQ(findArgument(*leaky, "negative_slope"), nullptr);
  const Node* clamp = findNode(*graph, "aten.clamp.default");
  ASSERT_NE(clamp, nullptr);
  const auto& high = std::get<FloatScalar>(*findArgument(*clamp, "max"));
  EXPECT_TRUE(std::isinf(high.value));
  EXPECT_EQ(high.text, "Infinity");
  EXPECT_EQ(std::get<FloatScalar>(*findArgument(*findNode(*graph, "aten.add.Tensor"), "other")).text, "0.1");
}

TEST(Graph, ArchiveHoldsTheSameProgram) {
  auto json = readGraphFile(fixtures + "symbolic.json");
  auto archive = readGraphFile(fixtures + "symbolic.pt2");
  ASSERT_TRUE(json && archive) << toString(archive.error());
  json->source = archive->source;
  for (Node& node : archive->nodes) { // PyTorch's own file has traces, ours is written without
    EXPECT_TRUE(node.where.file.ends_with("fixtures/make.py")) << node.where.file;
    EXPECT_EQ(node.where.line, 17);
    EXPECT_TRUE(node.where.text.starts_with("return torch.clamp(torch.nn.functional.leaky_relu(x)"));
    node.where = {};
  }
  EXPECT_EQ(toJson(*json), toJson(*archive));
}

TEST(Graph, BareGraphModule) {
  Json json = document("fixed.json");
  auto graph = graphFromExportedJson(Json{{"graph_module", json["graph_module"]}}, "bare");
  ASSERT_TRUE(graph) << toString(graph.error());
  EXPECT_EQ(graph->nodes.size(), 3U);
}

TEST(Graph, OwnFormKeepsEverything) {
  for (const char* name : {"fixed.json", "symbolic.json"}) {
    auto graph = readGraphFile(fixtures + name);
    ASSERT_TRUE(graph);
    graph->constants["c"] = {{2}, {0x3F800000, 0xFFFFFFFF}};
    graph->fixedInputs.push_back({"s", "3.14"});
    const Json written = toJson(*graph);
    auto again = graphFromJson(written);
    ASSERT_TRUE(again) << toString(again.error());
    EXPECT_EQ(toJson(*again), written);
  }
}

/// Replaces every value of the document in turn: a graph or a named error, never a crash.
void damage(Json& root, Json& place, size_t& graphs, size_t& errors) {
  const Json saved = place;
  for (const Json& wrong : {Json(), Json("x"), Json(-1), Json::array(), Json::object(), Json(1e300)}) {
    place = wrong;
    auto graph = graphFromExportedJson(root, "damaged");
    if (!graph)
      EXPECT_TRUE(graph.error().id == "graph-json" || graph.error().id == "graph-unsupported" ||
                  graph.error().id == "schema-version")
          << graph.error().id;
    ++(graph ? graphs : errors);
  }
  place = saved;
  if (place.is_structured())
    for (auto& child : place)
      damage(root, child, graphs, errors);
}

TEST(Graph, DamagedDocuments) {
  Json json = document("symbolic.json");
  json["graph_module"].erase("module_call_graph");
  size_t graphs = 0;
  size_t errors = 0;
  damage(json, json, graphs, errors);
  EXPECT_GT(errors, 500U);
  EXPECT_GT(graphs, 10U); // devices, hints and the like are not needed
}

TEST(Graph, NamesWhatIsUnsupported) {
  Json json = document("fixed.json");
  Json changed = json;
  changed["graph_module"]["signature"]["output_specs"][0] =
      Json{{"buffer_mutation", {{"arg", {{"name", "mul"}}}, {"buffer_name", "scale"}}}};
  auto graph = graphFromExportedJson(changed, "x");
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().id, "graph-unsupported");
  changed = json;
  changed["graph_module"]["graph"]["nodes"][1]["inputs"][0]["arg"] = Json{{"as_graph", Json::object()}};
  graph = graphFromExportedJson(changed, "x");
  ASSERT_FALSE(graph);
  EXPECT_EQ(graph.error().id, "graph-unsupported");
  EXPECT_NE(graph.error().message.find("aten.relu.default"), std::string::npos) << graph.error().message;
}

TEST(Graph, StridesTellContiguity) {
  Json json = document("fixed.json");
  for (auto& [name, value] : json["graph_module"]["graph"]["tensor_values"].items())
    if (name == "x")
      value["strides"] = Json::parse(R"([{"as_int": 1}, {"as_int": 5}])");
  auto graph = graphFromExportedJson(json, "x");
  ASSERT_TRUE(graph);
  EXPECT_FALSE(graph->tensors.at("x").contiguous);
  EXPECT_TRUE(graph->tensors.at("relu").contiguous);
}

TEST(Graph, MutationByName) {
  auto node = [](const char* target) { return Node{"n", target, {}, {}}; };
  EXPECT_TRUE(mutates(node("aten.relu_.default")));
  EXPECT_TRUE(mutates(node("aten.add_.Tensor")));
  EXPECT_FALSE(mutates(node("aten.relu.default")));
  EXPECT_FALSE(mutates(node("aten.__and__.Tensor")));
  EXPECT_FALSE(mutates(node("aten.detach_.default")));
}

TEST(FloatScalar, ShortestText) {
  EXPECT_EQ(floatScalar(0.01).text, "0.01");
  EXPECT_EQ(floatScalar(1.0 / 3).text, "0.3333333333333333");
  EXPECT_EQ(floatScalar(-0.0).text, "-0");
  EXPECT_EQ(floatScalar(-HUGE_VAL).text, "-Infinity");
  EXPECT_EQ(floatFromText("1e-05"), 1e-05);
  EXPECT_FALSE(floatFromText("0.1x").has_value());
}

TEST(Sizes, BindAndInstantiate) {
  auto graph = readGraphFile(fixtures + "symbolic.json");
  ASSERT_TRUE(graph);
  auto sizes = bindSizes(*graph, {{"x", {3, 7}}, {"y", {3, 7}}});
  ASSERT_TRUE(sizes) << toString(sizes.error());
  auto fixed = instantiate(*graph, *sizes);
  ASSERT_TRUE(fixed);
  EXPECT_TRUE(fixed->symbols.empty());
  EXPECT_EQ(fixed->tensors.at("add").sizes[1]->value, 7);
  EXPECT_EQ(capturedSizes(*graph).size(), 2U);
}

TEST(Sizes, Mismatches) {
  auto graph = readGraphFile(fixtures + "symbolic.json");
  ASSERT_TRUE(graph);
  for (const Shapes& shapes : {Shapes{{"x", {3, 7}}, {"y", {3, 8}}}, Shapes{{"x", {3}}},
                               Shapes{{"z", {3, 7}}}, Shapes{{"x", {1, 7}}, {"y", {1, 7}}}}) {
    auto sizes = bindSizes(*graph, shapes);
    ASSERT_FALSE(sizes);
    EXPECT_EQ(sizes.error().id, "shape-mismatch");
  }
}

TEST(GraphFile, Kinds) {
  EXPECT_EQ(readGraphFile("model.onnx").error().id, "model-kind");
  EXPECT_EQ(readGraphFile("/nonexistent/a.json").error().id, "file-not-found");
}

} // namespace
} // namespace plumbline::torch
