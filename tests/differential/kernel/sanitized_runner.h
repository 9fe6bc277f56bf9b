// Runs a kernel that was compiled with a sanitizer (host_sanitized.h) in the launches of a file, and says the
// first thing that goes wrong: "finding KIND", or "complete". Linked with the kernels at the time of the
// test; PLUMBLINE_THREADS tells the thread sanitizer from the address sanitizer. README.md.
#pragma once

#ifdef PLUMBLINE_THREADS
#include "tests/differential/kernel/sanitized_threads.h"
#else
#include "tests/differential/kernel/sanitized_addresses.h"
#endif

#include <cstdio>

extern "C" {
void plumblineEntry(int kernel, void** arguments); // generated
extern uint64_t (*plumblineOpaque)(const char*, int, const uint64_t*, int);
}

namespace {

constexpr unsigned mostSharedArrays = 256;
void* sharedArrays[mostSharedArrays];
void* dynamicArray = nullptr;

} // namespace

namespace fiber {

void onBarrier(unsigned /*waiting*/, unsigned ended) {
  const Fiber* first = nullptr;
  for (unsigned thread = 0; thread < count; ++thread) {
    const Fiber& fiber = fibers[thread];
    if (fiber.wait != Wait::Block)
      continue;
    first = first ? first : &fiber;
    if (ended > 0 || fiber.site != first->site)
      found("divergent-barrier");
  }
}

void stuck(const char* /*why*/) {
  found("divergent-barrier");
}

void* dynamicMemory() {
  return dynamicArray;
}

void* sharedMemory(int number, size_t bytes) {
  void*& memory = sharedArrays[static_cast<unsigned>(number) % mostSharedArrays];
  if (!memory)
    memory = blockMemory(bytes);
  return memory;
}

} // namespace fiber

namespace {

uint64_t madeUp(const char* spelling, int isDouble, const uint64_t* arguments, int count) {
  uint64_t mixed = 0;
  for (; *spelling; ++spelling)
    mixed = mixed * 31 + static_cast<unsigned char>(*spelling);
  for (int i = 0; i < count; ++i)
    mixed = (mixed ^ arguments[i]) * 0x9E3779B97F4A7C15;
  mixed ^= mixed >> 29;
  return isDouble ? (mixed & 0x801FFFFFFFFFFFFF) + 0x3FE0000000000000 : (mixed & 0x80FFFFFF) + 0x3F000000;
}

constexpr uint64_t mostArguments = 64;

struct Argument {
  bool isPointer = false, isOutput = false;
  uint64_t scalar = 0;
  size_t elementBytes = 0, length = 0, shift = 0;
  int sameAs = 0;
  std::vector<uint64_t> contents; ///< none: whatever is there
};

struct Launch {
  unsigned grid[3], block[3];
  size_t dynamicBytes = 0;
  bool backward = false;
  std::vector<Argument> arguments;
};

uint64_t number(FILE* file) {
  unsigned long long value = 0;
  if (std::fscanf(file, "%llu", &value) != 1)
    finish("bad launch file");
  return value;
}

Argument readArgument(FILE* file) {
  Argument argument;
  argument.isPointer = number(file) != 0;
  if (!argument.isPointer) {
    argument.scalar = number(file);
    return argument;
  }
  argument.elementBytes = number(file);
  argument.length = number(file);
  argument.shift = number(file);
  argument.sameAs = static_cast<int>(number(file));
  argument.isOutput = number(file) != 0;
  if (number(file) != 0)
    for (size_t i = 0; i < argument.length; ++i)
      argument.contents.push_back(number(file));
  return argument;
}

Launch readLaunch(FILE* file) {
  Launch launch;
  for (unsigned& side : launch.grid)
    side = static_cast<unsigned>(number(file));
  for (unsigned& side : launch.block)
    side = static_cast<unsigned>(number(file));
  launch.dynamicBytes = number(file);
  launch.backward = number(file) != 0;
  const uint64_t arguments = number(file);
  if (arguments > mostArguments)
    finish("too many arguments");
  for (uint64_t left = arguments; left > 0; --left)
    launch.arguments.push_back(readArgument(file));
  return launch;
}

/// At an address that is aligned as promised, and no better where a shift is given.
uint8_t* bufferFor(const Argument& argument) {
  const size_t bytes = argument.length * argument.elementBytes;
  auto* const memory = static_cast<uint8_t*>(std::malloc(argument.shift + bytes));
  forbid(memory, argument.shift);
  uint8_t* const first = spoilt(memory + argument.shift, bytes);
  for (size_t i = 0; i < argument.contents.size(); ++i)
    for (size_t byte = 0; byte < argument.elementBytes; ++byte)
      const_cast<volatile uint8_t*>(first)[i * argument.elementBytes + byte] =
          static_cast<uint8_t>(argument.contents[i] >> (8 * byte));
  return first;
}

void runBlocks(const Launch& launch) {
  using namespace fiber;
  gridDim = {launch.grid[0], launch.grid[1], launch.grid[2]};
  blockDim = {launch.block[0], launch.block[1], launch.block[2]};
  backward = launch.backward;
  startLaunch(gridDim.x * gridDim.y * gridDim.z);
  for (blockIdx.z = 0; blockIdx.z < gridDim.z; ++blockIdx.z)
    for (blockIdx.y = 0; blockIdx.y < gridDim.y; ++blockIdx.y)
      for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
        startBlock();
        for (void*& memory : sharedArrays)
          memory = nullptr;
        dynamicArray = blockMemory(launch.dynamicBytes);
        runBlock();
      }
  endLaunch();
}

int chosen = 0;

/// The outputs after a run in which uninitialised memory holds `filler`.
std::vector<std::vector<uint8_t>> run(const Launch& launch, uint8_t filler) {
  fill = filler;
  static uint64_t values[mostArguments];
  static void* arguments[mostArguments];
  std::vector<uint8_t*> buffers;
  for (const Argument& argument : launch.arguments) {
    uint8_t* const buffer = !argument.isPointer ? nullptr
                            : argument.sameAs < static_cast<int>(buffers.size())
                                ? buffers[static_cast<size_t>(argument.sameAs)]
                                : bufferFor(argument);
    buffers.push_back(buffer);
    uint64_t& value = values[buffers.size() - 1];
    value = argument.isPointer ? reinterpret_cast<uint64_t>(buffer) : argument.scalar;
    arguments[buffers.size() - 1] = &value;
  }
  fiber::body = [](void* given) { plumblineEntry(chosen, static_cast<void**>(given)); };
  fiber::bodyArgument = arguments;
  runBlocks(launch);
  std::vector<std::vector<uint8_t>> outputs;
  for (size_t i = 0; i < buffers.size(); ++i) {
    std::vector<uint8_t>& output = outputs.emplace_back();
    if (launch.arguments[i].isOutput)
      for (size_t k = 0; k < launch.arguments[i].length * launch.arguments[i].elementBytes; ++k)
        output.push_back(uint8_t{const_cast<volatile uint8_t*>(buffers[i])[k]});
  }
  return outputs;
}

void judge(const Launch& launch) {
  constexpr uint8_t one = 0xA5, other = 0x5A;
  const auto first = run(launch, one);
  const auto second = run(launch, other);
  for (size_t i = 0; i < first.size(); ++i)
    for (size_t cell = 0, bytes = launch.arguments[i].elementBytes; cell * bytes < first[i].size(); ++cell) {
      bool untouched = true, same = true;
      for (size_t k = cell * bytes; k < (cell + 1) * bytes; ++k) {
        untouched = untouched && first[i][k] == one && second[i][k] == other;
        same = same && first[i][k] == second[i][k];
      }
      if (untouched)
        found("incomplete");
      if (!same)
        found("uninitialised-read");
    }
}

} // namespace

/// Arguments: the number of the kernel, the file.
int main(int count, char** words) {
  FILE* const file = count == 3 ? std::fopen(words[2], "r") : nullptr;
  if (!file)
    finish("no launch file");
  chosen = std::atoi(words[1]);
  plumblineOpaque = madeUp;
  for (uint64_t left = number(file); left > 0; --left)
    judge(readLaunch(file));
  finish("complete");
}
