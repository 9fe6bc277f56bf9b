#include "core/ir/interpreter.h"

#include "core/ir/interpreter_blocks.h"

namespace plumbline::ir {
namespace {

using bytecode::Program;

/// Threads that never wait: each runs to its end.
template <class D> bool runThreadsAlone(Machine<D>& machine, const ThreadSequence& sequence) {
  for (uint32_t i = 0; i < sequence.size(); ++i)
    if (!machine.mayGoOn() || machine.begin(0, i, sequence[i]) == ThreadStop::Aborted)
      return false;
  return true;
}

bool needsBlocks(const Program& program) {
  return program.meets || program.shares;
}

template <class D>
Expected<RunResult> execute(const Program& program, const ConcreteLaunch& launch, Memory<D>& memory,
                            const ThreadSequence& sequence, const RunOptions<D>& options) {
  if (!launch.findings.empty())
    return fail(ErrorKind::Usage, "launch-limit",
                "the launch is not valid: " + print(launch.findings.front()), "run with other sizes");
  for (size_t i = 0; i < memory.size(); ++i)
    memory[static_cast<int>(i)].clearTraces();
  const bool blocks = needsBlocks(program);
  const auto names = [&](uint32_t thread) {
    return blocks ? sequence.inBlock(thread / sequence.threadsPerBlock(), thread % sequence.threadsPerBlock())
                  : sequence[thread];
  };
  RunState<D> run{program, launch, memory, options, FindingLog(program, names, options.maxFindings)};
  BlockClocks clocks(blocks ? sequence.threadsPerBlock() : 0, program.meetsInWarps);
  Machine<D> machine(run, blocks ? &clocks : nullptr, blocks ? sequence.threadsPerBlock() : 1);
  if (Expected<void> ready = machine.prepare(); !ready)
    return fail(ready.error());
  if (!(blocks ? BlockRunner<D>(run, machine, clocks, sequence).runAll()
               : runThreadsAlone(machine, sequence)))
    return fail(machine.error());
  RunResult result;
  run.log.takeInto(result);
  result.steps = machine.steps();
  result.threads = sequence.size();
  return result;
}

/// Whether unwritten elements of the parameter's buffer are a finding.
template <class D>
bool mustBeComplete(const std::string& parameter, const ConcreteLaunch& launch, const Memory<D>& memory) {
  auto binding = launch.buffers.find(parameter);
  if (binding == launch.buffers.end() || binding->second.role != BufferRole::Output ||
      binding->second.zeroInitialised)
    return false;
  for (const auto& [other, otherBinding] : launch.buffers)
    if (other != parameter && memory.indexOf(other) == memory.indexOf(parameter) &&
        (otherBinding.role != BufferRole::Output || other < parameter))
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
  if (!needsBlocks(*m_program))
    return execute(*m_program, launch, memory, ThreadSequence::of(threads, options.schedule), options);
  Expected<ThreadSequence> sequence = ThreadSequence::wholeBlocks(threads, launch.block, options.schedule);
  if (!sequence)
    return fail(sequence.error());
  return execute(*m_program, launch, memory, *sequence, options);
}

template class Interpreter<IeeeDomain>;
template class Interpreter<RealDomain>;

} // namespace plumbline::ir
