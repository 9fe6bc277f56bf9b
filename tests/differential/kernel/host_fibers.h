// The threads of a block as fibers on one thread of the host: each runs until it meets others or ends.
// Included once in a program.
//
// Meeting points are resolved from what the fibers wait for: a barrier of the block when every fiber that has
// not ended waits at one, an operation of a warp when every existing lane of its mask waits with that mask. A
// block in which no fiber can go on is stuck.
#pragma once

#include "tests/differential/kernel/host_meetings.h"

#include <ucontext.h>
#include <vector>

namespace fiber {

enum class Wait { Nothing, Block, Lanes, ActiveMask, Ended };

struct Fiber {
  ucontext_t context;
  char* stack = nullptr;
  void* shadow = nullptr;  ///< what a sanitizer calls it
  void* meeting = nullptr; ///< what it meets the others at, for a sanitizer
  Wait wait = Wait::Nothing;
  // What it brings to the meeting point, and what it takes away.
  Lanes operation = Lanes::Barrier;
  unsigned mask = 0;
  unsigned site = 0;
  int argument = 0;
  int width = 32;
  bool predicate = false;
  uint64_t value = 0;
  uint64_t result = 0;
};

constexpr size_t stackBytes = 256 * 1024;
constexpr unsigned mostThreads = 1024;

static std::vector<Fiber> fibers;
static ucontext_t scheduler;
static unsigned current = 0;  // the running fiber
static unsigned count = 0;    // fibers of the block
static bool backward = false; // the last thread runs first

// What the includer of this header does on the way.
void onStart(Fiber& fiber);                       ///< gives it a stack of `stackBytes`
void onEnter(Fiber& fiber);                       ///< it goes on, after this call
void onLeave();                                   ///< the scheduler goes on, after this call
void onWait(Fiber& fiber);                        ///< in the fiber: before it waits
void onBarrier(unsigned waiting, unsigned ended); ///< a barrier of the block lets its threads go on
[[noreturn]] void stuck(const char* why);

inline void suspend(Wait why) {
  Fiber& own = fibers[current];
  own.wait = why;
  onWait(own);
  onLeave();
  swapcontext(&own.context, &scheduler);
}

/// PTX shfl: the lane whose value is taken, the own one where that lies outside the segment.
inline unsigned sourceLane(const Fiber& fiber, unsigned lane) {
  const int own = static_cast<int>(lane);
  const int first = own & ~(fiber.width - 1);
  const int last = first | (fiber.width - 1);
  int source = own;
  switch (fiber.operation) {
  case Lanes::Index: return static_cast<unsigned>(first | (fiber.argument & (fiber.width - 1)));
  case Lanes::Up: source = own - (fiber.argument & 31); return source < first ? lane : unsigned(source);
  case Lanes::Down: source = own + (fiber.argument & 31); return source > last ? lane : unsigned(source);
  default: source = own ^ (fiber.argument & 31); return source > last ? lane : unsigned(source);
  }
}

/// Lets the lanes of `mask` go on, if they all wait with that mask.
inline bool resolveLanes(unsigned warp, unsigned mask) {
  const unsigned size = count - warp < 32 ? count - warp : 32;
  unsigned holds = 0, present = 0;
  for (unsigned lane = 0; lane < size; ++lane) {
    if (!(mask >> lane & 1))
      continue;
    const Fiber& fiber = fibers[warp + lane];
    if (fiber.wait != Wait::Lanes || fiber.mask != mask)
      return false;
    present |= 1U << lane;
    holds |= unsigned(fiber.predicate) << lane;
  }
  for (unsigned lane = 0; lane < size; ++lane) {
    Fiber& fiber = fibers[warp + lane];
    if (!(present >> lane & 1))
      continue;
    switch (fiber.operation) {
    case Lanes::Barrier: break;
    case Lanes::Any: fiber.result = holds != 0; break;
    case Lanes::All: fiber.result = holds == present; break;
    case Lanes::Ballot: fiber.result = holds; break;
    default:
      const unsigned source = sourceLane(fiber, lane);
      if (!(present >> source & 1))
        stuck("shuffle from a lane outside its mask");
      fiber.result = fibers[warp + source].value;
    }
  }
  for (unsigned lane = 0; lane < size; ++lane)
    if (present >> lane & 1)
      fibers[warp + lane].wait = Wait::Nothing;
  return true;
}

inline bool resolveWarps() {
  bool any = false;
  for (unsigned thread = 0; thread < count; ++thread)
    if (fibers[thread].wait == Wait::Lanes)
      any = resolveLanes(thread & ~31U, fibers[thread].mask) || any;
  return any;
}

/// The lanes of a warp that ask together see each other.
inline bool resolveActiveMasks() {
  bool any = false;
  for (unsigned warp = 0; warp < count; warp += 32) {
    unsigned active = 0;
    for (unsigned lane = 0; lane < 32 && warp + lane < count; ++lane)
      active |= unsigned(fibers[warp + lane].wait == Wait::ActiveMask) << lane;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (active >> lane & 1) {
        fibers[warp + lane].result = active;
        fibers[warp + lane].wait = Wait::Nothing;
        any = true;
      }
  }
  return any;
}

/// True when the block goes on or has ended.
inline bool resolveBlock() {
  unsigned waiting = 0, ended = 0, holds = 0;
  for (unsigned thread = 0; thread < count; ++thread) {
    waiting += fibers[thread].wait == Wait::Block;
    ended += fibers[thread].wait == Wait::Ended;
    holds += fibers[thread].wait == Wait::Block && fibers[thread].predicate;
  }
  if (waiting + ended != count)
    return false;
  onBarrier(waiting, ended);
  for (unsigned thread = 0; thread < count; ++thread)
    if (fibers[thread].wait == Wait::Block) {
      fibers[thread].result = uint64_t(holds) << 32 | waiting;
      fibers[thread].wait = Wait::Nothing;
    }
  return true;
}

inline void setThread(unsigned thread) {
  current = thread;
  threadIdx.x = thread % blockDim.x;
  threadIdx.y = thread / blockDim.x % blockDim.y;
  threadIdx.z = thread / blockDim.x / blockDim.y;
}

static void (*body)(void*) = nullptr;
static void* bodyArgument = nullptr;

inline void fiberMain() {
  body(bodyArgument);
  fibers[current].wait = Wait::Ended;
  onLeave();
  setcontext(&scheduler);
}

inline void startFibers() {
  if (count > mostThreads)
    stuck("too many threads");
  if (fibers.size() < count)
    fibers.resize(count);
  for (unsigned thread = 0; thread < count; ++thread) {
    Fiber& fiber = fibers[thread];
    onStart(fiber);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack;
    fiber.context.uc_stack.ss_size = stackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, fiberMain, 0);
    fiber.wait = Wait::Nothing;
  }
}

inline void runBlock() {
  count = blockDim.x * blockDim.y * blockDim.z;
  startFibers();
  for (bool running = true; running;) {
    bool ran = false, allEnded = true;
    for (unsigned position = 0; position < count; ++position) {
      const unsigned thread = backward ? count - 1 - position : position;
      if (fibers[thread].wait == Wait::Nothing) {
        setThread(thread);
        onEnter(fibers[thread]);
        swapcontext(&scheduler, &fibers[thread].context);
        ran = true;
      }
      allEnded = allEnded && fibers[thread].wait == Wait::Ended;
    }
    running = !allEnded;
    if (running && !ran && !resolveWarps() && !resolveActiveMasks() && !resolveBlock())
      stuck("no thread can go on");
  }
}

// --- the meeting points ---

uint64_t meetBlock(bool predicate, unsigned site) {
  fibers[current].predicate = predicate;
  fibers[current].site = site;
  suspend(Wait::Block);
  return fibers[current].result;
}

uint64_t meetLanes(Lanes operation, unsigned mask, bool predicate) {
  Fiber& own = fibers[current];
  own.operation = operation;
  own.mask = mask;
  own.predicate = predicate;
  suspend(Wait::Lanes);
  return fibers[current].result;
}

uint64_t exchange(Lanes operation, unsigned mask, uint64_t value, int argument, int width) {
  Fiber& own = fibers[current];
  own.value = value;
  own.argument = argument;
  own.width = width;
  return meetLanes(operation, mask, false);
}

unsigned activeMask() {
  suspend(Wait::ActiveMask);
  return static_cast<unsigned>(fibers[current].result);
}

} // namespace fiber
