// Loops, arrays, meeting points and calls in place: the printed kernel follows from C++'s order of evaluation
// and CUDA's definitions.
#include "tests/unit/cuda/import_fixture.h"

namespace plumbline::cuda::test {
namespace {

/// The lines of the kernel's body, without the signature.
std::string bodyOf(const std::string& body, const std::string& before = "") {
  const std::string text = printedKernel(
      before + "__global__ void k(const float* x, float* y, int n, int i) {\n" + body + "\n}\n");
  return text.substr(text.find('\n') + 1);
}

TEST(KernelStructure, Loops) {
  EXPECT_EQ(bodyOf("for (int j = 0; j < n; j += 2) { if (j == i) continue; if (j > 9) break; y[j] = 1.0f; }"),
            "  j = 0i32\n"
            "  while (j < n)\n"
            "    if (j == i)\n"
            "      continue\n"
            "    if (j > 9i32)\n"
            "      break\n"
            "    *(y + j) = 1.0{0x3f800000}f32\n"
            "  step\n"
            "    j = (j + 2i32)\n");
  EXPECT_EQ(bodyOf("do { i -= 1; } while (i > 0);"), "  do while (i > 0i32)\n"
                                                     "    i = (i - 1i32)\n");
  EXPECT_EQ(bodyOf("for (;;) { if (i > n) return; ++i; }"), "  while true\n"
                                                            "    if (i > n)\n"
                                                            "      return\n"
                                                            "    i = (i + 1i32)\n");
}

TEST(KernelStructure, ALoopsVariableBeginsItsLifeInEachIteration) {
  EXPECT_EQ(bodyOf("while (i < n) { float v; float a[2]; if (i > 3) v = x[i]; a[0] = v; y[i++] = a[0]; }"),
            "  thread f32 a[2]\n"
            "  while (i < n)\n"
            "    declare v\n"
            "    declare a\n"
            "    if (i > 3i32)\n"
            "      v = *(x + i)\n"
            "    *(a + 0i32) = v\n"
            "    value = i\n"
            "    i = (value + 1i32)\n"
            "    *(y + value) = *(a + 0i32)\n");
}

TEST(KernelStructure, EffectsInConditions) {
  EXPECT_EQ(bodyOf("while (n-- > 0) y[n] = 0.0f;"), "  while true\n"
                                                    "    value = n\n"
                                                    "    n = (value - 1i32)\n"
                                                    "    if !(value > 0i32)\n"
                                                    "      break\n"
                                                    "    *(y + n) = 0.0{0x00000000}f32\n");
  EXPECT_EQ(bodyOf("if (i < n && (i += 2) < 9) y[i] = 1.0f;"), "  and = (i < n)\n"
                                                               "  if and\n"
                                                               "    i = (i + 2i32)\n"
                                                               "    and = (i < 9i32)\n"
                                                               "  if and\n"
                                                               "    *(y + i) = 1.0{0x3f800000}f32\n");
  EXPECT_EQ(bodyOf("n = i > 0 ? i++ : 7;"), "  if (i > 0i32)\n"
                                            "    value = i\n"
                                            "    i = (value + 1i32)\n"
                                            "    chosen = value\n"
                                            "  else\n"
                                            "    chosen = 7i32\n"
                                            "  n = chosen\n");
}

/// A call in place inside a condition is made whenever the condition is tested, and only then.
TEST(KernelStructure, CallsInConditionsStayThere) {
  const std::string before =
      "struct P { float a, b; };\n"
      "__device__ P pair(const float* p, int j) { P r; r.a = p[j]; r.b = p[j + 1]; return r; }\n";
  EXPECT_EQ(bodyOf("while (pair(x, i).b > 0.0f) ++i;", before), "  while true\n"
                                                                "    p = x\n"
                                                                "    j = i\n"
                                                                "    declare pair().a\n"
                                                                "    declare pair().b\n"
                                                                "    declare r.a\n"
                                                                "    declare r.b\n"
                                                                "    r.a = *(p + j)\n"
                                                                "    r.b = *(p + (j + 1i32))\n"
                                                                "    pair().a = r.a\n"
                                                                "    pair().b = r.b\n"
                                                                "    if !(pair().b > 0.0{0x00000000}f32)\n"
                                                                "      break\n"
                                                                "    i = (i + 1i32)\n");
  const std::string guarded = bodyOf("if (i < n && pair(x, i).a > 0.0f) y[i] = 1.0f;", before);
  EXPECT_LT(guarded.find("  if and\n"), guarded.find("r.a = *(p + j)")) << guarded;
  EXPECT_EQ(bodyOf("do y[i] = 0.0f; while (i++ < n);"), "  do while (value < n)\n"
                                                        "    *(y + i) = 0.0{0x00000000}f32\n"
                                                        "  step\n"
                                                        "    value = i\n"
                                                        "    i = (value + 1i32)\n");
}

TEST(KernelStructure, AnAssignmentsRightSideComesFirst) {
  EXPECT_EQ(bodyOf("y[i++] = x[i];"), "  value = *(x + i)\n"
                                      "  value = i\n"
                                      "  i = (value + 1i32)\n"
                                      "  *(y + value) = value\n");
  EXPECT_EQ(bodyOf("y[0] = y[1] = x[i];"), "  *(y + 1i32) = *(x + i)\n"
                                           "  *(y + 0i32) = *(y + 1i32)\n");
}

TEST(KernelStructure, Switches) {
  EXPECT_EQ(bodyOf("switch (i) { case 0: n = 1; break; case 1: case 2: n = 2; default: n += 3; }"),
            "  value = i\n"
            "  block\n"
            "    case met = false\n"
            "    if (case met || (value == 0i32))\n"
            "      n = 1i32\n"
            "      break\n"
            "    if (case met || ((value == 1i32) || (value == 2i32)))\n"
            "      case met = true\n"
            "      n = 2i32\n"
            "    if (case met || !((value == 0i32) || ((value == 1i32) || (value == 2i32))))\n"
            "      case met = true\n"
            "      n = (n + 3i32)\n");
  const std::string inLoop = bodyOf("while (i < n) { switch (i) { case 3: ++i; continue; } ++i; }");
  EXPECT_NE(inLoop.find("continue 1\n"), std::string::npos) << inLoop;
}

TEST(KernelStructure, ArraysAreFlattenedRowByRow) {
  EXPECT_EQ(bodyOf("__shared__ float t[4][3]; float a[2][2] = {{1.0f}, {2.0f, 3.0f}};\n"
                   "t[i][2] = a[1][0]; __syncthreads(); y[i] = t[i][n];"),
            "  shared f32 t[4][3]\n"
            "  thread f32 a[2][2]\n"
            "  *(a + 0i32) = 1.0{0x3f800000}f32\n"
            "  *(a + 1i32) = 0{0x00000000}f32\n"
            "  *(a + 2i32) = 2.0{0x40000000}f32\n"
            "  *(a + 3i32) = 3.0{0x40400000}f32\n"
            "  *((t + (i64(i) * 3i64)) + 2i32) = *((a + (i64(1i32) * 2i64)) + 0i32)\n"
            "  barrier\n"
            "  *(y + i) = *((t + (i64(i) * 3i64)) + n)\n");
  EXPECT_EQ(bodyOf("y[i] = w[i & 1];", "__device__ const float w[2] = {0.5f, -1.0f};\n"),
            "  constant f32 w[2]\n"
            "  *(y + i) = *(w + (i & 1i32))\n");
}

TEST(KernelStructure, DynamicSharedMemoryIsOneArray) {
  EXPECT_EQ(bodyOf("extern __shared__ float f[]; int* q = (int*)(f + n); f[i] = x[i]; q[i] = i;"),
            "  shared f32 f[]\n"
            "  q = i32*((f + n))\n"
            "  *(f + i) = *(x + i)\n"
            "  *(q + i) = i\n");
  const std::string twice = bodyOf("y[i] = a[i]; float2 v = b[0]; y[0] = v.y;",
                                   "extern __shared__ float a[];\nextern __shared__ float2 b[];\n");
  EXPECT_EQ(twice.find("shared f32 b"), std::string::npos) << twice;
  EXPECT_NE(twice.find("v.y = *(f32x2*(a) + 0i32).y"), std::string::npos) << twice;
}

TEST(KernelStructure, VectorsAreTheirLanes) {
  EXPECT_EQ(bodyOf("float4 v = reinterpret_cast<const float4*>(x)[i]; v.y += v.x;\n"
                   "*reinterpret_cast<float2*>(y + 2 * i) = make_float2(v.y, 1.0f);"),
            "  v.x = *(f32x4*(x) + i).x\n"
            "  v.y = *(f32x4*(x) + i).y\n"
            "  v.z = *(f32x4*(x) + i).z\n"
            "  v.w = *(f32x4*(x) + i).w\n"
            "  v.y = (v.y + v.x)\n"
            "  vector.x = v.y\n"
            "  vector.y = 1.0{0x3f800000}f32\n"
            "  *f32x2*((y + (2i32 * i))).x = vector.x\n"
            "  *f32x2*((y + (2i32 * i))).y = vector.y\n");
}

TEST(KernelStructure, MeetingPoints) {
  EXPECT_EQ(bodyOf("float v = x[i]; v += __shfl_xor_sync(0xffffffffu, v, 4); __syncwarp();\n"
                   "int c = __syncthreads_count(v > 1.0f); unsigned m = __ballot_sync(0xffffu, c);\n"
                   "atomicAdd(y, v); float old = atomicExch(y + 1, v); y[m] = old; __threadfence();"),
            "  v = *(x + i)\n"
            "  shuffle-xor = shuffle-xor(4294967295u32, v, 4i32, 32i32)\n"
            "  v = (v + shuffle-xor)\n"
            "  warp-barrier(4294967295u32)\n"
            "  barrier-count = barrier-count(bool(i32((v > 1.0{0x3f800000}f32))))\n"
            "  c = barrier-count\n"
            "  ballot = ballot(65535u32, bool(c))\n"
            "  m = ballot\n"
            "  atomic-add(y, v)\n"
            "  atomic-exchange = atomic-exchange((y + 1i32), v)\n"
            "  old = atomic-exchange\n"
            "  *(y + m) = old\n"
            "  fence device\n");
}

TEST(KernelStructure, CallsInPlace) {
  EXPECT_EQ(bodyOf("float a = x[0], b = x[1]; swap(a, b); y[0] = a; y[1] = b;",
                   "__device__ void swap(float& p, float& q) { float t = p; p = q; q = t; }\n"),
            "  a = *(x + 0i32)\n"
            "  b = *(x + 1i32)\n"
            "  t = a\n"
            "  a = b\n"
            "  b = t\n"
            "  *(y + 0i32) = a\n"
            "  *(y + 1i32) = b\n");
  // Arguments are evaluated before any parameter has its value, although both calls use the same names.
  const std::string nested =
      bodyOf("y[0] = big(big(x[0], x[1]), big(x[2], x[3]));",
             "struct P { float v; };\n"
             "__device__ P make(float v) { P p; p.v = v; return p; }\n"
             "__device__ float big(float a, float b) { P p = make(a); return p.v > b ? p.v : b; }\n");
  EXPECT_NE(nested.find("big"), std::string::npos) << nested;
  // An early return leaves the block of the call.
  EXPECT_EQ(bodyOf("y[i] = pick(x[0]);",
                   "__device__ float pick(float v) { __syncthreads(); if (v > 1) return v; "
                   "return 2.0f; }\n"),
            "  v = *(x + 0i32)\n"
            "  block\n"
            "    barrier\n"
            "    if (v > f32(1i32))\n"
            "      pick() = v\n"
            "      break\n"
            "    pick() = 2.0{0x40000000}f32\n"
            "    break\n"
            "  *(y + i) = pick()\n");
}

TEST(KernelStructure, ReferencesToVariablesDoNotHideTheOrder) {
  // `v` stands for `s`, which the shuffle does not touch.
  const std::string text = bodyOf("float s = x[i]; largest(s); y[i] = s;",
                                  "__device__ void largest(float& v) {\n"
                                  "  v = fmaxf(v, __shfl_xor_sync(0xffffffffu, v, 1)); }\n");
  EXPECT_NE(text.find("  s = fmaxf(s, shuffle-xor)\n"), std::string::npos) << text;
  // Here the variable itself changes beside its other name.
  const ImportedCuda imported =
      import("__device__ float twice(float& v, float& w) { return v + (w += 1.0f); }\n"
             "__global__ void k(float* y) { float s = y[0]; y[0] = twice(s, s); }\n");
  ASSERT_EQ(imported.module.kernels.size(), 1U);
  EXPECT_NE(find(imported.module.kernels[0].rejections, "nested-side-effect"), nullptr);
}

TEST(KernelStructure, BoundPointersAreNotNull) {
  EXPECT_EQ(bodyOf("if (x != nullptr) y[i] = x ? x[i] : 0.0f; if (y == NULL) return;"),
            "  if true\n"
            "    *(y + i) = (true ? *(x + i) : 0.0{0x00000000}f32)\n"
            "  if false\n"
            "    return\n");
}

TEST(KernelStructure, LambdasSeeWhatTheyCapture) {
  EXPECT_EQ(bodyOf("float s = 1.0f; auto f = [&](float v) { s += v; }; f(x[0]); f(x[1]); y[0] = s;"),
            "  s = 1.0{0x3f800000}f32\n"
            "  v = *(x + 0i32)\n"
            "  s = (s + v)\n"
            "  v = *(x + 1i32)\n"
            "  s = (s + v)\n"
            "  *(y + 0i32) = s\n");
  EXPECT_EQ(bodyOf("float s = 1.0f; auto f = [s](float v) { return s + v; }; s = 2.0f; y[0] = f(x[0]);"),
            "  s = 1.0{0x3f800000}f32\n"
            "  s = s\n"
            "  s = 2.0{0x40000000}f32\n"
            "  v = *(x + 0i32)\n"
            "  operator()() = (s + v)\n"
            "  *(y + 0i32) = operator()()\n");
}

TEST(KernelStructure, MembersAndOperatorsOfStructures) {
  const std::string before =
      "struct Acc { float s; int n; __device__ Acc() : s(0.0f), n(0) {}\n"
      "  __device__ void add(float v) { s += v; ++n; } };\n"
      "__device__ float2 operator+(float2 a, float2 b) { return make_float2(a.x + b.x, a.y + b.y); }\n";
  EXPECT_EQ(bodyOf("Acc a; a.add(x[i]); y[i] = a.s / a.n;", before), "  a.s = 0.0{0x00000000}f32\n"
                                                                     "  a.n = 0i32\n"
                                                                     "  v = *(x + i)\n"
                                                                     "  a.s = (a.s + v)\n"
                                                                     "  a.n = (a.n + 1i32)\n"
                                                                     "  *(y + i) = (a.s / f32(a.n))\n");
  const std::string sum = bodyOf("float2 a = make_float2(x[0], x[1]); float2 b = a + a; y[0] = b.y;", before);
  EXPECT_NE(sum.find("vector.y = (a.y + b.y)"), std::string::npos) << sum;
}

/// A temporary copy is an object of its own.
TEST(KernelStructure, CopiesOfStructuresAreApart) {
  const std::string before = "struct S { float v; __device__ void clip() { if (v < 0) v = 0; } };\n";
  const std::string bound =
      bodyOf("S a{x[i]}; const S& old = S(a); if (a.v < 0) a.v = 0; y[i] = old.v;", before);
  EXPECT_NE(bound.find("copy.v = a.v\n"), std::string::npos) << bound;
  EXPECT_NE(bound.find("*(y + i) = copy.v\n"), std::string::npos) << bound;
  const std::string called = bodyOf("S a{x[i]}; S(a).clip(); y[i] = a.v;", before);
  EXPECT_NE(called.find("if (copy.v < "), std::string::npos) << called;
  EXPECT_EQ(called.find("  a.v = 0"), std::string::npos) << called;
}

} // namespace
} // namespace plumbline::cuda::test
