// Terms under the `real` reading, on exact rationals.
#pragma once

#include "core/f32/rational.h"
#include "core/logic/eval_program.h"

#include <functional>
#include <optional>

namespace plumbline::logic {

/// The outcome of evaluating over the reals.
struct RealValue {
  enum class Kind : uint8_t {
    Value,     ///< exactly `value` (Bool: 0 or 1)
    Undefined, ///< no real value: division by zero, root of a negative, arithmetic with an infinite constant
    Inexact    ///< not rational or not known here: irrational roots, opaque functions, over 100,000 bits
  };
  Kind kind = Kind::Undefined;
  f32::Rational value;

  bool known() const { return kind == Kind::Value; }
};

/// The exact value that a float constant denotes: its text as the source wrote it, else the value of its
/// bits. Nothing for infinities and NaN.
std::optional<f32::Rational> constantValue(const TermStore& store, TermId constant);

/// The same from the parts of a constant's term.
std::optional<f32::Rational> constantValue(Sort sort, uint64_t bits, const std::string& text);

/// What Op::FloatToInt with this payload makes of a number: truncated towards zero, then saturated.
f32::Rational convertedToInteger(const f32::Rational& value, uint64_t payload);

/// The exact value of a real function, given by canonical name (core/f32/elementary.h), where it is rational
/// and easy to know: exp(0), log(1), integer powers, 1/sqrt of a square, quotients. Outside the domain:
/// Undefined.
RealValue exactFunctionValue(std::string_view canonical, std::span<const f32::Rational> args);

/// The reading: constants denote their text, conversions between float sorts are the identity, every spelling
/// of a function denotes the real function, nothing is NaN. Infinite constants can only be compared, negated
/// and chosen. Used by one thread at a time.
class CompiledRealTerm {
public:
  CompiledRealTerm(const TermStore& store, TermId root) : CompiledRealTerm(store, std::span(&root, 1)) {}
  CompiledRealTerm(const TermStore& store, std::span<const TermId> roots);

  const std::vector<FlatProgram::Input>& inputs() const { return m_program.inputs; }
  int inputIndex(std::string_view name) const { return m_program.inputIndex(name); }

  /// Element `index` of a buffer; nothing when there is none (the load is then Undefined).
  using Load = std::function<std::optional<f32::Rational>(std::string_view buffer, int64_t index)>;

  /// Evaluates all roots. `values` has one entry per input, Bool as 0 or 1; a shorter list is a programming
  /// error and aborts.
  void evaluate(std::span<const f32::Rational> values, const Load& load = {});
  /// The value of a root after `evaluate`.
  RealValue result(size_t root = 0) const;

private:
  struct Cell {
    enum class State : uint8_t { Known, Undefined, Inexact, PlusInfinity, MinusInfinity };
    State state = State::Undefined;
    f32::Rational value;
  };
  using State = Cell::State;

  Cell run(const FlatProgram::Step& step, std::span<const f32::Rational> values, const Load& load) const;
  Cell select(const FlatProgram::Step& step) const;
  Cell loadStep(const FlatProgram::Step& step, const Load& load) const;
  Cell opaqueStep(const FlatProgram::Step& step) const;
  static Cell constant(const FlatProgram::Step& step, const std::string& text);
  static Cell integerStep(const FlatProgram::Step& step, const f32::Rational& a, const f32::Rational& b);
  static Cell arithmetic(const FlatProgram::Step& step, std::span<const Cell* const> args);
  static Cell comparison(Op op, const Cell& a, const Cell& b);
  static Cell known(f32::Rational value) { return {State::Known, std::move(value)}; }
  static Cell boolean(bool value) { return known(value ? 1 : 0); }
  static bool infinite(const Cell& cell) {
    return cell.state == State::PlusInfinity || cell.state == State::MinusInfinity;
  }

  FlatProgram m_program;
  std::vector<Cell> m_cells;
};

} // namespace plumbline::logic
