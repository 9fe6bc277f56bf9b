#include "tests/differential/kernel/sanitized.h"

#include "core/base/child_process.h"
#include "core/base/json.h"
#include "tests/differential/kernel/shared_text.h"

#include <algorithm>
#include <array>
#include <bit>
#include <sstream>

namespace plumbline::differential {
namespace {

using ir::ScalarType;

constexpr std::chrono::seconds compileLimit{300};

std::string unitOf(const std::vector<SanitizedSource>& sources) {
  std::string text, cases;
  for (size_t i = 0; i < sources.size(); ++i) {
    const std::string name = "plumblineUnit" + std::to_string(i);
    text += "namespace " + name + " {\n" + withSharedInstances(sources[i].text) + "\n}\n";
    cases += "  case " + std::to_string(i) + ": return fiber::callKernel(&" + name +
             "::" + sources[i].kernel + ", arguments);\n";
  }
  return text + "extern \"C\" void plumblineEntry(int kernel, void** arguments) {\n  switch (kernel) {\n" +
         cases + "  }\n}\n";
}

Expected<void> callCompiler(const std::vector<std::string>& arguments,
                            const std::string& error = "native-compile") {
  std::vector<std::string> words = {"clang++-19", "-std=c++17", "-w",
                                    std::string("-I") + PLUMBLINE_SOURCE_DIR};
  words.insert(words.end(), arguments.begin(), arguments.end());
  Expected<ChildProcess> compiler = ChildProcess::start(words);
  if (!compiler)
    return fail(compiler.error());
  const Expected<int> status = compiler->wait(StopToken().withTimeout(compileLimit));
  if (!status || *status != 0)
    return fail(ErrorKind::Tool, error, compiler->errorText());
  return {};
}

std::string sanitizerOption(Sanitizer sanitizer) {
  return sanitizer == Sanitizer::Threads
             ? "-fsanitize=thread"
             : "-fsanitize=address,signed-integer-overflow,integer-divide-by-zero,shift,alignment";
}

/// Without optimisation, so that no access is left out. Casts and aliasing as in README.md.
Expected<void> build(const std::filesystem::path& folder, Sanitizer sanitizer) {
  const std::string option = sanitizerOption(sanitizer);
  const std::string unit = (folder / "kernels.cpp").string(), object = (folder / "kernels.o").string();
  const std::string source =
      std::string(PLUMBLINE_SOURCE_DIR) + "/tests/differential/kernel/sanitized_runner.h";
  const std::string runner = (folder / "runner.o").string();
  const std::string which = sanitizer == Sanitizer::Threads ? "-DPLUMBLINE_THREADS" : "-DPLUMBLINE_ADDRESSES";
  return callCompiler({"-O0", option, "-fno-sanitize-recover=all", "-ffp-contract=off",
                       "-fno-strict-float-cast-overflow", "-fno-strict-aliasing", "-DPLUMBLINE_SANITIZED",
                       "-include", PLUMBLINE_HOST_HEADER, "-c", unit, "-o", object})
      .and_then([&] {
        return callCompiler({"-O1", "-fno-builtin", which, "-x", "c++", "-c", source, "-o", runner},
                            "native-runner");
      })
      .and_then([&] {
        return callCompiler({option, object, runner, "-o", (folder / "run").string()}, "native-runner");
      });
}

/// The argument as the host compiler would convert it.
uint64_t scalarBits(const ir::ScalarValue& value, ScalarType type) {
  if (value.type == type || !ir::isFloat(type))
    return value.bits;
  const double number = value.type == ScalarType::F64 ? std::bit_cast<double>(value.bits)
                                                      : static_cast<double>(static_cast<int64_t>(value.bits));
  return type == ScalarType::F32 ? std::bit_cast<uint32_t>(static_cast<float>(number))
                                 : std::bit_cast<uint64_t>(number);
}

void writeBuffer(std::ostream& out, const SanitizedLaunch& given, const ir::Function& kernel,
                 size_t position) {
  const ir::Local& parameter = kernel.locals[position];
  const ir::BufferBinding& buffer = given.launch.buffers.at(parameter.name);
  size_t first = position;
  for (size_t i = 0; i < position; ++i)
    if (kernel.locals[i].name == buffer.sameAs)
      first = i;
  const bool spoilt = buffer.role == ir::BufferRole::Output && !buffer.zeroInitialised;
  const auto contents = given.contents.find(parameter.name);
  const bool filled = !spoilt && contents != given.contents.end();
  out << "1 " << ir::byteSize(parameter.type.scalar) << " " << buffer.length << " "
      << (given.loose ? buffer.align % 16 : 0) << " " << first << " " << (spoilt ? 1 : 0) << " "
      << (filled ? 1 : 0);
  if (filled)
    for (const uint64_t bits : contents->second)
      out << " " << bits;
  out << "\n";
}

std::string launchText(const SanitizedLaunch& given, const ir::Function& kernel) {
  std::ostringstream out;
  for (const auto& sides : {given.launch.grid, given.launch.block})
    for (const int64_t side : sides)
      out << side << " ";
  out << given.launch.sharedBytes << " " << (given.backward ? 1 : 0) << " " << kernel.parameterCount << "\n";
  for (size_t i = 0; i < static_cast<size_t>(kernel.parameterCount); ++i) {
    const ir::Local& parameter = kernel.locals[i];
    if (parameter.type.pointer)
      writeBuffer(out, given, kernel, i);
    else
      out << "0 " << scalarBits(given.launch.scalars.at(parameter.name), parameter.type.scalar) << "\n";
  }
  return out.str();
}

} // namespace

Expected<TemporaryFolder> TemporaryFolder::make() {
  std::string pattern = (std::filesystem::temp_directory_path() / "plumbline_sanitized_XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    return fail(ErrorKind::File, "native-compile", "no temporary folder");
  return TemporaryFolder(pattern);
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code code;
  if (!m_path.empty())
    std::filesystem::remove_all(m_path, code);
}

Expected<SanitizedKernels> SanitizedKernels::compile(const std::vector<SanitizedSource>& sources,
                                                     Sanitizer sanitizer) {
  Expected<TemporaryFolder> folder = TemporaryFolder::make();
  if (!folder)
    return fail(folder.error());
  if (Expected<void> written = writeFile(folder->path() / "kernels.cpp", unitOf(sources)); !written)
    return fail(written.error());
  if (Expected<void> built = build(folder->path(), sanitizer); !built)
    return fail(built.error());
  return SanitizedKernels(std::move(*folder));
}

Expected<std::string> SanitizedKernels::run(size_t source, const ir::Function& kernel,
                                            const std::vector<SanitizedLaunch>& launches,
                                            std::chrono::milliseconds limit) const {
  std::string text = std::to_string(launches.size()) + "\n";
  for (const SanitizedLaunch& launch : launches)
    text += launchText(launch, kernel);
  const std::filesystem::path file = m_folder.path() / "launches";
  if (Expected<void> written = writeFile(file, text); !written)
    return fail(written.error());
  Expected<ChildProcess> child =
      ChildProcess::start({(m_folder.path() / "run").string(), std::to_string(source), file.string()});
  if (!child)
    return fail(child.error());
  const Expected<std::string> line = child->readLine(StopToken().withTimeout(limit));
  constexpr std::string_view finding = "finding ";
  if (line && *line == "complete")
    return std::string();
  if (line && line->starts_with(finding))
    return line->substr(finding.size());
  return fail(ErrorKind::Tool, "native-run", line ? *line : toString(line.error()));
}

bool canSanitize() {
  static const bool can = [] {
    const Expected<TemporaryFolder> folder = TemporaryFolder::make();
    if (!folder || !writeFile(folder->path() / "empty.cpp", "int main() {}\n"))
      return false;
    return std::ranges::all_of(
        std::array{Sanitizer::Threads, Sanitizer::Addresses}, [&](Sanitizer sanitizer) {
          return callCompiler({sanitizerOption(sanitizer), folder->path() / "empty.cpp", "-o",
                               folder->path() / "empty"})
              .has_value();
        });
  }();
  return can;
}

} // namespace plumbline::differential
