// Running a kernel under the address sanitizer, with checks of undefined arithmetic: arrays are on the heap,
// each as large as it should be.
#pragma once

#include "tests/differential/kernel/host_fibers.h"
#include "tests/differential/kernel/sanitized_memory.h"

extern "C" {
void __asan_poison_memory_region(const volatile void* address, size_t size);
void __ubsan_get_current_report_data(const char** kind, const char** message, const char** file,
                                     unsigned* line, unsigned* column, char** address);

const char* __asan_default_options() {
  return "symbolize=0:detect_leaks=0:detect_stack_use_after_return=0:log_path=/dev/null";
}
void __asan_on_error() {
  found("out-of-bounds");
}
void __ubsan_on_report() {
  const char *kind = "", *message = "", *file = "";
  char* address = nullptr;
  unsigned line = 0, column = 0;
  __ubsan_get_current_report_data(&kind, &message, &file, &line, &column, &address);
  found(kind);
}
}

/// Memory of the running block.
inline void* blockMemory(size_t bytes) {
  return spoilt(std::malloc(bytes), bytes);
}
/// The first bytes of memory are not the kernel's.
inline void forbid(void* memory, size_t bytes) {
  __asan_poison_memory_region(memory, bytes / 8 * 8);
}
inline void startLaunch(unsigned /*blocks*/) {}
inline void startBlock() {}
inline void endLaunch() {}

namespace fiber {

void onStart(Fiber& fiber) {
  if (!fiber.stack)
    fiber.stack = new char[stackBytes]; // as long as the program
}
void onEnter(Fiber& /*fiber*/) {}
void onLeave() {}
void onWait(Fiber& /*fiber*/) {}

} // namespace fiber
