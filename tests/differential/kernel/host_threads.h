// A kernel on this machine, its threads being fibers; blocks run one after the other, so that a static
// variable is one for each block. A block in which no thread can go on is a fault of the test program: it
// aborts.
#pragma once

#include "tests/differential/kernel/host_fibers.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace fiber {

constexpr size_t mostSharedBytes = 232448;
alignas(128) static char dynamicBytes[mostSharedBytes];

void* dynamicMemory() {
  return dynamicBytes;
}

void onStart(Fiber& fiber) {
  if (!fiber.stack)
    fiber.stack = new char[stackBytes]; // as long as the program
}
void onEnter(Fiber& /*fiber*/) {}
void onLeave() {}
void onWait(Fiber& /*fiber*/) {}
void onBarrier(unsigned /*waiting*/, unsigned /*ended*/) {}

void stuck(const char* why) {
  std::fprintf(stderr, "native kernel: %s in block (%u,%u,%u)\n", why, blockIdx.x, blockIdx.y, blockIdx.z);
  std::abort();
}

/// What is uninitialised differs from block to block, and from what the interpreter may have.
inline void spoilSharedMemory() {
  std::memset(dynamicBytes, 0xA5, sizeof dynamicBytes);
}

/// Runs the kernel; `arguments[i]` points at the i-th argument.
template <class... P>
void runGrid(void (*kernel)(P...), void** arguments, const int64_t* grid, const int64_t* block) {
  static void (*running)(P...);
  running = kernel;
  gridDim = {unsigned(grid[0]), unsigned(grid[1]), unsigned(grid[2])};
  blockDim = {unsigned(block[0]), unsigned(block[1]), unsigned(block[2])};
  body = [](void* given) { callKernel(running, static_cast<void**>(given)); };
  bodyArgument = arguments;
  spoilSharedMemory();
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x)
        runBlock();
}

} // namespace fiber

// Fibers are not interrupted between two meeting points, so that plain accesses are atomic.
template <class T, class F> T hostAtomic(T* cell, F f) {
  const T old = *cell;
  *cell = f(old);
  return old;
}

#include "tests/differential/kernel/host_atomics.h"
