// Types of expressions: nothing that Plumbline writes is refused, and what is wrong is reported where it
// stands.
#include "core/velvet/parser.h"
#include "core/velvet/printer.h"
#include "core/velvet/signatures.h"
#include "core/velvet/typing.h"
#include "tests/unit/velvet/documents.h"

#include <gtest/gtest.h>

namespace plumbline::velvet_test {
namespace {

using velvet::Dialect;
using velvet::Parsed;
using velvet::Typing;

TEST(Typing, AcceptsTheGoldenDocuments) {
  for (const auto& [name, text] : goldenDocuments()) {
    const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
    const Typing typing = velvet::typeDocument(parsed.document);
    for (const velvet::Diagnostic& each : typing.diagnostics)
      ADD_FAILURE() << name << ": " << each.message << ": " << velvet::slice(text, each.range);
  }
}

/// A document with one method around statements.
std::string around(const std::string& statements) {
  return "def f (n : Nat) (z : Int) : Int :=\n  z + n\n\n"
         "def g {S : Type} [Inhabited S] [Plumbline.Scalar S] (x : Array S) (i : Nat) : S :=\n  "
         "Plumbline.Scalar.neg x[i]!\n\n"
         "method m (n : Nat) (z : Int) (b : Bool) (v : Float32) (x : Array Float32) (p : Nat × Bool)\n"
         "  returns (r : Array Float32)\ndo\n" +
         statements + "  return x\n";
}

struct Good {
  const char* type;
  const char* value;
};

TEST(Typing, KnowsWhatLeanInserts) {
  for (const Good& row : {Good{"Int", "n"},
                          Good{"Int", "n + 1 + z"},
                          Good{"Int", "n - z * 2"},
                          Good{"Int", "-(n : Int)"},
                          Good{"Int", "(n + n : Int)"},
                          Good{"Nat", "n % 2 ^ 3"},
                          Good{"Nat", "z.toNat + x.size"},
                          Good{"Float32", "v * 2 + x[n]!"},
                          Good{"Float32", "-x[0]!"},
                          Good{"Float32", "1.5"},
                          Good{"Float32", "if v < 0 then v else -v"},
                          Good{"Float32", "g x n"},
                          Good{"Float32", "Plumbline.fmaxf v (Float32.ofBits 0x3F800000)"},
                          Good{"Bool", "v == v && !b"},
                          Good{"Bool", "decide (n < 3)"},
                          Good{"Bool", "Float32.isNaN v"},
                          Good{"Bool", "n < 3"},
                          Good{"Prop", "b"},
                          Good{"Prop", "b = true"},
                          Good{"Prop", "∀ k : Nat, (k : Int) < z → x[k]! = v"},
                          Good{"Prop", "∀ k < n, x[k]! = v"},
                          Good{"Prop", "n = z"},
                          Good{"Prop", "(n : Int) < z ∧ ¬ b"},
                          Good{"Prop", "x = x.set! 0 v"},
                          Good{"Nat", "p.1"},
                          Good{"Bool", "p.2"},
                          Good{"Nat × Bool", "(n, b)"},
                          Good{"Array Float32", "#[v, 0]"},
                          Good{"Int", "f n n"},
                          Good{"Int", "f 1 (-1)"},
                          Good{"Nat → Nat", "fun k => k + n"},
                          Good{"Int", "Plumbline.fold 0 (fun k s => s + k) n"},
                          Good{"Nat → Int → Int", "f"},
                          Good{"Float32", "v.sqrt"},
                          Good{"Array Float32", "Array.replicate n v"},
                          Good{"Int", "if b then n else z"},
                          Good{"Prop", "∃ k : Nat, k = n"}}) {
    const std::string text = around(std::string("  let t : ") + row.type + " := " + row.value + "\n");
    const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
    ASSERT_TRUE(parsed.diagnostics.empty()) << row.value << ": " << parsed.diagnostics[0].message;
    for (const velvet::Diagnostic& each : velvet::typeDocument(parsed.document).diagnostics)
      ADD_FAILURE() << row.type << " := " << row.value << ": " << each.message << ": "
                    << velvet::slice(text, each.range);
  }
}

struct Bad {
  const char* statement;
  const char* range; ///< the text underlined
  const char* id;
};

TEST(Typing, ReportsErrorsWhereTheyStand) {
  for (const Bad& row : {Bad{"  let t : Nat := z\n", "z", "type-mismatch"},
                         Bad{"  let t : Nat := n + z\n", "n + z", "type-mismatch"},
                         Bad{"  let t : Nat := n + b\n", "b", "type-mismatch"},
                         Bad{"  let t : Float32 := v + n\n", "n", "type-mismatch"},
                         Bad{"  let t : Float32 := x[z]!\n", "z", "type-mismatch"},
                         Bad{"  let t : Float32 := n[0]!\n", "n", "type-mismatch"},
                         Bad{"  let t : Float32 := x[b]!\n", "b", "type-mismatch"},
                         Bad{"  let t : Nat := w + 1\n", "w", "unknown-name"},
                         Bad{"  let t : Real32 := v\n", "Real32", "unknown-type"},
                         Bad{"  let t : Array := x\n", "Array", "unknown-type"},
                         Bad{"  let t : Int := -n\n", "", ""},
                         Bad{"  let t : Nat := -n\n", "-n", "type-mismatch"},
                         Bad{"  let t : Prop := v = n\n", "n", "type-mismatch"},
                         Bad{"  let t : Prop := b < 1\n", "1", "type-mismatch"},
                         Bad{"  let t : Prop := n ∧ b\n", "n", "type-mismatch"},
                         Bad{"  let t : Prop := ∀ k : Nat, x[k]! = k\n", "k", "type-mismatch"},
                         Bad{"  let t : Prop := ∀ k : Natt, k = 1\n", "Natt", "unknown-type"},
                         Bad{"  let t : Int := f n\n", "f n", "type-mismatch"},
                         Bad{"  let t : Int := f n z n\n", "n", "arguments"},
                         Bad{"  let t : Int := f v z\n", "v", "type-mismatch"},
                         Bad{"  let t : Int := n z\n", "n", "not-a-function"},
                         Bad{"  let t : Nat := n.toNat\n", "toNat", "type-mismatch"},
                         Bad{"  let t : Nat := v.size\n", "size", "type-mismatch"},
                         Bad{"  let t : Nat := n.1\n", "1", "type-mismatch"},
                         Bad{"  let t : Float32 := Plumbline.expf n\n", "n", "type-mismatch"},
                         Bad{"  let t : Float32 := Plumbline.expg v\n", "Plumbline.expg", "unknown-name"},
                         Bad{"  let t : Float32 := if v then v else v\n", "v", "type-mismatch"},
                         Bad{"  let t : Float32 := if b then v else n\n", "n", "type-mismatch"},
                         Bad{"  let t : Float32 := v % v\n", "v % v", "type-mismatch"},
                         Bad{"  let t : Float32 := g n 1\n", "n", "type-mismatch"},
                         Bad{"  z := 1\n", "z", "not-mutable"},
                         Bad{"  q := 1\n", "q", "unknown-name"},
                         Bad{"  let mut t : Nat := 1\n  t := b\n", "b", "type-mismatch"},
                         Bad{"  assert a: (n)\n", "n", "type-mismatch"},
                         Bad{"  assert a: (b)\n  assert a: (b)\n", "a", "duplicate-label"},
                         Bad{"  if n then\n    break\n", "n", "type-mismatch"},
                         Bad{"  while a: (b)\n    invariant c: (n + 1)\n    decreasing d: (n)\n    done_with "
                             "e: (b)\n  do\n    break\n",
                             "n + 1", "type-mismatch"},
                         Bad{"  while a: (b)\n    decreasing d: (z)\n    done_with e: (b)\n  do\n    break\n",
                             "z", "type-mismatch"},
                         Bad{"  return n\n", "n", "type-mismatch"},
                         Bad{"  if b then\n    let t : Nat := 1\n  let u : Nat := t\n", "t", "unknown-name"},
                         Bad{"  let t : Array Float32 := #[v, b]\n", "b", "type-mismatch"},
                         Bad{"  let t : Nat := (n, b).2\n", "(n, b).2", "type-mismatch"}}) {
    const std::string text = around(row.statement);
    const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
    ASSERT_TRUE(parsed.diagnostics.empty()) << row.statement << ": " << parsed.diagnostics[0].message;
    const Typing typing = velvet::typeDocument(parsed.document);
    if (*row.id == '\0') {
      EXPECT_TRUE(typing.diagnostics.empty()) << row.statement << typing.diagnostics[0].message;
      continue;
    }
    ASSERT_EQ(typing.diagnostics.size(), 1U) << row.statement;
    EXPECT_EQ(typing.diagnostics[0].id, row.id) << row.statement << typing.diagnostics[0].message;
    EXPECT_EQ(velvet::slice(text, typing.diagnostics[0].range), row.range)
        << row.statement << typing.diagnostics[0].message;
    const size_t expected = text.find(row.statement) + std::string(row.statement).find(row.range);
    EXPECT_GE(typing.diagnostics[0].range.begin, expected) << row.statement;
  }
}

TEST(Typing, HypothesesOfLemmasArePropositions) {
  const auto errors = [](const std::string& binders) {
    const std::string text =
        "def even (n : Nat) : Prop :=\n  n % 2 = 0\n\ntheorem t (a b : Nat) (x : Array Nat) (p : Prop) " +
        binders + " : a = a := by\n  rfl\n";
    std::string result;
    const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
    EXPECT_TRUE(parsed.diagnostics.empty()) << text;
    for (const velvet::Diagnostic& each : velvet::typeDocument(parsed.document).diagnostics)
      result += each.id + " " + std::string(velvet::slice(text, each.range)) + "\n";
    return result;
  };
  for (const char* good :
       {"(h : b ≤ a)", "(h : a ≥ b)", "(h : a ≠ b)", "(h : a < b ∧ b < 5)", "(h : a = b → b = a)",
        "(h : ¬ a = b)", "(h : x.size ≤ a)", "{h : a ∣ b}", "(h : (a ≤ b))", "(g : p)", "(h : even b)",
        "(h : ∀ k, k < a)", "(h : Plumbline.FitsU32 5)", "(h : p → p)", "(h : Fin 3)"})
    EXPECT_EQ(errors(good), "") << good;
  EXPECT_EQ(errors("(h : Natt)"), "unknown-type Natt\n");
  EXPECT_EQ(errors("(h : Nat → Natt)"), "unknown-type Nat → Natt\n");
}

TEST(Typing, AScalarHasOnlyItsOwnOperators) {
  const auto document = [](const std::string& classes, const std::string& value) {
    return "def h {S : Type} [Inhabited S] [Plumbline.Scalar S]" + classes + " (a : S) (b : S) : S :=\n  " +
           value + "\n";
  };
  const auto count = [](const std::string& text) {
    return velvet::typeDocument(velvet::parse(text, Dialect::Velvet2).document).diagnostics.size();
  };
  EXPECT_EQ(count(document("", "Plumbline.Scalar.add a b")), 0U);
  EXPECT_EQ(count(document("", "if Plumbline.Scalar.lt a b then a else b")), 0U);
  EXPECT_EQ(count(document("", "a + b")), 1U);
  EXPECT_EQ(count(document("", "if a < b then a else b")), 1U);
  EXPECT_EQ(count(document("", "0")), 1U);
  EXPECT_EQ(count(document(" [Add S]", "a + b")), 0U);
}

TEST(Typing, TypesAreThoseOfTheExpressions) {
  const std::string text = around("  let t : Int := n + z\n  let q : Nat := p.1\n");
  const Parsed parsed = velvet::parse(text, Dialect::Velvet2);
  const Typing typing = velvet::typeDocument(parsed.document);
  const auto& method = std::get<velvet::Method>(parsed.document.items.at(2));
  const velvet::Expr& sum = *method.body.at(0).value;
  EXPECT_EQ(velvet::print(typing.types.at(&sum)), "Int");
  EXPECT_EQ(velvet::print(typing.types.at(sum.args[0].get())), "Nat");
  EXPECT_EQ(velvet::print(typing.types.at(method.body.at(1).value->args[0].get())), "Nat × Bool");
}

/// Every name that the sources in lean/ declare has the type that it has there.
TEST(Signatures, AreThoseOfTheLeanSources) {
  size_t compared = 0;
  const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "lean/Plumbline";
  const auto expect = [&](const std::string& name, const velvet::LeanType& type) {
    const auto found = velvet::signatures().find(name);
    ASSERT_NE(found, velvet::signatures().end()) << name;
    EXPECT_EQ(velvet::print(found->second.type), velvet::print(type)) << name;
    ++compared;
  };
  for (const char* file : {"Aten", "Convert", "Convert64", "Fma", "Fold", "Ftz", "Integers", "MaxMin",
                           "MaxMin64", "Opaque", "Opaque64", "Widths", "Scalar"}) {
    std::istringstream lines(contentOf(folder / (std::string(file) + ".lean")));
    bool inClass = false;
    for (std::string line; std::getline(lines, line);) {
      inClass = inClass ? line.starts_with("  ") : line.starts_with("class ");
      const size_t colon = line.find(" : ");
      if (line.starts_with("opaque "))
        expect("Plumbline." + line.substr(7, colon - 7), velvet::readType(line.substr(colon + 3)));
      if (inClass && line.starts_with("  ") && !line.starts_with("  --"))
        expect("Plumbline.Scalar." + line.substr(2, colon - 2), velvet::readType(line.substr(colon + 3)));
      if (!line.starts_with("def "))
        continue;
      const Parsed parsed = velvet::parse(line + (line.ends_with(":=") ? " x" : " := x"), Dialect::Velvet2);
      const auto* made = std::get_if<velvet::Definition>(&parsed.document.items.at(0));
      ASSERT_TRUE(made) << line;
      velvet::LeanType type = velvet::readType(made->type);
      for (auto binder = made->binders.rbegin(); binder != made->binders.rend(); ++binder)
        if (binder->bracket == velvet::Bracket::Round)
          type = velvet::arrow(velvet::readType(binder->type), type);
      expect("Plumbline." + made->name, type);
    }
  }
  EXPECT_GT(compared, 150U);
}

TEST(Types, PrintWithFewParentheses) {
  for (const char* text :
       {"Nat", "Array Float32", "Array (Array Int)", "Nat → Nat → Int", "(Nat → Nat) → Int",
        "Array Float32 × Nat × Bool", "(Nat × Bool) × Int", "Option (Nat × Bool)", "S"})
    EXPECT_EQ(velvet::print(velvet::readType(text)), text);
  for (const char* text : {"", "→ Nat", "Nat →", "(Nat", "∀ n, Nat", "Nat)"})
    EXPECT_FALSE(velvet::readType(text).known()) << text;
}

} // namespace
} // namespace plumbline::velvet_test
