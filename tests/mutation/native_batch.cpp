#include "tests/mutation/native_batch.h"

#include "core/base/child_process.h"
#include "core/base/json.h"

#include <dlfcn.h>
#include <regex>
#include <set>
#include <thread>

namespace plumbline::mutation {
namespace {

std::string argumentsOf(const Base& base) {
  std::string result;
  for (size_t i = 0; i < base.inputs; ++i) {
    std::string shape = "1, " + std::to_string(chunkSize) + ", 1";
    if (base.rank == 2)
      shape = "2, " + std::to_string(chunkSize / chunkColumns) + ", " + std::to_string(chunkColumns);
    if (base.rowBroadcast && i + 1 == base.inputs)
      shape = "1, " + std::to_string(chunkColumns) + ", 1";
    result += (i == 0 ? "" : ", ") + ("host::argument<" + shape + ">(run, " + std::to_string(i) + ")");
  }
  return result;
}

/// Numbers of the texts in which the compiler found errors.
std::set<size_t> namedInErrors(const std::string& messages) {
  std::set<size_t> result;
  static const std::regex place("mutant_([0-9]+):[0-9]+:[0-9]+: (fatal )?error");
  for (std::sregex_iterator each(messages.begin(), messages.end(), place), end; each != end; ++each)
    result.insert(std::stoul((*each)[1]));
  return result;
}

struct Compilation {
  int status = -1;
  std::string messages;
};

Compilation runCompiler(bool checkedBuild, const std::filesystem::path& source,
                        const std::filesystem::path& library) {
  std::vector<std::string> command = {"clang++-19",
                                      "-x",
                                      "c++",
                                      "-std=c++20",
                                      "-w",
                                      "-ffp-contract=off",
                                      "-shared",
                                      "-fPIC",
                                      "-ferror-limit=0",
                                      "-fno-caret-diagnostics",
                                      "-I" PLUMBLINE_SOURCE_DIR};
  if (checkedBuild)
    for (const char* option :
         {"-O1", "-DHOST_CHECKED", "-fsanitize=signed-integer-overflow,integer-divide-by-zero",
          "-fsanitize-minimal-runtime", "-fno-sanitize-link-runtime"})
      command.push_back(option);
  else
    for (const char* option : {"-O2", "-march=native"})
      command.push_back(option);
  for (const std::string& option : {source.string(), std::string("-o"), library.string()})
    command.push_back(option);
  const StopToken stop = StopToken().withTimeout(std::chrono::minutes(10));
  Expected<ChildProcess> compiler = ChildProcess::start(command);
  if (!compiler)
    return {-1, toString(compiler.error())};
  const Expected<std::string> output = compiler->readAll(stop);
  const Expected<int> status = compiler->wait(stop);
  return {status ? *status : -1, compiler->errorText()};
}

} // namespace

std::string hostText(const Base& base, const std::string& text, size_t number) {
  static const std::regex includes("#include[^\n]*");
  static const std::regex inputs(R"(const\s+float\s*\*\s*(__restrict__)?)");
  static const std::regex outputs(R"(([(,]\s*)float\s*\*\s*(__restrict__)?)");
  static const std::regex launches(R"((\w+)\s*<<<((?:.|\n)*?)>>>)");
  std::string body = std::regex_replace(text, includes, "");
  body = std::regex_replace(body, inputs, "host::Input ");
  body = std::regex_replace(body, outputs, "$1host::Output ");
  body = std::regex_replace(body, launches, "HOST_GRID($2) $1");
  const std::string id = std::to_string(number);
  return "struct Mutant" + id + " : host::Program {\n#line 1 \"mutant_" + id + "\"\n" + body +
         "};\nextern \"C\" void mutant" + id + "(NativeRun& run) {\n  host::current = &run;\n  Mutant" + id +
         " program;\n  program.forward(" + argumentsOf(base) + ");\n}\n";
}

Expected<NativeBatch> NativeBatch::compile(const Base& base, const std::vector<std::string>& texts) {
  NativeBatch made;
  std::string pattern = (std::filesystem::temp_directory_path() / "plumbline_mutants_XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    return fail(ErrorKind::File, "native-compile", "no temporary folder");
  made.m_folder = pattern;
  std::string program = "#include \"tests/mutation/host_program.h\"\nusing namespace plumbline::mutation;\n";
  for (size_t i = 0; i < texts.size(); ++i)
    program += "#ifndef LEFT_OUT_" + std::to_string(i) + "\n" + hostText(base, texts[i], i) + "#endif\n";
  Expected<void> results[2];
  std::thread second([&] { results[1] = made.build(false, program); });
  results[0] = made.build(true, program);
  second.join();
  for (const Expected<void>& result : results)
    if (!result)
      return fail(result.error());
  for (const bool checkedBuild : {true, false})
    if (Expected<void> loaded = made.load(checkedBuild, texts.size()); !loaded)
      return fail(loaded.error());
  return made;
}

Expected<void> NativeBatch::build(bool checkedBuild, const std::string& program) {
  const std::string name = checkedBuild ? "checked" : "fast";
  const std::filesystem::path source = m_folder / (name + ".cpp");
  std::string prefix;
  for (int attempt = 0; attempt < 8; ++attempt) {
    if (Expected<void> written = writeFile(source, prefix + program); !written)
      return written;
    const Compilation compilation = runCompiler(checkedBuild, source, m_folder / (name + ".so"));
    if (compilation.status == 0)
      return {};
    const std::set<size_t> bad = namedInErrors(compilation.messages);
    if (bad.empty() || attempt == 7)
      return fail(ErrorKind::Tool, "native-compile", compilation.messages);
    for (const size_t number : bad)
      prefix += "#define LEFT_OUT_" + std::to_string(number) + "\n";
  }
  return {};
}

Expected<void> NativeBatch::load(bool checkedBuild, size_t count) {
  const std::filesystem::path path = m_folder / (checkedBuild ? "checked.so" : "fast.so");
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return fail(ErrorKind::Tool, "native-compile", ::dlerror());
  m_libraries.push_back(library);
  std::vector<NativeEntry>& entries = checkedBuild ? m_checked : m_fast;
  for (size_t i = 0; i < count; ++i)
    entries.push_back(
        reinterpret_cast<NativeEntry>(::dlsym(library, ("mutant" + std::to_string(i)).c_str())));
  return {};
}

NativeBatch::NativeBatch(NativeBatch&& other) noexcept
    : m_folder(std::exchange(other.m_folder, {})), m_libraries(std::exchange(other.m_libraries, {})),
      m_checked(std::move(other.m_checked)), m_fast(std::move(other.m_fast)) {}

NativeBatch::~NativeBatch() {
  for (void* library : m_libraries)
    ::dlclose(library);
  std::error_code code;
  if (!m_folder.empty())
    std::filesystem::remove_all(m_folder, code);
}

} // namespace plumbline::mutation
