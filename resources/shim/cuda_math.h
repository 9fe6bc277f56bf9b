// Device functions with a meaning, one declaration per overload that CUDA declares. Overload resolution picks
// the declaration, its annotation the row of core/ir/intrinsics.def.
#pragma once

#define PLUMBLINE_FN __host__ __device__

// One argument: the f-spelling, the double spelling, and C++'s float overload of the latter.
PLUMBLINE_FN float fabsf(float) PLUMBLINE_MEANS("fabsf");
PLUMBLINE_FN double fabs(double) PLUMBLINE_MEANS("fabs");
PLUMBLINE_FN float fabs(float) PLUMBLINE_MEANS("fabsf");
PLUMBLINE_FN float sqrtf(float) PLUMBLINE_MEANS("sqrtf");
PLUMBLINE_FN double sqrt(double) PLUMBLINE_MEANS("sqrt");
PLUMBLINE_FN float sqrt(float) PLUMBLINE_MEANS("sqrtf");
PLUMBLINE_FN float expf(float) PLUMBLINE_MEANS("expf");
PLUMBLINE_FN double exp(double) PLUMBLINE_MEANS("exp");
PLUMBLINE_FN float exp(float) PLUMBLINE_MEANS("expf");
PLUMBLINE_FN float logf(float) PLUMBLINE_MEANS("logf");
PLUMBLINE_FN double log(double) PLUMBLINE_MEANS("log");
PLUMBLINE_FN float log(float) PLUMBLINE_MEANS("logf");
PLUMBLINE_FN float tanhf(float) PLUMBLINE_MEANS("tanhf");
PLUMBLINE_FN double tanh(double) PLUMBLINE_MEANS("tanh");
PLUMBLINE_FN float tanh(float) PLUMBLINE_MEANS("tanhf");
PLUMBLINE_FN float rsqrtf(float) PLUMBLINE_MEANS("rsqrtf");
PLUMBLINE_FN double rsqrt(double) PLUMBLINE_MEANS("rsqrt");
PLUMBLINE_FN float rsqrt(float) PLUMBLINE_MEANS("rsqrtf");
PLUMBLINE_FN float exp2f(float) PLUMBLINE_MEANS("exp2f");
PLUMBLINE_FN double exp2(double) PLUMBLINE_MEANS("exp2");
PLUMBLINE_FN float exp2(float) PLUMBLINE_MEANS("exp2f");
PLUMBLINE_FN float expm1f(float) PLUMBLINE_MEANS("expm1f");
PLUMBLINE_FN double expm1(double) PLUMBLINE_MEANS("expm1");
PLUMBLINE_FN float expm1(float) PLUMBLINE_MEANS("expm1f");
PLUMBLINE_FN float log2f(float) PLUMBLINE_MEANS("log2f");
PLUMBLINE_FN double log2(double) PLUMBLINE_MEANS("log2");
PLUMBLINE_FN float log2(float) PLUMBLINE_MEANS("log2f");
PLUMBLINE_FN float log1pf(float) PLUMBLINE_MEANS("log1pf");
PLUMBLINE_FN double log1p(double) PLUMBLINE_MEANS("log1p");
PLUMBLINE_FN float log1p(float) PLUMBLINE_MEANS("log1pf");
PLUMBLINE_FN float log10f(float) PLUMBLINE_MEANS("log10f");
PLUMBLINE_FN double log10(double) PLUMBLINE_MEANS("log10");
PLUMBLINE_FN float log10(float) PLUMBLINE_MEANS("log10f");
PLUMBLINE_FN float exp10f(float) PLUMBLINE_MEANS("exp10f");
PLUMBLINE_FN double exp10(double) PLUMBLINE_MEANS("exp10");
PLUMBLINE_FN float exp10(float) PLUMBLINE_MEANS("exp10f");
PLUMBLINE_FN float erff(float) PLUMBLINE_MEANS("erff");
PLUMBLINE_FN double erf(double) PLUMBLINE_MEANS("erf");
PLUMBLINE_FN float erf(float) PLUMBLINE_MEANS("erff");
PLUMBLINE_FN float erfcf(float) PLUMBLINE_MEANS("erfcf");
PLUMBLINE_FN double erfc(double) PLUMBLINE_MEANS("erfc");
PLUMBLINE_FN float erfc(float) PLUMBLINE_MEANS("erfcf");
PLUMBLINE_FN float sinf(float) PLUMBLINE_MEANS("sinf");
PLUMBLINE_FN double sin(double) PLUMBLINE_MEANS("sin");
PLUMBLINE_FN float sin(float) PLUMBLINE_MEANS("sinf");
PLUMBLINE_FN float cosf(float) PLUMBLINE_MEANS("cosf");
PLUMBLINE_FN double cos(double) PLUMBLINE_MEANS("cos");
PLUMBLINE_FN float cos(float) PLUMBLINE_MEANS("cosf");
PLUMBLINE_FN float tanf(float) PLUMBLINE_MEANS("tanf");
PLUMBLINE_FN double tan(double) PLUMBLINE_MEANS("tan");
PLUMBLINE_FN float tan(float) PLUMBLINE_MEANS("tanf");
PLUMBLINE_FN float asinf(float) PLUMBLINE_MEANS("asinf");
PLUMBLINE_FN double asin(double) PLUMBLINE_MEANS("asin");
PLUMBLINE_FN float asin(float) PLUMBLINE_MEANS("asinf");
PLUMBLINE_FN float acosf(float) PLUMBLINE_MEANS("acosf");
PLUMBLINE_FN double acos(double) PLUMBLINE_MEANS("acos");
PLUMBLINE_FN float acos(float) PLUMBLINE_MEANS("acosf");
PLUMBLINE_FN float atanf(float) PLUMBLINE_MEANS("atanf");
PLUMBLINE_FN double atan(double) PLUMBLINE_MEANS("atan");
PLUMBLINE_FN float atan(float) PLUMBLINE_MEANS("atanf");
PLUMBLINE_FN float sinhf(float) PLUMBLINE_MEANS("sinhf");
PLUMBLINE_FN double sinh(double) PLUMBLINE_MEANS("sinh");
PLUMBLINE_FN float sinh(float) PLUMBLINE_MEANS("sinhf");
PLUMBLINE_FN float coshf(float) PLUMBLINE_MEANS("coshf");
PLUMBLINE_FN double cosh(double) PLUMBLINE_MEANS("cosh");
PLUMBLINE_FN float cosh(float) PLUMBLINE_MEANS("coshf");
PLUMBLINE_FN float asinhf(float) PLUMBLINE_MEANS("asinhf");
PLUMBLINE_FN double asinh(double) PLUMBLINE_MEANS("asinh");
PLUMBLINE_FN float asinh(float) PLUMBLINE_MEANS("asinhf");
PLUMBLINE_FN float acoshf(float) PLUMBLINE_MEANS("acoshf");
PLUMBLINE_FN double acosh(double) PLUMBLINE_MEANS("acosh");
PLUMBLINE_FN float acosh(float) PLUMBLINE_MEANS("acoshf");
PLUMBLINE_FN float atanhf(float) PLUMBLINE_MEANS("atanhf");
PLUMBLINE_FN double atanh(double) PLUMBLINE_MEANS("atanh");
PLUMBLINE_FN float atanh(float) PLUMBLINE_MEANS("atanhf");
PLUMBLINE_FN float cbrtf(float) PLUMBLINE_MEANS("cbrtf");
PLUMBLINE_FN double cbrt(double) PLUMBLINE_MEANS("cbrt");
PLUMBLINE_FN float cbrt(float) PLUMBLINE_MEANS("cbrtf");
PLUMBLINE_FN float normcdff(float) PLUMBLINE_MEANS("normcdff");
PLUMBLINE_FN double normcdf(double) PLUMBLINE_MEANS("normcdf");
PLUMBLINE_FN float normcdf(float) PLUMBLINE_MEANS("normcdff");
PLUMBLINE_FN float erfinvf(float) PLUMBLINE_MEANS("erfinvf");
PLUMBLINE_FN double erfinv(double) PLUMBLINE_MEANS("erfinv");
PLUMBLINE_FN float erfinv(float) PLUMBLINE_MEANS("erfinvf");

// An integer argument means the double function.
template <class T> struct PlumblineInteger {};
template <> struct PlumblineInteger<int> {
  typedef double Double;
};
template <> struct PlumblineInteger<unsigned> {
  typedef double Double;
};
template <> struct PlumblineInteger<long> {
  typedef double Double;
};
template <> struct PlumblineInteger<unsigned long> {
  typedef double Double;
};
template <> struct PlumblineInteger<long long> {
  typedef double Double;
};
template <> struct PlumblineInteger<unsigned long long> {
  typedef double Double;
};
template <> struct PlumblineInteger<char> {
  typedef double Double;
};
template <> struct PlumblineInteger<short> {
  typedef double Double;
};
template <> struct PlumblineInteger<bool> {
  typedef double Double;
};
template <class T> PLUMBLINE_FN typename PlumblineInteger<T>::Double fabs(T) PLUMBLINE_MEANS("fabs");
template <class T> PLUMBLINE_FN typename PlumblineInteger<T>::Double sqrt(T) PLUMBLINE_MEANS("sqrt");
template <class T> PLUMBLINE_FN typename PlumblineInteger<T>::Double exp(T) PLUMBLINE_MEANS("exp");
template <class T> PLUMBLINE_FN typename PlumblineInteger<T>::Double log(T) PLUMBLINE_MEANS("log");
template <class T> PLUMBLINE_FN typename PlumblineInteger<T>::Double tanh(T) PLUMBLINE_MEANS("tanh");
template <class T> PLUMBLINE_FN typename PlumblineInteger<T>::Double sin(T) PLUMBLINE_MEANS("sin");
template <class T> PLUMBLINE_FN typename PlumblineInteger<T>::Double cos(T) PLUMBLINE_MEANS("cos");

// Two and three arguments.
PLUMBLINE_FN float fmaxf(float, float) PLUMBLINE_MEANS("fmaxf");
PLUMBLINE_FN double fmax(double, double) PLUMBLINE_MEANS("fmax");
PLUMBLINE_FN float fmax(float, float) PLUMBLINE_MEANS("fmaxf");
PLUMBLINE_FN double fmax(float, double) PLUMBLINE_MEANS("fmax");
PLUMBLINE_FN double fmax(double, float) PLUMBLINE_MEANS("fmax");
PLUMBLINE_FN float fminf(float, float) PLUMBLINE_MEANS("fminf");
PLUMBLINE_FN double fmin(double, double) PLUMBLINE_MEANS("fmin");
PLUMBLINE_FN float fmin(float, float) PLUMBLINE_MEANS("fminf");
PLUMBLINE_FN double fmin(float, double) PLUMBLINE_MEANS("fmin");
PLUMBLINE_FN double fmin(double, float) PLUMBLINE_MEANS("fmin");
PLUMBLINE_FN float powf(float, float) PLUMBLINE_MEANS("powf");
PLUMBLINE_FN double pow(double, double) PLUMBLINE_MEANS("pow");
PLUMBLINE_FN float pow(float, float) PLUMBLINE_MEANS("powf");
PLUMBLINE_FN double pow(float, double) PLUMBLINE_MEANS("pow");
PLUMBLINE_FN double pow(double, float) PLUMBLINE_MEANS("pow");
PLUMBLINE_FN float atan2f(float, float) PLUMBLINE_MEANS("atan2f");
PLUMBLINE_FN double atan2(double, double) PLUMBLINE_MEANS("atan2");
PLUMBLINE_FN float atan2(float, float) PLUMBLINE_MEANS("atan2f");
PLUMBLINE_FN double atan2(float, double) PLUMBLINE_MEANS("atan2");
PLUMBLINE_FN double atan2(double, float) PLUMBLINE_MEANS("atan2");
PLUMBLINE_FN float fmodf(float, float) PLUMBLINE_MEANS("fmodf");
PLUMBLINE_FN double fmod(double, double) PLUMBLINE_MEANS("fmod");
PLUMBLINE_FN float fmod(float, float) PLUMBLINE_MEANS("fmodf");
PLUMBLINE_FN double fmod(float, double) PLUMBLINE_MEANS("fmod");
PLUMBLINE_FN double fmod(double, float) PLUMBLINE_MEANS("fmod");
PLUMBLINE_FN float fdimf(float, float) PLUMBLINE_MEANS("fdimf");
PLUMBLINE_FN double fdim(double, double) PLUMBLINE_MEANS("fdim");
PLUMBLINE_FN float fdim(float, float) PLUMBLINE_MEANS("fdimf");
PLUMBLINE_FN double fdim(float, double) PLUMBLINE_MEANS("fdim");
PLUMBLINE_FN double fdim(double, float) PLUMBLINE_MEANS("fdim");
PLUMBLINE_FN float hypotf(float, float) PLUMBLINE_MEANS("hypotf");
PLUMBLINE_FN double hypot(double, double) PLUMBLINE_MEANS("hypot");
PLUMBLINE_FN float hypot(float, float) PLUMBLINE_MEANS("hypotf");
PLUMBLINE_FN double hypot(float, double) PLUMBLINE_MEANS("hypot");
PLUMBLINE_FN double hypot(double, float) PLUMBLINE_MEANS("hypot");
PLUMBLINE_FN float remainderf(float, float) PLUMBLINE_MEANS("remainderf");
PLUMBLINE_FN double remainder(double, double) PLUMBLINE_MEANS("remainder");
PLUMBLINE_FN float remainder(float, float) PLUMBLINE_MEANS("remainderf");
PLUMBLINE_FN double remainder(float, double) PLUMBLINE_MEANS("remainder");
PLUMBLINE_FN double remainder(double, float) PLUMBLINE_MEANS("remainder");
PLUMBLINE_FN double pow(float, int) PLUMBLINE_MEANS("pow");
PLUMBLINE_FN double pow(double, int) PLUMBLINE_MEANS("pow");
PLUMBLINE_FN double pow(int, float) PLUMBLINE_MEANS("pow");
PLUMBLINE_FN double pow(int, double) PLUMBLINE_MEANS("pow");
PLUMBLINE_FN float fmaf(float, float, float) PLUMBLINE_MEANS("fmaf");
PLUMBLINE_FN double fma(double, double, double) PLUMBLINE_MEANS("fma");
PLUMBLINE_FN float fma(float, float, float) PLUMBLINE_MEANS("fmaf");

// CUDA's own max and min; the integer rows are named after the type.
PLUMBLINE_FN float max(float, float) PLUMBLINE_MEANS("fmaxf");
PLUMBLINE_FN double max(double, double) PLUMBLINE_MEANS("fmax");
PLUMBLINE_FN double max(float, double) PLUMBLINE_MEANS("fmax");
PLUMBLINE_FN double max(double, float) PLUMBLINE_MEANS("fmax");
PLUMBLINE_FN int max(int, int) PLUMBLINE_MEANS("max<int>");
PLUMBLINE_FN long max(long, long) PLUMBLINE_MEANS("max<long>");
PLUMBLINE_FN long long max(long long, long long) PLUMBLINE_MEANS("max<long>");
PLUMBLINE_FN unsigned max(unsigned, unsigned) PLUMBLINE_MEANS("max<unsigned>");
PLUMBLINE_FN unsigned max(int, unsigned) PLUMBLINE_MEANS("max<unsigned>");
PLUMBLINE_FN unsigned max(unsigned, int) PLUMBLINE_MEANS("max<unsigned>");
PLUMBLINE_FN unsigned long max(unsigned long, unsigned long) PLUMBLINE_REJECTS("unsupported-function");
PLUMBLINE_FN unsigned long long max(unsigned long long, unsigned long long)
    PLUMBLINE_REJECTS("unsupported-function");
PLUMBLINE_FN float min(float, float) PLUMBLINE_MEANS("fminf");
PLUMBLINE_FN double min(double, double) PLUMBLINE_MEANS("fmin");
PLUMBLINE_FN double min(float, double) PLUMBLINE_MEANS("fmin");
PLUMBLINE_FN double min(double, float) PLUMBLINE_MEANS("fmin");
PLUMBLINE_FN int min(int, int) PLUMBLINE_MEANS("min<int>");
PLUMBLINE_FN long min(long, long) PLUMBLINE_MEANS("min<long>");
PLUMBLINE_FN long long min(long long, long long) PLUMBLINE_MEANS("min<long>");
PLUMBLINE_FN unsigned min(unsigned, unsigned) PLUMBLINE_MEANS("min<unsigned>");
PLUMBLINE_FN unsigned min(int, unsigned) PLUMBLINE_MEANS("min<unsigned>");
PLUMBLINE_FN unsigned min(unsigned, int) PLUMBLINE_MEANS("min<unsigned>");
PLUMBLINE_FN unsigned long min(unsigned long, unsigned long) PLUMBLINE_REJECTS("unsupported-function");
PLUMBLINE_FN unsigned long long min(unsigned long long, unsigned long long)
    PLUMBLINE_REJECTS("unsupported-function");
PLUMBLINE_FN int abs(int) PLUMBLINE_MEANS("abs<int>");
PLUMBLINE_FN long abs(long) PLUMBLINE_MEANS("abs<long>");
PLUMBLINE_FN long labs(long) PLUMBLINE_MEANS("abs<long>");
PLUMBLINE_FN long long abs(long long) PLUMBLINE_MEANS("abs<long>");
PLUMBLINE_FN long long llabs(long long) PLUMBLINE_MEANS("abs<long>");
PLUMBLINE_FN float abs(float) PLUMBLINE_MEANS("fabsf");
PLUMBLINE_FN double abs(double) PLUMBLINE_MEANS("fabs");

// Classification.
PLUMBLINE_FN bool isnan(float) PLUMBLINE_MEANS("isnan<float>");
PLUMBLINE_FN bool isnan(double) PLUMBLINE_MEANS("isnan<double>");
PLUMBLINE_FN bool isinf(float) PLUMBLINE_EXPANDS("isinf");
PLUMBLINE_FN bool isinf(double) PLUMBLINE_EXPANDS("isinf");
PLUMBLINE_FN bool isfinite(float) PLUMBLINE_EXPANDS("isfinite");
PLUMBLINE_FN bool isfinite(double) PLUMBLINE_EXPANDS("isfinite");

// Intrinsics with a rounding in their name.
PLUMBLINE_FN float __fadd_rn(float, float) PLUMBLINE_MEANS("__fadd_rn");
PLUMBLINE_FN float __fsub_rn(float, float) PLUMBLINE_MEANS("__fsub_rn");
PLUMBLINE_FN float __fmul_rn(float, float) PLUMBLINE_MEANS("__fmul_rn");
PLUMBLINE_FN float __fdiv_rn(float, float) PLUMBLINE_MEANS("__fdiv_rn");
PLUMBLINE_FN float __fsqrt_rn(float) PLUMBLINE_MEANS("__fsqrt_rn");
PLUMBLINE_FN float __frcp_rn(float) PLUMBLINE_MEANS("__frcp_rn");
PLUMBLINE_FN float __fmaf_rn(float, float, float) PLUMBLINE_MEANS("__fmaf_rn");
PLUMBLINE_FN float __int2float_rn(int) PLUMBLINE_EXPANDS("cast");
PLUMBLINE_FN float __uint2float_rn(unsigned) PLUMBLINE_EXPANDS("cast");
PLUMBLINE_FN int __float2int_rz(float) PLUMBLINE_EXPANDS("cast");
PLUMBLINE_FN float __double2float_rn(double) PLUMBLINE_EXPANDS("cast");
PLUMBLINE_FN float __ll2float_rn(long long) PLUMBLINE_EXPANDS("cast");
PLUMBLINE_FN double __int2double_rn(int) PLUMBLINE_EXPANDS("cast");
PLUMBLINE_FN unsigned __float2uint_rz(float) PLUMBLINE_EXPANDS("cast");
PLUMBLINE_FN long long __float2ll_rz(float) PLUMBLINE_EXPANDS("cast");

// Approximations: symbols of their own.
PLUMBLINE_FN float __expf(float) PLUMBLINE_MEANS("__expf");
PLUMBLINE_FN float __exp10f(float) PLUMBLINE_MEANS("__exp10f");
PLUMBLINE_FN float __logf(float) PLUMBLINE_MEANS("__logf");
PLUMBLINE_FN float __log2f(float) PLUMBLINE_MEANS("__log2f");
PLUMBLINE_FN float __log10f(float) PLUMBLINE_MEANS("__log10f");
PLUMBLINE_FN float __sinf(float) PLUMBLINE_MEANS("__sinf");
PLUMBLINE_FN float __cosf(float) PLUMBLINE_MEANS("__cosf");
PLUMBLINE_FN float __tanf(float) PLUMBLINE_MEANS("__tanf");
PLUMBLINE_FN float __powf(float, float) PLUMBLINE_MEANS("__powf");
PLUMBLINE_FN float __fdividef(float, float) PLUMBLINE_MEANS("__fdividef");

// A load with a caching hint is a load.
template <class T> __device__ T __ldg(const T*) PLUMBLINE_EXPANDS("load");
template <class T> __device__ T __ldcg(const T*) PLUMBLINE_EXPANDS("load");
template <class T> __device__ T __ldca(const T*) PLUMBLINE_EXPANDS("load");
template <class T> __device__ T __ldcs(const T*) PLUMBLINE_EXPANDS("load");

// A constant argument gives a constant; anything else reads or makes bits.
__device__ float __int_as_float(int) PLUMBLINE_EXPANDS("bits-to-float");
__device__ float __uint_as_float(unsigned) PLUMBLINE_EXPANDS("bits-to-float");
