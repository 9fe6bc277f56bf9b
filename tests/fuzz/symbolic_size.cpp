// PyTorch's symbolic sizes: an expression or a named error.
#include "core/torch/sym_expr.h"
#include "tests/fuzz/check.h"

using namespace plumbline;

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Expected<ir::SizeExprPtr> parsed = torch::parseSymbolicSize(std::string(fuzz::text(data, size)));
  if (!parsed)
    fuzz::check(parsed.error().id == "symbolic-size", "a named error");
  else
    fuzz::check(*parsed != nullptr && !ir::print(**parsed).empty(), "an expression");
  return 0;
}
