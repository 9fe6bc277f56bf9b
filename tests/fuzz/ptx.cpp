// PTX and the cut of a source into device code: any text gives a module or a named error, and a unit of its
// length.
#include "core/cuda/ptx/facts.h"
#include "core/cuda/ptx/kernel_unit.h"
#include "tests/fuzz/check.h"

#include <string>

using namespace plumbline;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::text(data, size);
  fuzz::check(cuda::kernelUnit(text, {}).size() == size, "a unit keeps every position");
  const Expected<cuda::PtxModule> module = cuda::readPtx(text);
  if (!module) {
    fuzz::check(module.error().id == "ptx-syntax" || module.error().id == "ptx-size", "a named error");
    fuzz::check(module.error().where.value_or(SourceRange{}).known(), "with a line");
    return 0;
  }
  for (const cuda::PtxFunction& function : module->functions)
    for (const auto& [label, at] : function.labels)
      fuzz::check(at <= function.body.size(), "labels are inside");
  const std::vector<cuda::KernelFacts> kernels = cuda::factsOf(*module, "fuzz.cu");
  const cuda::PtxText origin{"", "0", "sm_80", {}};
  fuzz::check(!prettyJson(cuda::toJson(kernels, origin, "fuzz.cu")).empty(), "written");
  fuzz::check(!cuda::print(kernels, origin, "fuzz.cu").empty(), "printed");
  return 0;
}
