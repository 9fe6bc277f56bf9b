// Terms under the `real` reading, every value exact or in an interval around it.
#pragma once

#include "core/logic/enclosed_value.h"
#include "core/logic/eval_program.h"

#include <functional>

namespace plumbline::logic {

/// The reading of CompiledRealTerm (eval_real.h), with enclosures where that has no exact value. A selection
/// whose condition is open gives the hull of its branches when these overlap. Used by one thread at a time.
class EnclosedTerm {
public:
  EnclosedTerm(const TermStore& store, std::span<const TermId> roots);
  EnclosedTerm(const TermStore& store, TermId root) : EnclosedTerm(store, std::span(&root, 1)) {}

  const std::vector<FlatProgram::Input>& inputs() const { return m_program.inputs; }

  /// Element `index` of a buffer; called for branches that are not taken, too.
  using Load = std::function<EnclosedValue(std::string_view buffer, int64_t index)>;

  /// Evaluates all roots. `values` has one entry per input (a shorter list is a programming error and
  /// aborts).
  void evaluate(std::span<const EnclosedValue> values, const Load& load,
                const EnclosedArithmetic& arithmetic);
  /// The value of a root after `evaluate`.
  const EnclosedValue& result(size_t root = 0) const { return m_cells[m_program.roots[root]]; }

private:
  using Step = FlatProgram::Step;

  EnclosedValue run(const Step& step, std::span<const EnclosedValue> values, const Load& load,
                    const EnclosedArithmetic& arithmetic) const;
  EnclosedValue select(const Step& step, const EnclosedArithmetic& arithmetic) const;
  EnclosedValue both(const Step& step) const;
  EnclosedValue loadStep(const Step& step, const Load& load) const;
  EnclosedValue opaqueStep(const Step& step, const EnclosedArithmetic& arithmetic) const;
  EnclosedValue compareStep(const Step& step, const EnclosedArithmetic& arithmetic) const;
  EnclosedValue floatStep(const Step& step, const EnclosedArithmetic& arithmetic) const;
  EnclosedValue integerStep(const Step& step, const EnclosedArithmetic& arithmetic) const;
  const EnclosedValue& arg(const Step& step, size_t i) const {
    return m_cells[m_program.args[step.firstArg + i]];
  }
  bool sameArgs(const Step& step) const {
    return m_program.args[step.firstArg] == m_program.args[step.firstArg + 1];
  }

  FlatProgram m_program;
  std::vector<EnclosedValue> m_cells; ///< those of constants stay
};

} // namespace plumbline::logic
