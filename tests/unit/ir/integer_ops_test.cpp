// Expected values come from C++'s own arithmetic on types wide enough, or are written by hand.
#include "core/ir/integer_ops.h"

#include <gtest/gtest.h>

namespace plumbline::ir {
namespace {

constexpr ScalarType kI32 = ScalarType::I32;
constexpr ScalarType kU32 = ScalarType::U32;
constexpr ScalarType kI64 = ScalarType::I64;
constexpr ScalarType kU64 = ScalarType::U64;

IntResult apply(BinaryOp op, ScalarType type, int64_t a, int64_t b) {
  return integerBinary(op, type, a, b, type);
}

const std::vector<int64_t> kSamples32 = {0,
                                         1,
                                         -1,
                                         2,
                                         -2,
                                         3,
                                         7,
                                         -7,
                                         31,
                                         32,
                                         255,
                                         -256,
                                         65535,
                                         65536,
                                         1000003,
                                         INT32_MAX,
                                         INT32_MAX - 1,
                                         INT32_MIN,
                                         INT32_MIN + 1};

TEST(IntegerOps, Int32AgreesWithWiderArithmetic) {
  for (int64_t a : kSamples32)
    for (int64_t b : kSamples32) {
      const std::pair<BinaryOp, int64_t> exact[] = {
          {BinaryOp::Add, a + b}, {BinaryOp::Sub, a - b}, {BinaryOp::Mul, a * b}};
      for (const auto& [op, value] : exact) {
        const IntResult result = apply(op, kI32, a, b);
        EXPECT_EQ(result.value, static_cast<int32_t>(value));
        EXPECT_EQ(result.status == IntStatus::Overflow, value < INT32_MIN || value > INT32_MAX);
      }
      if (b == 0) {
        EXPECT_EQ(apply(BinaryOp::Div, kI32, a, b).status, IntStatus::DivisionByZero);
        EXPECT_EQ(apply(BinaryOp::Rem, kI32, a, b).status, IntStatus::DivisionByZero);
        continue;
      }
      const bool overflow = a == INT32_MIN && b == -1;
      EXPECT_EQ(apply(BinaryOp::Div, kI32, a, b).status == IntStatus::Overflow, overflow);
      EXPECT_EQ(apply(BinaryOp::Rem, kI32, a, b).status == IntStatus::Overflow, overflow);
      if (!overflow) {
        EXPECT_EQ(apply(BinaryOp::Div, kI32, a, b).value, a / b);
        EXPECT_EQ(apply(BinaryOp::Rem, kI32, a, b).value, a % b);
      }
    }
}

TEST(IntegerOps, Uint32IsModular) {
  for (int64_t signedA : kSamples32)
    for (int64_t signedB : kSamples32) {
      const auto a = static_cast<uint32_t>(signedA);
      const auto b = static_cast<uint32_t>(signedB);
      EXPECT_EQ(apply(BinaryOp::Add, kU32, a, b).value, static_cast<uint32_t>(a + b));
      EXPECT_EQ(apply(BinaryOp::Sub, kU32, a, b).value, static_cast<uint32_t>(a - b));
      EXPECT_EQ(apply(BinaryOp::Mul, kU32, a, b).value, static_cast<uint32_t>(a * b));
      EXPECT_EQ(apply(BinaryOp::Mul, kU32, a, b).status, IntStatus::Ok);
      EXPECT_EQ(apply(BinaryOp::BitXor, kU32, a, b).value, a ^ b);
      EXPECT_EQ(apply(BinaryOp::Lt, kU32, a, b).value, a < b);
      EXPECT_EQ(apply(BinaryOp::Ge, kU32, a, b).value, a >= b);
      if (b != 0) {
        EXPECT_EQ(apply(BinaryOp::Div, kU32, a, b).value, a / b);
        EXPECT_EQ(apply(BinaryOp::Rem, kU32, a, b).value, a % b);
      }
    }
}

TEST(IntegerOps, SixtyFourBits) {
  EXPECT_EQ(apply(BinaryOp::Add, kI64, INT64_MAX, 1).value, INT64_MIN);
  EXPECT_EQ(apply(BinaryOp::Add, kI64, INT64_MAX, 1).status, IntStatus::Overflow);
  EXPECT_EQ(apply(BinaryOp::Mul, kI64, INT64_MIN, -1).status, IntStatus::Overflow);
  EXPECT_EQ(apply(BinaryOp::Div, kI64, INT64_MIN, -1).status, IntStatus::Overflow);
  EXPECT_EQ(apply(BinaryOp::Mul, kI64, 3037000499, 3037000499).status, IntStatus::Ok);
  EXPECT_EQ(apply(BinaryOp::Mul, kI64, 3037000500, 3037000500).status, IntStatus::Overflow);
  EXPECT_EQ(apply(BinaryOp::Div, kU64, -1, 10).value, 1844674407370955161);
  EXPECT_EQ(apply(BinaryOp::Lt, kU64, -1, 1).value, 0);
  EXPECT_EQ(apply(BinaryOp::Lt, kI64, -1, 1).value, 1);
  EXPECT_EQ(apply(BinaryOp::Sub, kU64, 0, 1).value, -1);
  EXPECT_EQ(integerText(kU64, -1), "18446744073709551615");
}

TEST(IntegerOps, Shifts) {
  EXPECT_EQ(apply(BinaryOp::Shl, kI32, 1, 30).value, 1 << 30);
  EXPECT_EQ(apply(BinaryOp::Shl, kI32, 1, 31).value, INT32_MIN);
  EXPECT_EQ(apply(BinaryOp::Shl, kI32, 1, 31).status, IntStatus::Ok) << "fits the unsigned type";
  EXPECT_EQ(apply(BinaryOp::Shl, kI32, 2, 31).status, IntStatus::Overflow);
  EXPECT_EQ(apply(BinaryOp::Shl, kI32, -1, 1).status, IntStatus::Overflow);
  EXPECT_EQ(apply(BinaryOp::Shl, kU32, 0xFFFFFFFF, 4).value, 0xFFFFFFF0);
  EXPECT_EQ(apply(BinaryOp::Shl, kU32, 0xFFFFFFFF, 4).status, IntStatus::Ok);
  EXPECT_EQ(apply(BinaryOp::Shr, kI32, -8, 1).value, -4);
  EXPECT_EQ(apply(BinaryOp::Shr, kU64, -8, 1).value, 0x7FFFFFFFFFFFFFFC);
  for (int64_t count : {32, 33, -1, 1 << 20}) {
    EXPECT_EQ(apply(BinaryOp::Shl, kI32, 5, count).status, IntStatus::ShiftRange) << count;
    EXPECT_EQ(apply(BinaryOp::Shr, kI32, -5, count).value, -1) << count;
    EXPECT_EQ(apply(BinaryOp::Shr, kU32, 5, count).value, 0) << count;
  }
  EXPECT_EQ(integerBinary(BinaryOp::Shl, kI64, 1, 40, kI32).value, int64_t{1} << 40);
  EXPECT_EQ(integerBinary(BinaryOp::Shr, kI64, 1, -1, kU64).status, IntStatus::ShiftRange);
}

TEST(IntegerOps, NegationAndWrapping) {
  EXPECT_EQ(integerNegate(kI32, INT32_MIN).status, IntStatus::Overflow);
  EXPECT_EQ(integerNegate(kI64, INT64_MIN).status, IntStatus::Overflow);
  EXPECT_EQ(integerNegate(kI32, 5).value, -5);
  EXPECT_EQ(integerNegate(kU32, 1).value, 0xFFFFFFFF);
  EXPECT_EQ(integerNegate(kU64, 1).value, -1);
  EXPECT_EQ(wrapTo(ScalarType::I8, 200), -56);
  EXPECT_EQ(wrapTo(ScalarType::U8, -1), 255);
  EXPECT_EQ(wrapTo(ScalarType::I16, 40000), -25536);
  EXPECT_EQ(wrapTo(ScalarType::U32, -1), 0xFFFFFFFF);
  EXPECT_EQ(wrapTo(ScalarType::Bool, 256), 1);
}

} // namespace
} // namespace plumbline::ir
