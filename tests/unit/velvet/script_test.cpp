// Proof scripts as trees and as text.
#include "core/velvet/parser.h"
#include "core/velvet/printer.h"

#include <gtest/gtest.h>

namespace plumbline::velvet_test {
namespace {

using velvet::Dialect;
using velvet::Parsed;
using velvet::Tactic;
using velvet::TacticKind;

/// The tree in one line.
std::string shape(const std::vector<Tactic>& script) {
  static constexpr const char* names[] = {"",    "bullet", "case",   "seq",   "then",  "all",
                                          "any", "try",    "repeat", "first", "focus", "comment"};
  std::string result;
  for (const Tactic& tactic : script) {
    result += result.empty() ? "" : "; ";
    if (tactic.kind == TacticKind::Command)
      result += tactic.text;
    else
      result += names[static_cast<size_t>(tactic.kind)] + (tactic.label.empty() ? "" : " " + tactic.label) +
                "{" + shape(tactic.body) + "}";
  }
  return result;
}

Parsed parseScript(const std::string& script) {
  return velvet::parse("theorem t : True := by\n" + script, Dialect::Velvet2);
}

std::vector<Tactic> tactics(const Parsed& parsed) {
  return std::get<velvet::Theorem>(parsed.document.items.at(0)).script;
}

struct Row {
  const char* script;
  const char* shape;
};

TEST(Script, IsATree) {
  for (const Row& row :
       {Row{"  grind\n", "grind"},
        {"  intro x y\n  omega\n", "intro x y; omega"},
        {"  intro x; omega\n", "intro x; omega"},
        {"  · simp [a, b]\n    grind\n  · rfl\n", "bullet{simp [a, b]; grind}; bullet{rfl}"},
        {"  case inv_le =>\n    grind [f]\n  case x a b => omega\n", "case inv_le{grind [f]}; case x{omega}"},
        {"  all_goals try grind\n", "all{try{grind}}"},
        {"  constructor <;> intro h <;> grind [h]\n", "then{then{constructor; intro h}; grind [h]}"},
        {"  first | grind | omega | (simp; rfl)\n", "first{seq{grind}; seq{omega}; seq{seq{simp; rfl}}}"},
        {"  first\n    | grind\n      omega\n    | rfl\n", "first{seq{grind; omega}; seq{rfl}}"},
        {"  by_cases h : a < b\n  · omega\n", "by_cases h : a < b; bullet{omega}"},
        {"  velvet_vcgen [m] with try finish\n  case q => sorry\n",
         "velvet_vcgen [m] with try finish; case q{sorry}"},
        {"  rcases h with ⟨a, b⟩ | c\n", "rcases h with ⟨a, b⟩ | c"},
        {"  unheard_of [x] (y; z)\n    continued\n  rfl\n", "unheard_of [x] (y; z)\n  continued; rfl"},
        {"  next => omega\n", "next => omega"},
        {"  have h := a[i]! <;> omega\n", "then{have h := a[i]!; omega}"},
        {"  a <;> foo\n    more\n", "then{a; foo\n  more}"},
        {"  x <;> (try\n          a\n          b\n          -- c\n        )\n",
         "then{x; seq{try{a; b; comment{}}}}"},
        {"  repeat (intro k)\n", "repeat{seq{intro k}}"}}) {
    const Parsed parsed = parseScript(row.script);
    EXPECT_TRUE(parsed.diagnostics.empty())
        << row.script << (parsed.diagnostics.empty() ? "" : parsed.diagnostics[0].message);
    EXPECT_EQ(shape(tactics(parsed)), row.shape) << row.script;
    const std::string printed = velvet::print(parsed.document, Dialect::Velvet2).text;
    const Parsed again = velvet::parse(printed, Dialect::Velvet2);
    EXPECT_EQ(shape(tactics(again)), row.shape) << printed;
    EXPECT_EQ(velvet::print(again.document, Dialect::Velvet2).text, printed);
  }
}

TEST(Script, HasItsArguments) {
  const Parsed parsed = parseScript("  simp only [a, ← b, h x] at h1 ⊢\n  by_cases h : a < b\n  exact foo x\n"
                                    "  velvet_vcgen [m, n] with try finish\n  rename_i p q\n  rw [h]\n");
  const std::vector<Tactic> script = tactics(parsed);
  ASSERT_EQ(script.size(), 6U);
  ASSERT_EQ(script[0].list.size(), 3U);
  EXPECT_EQ(script[0].list[1].text, "← b");
  EXPECT_EQ(script[0].list[1].expr->text, "b");
  EXPECT_EQ(script[0].names, (std::vector<std::string>{"h1", "⊢"}));
  EXPECT_EQ(script[1].label, "h");
  EXPECT_EQ(velvet::print(*script[1].expr), "a < b");
  EXPECT_EQ(velvet::print(*script[2].expr), "foo x");
  EXPECT_EQ(script[3].with, "try finish");
  EXPECT_TRUE(velvet::isSolveCommand(script[3]));
  EXPECT_EQ(script[4].names, (std::vector<std::string>{"p", "q"}));
  EXPECT_EQ(script[5].list.at(0).text, "h");
}

TEST(Script, BracketsThatDoNotMatchAreNamed) {
  for (const auto& [script, message] : {std::pair("  exact f (a\n", "this ( is not closed"),
                                        {"  simp only ] at h\n", "this ] closes nothing"},
                                        {"  try (a; b); omega)\n", "this ) closes nothing"},
                                        {"  grind [a, (b]\n", "this ] closes nothing"}}) {
    const Parsed parsed = parseScript(script);
    ASSERT_EQ(parsed.diagnostics.size(), 1U) << script;
    EXPECT_EQ(parsed.diagnostics[0].message, message) << script;
  }
}

/// Layouts in which a column or a comment makes the difference: they stay as they are.
TEST(Script, StaysAsItIsWhereTheCanonicalLayoutWouldBeReadOtherwise) {
  for (const char* script : {"  cor <;> (f -- why\n           g)\n  rfl\n", "  a <;> try b -- why\n  rfl\n",
                             "  first | a -- why\n        | b\n"}) {
    const Parsed parsed = parseScript(script);
    EXPECT_TRUE(parsed.diagnostics.empty()) << script;
    const std::string printed = velvet::print(parsed.document, Dialect::Velvet2).text;
    const Parsed again = velvet::parse(printed, Dialect::Velvet2);
    EXPECT_TRUE(velvet::equal(tactics(parsed), tactics(again))) << printed;
    EXPECT_NE(printed.find("-- why"), std::string::npos) << printed;
    EXPECT_EQ(velvet::print(again.document, Dialect::Velvet2).text, printed);
  }
}

TEST(Script, MissingTacticsAreNamed) {
  for (const char* script : {"", "  case x =>\n", "  all_goals\n", "  ·\n", "  a <;>\n", "  ()\n"}) {
    const Parsed parsed = parseScript(script);
    ASSERT_FALSE(parsed.diagnostics.empty()) << script;
    EXPECT_EQ(parsed.diagnostics[0].id, "syntax") << script;
  }
}

} // namespace
} // namespace plumbline::velvet_test
