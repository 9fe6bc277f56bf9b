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
  EXPECT_EQ(refusalOf("__global__ void k(const float* x, float* out, int n) {\n"
                      "  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 32) out[i] = x[i];\n"
                      "}\n"),
            "loop at line 3");
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
