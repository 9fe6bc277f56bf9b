// The expected bytes follow NumPy's published description of the format.
#include "core/ir/tensor_io.h"

#include <bit>
#include <gtest/gtest.h>

namespace plumbline::ir {
namespace {

std::string file(int version, const std::string& header, const std::string& data) {
  std::string text("\x93NUMPY", 6);
  text.push_back(static_cast<char>(version));
  text.push_back('\0');
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i)
    text.push_back(static_cast<char>(header.size() >> (8 * i) & 0xFF));
  return text + header + data;
}

const std::string kTwoFloats("\x00\x00\x80\x3f\x00\x00\x20\xc0", 8); // 1.0f, -2.5f

TEST(Npy, ReadsEveryVersion) {
  for (int version : {1, 2, 3}) {
    Expected<Tensor> tensor = tensorFromNpy(
        file(version, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }      \n", kTwoFloats),
        "a.npy");
    ASSERT_TRUE(tensor) << tensor.error().message;
    EXPECT_EQ(tensor->type, ScalarType::F32);
    EXPECT_EQ(tensor->shape, std::vector<int64_t>{2});
    EXPECT_EQ(tensor->bits,
              (std::vector<uint64_t>{std::bit_cast<uint32_t>(1.0F), std::bit_cast<uint32_t>(-2.5F)}));
  }
}

TEST(Npy, ReadsOtherTypesAndShapes) {
  Expected<Tensor> scalar = tensorFromNpy(
      file(1, "{'shape': (), 'fortran_order': True, 'descr': '<i8'}\n", std::string(8, '\xff')), "s");
  ASSERT_TRUE(scalar) << scalar.error().message;
  EXPECT_TRUE(scalar->shape.empty());
  EXPECT_EQ(scalar->bits, std::vector<uint64_t>{~uint64_t{0}});
  Expected<Tensor> empty =
      tensorFromNpy(file(1, "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 0, 5)}\n", ""), "e");
  ASSERT_TRUE(empty);
  EXPECT_TRUE(empty->bits.empty());
}

TEST(Npy, RoundTrip) {
  const std::pair<ScalarType, std::vector<uint64_t>> rows[] = {
      {ScalarType::F32, {0x7fc00001, 0x80000000, 1, 0xff800000}},
      {ScalarType::F64, {0x7ff0000000000001, 0, 1, 2}},
      {ScalarType::I32, {0xFFFFFFFF, 0, 7, 8}},
      {ScalarType::I64, {~uint64_t{0}, 0, 7, 8}},
      {ScalarType::U8, {0, 255, 1, 2}},
      {ScalarType::Bool, {0, 1, 1, 0}}};
  for (const auto& [type, bits] : rows)
    for (const std::vector<int64_t>& shape : {std::vector<int64_t>{4}, {2, 2}, {1, 4, 1}}) {
      const std::string written = toNpy({type, shape, bits});
      EXPECT_EQ((written.size() - bits.size() * static_cast<size_t>(std::max(bitWidth(type), 8)) / 8) % 64,
                0U);
      Expected<Tensor> back = tensorFromNpy(written, "round trip");
      ASSERT_TRUE(back) << back.error().message;
      EXPECT_EQ(back->type, type);
      EXPECT_EQ(back->shape, shape);
      EXPECT_EQ(back->bits, bits);
    }
}

TEST(Npy, EveryTornFileIsNamed) {
  const std::string whole = toNpy({ScalarType::F32, {2}, {1, 2}});
  for (size_t length = 0; length < whole.size(); ++length) {
    Expected<Tensor> tensor = tensorFromNpy(whole.substr(0, length), "torn.npy");
    ASSERT_FALSE(tensor) << length;
    EXPECT_EQ(tensor.error().id, "npy-torn") << length;
    EXPECT_NE(tensor.error().message.find("torn.npy"), std::string::npos);
  }
  EXPECT_EQ(tensorFromNpy(whole + "x", "long").error().id, "npy-torn");
}

TEST(Npy, OtherFormsAreRefusedByName) {
  auto idOf = [](int version, const char* header) {
    Expected<Tensor> tensor = tensorFromNpy(file(version, header, kTwoFloats), "x");
    return tensor ? "accepted" : tensor.error().id;
  };
  EXPECT_EQ(idOf(1, "{'descr': '>f4', 'fortran_order': False, 'shape': (2,)}"), "npy-unsupported");
  EXPECT_EQ(idOf(1, "{'descr': '<f2', 'fortran_order': False, 'shape': (4,)}"), "accepted");
  EXPECT_EQ(idOf(1, "{'descr': '|V2', 'fortran_order': False, 'shape': (4,)}"), "npy-unsupported");
  EXPECT_EQ(idOf(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2)}"), "npy-unsupported");
  EXPECT_EQ(idOf(4, "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)}"), "npy-unsupported");
  for (const char* header :
       {"", "{", "{}", "{'descr': '<f4', 'shape': (2,)}", "{'descr': [('a', '<f4')], 'fortran_order': False}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}"})
    EXPECT_EQ(idOf(1, header), "npy-torn") << header;
}

} // namespace
} // namespace plumbline::ir
