// Answers of the importer's process: a result that has passed the verifier, or a named error.
#include "core/cuda/cuda_import.h"
#include "core/ir/constructs.h"
#include "tests/fuzz/check.h"

#include <string>

using namespace plumbline;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Expected<cuda::ImportedCuda> imported =
      cuda::importedFromAnswer(std::string(fuzz::text(data, size)), "1");
  if (!imported) {
    fuzz::check(!imported.error().id.empty(), "a named error");
    return 0;
  }
  fuzz::check(ir::verify(imported->module).empty(), "what is read is well formed");
  for (const ir::Kernel& kernel : imported->module.kernels)
    if (kernel.function >= 0)
      ir::constructsOf(imported->module, kernel.function);
  return 0;
}
