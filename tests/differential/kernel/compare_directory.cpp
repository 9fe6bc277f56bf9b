// Compares the interpreter with native code on the kernels of a folder of CUDA sources: a program for
// measuring.
//   compare_directory FOLDER [--sample N] [--seed S] [--file TEXT] [--tries N] [--wanted N] [--verbose]
#include "core/base/json.h"
#include "core/cuda/cuda_import.h"
#include "core/ir/interpreter.h"
#include "tests/differential/kernel/device_text.h"
#include "tests/differential/kernel/native_kernel.h"
#include "tests/differential/kernel/native_opaque.h"
#include "tests/differential/kernel/sampled_launch.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <iostream>
#include <set>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

namespace plumbline::differential {
namespace {

using ir::ScalarType;

struct Options {
  std::filesystem::path folder;
  size_t sample = 0; ///< files, 0: all
  uint64_t seed = 1;
  std::string only; ///< part of the file's name
  int tries = 16;
  int wanted = 2; ///< launches that both sides ran
  bool verbose = false;
};

/// What became of a kernel, the worst first.
struct KernelOutcome {
  std::string outcome; ///< agrees, disagrees, fault: KIND, native-compile, native-stopped, rejected: ID
  std::string detail;
};

size_t widthOf(ScalarType type) {
  return static_cast<size_t>(ir::byteSize(type));
}

bool same(ScalarType type, uint64_t a, uint64_t b) {
  return a == b || (ir::isAnyFloat(type) && ir::IeeeDomain::isNan(type, a) && ir::IeeeDomain::isNan(type, b));
}

/// Memory that a child process shares, one aligned part for each buffer.
class SharedBuffers {
public:
  SharedBuffers(const ir::Function& function, const LaunchSample& sample)
      : m_function(function), m_sample(sample) {
    for (const auto& [name, bits] : sample.contents) {
      m_offsets[name] = m_bytes;
      m_bytes += (bits.size() * 8 + 511) / 256 * 256;
    }
    m_bytes = std::max<size_t>(m_bytes, 256);
    m_memory = static_cast<uint8_t*>(
        ::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    for (const auto& [name, bits] : sample.contents)
      for (size_t i = 0; i < bits.size(); ++i)
        std::memcpy(at(name) + i * width(name), &bits[i], width(name));
  }
  SharedBuffers(const SharedBuffers&) = delete;
  SharedBuffers& operator=(const SharedBuffers&) = delete;
  ~SharedBuffers() { ::munmap(m_memory, m_bytes); }

  uint8_t* at(const std::string& name) { return m_memory + m_offsets.at(name); }
  std::vector<uint64_t> bits(const std::string& name) {
    std::vector<uint64_t> read(m_sample.contents.at(name).size());
    for (size_t i = 0; i < read.size(); ++i)
      std::memcpy(&read[i], at(name) + i * width(name), width(name));
    return read;
  }

private:
  size_t width(const std::string& name) const {
    for (const ir::Local& local : m_function.locals)
      if (local.name == name)
        return widthOf(local.type.scalar);
    return 1;
  }

  const ir::Function& m_function;
  const LaunchSample& m_sample;
  std::map<std::string, size_t> m_offsets;
  size_t m_bytes = 0;
  uint8_t* m_memory = nullptr;
};

/// The argument as the host compiler would convert it.
uint64_t scalarBits(const ir::ScalarValue& value, ScalarType type) {
  uint64_t bits = value.bits;
  if (ir::isAnyFloat(value.type) && ir::isAnyFloat(type))
    ir::IeeeDomain::convert(value.type, type, value.bits, bits);
  else if (ir::isAnyFloat(type))
    ir::IeeeDomain::fromInteger(value.type, type, static_cast<int64_t>(value.bits), bits);
  return bits;
}

/// Runs the kernel in a child process: a crash or a block that hangs is an answer.
std::string runNatively(const NativeKernels& native, size_t index, const ir::Function& function,
                        const LaunchSample& sample, SharedBuffers& buffers) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    if (!::freopen("/dev/null", "w", stderr))
      ::_exit(2);
    const auto count = static_cast<size_t>(function.parameterCount);
    std::vector<void*> pointers(count);
    std::vector<uint64_t> scalars(count);
    std::vector<void*> arguments(count);
    for (size_t i = 0; i < count; ++i) {
      const ir::Local& parameter = function.locals[i];
      if (parameter.type.pointer) {
        pointers[i] = buffers.at(sample.launch.buffers.at(parameter.name).sameAs);
        arguments[i] = static_cast<void*>(&pointers[i]);
      } else {
        scalars[i] = scalarBits(sample.launch.scalars.at(parameter.name), parameter.type.scalar);
        arguments[i] = &scalars[i];
      }
    }
    native.run(index, arguments, sample.launch.grid, sample.launch.block);
    ::_exit(0);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child)
    return "no child process";
  if (WIFSIGNALED(status))
    return std::string("signal ") + ::strsignal(WTERMSIG(status));
  return status == 0 ? "" : "status " + std::to_string(status);
}

struct Interpreted {
  std::string fault; ///< kind of the first finding
  std::string detail;
  bool orderDependent = false;
  ir::BufferContents after;
};

Interpreted interpret(const ir::Module& module, const ir::Kernel& kernel, const LaunchSample& sample,
                      const std::string& schedule, bool exitedThreadsOk) {
  Interpreted made;
  const ir::Function& function = module.functions[static_cast<size_t>(kernel.function)];
  auto memory = ir::makeMemory(sample.launch, function, sample.contents);
  auto interpreter = ir::Interpreter<ir::IeeeDomain>::make(module, kernel.function);
  if (!memory || !interpreter)
    return {memory ? interpreter.error().id : memory.error().id, {}, false, {}};
  ir::RunOptions<ir::IeeeDomain> options;
  options.schedule = *ir::parseSchedule(schedule);
  options.stepLimit = uint64_t{1} << 26;
  options.exitedThreadsOk = exitedThreadsOk;
  options.opaque = [](std::string_view spelling, ScalarType type, std::span<const uint64_t> args) {
    return std::optional(opaqueValue(spelling, type, args));
  };
  const auto result = interpreter->run(sample.launch, *memory, options);
  if (!result)
    return {result.error().id, {}, false, {}};
  if (!result->findings.empty()) {
    made.fault = name(result->findings[0].kind);
    made.detail = print(result->findings[0]);
  }
  made.orderDependent = !result->orderDependent.empty();
  for (const auto& [name, bits] : sample.contents)
    made.after[name] = ir::bitsOf((*memory)[memory->indexOf(name)]);
  return made;
}

std::string firstDifference(const ir::Function& function, const ir::BufferContents& a,
                            const ir::BufferContents& b, const ir::BufferContents& before) {
  for (int i = 0; i < function.parameterCount; ++i) {
    const ir::Local& parameter = function.locals[static_cast<size_t>(i)];
    if (!parameter.type.pointer)
      continue;
    const std::vector<uint64_t>& left = a.at(parameter.name);
    const std::vector<uint64_t>& right = b.at(parameter.name);
    for (size_t k = 0; k < left.size(); ++k)
      if (!same(parameter.type.scalar, left[k], right[k])) {
        char text[160];
        std::snprintf(text, sizeof text, "%s[%zu]: 0x%llx and 0x%llx, before 0x%llx", parameter.name.c_str(),
                      k, static_cast<unsigned long long>(left[k]), static_cast<unsigned long long>(right[k]),
                      static_cast<unsigned long long>(before.at(parameter.name)[k]));
        return text;
      }
  }
  return {};
}

std::string words(const ir::ConcreteLaunch& launch) {
  std::string text = "grid";
  for (int64_t side : launch.grid)
    text += " " + std::to_string(side);
  text += " block";
  for (int64_t side : launch.block)
    text += " " + std::to_string(side);
  for (const auto& [name, value] : launch.scalars)
    text += " " + name + "=" +
            (value.type == ScalarType::F64 ? std::to_string(std::bit_cast<double>(value.bits))
                                           : std::to_string(static_cast<int64_t>(value.bits)));
  return text;
}

class FileComparison {
public:
  FileComparison(const Options& options, const ir::Module& module,
                 const std::vector<ir::LaunchContract>& launches, const Expected<NativeKernels>& native)
      : m_options(options), m_module(module), m_launches(launches), m_native(native) {}

  KernelOutcome compare(const ir::Kernel& kernel, size_t nativeIndex) {
    if (!m_native)
      return {"native-compile", m_native.error().message};
    const ir::LaunchContract* contract = nullptr;
    for (const ir::LaunchContract& each : m_launches)
      if (each.kernel == kernel.name)
        contract = &each;
    LaunchSampler sampler(m_module, kernel, contract, m_options.seed);
    KernelOutcome last{"fault: no-launch", ""};
    std::string effect = "agrees, nothing written";
    int agreed = 0;
    for (int i = 0; i < m_options.tries && agreed < m_options.wanted; ++i) {
      const std::optional<LaunchSample> sample = sampler.next();
      if (!sample)
        continue;
      const KernelOutcome one = compareLaunch(kernel, nativeIndex, *sample);
      if (m_options.verbose)
        std::cerr << "  " << kernel.name << " " << words(sample->launch) << ": " << one.outcome << " "
                  << one.detail << "\n";
      if (one.outcome == "disagrees" || one.outcome == "native-stopped")
        return {one.outcome, words(sample->launch) + ": " + one.detail};
      if (one.outcome.starts_with("agrees")) {
        agreed += one.outcome == "agrees";
        effect = one.outcome == "agrees" ? one.outcome : effect;
        last = {effect, ""};
      } else if (!last.outcome.starts_with("agrees")) {
        last = one;
      }
    }
    return last;
  }

private:
  KernelOutcome compareLaunch(const ir::Kernel& kernel, size_t nativeIndex, const LaunchSample& sample) {
    bool exitedOk = false;
    Interpreted forward = interpret(m_module, kernel, sample, "forward", false);
    if (forward.fault == "divergent-barrier") {
      exitedOk = true;
      forward = interpret(m_module, kernel, sample, "forward", true);
    }
    if (!forward.fault.empty())
      return {"fault: " + forward.fault, forward.detail};
    const Interpreted shuffled = interpret(m_module, kernel, sample, "random:7", exitedOk);
    if (!shuffled.fault.empty())
      return {"fault: " + shuffled.fault, shuffled.detail};
    const ir::Function& function = m_module.functions[static_cast<size_t>(kernel.function)];
    if (!forward.orderDependent)
      if (const std::string d = firstDifference(function, forward.after, shuffled.after, sample.contents);
          !d.empty())
        return {"disagrees", "two schedules: " + d};
    SharedBuffers buffers(function, sample);
    if (const std::string stopped = runNatively(*m_native, nativeIndex, function, sample, buffers);
        !stopped.empty())
      return {exitedOk ? "fault: divergent-barrier" : "native-stopped", stopped};
    ir::BufferContents native;
    for (const auto& [name, binding] : sample.launch.buffers)
      native[name] = buffers.bits(binding.sameAs);
    if (const std::string d = firstDifference(function, forward.after, native, sample.contents); !d.empty())
      return {forward.orderDependent ? "agrees, up to the order of atomics" : "disagrees",
              "interpreter and native: " + d};
    return {native == sample.contents ? "agrees, nothing written" : "agrees", ""};
  }

  const Options& m_options;
  const ir::Module& m_module;
  const std::vector<ir::LaunchContract>& m_launches;
  const Expected<NativeKernels>& m_native;
};

class Comparison {
public:
  explicit Comparison(Options options) : m_options(std::move(options)) {}

  int run() {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(m_options.folder))
      if (entry.path().extension() == ".cu" &&
          entry.path().string().find(m_options.only) != std::string::npos)
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    std::mt19937_64 random(m_options.seed);
    if (m_options.sample > 0 && m_options.sample < files.size()) {
      std::shuffle(files.begin(), files.end(), random);
      files.resize(m_options.sample);
    }
    Expected<cuda::CudaImporter> importer = cuda::CudaImporter::start();
    if (!importer) {
      std::cerr << toString(importer.error()) << "\n";
      return 4;
    }
    for (const std::filesystem::path& file : files)
      compareFile(*importer, file);
    printTable();
    return 0;
  }

private:
  void note(const std::filesystem::path& file, const std::string& kernel, const KernelOutcome& outcome) {
    const std::filesystem::path below = std::filesystem::relative(file, m_options.folder);
    const std::string source = below.has_parent_path() ? below.begin()->string() : ".";
    ++m_table[source][outcome.outcome];
    std::string detail = outcome.detail.substr(0, 600);
    std::replace(detail.begin(), detail.end(), '\n', ' ');
    std::cout << below.string() << "\t" << kernel << "\t" << outcome.outcome << "\t" << detail << std::endl;
  }

  void compareFile(cuda::CudaImporter& importer, const std::filesystem::path& file) {
    const Expected<std::string> source = readFile(file);
    if (!source)
      return;
    const auto imported = importer.importSource(*source, file.filename().string(),
                                                StopToken().withTimeout(std::chrono::seconds(60)));
    if (!imported)
      return note(file, "-", {imported.error().id, imported.error().message});
    std::vector<std::string> names;
    for (const ir::Kernel& kernel : imported->module.kernels)
      if (kernel.function >= 0)
        names.push_back(kernel.name);
    const Expected<NativeKernels> native =
        names.empty() ? fail(ErrorKind::Tool, "native-compile", "no kernel")
                      : NativeKernels::compile(deviceText(*source, names), names, "-O1");
    FileComparison comparison(m_options, imported->module, imported->launches, native);
    size_t index = 0;
    for (const ir::Kernel& kernel : imported->module.kernels)
      note(file, kernel.name,
           kernel.function >= 0
               ? comparison.compare(kernel, index++)
               : KernelOutcome{"rejected: " + kernel.rejections[0].id, kernel.rejections[0].construct});
  }

  void printTable() const {
    for (const auto& [source, outcomes] : m_table) {
      int total = 0;
      for (const auto& [outcome, count] : outcomes)
        total += count;
      std::cout << "\n" << source << ": " << total << " kernels\n";
      for (const auto& [outcome, count] : outcomes)
        std::cout << "  " << count << "\t" << outcome << "\n";
    }
  }

  Options m_options;
  std::map<std::string, std::map<std::string, int>> m_table;
};

/// Nothing where the words are not understood.
std::optional<Options> parse(const std::vector<std::string>& arguments) {
  Options options;
  std::map<std::string, int> numbers = {{"--sample", 0}, {"--seed", 1}, {"--tries", 16}, {"--wanted", 2}};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    const bool last = i + 1 == arguments.size();
    if (word == "--verbose") {
      options.verbose = true;
    } else if (!word.starts_with("--") && options.folder.empty()) {
      options.folder = word;
    } else if (!last && word == "--file") {
      options.only = arguments[++i];
    } else if (const auto number = numbers.find(word); !last && number != numbers.end()) {
      number->second = std::atoi(arguments[++i].c_str());
      if (number->second < 1)
        return std::nullopt;
    } else {
      return std::nullopt;
    }
  }
  options.sample = static_cast<size_t>(numbers["--sample"]);
  options.seed = static_cast<uint64_t>(numbers["--seed"]);
  options.tries = numbers["--tries"];
  options.wanted = numbers["--wanted"];
  return options.folder.empty() ? std::nullopt : std::optional(options);
}

} // namespace
} // namespace plumbline::differential

int main(int argc, char** argv) {
  const auto options = plumbline::differential::parse({argv + 1, argv + argc});
  if (!options) {
    std::cerr
        << "usage: compare_directory FOLDER [--sample N] [--seed S] [--file TEXT] [--tries N] [--wanted N] "
           "[--verbose]\n";
    return 4;
  }
  return plumbline::differential::Comparison(*options).run();
}
