#include "core/logic/eval.h"

#include "core/f32/elementary.h"
#include "core/f32/soft_float.h"

#include <cstdio>
#include <cstdlib>

namespace plumbline::logic {

namespace {

using f32::Binary32;
using f32::Binary64;
using f32::Soft;

Error evaluationError(std::string id, std::string message) {
  return Error{ErrorKind::Internal, std::move(id), std::move(message), {}};
}

/// Float operators whose result has the sort of their operands.
template <class F> uint64_t arithmetic(Op op, uint64_t a, uint64_t b, uint64_t c) {
  using S = Soft<F>;
  using Bits = typename S::Bits;
  auto x = static_cast<Bits>(a);
  auto y = static_cast<Bits>(b);
  switch (op) {
  case Op::FAdd: return S::add(x, y);
  case Op::FSub: return S::sub(x, y);
  case Op::FMul: return S::mul(x, y);
  case Op::FDiv: return S::div(x, y);
  case Op::FSqrt: return S::sqrt(x);
  case Op::FFma: return S::fma(x, y, static_cast<Bits>(c));
  case Op::FNeg: return S::neg(x);
  default: return S::abs(x);
  }
}

template <class F> bool comparison(Op op, uint64_t a, uint64_t b) {
  using S = Soft<F>;
  using Bits = typename S::Bits;
  auto x = static_cast<Bits>(a);
  auto y = static_cast<Bits>(b);
  switch (op) {
  case Op::FLt: return S::less(x, y);
  case Op::FLe: return S::lessEqual(x, y);
  case Op::FEq: return S::equal(x, y);
  case Op::FIsNan: return S::isNan(x);
  default: return S::same(x, y);
  }
}

uint64_t converted(Sort from, Sort to, uint64_t bits) {
  if (from == to)
    return bits;
  return to == Sort::F64 ? f32::convert<Binary32, Binary64>(static_cast<uint32_t>(bits))
                         : f32::convert<Binary64, Binary32>(bits);
}

enum class IntegerFault : uint8_t { None, Overflow, ZeroDivisor };

IntegerFault integerArithmetic(Op op, int64_t a, int64_t b, int64_t& result) {
  auto overflow = [](bool happened) { return happened ? IntegerFault::Overflow : IntegerFault::None; };
  switch (op) {
  case Op::IAdd: return overflow(__builtin_add_overflow(a, b, &result));
  case Op::ISub: return overflow(__builtin_sub_overflow(a, b, &result));
  case Op::IMul: return overflow(__builtin_mul_overflow(a, b, &result));
  default: break;
  }
  if (b == 0)
    return IntegerFault::ZeroDivisor;
  if (op == Op::IDiv && b == -1)
    return overflow(__builtin_sub_overflow(int64_t{0}, a, &result));
  result = op == Op::IDiv ? a / b : b == -1 ? 0 : a % b;
  return IntegerFault::None;
}

bool integerComparison(Op op, int64_t a, int64_t b) {
  return op == Op::ILt ? a < b : op == Op::ILe ? a <= b : a == b;
}

} // namespace

bool sameValue(const Value& a, const Value& b) {
  if (a.sort != b.sort)
    return false;
  if (a.sort == Sort::F32)
    return Soft<Binary32>::same(static_cast<uint32_t>(a.bits), static_cast<uint32_t>(b.bits));
  return a.sort == Sort::F64 ? Soft<Binary64>::same(a.bits, b.bits) : a.bits == b.bits;
}

CompiledTerm::CompiledTerm(const TermStore& store, std::span<const TermId> roots)
    : m_program(store, roots), m_outcomes(m_program.steps.size()) {}

CompiledTerm::Outcome CompiledTerm::failure(Error error) {
  m_errors.push_back(std::move(error));
  return {0, static_cast<uint32_t>(m_errors.size())};
}

void CompiledTerm::evaluate(std::span<const uint64_t> values, const Callbacks& callbacks) {
  if (values.size() < m_program.inputs.size()) {
    std::fputs("plumbline: internal error: too few values for a compiled term\n", stderr);
    std::abort();
  }
  m_errors.clear();
  for (size_t i = 0; i < m_program.steps.size(); ++i)
    m_outcomes[i] = run(m_program.steps[i], values, callbacks);
}

CompiledTerm::Outcome CompiledTerm::run(const FlatProgram::Step& step, std::span<const uint64_t> values,
                                        const Callbacks& callbacks) {
  if (step.op == Op::Ite || step.op == Op::And || step.op == Op::Or)
    return select(step);
  for (uint32_t index : m_program.argsOf(step))
    if (m_outcomes[index].error != 0)
      return m_outcomes[index];
  switch (step.op) {
  case Op::BoolConst:
  case Op::IntConst:
  case Op::FloatConst: return {step.payload, 0};
  case Op::Var: return {values[step.input], 0};
  case Op::Load: return loadStep(step, callbacks);
  case Op::Opaque: return opaqueStep(step, callbacks);
  case Op::Not: return {arg(step, 0) ^ 1U, 0};
  case Op::IAdd:
  case Op::ISub:
  case Op::IMul:
  case Op::IDiv:
  case Op::IRem: return integerStep(step);
  case Op::ILt:
  case Op::ILe:
  case Op::IEq:
    return {
        integerComparison(step.op, static_cast<int64_t>(arg(step, 0)), static_cast<int64_t>(arg(step, 1))),
        0};
  default: return floatStep(step);
  }
}

CompiledTerm::Outcome CompiledTerm::floatStep(const FlatProgram::Step& step) {
  const bool single = step.argSort == Sort::F32;
  const uint64_t first = arg(step, 0);
  const uint64_t second = step.argCount > 1 ? arg(step, 1) : 0;
  const uint64_t third = step.argCount > 2 ? arg(step, 2) : 0;
  switch (step.op) {
  case Op::FConvert: return {converted(step.argSort, step.sort, first), 0};
  case Op::IntToFloat: {
    auto value = static_cast<int64_t>(first);
    return {step.sort == Sort::F32 ? f32::fromInteger<Binary32>(value) : f32::fromInteger<Binary64>(value),
            0};
  }
  case Op::FloatToInt: return floatToInteger(step, first);
  case Op::FLt:
  case Op::FLe:
  case Op::FEq:
  case Op::FSame:
  case Op::FIsNan:
    return {single ? comparison<Binary32>(step.op, first, second)
                   : comparison<Binary64>(step.op, first, second),
            0};
  default:
    return {single ? arithmetic<Binary32>(step.op, first, second, third)
                   : arithmetic<Binary64>(step.op, first, second, third),
            0};
  }
}

/// The operators that do not look at all their operands.
CompiledTerm::Outcome CompiledTerm::select(const FlatProgram::Step& step) const {
  auto operands = m_program.argsOf(step);
  const Outcome& first = m_outcomes[operands[0]];
  if (first.error != 0)
    return first;
  bool holds = first.bits != 0;
  if (step.op == Op::Ite)
    return m_outcomes[operands[holds ? 1 : 2]];
  bool decided = step.op == Op::And ? !holds : holds;
  return decided ? first : m_outcomes[operands[1]];
}

CompiledTerm::Outcome CompiledTerm::integerStep(const FlatProgram::Step& step) {
  int64_t result = 0;
  switch (integerArithmetic(step.op, static_cast<int64_t>(arg(step, 0)), static_cast<int64_t>(arg(step, 1)),
                            result)) {
  case IntegerFault::None: return {static_cast<uint64_t>(result), 0};
  case IntegerFault::Overflow:
    return failure(evaluationError("int-overflow", "An integer leaves the range of 64 bits."));
  case IntegerFault::ZeroDivisor: break;
  }
  return failure(evaluationError("division-by-zero", "An integer is divided by zero."));
}

CompiledTerm::Outcome CompiledTerm::loadStep(const FlatProgram::Step& step, const Callbacks& callbacks) {
  const std::string& buffer = m_program.symbols[step.symbol];
  if (!callbacks.load)
    return failure(
        evaluationError("load-unavailable", "No contents are given for the buffer " + buffer + "."));
  auto loaded = callbacks.load(buffer, static_cast<int64_t>(arg(step, 0)));
  return loaded ? Outcome{*loaded, 0} : failure(std::move(loaded.error()));
}

CompiledTerm::Outcome CompiledTerm::opaqueStep(const FlatProgram::Step& step, const Callbacks& callbacks) {
  m_scratch.clear();
  for (uint32_t index : m_program.argsOf(step))
    m_scratch.push_back(m_outcomes[index].bits);
  const std::string& spelling = m_program.symbols[step.symbol];
  if (callbacks.opaque) {
    auto value = callbacks.opaque(spelling, step.sort, m_scratch);
    return value ? Outcome{*value, 0} : failure(std::move(value.error()));
  }
  auto canonical = f32::canonicalFunction(spelling);
  auto width = step.sort == Sort::F32 ? f32::Width::Binary32 : f32::Width::Binary64;
  auto value = canonical && step.argSort == step.sort ? f32::elementaryValue(*canonical, width, m_scratch)
                                                      : std::optional<uint64_t>();
  if (!value)
    return failure(evaluationError("opaque-value", "The function " + spelling + " has no known value."));
  return {*value, 0};
}

CompiledTerm::Outcome CompiledTerm::floatToInteger(const FlatProgram::Step& step, uint64_t bits) {
  int width = static_cast<int>(step.payload & 0xFF);
  bool isSigned = (step.payload & 0x100) != 0;
  int64_t value = step.argSort == Sort::F32
                      ? f32::toInteger<Binary32>(static_cast<uint32_t>(bits), width, isSigned)
                      : f32::toInteger<Binary64>(bits, width, isSigned);
  if (!isSigned && value < 0)
    return failure(
        evaluationError("int-overflow", "A converted float leaves the range of 64-bit signed integers."));
  return {static_cast<uint64_t>(value), 0};
}

Expected<Value> CompiledTerm::result(size_t root) const {
  uint32_t index = m_program.roots[root];
  const Outcome& outcome = m_outcomes[index];
  if (outcome.error != 0)
    return fail(m_errors[outcome.error - 1]);
  return Value{m_program.steps[index].sort, outcome.bits};
}

Expected<Value> CompiledTerm::evaluate(const std::map<std::string, Value>& environment,
                                       const Callbacks& callbacks) {
  std::vector<uint64_t> values;
  for (const FlatProgram::Input& input : m_program.inputs) {
    auto found = environment.find(input.name);
    if (found == environment.end() || found->second.sort != input.sort)
      return fail(evaluationError("unbound-variable", "The variable " + input.name +
                                                          " has no value of sort " +
                                                          std::string(sortName(input.sort)) + "."));
    values.push_back(found->second.bits);
  }
  evaluate(values, callbacks);
  return result();
}

} // namespace plumbline::logic
