// Kernel IR: what is read has passed `verify`, prints, and is written in a form that reads to the same.
#include "core/ir/kernel.h"
#include "tests/fuzz/check.h"

using namespace plumbline;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Expected<Json> json = parseJson(fuzz::text(data, size), "fuzz");
  if (!json)
    return 0;
  const Expected<ir::Module> module = ir::moduleFromJson(*json);
  if (!module) {
    fuzz::check(module.error().id == "kernel-json", "a named error");
    return 0;
  }
  fuzz::check(ir::verify(*module).empty(), "verified");
  for (const ir::Function& function : module->functions)
    fuzz::check(!ir::print(function, *module).empty(), "prints");
  const Json written = ir::toJson(*module);
  const Expected<ir::Module> again = ir::moduleFromJson(written);
  fuzz::check(again.has_value(), "written module reads");
  fuzz::check(ir::toJson(*again) == written, "writing is stable");
  return 0;
}
