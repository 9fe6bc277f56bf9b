// Terms under the `ieee` reading, on bit patterns: exact, the same on every machine.
#pragma once

#include "core/base/error.h"
#include "core/logic/eval_program.h"

#include <functional>
#include <map>

namespace plumbline::logic {

/// A value of one sort. Bool: 0 or 1. Int: the int64_t in two's complement. F32, F64: the bits, binary32 in
/// the low half.
struct Value {
  Sort sort = Sort::Bool;
  uint64_t bits = 0;

  static Value boolean(bool value) { return {Sort::Bool, value ? 1U : 0U}; }
  static Value integer(int64_t value) { return {Sort::Int, static_cast<uint64_t>(value)}; }
  static Value f32(uint32_t bits) { return {Sort::F32, bits}; }
  static Value f64(uint64_t bits) { return {Sort::F64, bits}; }
  int64_t asInteger() const { return static_cast<int64_t>(bits); }
  bool operator==(const Value&) const = default;
};

/// Same value in the sense of the relation `equal`: same bits, all NaNs of a sort being one.
bool sameValue(const Value& a, const Value& b);

/// What a term refers to besides its free variables. Called for loads in branches that are not taken, too:
/// answer an index out of range with an error, which matters only if the value is used.
struct Callbacks {
  /// Bits of element `index` of a buffer. Unset: every load is the error "load-unavailable".
  std::function<Expected<uint64_t>(std::string_view buffer, int64_t index)> load = {};
  /// Bits of an opaque function's value at arguments given as bits. Unset: the correctly rounded value of the
  /// function that the spelling names (core/f32/elementary.h), the error "opaque-value" for an unknown one.
  std::function<Expected<uint64_t>(std::string_view spelling, Sort sort, std::span<const uint64_t> args)>
      opaque = {};
};

/// Terms compiled once and evaluated at many environments. Owns its program and working memory: independent
/// of the store, used by one thread at a time, copies for others.
class CompiledTerm {
public:
  CompiledTerm(const TermStore& store, TermId root) : CompiledTerm(store, std::span(&root, 1)) {}
  CompiledTerm(const TermStore& store, std::span<const TermId> roots);

  /// Free variables in the order in which `evaluate` takes their values (as in Value::bits).
  const std::vector<FlatProgram::Input>& inputs() const { return m_program.inputs; }
  int inputIndex(std::string_view name) const { return m_program.inputIndex(name); }

  /// Evaluates all roots; then `result` gives each. `values` has one entry per input (a shorter list is a
  /// programming error and aborts).
  void evaluate(std::span<const uint64_t> values, const Callbacks& callbacks = {});

  /// The value of a root after `evaluate`. Errors: "division-by-zero", "int-overflow" (outside int64_t),
  /// "load-unavailable", "opaque-value", or what a callback returned. An error in a branch, or in an operand
  /// of && and
  /// || that C would not evaluate, does not count. NaN results of arithmetic are canonical; constants, loads
  /// and variables keep their payload.
  Expected<Value> result(size_t root = 0) const;

  /// One environment by name. Error: "unbound-variable", besides those of `result`.
  Expected<Value> evaluate(const std::map<std::string, Value>& environment, const Callbacks& callbacks = {});

private:
  struct Outcome {
    uint64_t bits = 0;
    uint32_t error = 0; ///< 0: none; else position in m_errors plus 1
  };
  Outcome run(const FlatProgram::Step& step, std::span<const uint64_t> values, const Callbacks& callbacks);
  Outcome select(const FlatProgram::Step& step) const;
  Outcome floatStep(const FlatProgram::Step& step);
  Outcome integerStep(const FlatProgram::Step& step);
  Outcome loadStep(const FlatProgram::Step& step, const Callbacks& callbacks);
  Outcome opaqueStep(const FlatProgram::Step& step, const Callbacks& callbacks);
  Outcome floatToInteger(const FlatProgram::Step& step, uint64_t bits);
  Outcome failure(Error error);
  uint64_t arg(const FlatProgram::Step& step, size_t i) const {
    return m_outcomes[m_program.args[step.firstArg + i]].bits;
  }

  FlatProgram m_program;
  std::vector<Outcome> m_outcomes;
  std::vector<Error> m_errors;
  std::vector<uint64_t> m_scratch;
};

} // namespace plumbline::logic
