// That the theorems of lean/ are true, shown without Lean: those about Float32 are given to the engines (all
// 2^32 values, or both solvers) and evaluated at special values; closed facts are evaluated. Statements about
// Lean's own model have no engine; the test names them, so that the list cannot grow unseen.
#include "core/engine/portfolio.h"
#include "core/engine/sweep.h"
#include "core/logic/eval.h"
#include "core/logic/term_json.h"
#include "core/method/hint_pool.h"
#include "tests/lean/statements.h"
#include "tests/method/pairs.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::method_test {
namespace {

using logic::TermId;

const std::vector<velvet::Definition>& leanDefinitions() {
  static const std::vector<velvet::Definition> all = [] {
    std::vector<velvet::Definition> made;
    for (const LeanFile& file : leanFileList())
      made.insert(made.end(), file.definitions.begin(), file.definitions.end());
    return made;
  }();
  return all;
}

enum class Answer : uint8_t { True, False, Unknown };

/// Every value of one variable, or both solvers on several.
class Judge {
public:
  Answer judge(logic::TermStore& store, TermId term, size_t variables) {
    return variables <= 1 ? sweep(store, term) : solve(store, term);
  }

private:
  Answer sweep(logic::TermStore& store, TermId term) {
    const TermId one = store.f32Bits(0x3F800000);
    const TermId left = store.ite(term, one, store.f32Bits(0));
    const engine::SweepTask task{&store, left, {one}, store.boolean(true), "a"};
    const auto result = m_sweeper.run(task, {});
    if (!result)
      return Answer::Unknown;
    if (result->outcome == engine::SweepResult::Outcome::Different)
      return Answer::False;
    return result->complete() ? Answer::True : Answer::Unknown;
  }

  Answer solve(logic::TermStore& store, TermId term) {
    const TermId negated[] = {store.lnot(term)};
    const auto query = engine::smtQuery(store, negated, {});
    if (!query)
      return Answer::Unknown;
    const auto result = m_portfolio.run(*query, std::chrono::seconds(20), {});
    if (!result)
      return Answer::Unknown;
    using Outcome = engine::PortfolioResult::Outcome;
    return result->outcome == Outcome::Unsat ? Answer::True
           : result->outcome == Outcome::Sat ? Answer::False
                                             : Answer::Unknown;
  }

  engine::Sweeper m_sweeper;
  engine::Portfolio m_portfolio;
};

Judge& judge() {
  static Judge one;
  return one;
}

const std::vector<uint32_t>& specialBits() {
  static const std::vector<uint32_t> bits = [] {
    std::vector<uint32_t> made{0x7fc00000, 0x7f800000, 0xff800000, 0x00000000, 0x80000000, 0x3f800000,
                               0xbf800000, 0x3f800001, 0x00000001, 0x80000001, 0x007fffff, 0x00800000,
                               0x7f7fffff, 0xff7fffff, 0x40000000, 0x3f000000};
    std::mt19937 random(23);
    for (int i = 0; i < 24; ++i)
      made.push_back(random());
    return made;
  }();
  return bits;
}

/// The statement at special values of its variables, by the evaluator of method documents: "" or where it
/// fails.
std::string failsAt(const Statement& statement) {
  static const velvet::Document empty;
  Evaluator evaluator(leanFileList(), empty);
  const size_t count = specialBits().size();
  size_t combinations = 1;
  for (size_t i = 0; i < statement.variables.size(); ++i)
    combinations *= count;
  for (size_t index = 0; index < combinations; ++index) {
    std::map<std::string, Value> variables;
    std::string shown;
    size_t rest = index;
    for (const velvet::Binder& variable : statement.variables) {
      variables[variable.name] = floatValue(specialBits()[rest % count]);
      shown += " " + std::to_string(specialBits()[rest % count]);
      rest /= count;
    }
    auto holds = [&](const velvet::ExprPtr& prop) {
      return evaluator.evaluate(*prop, variables).number != 0;
    };
    try {
      if (std::ranges::all_of(statement.hypotheses, holds) && !holds(statement.claim))
        return "false at" + shown;
    } catch (const std::string& problem) {
      return problem;
    }
  }
  return "";
}

void expectTrue(const Statement& statement) {
  EXPECT_EQ(failsAt(statement), "") << statement.name;
  logic::TermStore store;
  const auto term = termOf(statement, leanDefinitions(), store);
  ASSERT_TRUE(term.has_value()) << statement.name << " has no term: " << statement.text;
  EXPECT_EQ(judge().judge(store, *term, statement.variables.size()), Answer::True)
      << statement.name << ": " << store.print(*term);
}

TEST(LeanStatements, LemmasHoldForEveryFloat) {
  const std::vector<Statement> lemmas = statementsOf("Plumbline/Lemmas");
  EXPECT_GE(lemmas.size(), 14U);
  for (const Statement& lemma : lemmas)
    expectTrue(lemma);
}

TEST(LeanStatements, SweptLemmasHoldForEveryFloat) {
  const std::vector<Statement> lemmas = statementsOf("PlumblineSweep");
  EXPECT_GE(lemmas.size(), 8U);
  for (const Statement& lemma : lemmas)
    if (lemma.name == "Plumbline.f32_of_bits_to_bits")
      EXPECT_EQ(failsAt(lemma), ""); // about Lean's conversions: our floats are bits already
    else
      expectTrue(lemma);
}

/// What is evaluated in Lean's sweep is the statement at that bit pattern.
TEST(LeanStatements, SweepsEvaluateTheirStatement) {
  const std::filesystem::path root = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "lean" / "PlumblineSweep";
  size_t count = 0;
  for (const Statement& lemma : statementsOf("PlumblineSweep")) {
    if (lemma.name == "Plumbline.f32_of_bits_to_bits")
      continue;
    const std::string text = readFile(root / std::filesystem::path(lemma.file).filename()).value_or("");
    const size_t start = text.find("  decide (") + 10;
    const auto swept = readExpression(text.substr(start, text.find(")\n\ntheorem ", start) - start));
    const auto bits = readExpression("Float32.ofBits bits");
    ASSERT_TRUE(swept.has_value()) << lemma.name;
    ASSERT_TRUE(bits.has_value());
    const velvet::ExprPtr value = *bits;
    std::function<velvet::ExprPtr(const velvet::ExprPtr&)> replaced = [&](const velvet::ExprPtr& expr) {
      if (expr->form == velvet::Form::Name && expr->text == "a")
        return value;
      velvet::Expr made = *expr;
      for (velvet::ExprPtr& arg : made.args)
        arg = replaced(arg);
      return std::make_shared<const velvet::Expr>(std::move(made));
    };
    EXPECT_TRUE(velvet::equal(**swept, *replaced(lemma.claim))) << lemma.name;
    ++count;
  }
  EXPECT_GE(count, 7U);
}

TEST(LeanStatements, ClosedFactsEvaluateToTrue) {
  const std::vector<Statement> facts = statementsOf("Plumbline/Facts");
  EXPECT_GE(facts.size(), 10U);
  for (const Statement& fact : facts) {
    EXPECT_TRUE(fact.variables.empty() && fact.hypotheses.empty()) << fact.name;
    if (fact.name == "Plumbline.f32_nan_payload")
      continue; // about Lean's conversion of bits; the evaluator has it built in
    EXPECT_EQ(failsAt(fact), "") << fact.name;
    logic::TermStore store;
    if (const auto term = termOf(fact, leanDefinitions(), store)) {
      const auto value = logic::CompiledTerm(store, *term).evaluate(std::map<std::string, logic::Value>{});
      ASSERT_TRUE(value) << fact.name;
      EXPECT_EQ(*value, logic::Value::boolean(true)) << fact.name;
    }
  }
}

/// Statements about Lean's model of floats. They follow from Lean's sources, which no engine of ours reads.
TEST(LeanStatements, OnlyTheseAreAboutLeansModel) {
  const std::set<std::string> known{"BeqUnpack.lean",
                                    "Fma.lean",
                                    "IsNaNUnpack.lean",
                                    "LeIff.lean",
                                    "LtIff.lean",
                                    "SignMulComm.lean",
                                    "ToBitsInj.lean",
                                    "UnpackedAddComm.lean",
                                    "UnpackedCompareSome.lean",
                                    "UnpackedCompareSwap.lean",
                                    "UnpackedMulComm.lean"};
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(PLUMBLINE_SOURCE_DIR) /
                                                               "lean/Plumbline/Model"))
    found.insert(entry.path().filename().string());
  EXPECT_EQ(found, known);
}

// --- The hint pool ---

/// "Plumbline.Lemmas.MulComm" of "Plumbline/Lemmas/MulComm.lean".
std::string moduleOf(const std::string& file) {
  std::string module = file.substr(0, file.size() - 5);
  std::ranges::replace(module, '/', '.');
  return module;
}

/// "not checked by Lean", or what the first line of the file says.
std::string checkedBy(const std::string& file) {
  const std::string text = readFile(std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "lean" / file).value_or("");
  constexpr std::string_view mark = "-- last compiled: ";
  return text.starts_with(mark) ? text.substr(mark.size(), text.find('\n') - mark.size())
                                : "not checked by Lean";
}

/// Z3 does not see that + and * commute.
std::vector<std::string> enginesFor(const Statement& statement) {
  if (statement.variables.size() <= 1)
    return {"sweep"};
  if (statement.name == "Plumbline.f32_add_comm" || statement.name == "Plumbline.f32_mul_comm")
    return {"cvc5"};
  return {"z3", "cvc5"};
}

/// A theorem as the pool lists it. Nothing for one without a term.
std::optional<Json> hintOf(const Statement& statement, bool swept) {
  logic::TermStore store;
  const auto term = termOf(statement, leanDefinitions(), store);
  if (!term)
    return std::nullopt;
  Json evidence = Json::array();
  for (const std::string& engine : enginesFor(statement))
    evidence.push_back({{"engine", engine}, {"result", "closed"}, {"artefact", nullptr}, {"time_ms", 0}});
  const TermId roots[] = {*term};
  return Json{{"schema", 1},
              {"name", statement.name.substr(std::string_view("Plumbline.").size())},
              {"statement", statement.text},
              {"formula", logic::toJson(store, roots)},
              {"attribute", statement.attributes.empty() ? "none" : "grind"},
              {"attributes", statement.attributes},
              {"status", "proved"},
              {"lean", statement.name},
              {"module", moduleOf(statement.file)},
              {"checked", checkedBy(statement.file)},
              {"axioms", swept ? Json::array({"native evaluation"}) : Json::array()},
              {"evidence", evidence}};
}

TEST(HintPool, ListsTheLemmasAsTheyStand) {
  Json hints = Json::array();
  for (const auto& [folder, swept] :
       {std::pair("Plumbline/Lemmas", false), std::pair("PlumblineSweep", true)})
    for (const Statement& statement : statementsOf(folder))
      if (std::optional<Json> hint = hintOf(statement, swept))
        hints.push_back(*std::move(hint));
  const std::string text = prettyJson({{"schema", 1}, {"hints", hints}});
  const std::filesystem::path file = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "resources" / "hints.json";
  if (std::getenv("PLUMBLINE_UPDATE_GOLDEN") != nullptr)
    ASSERT_TRUE(writeFile(file, text));
  EXPECT_EQ(readFile(file).value_or("(no file)"), text);
  const auto pool = method::readHintPool();
  ASSERT_TRUE(pool) << toString(pool.error());
  EXPECT_EQ(pool->size(), hints.size());
  const auto found = std::ranges::find(*pool, "f32_mul_comm", &method::Hint::name);
  ASSERT_NE(found, pool->end());
  EXPECT_EQ(found->statement, "(a b : Float32) : a * b = b * a");
  EXPECT_EQ(found->module, "Plumbline.Lemmas.MulComm");
  EXPECT_EQ(found->attributes, "grind =");
  EXPECT_TRUE(found->axioms.empty());
}

/// Each solver that the pool names shows the lemma alone.
TEST(HintPool, TheSolversItNamesAnswer) {
  const auto pool = method::readHintPool();
  ASSERT_TRUE(pool) << toString(pool.error());
  for (const Statement& statement : statementsOf("Plumbline/Lemmas")) {
    const auto hint = std::ranges::find(*pool, statement.name, &method::Hint::theorem);
    ASSERT_NE(hint, pool->end()) << statement.name;
    if (statement.variables.size() <= 1)
      continue;
    logic::TermStore store;
    const auto term = termOf(statement, leanDefinitions(), store);
    ASSERT_TRUE(term.has_value());
    const TermId negated[] = {store.lnot(*term)};
    const auto query = engine::smtQuery(store, negated, {});
    ASSERT_TRUE(query);
    for (const engine::SolverSpec& spec : {engine::SolverSpec::z3(), engine::SolverSpec::cvc5()})
      if (hint->engines.find(spec.name) != std::string::npos) {
        engine::Solver solver(spec);
        EXPECT_EQ(solver.askAndWait(*query, std::chrono::seconds(10), {}).status, engine::SolverStatus::Unsat)
            << statement.name << " by " << spec.name;
      }
  }
}

// --- That the judge would notice ---

TEST(LeanStatements, FalseStatementsAreFoundOut) {
  for (const char* text : {
           "(a b c : Float32) : (a + b) + c = a + (b + c)",
           "(a b : Float32) : a - b = b - a",
           "(a b : Float32) (h : ¬ a < b) : b ≤ a",
           "(a b : Float32) (h : (a == b) = true) : a = b",
           "(a b : Float32) : a < b ∨ b < a ∨ (a == b) = true",
           "(a b : Float32) : Plumbline.std_max a b = Plumbline.std_max b a",
           "(a : Float32) : a ≤ a",
           "(a : Float32) : a - a = Float32.ofBits 0x00000000",
           "(a : Float32) : a * Float32.ofBits 0x00000000 = Float32.ofBits 0x00000000",
           "(a : Float32) : a + Float32.ofBits 0x00000000 = a",
           "(a : Float32) : a / Float32.ofBits 0x41200000 = a * Float32.ofBits 0x3DCCCCCD",
           "(a : Float32) (h : Float32.isNaN a = false) : ¬ (a == a) = true",
       }) {
    const auto statement = readStatement(text);
    ASSERT_TRUE(statement.has_value()) << text;
    logic::TermStore store;
    const auto term = termOf(*statement, leanDefinitions(), store);
    ASSERT_TRUE(term.has_value()) << text;
    EXPECT_EQ(judge().judge(store, *term, statement->variables.size()), Answer::False) << text;
  }
}

} // namespace
} // namespace plumbline::method_test
