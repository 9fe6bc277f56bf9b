#include "core/ir/launch.h"

#include <gtest/gtest.h>

namespace plumbline::ir {
namespace {

Json json(const char* text) {
  return *parseJson(text, "test");
}

const char* const kShort = R"JSON({
  "expect": ["accepted"], "note": "for people",
  "block": [256, 1, 1], "grid": ["max(1, ceil(n / 256))", 1, 1], "shared_bytes": "4 * n",
  "symbols": {"n": [1, 1073741824], "B": [1, 1024]},
  "assume": ["n * B < 2147483648"],
  "buffers": {"y": {"len": "n", "align": 16, "role": "output", "tensor": "output:0"},
              "x": {"len": "n + 1", "role": "input"}},
  "scalars": {"m": "n * 2", "k": 7, "a": "free", "slope": "0.10000000000000000001", "s": 0.5, "top": "Infinity"}
})JSON";

TEST(Launch, ReadsTheShortForm) {
  Expected<LaunchContract> read = launchFromJson("k", json(kShort));
  ASSERT_TRUE(read) << read.error().message;
  const LaunchContract& c = *read;
  EXPECT_EQ(c.kernel, "k");
  EXPECT_EQ(print(*c.grid[0]), "max(1, ceil(n / 256))");
  EXPECT_EQ(print(*c.grid[2]), "1");
  EXPECT_EQ(print(*c.block[0]), "256");
  EXPECT_EQ(print(*c.sharedBytes), "4 * n");
  ASSERT_EQ(c.symbols.size(), 2U);
  EXPECT_EQ(c.symbols[0].name, "n");
  EXPECT_EQ(c.symbols[0].high, 1073741824);
  ASSERT_EQ(c.facts.size(), 1U);
  EXPECT_EQ(print(*c.facts[0].condition), "n * B < 2147483648");
  ASSERT_EQ(c.buffers.size(), 2U);
  EXPECT_EQ(c.buffers[0].parameter, "y");
  EXPECT_EQ(c.buffers[0].role, BufferRole::Output);
  EXPECT_EQ(c.buffers[0].align, 16);
  EXPECT_EQ(c.buffers[0].tensor, "output:0");
  EXPECT_EQ(c.buffers[1].align, 4);
  EXPECT_EQ(print(*c.buffers[1].length), "n + 1");
  EXPECT_EQ(findBuffer(c, "x"), &c.buffers[1]);
  EXPECT_EQ(findBuffer(c, "z"), nullptr);
}

TEST(Launch, ReadsScalars) {
  using Kind = ScalarContract::Kind;
  Expected<LaunchContract> read = launchFromJson("k", json(kShort));
  ASSERT_TRUE(read);
  EXPECT_EQ(scalarFor(*read, "m").kind, Kind::Integer);
  EXPECT_EQ(print(*scalarFor(*read, "m").integer), "n * 2");
  EXPECT_EQ(print(*scalarFor(*read, "k").integer), "7");
  EXPECT_EQ(scalarFor(*read, "a").kind, Kind::Free);
  EXPECT_EQ(scalarFor(*read, "slope").kind, Kind::Float);
  EXPECT_EQ(scalarFor(*read, "slope").floating, 0.1);
  EXPECT_EQ(scalarFor(*read, "slope").text, "0.10000000000000000001");
  EXPECT_EQ(scalarFor(*read, "s").floating, 0.5);
  EXPECT_EQ(scalarFor(*read, "s").text, "0.5");
  EXPECT_EQ(scalarFor(*read, "top").floating, HUGE_VAL);
  EXPECT_EQ(scalarFor(*read, "n").kind, Kind::Integer) << "a size of that name";
  EXPECT_EQ(scalarFor(*read, "unknown").kind, Kind::Free);
}

LaunchContract fullContract() {
  LaunchContract c = *launchFromJson("k<float>", json(kShort));
  c.wrapper = "forward";
  c.where = {"k.cu", 30, 3, 30, 40};
  c.symbols[0].tensor = "x.numel";
  c.symbols[1].parameter = "block";
  c.facts[0].reliesOn.push_back(
      {*parseSizeExpr("n + 1"), 0, INT32_MAX, "n + 1 as int", {"k.cu", 21, 1, 21, 2}});
  c.facts.push_back({"x.is_contiguous()", nullptr, {"k.cu", 20, 1, 20, 9}});
  c.checks.push_back(
      {*parseSizeExpr("n * 4"), INT32_MIN, INT32_MAX, "conversion to int", {"k.cu", 25, 1, 25, 2}});
  c.buffers[0].zeroInitialised = true;
  c.buffers[0].shapeLike = "x";
  c.buffers[0].shape = {sizeSymbol("n"), sizeConstant(4)};
  c.returned = {"output:0"};
  ScalarContract passed;
  passed.parameter = "alpha";
  passed.kind = ScalarContract::Kind::WrapperParameter;
  passed.wrapperName = "negative_slope";
  passed.wrapperDefault = 0.01;
  c.scalars.push_back(passed);
  c.wrapperTensors = {"x", "other"};
  c.wrapperParameters = {"x", "negative_slope", "other"};
  c.returnedTensors = 1;
  return c;
}

TEST(Launch, FullFormGoesBothWays) {
  const LaunchContract contract = fullContract();
  const Json written = toJson(contract);
  Expected<LaunchContract> back = launchFromJson("k<float>", json(written.dump().c_str()));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(toJson(*back), written);
  EXPECT_EQ(back->wrapper, "forward");
  EXPECT_EQ(back->where, contract.where);
  EXPECT_EQ(back->symbols[0].tensor, "x.numel");
  EXPECT_EQ(back->symbols[1].parameter, "block");
  ASSERT_EQ(back->facts.size(), 2U);
  ASSERT_EQ(back->facts[0].reliesOn.size(), 1U);
  EXPECT_EQ(print(*back->facts[0].reliesOn[0].value), "n + 1");
  EXPECT_EQ(back->facts[1].condition, nullptr);
  EXPECT_EQ(back->facts[1].text, "x.is_contiguous()");
  ASSERT_EQ(back->checks.size(), 1U);
  EXPECT_EQ(back->checks[0].high, INT32_MAX);
  EXPECT_EQ(back->checks[0].what, "conversion to int");
  EXPECT_EQ(back->checks[0].where, contract.checks[0].where);
  EXPECT_TRUE(back->buffers[0].zeroInitialised);
  EXPECT_EQ(back->buffers[0].shapeLike, "x");
  ASSERT_EQ(back->buffers[0].shape.size(), 2U);
  EXPECT_EQ(print(*back->buffers[0].shape[0]), "n");
  EXPECT_EQ(back->returned, contract.returned);
  EXPECT_EQ(back->scalars.back().wrapperName, "negative_slope");
  EXPECT_EQ(back->scalars.back().wrapperDefault, 0.01);
  EXPECT_EQ(back->scalars[3].text, "0.10000000000000000001");
  EXPECT_EQ(back->wrapperTensors, contract.wrapperTensors);
  EXPECT_EQ(back->wrapperParameters, contract.wrapperParameters);
  EXPECT_EQ(back->returnedTensors, 1);
}

TEST(Launch, BlockAndGridMayBeShort) {
  Expected<LaunchContract> read =
      launchFromJson("k", json(R"({"block": 32, "grid": ["G", 2], "symbols": {"G": [1, 9]}})"));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(print(*read->block[0]), "32");
  EXPECT_EQ(print(*read->block[1]), "1");
  EXPECT_EQ(print(*read->grid[1]), "2");
  EXPECT_EQ(print(*read->sharedBytes), "0");
}

TEST(Launch, NamesWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {R"([])", "not a JSON object"},
      {R"({"grid": [1]})", "block"},
      {R"({"block": [1,1,1,1], "grid": [1]})", "one to three"},
      {R"({"block": [1.5], "grid": [1]})", "neither an integer"},
      {R"({"block": ["1 +"], "grid": [1]})", "column"},
      {R"({"block": ["1 < 2"], "grid": [1]})", "not a number"},
      {R"({"block": [1], "grid": ["n"]})", "does not declare"},
      {R"({"block": [1], "grid": [1], "symbols": {"n": [5, 1]}})", "empty range"},
      {R"({"block": [1], "grid": [1], "symbols": {"n": 5}})", "range"},
      {R"({"block": [1], "grid": [1], "symbols": {"n + 1": [1, 2]}})", "cannot name"},
      {R"({"block": [1], "grid": [1], "assume": ["3"]})", "not a condition"},
      {R"({"block": [1], "grid": [1], "buffers": {"x": {"role": "input"}}})", "len"},
      {R"({"block": [1], "grid": [1], "buffers": {"x": {"len": 1, "role": "in"}}})", "unknown role"},
      {R"({"block": [1], "grid": [1], "buffers": {"x": {"len": 1, "role": "input", "align": 12}}})",
       "power of two"},
      {R"({"block": [1], "grid": [1], "scalars": {"a": "1.2.3"}})", "neither"},
      {R"({"block": [1], "grid": [1], "scalars": {"a": {}}})", "neither"},
      {R"({"block": [18446744073709551615], "grid": [1]})", "64-bit"},
  };
  for (const auto& [text, part] : cases) {
    Expected<LaunchContract> read = launchFromJson("k", json(text));
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().id, "launch-json") << text;
    EXPECT_NE(read.error().message.find(part), std::string::npos) << read.error().message;
  }
}

TEST(Launch, GroupsOfAliasesNameBuffersOnce) {
  const auto read = [](const std::string& alias) {
    const std::string text = R"({"block": [1], "grid": [1], "symbols": {"n": [1, 9]},
      "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}}, "alias": )";
    return launchFromJson("k", json((text + alias + "}").c_str()));
  };
  EXPECT_EQ(read(R"([["x", "y"]])")->aliases, (std::vector<std::vector<std::string>>{{"x", "y"}}));
  EXPECT_TRUE(read("[]")->aliases.empty());
  for (const char* wrong : {R"([["x"]])", R"([["x", "z"]])", R"([["x", "y"], ["y", "x"]])", R"(["x", "y"])"})
    EXPECT_EQ(read(wrong).error().id, "launch-json") << wrong;
}

TEST(Launch, MisspeltAndMissingKeysAreNamed) {
  const auto message = [](const char* text) { return launchFromJson("k", json(text)).error().message; };
  EXPECT_NE(message(R"({"block": [1], "grid": [1], "alais": [["x", "y"]]})").find("unknown key 'alais'"),
            std::string::npos);
  EXPECT_NE(
      message(R"({"block": [1], "grid": [1], "buffers": {"x": {"len": 1, "role": "input", "alignn": 16}}})")
          .find("buffer x has the unknown key 'alignn'"),
      std::string::npos);
  EXPECT_NE(
      message(R"({"block": [1], "grid": [1], "buffers": {"x": {"len": 1}}})").find("buffer x lacks 'role'"),
      std::string::npos);
  EXPECT_NE(message(R"({"grid": [1]})").find("lacks 'block'"), std::string::npos);
}

TEST(Launch, SharedArraysOfDifferentLengthAreRefused) {
  const Expected<LaunchContract> contract =
      launchFromJson("k", json(R"({"block": [1], "grid": [1], "symbols": {"n": [1, 9]},
      "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n + 1", "role": "output"}},
      "alias": [["x", "y"]]})"));
  EXPECT_EQ(withSharedArrays(*contract).error().id, "launch-alias");
}

TEST(Launch, WhatAWrapperMadeWithEmptyStartsUnwritten) {
  LaunchContract contract;
  contract.wrapper = "forward";
  BufferContract made;
  made.role = BufferRole::InOut;
  made.tensor = "output:0";
  EXPECT_TRUE(startsUnwritten(contract, made));
  made.zeroInitialised = true;
  EXPECT_FALSE(startsUnwritten(contract, made));
  made.zeroInitialised = false;
  made.tensor = "x";
  EXPECT_FALSE(startsUnwritten(contract, made));
}

} // namespace
} // namespace plumbline::ir
