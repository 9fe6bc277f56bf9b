#include "tests/unit/normalise/random_terms.h"

#include <bit>

namespace plumbline::engine {

using logic::Op;
using logic::Sort;
using logic::TermId;

namespace {

constexpr uint32_t special32[] = {0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000,
                                  0x3f000000, 0x7f800000, 0xff800000, 0x7fc00000, 0x00000001,
                                  0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff, 0xff7fffff,
                                  0x3c23d70a, 0x40400000, 0x7f000000, 0x00400000};

} // namespace

uint32_t RandomTerms::pattern() {
  return pick(3) != 0 ? special32[pick(std::size(special32))] : static_cast<uint32_t>(m_random());
}

TermId RandomTerms::constant(Sort sort) {
  const uint32_t bits = pattern();
  if (sort == Sort::F32)
    return m_store.f32Bits(bits);
  return m_store.f64Bits(std::bit_cast<uint64_t>(static_cast<double>(std::bit_cast<float>(bits))));
}

TermId RandomTerms::floating(Sort sort, int depth) {
  if (depth == 0)
    return pick(3) == 0
               ? constant(sort)
               : m_store.var(sort, std::string(floatNames[pick(3)]) + (sort == Sort::F64 ? "64" : ""));
  auto next = [&] { return floating(sort, depth - 1); };
  switch (pick(13)) {
  case 0: return m_store.binary(Op::FAdd, next(), next());
  case 1: return m_store.binary(Op::FSub, next(), next());
  case 2: return m_store.binary(Op::FMul, next(), next());
  case 3: return m_store.binary(Op::FDiv, next(), next());
  case 4: return m_store.unary(Op::FSqrt, next());
  case 5: return m_store.fma(next(), next(), next());
  case 6: return m_store.unary(Op::FNeg, next());
  case 7: return m_store.unary(Op::FAbs, next());
  case 8: return m_store.convert(sort, floating(sort == Sort::F32 ? Sort::F64 : Sort::F32, depth - 1));
  case 9: return m_store.ite(boolean(depth - 1), next(), next());
  case 10: return m_store.ptxMax(next(), next());
  case 11: return m_store.ptxMin(next(), next());
  default: return constant(sort);
  }
}

TermId RandomTerms::boolean(int depth) {
  const Sort sort = pick(3) == 0 ? Sort::F64 : Sort::F32;
  auto number = [&] { return floating(sort, depth > 0 ? depth - 1 : 0); };
  switch (depth == 0 ? pick(5) : pick(8)) {
  case 0: return m_store.binary(Op::FLt, number(), number());
  case 1: return m_store.binary(Op::FLe, number(), number());
  case 2: return m_store.binary(Op::FEq, number(), number());
  case 3: return m_store.unary(Op::FIsNan, number());
  case 4: return m_store.binary(Op::FSame, number(), number());
  case 5: return m_store.lnot(boolean(depth - 1));
  case 6: return m_store.land(boolean(depth - 1), boolean(depth - 1));
  default: return m_store.lor(boolean(depth - 1), boolean(depth - 1));
  }
}

} // namespace plumbline::engine
