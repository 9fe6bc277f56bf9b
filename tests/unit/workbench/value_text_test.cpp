#include "core/workbench/value_text.h"

#include <gtest/gtest.h>

namespace plumbline::workbench {
namespace {

TEST(ValueText, ShowsBitsAndTheShortestDecimal) {
  EXPECT_EQ(bitsText(0x3F800000U), "0x3f800000 (1)");
  EXPECT_EQ(bitsText(0x3DCCCCCDU), "0x3dcccccd (0.1)");
  EXPECT_EQ(bitsText(0x80000000U), "0x80000000 (-0)");
  EXPECT_EQ(bitsText(0x7F800000U), "0x7f800000 (inf)");
  EXPECT_EQ(bitsText(0x7FC00000U), "0x7fc00000 (nan)");
  EXPECT_EQ(bitsText(0xFFC00001U), "0xffc00001 (nan)");
}

TEST(ValueText, LeavesOtherTextAlone) {
  EXPECT_EQ(bitsText(std::string("1/3")), "1/3");
  EXPECT_EQ(bitsText(std::string("0xzz")), "0xzz");
  EXPECT_EQ(bitsText(std::string("0x7fc00000")), "0x7fc00000 (nan)");
}

TEST(ValueText, CutsLongTensors) {
  session::WitnessTensor tensor;
  tensor.shape = {9};
  tensor.bits.assign(9, 0);
  EXPECT_TRUE(tensorText(tensor).ends_with(", ..."));
  tensor.bits.clear();
  tensor.rationals = {"1/3"};
  EXPECT_EQ(tensorText(tensor), "[9]: 1/3");
}

} // namespace
} // namespace plumbline::workbench
