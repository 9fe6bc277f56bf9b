// Arrays, loops and meeting points in kernel IR: what `verify` refuses. Each case changes one thing of the
// schema's example, which passes.
#include "core/ir/kernel.h"

#include <gtest/gtest.h>

namespace plumbline::ir {
namespace {

Json example() {
  Expected<std::string> text =
      readFile(std::string(PLUMBLINE_SOURCE_DIR) + "/resources/schema/kernel.schema.json");
  return Json::parse(text.value_or("{}")).at("examples").at(1);
}

/// Position of the first statement of a kind.
size_t position(const Json& module, const char* list, const std::string& kind) {
  const Json& nodes = module["functions"][0][list];
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i]["kind"] == kind)
      return i;
  ADD_FAILURE() << "no " << kind;
  return 0;
}

struct Change {
  const char* what;
  const char* list; ///< "stmts", "exprs" or "arrays"
  const char* kind; ///< of the node; the position, for arrays
  const char* field;
  Json value;
};

class VerifyRefuses : public testing::TestWithParam<Change> {};

TEST_P(VerifyRefuses, OneChange) {
  const Change& change = GetParam();
  Json module = example();
  Json& list = module["functions"][0][change.list];
  const size_t at = std::string(change.list) == "arrays" ? std::stoul(change.kind)
                                                         : position(module, change.list, change.kind);
  ASSERT_TRUE(moduleFromJson(module)) << "the unchanged example is fine";
  if (change.value.is_null())
    list[at].erase(change.field);
  else
    list[at][change.field] = change.value;
  EXPECT_FALSE(moduleFromJson(module)) << change.what;
}

INSTANTIATE_TEST_SUITE_P(
    Changes, VerifyRefuses,
    testing::Values(Change{"a break out of nothing", "stmts", "break", "level", 2},
                    Change{"a continue of a block", "stmts", "continue", "level", 1},
                    Change{"a lane of a float4 that does not exist", "exprs", "load", "value", 4},
                    Change{"a lane to store that does not exist", "stmts", "store", "lane", 1},
                    Change{"an array that does not exist", "exprs", "array", "array", 4},
                    Change{"another element type", "exprs", "array", "type", "i32*"},
                    Change{"a cast to no pointer", "exprs", "pcast", "type", "f32"},
                    Change{"a vector as a value", "exprs", "load", "type", "f32x4*"},
                    Change{"a loop whose condition is no bool", "stmts", "loop", "condition", 0},
                    Change{"a barrier that is a shuffle", "stmts", "barrier", "sync", "shuffle"},
                    Change{"a warp barrier without a mask", "stmts", "barrier", "sync", "warp-barrier"},
                    Change{"a shuffle with too few arguments", "stmts", "collective", "args",
                           Json::array({0, 1})},
                    Change{"a shuffle into another type", "stmts", "collective", "local", 1},
                    Change{"a shuffle that is a barrier", "stmts", "collective", "sync", "barrier"},
                    Change{"an atomic operation floats lack", "stmts", "atomic", "sync", "atomic-max"},
                    Change{"an atomic operation that is none", "stmts", "atomic", "sync", "shuffle"},
                    Change{"an atomic operation into another type", "stmts", "atomic", "local", 1},
                    Change{"a compare-exchange without what it compares", "stmts", "atomic", "sync",
                           "atomic-compare-exchange"},
                    Change{"a fence of nothing", "stmts", "fence", "text", "warp"},
                    Change{"a parameter that is declared", "stmts", "declare", "local", 0},
                    Change{"an empty array", "arrays", "0", "extents", Json::array({4, 0})},
                    Change{"an array longer than any memory", "arrays", "1", "extents",
                           Json::array({int64_t{1} << 40, int64_t{1} << 40})},
                    Change{"a thread's array without extents", "arrays", "1", "extents", Json::array()},
                    Change{"two dynamic arrays", "arrays", "0", "extents", Json::array()},
                    Change{"a constant array without contents", "arrays", "2", "cells", nullptr},
                    Change{"a shared array with contents", "arrays", "0", "cells", Json::array({1})},
                    Change{"an array of nothing", "arrays", "1", "element", "void"}));

TEST(KernelSync, ShapesOfTypes) {
  for (const char* text : {"f32*", "f32x4*", "i32x2*", "u8x3*", "bool*", "f64"}) {
    const std::optional<Type> type = typeFromString(text);
    ASSERT_TRUE(type) << text;
    EXPECT_EQ(toString(*type), text);
  }
  for (const char* text : {"f32x4", "f32x1*", "f32x5*", "f32x*", "x4*", ""})
    EXPECT_FALSE(typeFromString(text)) << text;
  // CUDA C++ programming guide, table of alignment requirements.
  EXPECT_EQ(byteAlignment({ScalarType::F32, true, 4}), 16);
  EXPECT_EQ(byteAlignment({ScalarType::F32, true, 3}), 4);
  EXPECT_EQ(byteAlignment({ScalarType::U8, true, 4}), 4);
  EXPECT_EQ(byteAlignment({ScalarType::F64, true, 4}), 16);
  EXPECT_EQ(byteSize(Type{ScalarType::F64, true, 4}), 32);
}

TEST(KernelSync, NamesWhatLiesBeyondScalarCode) {
  const Expected<Module> module = moduleFromJson(example());
  ASSERT_TRUE(module);
  const std::optional<Rejection> first = beyondScalarCode(*module, 0);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->where.file, "meet.cu");
}

TEST(KernelSync, PrintsStructure) {
  const Expected<Module> module = moduleFromJson(example());
  ASSERT_TRUE(module);
  EXPECT_EQ(print(module->functions[0], *module), "void meet(f32* x)\n"
                                                  "  shared f32 tile[4][8]\n"
                                                  "  thread i32 own[3]\n"
                                                  "  constant f32 taps[2]\n"
                                                  "  shared f32 dynamic[]\n"
                                                  "  i = 0i32\n"
                                                  "  block\n"
                                                  "    do while (i < 4i32)\n"
                                                  "      declare v\n"
                                                  "      declare own\n"
                                                  "      v = *f32x4*(x).w\n"
                                                  "      *(tile + i) = v\n"
                                                  "      barrier\n"
                                                  "      v = shuffle-xor(4294967295u32, v, 1i32, 32i32)\n"
                                                  "      if true\n"
                                                  "        break 1\n"
                                                  "      else\n"
                                                  "        continue\n"
                                                  "    step\n"
                                                  "      i = (i + 1i32)\n"
                                                  "  v = atomic-add(x, 0x3f800000f32)\n"
                                                  "  fence device\n"
                                                  "  *f32x4*(x).z = 0x00000000f32\n");
}

} // namespace
} // namespace plumbline::ir
