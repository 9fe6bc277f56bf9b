#include "tests/differential/kernel/comparison.h"

#include "core/cuda/cuda_import.h"
#include "core/ir/integer_ops.h"
#include "core/ir/interpreter.h"
#include "tests/differential/kernel/native_opaque.h"

#include <cstring>
#include <sstream>

namespace plumbline::differential {
namespace {

using ir::ScalarType;

constexpr int mostShown = 5;

size_t byteWidth(ScalarType type) {
  return static_cast<size_t>(ir::byteSize(type));
}

std::vector<uint8_t> toBytes(ScalarType type, const std::vector<uint64_t>& bits) {
  std::vector<uint8_t> bytes(bits.size() * byteWidth(type));
  for (size_t i = 0; i < bits.size(); ++i)
    std::memcpy(bytes.data() + i * byteWidth(type), &bits[i], byteWidth(type)); // little endian
  return bytes;
}

std::vector<uint64_t> fromBytes(ScalarType type, const uint8_t* bytes, size_t count) {
  std::vector<uint64_t> bits(count);
  for (size_t i = 0; i < count; ++i)
    std::memcpy(&bits[i], bytes + i * byteWidth(type), byteWidth(type));
  return bits;
}

bool same(ScalarType type, uint64_t a, uint64_t b) {
  const bool bothNan =
      ir::isAnyFloat(type) && ir::IeeeDomain::isNan(type, a) && ir::IeeeDomain::isNan(type, b);
  return a == b || bothNan;
}

/// One importer for all programs.
Expected<cuda::CudaImporter>& importer() {
  static Expected<cuda::CudaImporter> made = cuda::CudaImporter::start();
  return made;
}

/// The argument as the host compiler would convert it.
uint64_t scalarBits(const ir::ScalarValue& value, ScalarType type) {
  if (value.type != ScalarType::F64)
    return ir::isFloat(type)
               ? (type == ScalarType::F32
                      ? std::bit_cast<uint32_t>(static_cast<float>(static_cast<int64_t>(value.bits)))
                      : std::bit_cast<uint64_t>(static_cast<double>(static_cast<int64_t>(value.bits))))
               : value.bits;
  const auto number = std::bit_cast<double>(value.bits);
  return type == ScalarType::F32 ? std::bit_cast<uint32_t>(static_cast<float>(number)) : value.bits;
}

std::string differingElements(const ir::Local& parameter, const std::vector<uint64_t>& before,
                              const std::vector<uint64_t>& interpreted, const std::vector<uint64_t>& native) {
  std::ostringstream out;
  int shown = 0;
  for (size_t i = 0; i < native.size(); ++i)
    if (!same(parameter.type.scalar, interpreted[i], native[i]) && shown++ < mostShown)
      out << parameter.name << "[" << std::dec << i << "]: interpreter 0x" << std::hex << interpreted[i]
          << ", native 0x" << native[i] << ", before 0x" << before[i] << "\n";
  if (shown > mostShown)
    out << std::dec << "and " << shown - mostShown << " more elements of " << parameter.name << "\n";
  return out.str();
}

/// Memory at a multiple of 16 bytes, so that vectors may be read from it.
struct NativeBuffer {
  explicit NativeBuffer(const std::vector<uint8_t>& bytes) : words(bytes.size() / 16 + 1) {
    std::memcpy(words.data(), bytes.data(), bytes.size());
  }
  struct alignas(16) Word {
    uint8_t bytes[16];
  };
  std::vector<Word> words;
  uint8_t* data() { return words.front().bytes; }
};

} // namespace

Expected<Program> Program::make(const std::string& name, const std::string& source,
                                const std::string& optimise) {
  if (!importer())
    return fail(importer().error());
  Expected<cuda::ImportedCuda> imported =
      importer()->importSource(source, name + ".cu", StopToken().withTimeout(std::chrono::seconds(300)));
  if (!imported)
    return fail(imported.error());
  if (!imported->errors.empty())
    return fail(ErrorKind::Rejected, imported->errors[0].id, imported->errors[0].construct);
  std::vector<std::string> names;
  for (const ir::Kernel& kernel : imported->module.kernels) {
    if (!kernel.rejections.empty()) {
      const Rejection& first = kernel.rejections[0];
      return fail(ErrorKind::Rejected, first.id,
                  kernel.name + ": " + first.construct + " at line " + std::to_string(first.where.line));
    }
    names.push_back(kernel.name);
  }
  Expected<NativeKernels> native = NativeKernels::compile(source, names, optimise);
  if (!native)
    return fail(native.error());
  return Program(std::move(imported->module), std::move(*native));
}

Expected<Program::Outcome> Program::run(size_t kernel, const ir::ConcreteLaunch& launch,
                                        const ir::BufferContents& contents,
                                        const std::vector<std::string>& schedules) const {
  Outcome outcome;
  const ir::BufferContents native = runNatively(kernel, launch, contents);
  for (const auto& [name, bits] : native)
    if (bits != contents.at(name))
      outcome.changed.push_back(name);
  for (const std::string& schedule : schedules) {
    std::string differences;
    Expected<ir::BufferContents> after = interpret(kernel, launch, contents, schedule, differences);
    if (!after)
      return fail(after.error());
    for (int i = 0; i < function(kernel).parameterCount; ++i)
      if (const ir::Local& each = function(kernel).locals[static_cast<size_t>(i)]; each.type.pointer)
        differences +=
            differingElements(each, contents.at(each.name), after->at(each.name), native.at(each.name));
    if (!differences.empty())
      outcome.differences += schedule + ":\n" + differences;
  }
  return outcome;
}

Expected<ir::BufferContents> Program::interpret(size_t kernel, const ir::ConcreteLaunch& launch,
                                                const ir::BufferContents& contents,
                                                const std::string& schedule, std::string& findings) const {
  Expected<ir::Memory<ir::IeeeDomain>> memory = ir::makeMemory(launch, function(kernel), contents);
  if (!memory)
    return fail(memory.error());
  Expected<ir::Interpreter<ir::IeeeDomain>> interpreter =
      ir::Interpreter<ir::IeeeDomain>::make(m_module, m_module.kernels[kernel].function);
  if (!interpreter)
    return fail(interpreter.error());
  ir::RunOptions<ir::IeeeDomain> options;
  options.schedule = *ir::parseSchedule(schedule);
  options.stepLimit = uint64_t{1} << 28;
  options.opaque = [](std::string_view spelling, ScalarType type, std::span<const uint64_t> args) {
    return std::optional(opaqueValue(spelling, type, args));
  };
  Expected<ir::RunResult> result = interpreter->run(launch, *memory, options);
  if (!result)
    return fail(result.error());
  // A program with undefined behaviour has nothing to compare.
  for (size_t i = 0; i < result->findings.size() && i < mostShown; ++i)
    findings += print(result->findings[i]) + "\n";
  ir::BufferContents after;
  for (const auto& [name, bits] : contents)
    after[name] = ir::bitsOf((*memory)[memory->indexOf(name)]);
  return after;
}

ir::BufferContents Program::runNatively(size_t kernel, const ir::ConcreteLaunch& launch,
                                        const ir::BufferContents& contents) const {
  const auto parameterCount = static_cast<size_t>(function(kernel).parameterCount);
  std::map<std::string, NativeBuffer> buffers;
  std::vector<std::vector<uint8_t>> scalars;
  std::vector<void*> pointers;
  std::vector<void*> arguments;
  pointers.reserve(parameterCount);
  scalars.reserve(parameterCount);
  for (size_t i = 0; i < parameterCount; ++i) {
    const ir::Local& parameter = function(kernel).locals[i];
    if (parameter.type.pointer) {
      const auto [made, isNew] =
          buffers.try_emplace(parameter.name, toBytes(parameter.type.scalar, contents.at(parameter.name)));
      pointers.push_back(made->second.data());
      arguments.push_back(&pointers.back());
    } else {
      scalars.push_back(toBytes(parameter.type.scalar,
                                {scalarBits(launch.scalars.at(parameter.name), parameter.type.scalar)}));
      arguments.push_back(scalars.back().data());
    }
  }
  m_native.run(kernel, arguments, launch.grid, launch.block);
  ir::BufferContents after;
  for (size_t i = 0; i < parameterCount; ++i) {
    const ir::Local& parameter = function(kernel).locals[i];
    if (parameter.type.pointer)
      after[parameter.name] = fromBytes(parameter.type.scalar, buffers.at(parameter.name).data(),
                                        contents.at(parameter.name).size());
  }
  return after;
}

} // namespace plumbline::differential
