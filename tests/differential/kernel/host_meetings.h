// Where the threads of a block meet: what CUDA's words need, and what a way of running threads defines.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <utility>

struct HostCoordinates {
  unsigned x = 0, y = 0, z = 0;
};
inline thread_local HostCoordinates threadIdx, blockIdx, blockDim, gridDim;
static constexpr int warpSize = 32;

namespace fiber {

enum class Lanes { Barrier, Index, Up, Down, Xor, Any, All, Ballot };

/// The block's barrier: the number of threads whose predicate holds in the high half, of all in the low half.
uint64_t meetBlock(bool predicate, unsigned site);
/// A barrier or vote of the lanes of `mask`.
uint64_t meetLanes(Lanes operation, unsigned mask, bool predicate);
/// A shuffle of bits.
uint64_t exchange(Lanes operation, unsigned mask, uint64_t value, int argument, int width);
unsigned activeMask();
/// The dynamic shared memory of the launch.
void* dynamicMemory();

/// A kernel's `extern __shared__ T name[];` becomes a call of this.
template <class T> T* dynamicShared() {
  return static_cast<T*>(dynamicMemory());
}

template <class T> T shuffle(Lanes operation, unsigned mask, T value, int argument, int width) {
  static_assert(sizeof(T) <= 8);
  uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  bits = exchange(operation, mask, bits, argument, width);
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

template <class... P, size_t... I>
void callWith(void (*kernel)(P...), void** arguments, std::index_sequence<I...>) {
  kernel(*static_cast<std::remove_cv_t<P>*>(arguments[I])...);
}
/// Calls a kernel; `arguments[i]` points at the i-th argument.
template <class... P> void callKernel(void (*kernel)(P...), void** arguments) {
  callWith(kernel, arguments, std::index_sequence_for<P...>());
}

} // namespace fiber

// A barrier is named by its place in the source.
#define HOST_SITE unsigned site = __builtin_LINE() * 1024 + __builtin_COLUMN()
inline void __syncthreads(HOST_SITE) {
  fiber::meetBlock(false, site);
}
inline int __syncthreads_count(int predicate, HOST_SITE) {
  return static_cast<int>(fiber::meetBlock(predicate != 0, site) >> 32);
}
inline int __syncthreads_and(int predicate, HOST_SITE) {
  const uint64_t met = fiber::meetBlock(predicate != 0, site);
  return met >> 32 == (met & 0xffffffff);
}
inline int __syncthreads_or(int predicate, HOST_SITE) {
  return fiber::meetBlock(predicate != 0, site) >> 32 != 0;
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
  return fiber::activeMask();
}
#undef HOST_SITE
