// The table of CUDA formulas against every operator: those that it lists differ from the denotation, all
// others do not.
#include "core/spec/spec.h"
#include "core/spec/torch_cuda.h"
#include "tests/differential/spec/cases.h"
#include "tests/unit/spec/graphs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace plumbline::spec {
namespace {

/// Every term of the two specs, in one store.
bool sameTerms(const Spec& a, const Spec& b) {
  const auto sameOutput = [](const SpecOutput& x, const SpecOutput& y) { return x.element == y.element; };
  const auto sameStage = [](const Stage& x, const Stage& y) {
    return x.count == y.count && x.init == y.init && x.guard == y.guard && x.next == y.next;
  };
  return std::ranges::equal(a.outputs, b.outputs, sameOutput) &&
         std::ranges::equal(a.stages, b.stages, sameStage);
}

std::set<const CudaRow*> rowsOf(const torch::Graph& graph) {
  std::set<const CudaRow*> rows;
  for (const torch::Node& node : graph.nodes)
    rows.insert(findCudaRow(node.target));
  rows.erase(nullptr);
  return rows;
}

bool lists(const Spec& spec, const CudaRow& row) {
  return std::ranges::count(spec.assumptions, "torch-cuda: " + std::string(row.text)) > 0;
}

/// Operators whose cases do not come to the point where CUDA differs.
std::vector<std::pair<std::string, torch::Graph>> writtenByHand() {
  std::vector<std::pair<std::string, torch::Graph>> graphs;
  const auto add = [&](const std::string& target, std::vector<torch::NamedArgument> more,
                       const std::vector<std::string>& result) {
    GraphBuilder builder;
    builder.input("x", {"2", "3"}).input("y", {"2", "3"});
    more.insert(more.begin(), tensor("self", "x"));
    graphs.emplace_back(target, builder.node("out", target, std::move(more), result).graph);
  };
  for (const char* target : {"aten.divide.Tensor", "aten.true_divide.Tensor"})
    add(target, {number("other", 3)}, {"2", "3"});
  for (const char* target : {"aten.kl_div.default", "aten.cross_entropy_loss.default"})
    add(target, {tensor("target", "y")}, {});
  add("aten.adaptive_avg_pool1d.default",
      {{"output_size", std::vector<torch::SizeArg>{{ir::sizeConstant(1)}}}}, {"2", "1"});
  return graphs;
}

std::vector<std::pair<std::string, torch::Graph>> programs() {
  std::vector<std::pair<std::string, torch::Graph>> graphs = writtenByHand();
  for (const Case& each : allCases())
    graphs.emplace_back(each.name, each.graph);
  return graphs;
}

TEST(CudaFormulas, TheTableIsComplete) {
  std::set<const CudaRow*> seen;
  for (const auto& [name, graph] : programs()) {
    const std::set<const CudaRow*> rows = rowsOf(graph);
    logic::TermStore terms;
    const Expected<Spec> defined = denote(terms, graph);
    const Expected<Spec> cuda = denote(terms, graph, {.target = Target::TorchCuda});
    if (!defined) {
      ADD_FAILURE() << name << ": " << toString(defined.error());
      continue;
    }
    const bool refused =
        std::ranges::any_of(rows, [](const CudaRow* row) { return row->kind == CudaRow::Kind::Refused; });
    if (refused) {
      EXPECT_TRUE(!cuda && cuda.error().id == "profile-unsupported") << name;
      seen.insert(rows.begin(), rows.end());
      continue;
    }
    if (!cuda) {
      EXPECT_EQ(cuda.error().id, "argument-unsupported") << name << ": " << toString(cuda.error());
      continue;
    }
    const bool used = std::ranges::any_of(rows, [&](const CudaRow* row) { return lists(*cuda, *row); });
    EXPECT_EQ(sameTerms(*defined, *cuda), !used) << name;
    for (const CudaRow* row : rows)
      if (rows.size() == 1 && used)
        seen.insert(row);
  }
  for (const CudaRow& row : cudaRows())
    EXPECT_TRUE(seen.contains(&row)) << row.op << ": no case shows what the table says";
}

} // namespace
} // namespace plumbline::spec
