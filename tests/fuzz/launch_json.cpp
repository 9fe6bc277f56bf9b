// Launch contracts: what is read is written in a form that reads to the same.
#include "core/ir/launch.h"
#include "tests/fuzz/check.h"

using namespace plumbline;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Expected<Json> json = parseJson(fuzz::text(data, size), "fuzz");
  if (!json)
    return 0;
  const Expected<ir::LaunchContract> contract = ir::launchFromJson("k", *json);
  if (!contract) {
    fuzz::check(contract.error().id == "launch-json" || contract.error().id == "launch-alias",
                "a named error");
    return 0;
  }
  const Json written = ir::toJson(*contract);
  const Expected<ir::LaunchContract> again = ir::launchFromJson("k", written);
  fuzz::check(again.has_value(), "written contract reads");
  fuzz::check(ir::toJson(*again) == written, "writing is stable");
  return 0;
}
