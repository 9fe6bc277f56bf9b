#include "core/spec/torch_cuda.h"

#include <algorithm>
#include <set>

namespace plumbline::spec {
namespace {

using Kind = CudaRow::Kind;

constexpr std::string_view mean = "native/cuda/ReduceMomentKernel.cu: mean_kernel_impl";
constexpr std::string_view loss = "native/Loss.cpp: the reduction is mean";
constexpr std::string_view div = "native/cuda/BinaryDivTrueKernel.cu: div_true_kernel_cuda";
constexpr std::string_view elu = "native/cuda/ActivationEluKernel.cu: elu_kernel";
constexpr std::string_view pool = "native/cuda/AdaptiveAveragePooling.cu: adaptive_average_pool";
constexpr std::string_view library = "native/Convolution.cpp, cuDNN";
constexpr std::string_view welford = "native/cuda/ReduceMomentKernel.cu: std_var_kernel_impl";
constexpr std::string_view libraryText =
    "a library chooses the algorithm, among them fast transforms and TF32";
constexpr std::string_view welfordText = "mean and squares by Welford's recurrence";

// Paths are below aten/src/ATen.
constexpr CudaRow rows[] = {
    {"div", Kind::Formula, "div by a number multiplies by its reciprocal", div},
    {"divide", Kind::Formula, "divide by a number multiplies by its reciprocal", div},
    {"true_divide", Kind::Formula, "true_divide by a number multiplies by its reciprocal", div},
    {"hardsigmoid", Kind::Formula, "hardsigmoid multiplies by one sixth",
     "native/cuda/ActivationHardsigmoidKernel.cu: hardsigmoid_kernel"},
    {"hardswish", Kind::Formula, "hardswish multiplies by one sixth",
     "native/cuda/ActivationHardswishKernel.cu: hardswish_kernel"},
    {"celu", Kind::Formula, "celu has expm1 in place of exp - 1", elu},
    {"elu", Kind::Formula, "elu has expm1 in place of exp - 1", elu},
    {"selu", Kind::Formula, "selu has expm1 in place of exp - 1", elu},
    {"arange", Kind::Formula, "arange of floats multiplies and adds in binary32",
     "native/cuda/RangeFactories.cu: arange_cuda_out"},
    {"mean", Kind::Formula, "mean multiplies by results / elements", mean},
    {"adaptive_avg_pool1d", Kind::Formula, "adaptive_avg_pool1d to one element multiplies as mean does",
     "native/AdaptiveAveragePooling.cpp: adaptive_avg_pool2d_symint"},
    {"adaptive_avg_pool2d", Kind::Formula,
     "adaptive_avg_pool2d divides by each side of the window in turn, or multiplies as mean does", pool},
    {"adaptive_avg_pool3d", Kind::Formula,
     "adaptive_avg_pool3d divides by each side of the window in turn, or multiplies as mean does",
     "native/cuda/AdaptiveAveragePooling3d.cu: adaptiveaveragepool"},
    {"binary_cross_entropy", Kind::Formula, "binary_cross_entropy multiplies as mean does",
     "native/cuda/Loss.cu: binary_cross_entropy_out_cuda"},
    {"binary_cross_entropy_with_logits", Kind::Formula,
     "binary_cross_entropy_with_logits multiplies as mean does", loss},
    {"cosine_embedding_loss", Kind::Formula, "cosine_embedding_loss multiplies as mean does", loss},
    {"cross_entropy_loss", Kind::Formula,
     "cross_entropy_loss of probabilities multiplies by the reciprocal of the number of samples",
     "native/LossNLL.cpp: cross_entropy_loss_prob_target, a div by a number"},
    {"hinge_embedding_loss", Kind::Formula, "hinge_embedding_loss multiplies as mean does", loss},
    {"huber_loss", Kind::Formula, "huber_loss multiplies as mean does", loss},
    {"kl_div", Kind::Formula, "kl_div multiplies as mean does", loss},
    {"l1_loss", Kind::Formula, "l1_loss multiplies as mean does", loss},
    {"margin_ranking_loss", Kind::Formula, "margin_ranking_loss multiplies as mean does", loss},
    {"mse_loss", Kind::Formula, "mse_loss multiplies as mean does", loss},
    {"smooth_l1_loss", Kind::Formula, "smooth_l1_loss multiplies as mean does", loss},
    {"soft_margin_loss", Kind::Formula, "soft_margin_loss multiplies as mean does", loss},
    {"triplet_margin_loss", Kind::Formula, "triplet_margin_loss multiplies as mean does", loss},
    {"rms_norm", Kind::Formula, "rms_norm multiplies by rsqrt(mean + eps), with the mean as mean has it",
     "native/layer_norm.cpp: rms_norm"},

    {"softshrink", Kind::Refused, "+0 within the limits; editions of the source disagree about NaN",
     "native/cuda/ActivationSoftshrinkKernel.cu: softshrink_kernel"},
    {"std", Kind::Refused, welfordText, welford},
    {"std_mean", Kind::Refused, welfordText, welford},
    {"var", Kind::Refused, welfordText, welford},
    {"var_mean", Kind::Refused, welfordText, welford},
    {"layer_norm", Kind::Refused, "Welford's recurrence, then (x - mean) rsqrt(variance + eps) w + b",
     "native/cuda/layer_norm_kernel.cu"},
    {"native_layer_norm", Kind::Refused, "Welford's recurrence, then (x - mean) rsqrt(variance + eps) w + b",
     "native/cuda/layer_norm_kernel.cu"},
    {"group_norm", Kind::Refused, welfordText, "native/cuda/group_norm_kernel.cu"},
    {"batch_norm", Kind::Refused, "cuDNN or a kernel of PyTorch's own, by shape and mode",
     "native/Normalization.cpp, native/cuda/Normalization.cuh"},
    {"instance_norm", Kind::Refused, "cuDNN or a kernel of PyTorch's own, by shape and mode",
     "native/Normalization.cpp, native/cuda/Normalization.cuh"},
    {"scaled_dot_product_attention", Kind::Refused, "one of several fused kernels, by shape and device",
     "native/transformers/cuda/sdp_utils.cpp"},
    {"conv1d", Kind::Refused, libraryText, library},
    {"conv2d", Kind::Refused, libraryText, library},
    {"conv3d", Kind::Refused, libraryText, library},
    {"conv_transpose1d", Kind::Refused, libraryText, library},
    {"conv_transpose2d", Kind::Refused, libraryText, library},
    {"conv_transpose3d", Kind::Refused, libraryText, library},
    {"convolution", Kind::Refused, libraryText, library},
};

constexpr std::string_view scope[] = {
    "torch-cuda: a * b + c is two roundings",
    "torch-cuda: every tensor is in the memory of the GPU",
};

} // namespace

std::span<const CudaRow> cudaRows() {
  return rows;
}

const CudaRow* findCudaRow(std::string_view target) {
  constexpr std::string_view prefix = "aten.";
  if (!target.starts_with(prefix))
    return nullptr;
  const std::string_view op = target.substr(prefix.size(), target.rfind('.') - prefix.size());
  const auto* found = std::ranges::find(rows, op, &CudaRow::op);
  return found == std::end(rows) ? nullptr : found;
}

std::string printCudaRows() {
  std::string text = "| operator | on CUDA | under device:torch-cuda | source |\n|---|---|---|---|\n";
  for (const CudaRow& row : rows)
    for (const std::string_view cell :
         {row.op, row.text, std::string_view(row.kind == Kind::Formula ? "modelled" : "refused"), row.source})
      text += (cell.data() == row.op.data() ? "| " : " ") + std::string(cell) +
              (cell.data() == row.source.data() ? " |\n" : " |");
  return text;
}

std::span<const std::string_view> cudaScope() {
  return scope;
}

bool mayBeHostScalar(const torch::Graph& graph, const std::string& tensor) {
  const auto isOne = [](const ir::SizeExprPtr& size) {
    return size->kind == ir::SizeExpr::Kind::Constant && size->value == 1;
  };
  if (!std::ranges::all_of(graph.tensors.at(tensor).sizes, isOne))
    return false;
  std::set<std::string> onDevice; // depends on something that lives on the GPU
  for (const torch::GraphInput& input : graph.inputs)
    if (input.kind != torch::InputKind::Constant)
      onDevice.insert(input.name);
  for (const torch::Node& node : graph.nodes)
    for (const torch::NamedArgument& argument : node.inputs)
      for (const std::string& used : torch::tensorsOf(argument.value))
        if (onDevice.contains(used))
          onDevice.insert(node.outputs.begin(), node.outputs.end());
  return !onDevice.contains(tensor);
}

} // namespace plumbline::spec
