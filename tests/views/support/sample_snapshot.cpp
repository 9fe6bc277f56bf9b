#include "tests/views/support/sample_snapshot.h"

namespace plumbline::views::test {

using namespace workbench;

namespace {

const char* const kernelFile = "relu/kernel.cu";
const char* const kernelText = R"(// ReLU with a guard, für alle x
__global__ void relu_kernel(const float* __restrict__ x, float* __restrict__ y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float v = x[i];
    y[i] = v > 0.0f ? v : 0.0f;
  }
}
)";
const char* const methodText = R"(import Velvet

method relu_kernel (n : Nat) (x : Array Float32) returns (y : Array Float32)
  requires size_x: (x.size = n)
  ensures value: (∀ k : Nat, k < n → y[k]! = relu x[k]!)
do
  let mut y : Array Float32 := x
  -- proof hints go here
  return y
)";

SourceRange at(int line, int column, int endLine, int endColumn) {
  return {kernelFile, line, column, endLine, endColumn};
}

/// Both sides of the ReLU pair, written out: the spec keeps NaN, the kernel does not.
class ReluProgram : public StepProgram {
public:
  ReluProgram() {
    m_inputs = {"x[i]"};
    m_spec = {{"x[i]", {}, {0}, 0}, {"relu(x[i])", {}, {1}, 2}};
    m_kernel = {{"x[i]", {at(5, 21, 5, 25)}, {}, 0},
                {"v > 0.0f", {at(6, 12, 6, 20)}, {}, -1},
                {"v > 0.0f ? v : 0.0f", {at(6, 12, 6, 31)}, {}, 1}};
  }
  StepTrace evaluate(const std::vector<uint32_t>& values) const override {
    const uint32_t x = values.at(0);
    const bool nan = classOf(x) == FloatClass::NaN;
    const bool positive = !nan && x != 0 && x < 0x80000000U;
    StepTrace trace;
    trace.specResult = nan ? 0x7fc00000U : positive ? x : 0U;
    trace.kernelResult = positive ? x : 0U;
    trace.allowed = {*trace.specResult};
    trace.differs = *trace.specResult != *trace.kernelResult;
    trace.spec = {{true, "", x, false}, {true, "", trace.specResult, trace.differs}};
    trace.kernel = {{true, "", x, false},
                    {true, positive ? "true" : "false", {}, false},
                    {true, "", trace.kernelResult, trace.differs}};
    return trace;
  }
};

void addGraph(Snapshot& snapshot) {
  snapshot.graph = {{"x", NodeKind::Input, "x", "", "[s0]", "float32", "", {}},
                    {"relu", NodeKind::Operator, "relu", "aten.relu.default", "[s0]", "float32", "", {0}},
                    {"output:0", NodeKind::Output, "output 0", "", "[s0]", "float32", "", {1}}};
}

void addMethod(Snapshot& snapshot) {
  snapshot.method.text = methodText;
  snapshot.method.lines.resize(9);
  snapshot.method.lines[4] = {{at(6, 5, 6, 31)}, {1}, true};
  snapshot.method.lines[7].locked = false;
}

void addGoals(Snapshot& snapshot) {
  snapshot.goals = {{"x[i] is in bounds",
                     "safety gate",
                     CaseStatus::Closed,
                     "0 <= i < n",
                     {at(5, 21, 5, 25)},
                     {},
                     {{"normalise", "syntactically true", "", "", 0.1}},
                     0.1,
                     -1},
                    {"value of output 0",
                     "value under ieee",
                     CaseStatus::Witnessed,
                     "y[i] = relu(x[i])",
                     {at(6, 5, 6, 31)},
                     {1},
                     {{"z3", "sat", "value.smt2", "(check-sat)", 12.5}},
                     12.5,
                     0}};
  snapshot.caseGoals = {{"value of output 0",
                         {{"0 < x[i]"}},
                         {"x[i]"},
                         {{{0, true, -1, FloatClass::NaN}}, {{0, false, -1, FloatClass::NaN}}},
                         ""}};
  CaseNode root;
  root.result.status = CaseStatus::Witnessed;
  root.result.engine = "z3";
  root.result.result = "sat";
  root.result.witness = {0x7fc00000U};
  snapshot.cases.nodes = {root};
  snapshot.programs = {std::make_shared<ReluProgram>()};
}

void addWitness(Snapshot& snapshot) {
  WitnessView witness;
  witness.reading = "ieee";
  witness.caseGoal = 0;
  witness.values = {0x7fc00000U};
  witness.output = "output 0";
  witness.tensors = {{"x", "[2] = [nan, 0]"}};
  witness.spec = "0x7fc00000 (nan)";
  witness.allowed = {"0x7fc00000"};
  witness.kernel = "0x00000000 (0)";
  witness.interpreter = "confirmed";
  witness.pytorch = "not run";
  snapshot.witnesses = {witness};
}

} // namespace

Snapshot reluSnapshot() {
  Snapshot snapshot;
  snapshot.revision = 1;
  snapshot.request.model = "relu/graph.json";
  snapshot.request.kernel = kernelFile;
  snapshot.headline = "different: a NaN input separates them";
  snapshot.tone = Tone::Bad;
  snapshot.readings = {{"ieee", "different", Tone::Bad, "all sizes s0 >= 2", "", ""},
                       {"real", "equal", Tone::Good, "all sizes s0 >= 2", "", ""}};
  snapshot.cuda = {kernelFile, kernelText, false};
  snapshot.hypotheses = {"s0 >= 2 (captured graph)"};
  snapshot.links = {{{1}, {at(6, 12, 6, 31)}}, {{0}, {at(5, 21, 5, 25)}}};
  addGraph(snapshot);
  addMethod(snapshot);
  addGoals(snapshot);
  addWitness(snapshot);
  return snapshot;
}

Snapshot rejectedSnapshot() {
  Snapshot snapshot;
  snapshot.revision = 2;
  snapshot.request.model = "relu/graph.json";
  snapshot.request.kernel = kernelFile;
  snapshot.headline = "rejected: inline assembly is outside the accepted fragment";
  snapshot.cuda = {kernelFile, kernelText, false};
  snapshot.error = Error{ErrorKind::Rejected,
                         "rejected",
                         "1 construct is outside the accepted fragment",
                         "replace the construct that is named",
                         at(5, 5, 5, 26),
                         {}};
  snapshot.marks = {{MarkKind::Error, "inline-asm", "inline assembly has no translation", at(5, 5, 5, 26)},
                    {MarkKind::Note, "no-launch", "no launch was found", {}}};
  snapshot.method.reason = "There is no method: the kernel was rejected.";
  addGraph(snapshot);
  return snapshot;
}

} // namespace plumbline::views::test
