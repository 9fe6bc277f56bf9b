// Trees of hand-written documents, and where errors are reported.
#include "core/velvet/parser.h"
#include "core/velvet/printer.h"

#include <gtest/gtest.h>

namespace plumbline::velvet_test {
namespace {

using velvet::Dialect;
using velvet::Form;
using velvet::Parsed;
using velvet::StmtKind;

template <class T> const T* find(const velvet::Document& document) {
  for (const velvet::Item& item : document.items)
    if (const T* found = std::get_if<T>(&item))
      return found;
  return nullptr;
}

std::string at(const std::string& text, velvet::TextRange range) {
  return std::string(velvet::slice(text, range));
}

const std::string countUp = R"(import Velvet

method count (n k : Nat) {S : Type} [Inhabited S]
  returns (r : Nat)
  requires small: (n ≤ 10)
  ensures done: (r = n)
do
  let mut r : Nat := 0
  while more: (r < n)
    invariant le: (r ≤ n)
    decreasing left: (n - r)
    done_with finish_: (r = n)
  do
    if r = k then
      break
    else
      r := r + 1
  let s ← other r (n + 1)
  return s

prove_correct count by
  velvet_vcgen [count, other] with try finish
)";

TEST(Parser, ReadsAMethod) {
  const Parsed parsed = velvet::parse(countUp, Dialect::Velvet2);
  for (const velvet::Diagnostic& each : parsed.diagnostics)
    ADD_FAILURE() << each.message << " at " << at(countUp, each.range);
  const auto* method = find<velvet::Method>(parsed.document);
  ASSERT_TRUE(method);
  EXPECT_EQ(method->name, "count");
  ASSERT_EQ(method->binders.size(), 4U);
  EXPECT_EQ(method->binders[1].name, "k");
  EXPECT_EQ(method->binders[1].type, "Nat");
  EXPECT_EQ(method->binders[2].bracket, velvet::Bracket::Curly);
  EXPECT_EQ(method->binders[3].name, "");
  EXPECT_EQ(method->binders[3].type, "Inhabited S");
  EXPECT_EQ(at(countUp, method->binders[1].nameRange), "k");
  EXPECT_EQ(method->requirements.at(0).label, "small");
  EXPECT_EQ(at(countUp, method->requirements[0].prop->range), "n ≤ 10");
  EXPECT_EQ(at(countUp, method->requirements[0].range), "requires small: (n ≤ 10)");
  EXPECT_EQ(at(countUp, method->requirements[0].labelRange), "small");
  ASSERT_EQ(method->body.size(), 4U);
  const velvet::Stmt& loop = method->body[1];
  EXPECT_EQ(loop.kind, StmtKind::While);
  EXPECT_EQ(loop.loop.label, "more");
  EXPECT_EQ(loop.loop.invariants.size(), 1U);
  EXPECT_EQ(at(countUp, loop.headRange), "while more: (r < n)");
  EXPECT_EQ(at(countUp, loop.loop.decreasing.prop->range), "n - r");
  const velvet::Stmt& branch = loop.body.at(0);
  EXPECT_EQ(branch.kind, StmtKind::If);
  EXPECT_EQ(branch.body.at(0).kind, StmtKind::Break);
  EXPECT_EQ(branch.otherwise.at(0).kind, StmtKind::Set);
  const velvet::Stmt& call = method->body[2];
  EXPECT_EQ(call.kind, StmtKind::Call);
  EXPECT_EQ(call.name, "s");
  EXPECT_EQ(velvet::print(*call.value), "other r (n + 1)");
  const auto* proof = find<velvet::Proof>(parsed.document);
  ASSERT_TRUE(proof);
  EXPECT_EQ(proof->unfold, std::vector<std::string>{"other"});
  EXPECT_EQ(proof->script.at(0).with, "try finish");
}

const std::string older = R"(import Velvet.Std

set_option loom.semantics.termination "total"

section Sums
variable {S : Type} [Inhabited S]

method total (mut r : Nat) (a : Array S)
  return (s : Nat)
  require a.size = 3
  ensures s = rOld
  do
    let mut i : Nat := 0
    while i < a.size
      invariant "sum_le" i ≤ a.size
      done_with i = a.size
      decreasing a.size - i
    do
      assert (with_name_prefix `assert (i < a.size))
      a[i] := a[0]!
      i := i + 1
    return rOld

prove_correct total by
  loom_solve!

end Sums
)";

TEST(Parser, ReadsTheOlderDialect) {
  EXPECT_EQ(velvet::dialectOf(older), Dialect::VelvetCav);
  EXPECT_EQ(velvet::dialectOf(countUp), Dialect::Velvet2);
  const Parsed parsed = velvet::parse(older, Dialect::VelvetCav);
  for (const velvet::Diagnostic& each : parsed.diagnostics)
    ADD_FAILURE() << each.message << " at " << at(older, each.range);
  const auto* method = find<velvet::Method>(parsed.document);
  ASSERT_TRUE(method);
  EXPECT_TRUE(method->binders.at(0).isMutable);
  const velvet::Stmt& loop = method->body.at(1);
  EXPECT_EQ(loop.loop.invariants.at(0).label, "sum_le");
  EXPECT_EQ(velvet::print(*loop.body.at(0).clause.prop), "i < a.size");
  EXPECT_EQ(velvet::print(*loop.body.at(1).value), "a.set! i a[0]!");
  EXPECT_EQ(find<velvet::Proof>(parsed.document)->script.at(0).word, "loom_solve!");
  const std::string printed = velvet::print(parsed.document, Dialect::VelvetCav).text;
  EXPECT_EQ(velvet::print(velvet::parse(printed, Dialect::VelvetCav).document, Dialect::VelvetCav).text,
            printed);
  EXPECT_NE(printed.find("      invariant \"sum_le\" (i ≤ a.size)\n      done_with (i = a.size)\n"
                         "      decreasing (a.size - i)\n    do\n"
                         "      assert (with_name_prefix `assert (i < a.size))\n"),
            std::string::npos)
      << printed;
}

TEST(Parser, OldClauseOrderAndWordsAreErrorsInTheOtherDialect) {
  const Parsed parsed = velvet::parse(older, Dialect::Velvet2);
  std::set<std::string> ids;
  for (const velvet::Diagnostic& each : parsed.diagnostics)
    ids.insert(each.id + " " + at(older, each.range));
  for (const char* expected :
       {"dialect (mut r : Nat)", "dialect return", "dialect require a.size = 3", "dialect \"sum_le\"",
        "clause decreasing a.size - i", "clause assert (with_name_prefix `assert (i < a.size))"})
    EXPECT_TRUE(ids.contains(expected)) << expected;
  EXPECT_EQ(ids.size(), 6U);
}

TEST(Parser, LabelsAreErrorsWhereADialectHasNone) {
  const auto first = [](const std::string& clause, Dialect dialect) {
    const bool isCav = dialect == Dialect::VelvetCav;
    const std::string text = std::string("method m\n    (s : String)\n  ") +
                             (isCav ? "return (r : Nat)\n  require " : "returns (r : Nat)\n  requires ") +
                             clause + "\ndo\n  return 1\n";
    const Parsed parsed = velvet::parse(text, dialect);
    return parsed.diagnostics.empty()
               ? std::string()
               : parsed.diagnostics[0].id + " " + at(text, parsed.diagnostics[0].range);
  };
  EXPECT_EQ(first("small: (s = s)", Dialect::Velvet2), "");
  EXPECT_EQ(first("small: (s = s)", Dialect::VelvetCav), "dialect small");
  EXPECT_EQ(first("\"small\" (s = s)", Dialect::Velvet2), "dialect \"small\"");
  EXPECT_EQ(first("\"small\" (s = s)", Dialect::VelvetCav), "dialect \"small\"");
  EXPECT_EQ(first("\"small\" = s", Dialect::VelvetCav), ""); // a proposition about a string
  EXPECT_EQ(first("\"small\" = s", Dialect::Velvet2), "");
}

TEST(Parser, LinesBehindAnItemAreNotLost) {
  for (const char* item : {"def f : Nat :=\n  1\n", "theorem t : a := b\n", "theorem t : a := by\n  rfl\n"}) {
    const std::string text = std::string(item) + "do\n  return y\n";
    const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
    ASSERT_FALSE(parsed.diagnostics.empty()) << text;
    EXPECT_EQ(at(text, parsed.diagnostics[0].range), "do");
    EXPECT_EQ(velvet::print(parsed.document, Dialect::Velvet2).text, text);
  }
}

TEST(Parser, TypesAreWhole) {
  for (const char* text :
       {"def f : :=\n  1\n", "def f (x : [Nat)) : Nat :=\n  1\n", "def f : Nat ⦄ :=\n  1\n",
        "def f : Nat :=\n  let y : := 1\n  y\n", "def f : Nat :=\n  g (fun x y : ⦄ => x)\n"})
    EXPECT_FALSE(velvet::parse(text, Dialect::Velvet2).diagnostics.empty()) << text;
}

// --- Expressions ---

struct ExpressionRow {
  const char* text;
  const char* canonical;
};

TEST(Expressions, HaveLeansPrecedence) {
  for (const ExpressionRow& row :
       {ExpressionRow{"a + b * c", "a + b * c"},
        {"(a + b) * c", "(a + b) * c"},
        {"a - b - c", "a - b - c"},
        {"a - (b - c)", "a - (b - c)"},
        {"2 ^ n ^ m", "2 ^ n ^ m"},
        {"(2 ^ n) ^ m", "(2 ^ n) ^ m"},
        {"- x ^ 2", "-(x ^ 2)"},
        {"(-x) ^ 2", "(-x) ^ 2"},
        {"a % b / c", "a % b / c"},
        {"¬ a = b ∧ c", "¬ (a = b) ∧ c"},
        {"a → b → c", "a → b → c"},
        {"(a → b) → c", "(a → b) → c"},
        {"a ∧ b ∨ c ↔ d", "a ∧ b ∨ c ↔ d"},
        {"a <= b /\\ c >= d", "a ≤ b ∧ c ≥ d"},
        {"forall k : Nat, k < n -> p k", "∀ k : Nat, k < n → p k"},
        {"∀ i j : Nat, i = j", "∀ i : Nat, ∀ j : Nat, i = j"},
        {"∀ (i : Nat) (z : Int), z = (i : Int)", "∀ i : Nat, ∀ z : Int, z = (i : Int)"},
        {"∀ k < n, a[k]! = 0", "∀ k, k < n → a[k]! = 0"},
        {"∃ k ≤ n, f k", "∃ k, k ≤ n ∧ f k"},
        {"a ∧ ∀ k, p k ∧ q", "a ∧ (∀ k, p k ∧ q)"},
        {"f (g x) y.size", "f (g x) y.size"},
        {"fun x y => x + y", "fun x => fun y => x + y"},
        {"∑ k ∈ Finset.range m, a[k]! + 1", "(∑ k ∈ Finset.range m, a[k]!) + 1"},
        {"if a < b then a else b + 1", "if a < b then a else b + 1"},
        {"(a, b, c)", "(a, (b, c))"},
        {"#[1, 2 + 3]", "#[1, 2 + 3]"},
        {"x.1.size + r.2.1", "x.1.size + r.2.1"},
        {"1.5 + 2e3", "1.5 + 2e3"},
        {"(3).1 + (1.5).a + (0x1).b", "(3).1 + (1.5).a + (0x1).b"}, // "3.1" is another number
        {"x' + «x'» + x.set! + «α₁»", "x' + x' + x.set! + α₁"},
        {"x.«at» + x.«a b»", "x.«at» + x.«a b»"},
        {"(f z).a?b + (f z).«ab» + (f z).end", "(f z).a?b + (f z).ab + (f z).«end»"},
        {"()", "()"},
        {"«in» + «at».size", "«in» + «at».size"},
        {"a ++ b == c && !d", "a ++ b == c && !d"},
        {"a != b || c", "a != b || c"}}) {
    const auto read = velvet::parseExpression(row.text, {"x", "y", "r", "at"});
    ASSERT_TRUE(read) << row.text;
    EXPECT_EQ(velvet::print(*read), row.canonical) << row.text;
    const auto again = velvet::parseExpression(velvet::print(*read), {"x", "y", "r", "at"});
    ASSERT_TRUE(again) << row.text;
    EXPECT_TRUE(velvet::equal(*again, *read)) << row.text;
  }
}

/// Without the variable in scope "x.a" is one name, so what is printed for the field is that name's text.
TEST(Expressions, FieldsAreWrittenAsNamesAre) {
  for (const char* field : {"a?b", "a!", "a'", "«ab»", "«at»", "end", "«a b»", "α", "«_»", "set!.size"}) {
    const std::string text = velvet::print(*velvet::parseExpression("(x)." + std::string(field)));
    EXPECT_EQ(velvet::print(*velvet::parseExpression(text)), text);
    EXPECT_EQ(velvet::print(*velvet::parseExpression(text, {"x"})), text);
  }
}

TEST(Expressions, AreRefusedWhereLeanRefuses) {
  for (const char* text : {"a <",    "a = b = c", "a ≤ b < c",    "(a",     "a)",          "f (",
                           "x[i]",   "x[i]?",     "∀ , p",        "∀ k p",  "if a then b", "fun => x",
                           "#[1, ]", "(a : )",    "match x with", "a b :=", "+ a",         "a +",
                           "",       "by simp",   "x.",           "a, b",   "(f x).«a.b»", "(f x).«1»"})
    EXPECT_FALSE(velvet::parseExpression(text, {"x"})) << text;
}

TEST(Expressions, KnowVariablesFromQualifiedNames) {
  EXPECT_EQ(velvet::parseExpression("N.toNat", {"N"})->form, Form::Field);
  EXPECT_EQ(velvet::parseExpression("N.toNat", {})->form, Form::Name);
  EXPECT_EQ(velvet::parseExpression("Plumbline.cDiv", {})->text, "Plumbline.cDiv");
  EXPECT_EQ(velvet::parseExpression("x.a.b", {"x"})->args[0]->args[0]->text, "x");
}

TEST(Expressions, DeepOnesAreRefusedAndNotACrash) {
  for (const char* open : {"(", "¬ ", "-", "f (", "∀ k, ", "if a then b else ", "#["}) {
    std::string text;
    for (int i = 0; i < 100000; ++i)
      text += open;
    EXPECT_FALSE(velvet::parseExpression(text)) << open;
  }
  std::string sum = "a";
  for (int i = 0; i < 100000; ++i)
    sum += " + a";
  EXPECT_FALSE(velvet::parseExpression(sum));
}

// --- Errors ---

struct ErrorRow {
  const char* body;     ///< statements of a method
  const char* expected; ///< the text underlined by the first diagnostic
  const char* id;
};

TEST(Errors, StandWhereTheyAre) {
  for (const ErrorRow& row :
       {ErrorRow{"  let x : Nat := 1 +\n  return x\n", "+", "syntax"},
        {"  let x : := 1\n  return x\n", ":=", "syntax"},
        {"  x := (1 + 2\n  return x\n", "2", "syntax"},
        {"  if a < b\n    x := 1\n  return x\n", ":=", "syntax"},
        {"  while a: (x < 1)\n    invariant b: (x <)\n  do\n    x := 2\n", ")", "syntax"},
        {"  while a: (x < 1)\n  x := 2\n", ")", "syntax"},
        {"  for i in xs do\n    x := 1\n  return x\n", "for", "unsupported"},
        {"  return x\n   x := 1\n", ":=", "syntax"},
        {"  )\n  return x\n", ")", "syntax"},
        {"  let (a, b) := c\n", "let", "unsupported"},
        {"  assert (a = b)\n", "assert (a = b)", "clause"},
        {"  x := a = b = c\n", "=", "syntax"},
        {"  x := 1 \xFF\n", "\xFF", "character"}}) {
    const std::string text = std::string("method m (a b : Nat)\n  returns (x : Nat)\ndo\n") + row.body;
    const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
    ASSERT_FALSE(parsed.diagnostics.empty()) << row.body;
    EXPECT_EQ(parsed.diagnostics[0].id, row.id) << row.body << parsed.diagnostics[0].message;
    EXPECT_EQ(at(text, parsed.diagnostics[0].range), row.expected)
        << row.body << parsed.diagnostics[0].message;
    EXPECT_TRUE(find<velvet::Method>(parsed.document)) << row.body;
  }
}

TEST(Errors, OneStatementDoesNotSpoilTheOthers) {
  const std::string text =
      "method m (a : Nat)\n  returns (x : Nat)\n  requires r: (a <)\n  ensures e: (x = a)\ndo\n"
      "  let y : Nat := )\n  let z : Nat := a\n  return z\n\ndef f (a : Nat) : Nat :=\n  a +\n\n"
      "prove_correct m by\n  velvet_vcgen [m]\n";
  const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
  EXPECT_EQ(parsed.diagnostics.size(), 3U);
  const auto* method = find<velvet::Method>(parsed.document);
  ASSERT_TRUE(method);
  EXPECT_EQ(method->requirements.at(0).prop->form, Form::Opaque);
  EXPECT_EQ(method->requirements.at(0).prop->text, "(a <)");
  EXPECT_EQ(velvet::print(*method->ensures.at(0).prop), "x = a");
  ASSERT_EQ(method->body.size(), 3U);
  EXPECT_EQ(method->body[1].name, "z");
  EXPECT_TRUE(find<velvet::Definition>(parsed.document));
  EXPECT_TRUE(find<velvet::Proof>(parsed.document));
  // Nothing of the text is dropped.
  EXPECT_NE(velvet::print(parsed.document, Dialect::Velvet2).text.find("requires r: (a <)\n"),
            std::string::npos);
}

TEST(Attributes, StandOnTheirOwnLineOrBeforeTheWord) {
  for (const char* text :
       {"@[grind]\ntheorem t : True := by\n  trivial\n", "@[grind] theorem t : True := by trivial\n"}) {
    const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
    EXPECT_TRUE(parsed.diagnostics.empty());
    EXPECT_EQ(find<velvet::Theorem>(parsed.document)->keyword, "theorem");
    EXPECT_EQ(velvet::print(parsed.document, Dialect::Velvet2).text,
              "@[grind]\ntheorem t : True := by\n  trivial\n");
  }
}

TEST(Comments, OfBothKindsStandTogether) {
  const std::string text = "/- one\n-- two -/\n-- three\n/- four -/\ndef f : Nat :=\n  1\n";
  const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
  EXPECT_TRUE(parsed.diagnostics.empty());
  EXPECT_EQ(velvet::print(parsed.document, Dialect::Velvet2).text, text);
}

TEST(Comments, StayWhereTheyStand) {
  const std::string text =
      "-- head\n--\n-- more\n\nimport Velvet\n\n-- alone\n\n-- of f\n@[grind]\ndef f (a : Nat) : Nat :=\n"
      "  let b : Nat := a\n  b\n\nmethod m\n    (a : Nat)\n  returns (x : Nat)\n  -- of r\n"
      "  requires r: (0 < a)\ndo\n  -- first\n  if a < 2 then\n    -- inside\n    x := 1\n    -- last "
      "inside\n"
      "  -- behind\n  return a\n  -- end\n\nprove_correct m by\n  -- here\n  velvet_vcgen [m] with try "
      "finish\n"
      "  -- there\n\n-- tail\n";
  const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
  EXPECT_TRUE(parsed.diagnostics.empty());
  EXPECT_EQ(velvet::print(parsed.document, Dialect::Velvet2).text, text);
  EXPECT_EQ(find<velvet::Definition>(parsed.document)->doc, "of f");
  EXPECT_EQ(find<velvet::Method>(parsed.document)->requirements.at(0).comment, "of r");
}

} // namespace
} // namespace plumbline::velvet_test
