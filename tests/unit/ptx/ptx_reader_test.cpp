// The reader of PTX on text written by hand after the PTX ISA's own grammar.
#include "core/cuda/ptx/ptx.h"

#include <gtest/gtest.h>

namespace plumbline::cuda {
namespace {

constexpr const char* twoFunctions = R"(//
// Written by hand
//
.version 8.3
.target sm_90, debug
.address_size 64
	.file	1 "a \"b\".cu"
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0
)
;
.extern .shared .align 16 .b8 tile[];
.global .align 4 .b8 text[3] = {104, 105, 0};

.visible .entry _Z1kPKf4Pair(
	.param .u64 .ptr .global .align 4 _Z1kPKf4Pair_param_0,
	.param .align 8 .b8 _Z1kPKf4Pair_param_1[24]
)
.maxntid 256, 1, 1
{
	.reg .pred 	%p<2>;
	.loc	1 5 0
	ld.param.u64 	%rd1, [_Z1kPKf4Pair_param_0];
	.loc	1 7 3, function_name $L__info_string0, inlined_at 1 9 12
	@!%p1 bra 	$L__done; /* a comment; with a semicolon */
	ld.global.v2.f32 	{%f1, %f2}, [%rd1+8];
	{ // callseq 0, 0
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd1;
	call.uni (retval0), vprintf, (param0, param1);
	} // callseq 0
	.loc	1 8 1
$L__done:
	ret;

}
.func  (.param .b32 func_retval0) helper(
	.param .b32 helper_param_0
)
{
	ret;
}
	.section	.debug_str
	{
$L__info_string0:
.b8 95,90
	}
)";

TEST(PtxReader, ReadsWhatTheGrammarAllows) {
  const Expected<PtxModule> module = readPtx(twoFunctions);
  ASSERT_TRUE(module) << module.error().message;
  EXPECT_EQ(module->version, "8.3");
  EXPECT_EQ(module->target, "sm_90");
  EXPECT_EQ(module->files.at(1), R"(a \"b\".cu)");
  ASSERT_EQ(module->functions.size(), 2U) << "prototypes have no body";
  const PtxFunction& kernel = module->functions[0];
  EXPECT_TRUE(kernel.isEntry);
  EXPECT_EQ(kernel.symbol, "_Z1kPKf4Pair");
  ASSERT_EQ(kernel.parameters.size(), 2U);
  EXPECT_EQ(kernel.parameters[0].name, "_Z1kPKf4Pair_param_0");
  EXPECT_EQ(kernel.parameters[0].type, "u64");
  EXPECT_EQ(kernel.parameters[0].count, 1);
  EXPECT_EQ(kernel.parameters[1].type, "b8");
  EXPECT_EQ(kernel.parameters[1].count, 24);
  EXPECT_FALSE(module->functions[1].isEntry);
  EXPECT_EQ(module->functions[1].symbol, "helper");
}

TEST(PtxReader, KeepsInstructionsWithTheirPlaces) {
  const Expected<PtxModule> module = readPtx(twoFunctions);
  ASSERT_TRUE(module);
  const std::vector<PtxInstruction>& body = module->functions[0].body;
  ASSERT_EQ(body.size(), 6U);
  EXPECT_EQ(body[0].opcode, "ld.param.u64");
  EXPECT_EQ(body[0].operands, (std::vector<std::string>{"%rd1", "[_Z1kPKf4Pair_param_0]"}));
  EXPECT_EQ(body[0].where, (PtxLocation{1, 5, 0}));
  EXPECT_EQ(body[0].inlinedAt.file, 0);
  EXPECT_EQ(body[0].ptxLine, 24);
  EXPECT_EQ(body[1].guard, "!%p1");
  EXPECT_EQ(body[1].opcode, "bra");
  EXPECT_EQ(body[1].where, (PtxLocation{1, 7, 3}));
  EXPECT_EQ(body[1].inlinedAt, (PtxLocation{1, 9, 12}));
  EXPECT_EQ(body[2].operands, (std::vector<std::string>{"{%f1,%f2}", "[%rd1+8]"}));
  EXPECT_EQ(body[4].operands, (std::vector<std::string>{"(retval0)", "vprintf", "(param0, param1)"}));
  EXPECT_EQ(body[5].opcode, "ret");
  EXPECT_EQ(body[5].where, (PtxLocation{1, 8, 1}));
  EXPECT_EQ(body[5].inlinedAt.file, 0) << "a position without inlining ends it";
  EXPECT_EQ(body[5].ptxLine, 35);
  EXPECT_EQ(module->functions[0].labels.at("$L__done"), 5U);
}

struct Broken {
  const char* text;
  const char* id;
  int line;
};

class PtxReaderRefuses : public testing::TestWithParam<Broken> {};

TEST_P(PtxReaderRefuses, WithALine) {
  const Expected<PtxModule> module = readPtx(GetParam().text);
  ASSERT_FALSE(module) << GetParam().text;
  EXPECT_EQ(module.error().id, GetParam().id);
  EXPECT_EQ(module.error().where.value_or(SourceRange{}).line, GetParam().line) << module.error().message;
}

INSTANTIATE_TEST_SUITE_P(
    Texts, PtxReaderRefuses,
    testing::Values(Broken{"", "ptx-syntax", 1}, Broken{"\n\n", "ptx-syntax", 3},
                    Broken{".version 8.0\nint main() {}", "ptx-syntax", 2},
                    Broken{".version 8.0\n/* for ever", "ptx-syntax", 2},
                    Broken{".version 8.0\n.file x \"a\"", "ptx-syntax", 2},
                    Broken{".version 8.0\n.file 1 \"a", "ptx-syntax", 2},
                    Broken{".version 8.0\n.entry k()", "ptx-syntax", 2},
                    Broken{".version 8.0\n.entry (x) {}", "ptx-syntax", 2},
                    Broken{".version 8.0\n.entry k(.param n)\n{ ret; }", "ptx-syntax", 2},
                    Broken{".version 8.0\n.entry k() {\n ret;\n", "ptx-syntax", 4},
                    Broken{".version 8.0\n.entry k() {\n ret }", "ptx-syntax", 3},
                    Broken{".version 8.0\n.entry k() {\n @%p1 ;\n}", "ptx-syntax", 3},
                    Broken{".version 8.0\n.entry k() {\n ld.f32 {%f1, [%rd1];\n}", "ptx-syntax", 3},
                    Broken{".version 8.0\n.entry k() {\n .loc 1 x 2\n}", "ptx-syntax", 3},
                    Broken{".version 8.0\n.section .debug\n{ {\n", "ptx-syntax", 4}));

TEST(PtxReader, BracesHaveALimit) {
  const auto nested = [](size_t levels) {
    return ".version 8.0\n.entry k() " + std::string(levels, '{') + " ret; " + std::string(levels, '}');
  };
  EXPECT_TRUE(readPtx(nested(200)));
  const Expected<PtxModule> module = readPtx(nested(201));
  ASSERT_FALSE(module);
  EXPECT_EQ(module.error().id, "ptx-size");
  const Expected<PtxModule> vectors =
      readPtx(".version 8.0\n.entry k() { mov " + std::string(100000, '{') + ";}");
  ASSERT_FALSE(vectors);
  EXPECT_EQ(vectors.error().id, "ptx-size");
}

/// By the mangling rules of the Itanium C++ ABI.
TEST(PtxReader, NamesOfKernels) {
  EXPECT_EQ(kernelName("_Z1kPf"), "k");
  EXPECT_EQ(kernelName("_Z5scaleIfEvPKT_PS0_if"), "scale<float>");
  EXPECT_EQ(kernelName("_ZN2ns5scaleIfLi4EEEvPT_"), "ns::scale<float, 4>");
  EXPECT_EQ(kernelName("_Z1kIPFvfEEvT_"), "k<void (*)(float)>");
  EXPECT_EQ(kernelName("plain"), "plain") << "extern \"C\"";
  EXPECT_EQ(kernelName("_Z"), "_Z");
  EXPECT_EQ(kernelName("_Z9k"), "_Z9k");
  EXPECT_EQ(kernelName(""), "");
  EXPECT_EQ(kernelName("_Z1k" + std::string(5000, 'f')), "_Z1k" + std::string(5000, 'f'));
}

} // namespace
} // namespace plumbline::cuda
