// Small terms used by several engine tests.
#pragma once

#include "core/logic/term.h"

#include <bit>

namespace plumbline::testing {

/// A store with the free value x and shorthands.
struct LeafTerms {
  logic::TermStore store;
  logic::TermId x = store.var(logic::Sort::F32, "x");
  logic::TermId y = store.var(logic::Sort::F32, "y");
  logic::TermId z = store.var(logic::Sort::F32, "z");
  logic::TermId always = store.boolean(true);

  logic::TermId f(float value) { return store.f32Bits(std::bit_cast<uint32_t>(value)); }
  logic::TermId d(double value) { return store.f64Bits(std::bit_cast<uint64_t>(value)); }
  logic::TermId add(logic::TermId a, logic::TermId b) { return store.binary(logic::Op::FAdd, a, b); }
  logic::TermId mul(logic::TermId a, logic::TermId b) { return store.binary(logic::Op::FMul, a, b); }
  logic::TermId div(logic::TermId a, logic::TermId b) { return store.binary(logic::Op::FDiv, a, b); }
  logic::TermId less(logic::TermId a, logic::TermId b) { return store.binary(logic::Op::FLt, a, b); }
  logic::TermId isBits(logic::TermId a, uint32_t bits) {
    return store.binary(logic::Op::FSame, a, store.f32Bits(bits));
  }
  /// `a`, except that the one pattern `bits` of x gives `other`.
  logic::TermId planted(logic::TermId a, uint32_t bits, logic::TermId other) {
    return store.ite(isBits(x, bits), other, a);
  }
};

} // namespace plumbline::testing
