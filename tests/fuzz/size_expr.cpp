// Size expressions: what parses prints as text that parses to the same.
#include "core/ir/size_expr.h"
#include "tests/fuzz/check.h"

using namespace plumbline;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Expected<ir::SizeExprPtr> parsed = ir::parseSizeExpr(std::string(fuzz::text(data, size)));
  if (!parsed) {
    fuzz::check(parsed.error().id == "size-expression", "a named error");
    return 0;
  }
  if (size > 100) // printing "-x" as "0 - x" may pass the limits on length and depth
    return 0;
  const std::string printed = ir::print(**parsed);
  const Expected<ir::SizeExprPtr> again = ir::parseSizeExpr(printed);
  fuzz::check(again.has_value(), "printed text parses");
  fuzz::check(ir::print(**again) == printed, "printing is stable");
  const auto ones = [](const std::string&) { return std::optional<int64_t>(1); };
  const Expected<int64_t> first = ir::evaluate(**parsed, ones);
  const Expected<int64_t> second = ir::evaluate(**again, ones);
  fuzz::check(first.has_value() == second.has_value() && (!first || *first == *second),
              "printing keeps the value");
  return 0;
}
