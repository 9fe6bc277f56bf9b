// Concrete tensors in files: JSON {name: {shape, dtype, bits: [...]}} and folders of .npy.
#pragma once

#include "core/base/json.h"
#include "core/ir/kernel.h"

#include <filesystem>
#include <map>

namespace plumbline::ir {

struct Tensor {
  ScalarType type = ScalarType::F32;
  std::vector<int64_t> shape; ///< empty: one element
  std::vector<uint64_t>
      bits; ///< row-major; the low bits of each hold the pattern, integers as two's complement
};

using Tensors = std::map<std::string, Tensor>;

/// "float32", "float64", "int8" ... "uint64", "bool": PyTorch's and NumPy's names. Void gives "".
std::string_view dtypeName(ScalarType type);
std::optional<ScalarType> typeFromDtype(std::string_view dtype);
/// Number of elements of a shape; nothing when it is negative or beyond 2^40.
std::optional<int64_t> elementCount(const std::vector<int64_t>& shape);

Json toJson(const Tensor& tensor);
/// {shape, dtype, bits}; a bit pattern is an integer (negative ones are values of a signed type) or text
/// "0x7fc00000". Errors: "tensor-json", naming the tensor.
Expected<Tensor> tensorFromJson(const std::string& name, const Json& json);

/// What a --inputs file holds: tensors, and sizes under the key "symbols".
struct TensorFile {
  Tensors tensors;
  std::map<std::string, int64_t> symbols;
};

/// Errors: "tensor-json".
Expected<TensorFile> tensorsFromJson(const Json& json);
/// A JSON file, or a folder whose NAME.npy files are the tensors. Errors: those of reading, "tensor-json",
/// "npy-torn", "npy-unsupported", "npy-none" (a folder without .npy).
Expected<TensorFile> readTensors(const std::filesystem::path& path);
/// One NAME.npy a tensor; the folder is made when it is missing. Errors: "file-unwritable".
Expected<void> writeNpyFolder(const std::filesystem::path& folder, const Tensors& tensors);

/// The .npy format, versions 1 to 3: little endian, C order (or at most one dimension), no structured types.
/// `name` is for messages. Errors: "npy-torn" (not .npy, cut off, or too long), "npy-unsupported".
Expected<Tensor> tensorFromNpy(std::string_view content, const std::string& name);
std::string toNpy(const Tensor& tensor); ///< version 1.0

} // namespace plumbline::ir
