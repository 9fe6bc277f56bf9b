#include "core/logic/eval_enclosed.h"

#include "core/f32/elementary.h"
#include "core/logic/eval_real.h"

#include <cstdio>
#include <cstdlib>

namespace plumbline::logic {

using f32::Rational;
using Kind = EnclosedValue::Kind;

namespace {

/// A constant has at most some thousand bits: no precision is needed for it.
constexpr int kUnusedPrecision = 64;

bool isConstant(Op op) {
  return op == Op::BoolConst || op == Op::IntConst || op == Op::FloatConst;
}

EnclosedValue constant(const FlatProgram::Step& step, const std::string& text) {
  if (step.op != Op::FloatConst)
    return EnclosedValue::whole(static_cast<int64_t>(step.payload));
  if (std::optional<Rational> value = constantValue(step.sort, step.payload, text))
    return EnclosedValue::number(*std::move(value), kUnusedPrecision);
  using f32::Binary32;
  using f32::Binary64;
  const auto narrow = static_cast<uint32_t>(step.payload);
  const bool isSingle = step.sort == Sort::F32;
  if (isSingle ? f32::Soft<Binary32>::isNan(narrow) : f32::Soft<Binary64>::isNan(step.payload))
    return {};
  return EnclosedValue::infinity(isSingle ? f32::Soft<Binary32>::isNegative(narrow)
                                          : f32::Soft<Binary64>::isNegative(step.payload));
}

/// Truncated quotient, or the remainder that belongs to it.
Rational divided(Op op, const Rational& a, const Rational& b) {
  mpz_class quotient;
  mpz_class remainder;
  mpz_tdiv_qr(quotient.get_mpz_t(), remainder.get_mpz_t(), a.get_num_mpz_t(), b.get_num_mpz_t());
  return op == Op::IDiv ? Rational(quotient) : Rational(remainder);
}

} // namespace

EnclosedTerm::EnclosedTerm(const TermStore& store, std::span<const TermId> roots)
    : m_program(store, roots), m_cells(m_program.steps.size()) {
  for (size_t i = 0; i < m_cells.size(); ++i)
    if (const Step& step = m_program.steps[i]; isConstant(step.op))
      m_cells[i] = constant(step, m_program.symbols[step.symbol]);
}

void EnclosedTerm::evaluate(std::span<const EnclosedValue> values, const Load& load,
                            const EnclosedArithmetic& arithmetic) {
  if (values.size() < m_program.inputs.size()) {
    std::fputs("plumbline: internal error: too few values for a compiled term\n", stderr);
    std::abort();
  }
  for (size_t i = 0; i < m_program.steps.size(); ++i)
    if (!isConstant(m_program.steps[i].op))
      m_cells[i] = run(m_program.steps[i], values, load, arithmetic);
}

EnclosedValue EnclosedTerm::run(const Step& step, std::span<const EnclosedValue> values, const Load& load,
                                const EnclosedArithmetic& arithmetic) const {
  if (step.op == Op::Var)
    return values[step.input];
  if (step.op == Op::Ite)
    return select(step, arithmetic);
  if (step.op == Op::And || step.op == Op::Or)
    return both(step);
  const EnclosedValue* undecided = nullptr;
  bool isOpen = false;
  for (size_t i = 0; i < step.argCount; ++i) {
    const Kind kind = arg(step, i).kind();
    if (kind == Kind::Undefined)
      return {};
    if (kind == Kind::Undecided)
      undecided = &arg(step, i);
    isOpen = isOpen || kind == Kind::Either;
  }
  if (undecided != nullptr)
    return *undecided;
  if (isOpen)
    return step.op == Op::Not ? arg(step, 0) : EnclosedValue::undecided(Doubt::Comparison);
  switch (step.op) {
  case Op::Load: return loadStep(step, load);
  case Op::Opaque: return opaqueStep(step, arithmetic);
  case Op::Not: return EnclosedValue::whole(arg(step, 0).is(0) ? 1 : 0);
  case Op::FIsNan: return EnclosedValue::whole(0);
  case Op::FConvert:
  case Op::IntToFloat: return arg(step, 0);
  case Op::IAdd:
  case Op::ISub:
  case Op::IMul:
  case Op::IDiv:
  case Op::IRem: return integerStep(step, arithmetic);
  case Op::ILt:
  case Op::ILe:
  case Op::IEq:
  case Op::FLt:
  case Op::FLe:
  case Op::FEq:
  case Op::FSame: return compareStep(step, arithmetic);
  default: return floatStep(step, arithmetic);
  }
}

EnclosedValue EnclosedTerm::select(const Step& step, const EnclosedArithmetic& arithmetic) const {
  const EnclosedValue& condition = arg(step, 0);
  if (condition.isExact())
    return arg(step, condition.is(0) ? 2 : 1);
  if (condition.kind() != Kind::Either)
    return condition;
  return arithmetic.oneOf(step.sort, arg(step, 1), arg(step, 2));
}

EnclosedValue EnclosedTerm::both(const Step& step) const {
  const EnclosedValue& first = arg(step, 0);
  const EnclosedValue& second = arg(step, 1);
  const int64_t decisive = step.op == Op::And ? 0 : 1;
  if (first.isExact())
    return first.is(decisive) ? first : second;
  if (first.kind() != Kind::Either)
    return first;
  if (second.isExact())
    return second.is(decisive) ? second : first;
  // Whether the second operand counts depends on the first.
  return second.kind() == Kind::Undefined ? EnclosedValue::undecided(Doubt::Comparison) : second;
}

EnclosedValue EnclosedTerm::loadStep(const Step& step, const Load& load) const {
  const std::optional<int64_t> index = arg(step, 0).integer();
  if (!load || !index)
    return {};
  return load(m_program.symbols[step.symbol], *index);
}

EnclosedValue EnclosedTerm::opaqueStep(const Step& step, const EnclosedArithmetic& arithmetic) const {
  std::vector<EnclosedValue> args;
  for (size_t i = 0; i < step.argCount; ++i) {
    if (arg(step, i).isInfinite())
      return {};
    args.push_back(arg(step, i));
  }
  const auto canonical = f32::canonicalFunction(m_program.symbols[step.symbol]);
  return canonical ? arithmetic.function(*canonical, args) : EnclosedValue::undecided(Doubt::Function);
}

EnclosedValue EnclosedTerm::compareStep(const Step& step, const EnclosedArithmetic& arithmetic) const {
  if (sameArgs(step))
    return EnclosedValue::whole(step.op == Op::FLt || step.op == Op::ILt ? 0 : 1);
  return arithmetic.compare(step.op, arg(step, 0), arg(step, 1));
}

EnclosedValue EnclosedTerm::integerStep(const Step& step, const EnclosedArithmetic& arithmetic) const {
  const EnclosedValue& a = arg(step, 0);
  const EnclosedValue& b = arg(step, 1);
  switch (step.op) {
  case Op::IAdd: return arithmetic.add(a, b);
  case Op::ISub: return arithmetic.subtract(a, b);
  case Op::IMul: return arithmetic.multiply(a, b);
  default: break;
  }
  if (b.is(0))
    return {};
  const std::optional<int64_t> x = a.integer();
  const std::optional<int64_t> y = b.integer();
  if (x && y && *y != -1) // the quotient of the smallest number by -1 has no place
    return EnclosedValue::whole(step.op == Op::IDiv ? *x / *y : *x % *y);
  if (!a.isExact() || !b.isExact())
    return EnclosedValue::undecided(Doubt::Rounding); // an integer of more than 100,000 bits
  return EnclosedValue::number(divided(step.op, a.rational(), b.rational()), arithmetic.precision());
}

EnclosedValue EnclosedTerm::floatStep(const Step& step, const EnclosedArithmetic& arithmetic) const {
  const EnclosedValue& a = arg(step, 0);
  if (step.op == Op::FNeg)
    return arithmetic.negate(a);
  for (size_t i = 0; i < step.argCount; ++i)
    if (arg(step, i).isInfinite())
      return {};
  switch (step.op) {
  case Op::FAbs: return arithmetic.absolute(a);
  case Op::FSqrt: return arithmetic.squareRoot(a);
  case Op::FloatToInt: return arithmetic.toInteger(a, step.payload);
  default: break;
  }
  const EnclosedValue& b = arg(step, 1);
  switch (step.op) {
  case Op::FAdd: return arithmetic.add(a, b);
  case Op::FSub: return sameArgs(step) ? EnclosedValue::whole(0) : arithmetic.subtract(a, b);
  case Op::FMul: return sameArgs(step) ? arithmetic.square(a) : arithmetic.multiply(a, b);
  case Op::FDiv: return arithmetic.divide(a, b);
  default: break;
  }
  const EnclosedValue product = sameArgs(step) ? arithmetic.square(a) : arithmetic.multiply(a, b);
  return arithmetic.add(product, arg(step, 2)); // FFma
}

} // namespace plumbline::logic
