// Theorems that a verdict adds to a method document: their statements are true by an evaluator of their own,
// and false for another value; their texts are golden. PLUMBLINE_UPDATE_GOLDEN=1 writes them anew, to be read
// before they are committed.
#include "core/method/float_text.h"
#include "core/session/document_facts.h"
#include "tests/method/pairs.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::method_test {
namespace {

const std::filesystem::path root = PLUMBLINE_SOURCE_DIR;

const Pair& pairNamed(const std::string& name) {
  const auto found = std::ranges::find(allPairs(), name, &Pair::name);
  if (found == allPairs().end())
    std::abort();
  return *found;
}

session::CheckOutcome check(const std::string& name) {
  return session::runCheck(optionsFor(pairNamed(name)), sharedPool(), {}, {});
}

Expected<method::MethodDocument> document(const session::CheckOutcome& outcome,
                                          const method::MethodOptions& options) {
  const session::Comparison& comparison = *outcome.comparison;
  if (!comparison.graph || !comparison.problem)
    std::abort();
  return method::generateMethod(comparison.store, *comparison.graph, *comparison.problem, options);
}

template <class Kind> const Kind& itemOf(const velvet::Document& tree) {
  for (const velvet::Item& item : tree.items)
    if (const auto* found = std::get_if<Kind>(&item))
      return *found;
  std::abort();
}

bool holds(const velvet::Document& tree) {
  Evaluator evaluator(leanFileList(), tree);
  return evaluator.evaluate(*itemOf<velvet::Theorem>(tree).statement, {}).number != 0;
}

void expectGolden(const std::string& name, const std::string& text) {
  const std::filesystem::path path = root / "tests" / "lean" / "golden" / (name + ".lean");
  if (std::getenv("PLUMBLINE_UPDATE_GOLDEN") != nullptr)
    ASSERT_TRUE(writeFile(path, text));
  EXPECT_EQ(text, readFile(path).value_or("(no file)"));
}

// --- Witnesses ---

class WitnessTheorem : public testing::TestWithParam<std::string> {};

TEST_P(WitnessTheorem, IsTrueAndFailsForAnotherValue) {
  session::CheckOutcome outcome = check(GetParam());
  auto fact = session::witnessFact(outcome);
  ASSERT_TRUE(fact) << toString(fact.error());
  method::MethodOptions options;
  options.witness = *fact;
  const auto made = document(outcome, options);
  ASSERT_TRUE(made) << toString(made.error());
  expectGolden(GetParam() + "-witness", made->text);
  EXPECT_TRUE(holds(made->tree));
  ASSERT_EQ(made->facts.size(), 1U);
  EXPECT_EQ(made->facts[0].axiom, "");
  // Another claimed value, or another input: the fact is false.
  options.witness->kernelBits ^= 1;
  EXPECT_FALSE(holds(document(outcome, options)->tree));
  options.witness = *fact;
  options.witness->kernel = method::bitsText(fact->kernelBits ^ 1);
  EXPECT_FALSE(holds(document(outcome, options)->tree));
}

TEST_P(WitnessTheorem, WhatTheModuleAllowsIsNotRefuted) {
  session::CheckOutcome outcome = check(GetParam());
  auto fact = session::witnessFact(outcome);
  ASSERT_TRUE(fact) << toString(fact.error());
  method::MethodOptions options;
  options.witness = *fact;
  const auto& witness = outcome.verdict.readings[0].witness;
  ASSERT_TRUE(witness.has_value());
  const auto allowed = static_cast<uint32_t>(std::stoul(witness->spec, nullptr, 16));
  options.witness->kernelBits = allowed;
  options.witness->kernel = method::bitsText(allowed);
  EXPECT_FALSE(holds(document(outcome, options)->tree));
}

INSTANTIATE_TEST_SUITE_P(Samples, WitnessTheorem,
                         testing::Values("relu-guard", "abs-select", "association", "one-bit-square",
                                         "one-bit-quotient", "hardtanh-fminf", "third"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(WitnessTheorem, EqualPairsHaveNone) {
  session::CheckOutcome outcome = check("twice");
  const auto fact = session::witnessFact(outcome);
  ASSERT_FALSE(fact);
  EXPECT_EQ(fact.error().id, "no-witness");
}

TEST(WitnessTheorem, BinaryOf64BitsHasNone) {
  session::CheckOutcome outcome = check("double-literal");
  const auto fact = session::witnessFact(outcome);
  ASSERT_FALSE(fact);
  EXPECT_EQ(fact.error().id, "no-closed-fact");
}

// --- Sweeps ---

class SweepTheorem : public testing::TestWithParam<std::string> {};

TEST_P(SweepTheorem, IsTrueAtEveryValueTried) {
  session::CheckOutcome outcome = check(GetParam());
  auto fact = session::sweepFact(outcome);
  ASSERT_TRUE(fact) << toString(fact.error());
  method::MethodOptions options;
  options.sweep = *fact;
  const auto made = document(outcome, options);
  ASSERT_TRUE(made) << toString(made.error());
  expectGolden(GetParam() + "-sweep", made->text);
  EXPECT_NE(made->text.find("rests on the axiom of native evaluation"), std::string::npos);
  ASSERT_EQ(made->facts.size(), 1U);
  EXPECT_EQ(made->facts[0].axiom, "native evaluation");
  const auto definition = std::ranges::find_if(made->tree.items, [](const velvet::Item& item) {
    const auto* found = std::get_if<velvet::Definition>(&item);
    return found != nullptr && found->name.ends_with("_sweep_at");
  });
  ASSERT_NE(definition, made->tree.items.end());
  const velvet::Expr& value = *std::get<velvet::Definition>(*definition).value;
  Evaluator evaluator(leanFileList(), made->tree);
  std::mt19937 random(41);
  for (int i = 0; i < 3000; ++i) {
    static constexpr uint32_t special[] = {0x7fc00000, 0x7f800000, 0xff800000, 0,          0x80000000,
                                           1,          0x807fffff, 0x00800000, 0x7f7fffff, 0xff7fffff};
    const uint32_t bits = i < 10 ? special[i] : static_cast<uint32_t>(random());
    EXPECT_NE(evaluator.evaluate(value, {{"bits", natValue(bits)}}).number, 0) << std::hex << bits;
  }
}

INSTANTIATE_TEST_SUITE_P(Samples, SweepTheorem,
                         testing::Values("leaky-relu-max", "leaky-relu-commuted", "twice", "half",
                                         "relu-keeps-nan"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::ranges::replace(name, '-', '_');
                           return name;
                         });

TEST(SweepTheorem, OnlyForEqualPairsWithOneInput) {
  for (const auto& [name, reason] : {std::pair("relu-guard", "did not find the two sides equal"),
                                     std::pair("vector-add", "more than the value of one input"),
                                     std::pair("sigmoid-expf", "did not find the two sides equal")}) {
    session::CheckOutcome outcome = check(name);
    const auto fact = session::sweepFact(outcome);
    ASSERT_FALSE(fact) << name;
    EXPECT_NE(fact.error().message.find(reason), std::string::npos) << fact.error().message;
  }
}

} // namespace
} // namespace plumbline::method_test
