#include "tests/differential/spec/reach.h"

#include "core/logic/eval_program.h"
#include "tests/differential/spec/reach_arithmetic.h"

#include <bit>
#include <cmath>

namespace plumbline::spec {

using logic::FlatProgram;
using logic::Op;
using logic::Sort;

namespace {

enum Root : size_t { Count, Init, Guard, Term, Next };

std::optional<int64_t> integerOf(Op op, const Reach& a, const Reach& b) {
  if (!a.integer || !b.integer)
    return std::nullopt;
  const int64_t x = *a.integer;
  const int64_t y = *b.integer;
  switch (op) {
  case Op::IAdd: return x + y;
  case Op::ISub: return x - y;
  case Op::IMul: return x * y;
  case Op::IDiv: return y == 0 ? std::nullopt : std::optional(x / y);
  case Op::IRem: return y == 0 ? std::nullopt : std::optional(x % y);
  default: return std::nullopt;
  }
}

Reach compareIntegers(Op op, const Reach& a, const Reach& b) {
  if (!a.integer || !b.integer)
    return reach::truth(true, true);
  const int64_t x = *a.integer;
  const int64_t y = *b.integer;
  const bool holds = op == Op::ILt ? x < y : op == Op::ILe ? x <= y : x == y;
  return reach::truth(holds, !holds);
}

} // namespace

bool Reach::contains(uint64_t bits, double slack) const {
  if (sort == Sort::Bool)
    return bits != 0 ? mayBeTrue : mayBeFalse;
  if (sort == Sort::Int)
    return !integer || static_cast<uint64_t>(*integer) == bits;
  const double value = std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (std::isnan(value))
    return nan;
  return number && low - slack <= value && value <= high + slack;
}

bool Reach::isNarrow() const {
  if (sort == Sort::Bool)
    return mayBeTrue != mayBeFalse;
  if (sort == Sort::Int)
    return integer.has_value();
  if (!number || (!nan && low == high))
    return true;
  return !nan && high - low <= 0x1p-7 * std::max(std::abs(low), std::abs(high));
}

struct ReachEvaluator::Program {
  FlatProgram flat;
  std::vector<Reach> cells;
  const Stage* stage = nullptr;
  int64_t numel = 0; ///< of the stage
  std::map<int64_t, Reach> known;
};

ReachEvaluator::ReachEvaluator(const logic::TermStore& terms, const Spec& spec, const Sizes& sizes,
                               const ir::Tensors& inputs)
    : m_sizes(sizes), m_inputs(inputs) {
  for (const Stage& stage : spec.stages) {
    const logic::TermId roots[] = {stage.count, stage.init, stage.guard, stage.term, stage.next};
    m_stages[stage.tensor.name] = std::make_unique<Program>(Program{
        FlatProgram(terms, roots), {}, &stage, sizeValue(terms, stage.tensor.numel, sizes).value_or(0), {}});
  }
  for (const SpecOutput& output : spec.outputs)
    m_outputs.push_back(std::make_unique<Program>(
        Program{FlatProgram(terms, std::span(&output.element, 1)), {}, nullptr, 0, {}}));
}

ReachEvaluator::~ReachEvaluator() = default;

Reach ReachEvaluator::output(size_t output, int64_t index) {
  return run(*m_outputs[output], 0, index, 0, {});
}

Reach ReachEvaluator::load(const std::string& buffer, Sort sort, std::optional<int64_t> index) {
  if (!index)
    return reach::unknown(sort);
  if (const auto found = m_stages.find(buffer); found != m_stages.end()) {
    Program& program = *found->second;
    if (const auto known = program.known.find(*index); known != program.known.end())
      return known->second;
    if (*index < 0 || *index >= program.numel)
      return reach::unknown(sort); // in a branch that is not taken
    const Reach value = stage(*program.stage, program, *index);
    return program.known.emplace(*index, value).first->second;
  }
  const ir::Tensor& input = m_inputs.at(buffer);
  if (*index < 0 || static_cast<size_t>(*index) >= input.bits.size())
    return reach::unknown(sort); // in a branch that is not taken
  const uint64_t bits = input.bits[static_cast<size_t>(*index)];
  if (sort == Sort::Int)
    return reach::integer(static_cast<int64_t>(bits));
  return sort == Sort::Bool ? reach::truth(bits != 0, bits == 0) : reach::point(bits);
}

Reach ReachEvaluator::stage(const Stage& stage, Program& program, int64_t index) {
  const std::optional<int64_t> count = run(program, Count, index, 0, {}).integer;
  Reach accumulator = run(program, Init, index, 0, {});
  const Sort sort = accumulator.sort;
  if (!count)
    return reach::unknown(sort);
  std::vector<Reach> terms;
  for (int64_t k = 0; k < *count; ++k) {
    if (stage.kind == FoldKind::General || sort != Sort::F32) {
      accumulator = run(program, Next, index, k, accumulator);
      continue;
    }
    run(program, Next, index, k, accumulator);
    const Reach guard = program.cells[program.flat.roots[Guard]];
    if (guard.mayBeTrue && guard.mayBeFalse)
      return reach::unknown(sort);
    if (guard.mayBeTrue)
      terms.push_back(program.cells[program.flat.roots[Term]]);
  }
  switch (stage.kind) {
  case FoldKind::Sum: return reach::sum(accumulator, terms);
  case FoldKind::Product: return reach::product(accumulator, terms);
  case FoldKind::Maximum: return reach::extreme(accumulator, terms, true);
  case FoldKind::Minimum: return reach::extreme(accumulator, terms, false);
  case FoldKind::General: break;
  }
  return accumulator;
}

namespace {

/// The operators whose value follows from their operands.
Reach apply(const FlatProgram& flat, const FlatProgram::Step& step, const std::vector<Reach>& args) {
  switch (step.op) {
  case Op::Not: return reach::truth(args[0].mayBeFalse, args[0].mayBeTrue);
  case Op::And:
    return reach::truth(args[0].mayBeTrue && args[1].mayBeTrue, args[0].mayBeFalse || args[1].mayBeFalse);
  case Op::Or:
    return reach::truth(args[0].mayBeTrue || args[1].mayBeTrue, args[0].mayBeFalse && args[1].mayBeFalse);
  case Op::Ite:
    if (args[0].mayBeTrue && args[0].mayBeFalse)
      return reach::hull(args[1], args[2]);
    return args[0].mayBeTrue ? args[1] : args[2];
  case Op::IAdd:
  case Op::ISub:
  case Op::IMul:
  case Op::IDiv:
  case Op::IRem: return reach::integer(integerOf(step.op, args[0], args[1]));
  case Op::ILt:
  case Op::ILe:
  case Op::IEq: return compareIntegers(step.op, args[0], args[1]);
  case Op::FAdd: return reach::add(args[0], args[1]);
  case Op::FSub: return reach::add(args[0], reach::negate(args[1]));
  case Op::FMul: return reach::multiply(args[0], args[1]);
  case Op::FDiv: return reach::divide(args[0], args[1]);
  case Op::FSqrt: return reach::squareRoot(args[0]);
  case Op::FFma: return reach::multiplyAdd(args[0], args[1], args[2]);
  case Op::FNeg: return reach::negate(args[0]);
  case Op::FAbs: return reach::absolute(args[0]);
  case Op::FLt: return reach::less(args[0], args[1]);
  case Op::FLe: return reach::lessOrEqual(args[0], args[1]);
  case Op::FEq: return reach::equal(args[0], args[1]);
  case Op::FIsNan: return reach::truth(args[0].nan, args[0].number);
  case Op::IntToFloat: return reach::fromInteger(args[0].integer);
  case Op::FConvert: return args[0]; // binary64 values are kept in intervals of binary32
  case Op::Opaque: return reach::opaque(flat.symbols[step.symbol], args);
  default: return reach::unknown(step.sort);
  }
}

} // namespace

const Reach& ReachEvaluator::run(Program& program, size_t root, int64_t index, int64_t at,
                                 const Reach& accumulator) {
  const FlatProgram& flat = program.flat;
  const uint32_t last = program.stage ? flat.roots[root] : flat.roots[0];
  // Loads run other programs, or this one at another index: the cells are made apart.
  std::vector<Reach> cells(flat.steps.size());
  for (size_t k = 0; k <= last; ++k) {
    const FlatProgram::Step& step = flat.steps[k];
    std::vector<Reach> args;
    for (uint32_t arg : flat.argsOf(step))
      args.push_back(cells[arg]);
    switch (step.op) {
    case Op::BoolConst: cells[k] = reach::truth(step.payload != 0, step.payload == 0); break;
    case Op::IntConst: cells[k] = reach::integer(static_cast<int64_t>(step.payload)); break;
    case Op::FloatConst:
      cells[k] = step.sort == Sort::F32 ? reach::point(step.payload) : reach::wide(step.payload);
      break;
    case Op::Load: cells[k] = load(flat.symbols[step.symbol], step.sort, args[0].integer); break;
    case Op::Var: {
      const std::string& name = flat.inputs[step.input].name;
      if (name == accumulatorName)
        cells[k] = accumulator;
      else if (step.sort == Sort::Int)
        cells[k] = reach::integer(name == indexName ? index : name == stepName ? at : m_sizes.at(name));
      else
        cells[k] = reach::unknown(step.sort); // a zero's sign
      break;
    }
    default: cells[k] = apply(flat, step, args);
    }
  }
  program.cells = std::move(cells);
  return program.cells[last];
}

} // namespace plumbline::spec
