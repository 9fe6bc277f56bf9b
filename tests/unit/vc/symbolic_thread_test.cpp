// What one symbolic thread stores, under which guard, and which obligations it leaves at which place.
#include "tests/unit/vc/thread_fixture.h"

#include "core/logic/eval.h"

namespace plumbline::vc::test {
namespace {

using logic::Sort;
using logic::TermId;
using logic::Value;

/// A kernel with the parameters (const float* x, float* y, int n) around a body that stands on line 2.
ir::Module bodyModule(const std::string& body, const std::string& before = "") {
  return import(before + "__global__ void k(const float* x, float* y, int n) {\n" + body + "\n}\n");
}

/// A body and what must be demanded of it.
struct Row {
  const char* body;
  ObligationKind kind;
  const char* buffer;
  int column; ///< on line 2
};

const Obligation* find(const SymbolicThread& thread, const Row& row) {
  for (const Obligation& obligation : thread.obligations)
    if (obligation.kind == row.kind && obligation.buffer == row.buffer && obligation.where.line == 2 &&
        obligation.where.column == row.column)
      return &obligation;
  return nullptr;
}

std::string describe(const SymbolicThread& thread) {
  std::string text;
  for (const Obligation& obligation : thread.obligations)
    text += std::string(name(obligation.kind)) + " " + obligation.buffer + " at " +
            toString(obligation.where) + "\n";
  return text;
}

TEST(SymbolicThread, EveryKindOfObligationHasItsPlace) {
  const Row rows[] = {
      {"y[0] = x[n];", ObligationKind::Bounds, "x", 8},
      {"y[n] = 1.0f;", ObligationKind::Bounds, "y", 1},
      {"y[n + 1] = 1.0f;", ObligationKind::SignedOverflow, "", 3},
      {"y[-n] = 1.0f;", ObligationKind::SignedOverflow, "", 3},
      {"y[threadIdx.x - 1u] = 1.0f;", ObligationKind::UnsignedWrap, "", 3},
      {"y[(short)n] = 1.0f;", ObligationKind::Narrowing, "", 10},
      {"y[5 / n] = 1.0f;", ObligationKind::DivisionByZero, "", 3},
      {"y[5 % n] = 1.0f;", ObligationKind::DivisionByZero, "", 3},
      {"y[n >> 1] = 1.0f;", ObligationKind::ShiftRange, "", 3},
      {"y[n & 7] = 1.0f;", ObligationKind::ShiftRange, "", 3},
      {"float v; if (n > 2) v = 1.0f; y[0] = v;", ObligationKind::UninitialisedRead, "", 38},
      {"y[0] = x[0]; y[1] = y[n];", ObligationKind::NoAlias, "y", 21},
  };
  for (const Row& row : rows) {
    const ir::Module module = bodyModule(row.body);
    ASSERT_EQ(module.kernels.size(), 1u);
    Execution execution(module, module.kernels[0]);
    const auto thread = execution.run();
    ASSERT_TRUE(thread) << row.body << toString(thread.error());
    const Obligation* found = find(*thread, row);
    ASSERT_NE(found, nullptr) << row.body << "\n" << describe(*thread);
    EXPECT_FALSE(found->message.empty());
  }
}

TEST(SymbolicThread, AHelperThatMayNotReturnIsAnObligation) {
  ir::Module module =
      bodyModule("y[0] = f(n);", "__device__ float f(int n) { if (n > 0) return 1.0f; return 2.0f; }  ");
  ASSERT_EQ(module.kernels.size(), 1u);
  // The importer rejects such a helper itself; the translation does not rely on that.
  for (ir::Function& function : module.functions)
    if (function.name == "f")
      function.body.pop_back();
  Execution execution(module, module.kernels[0]);
  const auto thread = execution.run();
  ASSERT_TRUE(thread);
  const auto found =
      std::find_if(thread->obligations.begin(), thread->obligations.end(),
                   [](const auto& each) { return each.kind == ObligationKind::NoReturnValue; });
  ASSERT_NE(found, thread->obligations.end());
  EXPECT_EQ(found->where.line, 2) << "at the call";
  for (int64_t n : {-1, 0, 1, 2}) {
    auto holds = logic::CompiledTerm(execution.store, found->holds).evaluate({{"n", Value::integer(n)}});
    ASSERT_TRUE(holds);
    EXPECT_EQ(holds->bits != 0, n > 0) << n;
  }
}

TEST(SymbolicThread, ReadsBeforeAnyAssignmentHaveNoMeaning) {
  const ir::Module module = bodyModule("float v; y[0] = v;");
  Execution execution(module, module.kernels[0]);
  const auto thread = execution.run();
  ASSERT_FALSE(thread);
  EXPECT_EQ(thread.error().id, "uninitialised-read");
  EXPECT_EQ(thread.error().kind, ErrorKind::Rejected);
  ASSERT_EQ(thread.error().rejections.size(), 1u);
  EXPECT_EQ(thread.error().rejections[0].where.line, 2);
}

TEST(SymbolicThread, UncoveredConstructsAreRefusedByName) {
  const std::pair<const char*, const char*> rows[] = {
      {"y[n | 1] = 1.0f;", "bit-operation"},
      {"y[n ^ 1] = 1.0f;", "bit-operation"},
      {"y[~n] = 1.0f;", "bit-operation"},
      {"y[n & 6] = 1.0f;", "bit-operation"},
      {"y[1 << n] = 1.0f;", "bit-operation"},
      {"y[(short)x[0]] = 1.0f;", "narrow-float-to-int"},
      {"y[(unsigned long long)x[0]] = 1.0f;", "float-to-u64"},
      {"const float* p = n > 0 ? x : y; y[0] = p[0];", "pointer-merge"},
  };
  for (const auto& [body, id] : rows) {
    const ir::Module module = bodyModule(body);
    ASSERT_EQ(module.kernels.size(), 1u);
    Execution execution(module, module.kernels[0]);
    const auto thread = execution.run();
    ASSERT_FALSE(thread) << body;
    EXPECT_EQ(thread.error().id, id) << body;
    EXPECT_TRUE(thread.error().where && thread.error().where->line == 2) << body;
  }
}

TEST(SymbolicThread, AParameterWithoutAValueIsNamed) {
  const ir::Module module = bodyModule("y[0] = x[0];");
  Execution execution(module, module.kernels[0]);
  execution.parameters.erase("n");
  const auto thread = execution.run();
  ASSERT_FALSE(thread);
  EXPECT_EQ(thread.error().id, "unbound-parameter");
  EXPECT_NE(thread.error().message.find("'n'"), std::string::npos);
}

TEST(SymbolicThread, StoresAndLoadsComeInProgramOrderWithTheirGuards) {
  const ir::Module module = bodyModule("if (n > 3) { y[0] = x[1]; return; }\ny[1] = x[2];");
  Execution execution(module, module.kernels[0]);
  const auto thread = execution.run();
  ASSERT_TRUE(thread);
  ASSERT_EQ(thread->stores.size(), 2u);
  ASSERT_EQ(thread->loads.size(), 2u);
  EXPECT_EQ(thread->stores[0].where.line, 2);
  EXPECT_EQ(thread->stores[1].where.line, 3);
  EXPECT_EQ(execution.store.intValue(thread->loads[0].index), 1);
  EXPECT_EQ(execution.store.intValue(thread->loads[1].index), 2);
  for (int64_t n : {2, 3, 4}) {
    const auto guard = [&](size_t i) {
      return logic::CompiledTerm(execution.store, thread->stores[i].guard)
          .evaluate({{"n", Value::integer(n)}})
          ->bits;
    };
    EXPECT_EQ(guard(0), n > 3 ? 1u : 0u);
    EXPECT_EQ(guard(1), n > 3 ? 0u : 1u);
  }
}

TEST(SymbolicThread, AReadOfAnOwnStoreIsNoLoad) {
  const ir::Module module = bodyModule("y[n] = 2.0f; y[n] = y[n] + 1.0f;");
  Execution execution(module, module.kernels[0]);
  const auto thread = execution.run();
  ASSERT_TRUE(thread);
  EXPECT_TRUE(thread->loads.empty());
  ASSERT_EQ(thread->stores.size(), 2u);
  const auto value =
      logic::CompiledTerm(execution.store, thread->stores[1].value).evaluate(std::map<std::string, Value>{});
  ASSERT_TRUE(value);
  EXPECT_EQ(value->bits, 0x40400000u);
}

TEST(SymbolicThread, ZeroedBuffersReadAsZero) {
  const ir::Module module = bodyModule("y[n] = y[n] + 1.0f;");
  Execution execution(module, module.kernels[0]);
  execution.parameters["y"].zeroInitialised = true;
  execution.parameters["y"].initialReadable = false;
  const auto thread = execution.run();
  ASSERT_TRUE(thread);
  for (const Obligation& obligation : thread->obligations)
    EXPECT_NE(obligation.kind, ObligationKind::UninitialisedRead);
  const auto value =
      logic::CompiledTerm(execution.store, thread->stores[0].value).evaluate(std::map<std::string, Value>{});
  ASSERT_TRUE(value);
  EXPECT_EQ(value->bits, 0x3f800000u);
}

TEST(SymbolicThread, KindsHaveNames) {
  EXPECT_EQ(name(ObligationKind::SignedOverflow), "signed-overflow");
  EXPECT_EQ(name(ObligationKind::NoAlias), "no-alias");
}

} // namespace
} // namespace plumbline::vc::test
