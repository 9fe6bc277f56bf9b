// What losses have in common: one value per element, and its reduction.
#pragma once

#include "core/spec/tensor_operators.h"

#include <functional>

namespace plumbline::spec {

/// ATen's numbering of the argument "reduction".
enum class LossReduction : uint8_t { None = 0, Mean = 1, Sum = 2 };

/// The argument "reduction".
LossReduction lossReduction(TensorContext& c);

/// The value at the coordinates of an element of the loss's own shape. It may be asked at the coordinates of
/// the element "i" and, inside a fold, at those of the step "k".
using LossValue = std::function<logic::TermId(const Index&)>;

/// The result: the values themselves, their sum in index order, or the sum divided by their number.
void reduceLoss(TensorContext& c, const Shape& shape, const LossValue& value);

/// The sum of all values in index order, as a stage that is a scalar.
std::string sumOfValues(TensorContext& c, const std::string& suffix, const Shape& shape,
                        const LossValue& value);

} // namespace plumbline::spec
