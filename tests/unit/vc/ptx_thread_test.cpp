// What PTX stores, from text written by hand after the PTX ISA; expected terms are built by hand.
#include "core/vc/ptx_thread.h"

#include "core/vc/int_normal.h"
#include "tests/unit/vc/thread_fixture.h"

namespace plumbline::vc::test {
namespace {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;

/// A kernel over (const float* x, float* y, int n, float c), with its addresses made: %rd1 is x + 4 i, %rd2 y
/// + 4 i.
struct Compiled {
  TermStore store;
  std::vector<ParameterBinding> parameters{4};
  ThreadGeometry geometry{};
  Expected<std::vector<CellValue>> cells = fail(ErrorKind::Internal, "", "");
  TermId index{};

  explicit Compiled(const std::string& body) {
    parameters[0].buffer = "x";
    parameters[1].buffer = "y";
    parameters[2].scalar = store.var(Sort::Int, "n");
    parameters[3].scalar = store.var(Sort::F32, "c");
    for (size_t axis = 0; axis < 3; ++axis)
      geometry.blockDim[axis] = geometry.gridDim[axis] = store.integer(256);
    const std::string text = R"(.version 9.0
.target sm_80
.visible .entry k(.param .u64 p0, .param .u64 p1, .param .u32 p2, .param .f32 p3)
{
	ld.param.u64 %rd8, [p0];
	ld.param.u64 %rd9, [p1];
	ld.param.u32 %r9, [p2];
	ld.param.f32 %f9, [p3];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.s32 %r4, %r1, %r2, %r3;
	cvta.to.global.u64 %rd7, %rd8;
	mul.wide.s32 %rd6, %r4, 4;
	add.s64 %rd1, %rd7, %rd6;
	cvta.to.global.u64 %rd5, %rd9;
	add.s64 %rd2, %rd6, %rd5;
)" + body + "\n}\n";
    index = normaliseIntegers(store,
                              store.iadd(store.imul(store.var(Sort::Int, "blockIdx.x"), store.integer(256)),
                                         store.var(Sort::Int, "threadIdx.x")));
    const Expected<cuda::PtxModule> module = cuda::readPtx(text);
    if (!module) {
      ADD_FAILURE() << toString(module.error());
      return;
    }
    cells = executePtx(store, module->functions.at(0), parameters, geometry);
  }

  TermId x(int64_t offset = 0) {
    return store.load(Sort::F32, "x", normaliseIntegers(store, store.iadd(index, store.integer(offset))));
  }
  TermId y() { return store.load(Sort::F32, "y", index); }
  TermId c() { return store.var(Sort::F32, "c"); }

  /// Checks that exactly y[i] is written, with this value.
  void expect(TermId value, const char* what) {
    ASSERT_TRUE(cells) << what << ": " << toString(cells.error());
    ASSERT_EQ(cells->size(), 1U) << what;
    EXPECT_EQ(cells->at(0).buffer, "y") << what;
    EXPECT_EQ(cells->at(0).index, index) << what;
    EXPECT_EQ(cells->at(0).value, value)
        << what << ": " << store.print(cells->at(0).value) << ", not " << store.print(value);
  }
};

TEST(PtxThread, FloatInstructions) {
  const auto run = [](const std::string& instruction, auto expected) {
    Compiled k("ld.global.nc.f32 %f1, [%rd1];\nld.global.f32 %f2, [%rd1+4];\n" + instruction +
               "\nst.global.f32 [%rd2], %f3;\nret;");
    k.expect(expected(k), instruction.c_str());
  };
  run("add.f32 %f3, %f1, %f2;", [](Compiled& k) { return k.store.binary(Op::FAdd, k.x(), k.x(1)); });
  run("sub.rn.f32 %f3, %f1, %f2;", [](Compiled& k) { return k.store.binary(Op::FSub, k.x(), k.x(1)); });
  run("mul.f32 %f3, %f1, 0f40000000;",
      [](Compiled& k) { return k.store.binary(Op::FMul, k.x(), k.store.f32Bits(0x40000000)); });
  run("div.rn.f32 %f3, %f2, %f1;", [](Compiled& k) { return k.store.binary(Op::FDiv, k.x(1), k.x()); });
  run("fma.rn.f32 %f3, %f1, %f2, %f9;", [](Compiled& k) { return k.store.fma(k.x(), k.x(1), k.c()); });
  run("rcp.rn.f32 %f3, %f1;",
      [](Compiled& k) { return k.store.binary(Op::FDiv, k.store.f32Bits(0x3f800000), k.x()); });
  run("sqrt.rn.f32 %f3, %f1;", [](Compiled& k) { return k.store.unary(Op::FSqrt, k.x()); });
  run("neg.f32 %f3, %f1;", [](Compiled& k) { return k.store.unary(Op::FNeg, k.x()); });
  run("abs.f32 %f3, %f1;", [](Compiled& k) { return k.store.unary(Op::FAbs, k.x()); });
  run("max.f32 %f3, %f1, %f2;", [](Compiled& k) { return k.store.ptxMax(k.x(), k.x(1)); });
  run("min.f32 %f3, %f1, %f2;", [](Compiled& k) { return k.store.ptxMin(k.x(), k.x(1)); });
  run("cvt.f64.f32 %fd1, %f1;\nmul.f64 %fd2, %fd1, 0d3F847AE147AE147B;\ncvt.rn.f32.f64 %f3, %fd2;",
      [](Compiled& k) {
        return k.store.convert(Sort::F32, k.store.binary(Op::FMul, k.store.convert(Sort::F64, k.x()),
                                                         k.store.f64Bits(0x3F847AE147AE147B)));
      });
  run("cvt.rn.f32.s32 %f3, %r9;",
      [](Compiled& k) { return k.store.intToFloat(Sort::F32, k.store.var(Sort::Int, "n")); });
}

TEST(PtxThread, ComparisonsIncludingThoseThatHoldForNan) {
  const auto run = [](const std::string& how, auto condition) {
    Compiled k("ld.global.f32 %f1, [%rd1];\nsetp." + how +
               ".f32 %p1, %f1, %f9;\nselp.f32 %f2, %f1, %f9, %p1;\nst.global.f32 [%rd2], %f2;\nret;");
    k.expect(k.store.ite(condition(k.store, k.x(), k.c()), k.x(), k.c()), how.c_str());
  };
  const auto lt = [](TermStore& s, TermId a, TermId b) { return s.binary(Op::FLt, a, b); };
  const auto le = [](TermStore& s, TermId a, TermId b) { return s.binary(Op::FLe, a, b); };
  const auto eq = [](TermStore& s, TermId a, TermId b) { return s.binary(Op::FEq, a, b); };
  run("lt", lt);
  run("le", le);
  run("eq", eq);
  run("gt", [&](TermStore& s, TermId a, TermId b) { return lt(s, b, a); });
  run("ge", [&](TermStore& s, TermId a, TermId b) { return le(s, b, a); });
  run("neu", [&](TermStore& s, TermId a, TermId b) { return s.lnot(eq(s, a, b)); });
  run("ltu", [&](TermStore& s, TermId a, TermId b) { return s.lnot(le(s, b, a)); });
  run("leu", [&](TermStore& s, TermId a, TermId b) { return s.lnot(lt(s, b, a)); });
  run("gtu", [&](TermStore& s, TermId a, TermId b) { return s.lnot(le(s, a, b)); });
  run("geu", [&](TermStore& s, TermId a, TermId b) { return s.lnot(lt(s, a, b)); });
}

constexpr const char* guarded = "setp.ge.s32 %p1, %r4, %r9;\n@%p1 bra $done;\n";

TEST(PtxThread, AGuardAboutIntegersIsNotPartOfTheValue) {
  Compiled k(std::string(guarded) + "st.global.f32 [%rd2], %f9;\n$done:\nret;");
  k.expect(k.c(), "guard");
}

TEST(PtxThread, AGuardAboutFloatsIs) {
  for (const bool negated : {false, true}) {
    Compiled k(std::string(guarded) + "ld.global.f32 %f1, [%rd1];\nsetp.lt.f32 %p2, %f1, %f9;\n@" +
               (negated ? "!" : "") + "%p2 bra $done;\nst.global.f32 [%rd2], %f9;\n$done:\nret;");
    const TermId condition = k.store.binary(Op::FLt, k.x(), k.c());
    k.expect(k.store.ite(negated ? condition : k.store.lnot(condition), k.c(), k.y()), "float guard");
  }
}

TEST(PtxThread, BranchesThatStoreMeet) {
  Compiled k(
      "ld.global.f32 %f1, [%rd1];\nsetp.gt.f32 %p2, %f1, 0f00000000;\nmov.f32 %f3, %f1;\n@%p2 bra $store;\n"
      "mul.f32 %f3, %f1, %f9;\n$store:\nst.global.f32 [%rd2], %f3;\nret;");
  k.expect(k.store.ite(k.store.binary(Op::FLt, k.store.f32Bits(0), k.x()), k.x(),
                       k.store.binary(Op::FMul, k.x(), k.c())),
           "two paths");
}

TEST(PtxThread, AReadAfterAStoreSeesIt) {
  Compiled k("st.global.f32 [%rd2], %f9;\nld.global.f32 %f1, [%rd2];\nadd.f32 %f2, %f1, %f1;\nst.global.f32 "
             "[%rd2], %f2;");
  k.expect(k.store.binary(Op::FAdd, k.c(), k.c()), "store, load, store");
}

TEST(PtxThread, WhatIsNotUnderstoodIsNamed) {
  for (const auto& [body, part] : std::vector<std::pair<std::string, std::string>>{
           {"add.ftz.f32 %f1, %f9, %f9;\nst.global.f32 [%rd2], %f1;", "add.ftz.f32"},
           {"add.rz.f32 %f1, %f9, %f9;\nst.global.f32 [%rd2], %f1;", "add.rz.f32"},
           {"fma.rm.f32 %f1, %f9, %f9, %f9;\nst.global.f32 [%rd2], %f1;", "fma.rm.f32"},
           {"ex2.approx.f32 %f1, %f9;\nst.global.f32 [%rd2], %f1;", "ex2.approx.f32"},
           {"mov.b32 %r5, %f9;\nmov.b32 %f1, %r5;\nst.global.f32 [%rd2], %f1;", "bits of a float"},
           {"st.global.f32 [%rd2], %f7;", "%f7"},
           {"st.global.v2.f32 [%rd2], {%f9, %f9};", "st.global.v2.f32"},
           {"st.shared.f32 [%rd2], %f9;", "st.shared.f32"},
           {"add.s64 %rd4, %rd2, 2;\nst.global.f32 [%rd4], %f9;", "st.global.f32"},
           {"bar.sync 0;", "bar.sync"},
           {"$top:\nadd.f32 %f9, %f9, %f9;\nbra $top;", "a loop"},
           {"bra $nowhere;", "bra"},
           {"@%p1 mov.f32 %f1, %f9;", "mov.f32"},
           {"call.uni (retval0), f, (param0);", "call.uni"}}) {
    Compiled k(body);
    ASSERT_FALSE(k.cells) << body;
    EXPECT_EQ(k.cells.error().id, "ptx-not-understood");
    EXPECT_NE(k.cells.error().message.find(part), std::string::npos)
        << body << ": " << k.cells.error().message;
  }
}

TEST(PtxThread, OnlyWhatIsStoredMustBeUnderstood) {
  Compiled k("ex2.approx.f32 %f1, %f9;\nst.global.f32 [%rd2], %f9;");
  k.expect(k.c(), "an unused approximation");
}

TEST(PtxThread, TheSourceHasTheSameCells) {
  const ir::Module module = import("__global__ void k(float* y, float a, int n) {\n"
                                   "  if (n > 3 && a > 1.0f) y[n] = a;\n  if (n > 5) y[0] = 2.0f;\n}\n");
  ASSERT_EQ(module.kernels.size(), 1U);
  Execution execution(module, module.kernels[0]);
  const auto thread = execution.run();
  ASSERT_TRUE(thread);
  TermStore& store = execution.store;
  const std::vector<CellValue> cells = cellValues(store, *thread);
  ASSERT_EQ(cells.size(), 2U);
  const TermId a = store.var(Sort::F32, "a");
  const TermId n = store.var(Sort::Int, "n");
  EXPECT_EQ(cells[0].value, store.ite(store.binary(Op::FLt, store.f32Bits(0x3f800000, "1.0"), a), a,
                                      store.load(Sort::F32, "y", n)));
  EXPECT_EQ(cells[1].value, store.f32Bits(0x40000000, "2.0"));
}

} // namespace
} // namespace plumbline::vc::test
