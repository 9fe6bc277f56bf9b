// Pairs made for one property each: what a document refuses, names, quantifies or leaves out.
#include "core/velvet/names.h"
#include "tests/method/pairs.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace plumbline::method {
namespace {

using method_test::Bound;

constexpr const char* wrapper = R"(
torch::Tensor forward(torch::Tensor x) {
  auto out = torch::empty_like(x);
  int n = x.numel();
  k<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), out.data_ptr<float>(), n);
  return out;
}
)";

/// A kernel `k(const float* x, float* out, int n)` against the model x -> relu(x) of two dimensions.
Expected<MethodDocument> documentOf(const std::string& cuda) {
  const method_test::Pair pair{
      "text", PLUMBLINE_SOURCE_DIR "/tests/check/models/relu2d.json", "k.cu", false, {}};
  session::CheckOptions options = method_test::optionsFor(pair);
  options.kernelText = "#include <torch/extension.h>\n" + cuda + wrapper;
  Bound bound;
  session::ImportChildren& children = method_test::sharedPool().children;
  Expected<void> done = session::readModel(bound.comparison, options, children, {}, {});
  if (done)
    done = session::readKernel(bound.comparison, options, children, {}, {});
  if (!done)
    return fail(done.error());
  return generateMethod(bound.comparison.store, *bound.comparison.graph, *bound.comparison.problem);
}

std::string refusalOf(const std::string& cuda) {
  const auto document = documentOf(cuda);
  if (document)
    return "a document";
  EXPECT_EQ(document.error().kind, ErrorKind::Rejected);
  EXPECT_FALSE(document.error().rejections.empty());
  const SourceRange& where = document.error().rejections.at(0).where;
  return document.error().id + " at line " + std::to_string(where.line);
}

bool has(const MethodDocument& document, const std::string& text) {
  return document.text.find(text) != std::string::npos;
}

TEST(Refusals, AreNamedWithTheirPosition) {
  EXPECT_EQ(refusalOf("__device__ const float& cell(const float* p, int i) { return p[i]; }\n"
                      "__global__ void k(const float* x, float* out, int n) {\n"
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "  if (i < n) out[i] = cell(x, i);\n"
                      "}\n"),
            "reference at line 5");
  EXPECT_EQ(refusalOf("__device__ float put(float* p, int i, float v) { p[i] = v; return v; }\n"
                      "__global__ void k(const float* x, float* out, int n) {\n"
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "  if (i < n) out[i] = put(out, i, x[i]) + out[i];\n"
                      "}\n"),
            "nested-side-effect at line 5");
  EXPECT_EQ(refusalOf("__device__ float keep(int i, float v) { if (i >= 0) return v; }\n"
                      "__global__ void k(const float* x, float* out, int n) {\n"
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "  if (i < n) out[i] = keep(i - 1 + 1, x[i]);\n"
                      "}\n"),
            "missing-return at line 2");
  EXPECT_EQ(refusalOf("__global__ void k(const float* x, float* out, int n) {\n"
                      "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                      "  const float* p = i < 3 ? x : out;\n"
                      "  if (i < n) out[i] = p[i];\n"
                      "}\n"),
            "pointer-merge at line 4");
}

/// A kernel with a body that begins on line 3, after one line with what it needs.
std::string kernelWith(const std::string& body) {
  return "__global__ void k(const float* x, float* out, int n) { __shared__ float s[256]; __shared__ int "
         "c[4];\n" +
         body + "\n}\n";
}

TEST(Refusals, OfWhatNoSequentialMethodSays) {
  EXPECT_EQ(refusalOf(kernelWith("atomicAdd(&c[0], 1); out[0] = c[0];")), "atomics at line 3");
  EXPECT_EQ(refusalOf(kernelWith("int v = __shfl_sync(0xffffffffu, n, 0); out[0] = v;")),
            "warp-shuffle at line 3");
  EXPECT_EQ(refusalOf(kernelWith("__syncwarp(); out[0] = 1.0f;")), "warp-barrier at line 3");
  EXPECT_EQ(refusalOf(kernelWith("__threadfence(); out[0] = 1.0f;")), "memory-fence at line 3");
  EXPECT_EQ(refusalOf(kernelWith("out[0] = __syncthreads_count(n > 3);")), "barrier at line 3");
  EXPECT_EQ(refusalOf(kernelWith("for (int i = 0; i < n; ++i) out[i] = floorf(x[i]);")),
            "exact-function at line 3");
  EXPECT_EQ(refusalOf("#include <cuda_fp16.h>\n" +
                      kernelWith("for (int i = 0; i < n; ++i) out[i] = __half2float(__float2half(x[i]));")),
            "half-type at line 4");
  EXPECT_EQ(refusalOf(kernelWith("float4 v = *(const float4*)x; out[0] = v.x;")),
            "reinterpret-cast at line 3");
  EXPECT_EQ(refusalOf(kernelWith("((int*)s)[0] = 3; out[0] = s[0];")), "reinterpret-cast at line 3");
}

TEST(Refusals, OfLoopsThatNoCounterBounds) {
  const auto loop = [](const std::string& text) {
    return refusalOf(kernelWith("int k = 0, m = n;\n" + text + "\nout[0] = k;"));
  };
  const std::string unbounded = "unbounded-loop at line 4";
  EXPECT_EQ(loop("while (true) { if (x[0] > k) break; ++k; }"), unbounded);
  EXPECT_EQ(loop("while (k < n) { if (x[k] > 0.0f) ++k; }"), unbounded) << "not in every turn";
  EXPECT_EQ(loop("while (k < n) { if (x[k] > 0.0f) continue; ++k; }"), unbounded) << "goes round without";
  EXPECT_EQ(loop("while (k < n) { ++k; ++k; }"), unbounded) << "two assignments";
  EXPECT_EQ(loop("while (k < m) { ++k; m = n - k; }"), unbounded) << "the bound moves";
  EXPECT_EQ(loop("while (k < n) { --k; }"), unbounded) << "away from the bound";
  EXPECT_EQ(loop("for (; k != n; ++k) {}"), unbounded) << "may begin beyond";
  EXPECT_EQ(loop("for (; k > -1; k /= 2) {}"), unbounded) << "stays at 0";
  EXPECT_EQ(loop("for (; k < n; k *= 1) {}"), unbounded) << "stays where it is";
  EXPECT_EQ(
      loop("for (int lo = 0, hi = n; lo < hi;) { int mid = (lo + hi) / 2; if (x[mid] < 0.0f) lo = mid + 1; "
           "else hi = mid; }"),
      unbounded);
}

TEST(Refusals, OfBarriersThatThreadsMayReachAlone) {
  const std::string divergent = "divergent-barrier at line 4";
  const auto body = [](const std::string& text) {
    return refusalOf(kernelWith("int t = threadIdx.x; s[t] = x[t];\n" + text + " out[t] = s[255 - t];"));
  };
  EXPECT_EQ(body("if (t < n) __syncthreads();"), divergent);
  EXPECT_EQ(body("if (t >= n) return; __syncthreads();"), divergent);
  EXPECT_EQ(body("for (int k = 0; k < t; ++k) __syncthreads();"), divergent);
  EXPECT_EQ(body("for (int k = 0; k < 9; ++k) { if (k == t) break; __syncthreads(); }"), divergent);
  EXPECT_EQ(body("for (int k = 0; k < 9; ++k) { if (x[k] > s[t]) continue; __syncthreads(); }"), divergent);
  EXPECT_EQ(body("if (s[0] > 1.0f) __syncthreads();"), divergent) << "the threads read shared memory";
  EXPECT_EQ(body("if (n > 7) __syncthreads();"), "a document");
  EXPECT_EQ(body("if (x[3] > 1.0f) __syncthreads();"), "a document") << "nobody writes x";
}

TEST(Document, OfPhasesSaysUnderWhichConditionItStands) {
  const auto document = documentOf(kernelWith("int t = threadIdx.x;\ns[t] = x[t];\n__syncthreads();\n"
                                              "out[t] = s[255 - t];"));
  ASSERT_TRUE(document) << toString(document.error());
  EXPECT_TRUE(
      has(*document, "-- race condition 1: no thread writes a cell of s that another one reads or writes"));
  EXPECT_TRUE(has(*document, "-- race condition 2: no thread writes a cell of out that another one"));
  EXPECT_TRUE(has(*document, "None of this is shown here"));
  EXPECT_FALSE(has(*document, "is shown by Plumbline's safety gate"));
  EXPECT_LT(document->text.find("let mut s : Array Float32 := sIn"), document->text.find("let mut blk_x"))
      << "what the block before left there is still in it";
}

TEST(Document, AWriteMayStandAloneInACall) {
  const auto document = documentOf("__device__ float put(float* p, int i, float v) { p[i] = v; return v; }\n"
                                   "__global__ void k(const float* x, float* out, int n) {\n"
                                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                   "  if (i < n) { float w = put(out, i, x[i]); }\n"
                                   "}\n");
  ASSERT_TRUE(document) << toString(document.error());
  EXPECT_TRUE(has(*document, "out := out.set! i.toNat "));
}

TEST(Document, ConstantsHaveOneSpelling) {
  const auto document =
      documentOf("__global__ void k(const float* x, float* out, int n) {\n"
                 "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                 "  if (i < n) out[i] = x[i] < 0 ? (float)0.0 : x[i] * -1.5f + (float)16777217;\n"
                 "}\n");
  ASSERT_TRUE(document) << toString(document.error());
  EXPECT_TRUE(document->inexpressible.empty()); // a rounded literal needs no binary64
  EXPECT_TRUE(has(*document, "if x[i.toNat]! < Float32.ofBits 0x00000000 then Float32.ofBits 0x00000000 else "
                             "x[i.toNat]! * Float32.ofBits 0xBFC00000 + Float32.ofBits 0x4B800000"));
}

TEST(Document, Binary64IsNamedWhereItStands) {
  const auto document = documentOf("__global__ void k(const float* x, float* out, int n) {\n"
                                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  out[i] = x[i] * 0.1;\n"
                                   "}\n");
  ASSERT_TRUE(document) << toString(document.error());
  ASSERT_EQ(document->inexpressible.size(), 1U);
  EXPECT_EQ(document->inexpressible[0].what, "binary64 arithmetic");
  EXPECT_EQ(document->inexpressible[0].where.line, 5);
  EXPECT_TRUE(has(*document, "not expressible: binary64 arithmetic, k.cu:5"));
  EXPECT_FALSE(has(*document, "prove_correct"));
}

TEST(Document, SaysWhenItProposesNoInvariant) {
  const auto document = documentOf("__global__ void k(const float* x, float* out, int n) {\n"
                                   "  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);\n"
                                   "  if (i < n) out[i] = x[i];\n"
                                   "  if (i + 1 < n) out[i + 1] = x[i + 1];\n"
                                   "}\n");
  ASSERT_TRUE(document) << toString(document.error());
  EXPECT_FALSE(document->invariants.empty());
  EXPECT_TRUE(has(*document, "-- Invariants: " + document->invariants));
  EXPECT_FALSE(has(*document, "_done:"));
  EXPECT_TRUE(has(*document, "invariant k_blk_x_le:"));
}

TEST(Document, AnOutputThatIsNeverWrittenIsReturnedAsItCame) {
  const auto document =
      documentOf("__global__ void k(const float* x, float* out, int n) { if (false) out[0] = 1.0f; }\n");
  ASSERT_TRUE(document) << toString(document.error());
  EXPECT_TRUE(has(*document, "(outIn : Array Float32)"));
  EXPECT_TRUE(has(*document, "let mut out : Array Float32 := outIn"));
  EXPECT_FALSE(document->invariants.empty());
}

TEST(Document, FactsAreAssertedOnceUntilTheirVariableChanges) {
  const auto document = documentOf("__global__ void k(const float* x, float* out, int n) {\n"
                                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                   "  if (i >= n) return;\n"
                                   "  float a = x[i] + x[i];\n"
                                   "  i = n - 1 - i;\n"
                                   "  out[i] = a + x[i];\n"
                                   "}\n");
  ASSERT_TRUE(document) << toString(document.error());
  auto count = [&](const std::string& text) {
    size_t found = 0;
    for (size_t at = document->text.find(text); at != std::string::npos;
         at = document->text.find(text, at + 1))
      ++found;
    return found;
  };
  EXPECT_EQ(count(": (i < (x.size : Int))"), 2U);
  EXPECT_EQ(count(": (0 ≤ i)"), 2U);
}

TEST(Document, AGuardStandsBeforeWhatIsAssertedUnderIt) {
  const auto document = documentOf("__global__ void k(const float* x, float* out, int n) {\n"
                                   "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                   "  if (i < n && x[i] > 0.0f) out[i] = x[i];\n"
                                   "}\n");
  ASSERT_TRUE(document) << toString(document.error());
  EXPECT_TRUE(has(*document, "(i < n → 0 ≤ i)"));
  EXPECT_TRUE(has(*document, "(i < n → i < (x.size : Int))"));
}

TEST(Document, NodesOfTheGraphAreLinesOfTheSpec) {
  const auto relusub = std::ranges::find(method_test::allPairs(), "relusub_a", &method_test::Pair::name);
  const std::unique_ptr<Bound> bound = method_test::bind(*relusub);
  ASSERT_FALSE(bound->error);
  const session::Comparison& comparison = bound->comparison;
  const auto document = generateMethod(comparison.store, *comparison.graph, *comparison.problem);
  ASSERT_TRUE(document) << toString(document.error());
  EXPECT_TRUE(has(*document, "  let relu : S := "));
  EXPECT_TRUE(has(*document, "  let relu_1 : S := "));
  EXPECT_TRUE(has(*document, "  Plumbline.Scalar.sub relu relu_1\n"));
  EXPECT_TRUE(has(*document, "Assumption zero-sign:relu"));
  // Two signs are open: four values are allowed.
  EXPECT_TRUE(has(*document,
                  "v = k_spec true true x y i ∨ v = k_spec true false x y i ∨ v = k_spec false true x y i ∨ "
                  "v = k_spec false false x y i"));
}

} // namespace
} // namespace plumbline::method
