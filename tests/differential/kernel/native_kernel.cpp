#include "tests/differential/kernel/native_kernel.h"

#include "core/base/child_process.h"
#include "core/base/json.h"
#include "tests/differential/kernel/native_opaque.h"
#include "tests/differential/kernel/shared_text.h"

#include <dlfcn.h>

namespace plumbline::differential {
namespace {

/// Names that no kernel has: a kernel may well be called `kernel` or `grid`.
std::string entryFor(const std::vector<std::string>& kernels) {
  std::string text =
      "\nextern \"C\" void plumblineEntry(int plumblineKernel, void** plumblineArguments, const int64_t* "
      "plumblineGrid, const int64_t* plumblineBlock) {\n  switch (plumblineKernel) {\n";
  for (size_t i = 0; i < kernels.size(); ++i)
    text += "  case " + std::to_string(i) + ": return fiber::runGrid(&" + kernels[i] +
            ", plumblineArguments, plumblineGrid, plumblineBlock);\n";
  return text + "  }\n}\n";
}

} // namespace

Expected<NativeKernels> NativeKernels::compile(const std::string& source,
                                               const std::vector<std::string>& kernels,
                                               const std::string& optimise) {
  NativeKernels made;
  std::string pattern = (std::filesystem::temp_directory_path() / "plumbline_native_XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    return fail(ErrorKind::File, "native-compile", "no temporary folder");
  made.m_folder = pattern;
  const std::filesystem::path library = made.m_folder / "kernel.so";
  const std::string text = withDynamicShared(source) + entryFor(kernels);
  if (Expected<void> written = writeFile(made.m_folder / "kernel.cpp", text); !written)
    return fail(written.error());
  // Warnings are off: the text is CUDA, and what it does is the subject of the test. Conversions of floats to
  // integers saturate, as PTX's do; pointers may look at memory as another type, as in CUDA code.
  Expected<ChildProcess> compiler =
      ChildProcess::start({"clang++-19", "-x", "c++", "-std=c++17", "-w", optimise, "-ffp-contract=off",
                           "-fno-strict-float-cast-overflow", "-fno-strict-aliasing", "-shared", "-fPIC",
                           std::string("-I") + PLUMBLINE_SOURCE_DIR, "-include", PLUMBLINE_HOST_HEADER,
                           (made.m_folder / "kernel.cpp").string(), "-o", library.string()});
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
  if (void* opaque = ::dlsym(made.m_library, "plumblineOpaque"))
    *static_cast<decltype(&plumblineOpaqueValue)*>(opaque) = plumblineOpaqueValue;
  return made;
}

NativeKernels::NativeKernels(NativeKernels&& other) noexcept
    : m_library(std::exchange(other.m_library, nullptr)), m_entry(std::exchange(other.m_entry, nullptr)),
      m_folder(std::exchange(other.m_folder, {})) {}

NativeKernels::~NativeKernels() {
  if (m_library)
    ::dlclose(m_library);
  std::error_code code;
  if (!m_folder.empty())
    std::filesystem::remove_all(m_folder, code);
}

} // namespace plumbline::differential
