// The generated method, run by an evaluator of its own, against the kernel interpreter: same outputs to the
// bit, every assertion and invariant true, and the contract true exactly where the verdict says so.
#include "core/session/verdict.h"
#include "tests/method/pairs.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace plumbline::method_test {
namespace {

void expectSameOutputs(const gate::Problem& problem, const BothRuns& both) {
  EXPECT_EQ(differingOutput(problem, both), "");
}

class Meaning : public testing::TestWithParam<Pair> {};

TEST_P(Meaning, MethodDoesWhatTheKernelDoes) {
  const Pair& pair = GetParam();
  const std::unique_ptr<Bound> bound = bind(pair);
  if (bound->error)
    return; // no pair to translate; golden_test has what is said then
  session::Comparison& comparison = bound->comparison;
  const auto document = method::generateMethod(comparison.store, *comparison.graph, *comparison.problem);
  ASSERT_TRUE(document) << toString(document.error());
  Evaluator evaluator(leanFileList(), document->tree);
  const bool proved = pair.ieee == "equal" || pair.ieee == "equal-modulo";
  std::vector<gate::Sizes> sizes = gate::smallSizes(comparison.store, *comparison.problem, 3, 40);
  const size_t smallOnes = sizes.size();
  for (const gate::Sizes& larger : gate::smallSizes(comparison.store, *comparison.problem, 60, 300))
    if (sizes.size() == smallOnes &&
        std::ranges::any_of(larger, [](const auto& size) { return size.second > 256; }))
      sizes.push_back(larger);
  ASSERT_FALSE(sizes.empty());
  int compared = 0;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const gate::TensorBits inputs = someInputs(comparison, sizes[i], 7 + i);
    const auto both = runBoth(comparison, evaluator, sizes[i], inputs, i < smallOnes ? 1 : 61);
    ASSERT_TRUE(both) << toString(both.error());
    if (!both->grid.launch.findings.empty())
      continue; // the launch itself is illegal: nothing runs
    EXPECT_FALSE(both->method.failed("type")) << text(both->method);
    EXPECT_FALSE(both->method.failed("requires")) << text(both->method);
    EXPECT_FALSE(both->method.failed("decreasing")) << text(both->method);
    EXPECT_FALSE(both->method.failed("done_with")) << text(both->method);
    EXPECT_EQ(both->method.failed("assert"), hasForbidden(both->grid.result)) << text(both->method);
    if (both->method.failed("type") || hasForbidden(both->grid.result))
      continue; // after a forbidden access each side goes on in its own way
    expectSameOutputs(*comparison.problem, *both);
    ++compared;
    if (proved) {
      EXPECT_FALSE(both->method.failed("invariant")) << text(both->method);
      EXPECT_FALSE(both->method.failed("ensures")) << text(both->method);
    }
  }
  if (proved)
    EXPECT_GT(compared, 0);
}

/// Sizes that give the inputs the witness's shapes.
gate::Sizes sizesOf(session::Comparison& comparison, const session::Witness& witness) {
  gate::Sizes sizes;
  for (const spec::SpecInput& input : comparison.problem->spec.inputs) {
    const auto found = witness.inputs.find(input.tensor.name);
    if (found == witness.inputs.end())
      continue;
    for (size_t axis = 0; axis < found->second.shape.size(); ++axis)
      if (const logic::TermId size = input.tensor.shape[axis]; comparison.store[size].op == logic::Op::Var)
        sizes[comparison.store.symbolText(size)] = found->second.shape[axis];
  }
  return sizes;
}

TEST_P(Meaning, ContractFailsAtTheWitness) {
  const Pair& pair = GetParam();
  if (pair.ieee != "different")
    return;
  const session::CheckOutcome outcome = session::runCheck(optionsFor(pair), sharedPool(), {}, {});
  ASSERT_FALSE(outcome.verdict.readings.empty());
  ASSERT_TRUE(outcome.verdict.readings[0].witness.has_value());
  const session::Witness& witness = *outcome.verdict.readings[0].witness;
  session::Comparison& comparison = *outcome.comparison;
  const auto document = method::generateMethod(comparison.store, *comparison.graph, *comparison.problem);
  ASSERT_TRUE(document) << toString(document.error());
  Evaluator evaluator(leanFileList(), document->tree);
  const gate::Sizes sizes = sizesOf(comparison, witness);
  gate::TensorBits inputs;
  for (const auto* tensors : {&witness.inputs, &witness.initial})
    for (const auto& [name, tensor] : *tensors)
      inputs[name].assign(tensor.bits.begin(), tensor.bits.end());
  const auto both = runBoth(comparison, evaluator, sizes, inputs, 1);
  ASSERT_TRUE(both) << toString(both.error());
  EXPECT_FALSE(both->method.failed("type")) << text(both->method);
  EXPECT_FALSE(both->method.failed("requires")) << text(both->method);
  EXPECT_FALSE(both->method.failed("assert")) << text(both->method);
  EXPECT_TRUE(both->method.failed("ensures"));
  expectSameOutputs(*comparison.problem, *both);
}

// --- That the comparison would notice ---

/// Changes the first statement that stores into an array.
bool spoilStore(std::vector<velvet::Stmt>& body) {
  for (velvet::Stmt& stmt : body) {
    if (stmt.kind == velvet::StmtKind::Set && stmt.value->form == velvet::Form::Apply) {
      std::vector<velvet::ExprPtr> args(stmt.value->args.begin() + 1, stmt.value->args.end());
      args[1] = velvet::unary(velvet::UnaryOp::Negate, args[1]);
      stmt.value = velvet::applyTo(stmt.value->args[0], std::move(args));
      return true;
    }
    if (spoilStore(stmt.body) || spoilStore(stmt.otherwise))
      return true;
  }
  return false;
}

/// Makes the first bound of a loop's counter in an invariant, or the first assertion, wrong.
bool spoilClause(std::vector<velvet::Stmt>& body, velvet::StmtKind kind) {
  for (velvet::Stmt& stmt : body) {
    velvet::Clause* clause = nullptr;
    if (stmt.kind == kind)
      clause = kind == velvet::StmtKind::While ? &stmt.loop.invariants.at(0) : &stmt.clause;
    if (clause != nullptr) {
      clause->prop = velvet::unary(velvet::UnaryOp::Not, clause->prop);
      return true;
    }
    if (spoilClause(stmt.body, kind) || spoilClause(stmt.otherwise, kind))
      return true;
  }
  return false;
}

class Spoilt : public testing::Test {
protected:
  MethodRun run(const std::function<void(velvet::Method&)>& spoil) {
    const auto pair = std::ranges::find(allPairs(), "relu-keeps-nan", &Pair::name);
    m_bound = bind(*pair);
    session::Comparison& comparison = m_bound->comparison;
    auto document = method::generateMethod(comparison.store, *comparison.graph, *comparison.problem);
    for (velvet::Item& item : document->tree.items)
      if (auto* method = std::get_if<velvet::Method>(&item))
        spoil(*method);
    Evaluator evaluator(leanFileList(), document->tree);
    const gate::Sizes sizes = gate::smallSizes(comparison.store, *comparison.problem, 3, 40).back();
    auto both = runBoth(comparison, evaluator, sizes, someInputs(comparison, sizes, 3), 1);
    m_expected = both->grid.buffers.at("output:0");
    return both->method;
  }

  bool sameOutput(const MethodRun& run) const {
    return std::ranges::equal(*run.result.array, m_expected, [](uint32_t a, uint64_t b) {
      return f32::Soft<f32::Binary32>::same(a, static_cast<uint32_t>(b));
    });
  }

private:
  std::unique_ptr<Bound> m_bound;
  std::vector<uint64_t> m_expected;
};

TEST_F(Spoilt, NothingIsFoundInTheDocumentItself) {
  const MethodRun result = run([](velvet::Method&) {});
  EXPECT_TRUE(result.failures.empty()) << text(result);
  EXPECT_TRUE(sameOutput(result));
}

TEST_F(Spoilt, AnotherStoreIsFound) {
  const MethodRun result = run([](velvet::Method& method) { ASSERT_TRUE(spoilStore(method.body)); });
  EXPECT_FALSE(sameOutput(result));
  EXPECT_TRUE(result.failed("ensures"));
  EXPECT_TRUE(result.failed("invariant"));
}

TEST_F(Spoilt, AFalseAssertionOrInvariantIsFound) {
  EXPECT_TRUE(run([](velvet::Method& method) {
                ASSERT_TRUE(spoilClause(method.body, velvet::StmtKind::Assert));
              }).failed("assert"));
  EXPECT_TRUE(run([](velvet::Method& method) {
                ASSERT_TRUE(spoilClause(method.body, velvet::StmtKind::While));
              }).failed("invariant"));
}

TEST_F(Spoilt, AFalseRequirementIsFound) {
  EXPECT_TRUE(run([](velvet::Method& method) {
                velvet::ExprPtr& prop = method.requirements.at(0).prop;
                prop = velvet::unary(velvet::UnaryOp::Not, prop);
              }).failed("requires"));
}

TEST_F(Spoilt, AValueOfAnotherTypeIsFound) {
  EXPECT_TRUE(run([](velvet::Method& method) {
                method.requirements.at(0).prop =
                    velvet::binary(velvet::BinaryOp::Equal, velvet::name("gridDim_x"), velvet::name("s0"));
              }).failed("type"));
}

INSTANTIATE_TEST_SUITE_P(Pairs, Meaning, testing::ValuesIn(allPairs()), [](const auto& info) {
  std::string name = (info.param.isSample ? "sample_" : "case_") + info.param.name;
  std::ranges::replace(name, '-', '_');
  return name;
});

} // namespace
} // namespace plumbline::method_test
