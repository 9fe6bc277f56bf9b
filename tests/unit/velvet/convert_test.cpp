// Documents of one dialect as documents of the other: well typed, without what the dialect does not have.
#include "core/velvet/convert.h"
#include "core/velvet/parser.h"
#include "core/velvet/printer.h"
#include "core/velvet/typing.h"
#include "tests/unit/velvet/documents.h"

#include <gtest/gtest.h>
#include <set>

namespace plumbline::velvet_test {
namespace {

using velvet::Dialect;
using velvet::Document;

Document read(const std::string& text, Dialect dialect) {
  return velvet::parse(text, dialect).document;
}

std::string printed(const Document& document, Dialect dialect) {
  return velvet::print(document, dialect).text;
}

/// No error of syntax or types, and canonical.
void expectGood(const std::string& text, Dialect dialect, const std::string& name) {
  const velvet::Parsed parsed = velvet::parse(text, dialect);
  std::vector<velvet::Diagnostic> diagnostics = parsed.diagnostics;
  for (const velvet::Diagnostic& each : velvet::typeDocument(parsed.document).diagnostics)
    diagnostics.push_back(each);
  for (const velvet::Diagnostic& each : diagnostics)
    ADD_FAILURE() << name << ": " << each.message << ": " << text.substr(each.range.begin, 100);
  EXPECT_EQ(printed(parsed.document, dialect), text) << name;
  EXPECT_EQ(velvet::dialectOf(text), dialect) << name;
}

TEST(Convert, GoldenDocumentsToTheOlderDialectAndBack) {
  size_t converted = 0;
  for (const auto& [name, text] : goldenDocuments()) {
    const auto older = velvet::convert(read(text, Dialect::Velvet2), Dialect::VelvetCav);
    if (!older) {
      EXPECT_EQ(older.error().kind, ErrorKind::Rejected) << name;
      EXPECT_FALSE(older.error().rejections.empty()) << name;
      continue;
    }
    ++converted;
    const std::string cav = printed(*older, Dialect::VelvetCav);
    expectGood(cav, Dialect::VelvetCav, name);
    for (const velvet::Token& token : velvet::lex(cav).tokens)
      if (token.kind == velvet::TokenKind::Word)
        for (const char* word : {"Float32", "Float", "requires", "returns", "velvet_vcgen", "Velvet"})
          EXPECT_NE(velvet::slice(cav, token.range), word) << name;
    const auto back = velvet::convert(read(cav, Dialect::VelvetCav), Dialect::Velvet2);
    ASSERT_TRUE(back) << name << ": " << toString(back.error());
    expectGood(printed(*back, Dialect::Velvet2), Dialect::Velvet2, name);
  }
  EXPECT_GT(converted, 10U);
}

struct Row {
  const char* value; ///< of a Float32
  const char* abstract;
};

std::string around(const std::string& value) {
  return "import Velvet\n\nmethod m\n    (v : Float32)\n    (x : Array Float32)\n    (z : Int)\n  returns (r "
         ": Float32)\ndo\n"
         "  let t : Float32 := " +
         value + "\n  return t\n\nprove_correct m by\n  velvet_vcgen [m] with try finish\n";
}

TEST(Convert, Float32BecomesTheScalar) {
  for (const Row& row :
       {Row{"v + x[0]!", "Plumbline.Scalar.add v x[0]!"},
        {"-v * v / v - v",
         "Plumbline.Scalar.sub (Plumbline.Scalar.div (Plumbline.Scalar.mul (Plumbline.Scalar.neg v) v) v) v"},
        {"if v < x[1]! then v else x[z.toNat + 1]!",
         "if Plumbline.Scalar.lt v x[1]! = true then v else x[z.toNat + 1]!"},
        {"if v ≥ v ∧ v = x[0]! then v else v", "if Plumbline.Scalar.le v v = true ∧ v = x[0]! then v else v"},
        {"if v == v then v else v", "if Plumbline.Scalar.eq v v then v else v"},
        {"Float32.ofBits 0x3F000000", "Plumbline.Scalar.lit 0x3F000000 1 2"},
        {"Float32.ofBits 0xC0400000", "Plumbline.Scalar.lit 0xC0400000 (-3) 1"},
        {"Float32.ofBits 0x4B800000", "Plumbline.Scalar.lit 0x4B800000 16777216 1"},
        {"Float32.ofBits 0x80000000", "Plumbline.Scalar.lit 0x80000000 0 1"},
        {"Float32.ofBits 0x3DCCCCCD", "Plumbline.Scalar.lit 0x3DCCCCCD 13421773 134217728"},
        {"Float32.ofBits 0x7F800000", "Plumbline.Scalar.top"},
        {"Float32.ofBits 0xFF800000", "Plumbline.Scalar.bottom"},
        {"Float32.ofBits 0x7FC00000", "Plumbline.Scalar.nan"},
        {"Float32.sqrt v", "Plumbline.Scalar.sqrt v"},
        {"v.abs", "Plumbline.Scalar.abs v"},
        {"Plumbline.fma v v v", "Plumbline.Scalar.fma v v v"},
        {"Plumbline.aten_exp v", "Plumbline.Scalar.aten_exp v"},
        {"Float32.ofInt (z + 1)", "Plumbline.Scalar.ofInt (z + 1)"}}) {
    const auto made = velvet::convert(read(around(row.value), Dialect::Velvet2), Dialect::VelvetCav);
    ASSERT_TRUE(made) << row.value << ": " << toString(made.error());
    const std::string text = printed(*made, Dialect::VelvetCav);
    EXPECT_NE(text.find(std::string("    let t : S := ") + row.abstract + "\n"), std::string::npos) << text;
  }
}

struct Refusal {
  const char* value;
  const char* construct;
};

TEST(Convert, WhatNoScalarHasIsRefusedByName) {
  for (const Refusal& row :
       {Refusal{"Plumbline.expf v", "Plumbline.expf"},
        {"Plumbline.fmaxf v v", "Plumbline.fmaxf"},
        {"v + 1", "the numeral 1 as a Float32"},
        {"Plumbline.narrow (Plumbline.widen v)", "Plumbline.narrow"},
        {"match v with | _ => v", "'match v with | _ => v', text of unknown structure"},
        {"Float32.ofBits 0x00000001", "a literal as large or small as Float32.ofBits 0x00000001"}}) {
    const auto made = velvet::convert(read(around(row.value), Dialect::Velvet2), Dialect::VelvetCav);
    ASSERT_FALSE(made) << row.value;
    EXPECT_EQ(made.error().rejections.at(0).construct, row.construct);
    EXPECT_NE(made.error().message.find(row.construct), std::string::npos);
  }
  const std::string script = around("v") + "  case x => omega\n";
  EXPECT_FALSE(velvet::convert(read(script, Dialect::Velvet2), Dialect::VelvetCav));
  const std::string theorem = around("v") + "\ntheorem t : True := by\n  trivial\n";
  EXPECT_FALSE(velvet::convert(read(theorem, Dialect::Velvet2), Dialect::VelvetCav));
  const std::string mut =
      "import Velvet.Std\n\nmethod m (mut a : Nat)\n  return (r : Nat)\n  do\n    return a\n";
  EXPECT_FALSE(velvet::convert(read(mut, Dialect::VelvetCav), Dialect::Velvet2));
}

} // namespace
} // namespace plumbline::velvet_test
