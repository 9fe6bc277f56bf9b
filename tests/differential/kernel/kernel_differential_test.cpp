// The interpreter, running kernel IR made from a CUDA source, against the same source compiled by Clang for
// the host: every bit of every output, all NaNs being one, in several orders of the threads.
#include "tests/differential/kernel/case_file.h"
#include "tests/differential/kernel/comparison.h"

#include <gtest/gtest.h>

namespace plumbline::differential {
namespace {

const std::vector<std::string> kSchedules = {"forward", "backward", "random:11", "random:20240229"};

std::map<std::string, ir::ScalarValue> givenScalars(const Json& description) {
  std::map<std::string, ir::ScalarValue> scalars;
  const Json given = description.value("give", Json::object());
  for (const auto& [name, value] : given.items())
    scalars[name] = value.is_number_integer() ? ir::ScalarValue::integer(value.get<int64_t>())
                                              : ir::ScalarValue::floating(value.get<double>());
  return scalars;
}

ir::BufferContents contentsFor(const CaseFile& test, const ir::Function& function,
                               const ir::ConcreteLaunch& launch, std::mt19937_64& random) {
  ir::BufferContents contents;
  for (int i = 0; i < function.parameterCount; ++i) {
    const ir::Local& parameter = function.locals[static_cast<size_t>(i)];
    if (!parameter.type.pointer)
      continue;
    const ir::BufferBinding& binding = launch.buffers.at(parameter.name);
    contents[parameter.name] =
        binding.zeroInitialised
            ? std::vector<uint64_t>(static_cast<size_t>(binding.length))
            : makeContents(test, parameter.name, parameter.type.scalar, binding.length, random);
  }
  return contents;
}

class KernelDifferential : public testing::TestWithParam<std::string> {};

TEST_P(KernelDifferential, InterpreterAgreesWithNativeCode) {
  Expected<CaseFile> test = readCase(std::filesystem::path(PLUMBLINE_CASES) / (GetParam() + ".cu"));
  ASSERT_TRUE(test) << toString(test.error());
  Expected<Program> program = Program::make(test->name, test->source);
  ASSERT_TRUE(program) << toString(program.error());
  ASSERT_EQ(program->kernels().size(), 1U);
  const ir::Kernel& kernel = program->kernels()[0];
  Json description = test->description;
  for (const char* own : {"sizes", "values", "give"}) // the test's own
    description.erase(own);
  Expected<ir::LaunchContract> contract = ir::launchFromJson(kernel.name, description);
  ASSERT_TRUE(contract) << toString(contract.error());
  std::mt19937_64 random(20240229);
  const Json sizes = test->description.value("sizes", Json::array({Json::object()}));
  std::set<std::string> changed;
  for (const Json& size : sizes) {
    SCOPED_TRACE(size.dump());
    Expected<ir::ConcreteLaunch> launch =
        ir::bindLaunch(*contract, program->function(0), size.get<std::map<std::string, int64_t>>(),
                       givenScalars(test->description), kernel.maxThreadsPerBlock);
    ASSERT_TRUE(launch) << toString(launch.error());
    Expected<Program::Outcome> outcome =
        program->run(0, *launch, contentsFor(*test, program->function(0), *launch, random), kSchedules);
    ASSERT_TRUE(outcome) << toString(outcome.error());
    EXPECT_EQ(outcome->differences, "");
    changed.insert(outcome->changed.begin(), outcome->changed.end());
  }
  // An output that no run changes is not tested.
  for (const ir::BufferContract& buffer : contract->buffers)
    if (buffer.role != ir::BufferRole::Input)
      EXPECT_TRUE(changed.contains(buffer.parameter)) << buffer.parameter;
}

INSTANTIATE_TEST_SUITE_P(Cases, KernelDifferential, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

} // namespace
} // namespace plumbline::differential
