// No mutated kernel may get a wrong verdict, and few may be left without one.
#include "tests/mutation/campaign.h"

#include "core/base/json.h"

#include <gtest/gtest.h>
#include <iostream>
#include <set>

namespace plumbline::mutation {
namespace {

const Base& baseNamed(const std::string& wanted) {
  for (const Base& base : allBases())
    if (base.name == wanted)
      return base;
  ADD_FAILURE() << "no base " << wanted;
  return allBases()[0];
}

std::string textOf(const Base& base) {
  return readFile(base.folder / "kernel.cu").value();
}

/// The text after one replacement, which must be possible.
std::string changed(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

struct Replacement {
  std::string from;
  std::string to;
};

/// The oracle's judgements of a base after one replacement each.
std::vector<Judgement> judged(const std::string& name, const std::vector<Replacement>& replacements) {
  const Base& base = baseNamed(name);
  std::vector<std::string> texts;
  texts.reserve(replacements.size());
  for (const Replacement& each : replacements)
    texts.push_back(changed(textOf(base), each.from, each.to));
  std::vector<Judgement> judgements(replacements.size());
  const Expected<NativeBatch> batch = NativeBatch::compile(base, texts);
  if (!batch) {
    ADD_FAILURE() << toString(batch.error());
    return judgements;
  }
  OracleEffort effort;
  effort.randomChunks = 16;
  Oracle oracle(base, *batch, effort);
  for (size_t i = 0; i < texts.size(); ++i)
    judgements[i] = oracle.judge(i, texts[i]);
  return judgements;
}

TEST(Oracle, ComparesValues) {
  const std::string old = "v < 0.0f ? 0.0f : v";
  const auto relu = judged("relu-keeps-nan", {{old, "v > 0.0f ? v : 0.0f"},
                                              {old, "v <= 0.0f ? 0.0f : v"},
                                              {old, "v < 0.0f ? 0.0f : v + 0.0f"},
                                              {old, "v <= 0.0f ? -0.0f : v"}});
  EXPECT_EQ(relu[0].truth, Truth::Different) << "NaN is lost";
  EXPECT_EQ(relu[1].truth, Truth::Equivalent) << "either zero is allowed at -0";
  EXPECT_EQ(relu[2].truth, Truth::Equivalent) << "either zero is allowed at -0";
  EXPECT_EQ(relu[3].truth, Truth::Different) << "two +0 do not make -0";
}

TEST(Oracle, RunsEveryPattern) {
  const auto half = judged("half", {{"v * 0.5f", "(v == 123456.789f ? 1.0f : v) * 0.5f"},
                                    {"v * 0.5f", "v / 2.0f"},
                                    {"v * 0.5f", "v * 0.5f + 0.0f"},
                                    {"v * 0.5f", "v * 0.5"},
                                    {"v * 0.5f", "true % v"}});
  EXPECT_EQ(half[0].truth, Truth::Different);
  EXPECT_NE(half[0].detail.find("0x47f12065"), std::string::npos) << half[0].detail;
  EXPECT_TRUE(half[1].complete) << half[1].detail;
  EXPECT_EQ(half[2].truth, Truth::Different) << "-0 is lost";
  EXPECT_TRUE(half[3].complete) << half[3].detail;
  EXPECT_EQ(half[4].truth, Truth::Uncompilable);
}

TEST(Oracle, SeesMisbehaviour) {
  const std::vector<Replacement> replacements = {
      {"i < n", "i <= n"},
      {"i < n", "i < n - 1"},
      {"threads - 1", "threads - 2"},
      {"(n + threads - 1) / threads", "n + threads"},
      {"(n + threads - 1) / threads", "(n + threads - 1) / (threads - 256)"},
      {"threads = 256", "threads = 2048"},
      {"x[i];", "x[i + 1];"},
      {"y[i]", "y[i / 2]"},
      {"i = blockIdx.x", "i = 2 * blockIdx.x"},
      {"v;", "v; const float unused = x[i + 1];"},
  };
  const auto found = judged("twice", replacements);
  for (size_t i = 0; i < found.size(); ++i)
    EXPECT_EQ(found[i].truth, Truth::Misbehaving) << replacements[i].to << ": " << found[i].detail;
}

TEST(Oracle, AcceptsAHarmlessLaunch) {
  for (const Judgement& each : judged("twice", {{"threads - 1", "threads"}, {"<<<blocks", "<<<blocks + 1"}}))
    EXPECT_TRUE(each.complete) << each.detail;
  for (const Judgement& each : judged("grid-2d", {{"block(16, 16)", "block(16, 32)"}}))
    EXPECT_EQ(each.truth, Truth::Equivalent) << each.detail;
}

TEST(Mutator, MakesMutantsOfEveryKindWithoutRepetition) {
  std::set<std::string> kinds;
  for (const Base& base : allBases()) {
    std::set<std::string> texts{textOf(base)};
    const std::vector<Mutant> mutants = allMutants(textOf(base));
    EXPECT_GE(mutants.size(), 40u) << base.name;
    for (const Mutant& mutant : mutants) {
      EXPECT_TRUE(texts.insert(mutant.text).second) << mutant.note;
      kinds.insert(mutant.kind);
    }
  }
  const std::set<std::string> expected = {"operator", "operand", "comparison", "constant", "call",
                                          "value",    "index",   "guard",      "launch",   "rewrite"};
  EXPECT_EQ(kinds, expected);
}

/// Every mutant judged and checked, once.
const std::vector<Result>& results() {
  static const std::vector<Result> all = [] {
    Expected<std::vector<Result>> ran = runCampaign(campaignOptions());
    if (!ran) {
      ADD_FAILURE() << toString(ran.error());
      return std::vector<Result>{};
    }
    const std::string text = report(*ran);
    std::cerr << text;
    EXPECT_TRUE(writeFile(PLUMBLINE_BUILD_DIR "/mutation_report.txt", text));
    return *std::move(ran);
  }();
  return all;
}

bool reallyDiffers(const Result& result) {
  return result.judgement.truth == Truth::Different || result.judgement.truth == Truth::Misbehaving;
}

template <class F> size_t countOf(F wanted) {
  return static_cast<size_t>(std::count_if(results().begin(), results().end(), wanted));
}

TEST(Mutation, EveryBaseIsEqual) {
  session::CheckPool pool;
  for (const Base& base : allBases()) {
    const Checked checked = checkText(base, textOf(base), pool);
    EXPECT_EQ(checked.answer, Answer::Equal) << base.name << ": " << checked.reason;
  }
}

TEST(Mutation, ThereAreEnoughMutants) {
  if (!campaignOptions().onlyBase.empty())
    GTEST_SKIP() << "one base only";
  EXPECT_GE(countOf([](const Result& each) {
              return each.base->sample && each.judgement.truth != Truth::Uncompilable;
            }),
            300u);
  EXPECT_GE(countOf(reallyDiffers), 150u);
  EXPECT_GE(countOf([](const Result& each) { return each.judgement.truth == Truth::Equivalent; }), 100u);
}

TEST(Mutation, NoVerdictIsWrong) {
  for (const Result& result : results()) {
    const std::string told = result.base->name + ": " + result.mutant.note + "\nreally " +
                             std::string(name(result.judgement.truth)) + ": " + result.judgement.detail +
                             "\n" + result.mutant.text;
    if (reallyDiffers(result))
      EXPECT_NE(result.answer, Answer::Equal) << told;
    if (result.judgement.truth == Truth::Equivalent)
      EXPECT_NE(result.answer, Answer::Different) << told;
    if (result.judgement.truth != Truth::Uncompilable)
      EXPECT_NE(result.answer, Answer::Conflict) << told << result.reason;
  }
}

TEST(Mutation, NearlyAllThatDifferAreFound) {
  if (!campaignOptions().onlyBase.empty())
    GTEST_SKIP() << "one base only";
  const size_t differing = countOf(reallyDiffers);
  const size_t found = countOf([](const Result& each) {
    return reallyDiffers(each) && (each.answer == Answer::Different || each.answer == Answer::Refused);
  });
  EXPECT_GE(found * 100, differing * 95) << found << " of " << differing;
}

TEST(Mutation, MostEquivalentOnesAreProved) {
  if (!campaignOptions().onlyBase.empty())
    GTEST_SKIP() << "one base only";
  const size_t equivalent =
      countOf([](const Result& each) { return each.judgement.truth == Truth::Equivalent; });
  const size_t proved = countOf([](const Result& each) {
    return each.judgement.truth == Truth::Equivalent && each.answer == Answer::Equal;
  });
  EXPECT_GE(proved * 100, equivalent * 90) << proved << " of " << equivalent;
}

} // namespace
} // namespace plumbline::mutation
