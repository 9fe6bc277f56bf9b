// The examples in the schemas are what this library reads and writes. That they follow the schemas is checked
// by tests/arch.
#include "core/ir/host_program.h"
#include "core/ir/run_command.h"

#include <gtest/gtest.h>
#include <set>

namespace plumbline::ir {
namespace {

Json examplesOf(const char* schema) {
  Expected<std::string> text =
      readFile(std::string(PLUMBLINE_SOURCE_DIR) + "/resources/schema/" + schema + ".schema.json");
  EXPECT_TRUE(text) << text.error().message;
  Expected<Json> json = parseJson(text.value_or("{}"), schema);
  EXPECT_TRUE(json) << json.error().message;
  return json ? json->value("examples", Json::array()) : Json::array();
}

TEST(Schemas, KernelExamplesAreReadAndWrittenAlike) {
  const Json examples = examplesOf("kernel");
  ASSERT_FALSE(examples.empty());
  std::set<ExprKind> exprs;
  std::set<StmtKind> stmts;
  for (const Json& example : examples) {
    Expected<Module> module = moduleFromJson(example);
    ASSERT_TRUE(module) << module.error().message;
    EXPECT_EQ(toJson(*module), example);
    for (const Function& function : module->functions) {
      for (const Expr& expr : function.exprs)
        exprs.insert(expr.kind);
      for (const Stmt& stmt : function.stmts)
        stmts.insert(stmt.kind);
    }
  }
  EXPECT_EQ(exprs.size(), static_cast<size_t>(ExprKind::PointerCast) + 1)
      << "the examples show every kind of expression";
  EXPECT_EQ(stmts.size(), static_cast<size_t>(StmtKind::Fence) + 1) << "and of statement";
}

TEST(Schemas, LaunchExamplesAreRead) {
  const Json examples = examplesOf("launch");
  ASSERT_EQ(examples.size(), 2U);
  Expected<LaunchContract> byHand = launchFromFile(examples[0], "scale");
  ASSERT_TRUE(byHand) << byHand.error().message;
  EXPECT_EQ(byHand->scalars.size(), 4U);
  Expected<LaunchContract> full = launchFromFile(examples[1], examples[1].value("kernel", ""));
  ASSERT_TRUE(full) << full.error().message;
  EXPECT_EQ(toJson(*full), examples[1]) << "the second is as the importer writes it";
}

TEST(Schemas, ProgramExamplesAreReadAndWrittenAlike) {
  const Json examples = examplesOf("program");
  ASSERT_EQ(examples.size(), 2U);
  for (const Json& example : examples) {
    Expected<HostProgram> program = programFromJson(example);
    ASSERT_TRUE(program) << program.error().message;
    EXPECT_EQ(toJson(*program), example);
    Json undeclared = example;
    undeclared["symbols"].erase("x.size.0");
    EXPECT_FALSE(programFromJson(undeclared)) << "a size that is used must be declared";
  }
}

} // namespace
} // namespace plumbline::ir
