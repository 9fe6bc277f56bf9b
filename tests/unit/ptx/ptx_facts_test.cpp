// What is said about float instructions, from PTX written by hand.
#include "core/cuda/ptx/facts.h"

#include <gtest/gtest.h>

namespace plumbline::cuda {
namespace {

std::string traits(std::string_view opcode) {
  std::string text;
  for (const PtxTrait trait : traitsOf(opcode))
    text += (text.empty() ? "" : " ") + std::string(name(trait));
  return text;
}

/// After the sections on floating point of the PTX ISA.
TEST(PtxFacts, TraitsOfOpcodes) {
  EXPECT_EQ(traits("fma.rn.f32"), "fused");
  EXPECT_EQ(traits("fma.rn.ftz.f32"), "fused flush");
  EXPECT_EQ(traits("fma.rn.sat.f16x2"), "fused saturate");
  EXPECT_EQ(traits("fma.rm.f64"), "fused directed");
  EXPECT_EQ(traits("mad.rn.f32"), "fused");
  EXPECT_EQ(traits("mad.lo.s32"), "") << "integers";
  EXPECT_EQ(traits("add.f32"), "may-fuse");
  EXPECT_EQ(traits("mul.ftz.f32"), "may-fuse flush");
  EXPECT_EQ(traits("sub.f64"), "may-fuse");
  EXPECT_EQ(traits("add.rn.f32"), "") << "with a rounding mode it stays as it is";
  EXPECT_EQ(traits("mul.rz.f32"), "directed");
  EXPECT_EQ(traits("add.s32"), "");
  EXPECT_EQ(traits("div.rn.f32"), "division");
  EXPECT_EQ(traits("div.full.f32"), "approximate division");
  EXPECT_EQ(traits("div.approx.ftz.f32"), "approximate flush division");
  EXPECT_EQ(traits("rcp.rn.f32"), "division");
  EXPECT_EQ(traits("sqrt.rn.f32"), "root");
  EXPECT_EQ(traits("rsqrt.approx.f32"), "approximate root");
  EXPECT_EQ(traits("ex2.approx.ftz.f32"), "approximate flush");
  EXPECT_EQ(traits("cvt.rzi.s32.f32"), "");
  EXPECT_EQ(traits("cvt.rzi.ftz.s32.f32"), "flush");
  EXPECT_EQ(traits("max.f32"), "min-max");
  EXPECT_EQ(traits("min.NaN.bf16"), "min-max");
  EXPECT_EQ(traits("atom.global.add.f32"), "atomic");
  EXPECT_EQ(traits("red.global.add.u32"), "");
  EXPECT_EQ(traits("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"), "matrix");
  EXPECT_EQ(traits("ld.global.f32"), "");
  EXPECT_EQ(traits(""), "");
}

constexpr const char* twoKernels = R"(.version 8.3
.target sm_80
.address_size 64
.visible .entry _Z4axpyPf(
	.param .u64 _Z4axpyPf_param_0
)
{
	.loc	1 4 12, function_name $L__info_string0, inlined_at 1 9 3
	fma.rn.ftz.f32 	%f3, %f1, %f2, %f1;
	.loc	2 77 5
	ex2.approx.ftz.f32 	%f4, %f3;
	add.rn.f32 	%f5, %f4, %f4;
	.loc	1 10 2
	mul.f32 	%f6, %f5, %f5;
	ret;
}
.func helper()
{
	fma.rn.f32 	%f3, %f1, %f2, %f1;
}
.visible .entry idle()
{
	ret;
}
	.file	1 "/tmp/anywhere/plumbline_kernel.cu"
	.file	2 "/usr/include/math.hpp"
)";

TEST(PtxFacts, OfEachKernelWithSourceLines) {
  const Expected<PtxModule> module = readPtx(twoKernels);
  ASSERT_TRUE(module) << module.error().message;
  const std::vector<KernelFacts> kernels = factsOf(*module, "axpy.cu");
  const PtxText text{"", "13.0.88", "sm_80", {"-use_fast_math"}};
  EXPECT_EQ(print(kernels, text, "axpy.cu"),
            "axpy.cu: nvcc 13.0.88 sm_80 -use_fast_math\n"
            "  kernel axpy: 5 instructions, 1 fused, 1 may-fuse, 1 approximate, 2 flush\n"
            "    axpy.cu:4:12: fma.rn.ftz.f32 (fused, flush), inlined at axpy.cu:9:3\n"
            "    /usr/include/math.hpp:77:5: ex2.approx.ftz.f32 (approximate, flush)\n"
            "    axpy.cu:10:2: mul.f32 (may-fuse)\n"
            "  kernel idle: 1 instructions\n");
  const Json json = toJson(kernels, text, "axpy.cu");
  EXPECT_EQ(json["compiler"]["flags"], Json::array({"-use_fast_math"}));
  ASSERT_EQ(json["kernels"].size(), 2U) << "functions are no kernels";
  EXPECT_EQ(json["kernels"][0]["symbol"], "_Z4axpyPf");
  EXPECT_EQ(json["kernels"][0]["counts"]["flush"], 2);
  EXPECT_EQ(json["kernels"][0]["counts"]["matrix"], 0);
  EXPECT_EQ(json["kernels"][0]["facts"][0]["where"]["line"], 4);
  EXPECT_EQ(json["kernels"][0]["facts"][0]["inlined_at"]["column"], 3);
  EXPECT_EQ(json["kernels"][0]["facts"][0]["ptx_line"], 9);
  EXPECT_FALSE(json["kernels"][0]["facts"][1].contains("inlined_at"));
  EXPECT_EQ(json["kernels"][1]["facts"], Json::array());
}

TEST(PtxFacts, WithoutLinesTheFileIsNamed) {
  const Expected<PtxModule> module = readPtx(".version 8.0\n.entry k() { fma.rn.f32 %f1, %f2, %f3, %f4; }");
  ASSERT_TRUE(module);
  const std::vector<KernelFacts> kernels = factsOf(*module, "k.cu");
  ASSERT_EQ(kernels.size(), 1U);
  ASSERT_EQ(kernels[0].facts.size(), 1U);
  EXPECT_EQ(toString(kernels[0].facts[0].where), "k.cu");
}

} // namespace
} // namespace plumbline::cuda
