// The values of a spec under the `real` reading: exact rationals, or intervals that surely hold the number.
#pragma once

#include "core/logic/enclosed_value.h"
#include "core/spec/evaluate.h"

#include <memory>

namespace plumbline::spec {

/// How precisely enclosures are computed. An element is computed anew with twice the precision until it is
/// settled: exact, undefined, or an interval that is narrow enough.
struct RealPrecision {
  int first = 128;       ///< bits
  int most = 4096;       ///< beyond it, what is not decided is Undecided
  int relativeBits = 64; ///< narrow enough: 2^-relativeBits of the value wide,
  long absolute = -1200; ///< or 2^absolute
};

/// Elements of outputs on concrete inputs, each computed when it is asked for; what was computed of the folds
/// on the way is kept. One thread at a time; terms, spec, sizes and inputs outlive it.
class RealEvaluator {
public:
  /// Errors: "size-unbound".
  static Expected<std::unique_ptr<RealEvaluator>> make(const logic::TermStore& terms, const Spec& spec,
                                                       const Sizes& sizes, const ir::Tensors& inputs,
                                                       const EvaluateOptions& options = {},
                                                       const RealPrecision& precision = {});
  ~RealEvaluator();
  RealEvaluator(const RealEvaluator&) = delete;
  RealEvaluator& operator=(const RealEvaluator&) = delete;

  /// The element at a flat index of an output: Exact, Enclosed, Undefined or Undecided. Undefined as well
  /// where an input that counts is not finite. Error: "stopped".
  Expected<logic::EnclosedValue> at(size_t output, int64_t index);
  /// The same at one precision, settled or not. For tests of what precision does.
  logic::EnclosedValue atPrecision(size_t output, int64_t index, int bits);

private:
  struct Output;
  struct Fold;
  RealEvaluator(const ir::Tensors& inputs, StopToken stop, const RealPrecision& precision);
  bool isSettled(const logic::EnclosedValue& value) const;
  logic::EnclosedValue load(std::string_view buffer, int64_t index);
  logic::EnclosedValue element(Fold& fold, int64_t index);
  logic::EnclosedValue folded(Fold& fold, int64_t index);

  std::map<std::string, const ir::Tensor*, std::less<>> m_inputs;
  StopToken m_stop;
  RealPrecision m_precision;
  logic::EnclosedArithmetic m_arithmetic;
  size_t m_steps = 0;
  std::map<std::string, std::unique_ptr<Fold>, std::less<>> m_folds;
  std::vector<std::unique_ptr<Output>> m_outputs;
};

/// All elements of one output.
struct RealTensor {
  std::vector<int64_t> shape;
  std::vector<logic::EnclosedValue> values;
};
/// Of all outputs, by name. Errors: those of bindSizes and RealEvaluator.
Expected<std::map<std::string, RealTensor>> evaluateSpecReal(const logic::TermStore& terms, const Spec& spec,
                                                             const ir::Tensors& inputs,
                                                             const EvaluateOptions& options = {});

} // namespace plumbline::spec
