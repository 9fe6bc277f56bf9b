#include "tests/differential/kernel/native_kernel.h"

#include "core/base/child_process.h"
#include "core/base/json.h"

#include <dlfcn.h>

namespace plumbline::differential {

Expected<NativeKernel> NativeKernel::compile(const std::string& source, const std::string& kernel) {
  NativeKernel made;
  std::string pattern = (std::filesystem::temp_directory_path() / "plumbline_native_XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    return fail(ErrorKind::File, "native-compile", "no temporary folder");
  made.m_folder = pattern;
  const std::string text = source +
                           "\nextern \"C\" void plumblineEntry(void** arguments, const int64_t* grid, "
                           "const int64_t* block) {\n  host::runGrid(&" +
                           kernel + ", arguments, grid, block);\n}\n";
  const std::filesystem::path library = made.m_folder / "kernel.so";
  if (Expected<void> written = writeFile(made.m_folder / "kernel.cpp", text); !written)
    return fail(written.error());
  // Warnings are off: the text is CUDA, and what it does is the subject of the test.
  Expected<ChildProcess> compiler = ChildProcess::start(
      {"clang++-19", "-x", "c++", "-std=c++17", "-w", "-O2", "-ffp-contract=off", "-shared", "-fPIC",
       "-include", PLUMBLINE_HOST_HEADER, (made.m_folder / "kernel.cpp").string(), "-o", library.string()});
  if (!compiler)
    return fail(compiler.error());
  Expected<int> status = compiler->wait(StopToken().withTimeout(std::chrono::seconds(300)));
  if (!status || *status != 0)
    return fail(ErrorKind::Tool, "native-compile", compiler->errorText());
  made.m_library = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!made.m_library)
    return fail(ErrorKind::Tool, "native-compile", ::dlerror());
  made.m_entry = reinterpret_cast<Entry>(::dlsym(made.m_library, "plumblineEntry"));
  if (!made.m_entry)
    return fail(ErrorKind::Tool, "native-compile", "the compiled kernel has no entry");
  return made;
}

NativeKernel::NativeKernel(NativeKernel&& other) noexcept
    : m_library(std::exchange(other.m_library, nullptr)), m_entry(std::exchange(other.m_entry, nullptr)),
      m_folder(std::exchange(other.m_folder, {})) {}

NativeKernel::~NativeKernel() {
  if (m_library)
    ::dlclose(m_library);
  std::error_code code;
  if (!m_folder.empty())
    std::filesystem::remove_all(m_folder, code);
}

} // namespace plumbline::differential
