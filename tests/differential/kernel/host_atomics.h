// CUDA's atomics, from `hostAtomic(cell, f)`, which replaces the cell by `f` of it in one step and returns
// what it was.
#pragma once

#include <type_traits>

template <class T> struct HostSame {
  using Type = T;
};
template <class T> using HostOperand = typename HostSame<T>::Type;
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
