// A value in memory, read as another scalar type of the same size.
#pragma once

#include "core/ir/integer_ops.h"
#include "core/ir/memory.h"

namespace plumbline::ir {

/// The bits of a float as an integer; false when they are not known.
inline bool bitsOfNumber(IeeeDomain, ScalarType type, const uint64_t& number, int64_t& bits) {
  bits = static_cast<int64_t>(number);
  return !IeeeDomain::isNan(type, number);
}
inline bool bitsOfNumber(RealDomain, ScalarType, const RealNumber&, int64_t&) {
  return false;
}
inline bool numberFromBits(IeeeDomain, ScalarType type, int64_t bits, uint64_t& number) {
  const uint64_t mask = UINT64_MAX >> (64 - bitWidth(type));
  return IeeeDomain::literal(type, static_cast<uint64_t>(bits) & mask, {}, number);
}
inline bool numberFromBits(RealDomain, ScalarType, int64_t, RealNumber&) {
  return false;
}
inline const char* unknownBits(IeeeDomain) {
  return "NaN payload: the bits of a NaN are read";
}
inline const char* unknownBits(RealDomain) {
  return "bits of a real number: a float is read or written as another type";
}

/// `cell` of type `from` as type `to`, of the same size. Returns what is wrong, or nullptr.
template <class D>
const char* reinterpret(ScalarType from, ScalarType to, const typename Buffer<D>::Cell& cell,
                        typename Buffer<D>::Cell& out) {
  out = cell;
  if (from == to)
    return nullptr;
  if (isAnyFloat(from) && !bitsOfNumber(D{}, from, cell.number, out.integer))
    return unknownBits(D{});
  if (isAnyFloat(to))
    return numberFromBits(D{}, to, out.integer, out.number) ? nullptr : unknownBits(D{});
  if (isAnyFloat(from)) {
    out.integer = wrapTo(to, out.integer);
    return nullptr;
  }
  if (to == ScalarType::Bool && cell.integer != 0 && cell.integer != 1)
    return "a bool with other bits than 0 and 1";
  out.integer = to == ScalarType::Bool ? cell.integer : wrapTo(to, cell.integer);
  return nullptr;
}

} // namespace plumbline::ir
