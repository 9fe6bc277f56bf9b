// Every id of REJECTIONS.md for device code is produced, at the marked place.
#include "core/base/json.h"
#include "tests/unit/cuda/import_fixture.h"

#include <regex>
#include <set>

namespace plumbline::cuda::test {
namespace {

struct Row {
  const char* id;
  const char* source; ///< `/*^*/` before the construct
};

/// BODY stands for the body of a kernel that has float* x, float* y, int n, and int i.
std::string inKernel(const std::string& body) {
  return "__global__ void k(const float* x, float* y, int n) {\n  int i = threadIdx.x;\n  " + body + "\n}\n";
}

const Row inBody[] = {
    {"address-of", "const int* p = /*^*/&i; if (i < n) y[i] = 0;"},
    {"assert", "/*^*/assert(i < n);"},
    {"condition-variable", "/*^*/if (int j = n - i) y[i] = j;"},
    {"dynamic-memory", "float* p = /*^*/new float(1);"},
    {"exceptions", "if (i > n) /*^*/throw 1;"},
    {"goto", "if (i > n) /*^*/goto end; y[i] = 0; end: return;"},
    {"inline-asm", "/*^*/asm volatile(\"\");"},
    {"lambda", "float a[2]; a[0] = x[i]; auto f = /*^*/[=] { return a[0]; }; y[i] = f();"},
    {"local-array", "/*^*/float a[5000] = {1}; y[i] = a[0];"},
    {"local-declaration", "/*^*/struct S { int a; };"},
    {"loop", "float a[2] = {1, 2}; /*^*/for (float v : a) y[i] = v;"},
    {"half-arithmetic", "half h = x[i]; y[i] = /*^*/h + h;"},
    {"half-arithmetic", "half h = x[i]; y[i] = /*^*/__hadd(h, h);"},
    {"half-arithmetic", "half h = x[i]; /*^*/h += 1.0f; y[i] = h;"},
    {"half-arithmetic", "half h = x[i]; /*^*/h++; y[i] = h;"},
    {"half-arithmetic", "half h = x[i]; y[i] = /*^*/-h;"},
    {"half-arithmetic", "half h = x[i], g = x[0]; if (/*^*/h < g) y[i] = h;"},
    {"half-arithmetic", "half h = x[i]; if (/*^*/h) y[i] = 1;"},
    {"half-arithmetic", "half h = x[i]; y[i] = (int)/*^*/h;"},
    {"half-arithmetic", "double d = x[i]; half h = /*^*/d; y[i] = h;"},
    {"half-arithmetic", "half h = /*^*/1.0004882812500002; y[i] = h;"},
    {"half-arithmetic", "nv_bfloat16 h = /*^*/n; y[i] = h;"},
    {"half-arithmetic", "half h = x[i]; y[i] = /*^*/__shfl_down_sync(~0u, h, 1);"},
    {"nan-payload", "/*^*/memcpy(y, x, 4);"},
    {"nested-side-effect", "y[i] = /*^*/i++ + i;"},
    {"nested-side-effect", "y[0] = fmaxf(y[1], /*^*/y[1] = x[0]);"},
    {"nested-side-effect", "y[0] = y[1] + /*^*/(__syncthreads(), x[i]);"},
    {"nested-side-effect", "__shared__ float s; y[i] = s + /*^*/(__syncthreads(), 1.0f);"},
    {"nested-side-effect", "float a = x[0]; float& r = a; y[i] = a + /*^*/(r = 2.0f);"},
    {"nested-side-effect", "float& r = y[1]; y[0] = y[1] + /*^*/(r = 2.0f);"},
    {"nested-side-effect", "float a[2] = {1, 2}; float& r = a[1]; y[0] = a[n] + /*^*/(r = 2.0f);"},
    {"local-array", "/*^*/float a[0]; y[i] = sizeof(a);"},
    {"local-array", "/*^*/__shared__ float a[4][1 << 27]; y[i] = a[0][i];"},
    {"local-array", "float a[2][3] = {{1}}; y[i] = (*(/*^*/a + 1))[0];"},
    {"reference", "float a = x[0], b = x[1]; /*^*/float& r = i > n ? a : b; r = 2; y[i] = a;"},
    {"reference", "float a = x[0]; /*^*/const float& r = i > n ? a : y[0]; a = 2; y[i] = r;"},
    {"null-pointer", "const float* p = /*^*/nullptr;"},
    {"pointer-comparison", "if (/*^*/x == y) y[i] = 0;"},
    {"printf", "/*^*/printf(\"%d\", i);"},
    {"reinterpret-cast", "long long p = /*^*/(long long)x; y[i] = p;"},
    {"reinterpret-cast", "y[i] = /*^*/reinterpret_cast<float&>(i);"},
    {"static-variable", "/*^*/static int calls = 0; y[i] = calls;"},
    {"string", "const char* s = /*^*/\"abc\";"},
    {"switch", "/*^*/switch (i) { case 0: if (n) { case 1: y[i] = 0; } }"},
    {"unsupported-cast", "if ((bool)/*^*/((_Complex float)x[i])) y[i] = 0;"},
    {"unsupported-construct", "y[i] = /*^*/x[i] ?: 1.0f;"},
    {"unsupported-function", "y[i] = /*^*/ldexpf(x[i], 2);"},
    {"unsupported-type", "/*^*/__int128 wide = i; y[i] = wide;"},
    {"volatile", "/*^*/volatile float v = x[i]; y[i] = v;"},
    {"warp-shuffle", "y[i] = /*^*/__shfl_down(x[i], 1);"},
    {"pragma", "\n/*^*/#pragma clang fp reassociate(on)\n"},
};

const Row wholeFiles[] = {
    {"architecture-dependent",
     "__global__ void k(float* y) {\n#ifdef /*^*/__CUDA_ARCH__\n y[0] = 1;\n#endif\n}"},
    {"architecture-dependent",
     "__global__ void k(float* y) {\n#if /*^*/__CUDA_ARCH__ >= 800\n y[0] = 1;\n#endif\n}"},
    {"compiler-dependent", "__global__ void k(float* y) {\n#ifdef /*^*/__CUDA__\n y[0] = 1;\n#endif\n}"},
    {"compiler-dependent", "__global__ void k(float* y) {\n#if defined(CUDA_VERSION) || "
                           "defined(/*^*/__CUDACC_VER_MAJOR__)\n y[0] = 1;\n#endif\n}"},
    {"compiler-dependent",
     "__global__ void k(float* y) {\n#if /*^*/CUDART_VERSION >= 11000\n y[0] = 1;\n#endif\n}"},
    {"compiler-dependent", "__global__ void k(float* y) {\n#ifndef /*^*/__OPTIMIZE__\n y[0] = 1;\n#endif\n}"},
    {"compiler-dependent", "__global__ void k(float* y) {\n#ifdef /*^*/NDEBUG\n y[0] = 1;\n#endif\n}"},
    {"compiler-dependent",
     "__global__ void k(float* y) {\n#if 0\n#elif /*^*/__GNUC__ > 5\n y[0] = 1;\n#endif\n}"},
    {"compiler-dependent", "__global__ void k(float* y) {\n#ifdef /*^*/FLT_MAX\n y[0] = 1;\n#endif\n}"},
    {"compiler-dependent", "__global__ void k(float* y) { y[0] = /*^*/__COUNTER__; }"},
    {"constant-memory", "__constant__ float c;\n__global__ void k(float* y) { y[0] = /*^*/c; }"},
    {"cooperative-groups", "namespace cg = cooperative_groups;\n__global__ void k(float* y) { /*^*/auto b = "
                           "cg::this_thread_block(); }"},
    {"cuda-syntax", "__global__ void k(float* y) { y[0] = /*^*/unknown_name; }"},
    {"cuda-syntax",
     "__device__ float f() { return /*^*/missing; }\n__global__ void k(float* y) { y[0] = f(); }"},
    {"dynamic-parallelism", "__global__ void g(float* y) { y[0] = 1; }\n"
                            "__global__ void k(float* y) { /*^*/g<<<1, 1>>>(y); }"},
    {"function-pointer", "__device__ float f(float v) { return v; }\n"
                         "__global__ void k(float* y) { float (*p)(float) = f; y[0] = /*^*/p(y[0]); }"},
    {"global-variable", "__device__ float g;\n__global__ void k(float* y) { y[0] = /*^*/g; }"},
    {"cuda-syntax", "float f(float v) { return v; }\n__global__ void k(float* y) { y[0] = /*^*/f(y[0]); }"},
    {"method", "struct S { __device__ S(); float a; };\n"
               "__global__ void k(float* y) { S /*^*/s; y[0] = s.a; }"},
    {"missing-return", "/*^*/__device__ float f(int i) { if (i > 0) return 1.0f; }\n"
                       "__global__ void k(float* y) { y[0] = f(1); }"},
    {"missing-return", "/*^*/__device__ float f(int i) { for (;;) { if (i > 0) break; return 1.0f; } }\n"
                       "__global__ void k(float* y) { y[0] = f(1); }"},
    {"missing-return", "/*^*/__device__ float f(int i) { while (i > 0) return 1.0f; }\n"
                       "__global__ void k(float* y) { y[0] = f(1); }"},
    {"pointer-to-pointer", "__global__ void k(/*^*/float** y) { }"},
    {"recursion", "__device__ int f(int n) { return n < 1 ? 0 : /*^*/f(n - 1); }\n"
                  "__global__ void k(float* y) { y[0] = f(3); }"},
    {"recursion",
     "__device__ int g(int n);\n__device__ int f(int n) { return n < 1 ? 0 : g(n - 1); }\n"
     "__device__ int g(int n) { return /*^*/f(n); }\n__global__ void k(float* y) { y[0] = f(3); }"},
    {"reference", "__device__ float& f(float* p) { return p[1]; }\n"
                  "__global__ void k(float* y) { /*^*/f(y) = 1; }"},
    {"recursion", "__device__ void f(float& v) { if (v > 0) { v -= 1; /*^*/f(v); } }\n"
                  "__global__ void k(float* y) { f(y[0]); }"},
    {"struct-type", "struct S { int a; };\n__global__ void k(/*^*/S s, float* y) { y[0] = s.a; }"},
    {"struct-type", "struct G { float* p; __device__ ~G() { *p = 0; } };\n"
                    "__global__ void k(float* y) { /*^*/G g{y}; y[0] = 1; }"},
    {"method",
     "struct S { float v; __device__ S(float& r, int) { r = 7; } __device__ S(float& r) : S(r, 1) {} };\n"
     "__global__ void k(float* y) { S /*^*/s(y[0]); }"},
    {"lambda", "__global__ void k(float* y) { float c = 0; auto f = [c]() mutable { c += 1; return c; };\n"
               "  y[0] = /*^*/f(); }"},
    {"lambda",
     "struct S { float v; __device__ S(float a) : v(a) {} __device__ S(const S& o) : v(o.v + 1) {} };\n"
     "__global__ void k(float* y) { S s(1); auto f = /*^*/[s] { return s.v; }; y[0] = f(); }"},
    {"nested-side-effect", "struct S { float a; __device__ S(float* p) : a(p[0] = 7) {} };\n"
                           "__global__ void k(float* y) { y[1] = y[0] + /*^*/S(y).a; }"},
    {"nested-side-effect",
     "struct S { mutable float c; __device__ float next() const { c += 1; return 0; } };\n"
     "__global__ void k(float* y) { S s{1}; y[0] = s.c + /*^*/s.next(); }"},
    {"nested-side-effect",
     "template <class F> __device__ float ap(F f, float) { return f(); }\n"
     "__global__ void k(float* y) { float v = 1; y[0] = ap([v] { return v; }, /*^*/v = 3.0f); }"},
    {"texture",
     "__global__ void k(cudaTextureObject_t t, float* y) { y[0] = /*^*/tex1Dfetch<float>(t, 0); }"},
    {"unknown-attribute", "__global__ void k(float* y) { int v [[/*^*/frobnicate]] = 1; y[0] = v; }"},
    {"unknown-attribute", "__device__ [[/*^*/clang::optnone]] float f() { return 1; }\n__global__ void "
                          "k(float* y) { y[0] = f(); }"},
    {"unknown-function", "__device__ float f(float);\n__global__ void k(float* y) { y[0] = /*^*/f(1); }"},
    {"unknown-include", "#include /*^*/\"mine.cuh\"\n__global__ void k(float* y) { y[0] = 1; }"},
    {"unsupported-type", "enum E { a };\n__global__ void k(/*^*/E e, float* y) { y[0] = 1; }"},
    {"virtual-call", "struct S { virtual __device__ float get() const; };\n"
                     "__global__ void k(const S& s, float* y) { y[0] = /*^*/s.get(); }"},
    {"void-pointer", "__global__ void k(/*^*/void* p, float* y) { y[0] = 1; }"},
};

std::string deepSource() {
  std::string sum = "x[0]";
  for (int i = 0; i < 1500; ++i)
    sum += "+x[0]";
  return inKernel("y[i] = " + sum + ";");
}

void expectRejected(const std::string& id, const Marked& source) {
  SCOPED_TRACE(source.text);
  const ImportedCuda imported = import(source.text);
  ASSERT_FALSE(imported.module.kernels.empty());
  const ir::Kernel& kernel = imported.module.kernels.back();
  EXPECT_EQ(kernel.name, "k");
  EXPECT_EQ(kernel.function, -1);
  bool placed = false;
  for (const Rejection& rejection : kernel.rejections)
    placed = placed || (rejection.id == id && rejection.where.file == "test.cu" &&
                        rejection.where.line == source.line && rejection.where.column == source.column &&
                        (rejection.where.endLine > source.line || rejection.where.endColumn > source.column));
  EXPECT_TRUE(placed) << "no " << id << " at " << source.line << ":" << source.column << " among\n"
                      << describe(kernel.rejections);
}

TEST(Rejections, TestsOfTheCompilerAreSeenThroughMacros) {
  const std::string kernel = "__global__ void k(float* y) { y[0] = 1; }\n";
  for (const char* test : {"#define NEW (CUDA_VERSION > 11000)\n#if NEW\n#endif\n",
                           "#if __has_include(<torch/extension.h>)\n#endif\n",
                           "#define V __clang_major__\n#define W V\n#if 1 + \\\n W\n#endif\n"}) {
    const ImportedCuda imported = import(test + kernel);
    ASSERT_EQ(imported.module.kernels.size(), 1U);
    EXPECT_NE(find(imported.module.kernels[0].rejections, "compiler-dependent"), nullptr) << test;
  }
  for (const char* test : {"#ifndef _KERNEL_H_\n#define _KERNEL_H_\n#endif\n",
                           "#if defined(__CUDACC__) && __cplusplus >= 201103L\n#endif\n",
                           "#define FAST 1\n#if FAST && !defined(SLOW)\n#endif\n",
                           "#ifndef M_PI\n#define M_PI 3.14\n#endif\n"}) {
    const ImportedCuda imported = import(test + kernel);
    ASSERT_EQ(imported.module.kernels.size(), 1U);
    EXPECT_TRUE(imported.module.kernels[0].rejections.empty())
        << describe(imported.module.kernels[0].rejections);
  }
}

TEST(Rejections, InAKernelsBody) {
  for (const Row& row : inBody)
    expectRejected(row.id, Marked(inKernel(row.source)));
}

TEST(Rejections, InAWholeFile) {
  for (const Row& row : wholeFiles)
    expectRejected(row.id, Marked(row.source));
}

TEST(Rejections, TooDeep) {
  const ImportedCuda imported = import(deepSource());
  ASSERT_EQ(imported.module.kernels.size(), 1U);
  EXPECT_TRUE(find(imported.module.kernels[0].rejections, "too-deep"));
}

/// Each function calls the one before it twice, in place.
TEST(Rejections, TooLarge) {
  std::string source = "__device__ void f0(float& v) { v += 1; }\n";
  for (int i = 1; i < 25; ++i)
    source += "__device__ void f" + std::to_string(i) + "(float& v) { f" + std::to_string(i - 1) + "(v); f" +
              std::to_string(i - 1) + "(v); }\n";
  const ImportedCuda imported = import(source + "__global__ void k(float* y) { f24(y[0]); }\n");
  ASSERT_EQ(imported.module.kernels.size(), 1U);
  EXPECT_TRUE(find(imported.module.kernels[0].rejections, "too-large"));
}

/// The ids of a section of the list, in the order of the text.
std::set<std::string> listedIds(const std::string& heading) {
  const Expected<std::string> text = readFile(std::string(PLUMBLINE_SOURCE_DIR) + "/core/cuda/REJECTIONS.md");
  EXPECT_TRUE(text);
  const size_t begin = text->find("## " + heading);
  const std::string section = text->substr(begin, text->find("\n## ", begin + 1) - begin);
  std::set<std::string> ids;
  const std::regex line("- `([a-z-]+)`: [A-Z`][^\n]*\\.");
  for (std::sregex_iterator it(section.begin(), section.end(), line), end; it != end; ++it)
    ids.insert((*it)[1]);
  return ids;
}

TEST(Rejections, TheListIsComplete) {
  std::set<std::string> produced = {"too-deep", "too-large"};
  for (const Row& row : inBody)
    produced.insert(row.id);
  for (const Row& row : wholeFiles)
    produced.insert(row.id);
  EXPECT_EQ(listedIds("Device code"), produced);
}

/// What is translated and has no symbolic meaning is refused by name behind the importer.
TEST(Rejections, BeyondComparison) {
  const Row rows[] = {
      {"half-type", "__global__ void k(/*^*/const half* x, float* y) { y[0] = 1; }"},
      {"half-type", "__global__ void k(const float* x, float* y) { y[0] = (float)(/*^*/half)x[0]; }"},
      {"exact-function", "__global__ void k(float* y) { y[0] = /*^*/floorf(y[1]); }"},
      {"exact-function", "__global__ void k(float* y) { y[0] = /*^*/__float_as_int(y[1]); }"},
      {"exact-function", "__device__ float f(float v) { return /*^*/fmodf(v, 2.0f); }\n"
                         "__global__ void k(float* y) { y[0] = f(y[1]); }"}};
  for (const Row& row : rows) {
    SCOPED_TRACE(row.source);
    const Marked source(row.source);
    const ImportedCuda imported = import(source.text);
    ASSERT_EQ(imported.module.kernels.size(), 1U);
    ASSERT_GE(imported.module.kernels[0].function, 0) << describe(imported.module.kernels[0].rejections);
    const std::optional<Rejection> first =
        ir::beyondScalarCode(imported.module, imported.module.kernels[0].function);
    ASSERT_TRUE(first);
    EXPECT_EQ(first->id, row.id);
    EXPECT_EQ(first->where.line, source.line);
    EXPECT_TRUE(listedIds("Beyond comparison").contains(row.id));
  }
}

TEST(Rejections, SeveralAreAllNamed) {
  const ImportedCuda imported = import(inKernel("asm(\"\"); y[i] = ldexpf(x[i], 1);"));
  ASSERT_EQ(imported.module.kernels.size(), 1U);
  const std::vector<Rejection>& list = imported.module.kernels[0].rejections;
  EXPECT_TRUE(find(list, "inline-asm"));
  EXPECT_TRUE(find(list, "unsupported-function"));
  EXPECT_EQ(list.size(), 2U) << describe(list);
}

TEST(Rejections, AnotherKernelIsNotTouched) {
  const ImportedCuda imported = import("__global__ void bad(float* y) { asm(\"\"); }\n"
                                       "__global__ void good(float* y) { y[0] = 1; }\n");
  ASSERT_EQ(imported.module.kernels.size(), 2U);
  EXPECT_EQ(imported.module.kernels[0].function, -1);
  EXPECT_GE(imported.module.kernels[1].function, 0);
}

TEST(Rejections, ThroughAMacroStandAtItsUse) {
  const Marked source("#define STOP __trap()\n__global__ void k(float* y) {\n  /*^*/STOP;\n}\n");
  expectRejected("assert", source);
}

TEST(Rejections, InATemplateStandInItsText) {
  const Marked source("template <class T> __device__ T f(T v) {\n  /*^*/asm(\"\");\n  return v;\n}\n"
                      "__global__ void k(float* y) { y[0] = f(y[0]); }\n");
  expectRejected("inline-asm", source);
}

} // namespace
} // namespace plumbline::cuda::test
