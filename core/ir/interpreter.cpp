#include "core/ir/interpreter.h"

#include "core/ir/bytecode.h"
#include "core/ir/integer_ops.h"

#include <tuple>

namespace plumbline::ir {
namespace {

using bytecode::FunctionCode;
using bytecode::Instruction;
using bytecode::Op;
using bytecode::Program;

constexpr uint32_t kThreadsBetweenChecks = 1024;

/// A register. Which field counts follows from the instruction's types.
template <class D> struct Value {
  int64_t word = 0;    ///< integers, bools; pointers: the element offset
  int32_t buffer = -1; ///< pointers
  bool defined = true; ///< false: a local without a value
  typename D::Number number{};
};

/// Collects findings: the first at each place in full, later ones as a count.
class FindingLog {
public:
  FindingLog(const Program& program, const ThreadSequence& sequence, size_t limit)
      : m_program(program), m_sequence(sequence), m_limit(limit) {}

  /// Returns the new finding to be filled in, or nullptr when the place is known or the log is full.
  RunFinding* add(FindingKind kind, int32_t place, int32_t buffer, uint32_t thread) {
    auto [found, fresh] = m_known.emplace(std::tuple(kind, place, buffer), m_findings.size());
    if (!fresh) {
      ++m_findings[found->second].count;
      return nullptr;
    }
    if (m_findings.size() >= m_limit) {
      m_known.erase(found);
      ++m_more;
      return nullptr;
    }
    RunFinding& made = m_findings.emplace_back();
    made.kind = kind;
    made.where = m_program.places[static_cast<size_t>(place)];
    made.thread = m_sequence[thread];
    return &made;
  }

  std::vector<RunFinding> take() { return std::move(m_findings); }
  uint64_t more() const { return m_more; }

private:
  const Program& m_program;
  const ThreadSequence& m_sequence;
  size_t m_limit;
  std::vector<RunFinding> m_findings;
  std::map<std::tuple<FindingKind, int32_t, int32_t>, size_t> m_known;
  uint64_t m_more = 0;
};

/// Executes threads of one run.
template <class D> class Machine {
public:
  Machine(const Program& program, const ConcreteLaunch& launch, Memory<D>& memory,
          const ThreadSequence& sequence, const RunOptions<D>& options)
      : m_program(program), m_launch(launch), m_memory(memory), m_sequence(sequence), m_options(options),
        m_log(program, sequence, options.maxFindings) {}

  Expected<void> prepare() {
    const FunctionCode& entry = m_program.functions[static_cast<size_t>(m_program.entry)];
    m_stack.resize(static_cast<size_t>(entry.stackSize) + 1);
    for (const bytecode::Constant& constant : m_program.constants)
      m_constants.push_back(constantValue(constant));
    for (size_t i = 0; i < 3; ++i) {
      m_coordinates[6 + i] = m_launch.block[i];
      m_coordinates[9 + i] = m_launch.grid[i];
    }
    m_coordinates[12] = 32;
    for (const Local& parameter : m_program.parameters)
      if (Expected<void> bound = parameter.type.pointer ? bindPointer(parameter) : bindScalar(parameter);
          !bound)
        return bound;
    return {};
  }

  Expected<RunResult> execute() {
    for (uint32_t i = 0; i < m_sequence.size(); ++i) {
      if (i % kThreadsBetweenChecks == 0 && m_options.stop.stopRequested())
        return fail(ErrorKind::Tool, "timeout", "the run was stopped",
                    "allow more time or use smaller sizes");
      if (m_steps > m_options.stepLimit)
        return fail(ErrorKind::Tool, "step-limit", "the run takes more steps than allowed",
                    "use smaller sizes");
      runThread(i);
    }
    RunResult result;
    result.findings = m_log.take();
    result.moreFindings = m_log.more();
    result.steps = m_steps;
    result.threads = m_sequence.size();
    return result;
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
    if (isFloat(constant.type))
      value.defined = D::literal(constant.type, constant.bits, constant.text, value.number);
    return value;
  }

  Expected<void> bindPointer(const Local& parameter) {
    Value<D> value;
    value.buffer = m_memory.indexOf(parameter.name);
    if (value.buffer < 0)
      return fail(ErrorKind::Usage, "launch-unbound", "no buffer for the pointer " + parameter.name,
                  "bind it before the run");
    if (m_memory[value.buffer].type() != parameter.type.scalar)
      return fail(ErrorKind::Usage, "buffer-type",
                  parameter.name + " points at " + std::string(name(parameter.type.scalar)) +
                      ", its buffer holds " + std::string(name(m_memory[value.buffer].type())),
                  "give a tensor of the parameter's type");
    m_arguments.push_back(std::move(value));
    return {};
  }

  Expected<void> bindScalar(const Local& parameter) {
    auto found = m_launch.scalars.find(parameter.name);
    if (found == m_launch.scalars.end())
      return fail(ErrorKind::Usage, "scalar-unbound",
                  "the scalar parameter " + parameter.name + " has no value",
                  "give it a value before the run");
    Value<D> value;
    value.word = static_cast<int64_t>(found->second.bits);
    const ScalarType from = found->second.type;
    bool exact = true;
    if ((isFloat(from) && !D::literal(from, found->second.bits, found->second.text, value.number)) ||
        !convert(from, parameter.type.scalar, value, value, exact))
      return fail(ErrorKind::Usage, "scalar-unbound",
                  "the scalar parameter " + parameter.name + " has no value in this arithmetic",
                  "give a finite one");
    m_arguments.push_back(std::move(value));
    return {};
  }

  // ---- one thread

  void runThread(uint32_t position) {
    const ThreadId id = m_sequence[position];
    m_thread = position;
    for (size_t i = 0; i < 3; ++i) {
      m_coordinates[i] = id.thread[i];
      m_coordinates[3 + i] = id.block[i];
    }
    for (size_t i = 0; i < m_arguments.size(); ++i)
      m_stack[i] = m_arguments[i];
    m_frames.clear();
    enter(m_program.entry, 0);
    runFrames();
  }

  void enter(int32_t function, int32_t base) {
    const FunctionCode& code = m_program.functions[static_cast<size_t>(function)];
    m_function = function;
    m_code = code.code.data();
    m_base = base;
    m_pc = 0;
    for (int32_t i = code.parameterCount; i < code.localCount; ++i)
      reg(i).defined = false;
  }

  Value<D>& reg(int32_t index) { return m_stack[static_cast<size_t>(m_base) + static_cast<size_t>(index)]; }

  void runFrames() {
    while (true) {
      const Instruction& i = m_code[m_pc++];
      ++m_steps;
      if (!(i.op >= Op::Call ? control(i) : step(i)))
        return;
    }
  }

  /// Calls, jumps and returns. False ends the thread.
  bool control(const Instruction& i) {
    switch (i.op) {
    case Op::Call:
      m_frames.push_back({m_function, m_pc, m_base, i.dst});
      enter(i.b, m_base + i.a);
      return true;
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

  bool leave(int32_t value) {
    if (m_frames.empty())
      return false;
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
  bool step(const Instruction& i) {
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
    case Op::IntFunction: return intFunction(i);
    case Op::Opaque: return opaque(i);
    case Op::Cast: return cast(i);
    case Op::PointerAdd: return pointerAdd(i);
    case Op::Load: return load(i);
    default: return store(i);
    }
  }

  bool constant(const Instruction& i) {
    const Value<D>& value = m_constants[static_cast<size_t>(i.a)];
    reg(i.dst) = value;
    return value.defined ||
           complain(FindingKind::Undefined, i, "a literal without a value in this arithmetic");
  }

  bool negate(const Instruction& i) {
    if (isFloat(i.type)) {
      D::negate(i.type, reg(i.a).number, reg(i.dst).number);
      return true;
    }
    return integer(i, integerNegate(i.type, reg(i.a).word));
  }

  bool intBinary(const Instruction& i) {
    return integer(i,
                   integerBinary(static_cast<BinaryOp>(i.sub), i.type, reg(i.a).word, reg(i.b).word, i.from));
  }

  bool integer(const Instruction& i, IntResult result) {
    reg(i.dst).word = result.value;
    switch (result.status) {
    case IntStatus::Ok: return true;
    case IntStatus::DivisionByZero:
      return complain(FindingKind::DivisionByZero, i, "an integer is divided by zero");
    case IntStatus::Overflow:
      complain(FindingKind::Overflow, i, "a result does not fit " + std::string(name(i.type)));
      return true;
    case IntStatus::ShiftRange: complain(FindingKind::Overflow, i, "a shift count out of range"); return true;
    }
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

  bool arithmetic(const Instruction& i) {
    const typename D::Number& a = reg(i.a).number;
    const typename D::Number& b = i.b < 0 ? m_none : reg(i.b).number;
    const typename D::Number& c = i.c < 0 ? m_none : reg(i.c).number;
    return D::apply(static_cast<Meaning>(i.sub), i.type, a, b, c, reg(i.dst).number) ||
           complain(FindingKind::Undefined, i, "an operation without a value in this arithmetic");
  }

  bool opaque(const Instruction& i) {
    const std::string& spelling = m_program.spellings[static_cast<size_t>(i.c)];
    m_opaqueArguments.clear();
    for (int32_t k = 0; k < i.b; ++k)
      m_opaqueArguments.push_back(reg(i.a + k).number);
    std::optional<typename D::Number> value;
    if (m_options.opaque)
      value = m_options.opaque(spelling, i.from, m_opaqueArguments);
    if (!value)
      return complain(FindingKind::Undefined, i, "no value is known for " + spelling);
    reg(i.dst).number = std::move(*value);
    return true;
  }

  /// C++'s conversion between scalars. False: no value. `exact` is false when an integer type was left.
  static bool convert(ScalarType from, ScalarType to, const Value<D>& a, Value<D>& out, bool& exact) {
    if (isFloat(from) && isFloat(to))
      return D::convert(from, to, a.number, out.number);
    if (isFloat(from) && to == ScalarType::Bool) {
      out.word = D::isNonZero(from, a.number);
      return true;
    }
    if (isFloat(from))
      return D::toInteger(from, to, a.number, out.word, exact);
    if (isFloat(to))
      return D::fromInteger(from, to, a.word, out.number);
    out.word = wrapTo(to, a.word);
    return true;
  }

  bool cast(const Instruction& i) {
    bool exact = true;
    if (!convert(i.from, i.type, reg(i.a), reg(i.dst), exact))
      return complain(FindingKind::Undefined, i, "a conversion without a value in this arithmetic");
    if (!exact)
      complain(FindingKind::Overflow, i, "a converted value does not fit " + std::string(name(i.type)));
    return true;
  }

  // ---- memory

  bool pointerAdd(const Instruction& i) {
    const int64_t steps = reg(i.b).word;
    const int32_t buffer = reg(i.a).buffer;
    int64_t offset = 0;
    const bool huge = i.from == ScalarType::U64 && steps < 0;
    if (huge || __builtin_add_overflow(reg(i.a).word, steps, &offset))
      return complain(FindingKind::OutOfBounds, i,
                      "the offset " + integerText(i.from, steps) + " leaves " + m_memory[buffer].name(),
                      buffer);
    reg(i.dst).word = offset;
    reg(i.dst).buffer = buffer;
    return true;
  }

  bool inBounds(const Instruction& i, const Value<D>& pointer) {
    Buffer<D>& buffer = m_memory[pointer.buffer];
    if (pointer.word >= 0 && pointer.word < buffer.length())
      return true;
    if (RunFinding* made = m_log.add(FindingKind::OutOfBounds, i.place, pointer.buffer, m_thread)) {
      made->buffer = buffer.name();
      made->index = pointer.word;
      made->message = buffer.name() + "[" + std::to_string(pointer.word) + "] is outside its " +
                      std::to_string(buffer.length()) + " elements";
    }
    return false;
  }

  bool load(const Instruction& i) {
    const Value<D> pointer = reg(i.a);
    if (!inBounds(i, pointer))
      return false;
    Buffer<D>& buffer = m_memory[pointer.buffer];
    CellTrace& trace = buffer.trace(pointer.word);
    const auto& cell = buffer.cell(pointer.word);
    if (isFloat(i.type))
      reg(i.dst).number = cell.number;
    else
      reg(i.dst).word = cell.integer;
    if (trace.writer == CellTrace::kNobody && !buffer.initialised())
      complainCell(FindingKind::UninitialisedRead, i, pointer, "is read before it is written");
    else if (trace.writer != CellTrace::kNobody && trace.writer != m_thread)
      race(i, pointer, trace.writer, trace.writerPlace);
    noteReader(trace, i.place);
    return true;
  }

  void noteReader(CellTrace& trace, int32_t place) {
    for (int k = 0; k < 2; ++k) {
      if (trace.readers[k] == m_thread)
        return;
      if (trace.readers[k] == CellTrace::kNobody) {
        trace.readers[k] = m_thread;
        trace.readerPlaces[k] = place;
        return;
      }
    }
  }

  bool store(const Instruction& i) {
    const Value<D> pointer = reg(i.a);
    if (!inBounds(i, pointer))
      return false;
    Buffer<D>& buffer = m_memory[pointer.buffer];
    CellTrace& trace = buffer.trace(pointer.word);
    auto& cell = buffer.cell(pointer.word);
    if (isFloat(i.type))
      cell.number = reg(i.b).number;
    else
      cell.integer = reg(i.b).word;
    if (trace.writer != CellTrace::kNobody && trace.writer != m_thread)
      race(i, pointer, trace.writer, trace.writerPlace);
    for (int k = 0; k < 2; ++k)
      if (trace.readers[k] != CellTrace::kNobody && trace.readers[k] != m_thread) {
        race(i, pointer, trace.readers[k], trace.readerPlaces[k]);
        break;
      }
    trace.writer = m_thread;
    trace.writerPlace = i.place;
    return true;
  }

  // ---- findings

  void race(const Instruction& i, const Value<D>& pointer, uint32_t other, int32_t otherPlace) {
    const ThreadId otherId = m_sequence[other];
    const bool sameBlock = otherId.block == m_sequence[m_thread].block;
    RunFinding* made = m_log.add(sameBlock ? FindingKind::RaceBlock : FindingKind::RaceGrid, i.place,
                                 pointer.buffer, m_thread);
    if (!made)
      return;
    made->buffer = m_memory[pointer.buffer].name();
    made->index = pointer.word;
    made->hasOther = true;
    made->otherThread = otherId;
    made->otherWhere = m_program.places[static_cast<size_t>(otherPlace)];
    made->message = "two threads of " + std::string(sameBlock ? "one block" : "different blocks") +
                    " touch " + made->buffer + "[" + std::to_string(pointer.word) + "] and one writes it";
  }

  void complainCell(FindingKind kind, const Instruction& i, const Value<D>& pointer,
                    const std::string& what) {
    RunFinding* made = m_log.add(kind, i.place, pointer.buffer, m_thread);
    if (!made)
      return;
    made->buffer = m_memory[pointer.buffer].name();
    made->index = pointer.word;
    made->message = made->buffer + "[" + std::to_string(pointer.word) + "] " + what;
  }

  /// Always false, so that a caller can end the thread with it.
  bool complain(FindingKind kind, const Instruction& i, std::string message, int32_t buffer = -1) {
    if (RunFinding* made = m_log.add(kind, i.place, buffer, m_thread)) {
      made->message = std::move(message);
      if (buffer >= 0)
        made->buffer = m_memory[buffer].name();
    }
    return false;
  }

  const Program& m_program;
  const ConcreteLaunch& m_launch;
  Memory<D>& m_memory;
  const ThreadSequence& m_sequence;
  const RunOptions<D>& m_options;
  FindingLog m_log;
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
  uint32_t m_thread = 0;
  uint64_t m_steps = 0;
};

template <class D>
Expected<RunResult> execute(const Program& program, const ConcreteLaunch& launch, Memory<D>& memory,
                            const ThreadSequence& sequence, const RunOptions<D>& options) {
  if (!launch.findings.empty())
    return fail(ErrorKind::Usage, "launch-limit",
                "the launch is not valid: " + print(launch.findings.front()), "run with other sizes");
  for (size_t i = 0; i < memory.size(); ++i)
    memory[static_cast<int>(i)].clearTraces();
  Machine<D> machine(program, launch, memory, sequence, options);
  if (Expected<void> ready = machine.prepare(); !ready)
    return fail(ready.error());
  return machine.execute();
}

/// Whether unwritten elements of the parameter's buffer are a finding.
template <class D>
bool mustBeComplete(const std::string& parameter, const ConcreteLaunch& launch, const Memory<D>& memory) {
  auto binding = launch.buffers.find(parameter);
  if (binding == launch.buffers.end() || binding->second.role != BufferRole::Output ||
      binding->second.zeroInitialised)
    return false;
  for (const auto& [other, otherBinding] : launch.buffers)
    if (other != parameter && memory.indexOf(other) == memory.indexOf(parameter))
      return false;
  return true;
}

template <class D>
void findIncomplete(const Program& program, const ConcreteLaunch& launch, const Memory<D>& memory,
                    RunResult& result) {
  for (const Local& parameter : program.parameters) {
    if (!parameter.type.pointer || !mustBeComplete(parameter.name, launch, memory))
      continue;
    const Buffer<D>& buffer = memory[memory.indexOf(parameter.name)];
    const int64_t missing = buffer.length() - buffer.writtenCount();
    if (missing == 0)
      continue;
    RunFinding made;
    made.kind = FindingKind::Incomplete;
    made.buffer = parameter.name;
    made.index = buffer.firstUnwritten();
    made.where = parameter.where;
    made.hasThread = false;
    made.count = static_cast<uint64_t>(missing);
    made.message = std::to_string(missing) + " of " + std::to_string(buffer.length()) +
                   " elements of the output " + parameter.name + " are never written, the first is " +
                   std::to_string(made.index);
    result.findings.push_back(std::move(made));
  }
}

} // namespace

template <class D> Expected<Interpreter<D>> Interpreter<D>::make(const Module& module, int function) {
  if (function < 0 || static_cast<size_t>(function) >= module.functions.size())
    return fail(ErrorKind::Rejected, "kernel-rejected", "the kernel lies outside the accepted fragment",
                "see its rejections");
  Expected<Program> program = bytecode::compile(module, function);
  if (!program)
    return fail(program.error());
  return Interpreter(std::make_shared<const Program>(std::move(*program)));
}

template <class D>
Expected<RunResult> Interpreter<D>::run(const ConcreteLaunch& launch, Memory<D>& memory,
                                        const RunOptions<D>& options) const {
  Expected<ThreadSequence> sequence = ThreadSequence::wholeGrid(launch.grid, launch.block, options.schedule);
  if (!sequence)
    return fail(sequence.error());
  Expected<RunResult> result = execute(*m_program, launch, memory, *sequence, options);
  if (result)
    findIncomplete(*m_program, launch, memory, *result);
  return result;
}

template <class D>
Expected<RunResult> Interpreter<D>::runThreads(const ConcreteLaunch& launch, Memory<D>& memory,
                                               std::span<const ThreadId> threads,
                                               const RunOptions<D>& options) const {
  return execute(*m_program, launch, memory, ThreadSequence::of(threads, options.schedule), options);
}

template class Interpreter<IeeeDomain>;
template class Interpreter<RealDomain>;

} // namespace plumbline::ir
