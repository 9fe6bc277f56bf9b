// Wrappers with several launches, and arrays that may be one array.
#include "core/gate/grid/whole_gate.h"
#include "tests/unit/gate_grid/grid_fixture.h"

#include <gtest/gtest.h>

namespace plumbline::gate::grid {
namespace {

const std::string preamble = R"(#include <torch/extension.h>
#define AT (blockIdx.x * blockDim.x + threadIdx.x)
#define GRID (n + 255) / 256, 256
__global__ void twice(const float* x, float* t, int n) { int i = AT; if (i < n) t[i] = x[i] * 2; }
__global__ void most(const float* x, float* t, int n) { int i = AT; if (i < n - 1) t[i] = x[i] * 2; }
__global__ void even(const float* x, float* t, int n) { int i = AT; if (i < n && i % 2 == 0) t[i] = x[i]; }
__global__ void plus(const float* t, float* y, int n) { int i = AT; if (i < n) y[i] = t[i] + 1; }
__global__ void shift(float* t, int n) { int i = AT; if (i + 1 < n) t[i] = t[i + 1]; }
__global__ void back(int* t, int n) { int i = AT; if (i < n) t[i] = n - 1 - i; }
__global__ void gather(const float* x, const int* t, float* y, int n) { int i = AT; if (i < n) y[i] = x[t[i]]; }
__global__ void beyond(int* t, int n) { int i = AT; if (i < n) t[i] = n; }
__global__ void add(const float* x, float* y, int n) { int i = AT; if (i < n) y[i] = y[i] + x[i]; }
torch::Tensor f(torch::Tensor x) {
  int n = x.numel();
  auto t = torch::empty_like(x);
  auto y = torch::empty_like(x);
  auto p = torch::empty({x.numel()}, x.options().dtype(torch::kInt32));
)";

#define X "x.data_ptr<float>(), "
#define T "t.data_ptr<float>(), "
#define Y "y.data_ptr<float>(), "
#define P "p.data_ptr<int>(), "

/// The only program that the wrapper with this body is.
Expected<GateReport> gateWrapper(const std::string& body) {
  Expected<cuda::ImportedCuda> imported = importText(preamble + body + "}\n");
  if (!imported)
    return fail(imported.error());
  EXPECT_EQ(imported->programs.size(), 1U) << body;
  EXPECT_TRUE(imported->errors.empty()) << body;
  if (imported->programs.size() != 1)
    return fail(ErrorKind::Usage, "test", "not one program");
  logic::TermStore store;
  engine::Portfolio portfolio;
  return checkProgram(store, imported->module, imported->programs[0], &portfolio, {}, {});
}

struct Row {
  const char* body;
  std::vector<std::string> faults; ///< kinds; empty and not `open`: accepted
  bool open = false;
};

TEST(WholeGate, LaunchesInARow) {
  const std::vector<Row> rows = {
      {"twice<<<GRID>>>(" X T "n); plus<<<GRID>>>(" T Y "n); return y;", {}},
      {"twice<<<GRID>>>(" X T "n); plus<<<GRID>>>(" X Y "n); return y;", {}}, // t is written for nobody
      {"twice<<<GRID>>>(" X T "n); twice<<<GRID>>>(" X Y "n); add<<<GRID>>>(" T Y "n); return y;", {}},
      {"y.zero_(); add<<<GRID>>>(" X Y "n); add<<<GRID>>>(" X Y "n); return y;", {}},
      // The last element of t has no value when it is read.
      {"most<<<GRID>>>(" X T "n); plus<<<GRID>>>(" T Y "n); return y;", {"uninitialised-read"}},
      // Nothing wrote t.
      {"plus<<<GRID>>>(" T Y "n); twice<<<GRID>>>(" X T "n); return y;", {"uninitialised-read"}},
      {"add<<<GRID>>>(" X Y "n); add<<<GRID>>>(" X Y "n); return y;", {"uninitialised-read"}},
      // Odd elements stay unwritten, also the second time.
      {"even<<<GRID>>>(" X Y "n); even<<<GRID>>>(" X Y "n); return y;", {"incomplete"}},
      // The second launch writes what the first left out.
      {"even<<<GRID>>>(" X Y "n); twice<<<GRID>>>(" X Y "n); return y;", {}},
      {"twice<<<GRID>>>(" X T "n); shift<<<GRID>>>(" T "n); return t;", {"race-block", "race-grid"}},
      // Right only because of what the first launch leaves: the gate does not follow values.
      {"back<<<GRID>>>(" P "n); gather<<<GRID>>>(" X P Y "n); return y;", {}, true},
      // Wrong for that reason, which a run shows.
      {"beyond<<<GRID>>>(" P "n); gather<<<GRID>>>(" X P Y "n); return y;", {"out-of-bounds"}},
      {"auto m = torch::matmul(x, x); int k = m.numel(); auto z = torch::empty_like(m); "
       "plus<<<(k + 255) / 256, 256>>>(m.data_ptr<float>(), z.data_ptr<float>(), k); return z;",
       {}},
      // torch reads what nothing wrote: no run shows it here, and nothing is accepted.
      {"most<<<GRID>>>(" X T "n); return torch::relu(t);", {}, true},
      {"most<<<GRID>>>(" X T "n); return t.sum();", {}, true},
      {"y.copy_(t); plus<<<GRID>>>(" Y T "n); return t;", {}, true},
      // A copy has values where the original has.
      {"auto c = t.clone(); plus<<<GRID>>>(c.data_ptr<float>(), " Y "n); return y;", {"uninitialised-read"}},
      {"twice<<<GRID>>>(" X T "n); return torch::relu(t);", {}},
      {"t.view({-1}).zero_(); plus<<<GRID>>>(" T Y "n); return y;", {}},
      // Whether torch returns a tensor that is smaller than x is not known here.
      {"auto m = torch::matmul(x, x); plus<<<GRID>>>(m.data_ptr<float>(), " Y "n); return y;", {}, true},
  };
  for (const Row& row : rows) {
    const Expected<GateReport> report = gateWrapper(row.body);
    ASSERT_TRUE(report) << row.body << ": " << report.error().message;
    if (row.open)
      EXPECT_EQ(report->status, GateStatus::Undetermined) << row.body;
    else
      EXPECT_EQ(outcome(report), row.faults) << row.body << ": " << report->reason;
    for (const Finding& finding : report->findings)
      EXPECT_TRUE(finding.replayed) << row.body;
  }
}

TEST(WholeGate, ObligationsNameTheirLaunch) {
  const Expected<GateReport> report =
      gateWrapper("twice<<<GRID>>>(" X T "n); shift<<<GRID>>>(" T "n); return t;");
  ASSERT_TRUE(report);
  ASSERT_FALSE(report->findings.empty());
  EXPECT_TRUE(report->findings[0].message.starts_with("launch 2, shift: ")) << report->findings[0].message;
  for (const ObligationResult& each : report->obligations)
    EXPECT_TRUE(each.name.starts_with("launch ")) << each.name;
}

TEST(WholeGate, NothingToCheckIsNotAccepted) {
  EXPECT_EQ(merged({}).status, GateStatus::Undetermined);
  GateReport accepted;
  accepted.status = GateStatus::Accepted;
  EXPECT_EQ(merged({{"", accepted}}).status, GateStatus::Accepted);
  EXPECT_EQ(merged({{"", accepted}, {"", GateReport()}}).status, GateStatus::Undetermined);
}

/// y[i] = x[INDEX]
Expected<GateReport> gateShared(const std::string& index, const std::string& alias) {
  Expected<cuda::ImportedCuda> imported =
      importText("__global__ void k(const float* x, float* y, int n) {\n"
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[" +
                 index + "];\n}\n");
  const Expected<Json> json =
      parseJson(R"J({"block": [256], "grid": ["ceil(n / 256)"], "symbols": {"n": [1, 1000000]},
      "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}, "alias": )J" +
                    alias + "}",
                "test");
  const Expected<ir::LaunchContract> contract = ir::launchFromJson("k", *json);
  if (!imported || !contract)
    return fail(imported ? contract.error() : imported.error());
  logic::TermStore store;
  engine::Portfolio portfolio;
  return checkContract(store, imported->module, imported->module.kernels.at(0), *contract, &portfolio, {},
                       {});
}

TEST(WholeGate, ArraysThatMayBeOne) {
  EXPECT_EQ(outcome(gateShared("i", R"([["x", "y"]])")), std::vector<std::string>{});
  EXPECT_EQ(outcome(gateShared("n - 1 - i", "[]")), std::vector<std::string>{});
  // Reading another element is a race, in a block and between blocks, only when the arrays are one.
  EXPECT_EQ(outcome(gateShared("n - 1 - i", R"([["x", "y"]])")),
            (std::vector<std::string>{"aliasing", "aliasing"}));
}

} // namespace
} // namespace plumbline::gate::grid
