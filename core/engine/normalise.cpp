#include "core/engine/normalise.h"

#include "core/f32/soft_float.h"
#include "core/logic/opaque_names.h"

namespace plumbline::engine {

using f32::Binary32;
using f32::Binary64;
using f32::Soft;
using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;
using logic::TermStore;

namespace {

using S32 = Soft<Binary32>;
using S64 = Soft<Binary64>;

template <class S> std::optional<uint64_t> foldArithmetic(Op op, const std::vector<uint64_t>& args) {
  auto arg = [&](size_t i) { return static_cast<typename S::Bits>(args[i]); };
  switch (op) {
  case Op::FAdd: return S::add(arg(0), arg(1));
  case Op::FSub: return S::sub(arg(0), arg(1));
  case Op::FMul: return S::mul(arg(0), arg(1));
  case Op::FDiv: return S::div(arg(0), arg(1));
  case Op::FSqrt: return S::sqrt(arg(0));
  case Op::FFma: return S::fma(arg(0), arg(1), arg(2));
  case Op::FNeg: return S::neg(arg(0));
  case Op::FAbs: return S::abs(arg(0));
  default: return std::nullopt;
  }
}

template <class S> std::optional<bool> foldComparison(Op op, const std::vector<uint64_t>& args) {
  auto arg = [&](size_t i) { return static_cast<typename S::Bits>(args[i]); };
  switch (op) {
  case Op::FLt: return S::less(arg(0), arg(1));
  case Op::FLe: return S::lessEqual(arg(0), arg(1));
  case Op::FEq: return S::equal(arg(0), arg(1));
  case Op::FSame: return S::same(arg(0), arg(1));
  case Op::FIsNan: return S::isNan(arg(0));
  default: return std::nullopt;
  }
}

/// ±2^k whose reciprocal is exact: x / c and x * (1/c) then round the same real number.
template <class S> std::optional<uint64_t> exactReciprocal(uint64_t bits, uint64_t one) {
  const auto c = static_cast<typename S::Bits>(bits);
  if (S::isNan(c) || S::isInf(c) || S::isZero(c))
    return std::nullopt;
  const auto significand = static_cast<uint64_t>(c & S::mantissaMask);
  const bool normal = (S::magnitude(c) >> S::mantissaBits) != 0;
  const bool powerOfTwo = normal ? significand == 0 : (significand & (significand - 1)) == 0;
  const auto reciprocal = S::div(static_cast<typename S::Bits>(one), c);
  if (!powerOfTwo || S::isInf(reciprocal) || S::mul(reciprocal, c) != static_cast<typename S::Bits>(one))
    return std::nullopt;
  return reciprocal;
}

constexpr uint64_t one32 = 0x3f800000;
constexpr uint64_t one64 = 0x3ff0000000000000;
constexpr uint64_t two32 = 0x40000000;
constexpr uint64_t two64 = 0x4000000000000000;

bool isFloat(Sort sort) {
  return sort == Sort::F32 || sort == Sort::F64;
}

} // namespace

std::optional<uint64_t> Normaliser::constant(TermId id) const {
  if (m_store[id].op != Op::FloatConst)
    return std::nullopt;
  return m_store[id].payload;
}

TermId Normaliser::floatConstant(Sort sort, uint64_t bits) {
  return sort == Sort::F32 ? m_store.f32Bits(S32::canonical(static_cast<uint32_t>(bits)))
                           : m_store.f64Bits(S64::canonical(bits));
}

std::optional<TermId> Normaliser::fold(const Term& term) {
  std::vector<uint64_t> values;
  for (TermId arg : term.args) {
    const auto value = constant(arg);
    if (!value)
      return std::nullopt;
    values.push_back(*value);
  }
  if (term.args.empty())
    return std::nullopt;
  const Sort from = m_store[term.args[0]].sort;
  if (term.op == Op::FConvert)
    return floatConstant(term.sort, from == Sort::F64
                                        ? f32::convert<Binary64, Binary32>(values[0])
                                        : f32::convert<Binary32, Binary64>(static_cast<uint32_t>(values[0])));
  if (term.sort == Sort::Bool) {
    const auto result =
        from == Sort::F32 ? foldComparison<S32>(term.op, values) : foldComparison<S64>(term.op, values);
    return result ? std::optional(m_store.boolean(*result)) : std::nullopt;
  }
  const auto result =
      from == Sort::F32 ? foldArithmetic<S32>(term.op, values) : foldArithmetic<S64>(term.op, values);
  return result ? std::optional(floatConstant(term.sort, *result)) : std::nullopt;
}

TermId Normaliser::operator()(TermId root) {
  for (TermId id : m_store.postOrder(root)) {
    if (m_done.contains(id))
      continue;
    Term term = m_store[id];
    for (TermId& arg : term.args)
      arg = m_done.at(arg);
    m_done.emplace(id, rewrite(term));
  }
  return m_done.at(root);
}

TermId Normaliser::rewrite(const Term& term) {
  switch (term.op) {
  case Op::FloatConst: return floatConstant(term.sort, term.payload);
  case Op::Not: return m_store.lnot(term.args[0]);
  case Op::And:
    return m_store.land(std::min(term.args[0], term.args[1]), std::max(term.args[0], term.args[1]));
  case Op::Or: return m_store.lor(std::min(term.args[0], term.args[1]), std::max(term.args[0], term.args[1]));
  case Op::Ite: return m_store.ite(term.args[0], term.args[1], term.args[2]);
  case Op::IntToFloat:
    if (const auto value = m_store.intValue(term.args[0]))
      return floatConstant(term.sort, term.sort == Sort::F32 ? f32::fromInteger<Binary32>(*value)
                                                             : f32::fromInteger<Binary64>(*value));
    return m_store.make(term);
  case Op::Opaque:
    return m_store.opaque(term.sort, logic::canonicalOpaque(m_store.symbolText(term.symbol), term.sort),
                          term.args);
  default: break;
  }
  const bool floatArgs = !term.args.empty() && isFloat(m_store[term.args[0]].sort);
  if (!floatArgs || term.op == Op::FloatToInt)
    return m_store.make(term);
  if (const auto folded = fold(term))
    return *folded;
  return rewriteFloat(term);
}

TermId Normaliser::rewriteFloat(const Term& term) {
  switch (term.op) {
  case Op::FAdd: return rewriteAdd(term.args[0], term.args[1]);
  case Op::FSub: return rewriteAdd(term.args[0], rewriteNeg(term.args[1]));
  case Op::FMul: return rewriteMul(term.args[0], term.args[1]);
  case Op::FDiv: return rewriteDiv(term.args[0], term.args[1]);
  case Op::FFma: return rewriteFma(term.args[0], term.args[1], term.args[2]);
  case Op::FNeg: return rewriteNeg(term.args[0]);
  case Op::FAbs: return rewriteAbs(term.args[0]);
  case Op::FConvert: return rewriteConvert(term.sort, term.args[0]);
  case Op::FLt:
  case Op::FLe:
  case Op::FEq: return rewriteComparison(term.op, term.args[0], term.args[1]);
  case Op::FSame:
    if (term.args[0] == term.args[1])
      return m_store.boolean(true);
    return m_store.binary(Op::FSame, std::min(term.args[0], term.args[1]),
                          std::max(term.args[0], term.args[1]));
  case Op::FIsNan: return rewriteIsNan(term.args[0]);
  default: return m_store.make(term);
  }
}

TermId Normaliser::rewriteAdd(TermId a, TermId b) {
  const Sort sort = m_store[a].sort;
  const uint64_t negativeZero = sort == Sort::F32 ? 0x80000000u : 0x8000000000000000u;
  if (constant(a) == negativeZero)
    return b;
  if (constant(b) == negativeZero)
    return a;
  if (constant(a) && constant(b))
    return *fold({Op::FAdd, sort, 0, 0, {a, b}});
  if (a == b)
    return rewriteMul(floatConstant(sort, sort == Sort::F32 ? two32 : two64), a);
  return m_store.binary(Op::FAdd, std::min(a, b), std::max(a, b));
}

TermId Normaliser::rewriteMul(TermId a, TermId b) {
  const Sort sort = m_store[a].sort;
  const uint64_t one = sort == Sort::F32 ? one32 : one64;
  const uint64_t sign = sort == Sort::F32 ? 0x80000000u : 0x8000000000000000u;
  for (const auto& [factor, other] : {std::pair(a, b), std::pair(b, a)}) {
    const auto value = constant(factor);
    if (value == one)
      return other;
    if (value && constant(other))
      return *fold({Op::FMul, sort, 0, 0, {a, b}});
    const bool negative =
        value && (*value & sign) != 0 &&
        !(sort == Sort::F32 ? S32::isNan(static_cast<uint32_t>(*value)) : S64::isNan(*value));
    if (negative)
      return rewriteNeg(rewriteMul(floatConstant(sort, *value ^ sign), other));
    if (m_store[factor].op == Op::FNeg)
      return rewriteNeg(rewriteMul(m_store[factor].args[0], other));
  }
  return m_store.binary(Op::FMul, std::min(a, b), std::max(a, b));
}

TermId Normaliser::rewriteDiv(TermId a, TermId b) {
  const Sort sort = m_store[a].sort;
  if (const auto divisor = constant(b)) {
    const auto reciprocal =
        sort == Sort::F32 ? exactReciprocal<S32>(*divisor, one32) : exactReciprocal<S64>(*divisor, one64);
    if (reciprocal)
      return rewriteMul(floatConstant(sort, *reciprocal), a);
  }
  if (m_store[a].op == Op::FNeg)
    return rewriteNeg(rewriteDiv(m_store[a].args[0], b));
  if (m_store[b].op == Op::FNeg)
    return rewriteNeg(rewriteDiv(a, m_store[b].args[0]));
  return m_store.binary(Op::FDiv, a, b);
}

TermId Normaliser::rewriteFma(TermId a, TermId b, TermId c) {
  const Sort sort = m_store[a].sort;
  const uint64_t one = sort == Sort::F32 ? one32 : one64;
  if (constant(a) == one)
    return rewriteAdd(b, c);
  if (constant(b) == one)
    return rewriteAdd(a, c);
  return m_store.fma(std::min(a, b), std::max(a, b), c);
}

TermId Normaliser::rewriteNeg(TermId a) {
  if (const auto value = constant(a))
    return *fold({Op::FNeg, m_store[a].sort, 0, 0, {a}});
  if (m_store[a].op == Op::FNeg)
    return m_store[a].args[0];
  return m_store.unary(Op::FNeg, a);
}

TermId Normaliser::rewriteAbs(TermId a) {
  while (m_store[a].op == Op::FNeg || m_store[a].op == Op::FAbs)
    a = m_store[a].args[0];
  if (constant(a))
    return *fold({Op::FAbs, m_store[a].sort, 0, 0, {a}});
  return m_store.unary(Op::FAbs, a);
}

TermId Normaliser::rewriteConvert(Sort to, TermId a) {
  const Op op = m_store[a].op;
  if (to == Sort::F32 && op == Op::FConvert) // F32 -> F64 -> F32 is exact
    return m_store[a].args[0];
  if (op == Op::FNeg)
    return rewriteNeg(rewriteConvert(to, m_store[a].args[0]));
  return m_store.convert(to, a);
}

/// The binary32 term with the same value, when there is one.
std::optional<TermId> Normaliser::asBinary32(TermId wide) {
  if (m_store[wide].op == Op::FConvert)
    return m_store[wide].args[0];
  if (m_store[wide].op == Op::FNeg)
    if (const auto inner = asBinary32(m_store[wide].args[0]))
      return rewriteNeg(*inner);
  const auto value = constant(wide);
  if (!value)
    return std::nullopt;
  const auto narrow = f32::convert<Binary64, Binary32>(*value);
  if (f32::convert<Binary32, Binary64>(narrow) != S64::canonical(*value))
    return std::nullopt;
  return floatConstant(Sort::F32, narrow);
}

TermId Normaliser::rewriteComparison(Op op, TermId a, TermId b) {
  if (a == b)
    return op == Op::FLt ? m_store.boolean(false) : m_store.lnot(rewriteIsNan(a));
  if (m_store[a].sort == Sort::F64) {
    const auto narrowA = asBinary32(a);
    const auto narrowB = narrowA ? asBinary32(b) : std::nullopt;
    if (narrowB)
      return rewriteComparison(op, *narrowA, *narrowB);
  }
  // Signs: -a < -b is b < a; -a < c is -c < a.
  const bool negA = m_store[a].op == Op::FNeg;
  const bool negB = m_store[b].op == Op::FNeg;
  if ((negA && (negB || constant(b))) || (negB && constant(a))) {
    const TermId left = rewriteNeg(b);
    const TermId right = rewriteNeg(a);
    return rewriteComparison(op, left, right);
  }
  // -0 and +0 compare alike.
  const Sort sort = m_store[a].sort;
  const uint64_t negativeZero = sort == Sort::F32 ? 0x80000000u : 0x8000000000000000u;
  if (constant(a) == negativeZero)
    a = floatConstant(sort, 0);
  if (constant(b) == negativeZero)
    b = floatConstant(sort, 0);
  if (op == Op::FEq && b < a)
    std::swap(a, b);
  return m_store.binary(op, a, b);
}

TermId Normaliser::rewriteIsNan(TermId a) {
  while (m_store[a].op == Op::FNeg || m_store[a].op == Op::FAbs || m_store[a].op == Op::FConvert)
    a = m_store[a].args[0];
  if (constant(a))
    return *fold({Op::FIsNan, Sort::Bool, 0, 0, {a}});
  return m_store.unary(Op::FIsNan, a);
}

std::set<std::string> opaqueSpellings(const TermStore& store, TermId root) {
  std::set<std::string> result;
  for (TermId id : store.postOrder(root))
    if (store[id].op == Op::Opaque)
      result.insert(store.symbolText(id));
  return result;
}

} // namespace plumbline::engine
