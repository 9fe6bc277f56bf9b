// Where a compiler may compute a product and a sum with one rounding, and the kernel with some of that done.
#pragma once

#include "core/ir/kernel.h"

namespace plumbline::vc {

/// A sum or difference of floats with a product among its operands: written there, or the only value of a
/// local.
struct ContractionPlace {
  int function = -1; ///< index into Module::functions
  ir::ExprId sum = ir::ExprId::None;
  std::vector<int> operands; ///< which of the two are products: 0, 1 or both
  SourceRange where;
};

/// All places of a kernel and of the functions that it calls, in the order of the text.
std::vector<ContractionPlace> contractionPlaces(const ir::Module& module, const ir::Kernel& kernel);

/// The module with a choice made at every place: the operand that is fused with the sum, or -1 for two
/// roundings. The operands of a fused product are evaluated where the product was. The result passes `verify`
/// if the module does.
ir::Module contracted(const ir::Module& module, const std::vector<ContractionPlace>& places,
                      const std::vector<int>& choices);

} // namespace plumbline::vc
