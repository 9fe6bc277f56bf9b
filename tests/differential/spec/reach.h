// What any implementation of a spec's mathematics may compute: the bound for comparing with PyTorch.
//
// Derivation. u = 2^-24 is binary32's unit roundoff, RD and RU round a real to the next binary32 below and
// above. For every term we keep an interval that contains the value which any implementation of it obtains,
// whatever it rounds in between:
//   - An input or constant is a point.
//   - x op y with real interval [l, h] (over the operands' intervals, computed in binary64 and moved outward
//   where
//     that is inexact) gives [RD l, RU h]. It contains every real value of the exact result and its rounding,
//     so an implementation may keep excess precision here or fuse a product into a sum. A result beyond the
//     rounding threshold 2^128 - 2^103 is infinite.
//   - An opaque function gives the correctly rounded value widened by its documented ulp bound
//   (f32::enclose),
//     over the argument's interval.
//   - A sum of n terms t_i in [l_i, h_i], in any order and by any tree of additions: every term takes part in
//   at
//     most n - 1 roundings, so by Higham (Accuracy and Stability, section 4.2) the computed sum differs from
//     the sum of the same terms by at most gamma_{n-1} * sum |t_i|, gamma_k = k u / (1 - k u); additions do
//     not underflow. Interval: [sum l_i - gamma A, sum h_i + gamma A], A = sum max(|l_i|, |h_i|), plus what
//     the binary64 summation here loses, n 2^-52 A. Where the positive terms, or the negative ones, alone
//     exceed the overflow threshold, some order gives an infinity; where both do, NaN.
//   - A product of n factors likewise: relative gamma_{n-1}; orders that could overflow give everything,
//   those
//     that could underflow an absolute error of n 2^-149 times the product of the factors above 1.
//   - Maximum and minimum round nothing and keep a NaN.
//   - A comparison whose operands' intervals overlap may go both ways; a selection by it gives the hull.
// NaN and infinities are in the interval only when some order or rounding gives them, and alone when all do:
// the pattern of special values is compared exactly where it does not depend on the order.
#pragma once

#include "core/spec/evaluate.h"

#include <map>
#include <memory>

namespace plumbline::spec {

/// One of three parts is meaningful, by sort.
struct Reach {
  logic::Sort sort = logic::Sort::F32;
  bool number = true; ///< F32: some value is not NaN
  double low = 0;     ///< binary32 values; zeros have no sign
  double high = 0;
  bool nan = false;
  bool mayBeTrue = true;          ///< Bool
  bool mayBeFalse = true;         ///< Bool
  std::optional<int64_t> integer; ///< Int; empty: any

  /// `bits` as in logic::Value; up to `slack` outside is inside.
  bool contains(uint64_t bits, double slack) const;
  /// A single kind of value: NaN, an infinity, or numbers that agree in about two digits.
  bool isNarrow() const;
};

/// One thread; terms, spec and inputs outlive it.
class ReachEvaluator {
public:
  ReachEvaluator(const logic::TermStore& terms, const Spec& spec, const Sizes& sizes,
                 const ir::Tensors& inputs);
  ~ReachEvaluator();

  /// What may stand at a flat index of an output.
  Reach output(size_t output, int64_t index);

private:
  struct Program;
  Reach load(const std::string& buffer, logic::Sort sort, std::optional<int64_t> index);
  Reach stage(const Stage& stage, Program& program, int64_t index);
  const Reach& run(Program& program, size_t root, int64_t index, int64_t step, const Reach& accumulator);

  const Sizes& m_sizes;
  const ir::Tensors& m_inputs;
  std::map<std::string, std::unique_ptr<Program>> m_stages;
  std::vector<std::unique_ptr<Program>> m_outputs;
};

} // namespace plumbline::spec
