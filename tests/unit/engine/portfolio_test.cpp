#include "core/engine/portfolio.h"
#include "tests/unit/engine/leaf_terms.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>

namespace plumbline::engine {
namespace {

using logic::TermId;
using Outcome = PortfolioResult::Outcome;
using namespace std::chrono_literals;

/// A shell script that speaks the solvers' protocol and gives the same answer to every query.
SolverSpec scriptedSolver(const std::string& name, const std::string& answer) {
  const std::string path = ::testing::TempDir() + "solver-" + name;
  std::ofstream script(path);
  script << "#!/bin/sh\nwhile read -r line; do\n  case $line in\n"
         << "    '(check-sat)') " << answer << ";;\n"
         << "    '(get-value'*) echo '((v_x (_ NaN 8 24)))';;\n"
         << "    '(echo'*) line=${line#*\\\"}; echo \"${line%%\\\"*}\";;\n"
         << "  esac\ndone\n";
  script.close();
  ::chmod(path.c_str(), 0755);
  return {name, {path}, ":timeout"};
}

class PortfolioTest : public ::testing::Test, public plumbline::testing::LeafTerms {
protected:
  SmtQuery difference(TermId left, TermId right, SmtReading reading = SmtReading::Ieee) {
    const TermId rights[] = {right};
    SmtOptions options;
    options.reading = reading;
    return *smtQuery(store, differenceAssertions(store, left, rights, always, reading), options);
  }
  static Expected<PortfolioResult> run(PortfolioOptions options, const SmtQuery& query) {
    return Portfolio(std::move(options)).run(query, 20s, StopToken());
  }
};

TEST_F(PortfolioTest, ProvesWhatOneSolverCannot) {
  const auto result = run({}, difference(add(x, y), add(y, x)));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Unsat);
  EXPECT_EQ(result->engine, "cvc5");
  EXPECT_EQ(result->answers.size(), 2U);
  EXPECT_NE(result->queryText.find("(check-sat)"), std::string::npos);
}

TEST_F(PortfolioTest, BothAnswersAreRecordedWithinTheGrace) {
  PortfolioOptions options;
  options.grace = 5s;
  const auto result = run(options, difference(x, x, SmtReading::Real));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->answers[0].status, SolverStatus::Unsat);
  EXPECT_EQ(result->answers[1].status, SolverStatus::Unsat);
}

TEST_F(PortfolioTest, ASlowSolverIsStopped) {
  PortfolioOptions options;
  options.solvers = {SolverSpec::cvc5(), scriptedSolver("slow", "sleep 30; echo sat")};
  const auto start = std::chrono::steady_clock::now();
  const auto result = run(options, difference(x, x));
  EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Unsat);
  EXPECT_EQ(result->answers[1].status, SolverStatus::NotRun);
}

TEST_F(PortfolioTest, AContradictionIsAConflictAndBothTextsAreSaved) {
  PortfolioOptions options;
  options.solvers = {SolverSpec::cvc5(), scriptedSolver("wrong", "echo sat")};
  options.grace = 5s;
  options.conflictFolder = ::testing::TempDir() + "conflicts";
  const SmtQuery query = difference(x, x);
  const auto result = run(options, query);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Conflict);
  EXPECT_FALSE(result->model);
  ASSERT_EQ(result->saved.size(), 2U);
  for (const auto& path : result->saved)
    EXPECT_NE(readFile(path)->find(query.text), std::string::npos) << path;
  EXPECT_NE(readFile(result->saved[1])->find("; wrong answered sat"), std::string::npos);
  EXPECT_EQ(toJson(*result)["result"], "conflict");
}

TEST_F(PortfolioTest, AMissingSolverIsNamedAndTheOtherUsed) {
  PortfolioOptions options;
  options.solvers = {{"z3", {"plumbline-no-such-solver"}, ":timeout"}, SolverSpec::cvc5()};
  const auto result = run(options, difference(x, x));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Unsat);
  EXPECT_EQ(result->answers[0].status, SolverStatus::Missing);
  options.solvers.pop_back();
  const auto none = run(options, difference(x, x));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().id, "solver-missing");
}

TEST_F(PortfolioTest, WithoutAnAnswerTheOutcomeIsUnknown) {
  PortfolioOptions options;
  options.solvers = {scriptedSolver("gaveup", "echo unknown"), scriptedSolver("broken", "echo garbage")};
  const auto result = run(options, difference(x, x));
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Unknown);
  EXPECT_EQ(result->answers[0].status, SolverStatus::Unknown);
  EXPECT_EQ(result->answers[1].status, SolverStatus::Error);
}

TEST_F(PortfolioTest, ACancelReturnsAtOnce) {
  PortfolioOptions options;
  options.solvers = {scriptedSolver("sleeper", "sleep 30; echo unsat")};
  Portfolio portfolio(options);
  StopToken stop;
  const auto start = std::chrono::steady_clock::now();
  std::jthread canceller([&] {
    std::this_thread::sleep_for(50ms);
    stop.requestStop();
  });
  const auto result = portfolio.run(difference(x, x), 60s, stop);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 2s);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->outcome, Outcome::Unknown);
}

} // namespace
} // namespace plumbline::engine
