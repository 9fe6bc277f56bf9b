// Locked parts: which lines they are, and that every change of one is found and named.
#include "core/velvet/regions.h"
#include "tests/unit/velvet/documents.h"

#include <gtest/gtest.h>

namespace plumbline::velvet_test {
namespace {

using velvet::Dialect;
using velvet::LockedChange;
using velvet::PrintedDocument;

/// A golden document as it was generated: its tree printed again, with what is free by its words.
PrintedDocument generated(const std::string& name) {
  PrintedDocument result;
  result.text = goldenDocuments().at(name);
  for (size_t start = 0; start < result.text.size();) {
    const size_t end = result.text.find('\n', start);
    std::string line = result.text.substr(start, end - start);
    line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
    const bool isFree = line.starts_with("invariant ") || line.starts_with("prove_correct ") ||
                        line.starts_with("velvet_vcgen ") || line.starts_with("-- yours: ") ||
                        line.starts_with("-- Lemmas ");
    result.lines.push_back({{}, {}, !isFree});
    start = end + 1;
  }
  return result;
}

std::string replaced(std::string text, const std::string& old, const std::string& made) {
  const size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), made);
}

std::vector<LockedChange> changes(const PrintedDocument& document, const std::string& text) {
  return velvet::lockedChanges(document, text, Dialect::Velvet2);
}

TEST(Regions, AGeneratedDocumentIsUntouched) {
  for (const auto& [name, text] : goldenDocuments()) {
    EXPECT_TRUE(changes(generated(name), text).empty()) << name;
    const std::vector<bool> locked = velvet::lockedLines(generated(name), text, Dialect::Velvet2);
    const PrintedDocument document = generated(name);
    ASSERT_EQ(locked.size(), document.lines.size()) << name;
    std::istringstream lines(text);
    std::string line;
    for (size_t i = 0; std::getline(lines, line); ++i)
      EXPECT_EQ(locked[i], document.lines[i].locked && !line.empty()) << name << ":" << i + 1 << ": " << line;
  }
}

struct Edit {
  const char* old;
  const char* made;
};

TEST(Regions, WhatIsYoursIsFree) {
  const PrintedDocument document = generated("vector-add.lean");
  for (const Edit& edit :
       {Edit{"invariant add_kernel_blk_x_le: (blk_x ≤ gridDim_x)\n", "invariant mine: (blk_x < 7)\n"},
        {"    invariant add_kernel_blk_x_le: (blk_x ≤ gridDim_x)\n", ""},
        {"-- Lemmas that the proof needs go here.\n", "theorem mine (a : Nat) : a = a := by\n  rfl\n"},
        {"-- Lemmas that the proof needs go here.\n", "def helper (a : Nat) : Nat :=\n  a + 1\n"},
        {"with try finish", "with finish\n  case add_kernel_bound => omega"},
        {"\n\nprove_correct", "\n\n-- a remark\n\nprove_correct"},
        {"  let mut out : Array Float32 := outIn\n", "  let   mut out : Array Float32 :=\n      outIn\n"},
        {"\n\nprove_correct", "\n\n#check Nat\n\nprove_correct"}})
    EXPECT_TRUE(changes(document, replaced(document.text, edit.old, edit.made)).empty()) << edit.made;
}

struct Tampering {
  const char* old;
  const char* made;
  LockedChange::Kind kind;
  const char* expected;
  const char* found;
};

TEST(Regions, EveryChangeOfALockedPartIsNamed) {
  using enum LockedChange::Kind;
  const PrintedDocument document = generated("vector-add.lean");
  for (const Tampering& each :
       {Tampering{"x[i.toNat]! + y", "x[i.toNat]! - y", Changed,
                  "out := out.set! i.toNat (x[i.toNat]! + y[i.toNat]!)",
                  "out := out.set! i.toNat (x[i.toNat]! - y[i.toNat]!)"},
        {"        assert add_kernel_bound: (0 ≤ i)\n", "", Removed, "assert add_kernel_bound: 0 ≤ i", ""},
        {"      if i < n then\n", "      if i < n - 1 then\n", Changed, "if : i < n then",
         "if : i < n - 1 then"},
        {"  requires add_kernel_known: (2 ≤ s0)\n",
         "  requires add_kernel_known: (2 ≤ s0)\n  requires more: (s0 = 2)\n", Added, "",
         "requires more: s0 = 2"},
        {"(∀ k : Nat, (k : Int) < s0 → out[k]! = add_kernel_spec x y k)\ndo", "(True)\ndo", Changed,
         "ensures add_kernel_out_value: ∀ k : Nat, (k : Int) < s0 → out[k]! = add_kernel_spec x y k",
         "ensures add_kernel_out_value: True"},
        {"Scalar.add x[i]! y[i]!", "Scalar.add y[i]! x[i]!", Changed,
         "value: Plumbline.Scalar.add x[i]! y[i]!", "value: Plumbline.Scalar.add y[i]! x[i]!"},
        {"    (n : Int)\n", "    (n : Nat)\n", Changed, "(n : Int)", "(n : Nat)"},
        {"import Velvet\n", "import Velvet\nimport Other\n", Added, "", "import Other"},
        {"-- Lemmas that the proof needs go here.", "axiom cheat : False", Added, "", "axiom cheat : False"},
        {"-- Lemmas that the proof needs go here.", "open Other", Added, "", "open Other"},
        {"-- Lemmas that the proof needs go here.", "instance : Add Float32 := ⟨fun a _ => a⟩", Added, "",
         "instance : Add Float32 := ⟨fun a _ => a⟩"},
        {"-- Lemmas that the proof needs go here.", "@[instance] def cheat : Add Float32 :=\n  other", Added,
         "", "@[instance]  def cheat : Add Float32\nvalue: other"},
        {"-- Scope: all inputs", "-- Scope: few inputs", Removed,
         "Scope: all inputs and sizes that satisfy the requires clauses.", ""},
        {"      thr_x := thr_x + 1\n    blk_x", "    thr_x := thr_x + 1\n    blk_x", Changed, "", ""}}) {
    const std::vector<LockedChange> found = changes(document, replaced(document.text, each.old, each.made));
    if (*each.expected == '\0' && *each.found == '\0') {
      EXPECT_FALSE(found.empty()) << each.made;
      continue;
    }
    ASSERT_EQ(found.size(), 1U) << each.made;
    EXPECT_EQ(found[0].kind, each.kind) << each.made;
    EXPECT_EQ(found[0].expected, each.expected);
    EXPECT_EQ(found[0].found, each.found);
    EXPECT_FALSE(velvet::toString(found[0]).empty());
  }
}

TEST(Regions, LinesOfChangesAreThoseOfTheText) {
  const PrintedDocument document = generated("vector-add.lean");
  const std::string text =
      "\n\n" + replaced(document.text, "let i : Int := blockIdx_x", "let i : Int := threadIdx_x");
  const std::vector<LockedChange> found = changes(document, text);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].line, found[0].generatedLine + 2);
  EXPECT_TRUE(std::string(velvet::slice(text, found[0].range)).starts_with("let i : Int := threadIdx_x"));
}

TEST(Regions, CodeMovedIntoACommentIsMissing) {
  const PrintedDocument document = generated("vector-add.lean");
  std::string text = replaced(document.text, "method add_kernel_method\n", "/-\nmethod add_kernel_method\n");
  text += "-/\n";
  EXPECT_FALSE(changes(document, text).empty());
  text = replaced(document.text, "        assert add_kernel_bound: (0 ≤ i)\n",
                  "        -- assert add_kernel_bound: (0 ≤ i)\n");
  EXPECT_EQ(changes(document, text).size(), 1U);
}

TEST(Regions, ADefinitionMayNotTakeANameThatIsUsed) {
  const PrintedDocument document = generated("vector-add.lean");
  const std::string text = replaced(document.text, "-- Lemmas that the proof needs go here.",
                                    "theorem add_kernel_spec : True := by\n  trivial");
  EXPECT_EQ(changes(document, text).size(), 1U);
}

/// Any change of a token of the body outside invariants and proofs is found.
TEST(Regions, RandomChangesOfTokensAreFound) {
  std::mt19937 random(5);
  size_t tried = 0;
  for (const auto& [name, text] : goldenDocuments()) {
    const PrintedDocument document = generated(name);
    const std::vector<velvet::Token> tokens = velvet::lex(text).tokens;
    for (int i = 0; i < 30; ++i) {
      const velvet::Token& token = tokens[random() % tokens.size()];
      const auto line = static_cast<size_t>(std::count(text.begin(), text.begin() + token.range.begin, '\n'));
      if (velvet::isTrivia(token) || !document.lines[line].locked)
        continue;
      std::string changed = text;
      changed.replace(token.range.begin, token.range.end - token.range.begin, "zz");
      EXPECT_FALSE(changes(document, changed).empty())
          << name << ": " << velvet::slice(text, token.range) << " in line " << line + 1;
      ++tried;
    }
  }
  EXPECT_GT(tried, 300U);
}

} // namespace
} // namespace plumbline::velvet_test
