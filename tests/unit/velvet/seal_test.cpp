// The seal of a document: every change of a locked line is reported at that line, and no other.
#include "core/velvet/convert.h"
#include "core/velvet/seal.h"
#include "tests/unit/velvet/documents.h"

#include <gtest/gtest.h>
#include <sstream>

namespace plumbline::velvet_test {
namespace {

using velvet::Diagnostic;
using velvet::Dialect;
using velvet::Severity;

std::vector<Diagnostic> breaks(const std::string& text, Dialect dialect = Dialect::Velvet2) {
  return velvet::sealBreaks(velvet::parse(text, dialect), text);
}

size_t lineOf(const std::string& text, uint32_t offset) {
  return 1 + static_cast<size_t>(std::count(text.begin(), text.begin() + offset, '\n'));
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    lines.push_back(line);
  return lines;
}

/// By its words alone whether a line of a golden document is the user's.
bool isYours(std::string line) {
  line.erase(0, std::min(line.find_first_not_of(' '), line.size()));
  return line.empty() || line.starts_with("invariant ") || line.starts_with("prove_correct ") ||
         line.starts_with("velvet_vcgen ") || line == "loom_solve!" || line.starts_with("-- yours: ") ||
         line.starts_with("-- Lemmas ");
}

std::string replaced(std::string text, const std::string& old, const std::string& made) {
  const size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  return text.replace(at, old.size(), made);
}

std::string shown(const std::vector<Diagnostic>& found, const std::string& text) {
  std::string result;
  for (const Diagnostic& each : found)
    result += std::to_string(lineOf(text, each.range.begin)) + ": " + each.message + "\n";
  return result;
}

TEST(Seal, AGeneratedDocumentIsWhole) {
  for (const auto& [name, text] : goldenDocuments()) {
    EXPECT_NE(text.find("\n-- Locked lines: "), std::string::npos) << name;
    EXPECT_EQ(shown(breaks(text), text), "") << name;
  }
}

/// What the lexer takes for the same makes no difference.
TEST(Seal, LineEndsAndSpaceDoNotCount) {
  for (const auto& [name, text] : goldenDocuments()) {
    std::string other = "\n\n";
    for (const std::string& line : linesOf(text))
      other += line + "  \r\n\r\n";
    EXPECT_EQ(shown(breaks(other), other), "") << name;
  }
  const std::string& text = goldenDocuments().at("vector-add.lean");
  const std::string wide = replaced(text, "let mut out : ", "let   mut out :  ");
  EXPECT_EQ(shown(breaks(wide), wide), "");
  const std::string noted = replaced(text, ":= outIn\n", ":= outIn -- a remark\n");
  EXPECT_EQ(shown(breaks(noted), noted), "");
  // An application is not an element.
  EXPECT_EQ(breaks(replaced(text, "(x[i.toNat]! +", "(x [i.toNat]! +")).size(), 1U);
}

/// Whether a report stands at the changed line; where nothing is left on it, at the next one.
void expectReported(const std::string& changed, uint32_t at, Dialect dialect, const std::string& what) {
  const std::vector<Diagnostic> found = breaks(changed, dialect);
  ASSERT_FALSE(found.empty()) << what;
  EXPECT_EQ(found[0].id, "locked-line");
  const std::vector<std::string> lines = linesOf(changed);
  size_t line = lineOf(changed, at);
  while (line < lines.size() && lines[line - 1].find_first_not_of(' ') == std::string::npos)
    ++line;
  const bool isThere = std::ranges::any_of(found, [&](const Diagnostic& each) {
    return each.severity == Severity::Error && lineOf(changed, each.range.begin) == line;
  });
  EXPECT_TRUE(isThere) << what << " in line " << line << "\n" << shown(found, changed);
}

/// Changes tokens of locked lines one at a time.
size_t changeTokens(const std::string& name, const std::string& text, Dialect dialect, std::mt19937& random) {
  static constexpr const char* others[] = {"zz", "7", "(", "", "--", "/-", "x.y", "do"};
  const std::vector<std::string> lines = linesOf(text);
  const std::vector<velvet::Token> tokens = velvet::lex(text).tokens;
  size_t tried = 0;
  for (int i = 0; i < 80; ++i) {
    const velvet::Token& token = tokens[random() % tokens.size()];
    const std::string other = others[random() % std::size(others)];
    if (velvet::isTrivia(token) || isYours(lines[lineOf(text, token.range.begin) - 1]) ||
        velvet::slice(text, token.range) == other)
      continue;
    std::string changed = text;
    changed.replace(token.range.begin, token.range.end - token.range.begin, other);
    expectReported(changed, token.range.begin, dialect,
                   name + ": " + std::string(velvet::slice(text, token.range)) + " -> " + other);
    ++tried;
  }
  return tried;
}

TEST(Seal, AChangedTokenIsReportedAtItsLine) {
  std::mt19937 random(5);
  size_t tried = 0;
  for (const auto& [name, text] : goldenDocuments())
    tried += changeTokens(name, text, Dialect::Velvet2, random);
  EXPECT_GT(tried, 500U);
}

TEST(Seal, AChangeOfYoursIsNotReported) {
  std::mt19937 random(6);
  size_t tried = 0;
  for (const auto& [name, text] : goldenDocuments()) {
    const std::vector<std::string> lines = linesOf(text);
    const std::vector<velvet::Token> tokens = velvet::lex(text).tokens;
    for (int i = 0; i < 200; ++i) {
      const velvet::Token& token = tokens[random() % tokens.size()];
      if (velvet::isTrivia(token) || token.firstOnLine ||
          !isYours(lines[lineOf(text, token.range.begin) - 1]))
        continue;
      std::string changed = text;
      changed.replace(token.range.begin, token.range.end - token.range.begin, "zz");
      EXPECT_EQ(shown(breaks(changed), changed), "") << name;
      ++tried;
    }
  }
  EXPECT_GT(tried, 500U);
}

struct Edit {
  const char* old;
  const char* made;
};

TEST(Seal, WhatIsYoursIsFree) {
  const std::string& text = goldenDocuments().at("vector-add.lean");
  for (const Edit& edit :
       {Edit{"invariant add_kernel_blk_x_le: (blk_x ≤ gridDim_x)\n",
             "invariant mine: (blk_x <\n        7)\n"},
        {"    invariant add_kernel_blk_x_le: (blk_x ≤ gridDim_x)\n", ""},
        {"    invariant add_kernel_blk_x_le",
         "    invariant mine: (blk_x ≤ 7\n    invariant add_kernel_blk_x_le"},
        {"-- Lemmas that the proof needs go here.\n", "theorem mine (a : Nat) : a = a := by\n  rfl\n"},
        {"-- Lemmas that the proof needs go here.\n", "theorem mine (a : Nat : a =\n"},
        {"-- Lemmas that the proof needs go here.\n",
         "@[grind] theorem mine (a : Nat) : a = a := by\n  rfl\n"},
        {"-- Lemmas that the proof needs go here.\n",
         "@[grind =>] theorem mine (a : Nat) (h : a < 1) : a = 0 := by\n  omega\n"},
        {"-- Lemmas that the proof needs go here.\n",
         "@[grind .] theorem mine (a : Nat) : ¬ a < a := by\n  omega\n"},
        {"-- Lemmas that the proof needs go here.\n", "private def helper (a : Nat) : Nat :=\n  a + 1\n"},
        {"-- Lemmas that the proof needs go here.\n", "def helper (a : Nat) : Nat :=\n  a + 1\n"},
        {"-- Lemmas that the proof needs go here.\n",
         "def half (a : Nat) : Nat :=\n  a\n\ndef more (a : Nat) : Nat :=\n  half a\n"},
        {"import Plumbline.Float32\n", "import Plumbline.Float32\nimport Plumbline.Lemmas.MulComm\n"},
        {"with try finish", "with finish\n  case add_kernel_bound => omega"},
        {"\n\nprove_correct", "\n\n-- a remark\n/- and\n  another -/\n\nprove_correct"},
        {"\n\nprove_correct", "\n\n#check Nat\n\nprove_correct"}}) {
    const std::string changed = replaced(text, edit.old, edit.made);
    EXPECT_EQ(shown(breaks(changed), changed), "") << edit.made;
  }
}

struct Tampering {
  const char* old;
  const char* made;
  const char* at; ///< what the reported line holds
  Severity severity = Severity::Error;
};

TEST(Seal, EveryKindOfChangeIsReportedOnce) {
  const std::string& text = goldenDocuments().at("vector-add.lean");
  for (const Tampering& each :
       {Tampering{"x[i.toNat]! + y", "x[i.toNat]! - y", "x[i.toNat]! - y"},
        {"        assert add_kernel_bound: (0 ≤ i)\n", "", "assert add_kernel_bound_1"},
        {"        assert add_kernel_bound: (0 ≤ i)\n", "        -- assert add_kernel_bound: (0 ≤ i)\n",
         "-- assert"},
        {"  requires add_kernel_known: (2 ≤ s0)\n",
         "  requires add_kernel_known: (2 ≤ s0)\n  requires more: (s0 = 2)\n", "requires more"},
        {"def add_kernel_spec ", "def other ", "def other "},
        {"import Velvet\n", "import Velvet\nimport Other\n", "import Other"},
        {"-- Lemmas that the proof needs go here.", "axiom cheat : False", "axiom cheat"},
        {"-- Lemmas that the proof needs go here.", "open Other", "open Other"},
        {"-- Lemmas that the proof needs go here.", "#exit", "#exit"},
        {"-- Lemmas that the proof needs go here.", "#guard_msgs (drop error) in", "#guard_msgs"},
        {"-- Lemmas that the proof needs go here.", "instance : Add Float32 := ⟨fun a _ => a⟩", "instance"},
        {"-- Lemmas that the proof needs go here.", "@[instance]\ndef cheat : Add Float32 :=\n  other",
         "@[instance]"},
        {"-- Lemmas that the proof needs go here.", "theorem add_kernel_spec : True := by\n  trivial",
         "theorem add_kernel_spec"},
        {"  return out\n", "", "prove_correct"},
        {"method add_kernel_method\n", "zz add_kernel_method\n", "zz add_kernel_method"},
        {"      thr_x := thr_x + 1\n    blk_x", "    thr_x := thr_x + 1\n    blk_x", "thr_x := thr_x + 1"},
        {"-- Scope: all inputs", "-- Scope: few inputs", "-- Scope: few", Severity::Warning},
        {"-- Locked lines: ", "-- Locked lines: x", "-- Locked lines"}}) {
    const std::string changed = replaced(text, each.old, each.made);
    const std::vector<Diagnostic> found = breaks(changed);
    ASSERT_EQ(found.size(), 1U) << each.made << "\n" << shown(found, changed);
    EXPECT_EQ(found[0].severity, each.severity) << each.made;
    const std::string line = linesOf(changed).at(lineOf(changed, found[0].range.begin) - 1);
    EXPECT_NE(line.find(each.at), std::string::npos) << each.made << " at " << line;
  }
}

/// Lean lets a command begin anywhere on a line.
TEST(Seal, ACommandBehindWhatIsYoursIsReported) {
  const std::string& text = goldenDocuments().at("vector-add.lean");
  const std::string lemmas = "-- Lemmas that the proof needs go here.\n";
  for (const char* made :
       {"#check 1\n  local notation \"add_kernel\" => True\n", "#check 1 axiom cheat : False\n",
        "theorem mine (a : Nat) : a = a := by\n  rfl\n  axiom cheat : False\n",
        "theorem mine (a : Nat) : a = a := by rfl axiom cheat : False\n",
        "@[grind] theorem mine : True := trivial instance : Inhabited Nat := 7\n",
        "def helper : Nat := 1 macro \"x\" : term => `(0)\n", "/-/-/ axiom cheat : False -- -/ -/\n"}) {
    const std::string changed = replaced(text, lemmas, lemmas + made);
    EXPECT_NE(shown(breaks(changed), changed), "") << made;
  }
  const std::string script = replaced(text, "with try finish", "with try finish axiom cheat : False");
  EXPECT_NE(shown(breaks(script), script), "");
}

TEST(Seal, TwoChangesAreTwoReports) {
  const std::string& text = goldenDocuments().at("vector-add.lean");
  const std::string changed = replaced(
      replaced(text, "let i : Int := blockIdx_x", "let i : Int := threadIdx_x"), "(2 ≤ s0)", "(1 ≤ s0)");
  EXPECT_EQ(breaks(changed).size(), 2U) << shown(breaks(changed), changed);
}

TEST(Seal, ADocumentWithoutOneSaysSo) {
  std::string text = goldenDocuments().at("vector-add.lean");
  const size_t at = text.find("-- Locked lines: ");
  text.erase(at, text.find('\n', at) + 1 - at);
  ASSERT_EQ(breaks(text).size(), 1U);
  EXPECT_EQ(breaks(text)[0].severity, Severity::Warning);
  EXPECT_NE(breaks(text)[0].message.find("generate the document again"), std::string::npos);
  text.erase(0, text.find('\n') + 1); // the head's first line as well
  ASSERT_EQ(breaks(text).size(), 1U);
  EXPECT_EQ(breaks(text)[0].id, "no-seal");
  EXPECT_TRUE(breaks("theorem mine : True := by\n  trivial\n").empty());
  EXPECT_TRUE(breaks("").empty());
}

/// A conversion is another text: it has a seal of its own, or none.
TEST(Seal, AConversionIsSealedAnew) {
  std::mt19937 random(7);
  size_t converted = 0;
  for (const auto& [name, text] : goldenDocuments()) {
    auto other = velvet::convert(velvet::parse(text, Dialect::Velvet2).document, Dialect::VelvetCav);
    if (!other)
      continue;
    ++converted;
    EXPECT_EQ(velvet::print(*other, Dialect::VelvetCav).text.find("Locked lines:"), std::string::npos)
        << name;
    const std::string cav = velvet::printSealed(*other, Dialect::VelvetCav).text;
    EXPECT_EQ(shown(breaks(cav, Dialect::VelvetCav), cav), "") << name;
    EXPECT_GT(changeTokens(name, cav, Dialect::VelvetCav, random), 10U);
    auto back = velvet::convert(velvet::parse(cav, Dialect::VelvetCav).document, Dialect::Velvet2);
    ASSERT_TRUE(back) << name;
    const std::string again = velvet::printSealed(*back, Dialect::Velvet2).text;
    EXPECT_EQ(shown(breaks(again), again), "") << name;
  }
  EXPECT_GT(converted, 5U);
}

/// Any text at all has an answer.
TEST(Seal, RandomEditsAreSurvived) {
  std::mt19937 random(8);
  for (const auto& [name, text] : goldenDocuments()) {
    std::string changed = text;
    for (int i = 0; i < 20; ++i) {
      mutate(changed, random);
      for (const Diagnostic& each : breaks(changed))
        EXPECT_TRUE(each.range.begin <= each.range.end && each.range.end <= changed.size()) << name;
    }
  }
}

} // namespace
} // namespace plumbline::velvet_test
