#include "core/logic/eval_real.h"

#include "core/f32/elementary.h"

#include <array>
#include <cstdio>
#include <cstdlib>

namespace plumbline::logic {

namespace {

using f32::Binary32;
using f32::Binary64;
using f32::Rational;

/// Repeated squaring doubles the length of a number each time; beyond this it counts as not known.
bool tooLarge(const Rational& value) {
  constexpr size_t kMostBits = 100000;
  return mpz_sizeinbase(value.get_num_mpz_t(), 2) > kMostBits ||
         mpz_sizeinbase(value.get_den_mpz_t(), 2) > kMostBits;
}

bool isInfinite(Sort sort, uint64_t bits) {
  return sort == Sort::F32 ? f32::Soft<Binary32>::isInf(static_cast<uint32_t>(bits))
                           : f32::Soft<Binary64>::isInf(bits);
}

bool isNegative(Sort sort, uint64_t bits) {
  return sort == Sort::F32 ? f32::Soft<Binary32>::isNegative(static_cast<uint32_t>(bits))
                           : f32::Soft<Binary64>::isNegative(bits);
}

/// Truncates towards zero.
Rational truncated(const Rational& value) {
  mpz_class whole;
  mpz_tdiv_q(whole.get_mpz_t(), value.get_num_mpz_t(), value.get_den_mpz_t());
  return Rational(whole);
}

Rational saturated(const Rational& value, int width, bool isSigned) {
  Rational high = f32::scaled(1, isSigned ? width - 1 : width) - 1;
  Rational low = isSigned ? Rational(-high - 1) : Rational(0);
  return value < low ? low : value > high ? high : value;
}

RealValue exactly(Rational value) {
  return {RealValue::Kind::Value, std::move(value)};
}
RealValue undefined() {
  return {RealValue::Kind::Undefined, {}};
}
RealValue inexact() {
  return {RealValue::Kind::Inexact, {}};
}

/// Powers with a small integer exponent.
RealValue power(const Rational& base, const Rational& exponent) {
  constexpr long kLimit = 64;
  if (exponent.get_den() != 1) {
    if (base < 0 || (base == 0 && exponent < 0))
      return undefined();
    return base == 0 || base == 1 ? exactly(base) : inexact();
  }
  if (base == 0 && exponent < 0)
    return undefined();
  if (::abs(exponent) > kLimit)
    return inexact();
  long count = exponent.get_num().get_si();
  Rational result = 1;
  for (long i = 0; i < std::labs(count); ++i)
    result *= base;
  return exactly(count < 0 ? Rational(1 / result) : result);
}

struct KnownPoint {
  std::string_view function;
  int argument;
  int value;
};
constexpr std::array kKnownPoints = {
    KnownPoint{"exp", 0, 1},  KnownPoint{"exp2", 0, 1},  KnownPoint{"exp10", 0, 1}, KnownPoint{"expm1", 0, 0},
    KnownPoint{"log", 1, 0},  KnownPoint{"log2", 1, 0},  KnownPoint{"log10", 1, 0}, KnownPoint{"log1p", 0, 0},
    KnownPoint{"sin", 0, 0},  KnownPoint{"cos", 0, 1},   KnownPoint{"tan", 0, 0},   KnownPoint{"asin", 0, 0},
    KnownPoint{"acos", 1, 0}, KnownPoint{"atan", 0, 0},  KnownPoint{"sinh", 0, 0},  KnownPoint{"cosh", 0, 1},
    KnownPoint{"tanh", 0, 0}, KnownPoint{"asinh", 0, 0}, KnownPoint{"acosh", 1, 0}, KnownPoint{"atanh", 0, 0},
    KnownPoint{"erf", 0, 0},  KnownPoint{"erfc", 0, 1},  KnownPoint{"cbrt", 0, 0},  KnownPoint{"cbrt", 1, 1},
};

bool outsideDomain(std::string_view function, const Rational& x) {
  if (function == "log" || function == "log2" || function == "log10" || function == "rsqrt")
    return x <= 0;
  if (function == "log1p")
    return x <= -1;
  if (function == "asin" || function == "acos")
    return x < -1 || x > 1;
  if (function == "atanh")
    return x <= -1 || x >= 1;
  return function == "acosh" && x < 1;
}

} // namespace

std::optional<Rational> constantValue(const TermStore& store, TermId constant) {
  const Term& term = store[constant];
  return constantValue(term.sort, term.payload, store.symbolText(term.symbol));
}

std::optional<Rational> constantValue(Sort sort, uint64_t bits, const std::string& text) {
  if (!text.empty())
    if (auto exact = f32::parseExact(text))
      return *exact;
  return sort == Sort::F32 ? f32::toRational<Binary32>(static_cast<uint32_t>(bits))
                           : f32::toRational<Binary64>(bits);
}

Rational convertedToInteger(const Rational& value, uint64_t payload) {
  return saturated(truncated(value), static_cast<int>(payload & 0xFF), (payload & 0x100) != 0);
}

RealValue exactFunctionValue(std::string_view canonical, std::span<const Rational> args) {
  if (canonical == "pow" && args.size() == 2)
    return power(args[0], args[1]);
  if (canonical == "divide" && args.size() == 2)
    return args[1] == 0 ? undefined() : exactly(args[0] / args[1]);
  if (args.size() != 1)
    return inexact();
  if (outsideDomain(canonical, args[0]))
    return undefined();
  if (canonical == "rsqrt") {
    auto root = f32::exactSqrt(args[0]);
    return root ? exactly(1 / *root) : inexact();
  }
  for (const KnownPoint& point : kKnownPoints)
    if (point.function == canonical && args[0] == point.argument)
      return exactly(point.value);
  return inexact();
}

CompiledRealTerm::CompiledRealTerm(const TermStore& store, std::span<const TermId> roots)
    : m_program(store, roots), m_cells(m_program.steps.size()) {}

void CompiledRealTerm::evaluate(std::span<const Rational> values, const Load& load) {
  if (values.size() < m_program.inputs.size()) {
    std::fputs("plumbline: internal error: too few values for a compiled term\n", stderr);
    std::abort();
  }
  for (size_t i = 0; i < m_program.steps.size(); ++i)
    m_cells[i] = run(m_program.steps[i], values, load);
}

CompiledRealTerm::Cell CompiledRealTerm::run(const FlatProgram::Step& step, std::span<const Rational> values,
                                             const Load& load) const {
  if (step.op == Op::Ite || step.op == Op::And || step.op == Op::Or)
    return select(step);
  std::array<const Cell*, 3> args{};
  bool isInexact = false;
  for (uint32_t i = 0; i < step.argCount; ++i) {
    const Cell& cell = m_cells[m_program.args[step.firstArg + i]];
    if (cell.state == State::Undefined)
      return cell;
    isInexact = isInexact || cell.state == State::Inexact;
    if (i < args.size())
      args.at(i) = &cell;
  }
  if (step.op == Op::FIsNan)
    return boolean(false);
  if (isInexact)
    return {State::Inexact, {}};
  switch (step.op) {
  case Op::BoolConst: return boolean(step.payload != 0);
  case Op::IntConst: return known(f32::rationalFromInteger(static_cast<int64_t>(step.payload)));
  case Op::FloatConst: return constant(step, m_program.symbols[step.symbol]);
  case Op::Var: return known(values[step.input]);
  case Op::Load: return loadStep(step, load);
  case Op::Opaque: return opaqueStep(step);
  case Op::Not: return boolean(args[0]->value == 0);
  case Op::IAdd:
  case Op::ISub:
  case Op::IMul:
  case Op::IDiv:
  case Op::IRem: return integerStep(step, args[0]->value, args[1]->value);
  case Op::ILt:
  case Op::ILe:
  case Op::IEq:
  case Op::FLt:
  case Op::FLe:
  case Op::FEq:
  case Op::FSame: return comparison(step.op, *args[0], *args[1]);
  default: break;
  }
  Cell result = arithmetic(step, std::span(args).first(step.argCount));
  return tooLarge(result.value) ? Cell{State::Inexact, {}} : result;
}

CompiledRealTerm::Cell CompiledRealTerm::select(const FlatProgram::Step& step) const {
  auto operands = m_program.argsOf(step);
  const Cell& first = m_cells[operands[0]];
  if (first.state != State::Known)
    return first;
  bool holds = first.value != 0;
  if (step.op == Op::Ite)
    return m_cells[operands[holds ? 1 : 2]];
  bool decided = step.op == Op::And ? !holds : holds;
  return decided ? first : m_cells[operands[1]];
}

CompiledRealTerm::Cell CompiledRealTerm::constant(const FlatProgram::Step& step, const std::string& text) {
  if (auto value = constantValue(step.sort, step.payload, text))
    return known(*value);
  if (isInfinite(step.sort, step.payload))
    return {isNegative(step.sort, step.payload) ? State::MinusInfinity : State::PlusInfinity, {}};
  return {State::Undefined, {}};
}

CompiledRealTerm::Cell CompiledRealTerm::loadStep(const FlatProgram::Step& step, const Load& load) const {
  const Rational& index = m_cells[m_program.args[step.firstArg]].value;
  if (!load || !index.get_num().fits_slong_p())
    return {State::Undefined, {}};
  auto value = load(m_program.symbols[step.symbol], index.get_num().get_si());
  return value ? known(*value) : Cell{State::Undefined, {}};
}

CompiledRealTerm::Cell CompiledRealTerm::opaqueStep(const FlatProgram::Step& step) const {
  std::vector<Rational> args;
  for (uint32_t index : m_program.argsOf(step)) {
    if (infinite(m_cells[index]))
      return {State::Undefined, {}};
    args.push_back(m_cells[index].value);
  }
  auto canonical = f32::canonicalFunction(m_program.symbols[step.symbol]);
  if (!canonical)
    return {State::Inexact, {}};
  RealValue result = exactFunctionValue(*canonical, args);
  if (result.known())
    return known(std::move(result.value));
  return {result.kind == RealValue::Kind::Undefined ? State::Undefined : State::Inexact, {}};
}

CompiledRealTerm::Cell CompiledRealTerm::integerStep(const FlatProgram::Step& step, const Rational& a,
                                                     const Rational& b) {
  switch (step.op) {
  case Op::IAdd: return known(a + b);
  case Op::ISub: return known(a - b);
  case Op::IMul: return known(a * b);
  default: break;
  }
  if (b == 0)
    return {State::Undefined, {}};
  Rational quotient = truncated(a / b);
  return known(step.op == Op::IDiv ? quotient : Rational(a - quotient * b));
}

CompiledRealTerm::Cell CompiledRealTerm::comparison(Op op, const Cell& a, const Cell& b) {
  auto rank = [](const Cell& cell) {
    return cell.state == State::PlusInfinity ? 1 : cell.state == State::MinusInfinity ? -1 : 0;
  };
  int order = rank(a) - rank(b);
  if (order == 0 && rank(a) == 0)
    order = cmp(a.value, b.value);
  if (op == Op::FLt || op == Op::ILt)
    return boolean(order < 0);
  return boolean(op == Op::FLe || op == Op::ILe ? order <= 0 : order == 0);
}

CompiledRealTerm::Cell CompiledRealTerm::arithmetic(const FlatProgram::Step& step,
                                                    std::span<const Cell* const> args) {
  bool anyInfinite = false;
  for (const Cell* cell : args)
    anyInfinite = anyInfinite || infinite(*cell);
  if (step.op == Op::FConvert)
    return *args[0];
  if (anyInfinite) {
    if (step.op != Op::FNeg)
      return {State::Undefined, {}};
    return {args[0]->state == State::PlusInfinity ? State::MinusInfinity : State::PlusInfinity, {}};
  }
  const Rational& a = args[0]->value;
  switch (step.op) {
  case Op::FAdd: return known(a + args[1]->value);
  case Op::FSub: return known(a - args[1]->value);
  case Op::FMul: return known(a * args[1]->value);
  case Op::FDiv: return args[1]->value == 0 ? Cell{State::Undefined, {}} : known(a / args[1]->value);
  case Op::FFma: return known(a * args[1]->value + args[2]->value);
  case Op::FNeg: return known(-a);
  case Op::FAbs: return known(::abs(a));
  case Op::IntToFloat: return known(a);
  case Op::FloatToInt: return known(convertedToInteger(a, step.payload));
  default: break;
  }
  if (a < 0) // FSqrt
    return {State::Undefined, {}};
  auto root = f32::exactSqrt(a);
  return root ? known(*root) : Cell{State::Inexact, {}};
}

RealValue CompiledRealTerm::result(size_t root) const {
  const Cell& cell = m_cells[m_program.roots[root]];
  if (cell.state == State::Known)
    return exactly(cell.value);
  return cell.state == State::Inexact ? inexact() : undefined();
}

} // namespace plumbline::logic
