// The table in code names exactly the rows that core/spec/KNOWN_DIFFERENCES.md publishes.
#include "core/spec/known_differences.h"

#include "core/base/json.h"

#include <gtest/gtest.h>
#include <set>
#include <sstream>

namespace plumbline::spec {
namespace {

torch::Graph graphOf(const std::string& target, std::optional<double> alpha = std::nullopt) {
  torch::Graph graph;
  torch::Node node;
  node.name = "node";
  node.target = target;
  if (alpha)
    node.inputs.push_back({"alpha", torch::floatScalar(*alpha)});
  graph.nodes.push_back(node);
  return graph;
}

TEST(KnownDifferences, EveryPublishedRowIsKnown) {
  const std::set<std::string> known = {
      knownDifference(graphOf("aten.add.Tensor", 2.0)).value_or(""),
      knownDifference(graphOf("aten.erf.default")).value_or(""),
      knownDifference(graphOf("aten.gelu.default")).value_or(""),
      knownDifference(graphOf("aten.selu.default")).value_or(""),
      knownDifference(graphOf("aten.log1p.default")).value_or(""),
  };
  std::set<std::string> published;
  std::istringstream lines(
      readFile(std::string(PLUMBLINE_SOURCE_DIR) + "/core/spec/KNOWN_DIFFERENCES.md").value_or(""));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("| `"))
      published.insert(line.substr(3, line.find('`', 3) - 3));
  EXPECT_EQ(known, published);
}

TEST(KnownDifferences, OtherOperatorsHaveNone) {
  EXPECT_FALSE(knownDifference(graphOf("aten.relu.default")));
  EXPECT_FALSE(knownDifference(graphOf("aten.add.Tensor")));
  EXPECT_FALSE(knownDifference(graphOf("aten.add.Tensor", 1.0)));
}

} // namespace
} // namespace plumbline::spec
