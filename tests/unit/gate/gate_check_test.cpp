// The gate on whole kernels: what it accepts runs cleanly and has the promised values, what it refuses is
// shown by a run.
#include "core/f32/soft_float.h"
#include "core/gate/contradiction.h"
#include "core/gate/gate.h"
#include "core/logic/eval.h"
#include "tests/support/pointwise.h"

#include <random>

namespace plumbline::gate {
namespace {

using namespace plumbline::test;
using test::Module;

engine::Portfolio& solvers() {
  static engine::Portfolio shared;
  return shared;
}

StopToken limit() {
  return StopToken().withTimeout(std::chrono::seconds(60));
}

GateReport check(Comparison& made) {
  return checkGate(made.store, made.bound(), &solvers(), limit());
}

std::string describe(const GateReport& report) {
  std::string text = std::string(name(report.status)) + ": " + report.reason;
  for (const Finding& finding : report.findings)
    text += "\n  " + finding.kind + ": " + finding.message;
  return text;
}

std::string withIndex(const std::string& body) {
  return source("int i = blockIdx.x * blockDim.x + threadIdx.x;\n  " + body);
}

/// A kernel that works in place on a matrix of at most 1000 by 1000.
const Module matrix{.symbols = {"s0", "s1"}, .ranges = {{"s0", {1, 1000}}, {"s1", {1, 1000}}}};
std::string inPlace(const std::string& body) {
  return R"(
__global__ void k(float* x, int rows, int cols) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  int r = blockIdx.y * blockDim.y + threadIdx.y;
  )" + body +
         R"(
}
torch::Tensor f(torch::Tensor x) {
  int rows = x.size(0), cols = x.size(1);
  k<<<dim3((cols + 7) / 8, (rows + 3) / 4), dim3(8, 4)>>>(x.data_ptr<float>(), rows, cols);
  return x;
}
)";
}

// --- Refused ---

struct Bad {
  const char* what;
  std::string source;
  const char* finding;
  BindOptions options = {};
};

std::vector<Bad> badKernels() {
  BindOptions large;
  large.largestNumel = int64_t{1} << 33;
  return {
      {"no guard", withIndex("y[i] = x[i];"), "out-of-bounds"},
      {"guard one too far", withIndex("if (i <= n) y[i] = x[i];"), "out-of-bounds"},
      {"negative", withIndex("if (i < n) y[i] = x[i - 1];"), "out-of-bounds"},
      {"last one forgotten", withIndex("if (i < n - 1) y[i] = x[i];"), "incomplete"},
      {"data-dependent", withIndex("if (i < n && x[i] > 0.0f) y[i] = x[i];"), "incomplete"},
      {"two threads an element", withIndex("if (i < n) y[i / 2] = x[i];"), "race-block"},
      {"blocks on each other", withIndex("if (i < n) y[threadIdx.x] = x[i];"), "race-grid"},
      {"all threads one element", withIndex("if (i < n) y[0] = x[i];"), "race-block"},
      {"empty output read", withIndex("if (i < n) y[i] = y[i] + x[i];"), "uninitialised-read"},
      {"local without a value", withIndex("float v; if (i != 3) v = 1.0f; if (i < n) y[i] = v;"),
       "uninitialised-read"},
      {"division", withIndex("if (i < n) y[i] = x[i % (n - 3)];"), "division-by-zero"},
      {"product beyond int", withIndex("int k = i * 8; if (k >= 0 && i < n) y[i] = x[i];"), "overflow"},
      {"numel beyond int", source(guardedCopy), "overflow", large},
      {"block of n threads", source("int i = threadIdx.x;\n  if (i < n) y[i] = x[i];", "1, n"),
       "illegal-launch"},
      {"grid of none", source(guardedCopy, "n / 256, 256"), "illegal-launch"},
      {"another shape",
       source(guardedCopy, "(n + 255) / 256, 256", "torch::empty({x.numel() + 1}, x.options())"),
       "output-shape"},
  };
}

TEST(Gate, RefusesWithAReplayedFinding) {
  for (const Bad& bad : badKernels()) {
    SCOPED_TRACE(bad.what);
    const auto made = test::compare(Module{}, bad.source, bad.options);
    const GateReport report = check(*made);
    ASSERT_EQ(report.status, GateStatus::Refused) << describe(report);
    EXPECT_TRUE(report.values.empty());
    const auto found = std::find_if(report.findings.begin(), report.findings.end(),
                                    [&](const Finding& finding) { return finding.kind == bad.finding; });
    ASSERT_NE(found, report.findings.end()) << describe(report);
    EXPECT_TRUE(found->replayed);
    EXPECT_FALSE(found->message.empty());
    EXPECT_TRUE(admissible(made->store, *made->problem, found->sizes));
  }
}

/// Whatever stands in a finding is reproduced by an independent run at its sizes.
TEST(Gate, FindingsOfSmallGridsAreReproduced) {
  for (const Bad& bad : badKernels()) {
    const auto made = test::compare(Module{}, bad.source, bad.options);
    const GateReport report = checkGate(made->store, made->bound(), nullptr, limit());
    if (report.status != GateStatus::Refused || report.findings[0].sizes.at("s0") > 4096)
      continue;
    const Finding& first = report.findings[0];
    if (first.threads.empty())
      continue;
    TensorBits inputs;
    inputs["x"].assign(static_cast<size_t>(first.sizes.at("s0")), 0xbf800000);
    const auto run = runGrid(made->store, *made->problem, first.sizes, inputs, limit());
    ASSERT_TRUE(run) << bad.what;
    EXPECT_TRUE(std::any_of(run->result.findings.begin(), run->result.findings.end(),
                            [&](const ir::RunFinding& each) { return ir::name(each.kind) == first.kind; }))
        << bad.what;
  }
}

// --- Accepted ---

struct Good {
  const char* what;
  Module module;
  std::string source;
  std::vector<Sizes> sizes;
};

std::vector<Good> goodKernels() {
  const std::vector<Sizes> line{{{"s0", 1}}, {{"s0", 2}}, {{"s0", 255}}, {{"s0", 257}}, {{"s0", 600}}};
  const std::vector<Sizes> plane{
      {{"s0", 1}, {"s1", 1}}, {{"s0", 3}, {"s1", 9}}, {{"s0", 17}, {"s1", 5}}, {{"s0", 8}, {"s1", 8}}};
  return {
      {"copy", {}, source(guardedCopy), line},
      {"early return", {}, withIndex("if (i >= n) return; float v = x[i]; y[i] = v > 0.0f ? v : -v;"), line},
      {"two stores", {}, withIndex("if (i < n) { y[i] = x[i]; if (x[i] < 1.0f) y[i] = y[i] + 2.0f; }"), line},
      {"reversed", {}, withIndex("int j = n - 1 - i; if (i < n) y[j] = x[i] * 2.0f;"), line},
      {"neighbour", {}, withIndex("if (i < n) y[i] = x[i] + x[i > 0 ? i - 1 : 0];"), line},
      {"zeros",
       {},
       source("int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n && x[i] > 0.0f) y[i] = x[i];",
              "(n + 255) / 256, 256", "torch::zeros_like(x)"),
       line},
      {"one block",
       {.ranges = {{"s0", {1, 1000}}}},
       source("int i = threadIdx.x;\n  y[i] = x[i];", "1, n"),
       line},
      {"in place", matrix, inPlace("if (r < rows && c < cols) x[r * cols + c] = x[r * cols + c] * 2.0f;"),
       plane},
      {"in place, positive only", matrix,
       inPlace("if (r < rows && c < cols && x[r * cols + c] < 0.0f) x[r * cols + c] = 0.0f;"), plane},
  };
}

TensorBits randomInputs(Comparison& made, const Sizes& sizes, uint32_t seed) {
  static constexpr uint32_t values[] = {0,          0x80000000, 0x3f800000, 0xbf800000, 0x40490fdb,
                                        0x7fc00000, 0x7f800000, 0xff800000, 0x00000001};
  std::mt19937 random(seed);
  TensorBits inputs;
  const int64_t count =
      evaluateAt(made.store, *made.problem, made.spec.inputs[0].tensor.numel, sizes).value_or(0);
  for (int64_t i = 0; i < count; ++i)
    inputs["x"].push_back(values[random() % std::size(values)]);
  return inputs;
}

/// The element value that the gate promises, at one size and index.
Expected<logic::Value> promised(Comparison& made, TermId value, const Sizes& sizes, int64_t index,
                                const TensorBits& inputs) {
  std::unordered_map<TermId, TermId> at{{made.store.var(Sort::Int, elementName), made.store.integer(index)}};
  for (const auto& [symbol, size] : sizes)
    at.emplace(made.store.var(Sort::Int, symbol), made.store.integer(size));
  for (TermId definition : made.problem->definitions)
    at.emplace(made.store[definition].args[0], made.store.substitute(made.store[definition].args[1], at));
  logic::Callbacks callbacks;
  callbacks.load = [&](std::string_view buffer, int64_t cell) -> Expected<uint64_t> {
    const auto& bits = inputs.at(std::string(buffer));
    if (cell < 0 || static_cast<size_t>(cell) >= bits.size())
      return fail(ErrorKind::Internal, "load-unavailable", "outside");
    return bits[static_cast<size_t>(cell)];
  };
  return logic::CompiledTerm(made.store, made.store.substitute(value, at))
      .evaluate(std::map<std::string, logic::Value>{}, callbacks);
}

TEST(Gate, WhatItAcceptsRunsCleanlyAndHasThePromisedValues) {
  for (const Good& good : goodKernels()) {
    SCOPED_TRACE(good.what);
    const auto made = test::compare(good.module, good.source);
    const GateReport report = check(*made);
    ASSERT_EQ(report.status, GateStatus::Accepted) << describe(report);
    ASSERT_EQ(report.values.size(), 1u);
    EXPECT_TRUE(report.findings.empty());
    uint32_t seed = 1;
    for (const Sizes& sizes : good.sizes) {
      const TensorBits inputs = randomInputs(*made, sizes, seed++);
      const auto run = runGrid(made->store, *made->problem, sizes, inputs, limit());
      ASSERT_TRUE(run);
      EXPECT_TRUE(run->result.findings.empty()) << ir::print(run->result.findings[0]);
      const auto& written = run->buffers.at(made->problem->outputs[0].buffer);
      for (size_t i = 0; i < written.size(); ++i) {
        const auto value = promised(*made, report.values[0].value, sizes, static_cast<int64_t>(i), inputs);
        ASSERT_TRUE(value) << value.error().id;
        ASSERT_TRUE(f32::Soft<f32::Binary32>::same(static_cast<uint32_t>(value->bits),
                                                   static_cast<uint32_t>(written[i])))
            << "element " << i;
      }
    }
  }
}

/// Threads past the end of a row read a cell that the thread of the next row writes, and write nothing.
TEST(Gate, AReadThatOnlyIdleThreadsMakeStillRaces) {
  for (const char* body :
       {"int i = r * cols + c; if (i >= rows * cols) return;\n  float v = x[i];\n"
        "  if (r < rows && c < cols) x[i] = v * 2.0f;",
        "int i = r * cols + c; float v = 0.0f; if (r < rows && c < cols + 1 && i < rows * cols) v = x[i];\n"
        "  if (r < rows && c < cols) x[i] = v * 2.0f;"}) {
    const auto made = test::compare(matrix, inPlace(body));
    const Sizes sizes{{"s0", 3}, {"s1", 5}};
    const auto run = runGrid(made->store, made->bound(), sizes, randomInputs(*made, sizes, 1), limit());
    ASSERT_TRUE(run);
    ASSERT_FALSE(run->result.findings.empty()) << "the interpreter sees the race";
    const GateReport report = check(*made);
    EXPECT_EQ(report.status, GateStatus::Refused) << describe(report);
  }
}

TEST(Gate, WithoutSolversNothingUnsafeIsAccepted) {
  for (const Bad& bad : badKernels()) {
    const auto made = test::compare(Module{}, bad.source, bad.options);
    const GateReport report = checkGate(made->store, made->bound(), nullptr, limit());
    EXPECT_NE(report.status, GateStatus::Accepted) << bad.what;
  }
  const auto copy = test::compare(Module{}, source(guardedCopy));
  const GateReport report = checkGate(copy->store, copy->bound(), nullptr, limit());
  EXPECT_TRUE(report.status == GateStatus::Accepted || report.status == GateStatus::Undetermined)
      << describe(report);
  EXPECT_TRUE(report.findings.empty());
}

TEST(Gate, ConstructsWithoutAMeaningAreUnsupported) {
  const auto made = test::compare(Module{}, withIndex("if (i < n) y[i | 1] = x[i];"));
  const GateReport report = check(*made);
  EXPECT_EQ(report.status, GateStatus::Unsupported);
  EXPECT_NE(report.reason.find("bit"), std::string::npos) << report.reason;
}

TEST(Gate, AStoppedCheckAcceptsNothing) {
  StopToken stopped;
  stopped.requestStop();
  const auto made = test::compare(matrix, inPlace("if (r < rows && c < cols) x[r * cols + c] = 1.0f;"));
  const GateReport report = checkGate(made->store, made->bound(), &solvers(), stopped);
  EXPECT_EQ(report.status, GateStatus::Undetermined) << describe(report);
}

// --- Hypotheses ---

TEST(Gate, ContradictoryHypothesesProveNothing) {
  for (const std::vector<std::string>& assume :
       {std::vector<std::string>{"x.numel < 0"}, {"s0 % 2 == 1", "s0 % 2 == 0"}, {"x.numel > 8", "s0 < 8"}}) {
    BindOptions options;
    options.assume = assume;
    const auto made = test::compare(Module{}, withIndex("y[i] = x[i];"), options);
    const GateReport report = check(*made);
    EXPECT_EQ(report.status, GateStatus::Undetermined) << assume[0];
    EXPECT_NE(report.reason.find("contradictory"), std::string::npos) << report.reason;
    EXPECT_TRUE(report.values.empty());
  }
}

TEST(Gate, ContradictoryHypothesesAreNamedAndNoOthers) {
  struct Case {
    std::vector<std::string> assume;
    std::set<std::string> guilty; ///< the only smallest set
    std::string remedy;
  };
  const std::string onesRange = "1 <= s0 <= 1073741824";
  for (const Case& each : std::vector<Case>{
           {{"s0 > 5", "s0 % 2 == 0", "s0 < 3"},
            {"s0 > 5", "s0 < 3"},
            "remove or correct --assume 's0 > 5' or --assume 's0 < 3'"},
           {{"s0 < 100", "s0 == s0 + 1"}, {"s0 == s0 + 1"}, "remove or correct --assume 's0 == s0 + 1'"},
           {{"s0 > 2000000000"},
            {"s0 > 2000000000", onesRange},
            "remove or correct --assume 's0 > 2000000000'"},
           {{"s0 >= 2", "s0 <= 3", "s0 != 2", "s0 != 3"},
            {"s0 >= 2", "s0 <= 3", "s0 != 2", "s0 != 3"},
            "remove or correct --assume 's0 >= 2', --assume 's0 <= 3', --assume 's0 != 2' or --assume 's0 != "
            "3'"}}) {
    BindOptions options;
    options.assume = each.assume;
    const auto made = test::compare(Module{}, withIndex("y[i] = x[i];"), options);
    std::set<std::string> named;
    for (const Hypothesis& hypothesis :
         contradictoryHypotheses(made->store, made->bound(), &solvers(), StopToken()))
      named.insert(hypothesis.text);
    EXPECT_EQ(named, each.guilty);
    const GateReport report = check(*made);
    EXPECT_EQ(report.status, GateStatus::Undetermined);
    EXPECT_EQ(nextStep(report), each.remedy);
    for (const std::string& text : each.guilty)
      EXPECT_NE(report.reason.find("'" + text + "'"), std::string::npos) << report.reason;
  }
  const auto fine = test::compare(Module{}, withIndex("y[i] = x[i];"));
  EXPECT_TRUE(contradictoryHypotheses(fine->store, fine->bound(), &solvers(), StopToken()).empty());
}

TEST(Gate, AnAssumptionCanMakeTheDifference) {
  BindOptions options;
  options.assume = {"x.numel % 256 == 0"};
  const std::string unguarded =
      source("int i = blockIdx.x * blockDim.x + threadIdx.x;\n  y[i] = x[i];", "n / 256, 256");
  const auto with = test::compare(Module{}, unguarded, options);
  EXPECT_EQ(check(*with).status, GateStatus::Accepted);
  const auto without = test::compare(Module{}, unguarded);
  EXPECT_EQ(check(*without).status, GateStatus::Refused);
}

// --- Captured sizes ---

struct Captured {
  const char* what;
  torch::SymbolRange range;
};

TEST(Gate, ACapturedShapeBeyondTheDefaultRangeIsJudgedByItself) {
  for (const Captured& row :
       {Captured{"no upper limit", {1, std::nullopt}}, {"a wide range", {2, int64_t{1} << 40}}}) {
    SCOPED_TRACE(row.what);
    const int64_t captured = (int64_t{1} << 31) + 512;
    const auto made = test::compare(Module{.ranges = {{"s0", row.range}}, .hints = {{"s0", captured}}},
                                    source(guardedCopy));
    EXPECT_EQ(check(*made).status, GateStatus::Accepted) << "up to 2^30 an int is enough";
    // Only the default range may stand against the captured shape: then it is checked by itself.
    for (const Hypothesis& known : made->problem->hypotheses)
      if (known.condition && known.origin != "default size range")
        EXPECT_EQ(evaluateAt(made->store, *made->problem, *known.condition, {{"s0", captured}}), 1)
            << known.text;
    const Problem fixed = atCapturedSizes(made->store, *made->problem);
    EXPECT_TRUE(admissible(made->store, fixed, {{"s0", captured}}));
    const GateReport report = checkGate(made->store, fixed, &solvers(), limit());
    ASSERT_EQ(report.status, GateStatus::Refused) << describe(report);
    EXPECT_EQ(report.findings[0].kind, "overflow");
  }
}

TEST(Gate, ACapturedShapeThatFitsIsAccepted) {
  const auto made = test::compare(Module{.hints = {{"s0", (int64_t{1} << 30) + 512}}}, source(guardedCopy));
  const Problem fixed = atCapturedSizes(made->store, made->bound());
  const GateReport report = checkGate(made->store, fixed, &solvers(), limit());
  EXPECT_EQ(report.status, GateStatus::Accepted) << describe(report);
}

} // namespace
} // namespace plumbline::gate
