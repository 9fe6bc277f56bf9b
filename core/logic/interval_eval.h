// Terms under the `ieee` reading with every opaque function replaced by an enclosure: what any implementation
// within the documented error bounds can give.
#pragma once

#include "core/f32/elementary.h"
#include "core/logic/eval_program.h"

#include <functional>
#include <optional>

namespace plumbline::logic {

/// A set that contains the value of a term. One of the three parts is meaningful, by sort.
struct Interval {
  Sort sort = Sort::Bool;
  f32::Range range;               ///< F32, F64
  bool mayBeTrue = true;          ///< Bool
  bool mayBeFalse = true;         ///< Bool
  std::optional<int64_t> integer; ///< Int; empty: any integer

  bool operator==(const Interval&) const = default;
};

/// The two values differ (by bits, all NaNs being one) whatever an implementation within the bounds computes.
/// Only then may `different` be claimed through opaque functions. False for different sorts.
bool certainlyDifferent(const Interval& a, const Interval& b);

/// Sound for round to nearest even. Errors of evaluation (division by zero, a failed load) widen to
/// "anything". Used by one thread at a time.
class IntervalTerm {
public:
  IntervalTerm(const TermStore& store, TermId root) : IntervalTerm(store, std::span(&root, 1)) {}
  IntervalTerm(const TermStore& store, std::span<const TermId> roots);

  const std::vector<FlatProgram::Input>& inputs() const { return m_program.inputs; }
  int inputIndex(std::string_view name) const { return m_program.inputIndex(name); }

  /// Bits of element `index` of a buffer; nothing when there is none.
  using Load = std::function<std::optional<uint64_t>(std::string_view buffer, int64_t index)>;

  /// Evaluates all roots at one point. `values` as for CompiledTerm: one entry per input, a shorter list is a
  /// programming error and aborts.
  void evaluate(std::span<const uint64_t> values, const Load& load = {});
  /// The enclosure of a root after `evaluate`.
  const Interval& result(size_t root = 0) const { return m_cells[m_program.roots[root]]; }

  /// Spellings of the opaque functions below the roots, in order of first use.
  std::vector<std::string> opaqueFunctions() const;

private:
  Interval run(const FlatProgram::Step& step, std::span<const uint64_t> values, const Load& load) const;
  Interval loadStep(const FlatProgram::Step& step, const Load& load) const;
  Interval opaqueStep(const FlatProgram::Step& step) const;
  const Interval& arg(const FlatProgram::Step& step, size_t i) const {
    return m_cells[m_program.args[step.firstArg + i]];
  }

  FlatProgram m_program;
  std::vector<Interval> m_cells;
};

} // namespace plumbline::logic
