// Finding in PTX which products and sums were fused. The PTX is written by hand; nvcc is not needed.
#include "core/session/device_profile.h"

#include "core/vc/contraction.h"

#include <gtest/gtest.h>

namespace plumbline::session {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;

ir::Module import(const std::string& source) {
  static Expected<cuda::CudaImporter> importer = cuda::CudaImporter::start();
  EXPECT_TRUE(importer);
  const Expected<cuda::ImportedCuda> imported =
      importer->importSource(source, "k.cu", StopToken().withTimeout(std::chrono::seconds(60)));
  EXPECT_TRUE(imported && imported->errors.empty()) << source;
  return imported ? imported->module : ir::Module();
}

/// A kernel (float* y, float a, float b, float c, float d) that stores one value in y[0], and PTX for it. In
/// the PTX %f1 to %f4 are a to d, %rd1 is y.
struct Pair {
  logic::TermStore store;
  ir::Module module;
  gate::Problem problem;
  std::string text;

  Pair(const std::string& body, const std::string& instructions)
      : module(
            import("__global__ void k(float* y, float a, float b, float c, float d) {\n" + body + "\n}\n")),
        text(".version 9.0\n.target sm_80\n.visible .entry _Z1kPfffff(.param .u64 p0, .param .f32 p1, .param "
             ".f32 p2, "
             ".param .f32 p3, .param .f32 p4)\n{\nld.param.u64 %rd2, [p0];\nld.param.f32 %f1, "
             "[p1];\nld.param.f32 %f2, "
             "[p2];\nld.param.f32 %f3, [p3];\nld.param.f32 %f4, [p4];\ncvta.to.global.u64 %rd1, %rd2;\n" +
             instructions + "\nst.global.f32 [%rd1], %f9;\nret;\n}\n") {
    problem.module = &module;
    problem.kernel = module.kernels.empty() ? nullptr : module.kernels.data();
    problem.parameters["y"].buffer = "y";
    problem.parameters["y"].length = store.integer(1);
    for (const char* name : {"a", "b", "c", "d"})
      problem.parameters[name].scalar = v(name);
    for (size_t axis = 0; axis < 3; ++axis)
      problem.geometry.blockDim[axis] = problem.geometry.gridDim[axis] = store.integer(1);
  }

  TermId v(const char* name) { return store.var(Sort::F32, name); }

  Expected<std::vector<CompiledKernel>> ways() {
    const Expected<cuda::PtxModule> ptx = cuda::readPtx(text);
    if (!ptx)
      return fail(ptx.error());
    return matchPtx(store, problem, *ptx, "nvcc-sm_80", StopToken().withTimeout(std::chrono::seconds(60)));
  }

  /// The kernel, where the assembler is not free.
  Expected<CompiledKernel> match() {
    Expected<std::vector<CompiledKernel>> all = ways();
    if (!all)
      return fail(all.error());
    EXPECT_EQ(all->size(), 1U);
    return std::move(all->front());
  }

  /// The value that the kernel stores with the contraction that was found.
  TermId stored(const CompiledKernel& compiled) {
    const auto thread =
        vc::executeThread(store, *compiled.module, *compiled.kernel, problem.parameters, problem.geometry);
    EXPECT_TRUE(thread && thread->stores.size() == 1);
    return thread ? thread->stores.at(0).value : TermId{};
  }
};

TEST(DeviceProfile, AFusedProductIsFound) {
  Pair pair("float t = a * b;\ny[0] = t + c;", "fma.rn.f32 %f9, %f2, %f1, %f3;");
  const Expected<CompiledKernel> compiled = pair.match();
  ASSERT_TRUE(compiled) << toString(compiled.error());
  EXPECT_EQ(pair.stored(*compiled), pair.store.fma(pair.v("a"), pair.v("b"), pair.v("c")));
  EXPECT_EQ(compiled->assumptions,
            (std::vector<std::string>{"nvcc-sm_80: a * b + c is one rounding at k.cu:3:8",
                                      "nvcc-sm_80: everything else is compiled as the source says"}));
}

/// a * b + c * d: which of the two products is fused makes a difference in the last bit.
TEST(DeviceProfile, TheProductThatWasFused) {
  const char* body = "y[0] = a * b + c * d;";
  Pair left(body, "mul.f32 %f5, %f3, %f4;\nfma.rn.f32 %f9, %f1, %f2, %f5;");
  const Expected<CompiledKernel> first = left.match();
  ASSERT_TRUE(first) << toString(first.error());
  EXPECT_EQ(left.stored(*first),
            left.store.fma(left.v("a"), left.v("b"), left.store.binary(Op::FMul, left.v("c"), left.v("d"))));
  Pair right(body, "mul.f32 %f5, %f1, %f2;\nfma.rn.f32 %f9, %f3, %f4, %f5;");
  const Expected<CompiledKernel> second = right.match();
  ASSERT_TRUE(second) << toString(second.error());
  EXPECT_EQ(right.stored(*second), right.store.fma(right.v("c"), right.v("d"),
                                                   right.store.binary(Op::FMul, right.v("a"), right.v("b"))));
}

TEST(DeviceProfile, OneOfTwoSums) {
  Pair pair(
      "float t = a * b;\nfloat s = t + c;\ny[0] = s * s - d;",
      "mul.rn.f32 %f5, %f1, %f2;\nadd.f32 %f6, %f5, %f3;\nneg.f32 %f7, %f4;\nfma.rn.f32 %f9, %f6, %f6, %f7;");
  const Expected<CompiledKernel> compiled = pair.match();
  ASSERT_TRUE(compiled) << toString(compiled.error());
  const TermId sum =
      pair.store.binary(Op::FAdd, pair.store.binary(Op::FMul, pair.v("a"), pair.v("b")), pair.v("c"));
  EXPECT_EQ(pair.stored(*compiled), pair.store.fma(sum, sum, pair.store.unary(Op::FNeg, pair.v("d"))));
  EXPECT_EQ(compiled->assumptions.size(), 2U);
}

TEST(DeviceProfile, WithoutFusedInstructionsTheSourceStands) {
  Pair pair("y[0] = a * b + c;", "mul.rn.f32 %f5, %f1, %f2;\nadd.rn.f32 %f9, %f5, %f3;");
  const Expected<CompiledKernel> compiled = pair.match();
  ASSERT_TRUE(compiled) << toString(compiled.error());
  EXPECT_EQ(ir::toJson(*compiled->module), ir::toJson(pair.module));
  EXPECT_EQ(compiled->assumptions.size(), 1U);
}

TEST(DeviceProfile, MaximaInEitherOrder) {
  Pair pair("y[0] = fmaxf(a, b) * c + d;", "max.f32 %f5, %f2, %f1;\nfma.rn.f32 %f9, %f5, %f3, %f4;");
  const Expected<CompiledKernel> compiled = pair.match();
  EXPECT_TRUE(compiled) << toString(compiled.error());
}

TEST(DeviceProfile, NegatedConditionsChooseTheOpposite) {
  Pair pair("float t = a * b + c; y[0] = t > d ? t : d;",
            "fma.rn.f32 %f5, %f1, %f2, %f3;\nsetp.leu.f32 %p1, %f5, %f4;\nselp.f32 %f9, %f4, %f5, %p1;");
  const Expected<CompiledKernel> compiled = pair.match();
  EXPECT_TRUE(compiled) << toString(compiled.error());
}

/// The condition decides what is stored, so that its own arithmetic counts.
TEST(DeviceProfile, ConditionsAreCompared) {
  const char* body = "if (a * b + c > 0.0f) y[0] = d; else y[0] = 1.0f;";
  const std::string select = "setp.gt.f32 %p1, %f5, 0f00000000;\nselp.f32 %f9, %f4, 0f3F800000, %p1;";
  Pair fused(body, "fma.rn.f32 %f5, %f1, %f2, %f3;\n" + select);
  const Expected<CompiledKernel> compiled = fused.match();
  ASSERT_TRUE(compiled) << toString(compiled.error());
  EXPECT_EQ(compiled->assumptions.size(), 2U);
}

/// c - a * b has no fused form in the PTX; the assembler has one.
TEST(DeviceProfile, TheAssemblerMayFuse) {
  struct Case {
    const char* body;
    const char* instructions;
    bool negateFactor;
    bool negateTerm;
  };
  for (const Case& each :
       {Case{"y[0] = a * b + c;", "mul.f32 %f5, %f1, %f2;\nadd.f32 %f9, %f5, %f3;", false, false},
        Case{"y[0] = c - a * b;", "mul.f32 %f5, %f1, %f2;\nsub.f32 %f9, %f3, %f5;", true, false},
        Case{"y[0] = a * b - c;", "mul.f32 %f5, %f1, %f2;\nsub.f32 %f9, %f5, %f3;", false, true},
        Case{"y[0] = c - a * b;",
             "mul.f32 %f5, %f1, %f2;\nneg.f32 %f6, %f5;\nmov.f32 %f7, %f6;\nadd.f32 %f9, %f7, %f3;", true,
             false}}) {
    Pair pair(each.body, each.instructions);
    const Expected<std::vector<CompiledKernel>> ways = pair.ways();
    ASSERT_TRUE(ways) << each.body << toString(ways.error());
    ASSERT_EQ(ways->size(), 2U) << each.body;
    EXPECT_EQ(ir::toJson(*ways->at(0).module), ir::toJson(pair.module)) << "the PTX as it is";
    const TermId a = pair.v("a");
    const TermId c = pair.v("c");
    EXPECT_EQ(pair.stored(ways->at(1)),
              pair.store.fma(each.negateFactor ? pair.store.unary(Op::FNeg, a) : a, pair.v("b"),
                             each.negateTerm ? pair.store.unary(Op::FNeg, c) : c))
        << each.body;
  }
}

/// Behind a branch, so that the labels move with the instructions that a sign takes.
TEST(DeviceProfile, TheAssemblerMayFuseEitherProduct) {
  Pair pair("if (a > 0.0f) y[0] = a * b - c * d; else y[0] = a;",
            "mov.f32 %f9, %f1;\nsetp.leu.f32 %p1, %f1, 0f00000000;\n@%p1 bra $end;\nmul.f32 %f5, %f1, %f2;\n"
            "mul.f32 %f6, %f3, %f4;\nsub.f32 %f9, %f5, %f6;\n$end:");
  const Expected<std::vector<CompiledKernel>> ways = pair.ways();
  ASSERT_TRUE(ways) << toString(ways.error());
  EXPECT_EQ(ways->size(), 3U);
}

struct Refusal {
  const char* body;
  const char* instructions;
  const char* id;
};

class DeviceProfileRefuses : public testing::TestWithParam<Refusal> {};

TEST_P(DeviceProfileRefuses, ByName) {
  Pair pair(GetParam().body, GetParam().instructions);
  const Expected<CompiledKernel> compiled = pair.match();
  ASSERT_FALSE(compiled) << GetParam().instructions;
  EXPECT_EQ(compiled.error().id, GetParam().id) << toString(compiled.error());
}

INSTANTIATE_TEST_SUITE_P(
    Texts, DeviceProfileRefuses,
    testing::Values(
        Refusal{"y[0] = a * b + c;", "fma.rn.ftz.f32 %f9, %f1, %f2, %f3;", "flush-to-zero"},
        Refusal{"y[0] = a / b;", "div.approx.f32 %f9, %f1, %f2;", "approximate-function"},
        Refusal{"y[0] = a / b;", "div.full.f32 %f9, %f1, %f2;", "approximate-function"},
        Refusal{"y[0] = expf(a);", "ex2.approx.ftz.f32 %f9, %f1;", "approximate-function"},
        // Two products in one register: which of them is summed depends on the path.
        Refusal{"y[0] = a > b ? a * b + c : c * d + c;",
                "setp.gt.f32 %p1, %f1, %f2;\nmul.f32 %f5, %f1, %f2;\n@%p1 bra $sum;\nmul.f32 %f5, %f3, "
                "%f4;\n$sum:\n"
                "add.f32 %f9, %f5, %f3;",
                "assembler-contraction"},
        // 2^4 kernels that the assembler may make.
        Refusal{"y[0] = (a*b + 1.0f) * (a*b + 2.0f) * (a*b + 3.0f) * (a*b + 4.0f);",
                "mul.f32 %f5, %f1, %f2;\nadd.f32 %f6, %f5, 0f3F800000;\nadd.f32 %f7, %f5, 0f40000000;\n"
                "add.f32 %f8, %f5, 0f40400000;\nadd.f32 %f10, %f5, 0f40800000;\nmul.f32 %f11, %f6, %f7;\n"
                "mul.f32 %f12, %f11, %f8;\nmul.f32 %f9, %f12, %f10;",
                "assembler-contraction"},
        Refusal{"y[0] = a * b + c;", "add.rz.f32 %f9, %f1, %f2;", "ptx-not-understood"},
        Refusal{"y[0] = a;", "call.uni (retval0), f, (param0);", "ptx-not-understood"},
        // Other values than the source computes under any contraction: wrong factor, wrong sign, wrong order.
        Refusal{"y[0] = a * b + c;", "fma.rn.f32 %f9, %f1, %f1, %f3;", "ambiguous-contraction"},
        Refusal{"y[0] = a * b - c;", "fma.rn.f32 %f9, %f1, %f2, %f3;", "ambiguous-contraction"},
        Refusal{"y[0] = a * b + c;", "fma.rn.f32 %f9, %f1, %f3, %f2;", "ambiguous-contraction"},
        Refusal{"y[0] = a + b;", "fma.rn.f32 %f9, %f1, %f2, %f3;", "ambiguous-contraction"},
        Refusal{"if (a * b + c > 0.0f) y[0] = d; else y[0] = 1.0f;",
                "fma.rn.f32 %f5, %f1, %f2, %f3;\nsetp.geu.f32 %p1, %f5, 0f00000000;\nselp.f32 %f9, %f4, "
                "0f3F800000, %p1;",
                "ambiguous-contraction"},
        // 3^7 ways are too many to try.
        Refusal{"y[0] = (a*b + c*d) + (a*b + d*d) * (b*b + c*d) + (a*a + b*d) * (c*c + b*d) + (a*c + b*b) * "
                "(a*d + c*c);",
                "fma.rn.f32 %f9, %f1, %f2, %f3;", "ambiguous-contraction"}));

TEST(DeviceProfile, TheKernelIsFoundByName) {
  Pair pair("y[0] = a;", "mov.f32 %f9, %f1;");
  EXPECT_TRUE(pair.match());
  pair.text.replace(pair.text.find("_Z1kPfffff"), 10, "_Z1jPfffff");
  const Expected<CompiledKernel> other = pair.match();
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().id, "ptx-kernel");
}

} // namespace
} // namespace plumbline::session
