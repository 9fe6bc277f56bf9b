// Where PyTorch's CUDA kernels compute another formula than the denotation. Asked for with Target::TorchCuda.
#pragma once

#include "core/torch/graph.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plumbline::spec {

/// One operator, all overloads of it.
struct CudaRow {
  enum class Kind : uint8_t {
    Formula, ///< the operator's function has the formula of the CUDA kernel as well
    Refused, ///< CUDA computes something that has no denotation here
  };
  std::string_view op; ///< "div"
  Kind kind = Kind::Formula;
  std::string_view text;   ///< what CUDA does: "div by a number multiplies by its reciprocal"
  std::string_view source; ///< file and function in PyTorch's sources
};

/// All rows, those with a formula first.
std::span<const CudaRow> cudaRows();
/// The row of an overload: "aten.div.Tensor". nullptr when the CUDA formula is the denotation.
const CudaRow* findCudaRow(std::string_view target);
/// The rows as a Markdown table: the one in KNOWN_DIFFERENCES.md.
std::string printCudaRows();

/// What every denotation with Target::TorchCuda rests on, besides the formulas it uses.
std::span<const std::string_view> cudaScope();

/// A tensor of one element that depends on no input, parameter or buffer: PyTorch may keep it in the memory
/// of the host, where division takes it for a number.
bool mayBeHostScalar(const torch::Graph& graph, const std::string& tensor);

} // namespace plumbline::spec
