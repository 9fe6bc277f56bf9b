#include "core/cuda/ptx/nvcc.h"

#include "core/base/child_process.h"
#include "core/base/json.h"
#include "core/cuda/ptx/kernel_unit.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace plumbline::cuda {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t largestPtx = uintmax_t{64} << 20;

bool isProgram(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path, code) && ::access(path.c_str(), X_OK) == 0;
}

/// Below a folder of Python packages: nvidia/cu13/bin/nvcc, of the newest major version.
std::string inPackages(const fs::path& packages) {
  std::string best;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(packages / "nvidia", code)) {
    const std::string program = (entry.path() / "bin" / "nvcc").string();
    if (entry.path().filename().string().starts_with("cu") && isProgram(program) && program > best)
      best = program;
  }
  return best;
}

std::string inVirtualEnvironment(const fs::path& environment) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(environment / "lib", code))
    if (std::string found = inPackages(entry.path() / "site-packages"); !found.empty())
      return found;
  return {};
}

std::string fromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string installedNvcc() {
  if (std::string path = findProgram("nvcc"); !path.empty())
    return path;
  for (const char* home : {"CUDA_HOME", "CUDA_PATH"})
    if (const std::string folder = fromEnvironment(home);
        !folder.empty() && isProgram(fs::path(folder) / "bin/nvcc"))
      return (fs::path(folder) / "bin/nvcc").string();
  if (isProgram("/usr/local/cuda/bin/nvcc"))
    return "/usr/local/cuda/bin/nvcc";
  if (const std::string folder = fromEnvironment("VIRTUAL_ENV"); !folder.empty())
    if (std::string found = inVirtualEnvironment(folder); !found.empty())
      return found;
  // A build folder stands in the checkout, in which ./dev keeps what it downloads.
  return inPackages(fs::path(executableFolder()) / "../../.cache/nvcc");
}

/// A folder of its own, gone with the object.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::error_code code;
    std::string pattern = (fs::temp_directory_path(code) / "plumbline-ptx-XXXXXX").string();
    if (!code && ::mkdtemp(pattern.data()) != nullptr)
      m_path = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code code;
    if (!m_path.empty())
      fs::remove_all(m_path, code);
  }
  const fs::path& path() const { return m_path; }

private:
  fs::path m_path;
};

// --- Flags ---

enum class FlagUse : uint8_t { Pass, PassWithValue, Drop, DropWithValue, Refuse };

/// What becomes of a flag of the candidate's build. Those for the target, the host and the linker do not
/// concern device code; a flag that names a program or a file is not followed.
FlagUse useOf(const std::string& flag) {
  for (const char* with : {"-gencode", "--generate-code", "-arch", "--gpu-architecture", "-code", "--threads",
                           "-t", "-Xcompiler", "--compiler-options", "-Xptxas", "--ptxas-options", "-Xlinker",
                           "-Xfatbin", "-maxrregcount", "--maxrregcount"})
    if (flag == with)
      return FlagUse::DropWithValue;
  for (const char* with : {"-D", "-U", "--define-macro", "-std", "--std"})
    if (flag == with)
      return FlagUse::PassWithValue;
  for (const char* drop :
       {"-gencode=", "--generate-code=", "-arch=", "--gpu-architecture=", "-code=", "arch=", "-l", "-L", "-W",
        "-t=", "--threads=", "-Xcompiler=", "-Xptxas=", "-Xfatbin=", "-Xlinker=", "-maxrregcount=",
        "--maxrregcount=", "-diag-suppress", "--diag-suppress"})
    if (flag.starts_with(drop))
      return FlagUse::Drop;
  for (const char* drop : {"-w", "-v", "--verbose", "-g", "-lineinfo", "--generate-line-info", "-src-in-ptx",
                           "-compress-all", "-fPIC", "-shared", "-rdc=true", "-rdc=false"})
    if (flag == drop)
      return FlagUse::Drop;
  for (const char* pass : {"-O",
                           "-D",
                           "-U",
                           "-std=",
                           "--std=",
                           "-ftz=",
                           "--ftz=",
                           "-fmad=",
                           "--fmad=",
                           "-prec-div=",
                           "--prec-div=",
                           "-prec-sqrt=",
                           "--prec-sqrt=",
                           "-use_fast_math",
                           "--use_fast_math",
                           "--expt-",
                           "--extended-lambda",
                           "-extended-lambda",
                           "-expt-",
                           "-restrict",
                           "--restrict",
                           "-default-stream=",
                           "--default-stream="})
    if (flag.starts_with(pass))
      return FlagUse::Pass;
  return FlagUse::Refuse;
}

tl::unexpected<Error> flagRefused(const std::string& flag) {
  return fail(ErrorKind::Usage, "nvcc-flag", "the flag '" + flag + "' is not passed to nvcc",
              "leave it out; flags of optimisation, arithmetic, language and macros are passed on");
}

Expected<std::vector<std::string>> passedFlags(const std::vector<std::string>& flags) {
  std::vector<std::string> result;
  for (size_t i = 0; i < flags.size(); ++i) {
    const FlagUse use = useOf(flags[i]);
    if (use == FlagUse::Refuse)
      return flagRefused(flags[i]);
    const bool hasValue = use == FlagUse::PassWithValue || use == FlagUse::DropWithValue;
    if (hasValue && i + 1 >= flags.size())
      return flagRefused(flags[i]);
    if (use == FlagUse::Pass || use == FlagUse::PassWithValue)
      result.push_back(flags[i]);
    if (use == FlagUse::PassWithValue)
      result.push_back(flags[i + 1]);
    i += hasValue ? 1 : 0;
  }
  return result;
}

bool setsStandard(const std::string& flag) {
  return flag.starts_with("-std") || flag.starts_with("--std");
}

bool isArch(const std::string& arch) {
  return arch.starts_with("sm_") && arch.size() > 4 && arch.size() < 9 &&
         std::all_of(arch.begin() + 3, arch.end(), [](unsigned char c) { return std::isalnum(c) != 0; });
}

std::string hostCompiler() {
  if (const std::string chosen = fromEnvironment("NVCC_CCBIN"); !chosen.empty())
    return chosen;
  for (const char* name : {"g++", "clang++-19", "clang++"})
    if (std::string path = findProgram(name); !path.empty())
      return path;
  return {};
}

std::vector<std::string> commandLine(const PtxRequest& request, const std::vector<std::string>& flags,
                                     const fs::path& folder) {
  // The flags after -w are what PyTorch gives to every extension that it builds.
  std::vector<std::string> words{request.nvcc,
                                 "-ptx",
                                 "-lineinfo",
                                 "-arch=" + request.arch,
                                 "-allow-unsupported-compiler",
                                 "-w",
                                 "--expt-relaxed-constexpr",
                                 "-D__CUDA_NO_HALF_OPERATORS__",
                                 "-D__CUDA_NO_HALF_CONVERSIONS__",
                                 "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
                                 "-D__CUDA_NO_HALF2_OPERATORS__"};
  if (std::none_of(flags.begin(), flags.end(), setsStandard))
    words.emplace_back("-std=c++17");
  if (const std::string compiler = hostCompiler(); !compiler.empty())
    words.insert(words.end(), {"-ccbin", compiler});
  words.insert(words.end(), flags.begin(), flags.end());
  words.insert(words.end(), {"--pre-include", (folder / "prelude.h").string(), "-o",
                             (folder / "out.ptx").string(), (folder / ptxSourceName).string()});
  return words;
}

// --- Answers ---

/// "FILE(12): error: no such thing" in what nvcc printed: the first one, with the position in the source.
Error compileError(const PtxRequest& request, const std::string& text) {
  Error error{ErrorKind::File, "nvcc-rejects", "", "mend the device code, or give --flags that it needs"};
  size_t at = text.find("error");
  while (at != std::string::npos && text.substr(at, 7) != "error: " && text.substr(at, 6) != "error ")
    at = text.find("error", at + 1);
  if (at == std::string::npos) {
    error.message = "nvcc does not compile " + request.name + ": " + text.substr(0, 300);
    return error;
  }
  const size_t begin = text.rfind('\n', at) == std::string::npos ? 0 : text.rfind('\n', at) + 1;
  const std::string line = text.substr(begin, text.find('\n', at) - begin);
  error.message = "nvcc does not compile " + request.name + ": " + line.substr(at - begin);
  const size_t name = line.find(std::string(ptxSourceName) + "(");
  if (name != std::string::npos) {
    SourceRange where{request.name};
    const char* number = line.data() + name + ptxSourceName.size() + 1;
    std::from_chars(number, line.data() + line.size(), where.line);
    where.endLine = where.line;
    error.where = where;
  }
  return error;
}

Expected<std::string> readPtx(const fs::path& path) {
  std::error_code code;
  const uintmax_t size = fs::file_size(path, code);
  if (code)
    return fail(ErrorKind::Tool, "nvcc-failed", "nvcc wrote no PTX", "run it by hand on the source");
  if (size > largestPtx)
    return fail(ErrorKind::File, "ptx-size", "the PTX is larger than 64 MiB",
                "compile fewer kernels at once");
  return readFile(path);
}

} // namespace

Expected<std::string> findNvcc(const std::string& given) {
  const std::string named = given.empty() ? fromEnvironment("PLUMBLINE_NVCC") : given;
  if (!named.empty()) {
    std::string path = named.find('/') == std::string::npos ? findProgram(named) : named;
    if (isProgram(path))
      return path;
    return fail(ErrorKind::Tool, "nvcc-missing", "'" + named + "' is no program",
                "name nvcc itself: .../bin/nvcc");
  }
  if (std::string path = installedNvcc(); !path.empty())
    return path;
  return fail(
      ErrorKind::Tool, "nvcc-missing", "NVIDIA's compiler nvcc was not found",
      "in a checkout: ./dev nvcc; or install the CUDA toolkit, or the Python packages nvidia-cuda-nvcc and "
      "nvidia-cuda-cccl, and name it with --nvcc or CUDA_HOME");
}

Expected<std::string> nvccVersion(const std::string& nvcc, const StopToken& stop) {
  Expected<ChildProcess> child = ChildProcess::start({nvcc, "--version"});
  if (!child)
    return fail(child.error());
  child->closeInput();
  Expected<std::string> text = child->readAll(stop);
  if (!text)
    return fail(text.error());
  const size_t at = text->find(", V");
  if (at == std::string::npos)
    return fail(ErrorKind::Tool, "nvcc-failed", "'" + nvcc + " --version' does not answer as nvcc does",
                "name nvcc itself: .../bin/nvcc");
  return text->substr(at + 3, text->find_first_of(" \r\n", at + 3) - at - 3);
}

PtxRequest ptxRequest(const ImportedCuda& imported, std::string text, std::string name) {
  PtxRequest request;
  request.source = std::move(text);
  request.name = std::move(name);
  for (const ir::Kernel& kernel : imported.module.kernels)
    if (kernel.name.find('<') != std::string::npos)
      request.instantiations.push_back(kernel.name);
  request.flags = imported.flags;
  return request;
}

Expected<PtxText> compileToPtx(const PtxRequest& request, const StopToken& stop) {
  if (!isArch(request.arch))
    return fail(ErrorKind::Usage, "nvcc-arch", "'" + request.arch + "' is no architecture of a GPU",
                "name one as nvcc does: sm_80, sm_90");
  const Expected<std::vector<std::string>> flags = passedFlags(request.flags);
  if (!flags)
    return fail(flags.error());
  const Expected<std::string> version = nvccVersion(request.nvcc, stop);
  if (!version)
    return fail(version.error());
  const TemporaryFolder folder;
  if (folder.path().empty())
    return fail(ErrorKind::File, "file-unwritable", "cannot make a temporary folder",
                "set TMPDIR to a writable one");
  if (Expected<void> done = writeFile(folder.path() / "prelude.h", kernelPrelude()); !done)
    return fail(done.error());
  if (Expected<void> done =
          writeFile(folder.path() / ptxSourceName, kernelUnit(request.source, request.instantiations));
      !done)
    return fail(done.error());
  ChildProcess::Options options;
  options.workingDirectory = folder.path().string();
  options.environment = {"TMPDIR=" + folder.path().string()};
  Expected<ChildProcess> child = ChildProcess::start(commandLine(request, *flags, folder.path()), options);
  if (!child)
    return fail(child.error());
  child->closeInput();
  Expected<std::string> printed = child->readAll(stop);
  if (!printed)
    return fail(printed.error());
  Expected<int> status = child->wait(stop);
  if (!status)
    return fail(status.error());
  if (*status != 0)
    return fail(compileError(request, child->errorText() + *printed));
  Expected<std::string> ptx = readPtx(folder.path() / "out.ptx");
  if (!ptx)
    return fail(ptx.error());
  return PtxText{*std::move(ptx), *version, request.arch, *flags};
}

} // namespace plumbline::cuda
