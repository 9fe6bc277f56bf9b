// Every function of the CUDA Math API, by the list of its manual: translated, or refused by a name of ours.
#include "core/ir/intrinsics.h"
#include "tests/unit/cuda/import_fixture.h"

#include <sstream>

namespace plumbline::cuda::test {
namespace {

struct Group {
  const char* arguments;
  const char* names;
};

// x, y, z: float; d, e: double; i, j: int; u: unsigned; l: long long; p, q: pointers to float, s to int.
const Group floatFunctions[] = {
    {"x",
     "acosf acoshf asinf asinhf atanf atanhf cbrtf ceilf cosf coshf cospif cyl_bessel_i0f cyl_bessel_i1f "
     "erfcf "
     "erfcinvf erfcxf erff erfinvf exp10f exp2f expf expm1f fabsf floorf ilogbf isfinite isinf isnan j0f j1f "
     "lgammaf llrintf llroundf log10f log1pf log2f logbf logf lrintf lroundf nearbyintf normcdff normcdfinvf "
     "rcbrtf rintf roundf rsqrtf signbit sinf sinhf sinpif sqrtf tanf tanhf tgammaf truncf y0f y1f"},
    {"x, y",
     "atan2f copysignf fdimf fdividef fmaxf fminf fmodf hypotf max min nextafterf powf remainderf rhypotf"},
    {"x, y, z", "fmaf norm3df rnorm3df"},
    {"x, y, z, x", "norm4df rnorm4df"},
    {"x, i", "ldexpf scalbnf scalblnf"},
    {"i, x", "jnf ynf"},
    {"x, s", "frexpf"},
    {"x, p", "modff"},
    {"x, p, q", "sincosf sincospif"},
    {"x, y, s", "remquof"},
    {"i, p", "normf rnormf"},
};
const Group doubleFunctions[] = {
    {"d", "acos acosh asin asinh atan atanh cbrt ceil cos cosh cospi cyl_bessel_i0 cyl_bessel_i1 erfc "
          "erfcinv erfcx erf "
          "erfinv exp10 exp2 exp expm1 fabs floor ilogb isfinite isinf isnan j0 j1 lgamma llrint llround "
          "log10 log1p log2 "
          "logb log lrint lround nearbyint normcdf normcdfinv rcbrt rint round rsqrt signbit sin sinh sinpi "
          "sqrt tan tanh "
          "tgamma trunc y0 y1"},
    {"d, e", "atan2 copysign fdim fmax fmin fmod hypot max min nextafter pow remainder rhypot"},
    {"d, e, d", "fma norm3d rnorm3d"},
    {"d, e, d, e", "norm4d rnorm4d"},
    {"d, i", "ldexp scalbn scalbln"},
    {"i, d", "jn yn"},
};
const Group intrinsicFunctions[] = {
    {"x", "__cosf __exp10f __expf __log10f __log2f __logf __saturatef __sinf __tanf __frsqrt_rn __frcp_rn "
          "__frcp_rz "
          "__frcp_ru __frcp_rd __fsqrt_rn __fsqrt_rz __fsqrt_ru __fsqrt_rd __float_as_int __float_as_uint"},
    {"x, y",
     "__fadd_rn __fadd_rz __fadd_ru __fadd_rd __fsub_rn __fsub_rz __fsub_ru __fsub_rd __fmul_rn __fmul_rz "
     "__fmul_ru __fmul_rd __fdiv_rn __fdiv_rz __fdiv_ru __fdiv_rd __fdividef __powf"},
    {"x, y, z",
     "__fmaf_rn __fmaf_rz __fmaf_ru __fmaf_rd __fmaf_ieee_rn __fmaf_ieee_rz __fmaf_ieee_ru __fmaf_ieee_rd"},
    {"x, p, q", "__sincosf"},
    {"d", "__dsqrt_rn __dsqrt_rz __dsqrt_ru __dsqrt_rd __drcp_rn __drcp_rz __drcp_ru __drcp_rd "
          "__double_as_longlong "
          "__double2float_rn __double2float_rz __double2float_ru __double2float_rd __double2int_rn "
          "__double2int_rz "
          "__double2int_ru __double2int_rd __double2uint_rn __double2ll_rn __double2ull_rz __double2hiint "
          "__double2loint"},
    {"d, e",
     "__dadd_rn __dadd_rz __dadd_ru __dadd_rd __dsub_rn __dsub_rz __dmul_rn __dmul_ru __ddiv_rn __ddiv_rd"},
    {"d, e, d", "__fma_rn __fma_rz __fma_ru __fma_rd"},
    {"x",
     "__float2int_rn __float2int_rz __float2int_ru __float2int_rd __float2uint_rn __float2uint_rz "
     "__float2uint_ru "
     "__float2uint_rd __float2ll_rn __float2ll_rz __float2ll_ru __float2ll_rd __float2ull_rn __float2ull_rz "
     "__float2ull_ru __float2ull_rd __float2half __float2half_rn __float2half_rz __float2bfloat16"},
    {"i", "__int2float_rn __int2float_rz __int2float_ru __int2float_rd __int2double_rn __int_as_float __clz "
          "__ffs abs"},
    {"u", "__uint2float_rn __uint2float_rz __uint2double_rn __uint_as_float __popc __brev"},
    {"l",
     "__ll2float_rn __ll2float_rz __ll2double_rn __ll2double_rz __longlong_as_double __clzll __ffsll llabs"},
    {"i, j", "__mul24 __mulhi __hadd __rhadd max min"},
    {"u, u", "__umul24 __umulhi __uhadd __urhadd"},
    {"u, u, u", "__byte_perm __funnelshift_l __funnelshift_r __usad"},
};

std::vector<std::string> words(const char* text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), std::istream_iterator<std::string>()};
}

/// One kernel a function. `store` is false for functions that return nothing.
std::string kernelFor(const std::string& name, const std::string& arguments, size_t number) {
  const bool nothing = name.find("sincos") != std::string::npos;
  return "__global__ void k" + std::to_string(number) +
         "(float x, float y, float z, double d, double e, int i, int j, unsigned u, long long l, float* p, "
         "float* q, "
         "int* s, double* out) { " +
         (nothing ? "" : "out[0] = ") + name + "(" + arguments + "); }\n";
}

template <size_t N> void expectKnown(const Group (&groups)[N]) {
  std::string source;
  std::vector<std::string> names;
  for (const Group& group : groups)
    for (const std::string& name : words(group.names)) {
      source += kernelFor(name, group.arguments, names.size());
      names.push_back(name);
    }
  const ImportedCuda imported = import(source);
  ASSERT_EQ(imported.module.kernels.size(), names.size()) << describe(imported.errors);
  for (size_t i = 0; i < names.size(); ++i)
    for (const Rejection& rejection : imported.module.kernels[i].rejections)
      EXPECT_TRUE(rejection.id == "unsupported-function" || rejection.id == "half-arithmetic")
          << names[i] << ": " << rejection.id << " " << rejection.construct;
}

TEST(MathLibrary, FloatFunctions) {
  expectKnown(floatFunctions);
}
TEST(MathLibrary, DoubleFunctions) {
  expectKnown(doubleFunctions);
}
TEST(MathLibrary, Intrinsics) {
  expectKnown(intrinsicFunctions);
}

/// Which function a call is, by overload.
TEST(MathLibrary, OverloadsAreThoseOfCuda) {
  const auto body = [](const std::string& call) {
    const std::string text = printedKernel(
        "__global__ void k(float x, double d, int i, float* y) { y[0] = (float)" + call + "; }");
    const size_t at = text.find(" = ");
    return text.substr(at + 3, text.find('\n', at) - at - 3);
  };
  EXPECT_EQ(body("floor(x)"), "floorf(x)");
  EXPECT_EQ(body("floor(d)"), "f32(floor(d))");
  EXPECT_EQ(body("round(i)"), "f32(round(f64(i)))");
  EXPECT_EQ(body("std::floor(x)"), "floorf(x)");
  EXPECT_EQ(body("fmod(x, d)"), "f32(fmod(f64(x), d))");
  EXPECT_EQ(body("__float2int_rd(x)"), "f32(i32(floorf(x)))");
  EXPECT_EQ(body("lroundf(x)"), "f32(i64(roundf(x)))");
  EXPECT_EQ(body("fdividef(x, 3.0f)"), "fdividef(x, 3.0{0x40400000}f32)");
}

} // namespace
} // namespace plumbline::cuda::test
