#include "core/velvet/names.h"

#include <gtest/gtest.h>

namespace plumbline::velvet {
namespace {

TEST(Names, WordsOfLeanAndVelvetAreReserved) {
  for (const char* word :
       {"in",      "at",        "end",        "from",      "by",        "do",           "then",
        "else",    "where",     "open",       "fun",       "show",      "have",         "let",
        "mut",     "match",     "with",       "for",       "unless",    "try",          "catch",
        "finally", "if",        "return",     "import",    "section",   "namespace",    "variable",
        "def",     "theorem",   "lemma",      "instance",  "structure", "class",        "inductive",
        "method",  "requires",  "ensures",    "returns",   "signals",   "given",        "rec",
        "ghost",   "invariant", "decreasing", "done_with", "assert",    "prove_correct"})
    EXPECT_TRUE(isReserved(word)) << word;
  for (const char* word : {"x", "input", "ends", "n", "threadIdx_x", "In"})
    EXPECT_FALSE(isReserved(word)) << word;
}

TEST(Names, ReservedPartsAreQuoted) {
  EXPECT_EQ(quoted("in"), "«in»");
  EXPECT_EQ(quoted("end.size"), "«end».size");
  EXPECT_EQ(quoted("Plumbline.cDiv"), "Plumbline.cDiv");
  EXPECT_EQ(quoted("a b"), "«a b»");
  EXPECT_EQ(quoted("x_1"), "x_1");
  EXPECT_EQ(quoted("x'"), "x'"); // Lean's letters and marks need no quotes
  EXPECT_EQ(quoted("α₁.set!"), "α₁.set!");
  EXPECT_EQ(quoted("1x"), "«1x»");
  EXPECT_EQ(quoted("_"), "«_»");
}

TEST(Names, AnyTextBecomesAnIdentifier) {
  EXPECT_EQ(identifierFrom("numel(s0*s1)"), "numel_s0_s1");
  EXPECT_EQ(identifierFrom("numel((s0 * s1))"), "numel_s0_s1");
  EXPECT_EQ(identifierFrom("launch:n"), "launch_n");
  EXPECT_EQ(identifierFrom("scale<float>"), "scale_float");
  EXPECT_EQ(identifierFrom("zero:relu_1.min"), "zero_relu_1_min");
  EXPECT_EQ(identifierFrom("mutex"), "v_mutex");
  EXPECT_EQ(identifierFrom("yOld"), "yOld_");
  EXPECT_EQ(identifierFrom("x'"), "x");
  EXPECT_EQ(identifierFrom("3d"), "v_3d");
  EXPECT_EQ(identifierFrom("_"), "v__");
  EXPECT_EQ(identifierFrom(""), "v_");
  EXPECT_EQ(identifierFrom("__expf"), "__expf");
  EXPECT_EQ(identifierFrom("\xc3\xa9"), "v_");
  EXPECT_EQ(identifierFrom("x_"), "x_");
  for (const char* text : {"numel(s0*s1)", "mutex", "", "_", "3d", "«»", "a.b", "x'"})
    EXPECT_TRUE(isPlainIdentifier(identifierFrom(text))) << text;
}

TEST(Names, FreshNamesDiffer) {
  NameScope scope;
  EXPECT_EQ(scope.fresh("i"), "i");
  EXPECT_EQ(scope.fresh("i"), "i_1");
  EXPECT_EQ(scope.fresh("i"), "i_2");
  EXPECT_EQ(scope.fresh("i_1"), "i_1_1");
  EXPECT_EQ(scope.fresh("Int"), "Int_1"); // a type in every document
  EXPECT_EQ(scope.fresh("decide"), "decide_1");
  EXPECT_EQ(scope.fresh("in"), "in"); // quoted where it is printed
}

} // namespace
} // namespace plumbline::velvet
