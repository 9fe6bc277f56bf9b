// The interpreter, running kernel IR made from a CUDA source, against the same source compiled by Clang for
// the host: every bit of every output, all NaNs being one.
#include "core/cuda/cuda_import.h"
#include "core/f32/soft_float.h"
#include "core/ir/integer_ops.h"
#include "core/ir/interpreter.h"
#include "core/ir/run_command.h"
#include "tests/differential/kernel/case_file.h"
#include "tests/differential/kernel/native_kernel.h"

#include <gtest/gtest.h>

namespace plumbline::differential {
namespace {

using ir::ScalarType;

size_t byteWidth(ScalarType type) {
  return type == ScalarType::Bool ? 1 : static_cast<size_t>(ir::bitWidth(type)) / 8;
}

std::vector<uint8_t> toBytes(ScalarType type, const std::vector<uint64_t>& bits) {
  std::vector<uint8_t> bytes(bits.size() * byteWidth(type) + 1);
  for (size_t i = 0; i < bits.size(); ++i)
    std::memcpy(bytes.data() + i * byteWidth(type), &bits[i], byteWidth(type)); // little endian
  return bytes;
}

std::vector<uint64_t> fromBytes(ScalarType type, const std::vector<uint8_t>& bytes, size_t count) {
  std::vector<uint64_t> bits(count);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&bits[i], bytes.data() + i * byteWidth(type), byteWidth(type));
  return bits;
}

bool same(ScalarType type, uint64_t a, uint64_t b) {
  if (type == ScalarType::F32)
    return f32::Soft<f32::Binary32>::same(static_cast<uint32_t>(a), static_cast<uint32_t>(b));
  return type == ScalarType::F64 ? f32::Soft<f32::Binary64>::same(a, b) : a == b;
}

/// One importer for all cases.
Expected<cuda::CudaImporter>& importer() {
  static Expected<cuda::CudaImporter> made = cuda::CudaImporter::start();
  return made;
}

std::map<std::string, ir::ScalarValue> givenScalars(const Json& description) {
  std::map<std::string, ir::ScalarValue> scalars;
  const Json given = description.value("give", Json::object());
  for (const auto& [name, value] : given.items())
    scalars[name] = value.is_number_integer() ? ir::ScalarValue::integer(value.get<int64_t>())
                                              : ir::ScalarValue::floating(value.get<double>());
  return scalars;
}

/// One case, imported and compiled.
class Comparison {
public:
  explicit Comparison(CaseFile test) : m_case(std::move(test)) {}

  void prepare() {
    ASSERT_TRUE(importer()) << toString(importer().error());
    Expected<cuda::ImportedCuda> imported = importer()->importSource(
        m_case.source, m_case.name + ".cu", StopToken().withTimeout(std::chrono::seconds(300)));
    ASSERT_TRUE(imported) << toString(imported.error());
    m_module = std::move(imported->module);
    Expected<const ir::Kernel*> kernel = ir::findKernel(m_module, "");
    ASSERT_TRUE(kernel) << toString(kernel.error());
    m_kernel = *kernel;
    Expected<ir::LaunchContract> contract = ir::launchFromJson(m_kernel->name, m_case.description);
    ASSERT_TRUE(contract) << toString(contract.error());
    m_contract = std::move(*contract);
    Expected<NativeKernel> native = NativeKernel::compile(m_case.source, m_kernel->name);
    ASSERT_TRUE(native) << toString(native.error());
    m_native.emplace(std::move(*native));
  }

  void compareAll() {
    std::mt19937_64 random(20240229);
    const Json sizes = m_case.description.value("sizes", Json::array({Json::object()}));
    for (const Json& size : sizes)
      for (const char* schedule : {"forward", "backward", "random:11"}) {
        SCOPED_TRACE(size.dump() + " " + schedule);
        compare(size.get<std::map<std::string, int64_t>>(), *ir::parseSchedule(schedule), random);
      }
  }

private:
  const ir::Function& function() const { return m_module.functions[static_cast<size_t>(m_kernel->function)]; }

  void compare(const std::map<std::string, int64_t>& sizes, const ir::Schedule& schedule,
               std::mt19937_64& random) {
    Expected<ir::ConcreteLaunch> launch = ir::bindLaunch(
        m_contract, function(), sizes, givenScalars(m_case.description), m_kernel->maxThreadsPerBlock);
    ASSERT_TRUE(launch) << toString(launch.error());
    ir::BufferContents contents;
    for (int i = 0; i < function().parameterCount; ++i) {
      const ir::Local& parameter = function().locals[static_cast<size_t>(i)];
      if (parameter.type.pointer)
        contents[parameter.name] = makeContents(m_case, parameter.name, parameter.type.scalar,
                                                launch->buffers.at(parameter.name).length, random);
    }
    const ir::BufferContents interpreted = interpret(*launch, contents, schedule);
    const ir::BufferContents native = runNatively(*launch, contents);
    for (const auto& [name, bits] : native)
      compareBuffer(name, contents.at(name), interpreted.at(name), bits);
  }

  ir::BufferContents interpret(const ir::ConcreteLaunch& launch, const ir::BufferContents& contents,
                               const ir::Schedule& schedule) {
    ir::BufferContents after;
    Expected<ir::Memory<ir::IeeeDomain>> memory = ir::makeMemory(launch, function(), contents);
    EXPECT_TRUE(memory) << toString(memory.error());
    Expected<ir::Interpreter<ir::IeeeDomain>> interpreter =
        ir::Interpreter<ir::IeeeDomain>::make(m_module, m_kernel->function);
    EXPECT_TRUE(interpreter);
    ir::RunOptions<ir::IeeeDomain> options;
    options.schedule = schedule;
    Expected<ir::RunResult> result = interpreter->run(launch, *memory, options);
    EXPECT_TRUE(result) << toString(result.error());
    for (const ir::RunFinding& finding : result->findings)
      ADD_FAILURE() << print(finding); // a program with undefined behaviour has nothing to compare
    for (const auto& [name, bits] : contents)
      after[name] = ir::bitsOf((*memory)[memory->indexOf(name)]);
    return after;
  }

  ir::BufferContents runNatively(const ir::ConcreteLaunch& launch, const ir::BufferContents& contents) {
    std::map<std::string, std::vector<uint8_t>> bytes;
    std::vector<std::vector<uint8_t>> scalars;
    std::vector<void*> pointers;
    std::vector<void*> arguments;
    pointers.reserve(static_cast<size_t>(function().parameterCount));
    scalars.reserve(static_cast<size_t>(function().parameterCount));
    for (int i = 0; i < function().parameterCount; ++i) {
      const ir::Local& parameter = function().locals[static_cast<size_t>(i)];
      if (parameter.type.pointer) {
        bytes[parameter.name] = toBytes(parameter.type.scalar, contents.at(parameter.name));
        pointers.push_back(bytes[parameter.name].data());
        arguments.push_back(&pointers.back());
      } else {
        scalars.push_back(toBytes(parameter.type.scalar,
                                  {scalarBits(launch.scalars.at(parameter.name), parameter.type.scalar)}));
        arguments.push_back(scalars.back().data());
      }
    }
    m_native->run(arguments, launch.grid, launch.block);
    ir::BufferContents after;
    for (int i = 0; i < function().parameterCount; ++i) {
      const ir::Local& parameter = function().locals[static_cast<size_t>(i)];
      if (parameter.type.pointer)
        after[parameter.name] =
            fromBytes(parameter.type.scalar, bytes[parameter.name], contents.at(parameter.name).size());
    }
    return after;
  }

  /// The argument as the host compiler would convert it.
  static uint64_t scalarBits(const ir::ScalarValue& value, ScalarType type) {
    if (value.type != ScalarType::F64)
      return ir::isFloat(type)
                 ? (type == ScalarType::F32
                        ? std::bit_cast<uint32_t>(static_cast<float>(static_cast<int64_t>(value.bits)))
                        : std::bit_cast<uint64_t>(static_cast<double>(static_cast<int64_t>(value.bits))))
                 : value.bits;
    const auto number = std::bit_cast<double>(value.bits);
    return type == ScalarType::F32 ? std::bit_cast<uint32_t>(static_cast<float>(number)) : value.bits;
  }

  void compareBuffer(const std::string& name, const std::vector<uint64_t>& before,
                     const std::vector<uint64_t>& interpreted, const std::vector<uint64_t>& native) {
    ScalarType type = ScalarType::Void;
    for (const ir::Local& local : function().locals)
      if (local.name == name)
        type = local.type.scalar;
    int shown = 0;
    for (size_t i = 0; i < native.size() && shown < 5; ++i)
      if (!same(type, interpreted[i], native[i])) {
        ADD_FAILURE() << name << "[" << i << "]: interpreter 0x" << std::hex << interpreted[i]
                      << ", native 0x" << native[i] << ", before 0x" << before[i];
        ++shown;
      }
    m_changed += native != before;
  }

public:
  /// How many buffers the runs changed; none means that nothing was tested.
  int changed() const { return m_changed; }

private:
  CaseFile m_case;
  ir::Module m_module;
  const ir::Kernel* m_kernel = nullptr;
  ir::LaunchContract m_contract;
  std::optional<NativeKernel> m_native;
  int m_changed = 0;
};

class KernelDifferential : public testing::TestWithParam<std::string> {};

TEST_P(KernelDifferential, InterpreterAgreesWithNativeCode) {
  Expected<CaseFile> test = readCase(std::filesystem::path(PLUMBLINE_CASES) / (GetParam() + ".cu"));
  ASSERT_TRUE(test) << toString(test.error());
  Comparison comparison(std::move(*test));
  comparison.prepare();
  if (HasFatalFailure())
    return;
  comparison.compareAll();
  EXPECT_GT(comparison.changed(), 0);
}

INSTANTIATE_TEST_SUITE_P(Cases, KernelDifferential, testing::ValuesIn(caseNames()),
                         [](const auto& info) { return info.param; });

} // namespace
} // namespace plumbline::differential
