// The text of lean/: well formed as far as that shows without Lean, complete, and with the meaning that the
// rest of the product gives those names. Definitions are evaluated from their text.
#include "core/ir/integer_ops.h"
#include "core/method/lean_names.h"
#include "core/velvet/names.h"
#include "tests/method/pairs.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <random>

namespace plumbline::method_test {
namespace {

using Soft = f32::Soft<f32::Binary32>;

std::string textOf(const std::string& file) {
  return readFile(std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "lean" / "Plumbline" / file).value_or("");
}

class LeanText : public testing::Test {
protected:
  Value call(const std::string& name, const std::vector<Value>& args) {
    std::vector<velvet::ExprPtr> names;
    std::map<std::string, Value> variables;
    for (size_t i = 0; i < args.size(); ++i) {
      const std::string variable = "arg" + std::to_string(i);
      names.push_back(velvet::name(variable));
      variables[variable] = args[i];
    }
    return m_evaluator.evaluate(*velvet::apply(name, names), variables);
  }

private:
  velvet::Document m_empty;
  Evaluator m_evaluator{leanFileList(), m_empty};
};

const std::vector<uint32_t>& specialBits() {
  static const std::vector<uint32_t> bits = [] {
    std::vector<uint32_t> made{0x7fc00000, 0x7f800000, 0xff800000, 0x00000000, 0x80000000, 0x3f800000,
                               0xbf800000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
                               0xff7fffff, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff,
                               0x4f800000, 0x5effffff, 0x5f000000};
    std::mt19937 random(5);
    for (int i = 0; i < 40; ++i)
      made.push_back(random());
    return made;
  }();
  return bits;
}

TEST_F(LeanText, IsReadWhole) {
  EXPECT_EQ(leanFiles().size(), 15U);
  for (const auto& [name, file] : leanFiles())
    EXPECT_EQ(file.error, "") << name;
  const std::string all =
      readFile(std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "lean" / "Plumbline.lean").value_or("");
  for (const auto& [name, file] : leanFiles())
    EXPECT_NE(all.find("import Plumbline." + name.substr(0, name.size() - 5)), std::string::npos) << name;
}

TEST_F(LeanText, IsBalancedAndDodgesReservedWords) {
  for (const auto& [name, file] : leanFiles()) {
    const auto tokens = tokenise(textOf(name));
    ASSERT_TRUE(tokens) << name;
    std::string open;
    for (const Token& token : *tokens) {
      for (const auto& [left, right] : {std::pair('(', ')'), std::pair('[', ']'), std::pair('{', '}')}) {
        if (token.text.back() == left)
          open += left;
        if (token.text[0] == right || token.text == "]!") {
          if (token.text[0] != right)
            continue;
          ASSERT_FALSE(open.empty()) << name << ":" << token.line;
          EXPECT_EQ(open.back(), left) << name << ":" << token.line;
          open.pop_back();
        }
      }
      static const std::set<std::string> forbidden{"max",           "min",   "sorry", "axiom",
                                                   "native_decide", "admit", "module"};
      EXPECT_FALSE(forbidden.contains(token.text)) << name << ":" << token.line;
    }
    EXPECT_EQ(open, "") << name;
    for (const std::string& declared : file.names)
      EXPECT_FALSE(velvet::isReserved(declared.substr(declared.rfind('.') + 1))) << declared;
  }
}

TEST_F(LeanText, EveryNameIsInTheModuleThatDocumentsImport) {
  for (const auto& [file, content] : leanFiles())
    for (const std::string& name : content.names)
      if (!name.ends_with("_eq")) // equations come with the instance
        EXPECT_EQ(method::leanModule(name).value_or(""), "Plumbline." + file.substr(0, file.size() - 5))
            << name;
  EXPECT_EQ(method::leanModule("Float32.ofBits"), std::nullopt);
}

TEST_F(LeanText, FlushToZeroKeepsAllButSubnormals) {
  for (uint32_t high = 0; high < 0x200; ++high)
    for (const uint32_t mantissa : {0U, 1U, 0x3FFFFFU, 0x400000U, 0x7FFFFFU}) {
      const uint32_t bits = Soft::canonical((high << 23) | mantissa);
      const bool subnormal = (high & 0xFF) == 0;
      EXPECT_EQ(call("Plumbline.ftz32", {floatValue(bits)}).bits, subnormal ? bits & 0x80000000 : bits)
          << std::hex << bits;
    }
}

TEST_F(LeanText, NoNameIsDeclaredTwice) {
  std::set<std::string> seen;
  for (const auto& [file, content] : leanFiles())
    for (const std::string& name : content.names)
      EXPECT_TRUE(seen.insert(name).second) << name;
}

TEST_F(LeanText, InstanceGivesEveryMemberAndAnEquation) {
  const std::vector<std::string>& members = leanFiles().at("Scalar.lean").classMembers;
  const LeanFile& file = leanFiles().at("Float32.lean");
  EXPECT_EQ(file.instance.size(), members.size());
  for (const std::string& member : members) {
    EXPECT_TRUE(file.instance.contains(member)) << member;
    EXPECT_NE(std::ranges::find(file.names, "Plumbline." + member + "_eq"), file.names.end()) << member;
  }
}

TEST_F(LeanText, HasEveryIntrinsic) {
  std::set<std::string> names;
  std::map<std::string, int> opaque;
  for (const auto& [file, content] : leanFiles()) {
    names.insert(content.names.begin(), content.names.end());
    opaque.insert(content.opaque.begin(), content.opaque.end());
  }
  for (const ir::Intrinsic& row : ir::intrinsics()) {
    const bool isOperator = row.meaning < ir::Meaning::PtxMax && row.meaning != ir::Meaning::Fma;
    if (isOperator || !ir::hasTerm(row.meaning))
      continue; // Lean's own, or refused
    const std::string name = method::intrinsicName(row);
    EXPECT_TRUE(names.contains(name)) << row.spelling << ": " << name;
    if (row.meaning == ir::Meaning::Opaque)
      EXPECT_EQ(opaque[name], static_cast<int>(row.arguments.size())) << row.spelling;
  }
}

/// The evaluator has these equations built in.
TEST_F(LeanText, FoldIsTheLeftFoldInIndexOrder) {
  EXPECT_EQ(leanFiles().at("Fold.lean").equations.at("Plumbline.fold"),
            (std::vector<std::string>{"0 => init", "n + 1 => next (Int.ofNat n) (fold init next n)"}));
}

TEST_F(LeanText, MaxAndMinAreThoseOfPtxAndCpp) {
  for (const uint32_t a : specialBits())
    for (const uint32_t b : specialBits()) {
      const std::vector<Value> args{floatValue(a), floatValue(b)};
      EXPECT_EQ(call("Plumbline.fmaxf", args).bits, Soft::ptxMax(a, b)) << std::hex << a << " " << b;
      EXPECT_EQ(call("Plumbline.fminf", args).bits, Soft::ptxMin(a, b)) << std::hex << a << " " << b;
      EXPECT_EQ(call("Plumbline.std_max", args).bits, Soft::canonical(Soft::less(a, b) ? b : a));
      EXPECT_EQ(call("Plumbline.std_min", args).bits, Soft::canonical(Soft::less(b, a) ? b : a));
    }
}

TEST_F(LeanText, DoubleMaxAndMinToo) {
  using Soft64 = f32::Soft<f32::Binary64>;
  for (const uint32_t x : specialBits())
    for (const uint32_t y : specialBits()) {
      const uint64_t a = f32::convert<f32::Binary32, f32::Binary64>(x);
      const uint64_t b = f32::convert<f32::Binary32, f32::Binary64>(y);
      const std::vector<Value> args{call("Plumbline.widen", {floatValue(x)}),
                                    call("Plumbline.widen", {floatValue(y)})};
      EXPECT_EQ(call("Plumbline.fmaxf_f64", args).bits, Soft64::ptxMax(a, b));
      EXPECT_EQ(call("Plumbline.fminf_f64", args).bits, Soft64::ptxMin(a, b));
      EXPECT_EQ(call("Plumbline.std_max_f64", args).bits, Soft64::canonical(Soft64::less(a, b) ? b : a));
      EXPECT_EQ(call("Plumbline.std_min_f64", args).bits, Soft64::canonical(Soft64::less(b, a) ? b : a));
    }
}

TEST_F(LeanText, IntegersAreThoseOfC) {
  for (int a = -20; a <= 20; ++a)
    for (int b = -5; b <= 5; ++b) {
      const std::vector<Value> args{intValue(a), intValue(b)};
      if (b != 0) {
        EXPECT_EQ(static_cast<int>(call("Plumbline.cDiv", args).number), a / b);
        EXPECT_EQ(static_cast<int>(call("Plumbline.cMod", args).number), a % b);
      }
      EXPECT_EQ(static_cast<int>(call("Plumbline.int_max", args).number), std::max(a, b));
      EXPECT_EQ(static_cast<int>(call("Plumbline.int_min", args).number), std::min(a, b));
      EXPECT_EQ(static_cast<int>(call("Plumbline.int_abs", {intValue(a)}).number), std::abs(a));
    }
}

TEST_F(LeanText, RangesAreThoseOfTheTypes) {
  using ir::ScalarType;
  for (const ScalarType type : {ScalarType::I8, ScalarType::U8, ScalarType::I16, ScalarType::U16,
                                ScalarType::I32, ScalarType::U32, ScalarType::I64, ScalarType::U64}) {
    const Wide low = ir::lowestValue(type);
    const Wide high = type == ScalarType::U64 ? (Wide{1} << 64) - 1 : Wide{ir::highestValue(type)};
    for (const auto& [value, fits] : {std::pair(low - 1, false), std::pair(low, true), std::pair(high, true),
                                      std::pair(high + 1, false)}) {
      Value argument = intValue(0);
      argument.number = value;
      EXPECT_EQ(call(method::fitsName(type), {argument}).number != 0, fits) << ir::name(type);
    }
  }
}

TEST_F(LeanText, ConversionsToIntegersSaturate) {
  using ir::ScalarType;
  for (const auto& [name, type] :
       {std::pair("Plumbline.truncI32", ScalarType::I32), std::pair("Plumbline.truncU32", ScalarType::U32),
        std::pair("Plumbline.truncI64", ScalarType::I64)})
    for (const uint32_t bits : specialBits()) {
      int64_t expected = 0;
      bool exact = false;
      ASSERT_TRUE(ir::IeeeDomain::toInteger(ScalarType::F32, type, bits, expected, exact));
      EXPECT_EQ(static_cast<int64_t>(call(name, {floatValue(bits)}).number), expected)
          << name << std::hex << bits;
    }
}

} // namespace
} // namespace plumbline::method_test
