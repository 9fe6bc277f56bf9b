// Binding of spec, kernel and contract: every error by its id, what is demanded of the host, size
// expressions.
#include "core/gate/concrete_run.h"
#include "core/logic/eval.h"
#include "tests/support/pointwise.h"

#include <cmath>
#include <random>

namespace plumbline::gate {
namespace {

using namespace plumbline::test;
using test::Module;

/// The error of a comparison that must not bind; the id "bound" when it did.
Error errorOf(const Module& module, const std::string& text, const BindOptions& options = {},
              const std::optional<ir::LaunchContract>& contract = std::nullopt) {
  const auto made = test::compare(module, text, options, contract);
  return made->problem ? Error{ErrorKind::Internal, "bound", "", ""} : made->problem.error();
}

ir::LaunchContract contractOf(const char* text) {
  const Expected<Json> json = parseJson(text, "test");
  const auto contract = json ? ir::launchFromJson("k", *json) : tl::unexpected(json.error());
  if (!contract) {
    ADD_FAILURE() << toString(contract.error());
    return {};
  }
  return *contract;
}

BindOptions assuming(const std::string& text) {
  BindOptions options;
  options.assume.push_back(text);
  return options;
}

TEST(Bind, TensorsMustFit) {
  const std::string copy = source(guardedCopy);
  EXPECT_EQ(errorOf(Module{}, copy).id, "bound");
  EXPECT_EQ(errorOf(Module{.inputs = {"x", "z"}}, copy).id, "binding-tensors");
  EXPECT_EQ(errorOf(Module{.inputs = {"x", "z"}}, copy).kind, ErrorKind::File);

  const auto unknown =
      contractOf(R"JSON({"block": [256], "grid": ["ceil(n / 256)"], "symbols": {"n": [1, 1000]},
    "buffers": {"x": {"len": "n", "role": "input", "tensor": "nothing"}, "y": {"len": "n", "role": "output"}}, "scalars": {"n": "n"}})JSON");
  EXPECT_EQ(errorOf(Module{}, copy, {}, unknown).id, "binding-tensors");

  const auto noOutput =
      contractOf(R"JSON({"block": [256], "grid": ["ceil(n / 256)"], "symbols": {"n": [1, 1000]},
    "buffers": {"x": {"len": "n", "role": "input", "tensor": "x"}, "y": {"len": "n", "role": "input", "tensor": "x"}}, "scalars": {"n": "n"}})JSON");
  EXPECT_EQ(errorOf(Module{}, copy, {}, noOutput).id, "binding-tensors");

  const auto beyond =
      contractOf(R"JSON({"block": [256], "grid": ["ceil(n / 256)"], "symbols": {"n": [1, 1000]},
    "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "input"}}, "scalars": {"n": "n"}})JSON");
  EXPECT_EQ(errorOf(Module{}, copy, {}, beyond).id, "binding-tensors") << "two inputs, the module has one";
}

TEST(Bind, TheNumberOfReturnedTensorsMustFit) {
  auto made = test::compare(Module{}, source(guardedCopy));
  ir::LaunchContract contract = made->imported.launches[0];
  contract.returnedTensors = 2;
  const auto bound = bindProblem(made->store, made->spec, made->imported.module,
                                 made->imported.module.kernels[0], contract, {});
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().id, "binding-tensors");
}

TEST(Bind, ScalarsNeedAValueThatFits) {
  const std::string text = R"(
__global__ void k(const float* x, float* y, int n, float s, long long m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] * s + m;
}
torch::Tensor f(torch::Tensor x, double s, int64_t m) {
  auto y = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, s, m);
  return y;
}
)";
  auto with = [](double s, double m) {
    BindOptions options;
    options.wrapperScalars["s"] = {s, std::to_string(s)};
    options.wrapperScalars["m"] = {m, std::to_string(m)};
    return options;
  };
  EXPECT_EQ(errorOf(Module{}, text).id, "binding-scalar");
  EXPECT_EQ(errorOf(Module{}, text, with(0.1, 3)).id, "bound");
  EXPECT_EQ(errorOf(Module{}, text, with(0.1, 2.5)).id, "binding-size") << "m has no integer value";

  // Passed through as it is, without arithmetic on the host.
  ir::LaunchContract direct = test::compare(Module{}, text, with(0.1, 3))->imported.launches.at(0);
  for (ir::ScalarContract& scalar : direct.scalars)
    if (scalar.parameter == "m") {
      scalar.kind = ir::ScalarContract::Kind::WrapperParameter;
      scalar.wrapperName = "m";
    }
  direct.checks.clear();
  EXPECT_EQ(errorOf(Module{}, text, with(0.1, 2.5), direct).id, "binding-scalar");
  EXPECT_EQ(errorOf(Module{}, text, with(0.1, 1e17), direct).id, "binding-scalar");
  for (ir::ScalarContract& scalar : direct.scalars)
    scalar.kind = ir::ScalarContract::Kind::Free;
  EXPECT_EQ(errorOf(Module{}, text, with(0.1, 3), direct).id, "binding-scalar") << "nothing is known of it";

  const auto made = test::compare(Module{}, text, with(0.1, 3));
  const Problem& problem = made->bound();
  const logic::Term value = made->store[problem.parameters.at("s").scalar];
  EXPECT_EQ(value.payload, std::bit_cast<uint32_t>(0.1F)) << "one rounding from the double";
  EXPECT_EQ(made->store.intValue(problem.parameters.at("m").scalar), 3);
}

TEST(Bind, AScalarNamedLikeASizeIsThatSize) {
  const char* const text = R"JSON({"block": [256], "grid": ["ceil(n / 256)"], "symbols": {"n": [1, 1000]},
    "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}, "scalars": {}})JSON";
  const auto made = test::compare(Module{}, source(guardedCopy), {}, contractOf(text));
  EXPECT_EQ(made->bound().parameters.at("n").scalar, made->bound().parameters.at("x").length);

  ir::LaunchContract renamed = contractOf(text);
  const std::string other = "__global__ void k(const float* x, float* y, int m) { y[0] = x[m]; }";
  EXPECT_EQ(errorOf(Module{}, other, {}, renamed).id, "binding-scalar");
}

TEST(Bind, SizesOfAssumptionsMustBeKnown) {
  const std::string copy = source(guardedCopy);
  EXPECT_EQ(errorOf(Module{}, copy, assuming("q > 1")).id, "binding-size");
  EXPECT_EQ(errorOf(Module{}, copy, assuming("x.size.1 > 1")).id, "binding-size");
  EXPECT_EQ(errorOf(Module{}, copy, assuming("x.shape > 1")).id, "binding-size");
  EXPECT_EQ(errorOf(Module{}, copy, assuming("x.numel +")).id, "size-expression");
  EXPECT_EQ(errorOf(Module{}, copy, assuming("x.numel")).id, "size-expression");
  EXPECT_EQ(errorOf(Module{}, copy, assuming("x.numel")).kind, ErrorKind::Usage);
  for (const char* fine : {"x.numel > 4", "s0 % 4 == 0", "x.size.0 <= 100 && x.dim == 1"})
    EXPECT_EQ(errorOf(Module{}, copy, assuming(fine)).id, "bound") << fine;
}

TEST(Bind, OnlyContiguousFloatTensors) {
  auto made = test::compare(Module{}, source(guardedCopy));
  made->spec.inputs[0].contiguous = false;
  const auto bound = bindProblem(made->store, made->spec, made->imported.module,
                                 made->imported.module.kernels[0], made->imported.launches[0], {});
  ASSERT_FALSE(bound);
  EXPECT_EQ(bound.error().id, "binding-contiguous");

  const auto contract =
      contractOf(R"JSON({"block": [256], "grid": ["ceil(n / 256)"], "symbols": {"n": [1, 1000]},
    "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}, "scalars": {"n": "n"}})JSON");
  const std::string doubles = "__global__ void k(const double* x, float* y, int n) { y[0] = (float)x[n]; }";
  EXPECT_EQ(errorOf(Module{}, doubles, {}, contract).id, "binding-dtype");
}

TEST(Bind, HypothesesNameTheirOrigin) {
  const auto made = test::compare(Module{.ranges = {{"s0", {4, 512}}}},
                                  source(guardedCopy, "(n + 255) / 256, 256", "torch::empty_like(x)",
                                         "TORCH_CHECK(x.numel() > 7, \"small\");"),
                                  assuming("s0 % 4 == 0"));
  std::map<std::string, std::string> origins;
  for (const Hypothesis& known : made->bound().hypotheses)
    origins[known.text] = known.origin;
  EXPECT_EQ(origins["x is contiguous"], "captured graph");
  EXPECT_EQ(origins["4 <= s0 <= 512"], "captured graph");
  EXPECT_EQ(origins["s0 % 4 == 0"], "--assume");
  const auto wrapper = std::count_if(made->bound().hypotheses.begin(), made->bound().hypotheses.end(),
                                     [](const Hypothesis& known) { return known.origin == "wrapper"; });
  EXPECT_EQ(wrapper, 1);
  for (int64_t s0 : {3, 4, 7, 8, 12, 13, 512, 516})
    EXPECT_EQ(admissible(made->store, made->bound(), {{"s0", s0}}), s0 > 7 && s0 <= 512 && s0 % 4 == 0) << s0;
}

TEST(Bind, TheHostIsHeldToWhatItDoes) {
  const auto made = test::compare(Module{.symbols = {"s0", "s1"}}, source(guardedCopy));
  Problem& problem = made->bound();
  std::set<std::string> kinds;
  for (const HostObligation& obligation : problem.hostObligations)
    kinds.insert(obligation.kind);
  EXPECT_EQ(kinds, (std::set<std::string>{"illegal-launch", "output-shape", "overflow"}));
  // Beyond int: the conversion of numel() must be among what does not hold; below, everything holds.
  auto failing = [&](const Sizes& sizes) {
    std::set<std::string> result;
    for (const HostObligation& obligation : problem.hostObligations)
      if (evaluateAt(made->store, problem, obligation.holds, sizes) != 1)
        result.insert(obligation.kind);
    return result;
  };
  EXPECT_TRUE(failing({{"s0", 3}, {"s1", 7}}).empty());
  EXPECT_TRUE(failing({{"s0", 1 << 15}, {"s1", 1 << 15}}).empty());
  EXPECT_TRUE(failing({{"s0", 1 << 16}, {"s1", 1 << 16}}).contains("overflow"));
}

// --- Size expressions ---

class Expressions {
public:
  explicit Expressions(uint32_t seed) : m_random(seed) {}

  ir::SizeExprPtr integer(int depth) {
    using Kind = ir::SizeExpr::Kind;
    static constexpr Kind kinds[] = {Kind::Add, Kind::Sub, Kind::Mul, Kind::Div,
                                     Kind::Rem, Kind::Max, Kind::Min, Kind::CeilDiv};
    if (depth == 0 || below(5) == 0)
      return below(2) == 0 ? ir::sizeConstant(below(11) - 4) : ir::sizeSymbol(below(2) == 0 ? "m" : "n");
    return ir::sizeBinary(kinds[below(8)], integer(depth - 1), integer(depth - 1));
  }
  ir::SizeExprPtr condition(int depth) {
    using Kind = ir::SizeExpr::Kind;
    static constexpr Kind kinds[] = {Kind::Lt, Kind::Le, Kind::Gt, Kind::Ge, Kind::Eq, Kind::Ne};
    if (depth > 0 && below(3) == 0)
      return ir::sizeBinary(Kind::And, condition(depth - 1), condition(depth - 1));
    return ir::sizeBinary(kinds[below(6)], integer(depth), integer(depth));
  }

private:
  int below(int count) { return std::uniform_int_distribution<int>(0, count - 1)(m_random); }
  std::mt19937 m_random;
};

TEST(SizeExprTerm, CeilRoundsUpForEverySign) {
  TermStore store;
  const auto expr = ir::parseSizeExpr("ceil(m / n)");
  ASSERT_TRUE(expr);
  const auto term = sizeExprTerm(
      store, **expr, [&](const std::string& name) { return std::optional(store.var(Sort::Int, name)); });
  ASSERT_TRUE(term);
  logic::CompiledTerm compiled(store, *term);
  for (int64_t m = -9; m <= 9; ++m)
    for (int64_t n = -4; n <= 4; ++n) {
      if (n == 0)
        continue;
      const auto value =
          compiled.evaluate({{"m", logic::Value::integer(m)}, {"n", logic::Value::integer(n)}});
      ASSERT_TRUE(value);
      EXPECT_EQ(value->asInteger(), std::ceil(static_cast<double>(m) / static_cast<double>(n)))
          << m << " / " << n;
    }
}

TEST(Bind, TheUsualGridIsOneDivision) {
  const auto made = test::compare(Module{}, source(guardedCopy));
  const TermId grid = made->bound().geometry.gridDim[0];
  EXPECT_EQ(made->store[grid].op, logic::Op::IDiv) << made->store.print(grid);
}

TEST(SizeExprTerm, HasTheValueOfTheExpression) {
  int compared = 0;
  for (uint32_t seed = 0; seed < 1500; ++seed) {
    Expressions make(seed);
    const ir::SizeExprPtr expr = seed % 3 == 0 ? make.condition(2) : make.integer(3);
    TermStore store;
    const auto term = sizeExprTerm(
        store, *expr, [&](const std::string& name) { return std::optional(store.var(Sort::Int, name)); });
    ASSERT_TRUE(term) << ir::print(*expr);
    logic::CompiledTerm compiled(store, *term);
    for (int64_t m = -5; m <= 6; ++m)
      for (int64_t n : {-7, -1, 0, 1, 2, 9}) {
        const auto expected =
            ir::evaluate(*expr, [&](const std::string& name) { return std::optional(name == "m" ? m : n); });
        const auto value =
            compiled.evaluate({{"m", logic::Value::integer(m)}, {"n", logic::Value::integer(n)}});
        if (!expected)
          continue;
        ++compared;
        ASSERT_TRUE(value) << ir::print(*expr) << " at m = " << m << ", n = " << n;
        ASSERT_EQ(value->asInteger(), *expected) << ir::print(*expr) << " at m = " << m << ", n = " << n;
      }
  }
  EXPECT_GT(compared, 20000);
}

TEST(SizeExprTerm, ConditionsAndIntegersAreKeptApart) {
  TermStore store;
  using Kind = ir::SizeExpr::Kind;
  const auto condition = ir::sizeBinary(Kind::Lt, ir::sizeConstant(1), ir::sizeConstant(2));
  const auto none = [](const std::string&) { return std::optional<TermId>(); };
  EXPECT_EQ(sizeExprTerm(store, *ir::sizeBinary(Kind::Add, condition, ir::sizeConstant(1)), none).error().id,
            "binding-size");
  EXPECT_EQ(sizeExprTerm(store, *ir::sizeBinary(Kind::And, condition, ir::sizeConstant(1)), none).error().id,
            "binding-size");
  EXPECT_EQ(sizeExprTerm(store, *ir::sizeSymbol("n"), none).error().id, "binding-size");
}

} // namespace
} // namespace plumbline::gate
