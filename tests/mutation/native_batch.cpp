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

/// Runs clang++ with the options. Errors: "native-compile" with its words.
Expected<void> runCompiler(std::vector<std::string> options) {
  options.insert(options.begin(),
                 {"clang++-19", "-std=c++20", "-w", "-ffp-contract=off", "-fPIC", "-ferror-limit=0",
                  "-fno-caret-diagnostics", std::string("-I") + PLUMBLINE_SOURCE_DIR});
  const StopToken stop = StopToken().withTimeout(std::chrono::minutes(10));
  Expected<ChildProcess> compiler = ChildProcess::start(options);
  if (!compiler)
    return fail(compiler.error());
  if (const Expected<std::string> output = compiler->readAll(stop); !output)
    return fail(output.error());
  const Expected<int> status = compiler->wait(stop);
  if (!status || *status != 0)
    return fail(ErrorKind::Tool, "native-compile", compiler->errorText());
  return {};
}

/// Compiles `program`; texts that are no C++ are left out.
Expected<void> compileProgram(const std::filesystem::path& source, const std::string& program,
                              std::vector<std::string> options) {
  options.insert(options.begin(), {"-x", "c++", source.string()});
  std::string prefix;
  for (int attempt = 0;; ++attempt) {
    if (Expected<void> written = writeFile(source, prefix + program); !written)
      return written;
    Expected<void> compiled = runCompiler(options);
    if (compiled)
      return {};
    const std::set<size_t> bad = namedInErrors(compiled.error().message);
    if (bad.empty() || attempt == 8)
      return compiled;
    for (const size_t number : bad)
      prefix += "#define LEFT_OUT_" + std::to_string(number) + "\n";
  }
}

/// The body of `@mutant<number>` in LLVM's text, without metadata and attribute numbers.
std::string codeOf(const std::string& module, size_t number) {
  const size_t name = module.find("@mutant" + std::to_string(number) + "(");
  if (name == std::string::npos)
    return "";
  const size_t begin = module.find('\n', name);
  static const std::regex numbers(R"([!#][0-9]+|!DIArgList.*)");
  return std::regex_replace(module.substr(begin, module.find("\n}", begin) - begin), numbers, "");
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
  const std::string reference =
      "#include \"tests/mutation/references.h\"\nnamespace wanted = plumbline::mutation::references;\n"
      "extern \"C\" void reference(const float* const* x, size_t count, bool second, float* result) {\n"
      "  wanted::" +
      base.reference +
      "(x, count, second, result);\n}\n"
      "extern \"C\" bool anyDiffers(const float* values, const float* wanted, size_t count) {\n"
      "  return wanted::anyDiffers(values, wanted, count);\n}\n";
  Expected<void> fastBuilt;
  std::thread second([&] { fastBuilt = made.buildFast(reference + program, texts.size()); });
  const Expected<void> checkedBuilt = made.buildChecked(program);
  second.join();
  for (const Expected<void>& result : {checkedBuilt, fastBuilt})
    if (!result)
      return fail(result.error());
  const Expected<void*> checked = made.load("checked.so", texts.size(), made.m_checked);
  if (!checked)
    return fail(checked.error());
  const Expected<void*> fast = made.load("fast.so", texts.size(), made.m_fast);
  if (!fast)
    return fail(fast.error());
  made.m_reference = reinterpret_cast<Reference>(::dlsym(*fast, "reference"));
  made.m_anyDiffers = reinterpret_cast<AnyDiffers>(::dlsym(*fast, "anyDiffers"));
  return made;
}

Expected<void> NativeBatch::buildChecked(const std::string& program) {
  return compileProgram(m_folder / "checked.cpp", program,
                        {"-O1", "-DHOST_CHECKED", "-fsanitize=signed-integer-overflow,integer-divide-by-zero",
                         "-fsanitize-minimal-runtime", "-fno-sanitize-link-runtime", "-shared", "-o",
                         (m_folder / "checked.so").string()});
}

/// In two steps, to see the optimised code.
Expected<void> NativeBatch::buildFast(const std::string& program, size_t count) {
  const std::string module = (m_folder / "fast.ll").string();
  Expected<void> built = compileProgram(m_folder / "fast.cpp", program,
                                        {"-O2", "-march=native", "-S", "-emit-llvm", "-o", module});
  if (!built)
    return built;
  const Expected<std::string> text = readFile(module);
  if (!text)
    return fail(text.error());
  for (size_t i = 0; i < count; ++i)
    m_code.push_back(codeOf(*text, i));
  return runCompiler(
      {"-O2", "-march=native", "-shared", "-x", "ir", module, "-o", (m_folder / "fast.so").string()});
}

Expected<void*> NativeBatch::load(const std::string& library, size_t count,
                                  std::vector<NativeEntry>& entries) {
  void* loaded = ::dlopen((m_folder / library).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!loaded)
    return fail(ErrorKind::Tool, "native-compile", ::dlerror());
  m_libraries.push_back(loaded);
  for (size_t i = 0; i < count; ++i)
    entries.push_back(reinterpret_cast<NativeEntry>(::dlsym(loaded, ("mutant" + std::to_string(i)).c_str())));
  return loaded;
}

NativeBatch::NativeBatch(NativeBatch&& other) noexcept
    : m_folder(std::exchange(other.m_folder, {})), m_libraries(std::exchange(other.m_libraries, {})),
      m_checked(std::move(other.m_checked)), m_fast(std::move(other.m_fast)), m_code(std::move(other.m_code)),
      m_reference(other.m_reference), m_anyDiffers(other.m_anyDiffers) {}

NativeBatch::~NativeBatch() {
  for (void* library : m_libraries)
    ::dlclose(library);
  std::error_code code;
  if (!m_folder.empty())
    std::filesystem::remove_all(m_folder, code);
}

} // namespace plumbline::mutation
