// What single constructs become. The expected text is derived from C++'s rules, not from the program's
// output.
#include "tests/unit/cuda/import_fixture.h"

#include <bit>

namespace plumbline::cuda::test {
namespace {

std::string kernelWith(const std::string& body, const std::string& before = "") {
  return before +
         "\n__global__ void k(const float* __restrict__ x, float* y, int n, double d, unsigned u, long l) "
         "{\n" +
         body + "\n}\n";
}

struct Row {
  const char* body;
  const char* expected; ///< part of the printed kernel
};

TEST(KernelIr, LiteralsKeepTheirText) {
  const Row rows[] = {
      {"y[0] = 0.01f;", "= 0.01{0x3c23d70a}f32"},
      {"y[0] = x[0] * 0.01;", "= f32((f64(*(x + 0i32)) * 0.01{0x3f847ae147ae147b}f64))"},
      {"y[0] = 1e-3f;", "= 1e-3{0x3a83126f}f32"},
      {"y[0] = 0x1p-3f;", "= 0x1p-3{0x3e000000}f32"},
      {"y[0] = 1'0.5'0F;", "= 10.50{0x41280000}f32"},
      {"y[0] = -0.0f;", "= -0.0{0x00000000}f32"},
      {"y[0] = INFINITY;", "= INFINITY{0x7f800000}f32"},
      {"y[0] = -CUDART_INF_F;", "= -INFINITY{0x7f800000}f32"},
      {"y[0] = NAN;", "= NAN{0x7fc00000}f32"},
      {"y[0] = __int_as_float(0xff800000);", "= -INFINITY{0x7f800000}f32"},
      {"y[0] = __int_as_float(0x7fffffff);", "= NAN{0x7fc00000}f32"},
      {"y[0] = FLT_MAX;", "{0x7f7fffff}f32"},
      {"y[0] = -FLT_MAX;", "= -3.40282347e+38{0x7f7fffff}f32"},
      {"y[0] = std::numeric_limits<float>::infinity();", "= INFINITY{0x7f800000}f32"},
      {"y[0] = std::numeric_limits<float>::lowest();", "= -3.40282347E+38{0x7f7fffff}f32"},
      {"y[0] = 1;", "= f32(1i32)"},
      {"y[0] = 'a';", "= f32(97i8)"},
      {"y[0] = true;", "= f32(true)"},
      {"y[0] = sizeof(double);", "= f32(8u64)"},
      {"y[0] = 4000000000;", "= f32(4000000000i64)"},
      {"y[0] = 18446744073709551615u;", "= f32(18446744073709551615u64)"},
  };
  for (const Row& row : rows) {
    const std::string text = printedKernel(kernelWith(row.body));
    EXPECT_NE(text.find(row.expected), std::string::npos) << row.body << "\n" << text;
  }
}

TEST(KernelIr, OverloadResolutionPicksTheRow) {
  const Row rows[] = {
      {"y[0] = fmaxf(x[0], 0.0f);", "fmaxf("},
      {"y[0] = max(x[0], 0.0f);", "= fmaxf("},
      {"y[0] = max(x[0], d);", "= f32(fmax(f64(*(x + 0i32)), d))"},
      {"y[0] = fmax(x[0], 0.0f);", "= fmaxf("},
      {"y[0] = fmax(x[0], 0.0);", "= f32(fmax("},
      {"y[0] = std::max(x[0], 0.0f);", "= std::max<float>("},
      {"y[0] = std::min<float>(x[0], 0);", "= std::min<float>(*(x + 0i32), f32(0i32))"},
      {"y[0] = max(n, 3);", "= f32(max<int>(n, 3i32))"},
      {"y[0] = max(u, 3);", "= f32(max<unsigned>(u, u32(3i32)))"},
      {"y[0] = std::max(n, 3);", "= f32(std::max<int>(n, 3i32))"},
      {"y[0] = min(l, 3l);", "= f32(min<long>(l, 3i64))"},
      {"y[0] = abs(x[0]);", "= fabsf("},
      {"y[0] = std::abs(n);", "= f32(abs<int>(n))"},
      {"y[0] = fabs(x[0]);", "= fabsf("},
      {"y[0] = fabs(d);", "= f32(fabs(d))"},
      {"y[0] = exp(x[0]);", "= expf("},
      {"y[0] = std::exp(x[0]);", "= expf("},
      {"y[0] = exp(d);", "= f32(exp(d))"},
      {"y[0] = exp(n);", "= f32(exp(f64(n)))"},
      {"y[0] = __expf(x[0]);", "= __expf("},
      {"y[0] = sqrt(x[0]);", "= sqrtf("},
      {"y[0] = sqrtf(d);", "= sqrtf(f32(d))"},
      {"y[0] = pow(x[0], 2.0f);", "= powf("},
      {"y[0] = pow(x[0], 2);", "= f32(pow(f64(*(x + 0i32)), f64(2i32)))"},
      {"y[0] = fma(x[0], x[1], x[2]);", "= fmaf("},
      {"y[0] = __fmul_rn(x[0], x[1]);", "= __fmul_rn("},
      {"y[0] = isnan(x[0]) ? 1 : 0;", "isnan<float>(*(x + 0i32))"},
      {"y[0] = std::isnan(d) ? 1 : 0;", "isnan<double>(d)"},
      {"y[0] = isinf(x[0]) ? 1.f : 0.f;", "(fabsf(*(x + 0i32)) == INFINITY{0x7f800000}f32)"},
      {"y[0] = isfinite(d) ? 1.f : 0.f;", "(fabs(d) < INFINITY{0x7ff0000000000000}f64)"},
      {"y[0] = __int2float_rn(n);", "= f32(n)"},
      {"y[0] = __ldg(x + n);", "= *(x + n)"},
      {"y[0] = __ldg(&x[n]);", "= *(x + n)"},
  };
  for (const Row& row : rows) {
    const std::string text = printedKernel(kernelWith(row.body));
    EXPECT_NE(text.find(row.expected), std::string::npos) << row.body << "\n" << text;
  }
}

TEST(KernelIr, PointersAndMemory) {
  const Row rows[] = {
      {"*y = *x;", "*y = *x"},
      {"const float* row = x + n; y[0] = row[u];", "row = (x + n)"},
      {"const float* row = &x[n]; row += u; y[0] = *row;", "row = (row + u)"},
      {"const float* p = x; p++; y[0] = *p;", "p = (p + 1i32)"},
      {"const float* p = x + 9; y[0] = *(p - n);", "(p + -i64(n))"},
      {"y[l] += 2;", "*(y + l) = (*(y + l) + f32(2i32))"},
      {"y[0] *= d;", "*(y + 0i32) = f32((f64(*(y + 0i32)) * d))"},
      {"n[y] = 1.f;", "*(y + n) = 1.{0x3f800000}f32"},
      {"y[0] = y[1] = 2.0f;", "*(y + 1i32) = 2.0{0x40000000}f32\n  *(y + 0i32) = *(y + 1i32)"},
      {"y[n] = warpSize + gridDim.z;", "(u32(warpSize) + gridDim.z)"},
      {"n >= 0 ? y[0] : y[1]; y[2] = 1.f;", "(n >= 0i32) ? "},
  };
  for (const Row& row : rows) {
    const std::string text = printedKernel(kernelWith(row.body));
    EXPECT_NE(text.find(row.expected), std::string::npos) << row.body << "\n" << text;
  }
}

TEST(KernelIr, ConstantsAreTheirInitialisers) {
  const std::string before =
      "#define THREE 3.0f\nconstexpr float kSlope = 1.0f / THREE;\nconst float kLow = -0.5f;\n"
      "static const int kShift = 4;\nenum { kEnum = 7 };\n"
      "struct C { static constexpr float value = 2.5f; };\n"
      "template <int N> __device__ float scaled(float v) { return v * N; }\n";
  const Row rows[] = {
      {"y[0] = x[0] * kSlope;", "(1.0{0x3f800000}f32 / 3.0{0x40400000}f32)"},
      {"y[0] = kLow;", "= -0.5{0x3f000000}f32"},
      {"y[0] = n << kShift;", "(n << 4i32)"},
      {"y[0] = kEnum;", "= f32(7u32)"},
      {"y[0] = C::value;", "= 2.5{0x40200000}f32"},
      {"static constexpr float half = 0.5f; y[0] = half;", "= 0.5{0x3f000000}f32"},
      {"y[0] = scaled<5>(x[0]);", "scaled<5>("},
  };
  for (const Row& row : rows) {
    const std::string text = printedKernel(kernelWith(row.body, before));
    EXPECT_NE(text.find(row.expected), std::string::npos) << row.body << "\n" << text;
  }
}

TEST(KernelIr, BranchesAndReturns) {
  const std::string text = printedKernel(kernelWith("int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                                    "if (i >= n) return;\n"
                                                    "if (x[i] > 0) { y[i] = x[i]; } else y[i] = 0.0f;"));
  EXPECT_NE(text.find("i = i32(((blockIdx.x * blockDim.x) + threadIdx.x))"), std::string::npos) << text;
  EXPECT_NE(text.find("  if (i >= n)\n    return\n"), std::string::npos) << text;
  EXPECT_NE(text.find("    *(y + i) = *(x + i)\n  else\n    *(y + i) = 0.0{0x00000000}f32"),
            std::string::npos)
      << text;
}

TEST(KernelIr, DiscardedBranchesAreNotPartOfIt) {
  const std::string source = "template <bool B> __global__ void k(float* y) {\n"
                             "  if constexpr (B) y[0] = 1.0f; else { __syncthreads(); }\n}\n"
                             "void f(float* y) { k<true><<<1, 1>>>(y); }\n";
  const std::string text = printedKernel(source);
  EXPECT_NE(text.find("*(y + 0i32) = 1.0"), std::string::npos) << text;
  EXPECT_EQ(text.find("if"), std::string::npos) << text;
}

TEST(KernelIr, EveryInstantiationIsAKernel) {
  const ImportedCuda imported =
      import("template <class T> __global__ void k(T* y) { y[0] = T(1); }\n"
             "void f(float* a, double* b) { k<<<1, 1>>>(a); k<double><<<1, 1>>>(b); }\n");
  ASSERT_EQ(imported.module.kernels.size(), 2U);
  EXPECT_EQ(imported.module.kernels[0].name, "k<float>");
  EXPECT_EQ(imported.module.kernels[1].name, "k<double>");
  const ir::Function& second =
      imported.module.functions[static_cast<size_t>(imported.module.kernels[1].function)];
  EXPECT_EQ(second.locals[0].type, (ir::Type{ir::ScalarType::F64, true}));
}

TEST(KernelIr, AnExplicitSpecialisationIsOneKernel) {
  const ImportedCuda imported = import("template <class T> __global__ void k(T* y) { y[0] = T(1); }\n"
                                       "template <> __global__ void k<float>(float* y) { y[0] = 2.0f; }\n"
                                       "void f(float* a) { k<<<1, 1>>>(a); }\n");
  ASSERT_EQ(imported.module.kernels.size(), 1U);
  EXPECT_EQ(imported.module.kernels[0].name, "k<float>");
  EXPECT_FALSE(find(imported.unread, "not-instantiated"));
}

TEST(KernelIr, HelpersAreCalledAndOrdered) {
  const ImportedCuda imported = import(
      "__device__ void put(float* p, float v) { *p = v; }\n"
      "__device__ float twice(const float& v) { return v + v; }\n"
      "__device__ float store(float* p, float v) { put(p, v); return v; }\n"
      "__global__ __launch_bounds__(128) void k(float* y) { float w = store(y, twice(y[1])); y[2] = w; }\n");
  ASSERT_EQ(imported.module.kernels.size(), 1U);
  const ir::Kernel& kernel = imported.module.kernels[0];
  EXPECT_EQ(kernel.maxThreadsPerBlock, 128);
  ASSERT_GE(kernel.function, 0) << describe(kernel.rejections);
  EXPECT_EQ(imported.module.functions.size(), 4U);
  const std::string text =
      ir::print(imported.module.functions[static_cast<size_t>(kernel.function)], imported.module);
  EXPECT_NE(text.find("store(y, twice(*(y + 1i32)))"), std::string::npos) << text;
}

TEST(KernelIr, NodesKnowTheirPlace) {
  const Marked source(
      "__global__ void k(float* y, int n) {\n  if (n > 2)\n    y[0] = /*^*/y[1] * 2.0f;\n}\n");
  const ImportedCuda imported = import(source.text);
  ASSERT_EQ(imported.module.kernels.size(), 1U);
  ASSERT_GE(imported.module.kernels[0].function, 0);
  const ir::Function& function =
      imported.module.functions[static_cast<size_t>(imported.module.kernels[0].function)];
  bool found = false;
  for (const ir::Expr& expr : function.exprs)
    found = found ||
            (expr.kind == ir::ExprKind::Binary && expr.binary == ir::BinaryOp::Mul &&
             expr.where == SourceRange{"test.cu", source.line, source.column, source.line,
                                       source.column + static_cast<int>(std::string("y[1] * 2.0f").size())});
  EXPECT_TRUE(found);
}

TEST(KernelIr, MatchesTheCompilersFloats) {
  EXPECT_EQ(std::bit_cast<uint32_t>(0.01F), 0x3c23d70aU);
  EXPECT_EQ(std::bit_cast<uint64_t>(0.01), 0x3f847ae147ae147bU);
  EXPECT_EQ(std::bit_cast<uint32_t>(1e-3F), 0x3a83126fU);
}

} // namespace
} // namespace plumbline::cuda::test
