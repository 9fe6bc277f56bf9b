// Running a kernel under the thread sanitizer. It knows fibers, so that a race is seen whatever the order in
// which the threads run: switches between fibers order nothing, meeting points order what CUDA says they
// order.
//
// This code is not watched itself. What it does for the fibers must be invisible to the sanitizer: memory of
// the kernel is not got inside a fiber, not given back or used again before the launch has ended, and no
// memcpy or memset touches it.
#pragma once

#include "tests/differential/kernel/host_fibers.h"
#include "tests/differential/kernel/sanitized_memory.h"

#include <sys/mman.h>

extern "C" {
void* __tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void* fiber, unsigned flags);
void* __tsan_get_current_fiber();
void __tsan_acquire(void* address);
void __tsan_release(void* address);

const char* __tsan_default_options() {
  return "symbolize=0:atexit_sleep_ms=0:log_path=/dev/null";
}
void __tsan_on_report(void* /*report*/) {
  found("race");
}
}

namespace shadows {

/// The sanitizer tells about 250 threads apart; beyond, it takes several for one in an order of its own. So
/// the threads of the kernel share shadows: some pairs of threads are one for the sanitizer, in each launch
/// others, and two blocks share none unless there are more than three.
constexpr unsigned count = 240;
constexpr unsigned periods[] = {80, 79, 77, 73, 71, 67};
static void* all[count];
static void* scheduler = nullptr;
static unsigned launches = 0, groups = 1;

inline void create() {
  if (scheduler)
    return;
  scheduler = __tsan_get_current_fiber();
  for (void*& shadow : all)
    shadow = __tsan_create_fiber(0);
}

inline void* of(unsigned block, unsigned thread) {
  const unsigned most = count / groups;
  const unsigned period = periods[launches % std::size(periods)] * (3 / groups);
  return all[block % groups * most + thread % (period < most ? period : most)];
}

} // namespace shadows

constexpr size_t arenaBytes = size_t{1} << 20;
static std::vector<std::pair<void*, size_t>> mapped; // in this launch
static uint8_t* arena = nullptr;
static size_t arenaLeft = 0;
static uint8_t* stacks = nullptr;
static unsigned block = 0;

inline uint8_t* fresh(size_t bytes) {
  void* const memory =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    finish("no memory");
  mapped.emplace_back(memory, bytes);
  return static_cast<uint8_t*>(memory);
}

/// Memory of the running block.
inline void* blockMemory(size_t bytes) {
  const size_t rounded = (bytes + 127) / 128 * 128;
  if (rounded > arenaLeft)
    finish("no memory");
  uint8_t* const memory = arena;
  arena += rounded;
  arenaLeft -= rounded;
  return spoilt(memory, bytes);
}
inline void forbid(void* /*memory*/, size_t /*bytes*/) {}

/// Where threads meet: the start of the block, its barrier, then warps with their masks. Who has met may come
/// again before the others go on, so that a meeting has two addresses in turn. These are new in each block:
/// nothing orders two blocks.
struct Meeting {
  unsigned warp, mask, participants, arrivals;
};
constexpr unsigned mostMeetings = 4096;
static Meeting known[mostMeetings];
static unsigned knownCount = 0;
static uint64_t* meetings = nullptr;

inline void startLaunch(unsigned blocks) {
  shadows::create();
  shadows::groups = blocks < 3 ? blocks : 3;
  block = 0;
}

inline void startBlock() {
  meetings = reinterpret_cast<uint64_t*>(fresh((2 * mostMeetings + 1) * sizeof(uint64_t)));
  knownCount = 0;
  arena = fresh(arenaBytes);
  arenaLeft = arenaBytes;
  stacks = fresh(fiber::stackBytes * blockDim.x * blockDim.y * blockDim.z);
  ++block;
  __tsan_release(meetings + 2 * mostMeetings);
}

inline void endLaunch() {
  for (const auto& [memory, bytes] : mapped)
    ::munmap(memory, bytes);
  mapped.clear();
  ++shadows::launches;
}

inline void* arriveAt(unsigned warp, unsigned mask, unsigned participants) {
  unsigned at = 0;
  while (at < knownCount && !(known[at].warp == warp && known[at].mask == mask))
    ++at;
  if (at == mostMeetings)
    finish("too many meetings");
  if (at == knownCount)
    known[knownCount++] = {warp, mask, participants, 0};
  const unsigned turn = known[at].arrivals++ / known[at].participants % 2;
  return meetings + 2 * at + turn;
}

inline void* arriveAtBarrier() {
  return arriveAt(fiber::mostThreads, 0, fiber::count);
}

inline void* arriveAtLanes(unsigned mask) {
  const unsigned warp = fiber::current & ~31U, lanes = fiber::count - warp;
  const unsigned existing = lanes >= 32 ? mask : mask & ((1U << lanes) - 1);
  const int participants = __builtin_popcount(existing);
  return arriveAt(warp, mask, participants > 0 ? static_cast<unsigned>(participants) : 1);
}

namespace fiber {

void onStart(Fiber& fiber) {
  const auto thread = static_cast<unsigned>(&fiber - fibers.data());
  fiber.stack = reinterpret_cast<char*>(stacks + thread * stackBytes);
  fiber.shadow = shadows::of(block, thread);
  fiber.meeting = meetings + 2 * mostMeetings; // what the scheduler did before comes first
}
void onEnter(Fiber& fiber) {
  __tsan_switch_to_fiber(fiber.shadow, 1); // orders nothing
  if (fiber.meeting)
    __tsan_acquire(fiber.meeting);
  fiber.meeting = nullptr;
}
void onLeave() {
  __tsan_switch_to_fiber(shadows::scheduler, 1);
}
void onWait(Fiber& fiber) {
  if (fiber.wait == Wait::Block)
    fiber.meeting = arriveAtBarrier();
  else if (fiber.wait == Wait::Lanes)
    fiber.meeting = arriveAtLanes(fiber.mask);
  if (fiber.meeting)
    __tsan_release(fiber.meeting);
}

} // namespace fiber
