#include "core/torch/input_spec.h"

#include <gtest/gtest.h>

namespace plumbline::torch {
namespace {

TEST(InputSpec, ReadsNameTypeAndSizes) {
  const auto spec = parseInputSpec("x=f32[4096,1024]");
  ASSERT_TRUE(spec);
  EXPECT_EQ(spec->name, "x");
  EXPECT_EQ(spec->dtype, DType::F32);
  EXPECT_EQ(spec->shape, (std::vector<int64_t>{4096, 1024}));
  EXPECT_TRUE(parseInputSpec("scale=f32[]")->shape.empty());
  EXPECT_EQ(parseInputSpec("target=i64[8]")->dtype, DType::I64);
}

TEST(InputSpec, NamesWhatIsWrong) {
  for (const char* text : {"", "x", "x=f32", "=f32[1]", "x=f32[1", "x=f33[1]", "x=f32[1,]", "x=f32[a]",
                           "x=f32[-1]", "x=f32[1 2]", "x[3]=f32", "x=f32[99999999999]"}) {
    const auto spec = parseInputSpec(text);
    ASSERT_FALSE(spec) << text;
    EXPECT_EQ(spec.error().id, "input-spec");
    EXPECT_FALSE(spec.error().next.empty());
  }
}

} // namespace
} // namespace plumbline::torch
