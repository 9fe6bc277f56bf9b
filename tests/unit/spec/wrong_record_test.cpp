// Shapes and dtypes are inferred by our own rules: a record that says something else is refused, naming the
// node, with static and with symbolic sizes.
#include "tests/unit/spec/graphs.h"

#include "core/spec/shape.h"
#include "core/spec/spec.h"

#include <gtest/gtest.h>

namespace plumbline::spec {
namespace {

struct Sample {
  std::string target;
  std::vector<std::vector<std::string>> inputs; ///< shapes; named a, b, c
  std::vector<torch::NamedArgument> arguments;
  std::vector<std::string> result;
  torch::DType dtype = torch::DType::F32;
};

torch::NamedArgument integers(const std::string& name, const std::vector<int64_t>& values) {
  std::vector<torch::SizeArg> list;
  for (int64_t value : values)
    list.push_back({ir::sizeConstant(value)});
  return {name, list};
}

torch::NamedArgument integer(const std::string& name, int64_t value) {
  return {name, value};
}

torch::NamedArgument tensors(const std::string& name, const std::vector<std::string>& names) {
  torch::TensorRefs list;
  for (const std::string& each : names)
    list.items.push_back({each});
  return {name, list};
}

std::vector<Sample> samples() {
  const auto self = tensor("self", "a");
  return {
      {"aten.relu.default", {{"s0", "4"}}, {self}, {"s0", "4"}},
      {"aten.add.Tensor", {{"s0", "4"}, {"4"}}, {self, tensor("other", "b")}, {"s0", "4"}},
      {"aten.gt.Tensor", {{"s0"}, {"s0"}}, {self, tensor("other", "b")}, {"s0"}, torch::DType::Bool},
      {"aten.sum.dim_IntList", {{"s0", "s1", "4"}}, {self, integers("dim", {1})}, {"s0", "4"}},
      {"aten.mean.default", {{"s0", "4"}}, {self}, {}},
      {"aten.argmax.default", {{"s0", "4"}}, {self, integer("dim", 0)}, {"4"}, torch::DType::I64},
      {"aten.softmax.int", {{"s0", "s1"}}, {self, integer("dim", 1)}, {"s0", "s1"}},
      {"aten.cumsum.default", {{"s0", "s1"}}, {self, integer("dim", 0)}, {"s0", "s1"}},
      {"aten.matmul.default", {{"s0", "3"}, {"3", "s1"}}, {self, tensor("other", "b")}, {"s0", "s1"}},
      {"aten.bmm.default",
       {{"s0", "s1", "3"}, {"s0", "3", "5"}},
       {self, tensor("mat2", "b")},
       {"s0", "s1", "5"}},
      {"aten.linear.default",
       {{"s0", "3"}, {"5", "3"}},
       {tensor("input", "a"), tensor("weight", "b")},
       {"s0", "5"}},
      {"aten.conv1d.default",
       {{"s0", "3", "9"}, {"5", "3", "2"}},
       {tensor("input", "a"), tensor("weight", "b"), integers("stride", {2})},
       {"s0", "5", "4"}},
      {"aten.avg_pool1d.default", {{"s0", "3", "9"}}, {self, integers("kernel_size", {2})}, {"s0", "3", "4"}},
      {"aten.transpose.int", {{"s0", "4"}}, {self, integer("dim0", 0), integer("dim1", 1)}, {"4", "s0"}},
      {"aten.permute.default", {{"s0", "4", "s1"}}, {self, integers("dims", {2, 0, 1})}, {"s1", "s0", "4"}},
      {"aten.unsqueeze.default", {{"s0"}}, {self, integer("dim", 0)}, {"1", "s0"}},
      {"aten.squeeze.dim", {{"s0", "1"}}, {self, integer("dim", 1)}, {"s0"}},
      {"aten.cat.default",
       {{"s0", "2"}, {"s0", "3"}},
       {tensors("tensors", {"a", "b"}), integer("dim", 1)},
       {"s0", "5"}},
      {"aten.select.int", {{"s0", "4"}}, {self, integer("dim", 1), integer("index", 2)}, {"s0"}},
      {"aten.slice.Tensor",
       {{"s0", "9"}},
       {self, integer("dim", 1), integer("start", 2), integer("end", 7)},
       {"s0", "5"}},
      {"aten.flip.default", {{"s0", "4"}}, {self, integers("dims", {0})}, {"s0", "4"}},
      {"aten.layer_norm.default",
       {{"s0", "4"}},
       {tensor("input", "a"), integers("normalized_shape", {4})},
       {"s0", "4"}},
      {"aten.mse_loss.default", {{"s0"}, {"s0"}}, {self, tensor("target", "b")}, {}},
  };
}

torch::Graph graphOf(const Sample& sample, const std::map<std::string, std::string>& sizesOf = {}) {
  auto replaced = [&](std::vector<std::string> shape) {
    for (std::string& size : shape)
      if (const auto found = sizesOf.find(size); found != sizesOf.end())
        size = found->second;
    return shape;
  };
  GraphBuilder builder;
  for (size_t k = 0; k < sample.inputs.size(); ++k)
    builder.input(std::string(1, static_cast<char>('a' + k)), replaced(sample.inputs[k]));
  builder.node("node", sample.target, sample.arguments, replaced(sample.result), sample.dtype);
  return builder.graph;
}

/// The graph with one thing wrong in the record of its result.
std::vector<torch::Graph> wrong(const torch::Graph& right) {
  std::vector<torch::Graph> result;
  auto add = [&](auto change) {
    result.push_back(right);
    change(result.back().tensors.at("node"));
  };
  const std::vector<ir::SizeExprPtr> sizes = right.tensors.at("node").sizes;
  for (size_t k = 0; k < sizes.size(); ++k) {
    add([&](auto& info) {
      info.sizes[k] = ir::sizeBinary(ir::SizeExpr::Kind::Add, sizes[k], ir::sizeConstant(1));
    });
    add([&](auto& info) { info.sizes[k] = ir::sizeConstant(77); });
    add([&](auto& info) { info.sizes.erase(info.sizes.begin() + static_cast<ptrdiff_t>(k)); });
  }
  add([&](auto& info) { info.sizes.push_back(ir::sizeConstant(1)); });
  add([&](auto& info) { info.sizes.insert(info.sizes.begin(), ir::sizeConstant(2)); });
  for (torch::DType dtype : {torch::DType::F32, torch::DType::Bool, torch::DType::I64, torch::DType::F64})
    if (dtype != right.tensors.at("node").dtype)
      add([&](auto& info) { info.dtype = dtype; });
  return result;
}

void check(const Sample& sample, const torch::Graph& right) {
  logic::TermStore terms;
  const auto spec = denote(terms, right);
  ASSERT_TRUE(spec) << sample.target << ": " << toString(spec.error());
  for (const torch::Graph& each : wrong(right)) {
    logic::TermStore store;
    const auto refused = denote(store, each);
    const torch::TensorInfo& info = each.tensors.at("node");
    ASSERT_FALSE(refused) << sample.target << " recorded as " << spec::print(info.sizes) << " "
                          << torch::name(info.dtype);
    EXPECT_TRUE(refused.error().id == "shape-mismatch" || refused.error().id == "dtype-unsupported")
        << toString(refused.error());
    EXPECT_NE(refused.error().message.find("'node'"), std::string::npos) << toString(refused.error());
  }
}

TEST(WrongRecord, IsRefusedWithSymbolicSizes) {
  for (const Sample& sample : samples())
    check(sample, graphOf(sample));
}

TEST(WrongRecord, IsRefusedWithKnownSizes) {
  for (const Sample& sample : samples())
    check(sample, graphOf(sample, {{"s0", "6"}, {"s1", "8"}}));
}

} // namespace
} // namespace plumbline::spec
