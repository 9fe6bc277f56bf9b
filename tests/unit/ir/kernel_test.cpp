#include "core/ir/intrinsics.h"
#include "tests/unit/ir/ir_builder.h"

#include <gtest/gtest.h>

namespace plumbline::ir {
namespace {

using namespace test;

/// One function that uses every kind of expression and statement.
Module everything() {
  Builder helper("helper", kF32);
  const int v = helper.parameter("v", kF32);
  helper.body({helper.ret(helper.get(v))});
  Builder b("every<float>");
  const int x = b.parameter("x", kF32Pointer);
  const int flag = b.parameter("flag", kBool);
  const int i = b.local("i", kI32);
  StmtId index = b.assign(i, b.globalIndex());
  ExprId loaded = b.load(b.at(b.get(x), b.get(i)));
  ExprId value =
      b.select(b.logical(ExprKind::LogicalAnd, b.get(flag),
                         b.expr({.kind = ExprKind::BoolLiteral, .type = kBool, .intValue = 1})),
               b.call(0, kF32, {loaded}), b.intrinsic("fmaxf", kF32, {b.f32(0x3c23d70a, "0.01"), loaded}));
  StmtId store = b.store(b.at(b.get(x), b.integer(-3, kI64)), b.unary(UnaryOp::Neg, value));
  ExprId wide = b.binary(BinaryOp::Shl, b.integer(-1, {ScalarType::U64, false}), b.integer(3));
  StmtId guard =
      b.branch(b.logical(ExprKind::LogicalOr, b.unary(UnaryOp::LogicalNot, b.get(flag)),
                         b.binary(BinaryOp::Ne, b.cast(kI64, b.builtin("warpSize")), b.cast(kI64, wide))),
               {b.ret()}, {b.eval(b.call(0, kF32, {b.cast(kF32, b.f64(0x3ff0000000000000))}))});
  b.body({index, guard, store});
  Module module = b.kernelModule({helper.function()});
  module.kernels[0].maxThreadsPerBlock = 256;
  module.kernels.push_back({"rejected", -1, 0, {{"inline-asm", "asm(\"...\")", {"other.cu", 3, 4, 3, 9}}}});
  return module;
}

TEST(Kernel, NamesGoBothWays) {
  for (int i = 0; i <= static_cast<int>(ScalarType::F64); ++i) {
    const auto type = static_cast<ScalarType>(i);
    EXPECT_EQ(scalarTypeFromName(name(type)), type);
    EXPECT_EQ(typeFromString(toString(Type{type, true})), (Type{type, true}));
  }
  for (int i = 0; i <= static_cast<int>(ExprKind::Call); ++i)
    EXPECT_EQ(exprKindFromName(name(static_cast<ExprKind>(i))), static_cast<ExprKind>(i));
  for (int i = 0; i <= static_cast<int>(BinaryOp::Ne); ++i)
    EXPECT_EQ(binaryOpFromName(name(static_cast<BinaryOp>(i))), static_cast<BinaryOp>(i));
  EXPECT_EQ(name(BinaryOp::Add), "add");
  EXPECT_EQ(name(BinaryOp::Ne), "ne");
  EXPECT_EQ(name(UnaryOp::BitNot), "bitnot");
  EXPECT_EQ(name(StmtKind::Eval), "eval");
  EXPECT_EQ(scalarTypeFromName("bf16"), ScalarType::BF16);
  EXPECT_FALSE(scalarTypeFromName("f8"));
  EXPECT_FALSE(typeFromString("f32**"));
}

TEST(Kernel, TypeFacts) {
  EXPECT_TRUE(isSixteenBitFloat(ScalarType::F16) && !isFloat(ScalarType::F16) && isAnyFloat(ScalarType::F16));
  EXPECT_EQ(byteSize(ScalarType::BF16), 2);
  EXPECT_TRUE(isSigned(ScalarType::I8));
  EXPECT_FALSE(isSigned(ScalarType::U64));
  EXPECT_FALSE(isInteger(ScalarType::Bool));
  EXPECT_EQ(bitWidth(ScalarType::Bool), 1);
  EXPECT_EQ(bitWidth(ScalarType::U16), 16);
  EXPECT_EQ(bitWidth(ScalarType::F64), 64);
}

TEST(Intrinsics, TableIsSound) {
  EXPECT_EQ(findIntrinsic("no such function"), nullptr);
  for (const Intrinsic& row : intrinsics()) {
    EXPECT_EQ(findIntrinsic(row.spelling), &row) << row.spelling << " stands twice";
    EXPECT_NE(row.result, ScalarType::Void) << row.spelling;
    EXPECT_FALSE(row.arguments.empty()) << row.spelling;
    for (ScalarType type : row.arguments)
      EXPECT_NE(type, ScalarType::Void) << row.spelling;
  }
  ASSERT_NE(findIntrinsic("fmaf"), nullptr);
  EXPECT_EQ(findIntrinsic("fmaf")->arguments.size(), 3U);
  EXPECT_EQ(findIntrinsic("isnan<double>")->result, ScalarType::Bool);
  EXPECT_EQ(findIntrinsic("__expf")->meaning, Meaning::Opaque);
}

TEST(Kernel, VerifyAcceptsEveryConstruct) {
  const std::vector<std::string> problems = verify(everything());
  EXPECT_TRUE(problems.empty()) << problems.front();
}

TEST(Kernel, JsonKeepsEveryField) {
  const Module module = everything();
  const Json json = toJson(module);
  Expected<Json> reparsed = parseJson(json.dump(), "module");
  ASSERT_TRUE(reparsed);
  Expected<Module> back = moduleFromJson(*reparsed);
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(toJson(*back), json);
  ASSERT_EQ(back->functions.size(), 2U);
  const Function& a = module.functions[1];
  const Function& b = back->functions[1];
  EXPECT_EQ(b.name, "every<float>");
  EXPECT_EQ(b.parameterCount, 2);
  EXPECT_EQ(b.where, a.where);
  ASSERT_EQ(a.exprs.size(), b.exprs.size());
  for (size_t i = 0; i < a.exprs.size(); ++i) {
    EXPECT_EQ(a.exprs[i].kind, b.exprs[i].kind);
    EXPECT_EQ(a.exprs[i].type, b.exprs[i].type);
    EXPECT_EQ(a.exprs[i].where, b.exprs[i].where);
    EXPECT_EQ(a.exprs[i].args, b.exprs[i].args);
    EXPECT_EQ(a.exprs[i].unary, b.exprs[i].unary);
    EXPECT_EQ(a.exprs[i].binary, b.exprs[i].binary);
    EXPECT_EQ(a.exprs[i].intValue, b.exprs[i].intValue);
    EXPECT_EQ(a.exprs[i].bits, b.exprs[i].bits);
    EXPECT_EQ(a.exprs[i].text, b.exprs[i].text);
    EXPECT_EQ(a.exprs[i].local, b.exprs[i].local);
    EXPECT_EQ(a.exprs[i].callee, b.exprs[i].callee);
  }
  ASSERT_EQ(a.stmts.size(), b.stmts.size());
  for (size_t i = 0; i < a.stmts.size(); ++i) {
    EXPECT_EQ(a.stmts[i].kind, b.stmts[i].kind);
    EXPECT_EQ(a.stmts[i].where, b.stmts[i].where);
    EXPECT_EQ(a.stmts[i].thenBody, b.stmts[i].thenBody);
    EXPECT_EQ(a.stmts[i].elseBody, b.stmts[i].elseBody);
  }
  EXPECT_EQ(back->kernels[0].maxThreadsPerBlock, 256);
  EXPECT_EQ(back->kernels[1].rejections, module.kernels[1].rejections);
}

TEST(Kernel, TornJsonIsAnError) {
  const std::string whole = toJson(everything()).dump();
  EXPECT_EQ(moduleFromJson(Json(3)).error().id, "kernel-json");
  EXPECT_EQ(moduleFromJson(Json::object()).error().id, "kernel-json");
  for (const char* part :
       {"\"schema\":1", "\"kind\":\"load\"", "\"type\":\"f32\"", "\"op\":\"neg\"", "\"where\":[0,"}) {
    std::string broken = whole;
    const size_t at = broken.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    broken.replace(at, std::string(part).size(),
                   std::string(part) == "\"where\":[0," ? "\"where\":[9," : "\"x\":\"y\"");
    EXPECT_EQ(moduleFromJson(*parseJson(broken, "broken")).error().id, "kernel-json") << part;
  }
}

/// Applies `change` to the kernel function of a sound module and expects a complaint.
template <class Change> void expectComplaint(const char* what, Change change) {
  Module module =
      elementwise([](Builder& b, ExprId x) { return b.binary(BinaryOp::Mul, x, b.f32(0x40000000)); });
  ASSERT_TRUE(verify(module).empty());
  change(module, module.functions[0]);
  EXPECT_FALSE(verify(module).empty()) << what;
}

Expr& firstOf(Function& f, ExprKind kind) {
  for (Expr& e : f.exprs)
    if (e.kind == kind)
      return e;
  return f.exprs[0];
}

TEST(Kernel, VerifyNamesBrokenModules) {
  expectComplaint("argument after its user", [](Module&, Function& f) {
    firstOf(f, ExprKind::Cast).args[0] = static_cast<ExprId>(999);
  });
  expectComplaint("negative argument",
                  [](Module&, Function& f) { firstOf(f, ExprKind::Load).args[0] = ExprId::None; });
  expectComplaint("argument count", [](Module&, Function& f) { firstOf(f, ExprKind::Load).args.clear(); });
  expectComplaint("result type", [](Module&, Function& f) { firstOf(f, ExprKind::Binary).type = kF32; });
  expectComplaint("load type", [](Module&, Function& f) { firstOf(f, ExprKind::Load).type = kI32; });
  expectComplaint("local index", [](Module&, Function& f) { firstOf(f, ExprKind::Local).local = 17; });
  expectComplaint("builtin", [](Module&, Function& f) { firstOf(f, ExprKind::Builtin).text = "laneId"; });
  expectComplaint("float literal",
                  [](Module&, Function& f) { firstOf(f, ExprKind::FloatLiteral).bits = uint64_t{1} << 40; });
  expectComplaint("no range on an expression", [](Module&, Function& f) { f.exprs[2].where = {}; });
  expectComplaint("no range on a statement", [](Module&, Function& f) { f.stmts[0].where = {}; });
  expectComplaint("no range on a local", [](Module&, Function& f) { f.locals[0].where = {}; });
  expectComplaint("too many parameters", [](Module&, Function& f) { f.parameterCount = 9; });
  expectComplaint("statement twice", [](Module&, Function& f) { f.body.push_back(f.body[0]); });
  expectComplaint("statement nowhere", [](Module&, Function& f) { f.body.pop_back(); });
  expectComplaint("statement inside itself", [](Module&, Function& f) {
    f.stmts[static_cast<size_t>(f.body[1])].elseBody.push_back(f.body[1]);
  });
  expectComplaint("condition", [](Module&, Function& f) {
    f.stmts[static_cast<size_t>(f.body[1])].condition = static_cast<ExprId>(0);
  });
  expectComplaint("kernel index", [](Module& m, Function&) { m.kernels[0].function = 5; });
  expectComplaint("kernel without function or reason",
                  [](Module& m, Function&) { m.kernels[0].function = -1; });
  expectComplaint("kernel with a result", [](Module& m, Function& f) {
    f.returnType = kF32;
    m.kernels[0].function = 0;
  });
}

TEST(Kernel, VerifyRefusesNarrowArithmeticAndRecursion) {
  Builder narrow("narrow");
  const int c = narrow.parameter("c", {ScalarType::I8, false});
  narrow.body({narrow.eval(narrow.binary(BinaryOp::Add, narrow.get(c), narrow.get(c)))});
  EXPECT_FALSE(verify(narrow.kernelModule()).empty());
  Builder loop("loop");
  loop.body({loop.eval(loop.call(0, kVoid, {}))});
  const std::vector<std::string> problems = verify(loop.kernelModule());
  ASSERT_EQ(problems.size(), 1U);
  EXPECT_EQ(problems[0], "loop: calls itself");
}

TEST(Kernel, PrintsReadableText) {
  const Module module = elementwise(
      [](Builder& b, ExprId x) { return b.intrinsic("fmaxf", kF32, {x, b.f32(0x3c23d70a, "0.01")}); });
  EXPECT_EQ(print(module.functions[0], module), "void elementwise(f32* x, f32* y, i32 n)\n"
                                                "  i = i32(((blockIdx.x * blockDim.x) + threadIdx.x))\n"
                                                "  if (i < n)\n"
                                                "    *(y + i) = fmaxf(*(x + i), 0.01{0x3c23d70a}f32)\n");
  const Module whole = everything();
  const std::string text = print(whole.functions[1], whole);
  for (const char* part :
       {"18446744073709551615u64 << 3i32", "(flag && true) ? helper(", "return", "else", "!flag"})
    EXPECT_NE(text.find(part), std::string::npos) << part << " in\n" << text;
}

} // namespace
} // namespace plumbline::ir
