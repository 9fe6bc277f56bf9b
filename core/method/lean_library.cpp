#include "core/method/lean_library.h"

#include "core/method/lean_names.h"
#include "core/method/operator_text.h"

#include <array>
#include <set>

namespace plumbline::method {
namespace {

/// A member of the class Scalar, and what it is at Float32.
struct Member {
  std::string name;
  std::string comment; ///< lines above the member in the class; empty: none
  std::string type;
  std::string value;     ///< of the instance
  std::string binders;   ///< of the equation, "(a b : Float32)"; empty for a constant
  std::string applied;   ///< left side of the equation after the name: " a b"
  std::string equation;  ///< right side
  bool ascribed = false; ///< S does not show in the arguments
};

Member binaryMember(const char* name, const char* op) {
  const std::string value = std::string("a ") + op + " b";
  return {name, "", "S → S → S", "fun a b => " + value, "(a b : Float32)", " a b", value};
}

Member unaryMember(const char* name, const std::string& value) {
  return {name, "", "S → S", "fun a => " + value, "(a : Float32)", " a", value};
}

Member constantMember(const char* name, const char* comment, const char* bits) {
  const std::string value = std::string("Float32.ofBits ") + bits;
  return {name, comment, "S", value, "", "", value, true};
}

Member testMember(const char* name, const std::string& value, const std::string& equation) {
  return {name, "", "S → S → Bool", "fun a b => " + value, "(a b : Float32)", " a b", equation};
}

Member integerMember(const char* name, const char* comment, const std::string& value) {
  return {name, comment, "Int → S", "fun z => " + value, "(z : Int)", " z", value, true};
}

std::string arrows(int arguments, const std::string& type) {
  std::string text;
  for (int i = 0; i < arguments; ++i)
    text += type + " → ";
  return text + type;
}

Member functionMember(const ScalarFunction& function) {
  const std::string name = scalarMember(function.spelling);
  const std::string variables = function.arguments == 2 ? "a b" : "a";
  return {name,
          "",
          arrows(function.arguments, "S"),
          "Plumbline." + name,
          "(" + variables + " : Float32)",
          " " + variables,
          "Plumbline." + name + " " + variables};
}

std::vector<Member> members() {
  std::vector<Member> all{
      {"lit", "A literal: its binary32 bits, and the number that was written as a fraction.",
       "UInt32 → Int → Nat → S", "fun bits _ _ => Float32.ofBits bits",
       "(bits : UInt32) (num : Int) (den : Nat)", " bits num den", "Float32.ofBits bits", true},
      constantMember("nan", "", "0x7FC00000"),
      constantMember("top", "The infinities that start a maximum or minimum.", "0x7F800000"),
      constantMember("bottom", "", "0xFF800000"),
      binaryMember("add", "+"),
      binaryMember("sub", "-"),
      binaryMember("mul", "*"),
      binaryMember("div", "/"),
      unaryMember("neg", "-a"),
      unaryMember("abs", "Float32.abs a"),
      unaryMember("sqrt", "Float32.sqrt a"),
      {"fma", "a * b + c with one rounding.", "S → S → S → S", "fun a b c => Plumbline.fma a b c",
       "(a b c : Float32)", " a b c", "Plumbline.fma a b c"},
      testMember("lt", "decide (a < b)", "decide (a < b)"),
      testMember("le", "decide (a ≤ b)", "decide (a ≤ b)"),
      testMember("eq", "a == b", "(a == b)"),
      {"isNaN", "", "S → Bool", "fun a => Float32.isNaN a", "(a : Float32)", " a", "Float32.isNaN a"},
      integerMember("ofInt", "An integer, rounded once.", "Float32.ofInt z"),
      integerMember("inverseRoot",
                    "One over the root of an integer, computed in binary64 and rounded at the end.",
                    "Plumbline.narrow (Float.ofBits 0x3FF0000000000000 / Float.sqrt (Float.ofInt z))")};
  all[12].comment = "IEEE comparisons: false when an operand is NaN; 0 and -0 are equal.";
  bool first = true;
  for (const ScalarFunction& function : scalarFunctions()) {
    all.push_back(functionMember(function));
    if (first)
      all.back().comment = "ATen's elementary functions, about which nothing is known.";
    first = false;
  }
  return all;
}

std::string head(const std::string& comment, const std::vector<std::string>& imports) {
  std::string text =
      std::string(notCompiled) + "\n-- Made from Plumbline's tables; a test compares.\n" + comment + "\n";
  for (const std::string& import : imports)
    text += "import " + import + "\n";
  return text + (imports.empty() ? "" : "\n") + "namespace Plumbline\n\n";
}

const char* const tail = "\nend Plumbline\n";

std::string classText() {
  std::string text = head("-- The numbers that a spec is written over: one definition is read at Float32 and "
                          "can be read at the reals.\n",
                          {});
  text += "class Scalar (S : Type) where\n";
  for (const Member& member : members()) {
    if (!member.comment.empty())
      text += "  -- " + member.comment + "\n";
    text += "  " + member.name + " : " + member.type + "\n";
  }
  return text + tail;
}

std::string equationText(const Member& member) {
  const std::string left = "Scalar." + member.name + member.applied;
  return "@[simp, grind =]\ntheorem " + member.name + "_eq" +
         (member.binders.empty() ? "" : " " + member.binders) + " : " +
         (member.ascribed ? "(" + left + " : Float32)" : left) + " = " + member.equation + " := rfl\n";
}

std::string instanceText() {
  std::string text =
      head("-- The reading `ieee`: specs at Lean's Float32, with one NaN and equality of bits.\n",
           {"Plumbline.Scalar", "Plumbline.Aten", "Plumbline.Fma", "Plumbline.Widths"});
  text += "instance : Scalar Float32 where\n";
  for (const Member& member : members())
    text += "  " + member.name + " := " + member.value + "\n";
  text += "\n-- What the members are at Float32, for simp and grind.\n";
  for (const Member& member : members())
    text += equationText(member);
  return text + tail;
}

std::string opaqueLine(const std::string& name, int arguments, const std::string& type) {
  return "opaque " + name + " : " + arrows(arguments, type) + "\n";
}

std::string atenText() {
  std::string text = head("-- ATen's functions without agreed bits: one unknown function a spelling. A "
                          "document that takes two spellings\n"
                          "-- for one function says so in a requires clause.\n",
                          {});
  for (const ScalarFunction& function : scalarFunctions())
    text += opaqueLine(scalarMember(function.spelling), function.arguments, "Float32");
  return text + tail;
}

/// CUDA's functions of one width that have no bits of their own.
std::string intrinsicsText(ir::ScalarType type, const std::string& comment) {
  std::string text = head(comment, {});
  std::set<std::string> seen;
  for (const ir::Intrinsic& row : ir::intrinsics()) {
    const bool isWide = row.result == ir::ScalarType::F64;
    const bool unknown = row.meaning == ir::Meaning::Opaque || (isWide && row.meaning == ir::Meaning::Fma);
    if (row.result != type || !unknown)
      continue;
    const std::string name = intrinsicName(row).substr(std::string_view("Plumbline.").size());
    if (seen.insert(name).second)
      text += opaqueLine(name, static_cast<int>(row.arguments.size()), leanType(type));
  }
  return text + tail;
}

} // namespace

std::map<std::string, std::string> leanLibrary() {
  return {
      {"Plumbline/Scalar.lean", classText()},
      {"Plumbline/Float32.lean", instanceText()},
      {"Plumbline/Aten.lean", atenText()},
      {"Plumbline/Opaque.lean",
       intrinsicsText(ir::ScalarType::F32, "-- CUDA's functions without agreed bits: one unknown function a "
                                           "spelling. A document that takes two\n"
                                           "-- spellings for one function says so in a requires clause.\n")},
      {"Plumbline/Opaque64.lean", intrinsicsText(ir::ScalarType::F64, "-- The same on CUDA's double.\n")},
      {"Plumbline/Operators.lean", head("-- ATen's element-wise operators on one element, with the defaults "
                                        "of their other arguments: what\n"
                                        "-- resources/optable/aten.def and core/spec say. A zero whose sign "
                                        "ATen leaves open is chosen by a Bool.\n",
                                        {"Plumbline.Scalar"}) +
                                       operatorDefinitions() + tail},
  };
}

} // namespace plumbline::method
