// Executes the instructions of single threads, until they end or wait for others.
#pragma once

#include "core/ir/interpreter_lanes.h"
#include "core/ir/interpreter_memory.h"

namespace plumbline::ir {

/// Why a thread does not go on at present.
enum class ThreadStop : uint8_t {
  Ended,   ///< it returned
  Failed,  ///< a finding after which it has no defined value
  Waiting, ///< at a meeting point
  Aborted, ///< the whole run ends: Machine::error
};

/// Executes threads of one run. Several threads can be kept at a time, each in a slot of its own.
template <class D> class Machine {
public:
  using Instruction = bytecode::Instruction;
  using Op = bytecode::Op;

  Machine(RunState<D>& run, BlockClocks* clocks, size_t slots)
      : m_run(run), m_program(run.program), m_memory(run, clocks, slots), m_slots(slots) {}

  Expected<void> prepare() {
    const bytecode::FunctionCode& entry = m_program.functions[static_cast<size_t>(m_program.entry)];
    m_stride = entry.stackSize + 1;
    m_stack.resize(static_cast<size_t>(m_stride) * m_slots);
    for (const bytecode::Constant& constant : m_program.constants)
      m_constants.push_back(constantValue(constant));
    for (size_t i = 0; i < 3; ++i) {
      m_coordinates[6 + i] = m_run.launch.block[i];
      m_coordinates[9 + i] = m_run.launch.grid[i];
    }
    m_coordinates[12] = 32;
    for (const Local& parameter : m_program.parameters)
      if (Expected<void> bound = parameter.type.pointer ? bindPointer(parameter) : bindScalar(parameter);
          !bound)
        return bound;
    return {};
  }

  MemoryUnit<D>& memory() { return m_memory; }
  uint64_t steps() const { return m_steps; }
  const Error& error() const { return m_error; }

  /// Whether neither the limit of steps nor the user ends the run; asked from time to time.
  bool mayGoOn() { return m_steps < m_nextCheck || check(); }

  /// Starts a thread in a slot.
  ThreadStop begin(size_t slot, uint32_t thread, const ThreadId& id) {
    select(slot, thread, id);
    m_memory.startThread();
    for (size_t i = 0; i < m_arguments.size(); ++i)
      m_stack[static_cast<size_t>(m_base) + i] = m_arguments[i];
    enter(m_program.entry, m_base);
    return runFrames();
  }

  /// Goes on with a thread that waited at the meeting point.
  ThreadStop resume(size_t slot, uint32_t thread, const ThreadId& id, const Instruction* waitedAt) {
    select(slot, thread, id);
    m_function = m_program.entry;
    m_code = m_program.functions[static_cast<size_t>(m_function)].code.data();
    m_pc = static_cast<size_t>(waitedAt - m_code) + 1;
    return runFrames();
  }

  /// The instruction at which the last thread stopped.
  const Instruction* stoppedAt() const { return m_code + m_pc - 1; }
  /// A register of the kernel itself, of the thread in that slot.
  Value<D>& at(size_t slot, int32_t index) {
    return m_stack[slot * static_cast<size_t>(m_stride) + static_cast<size_t>(index)];
  }

private:
  struct Frame {
    int32_t function;
    size_t pc;
    int32_t base;
    int32_t dst;
  };

  // ---- set-up

  Value<D> constantValue(const bytecode::Constant& constant) {
    Value<D> value;
    value.word = constant.integer;
    if (isNumber(constant.type))
      value.defined = D::literal(constant.type, constant.bits, constant.text, value.number);
    return value;
  }

  Expected<void> bindPointer(const Local& parameter) {
    Value<D> value;
    value.buffer = m_run.memory.indexOf(parameter.name);
    if (value.buffer < 0)
      return fail(ErrorKind::Usage, "launch-unbound", "no buffer for the pointer " + parameter.name,
                  "bind it before the run");
    if (m_run.memory[value.buffer].type() != parameter.type.scalar)
      return fail(ErrorKind::Usage, "buffer-type",
                  parameter.name + " points at " + std::string(name(parameter.type.scalar)) +
                      ", its buffer holds " + std::string(name(m_run.memory[value.buffer].type())),
                  "give a tensor of the parameter's type");
    m_arguments.push_back(std::move(value));
    return {};
  }

  Expected<void> bindScalar(const Local& parameter) {
    auto found = m_run.launch.scalars.find(parameter.name);
    if (found == m_run.launch.scalars.end())
      return fail(ErrorKind::Usage, "scalar-unbound",
                  "the scalar parameter " + parameter.name + " has no value",
                  "give it a value before the run");
    Value<D> value;
    value.word = static_cast<int64_t>(found->second.bits);
    const ScalarType from = found->second.type;
    bool exact = true;
    if ((isNumber(from) && !D::literal(from, found->second.bits, found->second.text, value.number)) ||
        !convert(from, parameter.type.scalar, value, value, exact))
      return fail(ErrorKind::Usage, "scalar-unbound",
                  "the scalar parameter " + parameter.name + " has no value in this arithmetic",
                  "give a finite one");
    m_arguments.push_back(std::move(value));
    return {};
  }

  // ---- one thread

  [[gnu::noinline]] bool check() {
    if (m_run.options.stop.stopRequested())
      abort("timeout", "the run was stopped", "allow more time or use smaller sizes");
    else if (m_steps > m_run.options.stepLimit)
      abort("step-limit", "the run takes more steps than allowed", "use smaller sizes");
    m_nextCheck = std::min(m_steps + kStepsBetweenChecks, m_run.options.stepLimit + 1);
    return !m_aborted;
  }

  void abort(const char* id, const char* message, const char* next) {
    m_error = Error{ErrorKind::Tool, id, message, next, std::nullopt, {}};
    m_aborted = true;
  }

  [[gnu::always_inline]] void select(size_t slot, uint32_t thread, const ThreadId& id) {
    m_run.thread = thread;
    m_memory.select(slot);
    for (size_t i = 0; i < 3; ++i) {
      m_coordinates[i] = id.thread[i];
      m_coordinates[3 + i] = id.block[i];
    }
    m_base = static_cast<int32_t>(slot) * m_stride;
    m_frames.clear();
  }

  [[gnu::always_inline]] void enter(int32_t function, int32_t base) {
    const bytecode::FunctionCode& code = m_program.functions[static_cast<size_t>(function)];
    m_function = function;
    m_code = code.code.data();
    m_base = base;
    m_pc = 0;
    for (int32_t i = code.parameterCount; i < code.localCount; ++i)
      reg(i).defined = false;
  }

  Value<D>& reg(int32_t index) { return m_stack[static_cast<size_t>(m_base) + static_cast<size_t>(index)]; }

  [[gnu::noinline]] ThreadStop runFrames() {
    m_stop = ThreadStop::Failed;
    while (true) {
      const Instruction& i = m_code[m_pc++];
      ++m_steps;
      if (!(i.op >= Op::Call ? control(i) : step(i)))
        return m_stop;
    }
  }

  /// Always false, so that the thread stops with it.
  bool stop(ThreadStop why) {
    m_stop = why;
    return false;
  }

  /// Calls, jumps and returns. False ends the thread.
  [[gnu::always_inline]] bool control(const Instruction& i) {
    switch (i.op) {
    case Op::Call:
      m_frames.push_back({m_function, m_pc, m_base, i.dst});
      enter(i.b, m_base + i.a);
      return true;
    case Op::Meet: return stop(mayGoOn() ? ThreadStop::Waiting : ThreadStop::Aborted);
    case Op::LoopBack: m_pc = static_cast<size_t>(i.a); return mayGoOn() || stop(ThreadStop::Aborted);
    case Op::Jump: m_pc = static_cast<size_t>(i.a); return true;
    case Op::JumpIfFalse:
      if (reg(i.a).word == 0)
        m_pc = static_cast<size_t>(i.b);
      return true;
    case Op::JumpIfTrue:
      if (reg(i.a).word != 0)
        m_pc = static_cast<size_t>(i.b);
      return true;
    case Op::Return: return leave(i.a);
    default:
      return complain(FindingKind::UninitialisedRead, i, "the function ends without returning a value");
    }
  }

  [[gnu::always_inline]] bool leave(int32_t value) {
    if (m_frames.empty())
      return stop(ThreadStop::Ended);
    Value<D> result = value < 0 ? Value<D>{} : reg(value);
    const Frame frame = m_frames.back();
    m_frames.pop_back();
    m_function = frame.function;
    m_code = m_program.functions[static_cast<size_t>(frame.function)].code.data();
    m_pc = frame.pc;
    m_base = frame.base;
    reg(frame.dst) = std::move(result);
    return true;
  }

  /// Everything else. False ends the thread.
  [[gnu::always_inline]] bool step(const Instruction& i) {
    switch (i.op) {
    case Op::Constant: return constant(i);
    case Op::Builtin: reg(i.dst).word = m_coordinates[static_cast<size_t>(i.a)]; return true;
    case Op::CheckDefined:
      return reg(i.a).defined ||
             complain(FindingKind::UninitialisedRead, i, "a variable is read before it has a value");
    case Op::Copy:
      reg(i.dst) = reg(i.a);
      reg(i.dst).defined = true;
      return true;
    case Op::Negate: return negate(i);
    case Op::LogicalNot: reg(i.dst).word = reg(i.a).word == 0; return true;
    case Op::BitNot: reg(i.dst).word = wrapTo(i.type, ~reg(i.a).word); return true;
    case Op::IntBinary: return intBinary(i);
    case Op::Arithmetic: return arithmetic(i);
    case Op::FloatCompare:
      reg(i.dst).word = D::compare(static_cast<BinaryOp>(i.sub), i.from, reg(i.a).number, reg(i.b).number);
      return true;
    case Op::IsNan: reg(i.dst).word = D::isNan(i.from, reg(i.a).number); return true;
    case Op::FloatBits: return floatBits(i);
    case Op::IntFunction: return intFunction(i);
    case Op::Opaque: return opaque(i);
    case Op::Cast: return cast(i);
    case Op::PointerAdd: return pointerAdd(i);
    case Op::Array:
      reg(i.dst).word = 0;
      reg(i.dst).buffer = m_memory.numberOf(i.a);
      return true;
    case Op::Load: return m_memory.load(i, reg(i.a), reg(i.dst));
    case Op::Store: return m_memory.store(i, reg(i.a), reg(i.b));
    case Op::Atomic: return atomic(i);
    default: return declare(i);
    }
  }

  bool declare(const Instruction& i) {
    if (i.b >= 0)
      m_memory.forget(i.b);
    else
      reg(i.a).defined = false;
    return true;
  }

  [[gnu::always_inline]] bool constant(const Instruction& i) {
    const Value<D>& value = m_constants[static_cast<size_t>(i.a)];
    reg(i.dst) = value;
    return value.defined ||
           complain(FindingKind::Undefined, i, "a literal without a value in this arithmetic");
  }

  [[gnu::always_inline]] bool negate(const Instruction& i) {
    if (isNumber(i.type)) {
      D::negate(i.type, reg(i.a).number, reg(i.dst).number);
      return true;
    }
    return integer(i, integerNegate(i.type, reg(i.a).word));
  }

  [[gnu::always_inline]] bool intBinary(const Instruction& i) {
    return integer(i,
                   integerBinary(static_cast<BinaryOp>(i.sub), i.type, reg(i.a).word, reg(i.b).word, i.from));
  }

  [[gnu::always_inline]] bool integer(const Instruction& i, IntResult result) {
    reg(i.dst).word = result.value;
    return result.status == IntStatus::Ok || complainInteger(i, result.status);
  }

  [[gnu::noinline]] bool complainInteger(const Instruction& i, IntStatus status) {
    if (status == IntStatus::DivisionByZero)
      return complain(FindingKind::DivisionByZero, i, "an integer is divided by zero");
    complain(FindingKind::Overflow, i,
             status == IntStatus::Overflow ? "a result does not fit " + std::string(name(i.type))
                                           : "a shift count out of range");
    return true;
  }

  bool intFunction(const Instruction& i) {
    const int64_t a = reg(i.a).word;
    switch (static_cast<Meaning>(i.sub)) {
    case Meaning::IntMax: reg(i.dst).word = std::max(a, reg(i.b).word); return true;
    case Meaning::IntMin: reg(i.dst).word = std::min(a, reg(i.b).word); return true;
    default: return a < 0 ? integer(i, integerNegate(i.type, a)) : integer(i, {a});
    }
  }

  [[gnu::always_inline]] bool arithmetic(const Instruction& i) {
    const typename D::Number& a = reg(i.a).number;
    const typename D::Number& b = i.b < 0 ? m_none : reg(i.b).number;
    const typename D::Number& c = i.c < 0 ? m_none : reg(i.c).number;
    return D::apply(static_cast<Meaning>(i.sub), i.type, a, b, c, reg(i.dst).number) ||
           complain(FindingKind::Undefined, i, "an operation without a value in this arithmetic");
  }

  bool floatBits(const Instruction& i) {
    if (static_cast<Meaning>(i.sub) == Meaning::BitsToFloat)
      return numberFromBits(D{}, i.type, reg(i.a).word, reg(i.dst).number) ||
             complain(FindingKind::Undefined, i, unknownBits(D{}));
    int64_t bits = 0;
    if (!bitsOfNumber(D{}, i.from, reg(i.a).number, bits))
      return complain(FindingKind::Undefined, i, unknownBits(D{}));
    const bool sign = static_cast<Meaning>(i.sub) == Meaning::SignBit;
    reg(i.dst).word = sign ? bits >> (bitWidth(i.from) - 1) & 1 : wrapTo(i.type, bits);
    return true;
  }

  bool opaque(const Instruction& i) {
    const std::string& spelling = m_program.spellings[static_cast<size_t>(i.c)];
    m_opaqueArguments.clear();
    for (int32_t k = 0; k < i.b; ++k)
      m_opaqueArguments.push_back(reg(i.a + k).number);
    std::optional<typename D::Number> value;
    if (m_run.options.opaque)
      value = m_run.options.opaque(spelling, i.from, m_opaqueArguments);
    if (!value)
      return complain(FindingKind::Undefined, i, "no value is known for " + spelling);
    reg(i.dst).number = std::move(*value);
    return true;
  }

  /// C++'s conversion between scalars. False: no value. `exact` is false when an integer type was left.
  static bool convert(ScalarType from, ScalarType to, const Value<D>& a, Value<D>& out, bool& exact) {
    if (isNumber(from) && isNumber(to))
      return D::convert(from, to, a.number, out.number);
    if (isNumber(from) && to == ScalarType::Bool) {
      out.word = D::isNonZero(from, a.number);
      return true;
    }
    if (isNumber(from))
      return D::toInteger(from, to, a.number, out.word, exact);
    if (isNumber(to))
      return D::fromInteger(from, to, a.word, out.number);
    out.word = wrapTo(to, a.word);
    return true;
  }

  [[gnu::always_inline]] bool cast(const Instruction& i) {
    bool exact = true;
    if (!convert(i.from, i.type, reg(i.a), reg(i.dst), exact))
      return complain(FindingKind::Undefined, i, "a conversion without a value in this arithmetic");
    if (!exact)
      complain(FindingKind::Overflow, i, "a converted value does not fit " + std::string(name(i.type)));
    return true;
  }

  // ---- memory

  [[gnu::always_inline]] bool pointerAdd(const Instruction& i) {
    const int64_t steps = reg(i.b).word;
    const int32_t buffer = reg(i.a).buffer;
    int64_t bytes = 0;
    int64_t offset = 0;
    const bool huge = i.from == ScalarType::U64 && steps < 0;
    if (huge || __builtin_mul_overflow(steps, int64_t{i.c}, &bytes) ||
        __builtin_add_overflow(reg(i.a).word, bytes, &offset) || offset > INT64_MAX - 64)
      return m_run.complain(FindingKind::OutOfBounds, i.place,
                            "the offset " + integerText(i.from, steps) + " leaves " + m_run.nameOf(buffer),
                            buffer);
    reg(i.dst).word = offset;
    reg(i.dst).buffer = buffer;
    return true;
  }

  bool atomic(const Instruction& i) {
    using Cell = typename Buffer<D>::Cell;
    Cell before;
    const bool done = m_memory.atomic(i, reg(i.a), [&](const Cell& old, Cell& fresh) {
      before = old;
      return isNumber(i.type) ? changeNumber(i, old, fresh) : changeInteger(i, old, fresh);
    });
    if (!done || i.dst < 0)
      return done;
    Value<D>& result = reg(i.dst);
    result.defined = true;
    if (isNumber(i.type))
      result.number = before.number;
    else
      result.word = before.integer;
    return true;
  }

  template <class Cell> bool changeNumber(const Instruction& i, const Cell& old, Cell& fresh) {
    fresh.number = reg(i.b).number;
    return static_cast<SyncOp>(i.sub) == SyncOp::AtomicExchange ||
           D::apply(Meaning::Add, i.type, old.number, reg(i.b).number, m_none, fresh.number) ||
           complain(FindingKind::Undefined, i, "an operation without a value in this arithmetic");
  }

  /// Wraps silently, as CUDA's integer atomics do.
  template <class Cell> bool changeInteger(const Instruction& i, const Cell& old, Cell& fresh) {
    const int64_t a = old.integer;
    const int64_t b = reg(i.b).word;
    fresh.integer =
        i.c >= 0 ? (a == reg(i.c).word ? b : a) : atomicInteger(static_cast<SyncOp>(i.sub), i.type, a, b);
    return true;
  }

  // ---- findings

  bool complain(FindingKind kind, const Instruction& i, std::string message) {
    return m_run.complain(kind, i.place, std::move(message));
  }

  static constexpr uint64_t kStepsBetweenChecks = 1 << 16;

  RunState<D>& m_run;
  const bytecode::Program& m_program;
  MemoryUnit<D> m_memory;
  size_t m_slots;
  int32_t m_stride = 0;
  std::vector<Value<D>> m_stack;
  std::vector<Value<D>> m_constants;
  std::vector<Value<D>> m_arguments;
  std::vector<typename D::Number> m_opaqueArguments;
  std::vector<Frame> m_frames;
  std::array<int64_t, 13> m_coordinates{};
  const typename D::Number m_none{};
  const Instruction* m_code = nullptr;
  size_t m_pc = 0;
  int32_t m_base = 0;
  int32_t m_function = 0;
  ThreadStop m_stop = ThreadStop::Failed;
  uint64_t m_steps = 0;
  uint64_t m_nextCheck = 0;
  Error m_error; ///< why the run was aborted
  bool m_aborted = false;
};

} // namespace plumbline::ir
