// Windows that slide over the spatial dimensions of a tensor: shared by convolutions and pooling.
#pragma once

#include "core/spec/tensor_context.h"

namespace plumbline::spec {

/// The operation on two sizes; a constant when both are.
ir::SizeExprPtr sizeOf(ir::SizeExpr::Kind kind, const ir::SizeExprPtr& a, const ir::SizeExprPtr& b);
ir::SizeExprPtr sizeOf(ir::SizeExpr::Kind kind, const ir::SizeExprPtr& a, int64_t b);

/// A window along one dimension. Tap k of the window of output o lies at o * stride + k * dilation - before.
struct Window {
  ir::SizeExprPtr input;
  ir::SizeExprPtr kernel; ///< number of taps
  int64_t stride = 1;
  int64_t dilation = 1;
  int64_t before = 0; ///< padding
  int64_t after = 0;
};

/// How many windows there are: those that fit into the padded input; with `ceilMode` also one that goes
/// beyond its end, if it starts inside the input or the padding before it.
ir::SizeExprPtr windowCount(const Window& window, bool ceilMode = false);

/// May be negative or too large: in the padding.
logic::TermId tap(TensorContext& c, const Window& window, logic::TermId output, logic::TermId k);

/// The tap lies in the input. True as a constant where no window leaves it.
logic::TermId tapIsInside(TensorContext& c, const Window& window, logic::TermId tap, bool ceilMode = false);

/// Refuses numbers that PyTorch refuses.
void checkWindow(TensorContext& c, const Window& window);

} // namespace plumbline::spec
