// Operators that write into their argument.
#include "tests/unit/spec/calls.h"

namespace plumbline::spec {
namespace {

using torch::DType;
using torch::InputKind;

/// y = x + 1, a view or copy of it, and y or the view written into.
struct Program {
  GraphBuilder builder;

  Program() {
    builder.input("x", {"4"});
    call("y", "aten.add.Tensor", "x", {number("other", 1)});
  }
  Program& call(const char* name, const char* target, const char* self,
                std::vector<torch::NamedArgument> more = {}) {
    more.insert(more.begin(),
                tensor(std::string(target).starts_with("aten.dropout.") ? "input" : "self", self));
    builder.node(name, target, std::move(more), {"4"});
    return *this;
  }
  std::string error() const { return errorOf(builder.graph); }
};

TEST(InPlace, ReadsAsTheOperatorThatMakesANewTensor) {
  Program program;
  program.call("out", "aten.relu_.default", "y");
  EXPECT_EQ(outputOf(program.builder.graph, {{"x", floats({4}, {1, -3, -1, NAN})}}),
            (std::vector<uint64_t>{bits(2), 0, 0, nan}));
}

TEST(InPlace, ChainsAndDropout) {
  Program program;
  program.call("a", "aten.relu_.default", "y");
  program.call("b", "aten.dropout_.default", "a", {number("p", 0.5), {"train", false}});
  program.call("out", "aten.mul_.Tensor", "b", {number("other", 2)});
  EXPECT_EQ(outputOf(program.builder.graph, {{"x", floats({4}, {1, -3, -1, 0})}}),
            floats({}, {4, 0, 0, 2}).bits);
}

TEST(InPlace, TheOldValueMayNotBeReadLater) {
  EXPECT_EQ(Program()
                .call("r", "aten.relu_.default", "y")
                .call("out", "aten.add.Tensor", "r", {tensor("other", "y")})
                .error(),
            "graph-unsupported");
  EXPECT_EQ(Program().call("r", "aten.relu_.default", "y").call("out", "aten.neg.default", "y").error(),
            "graph-unsupported")
      << "although the result itself is not read";
  Program output;
  output.call("r", "aten.relu_.default", "y");
  output.builder.graph.outputs = {"y", "r"};
  EXPECT_EQ(output.error(), "graph-unsupported");
}

TEST(InPlace, NorThroughAnotherName) {
  EXPECT_EQ(Program()
                .call("v", "aten.alias.default", "y")
                .call("r", "aten.relu_.default", "v")
                .call("out", "aten.add.Tensor", "r", {tensor("other", "y")})
                .error(),
            "graph-unsupported");
  EXPECT_EQ(Program()
                .call("v", "aten.dropout.default", "y", {number("p", 0.5), {"train", false}})
                .call("r", "aten.relu_.default", "y")
                .call("out", "aten.add.Tensor", "r", {tensor("other", "v")})
                .error(),
            "graph-unsupported");
  EXPECT_EQ(Program()
                .call("v", "aten.neg.default", "y")
                .call("r", "aten.relu_.default", "y")
                .call("out", "aten.add.Tensor", "r", {tensor("other", "v")})
                .error(),
            "")
      << "a new tensor keeps its value";
}

TEST(InPlace, InputsAreNotWritten) {
  EXPECT_EQ(Program().call("out", "aten.relu_.default", "x").error(), "graph-unsupported");
  EXPECT_EQ(Program().call("v", "aten.alias.default", "x").call("out", "aten.relu_.default", "v").error(),
            "graph-unsupported");
}

TEST(InPlace, AnUnknownOperatorIsNamed) {
  EXPECT_EQ(Program().call("out", "aten.frobnicate_.default", "y").error(), "operator-unsupported");
}

} // namespace
} // namespace plumbline::spec
