// The threads of a block as fibers on one thread of the host: each runs until it meets others or ends. Blocks
// run one after the other, so that a static variable is one for each block.
//
// Meeting points are resolved from what the fibers wait for: a barrier of the block when every fiber that has
// not ended waits at one, an operation of a warp when every existing lane of its mask waits with that mask. A
// block in which no fiber can go on is a fault of the test program: it aborts.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <type_traits>
#include <ucontext.h>
#include <utility>
#include <vector>

struct HostCoordinates {
  unsigned x = 0, y = 0, z = 0;
};
inline thread_local HostCoordinates threadIdx, blockIdx, blockDim, gridDim;
static constexpr int warpSize = 32;

namespace fiber {

enum class Wait { Nothing, Block, Lanes, ActiveMask, Ended };
enum class Lanes { Barrier, Index, Up, Down, Xor, Any, All, Ballot };

struct Fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  Wait wait = Wait::Nothing;
  // What it brings to the meeting point, and what it takes away.
  Lanes operation = Lanes::Barrier;
  unsigned mask = 0;
  int argument = 0;
  int width = 32;
  bool predicate = false;
  uint64_t value = 0;
  uint64_t result = 0;
};

constexpr size_t stackBytes = 256 * 1024;
constexpr unsigned mostThreads = 1024;
constexpr size_t mostSharedBytes = 232448;

static std::vector<Fiber> fibers;
static ucontext_t scheduler;
static unsigned current = 0; // the running fiber
static unsigned count = 0;   // fibers of the block
alignas(128) static char dynamicBytes[mostSharedBytes];

/// The dynamic shared memory of the launch. The kernel's `extern __shared__ T name[];` becomes a call of
/// this.
template <class T> T* dynamicShared() {
  return reinterpret_cast<T*>(dynamicBytes);
}

[[noreturn]] inline void stuck(const char* why) {
  std::fprintf(stderr, "native kernel: %s in block (%u,%u,%u)\n", why, blockIdx.x, blockIdx.y, blockIdx.z);
  std::abort();
}

inline void suspend(Wait why) {
  Fiber& own = fibers[current];
  own.wait = why;
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
  setcontext(&scheduler);
}

inline void startFibers() {
  if (count > mostThreads)
    stuck("too many threads");
  if (fibers.size() < count)
    fibers.resize(count);
  for (unsigned thread = 0; thread < count; ++thread) {
    Fiber& fiber = fibers[thread];
    if (!fiber.stack)
      fiber.stack.reset(new char[stackBytes]);
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.get();
    fiber.context.uc_stack.ss_size = stackBytes;
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, fiberMain, 0);
    fiber.wait = Wait::Nothing;
  }
}

/// What is uninitialised differs from block to block, and from what the interpreter may have.
inline void spoilSharedMemory() {
  std::memset(dynamicBytes, 0xA5, sizeof dynamicBytes);
}

inline void runBlock() {
  count = blockDim.x * blockDim.y * blockDim.z;
  startFibers();
  for (bool running = true; running;) {
    bool ran = false, allEnded = true;
    for (unsigned thread = 0; thread < count; ++thread) {
      if (fibers[thread].wait == Wait::Nothing) {
        setThread(thread);
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

template <class... P, size_t... I>
void callWith(void (*kernel)(P...), void** arguments, std::index_sequence<I...>) {
  kernel(*static_cast<std::remove_cv_t<P>*>(arguments[I])...);
}

/// Runs the kernel; `arguments[i]` points at the i-th argument.
template <class... P>
void runGrid(void (*kernel)(P...), void** arguments, const int64_t* grid, const int64_t* block) {
  static void (*running)(P...);
  running = kernel;
  gridDim = {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])};
  blockDim = {unsigned(block[0]), unsigned(block[1]), unsigned(block[2])};
  body = [](void* given) { callWith(running, static_cast<void**>(given), std::index_sequence_for<P...>()); };
  bodyArgument = arguments;
  spoilSharedMemory();
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
        runBlock();
}

// --- CUDA's functions ---

inline uint64_t meetBlock(bool predicate) {
  fibers[current].predicate = predicate;
  suspend(Wait::Block);
  return fibers[current].result;
}

inline uint64_t meetLanes(Lanes operation, unsigned mask, bool predicate) {
  Fiber& own = fibers[current];
  own.operation = operation;
  own.mask = mask;
  own.predicate = predicate;
  suspend(Wait::Lanes);
  return fibers[current].result;
}

template <class T> T shuffle(Lanes operation, unsigned mask, T value, int argument, int width) {
  static_assert(sizeof(T) <= 8);
  Fiber& own = fibers[current];
  own.value = 0;
  std::memcpy(&own.value, &value, sizeof value);
  own.argument = argument;
  own.width = width;
  const uint64_t bits = meetLanes(operation, mask, false);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

} // namespace fiber

inline void __syncthreads() {
  fiber::meetBlock(false);
}
inline int __syncthreads_count(int predicate) {
  return static_cast<int>(fiber::meetBlock(predicate != 0) >> 32);
}
inline int __syncthreads_and(int predicate) {
  const uint64_t met = fiber::meetBlock(predicate != 0);
  return met >> 32 == (met & 0xffffffff);
}
inline int __syncthreads_or(int predicate) {
  return fiber::meetBlock(predicate != 0) >> 32 != 0;
}
inline void __syncwarp(unsigned mask = 0xffffffff) {
  fiber::meetLanes(fiber::Lanes::Barrier, mask, false);
}
inline void __threadfence() {}
inline void __threadfence_block() {}
inline void __threadfence_system() {}

template <class T> T __shfl_sync(unsigned mask, T value, int lane, int width = 32) {
  return fiber::shuffle(fiber::Lanes::Index, mask, value, lane, width);
}
template <class T> T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return fiber::shuffle(fiber::Lanes::Up, mask, value, static_cast<int>(delta), width);
}
template <class T> T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32) {
  return fiber::shuffle(fiber::Lanes::Down, mask, value, static_cast<int>(delta), width);
}
template <class T> T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = 32) {
  return fiber::shuffle(fiber::Lanes::Xor, mask, value, laneMask, width);
}
inline unsigned __ballot_sync(unsigned mask, int predicate) {
  return static_cast<unsigned>(fiber::meetLanes(fiber::Lanes::Ballot, mask, predicate != 0));
}
inline int __any_sync(unsigned mask, int predicate) {
  return static_cast<int>(fiber::meetLanes(fiber::Lanes::Any, mask, predicate != 0));
}
inline int __all_sync(unsigned mask, int predicate) {
  return static_cast<int>(fiber::meetLanes(fiber::Lanes::All, mask, predicate != 0));
}
inline unsigned __activemask() {
  fiber::suspend(fiber::Wait::ActiveMask);
  return static_cast<unsigned>(fiber::fibers[fiber::current].result);
}

// Fibers are not interrupted between two meeting points, so that plain accesses are atomic.
template <class T> struct HostSame {
  using Type = T;
};
template <class T> using HostOperand = typename HostSame<T>::Type;
template <class T, class F> T hostAtomic(T* cell, F f) {
  const T old = *cell;
  *cell = f(old);
  return old;
}
// Sums of signed integers wrap.
template <class T> T hostWrappingAdd(T a, T b) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(static_cast<std::make_unsigned_t<T>>(a) + static_cast<std::make_unsigned_t<T>>(b));
  else
    return a + b;
}
template <class T> T atomicAdd(T* cell, HostOperand<T> value) {
  return hostAtomic(cell, [&](T old) { return hostWrappingAdd(old, value); });
}
template <class T> T atomicSub(T* cell, HostOperand<T> value) {
  using U = std::make_unsigned_t<T>;
  return hostAtomic(cell, [&](T old) { return static_cast<T>(static_cast<U>(old) - static_cast<U>(value)); });
}
template <class T> T atomicMin(T* cell, HostOperand<T> value) {
  return hostAtomic(cell, [&](T old) { return value < old ? value : old; });
}
template <class T> T atomicMax(T* cell, HostOperand<T> value) {
  return hostAtomic(cell, [&](T old) { return old < value ? value : old; });
}
template <class T> T atomicAnd(T* cell, HostOperand<T> value) {
  return hostAtomic(cell, [&](T old) { return old & value; });
}
template <class T> T atomicOr(T* cell, HostOperand<T> value) {
  return hostAtomic(cell, [&](T old) { return old | value; });
}
template <class T> T atomicXor(T* cell, HostOperand<T> value) {
  return hostAtomic(cell, [&](T old) { return old ^ value; });
}
template <class T> T atomicExch(T* cell, HostOperand<T> value) {
  return hostAtomic(cell, [&](T) { return value; });
}
template <class T> T atomicCAS(T* cell, HostOperand<T> expected, HostOperand<T> value) {
  return hostAtomic(cell, [&](T old) { return old == expected ? value : old; });
}
inline unsigned atomicInc(unsigned* cell, unsigned limit) {
  return hostAtomic(cell, [&](unsigned old) { return old >= limit ? 0 : old + 1; });
}
inline unsigned atomicDec(unsigned* cell, unsigned limit) {
  return hostAtomic(cell, [&](unsigned old) { return old == 0 || old > limit ? limit : old - 1; });
}
