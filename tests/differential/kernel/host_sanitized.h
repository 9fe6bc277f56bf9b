// A kernel compiled with a sanitizer: its code is watched, the code that runs its threads
// (sanitized_runner.h) is not, and is another translation unit.
#pragma once

#include "tests/differential/kernel/host_meetings.h"

#include <cstddef>

namespace fiber {

/// The memory of the block for the shared array of that number, as large as the array.
void* sharedMemory(int number, size_t bytes);

/// A kernel's `__shared__ T name[3];` becomes a reference to this.
template <class T, int number> T& sharedInstance() {
  return *static_cast<T*>(sharedMemory(number, sizeof(T)));
}

template <size_t bytes> struct AtomicWord;
template <> struct AtomicWord<1> {
  using Type = uint8_t;
};
template <> struct AtomicWord<2> {
  using Type = uint16_t;
};
template <> struct AtomicWord<4> {
  using Type = uint32_t;
};
template <> struct AtomicWord<8> {
  using Type = uint64_t;
};

} // namespace fiber

// Atomic for the sanitizer, and without an order, as CUDA's.
template <class T, class F> T hostAtomic(T* cell, F f) {
  using Word = typename fiber::AtomicWord<sizeof(T)>::Type;
  Word* const word = reinterpret_cast<Word*>(cell);
  Word seen = __atomic_load_n(word, __ATOMIC_RELAXED);
  for (;;) {
    T old;
    std::memcpy(&old, &seen, sizeof old);
    const T next = f(old);
    Word wanted;
    std::memcpy(&wanted, &next, sizeof wanted);
    if (__atomic_compare_exchange_n(word, &seen, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
      return old;
  }
}

#include "tests/differential/kernel/host_atomics.h"
