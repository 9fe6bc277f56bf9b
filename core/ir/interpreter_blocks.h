// Runs the blocks of a kernel whose threads meet or share, one after the other, and lets waiting threads go
// on.
#pragma once

#include "core/ir/interpreter_machine.h"

namespace plumbline::ir {

template <class D> class BlockRunner {
public:
  BlockRunner(RunState<D>& run, Machine<D>& machine, BlockClocks& clocks, const ThreadSequence& sequence)
      : m_run(run), m_machine(machine), m_clocks(clocks), m_sequence(sequence),
        m_threads(sequence.threadsPerBlock()) {}

  /// False: the run was aborted, see Machine::error.
  bool runAll() {
    for (uint32_t block = 0; block < m_sequence.blocks(); ++block)
      if (!runBlock(block))
        return false;
    return true;
  }

private:
  using Instruction = bytecode::Instruction;

  enum class State : uint8_t { New, Ready, Waiting, Ended, Failed };
  struct Thread {
    State state = State::New;
    const Instruction* at = nullptr; ///< where it waits, waited or ended
  };

  static SyncOp opOf(const Instruction& i) { return static_cast<SyncOp>(i.sub); }
  uint32_t count() const { return static_cast<uint32_t>(m_threads.size()); }
  uint32_t number(uint32_t thread) const { return m_block * count() + thread; }

  bool runBlock(uint32_t block) {
    m_block = block;
    m_clocks.startBlock(number(0));
    m_machine.memory().startBlock();
    std::ranges::fill(m_threads, Thread{});
    m_over = false;
    for (uint32_t round = 0; !m_over; ++round) {
      if (!runRound(round))
        return false;
      if (!meetInWarps() && !m_over && !meetInBlock())
        break;
    }
    if (!m_over)
      reportDeadlock();
    return true;
  }

  /// Every thread that can go on does, until it waits or ends.
  bool runRound(uint32_t round) {
    if (round == 0 || m_run.options.schedule.kind == Schedule::Kind::Random)
      m_order = m_sequence.order(m_block, round);
    for (uint32_t thread : m_order) {
      Thread& t = m_threads[thread];
      if (t.state != State::New && t.state != State::Ready)
        continue;
      if (!m_machine.mayGoOn())
        return false;
      const ThreadId id = m_sequence.inBlock(m_block, thread);
      const ThreadStop stop = t.state == State::New ? m_machine.begin(thread, number(thread), id)
                                                    : m_machine.resume(thread, number(thread), id, t.at);
      if (stop == ThreadStop::Aborted)
        return false;
      t.at = m_machine.stoppedAt();
      t.state = stop == ThreadStop::Waiting ? State::Waiting
                                            : (stop == ThreadStop::Ended ? State::Ended : State::Failed);
    }
    return true;
  }

  void release(uint32_t thread, std::optional<int64_t> result) {
    Thread& t = m_threads[thread];
    t.state = State::Ready;
    if (!result || t.at->dst < 0)
      return;
    Value<D>& local = m_machine.at(thread, t.at->dst);
    local.word = *result;
    local.defined = true;
  }

  Value<D>& argument(uint32_t thread, int32_t index) {
    return m_machine.at(thread, m_threads[thread].at->a + index);
  }

  // ---- warps

  bool waitsInWarp(uint32_t thread) const {
    const Thread& t = m_threads[thread];
    return t.state == State::Waiting && !isBlockBarrier(opOf(*t.at));
  }

  bool meetInWarps() {
    bool released = false;
    for (uint32_t first = 0; m_run.program.meetsInWarps && first < count(); first += 32)
      for (uint32_t lane = 0; lane < 32 && first + lane < count() && !m_over; ++lane)
        if (waitsInWarp(first + lane))
          released |= tryWarp(first, lane);
    return released;
  }

  template <class Action> void forLanes(uint32_t mask, Action action) const {
    for (uint32_t lane = 0; lane < 32; ++lane)
      if ((mask >> lane & 1U) != 0)
        action(lane);
  }

  uint32_t existing(uint32_t first) const {
    const uint32_t lanes = std::min(count() - first, 32U);
    return lanes == 32 ? UINT32_MAX : (1U << lanes) - 1;
  }

  uint32_t lanesAt(uint32_t first, const Instruction* at) const {
    uint32_t mask = 0;
    forLanes(existing(first), [&](uint32_t lane) {
      const Thread& t = m_threads[first + lane];
      if (t.state == State::Waiting && t.at == at)
        mask |= 1U << lane;
    });
    return mask;
  }

  /// The lanes of a warp of which a waiting lane is one go on, if all have come.
  bool tryWarp(uint32_t first, uint32_t lane) {
    const Instruction* at = m_threads[first + lane].at;
    if (opOf(*at) == SyncOp::ActiveMask) {
      const uint32_t active = lanesAt(first, at);
      forLanes(active, [&](uint32_t l) { release(first + l, active); });
      return true;
    }
    const uint32_t mask = maskOf(first + lane);
    if ((mask >> lane & 1U) == 0) {
      divergent(first + lane, first + lane, "a lane waits with a mask that does not contain it");
      m_over = true;
      return false;
    }
    uint32_t here = 0;
    uint32_t failed = 0;
    std::optional<uint32_t> ended;
    bool missing = false;
    forLanes(mask & existing(first), [&](uint32_t l) {
      const Thread& t = m_threads[first + l];
      if (t.state == State::Waiting && t.at == at && maskOf(first + l) == mask)
        here |= 1U << l;
      else if (t.state == State::Failed)
        failed |= 1U << l;
      else if (t.state == State::Ended)
        ended = first + l;
      else
        missing = true;
    });
    if (missing)
      return false;
    if (ended && !m_run.options.exitedThreadsOk)
      divergent(first + lane, *ended, "a lane waits for a lane of its mask that has ended");
    finishWarp(first, *at, here, failed);
    return true;
  }

  uint32_t maskOf(uint32_t thread) { return static_cast<uint32_t>(argument(thread, 0).word); }

  void finishWarp(uint32_t first, const Instruction& at, uint32_t here, uint32_t failed) {
    const SyncOp op = opOf(at);
    if (op == SyncOp::WarpBarrier)
      forLanes(here, [&](uint32_t lane) { release(first + lane, std::nullopt); });
    else if (op >= SyncOp::Shuffle && op <= SyncOp::ShuffleXor)
      shuffle(first, at, here, failed);
    else
      vote(first, op, here, failed);
    m_clocks.meetInWarp(first / 32, here);
  }

  void vote(uint32_t first, SyncOp op, uint32_t here, uint32_t failed) {
    uint32_t holds = 0;
    forLanes(here, [&](uint32_t lane) { holds |= (argument(first + lane, 1).word != 0 ? 1U : 0U) << lane; });
    const int64_t result = op == SyncOp::Ballot
                               ? holds
                               : static_cast<int64_t>(op == SyncOp::VoteAny ? holds != 0 : holds == here);
    forLanes(here, [&](uint32_t lane) {
      if (failed != 0)
        m_threads[first + lane].state = State::Failed;
      else
        release(first + lane, result);
    });
  }

  void shuffle(uint32_t first, const Instruction& at, uint32_t here, uint32_t failed) {
    forLanes(here, [&](uint32_t lane) {
      const uint32_t reader = first + lane;
      const int source =
          shuffleSource(opOf(at), static_cast<int>(lane), argument(reader, 2).word, argument(reader, 3).word);
      if (source >= 0 && (here >> source & 1U) != 0) {
        Value<D>& result = m_machine.at(reader, at.dst);
        result = argument(first + static_cast<uint32_t>(source), 1);
        result.defined = true;
        m_threads[reader].state = State::Ready;
        return;
      }
      m_threads[reader].state = State::Failed;
      if (source < 0 || (failed >> source & 1U) == 0)
        complainShuffle(reader, at, source);
    });
  }

  void complainShuffle(uint32_t reader, const Instruction& at, int source) {
    m_run.thread = number(reader);
    m_run.complain(FindingKind::Undefined, at.place,
                   source < 0
                       ? "a shuffle whose width is no power of two up to 32, or whose distance is not "
                         "below 32"
                       : "a shuffle reads lane " + std::to_string(source) + ", which does not take part");
  }

  // ---- the block

  bool meetInBlock() {
    std::optional<uint32_t> waits;
    std::optional<uint32_t> elsewhere;
    std::optional<uint32_t> ended;
    bool failed = false;
    bool combines = false;
    for (uint32_t thread = 0; thread < count(); ++thread) {
      const Thread& t = m_threads[thread];
      failed |= t.state == State::Failed;
      if (t.state == State::Ended)
        ended = ended.value_or(thread);
      if (t.state == State::Ended || t.state == State::Failed)
        continue;
      if (t.state != State::Waiting || !isBlockBarrier(opOf(*t.at)))
        return false;
      combines |= opOf(*t.at) != SyncOp::BlockBarrier;
      waits = waits.value_or(thread);
      if (t.at != m_threads[*waits].at)
        elsewhere = elsewhere.value_or(thread);
    }
    if (!waits) {
      m_over = true; // every thread has ended
      return false;
    }
    if (elsewhere)
      divergent(*waits, *elsewhere, "threads of one block wait at different barriers");
    if (ended && !m_run.options.exitedThreadsOk)
      divergent(*waits, *ended, "a thread waits at a barrier of its block, another has ended");
    if (elsewhere && combines) {
      m_over = true; // nobody says what they combine
      return false;
    }
    finishBlock(opOf(*m_threads[*waits].at), combines && failed);
    return true;
  }

  void finishBlock(SyncOp op, bool unknown) {
    int64_t waiting = 0;
    int64_t holds = 0;
    const auto forWaiting = [&](auto action) {
      for (uint32_t thread = 0; thread < count(); ++thread)
        if (m_threads[thread].state == State::Waiting)
          action(thread);
    };
    if (op != SyncOp::BlockBarrier)
      forWaiting([&](uint32_t thread) {
        ++waiting;
        holds += argument(thread, 0).word != 0;
      });
    std::optional<int64_t> result;
    if (op == SyncOp::BlockCount)
      result = holds;
    else if (op != SyncOp::BlockBarrier)
      result = op == SyncOp::BlockAnd ? holds == waiting : holds != 0;
    forWaiting([&](uint32_t thread) {
      if (unknown)
        m_threads[thread].state = State::Failed;
      else
        release(thread, result);
    });
    m_clocks.meetInBlock();
  }

  // ---- findings

  void divergent(uint32_t thread, uint32_t other, const std::string& what) {
    RunFinding* made =
        m_run.log.add(FindingKind::DivergentBarrier, m_threads[thread].at->place, -1, number(thread));
    if (!made)
      return;
    made->message = what;
    made->hasOther = thread != other;
    if (!made->hasOther)
      return;
    made->otherThread = m_run.log.name(number(other));
    made->otherWhere = m_run.log.where(m_threads[other].at->place);
  }

  /// No thread can go on, and not all have ended.
  void reportDeadlock() {
    for (uint32_t thread = 0; thread < count(); ++thread)
      if (waitsInWarp(thread))
        return divergent(thread, whoIsMissed(thread),
                         "a lane waits for a lane of its mask that never comes; the block ends here");
  }

  uint32_t whoIsMissed(uint32_t thread) {
    const uint32_t first = thread / 32 * 32;
    uint32_t missed = thread;
    forLanes(maskOf(thread) & existing(first), [&](uint32_t lane) {
      const Thread& t = m_threads[first + lane];
      const bool here =
          t.state == State::Waiting && t.at == m_threads[thread].at && maskOf(first + lane) == maskOf(thread);
      if (!here && t.state != State::Failed)
        missed = first + lane;
    });
    return missed;
  }

  RunState<D>& m_run;
  Machine<D>& m_machine;
  BlockClocks& m_clocks;
  const ThreadSequence& m_sequence;
  std::vector<Thread> m_threads;
  std::vector<uint32_t> m_order;
  uint32_t m_block = 0;
  bool m_over = false; ///< the block has ended
};

} // namespace plumbline::ir
