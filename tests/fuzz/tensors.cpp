// Concrete tensors: JSON and .npy. What is read is written in a form that reads to the same.
#include "core/ir/tensor_io.h"
#include "tests/fuzz/check.h"

using namespace plumbline;

namespace {

bool same(const ir::Tensor& a, const ir::Tensor& b) {
  return a.type == b.type && a.shape == b.shape && a.bits == b.bits;
}

void readNpy(std::string_view text) {
  const Expected<ir::Tensor> tensor = ir::tensorFromNpy(text, "fuzz");
  if (!tensor)
    return fuzz::check(tensor.error().id.starts_with("npy-"), "a named error");
  const Expected<ir::Tensor> again = ir::tensorFromNpy(ir::toNpy(*tensor), "fuzz");
  fuzz::check(again.has_value() && same(*tensor, *again), "written .npy reads to the same");
}

void readJson(std::string_view text) {
  const Expected<Json> json = parseJson(text, "fuzz");
  if (!json)
    return;
  const Expected<ir::TensorFile> file = ir::tensorsFromJson(*json);
  if (!file)
    return fuzz::check(file.error().id == "tensor-json", "a named error");
  for (const auto& [name, tensor] : file->tensors) {
    const Expected<ir::Tensor> again = ir::tensorFromJson(name, ir::toJson(tensor));
    fuzz::check(again.has_value() && same(tensor, *again), "written JSON reads to the same");
  }
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::text(data, size);
  if (text.starts_with("\x93NUMPY"))
    readNpy(text);
  else
    readJson(text);
  return 0;
}
