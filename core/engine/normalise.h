// The normaliser: syntactic equality modulo identities that hold for every binary32 value under `ieee`.
#pragma once

#include "core/logic/term.h"

#include <set>

namespace plumbline::engine {

/// Rewrites terms to a normal form that denotes the same value under `ieee` with one NaN: commutativity of +
/// and *, constant folding in exact binary32/64, x-y = x+(-y), x*1, x*2 = x+x, division by powers of two,
/// comparisons of exact conversions, signs moved outwards. Opaque functions get their canonical name
/// (logic/opaque_names.h). No reassociation, no distribution, no contraction. One store, one thread.
class Normaliser {
public:
  explicit Normaliser(logic::TermStore& store) : m_store(store) {}

  logic::TermId operator()(logic::TermId root);

private:
  logic::TermId rewrite(const logic::Term& term);
  logic::TermId rewriteFloat(const logic::Term& term);
  logic::TermId rewriteAdd(logic::TermId a, logic::TermId b);
  logic::TermId rewriteMul(logic::TermId a, logic::TermId b);
  logic::TermId rewriteDiv(logic::TermId a, logic::TermId b);
  logic::TermId rewriteFma(logic::TermId a, logic::TermId b, logic::TermId c);
  logic::TermId rewriteNeg(logic::TermId a);
  logic::TermId rewriteAbs(logic::TermId a);
  logic::TermId rewriteConvert(logic::Sort to, logic::TermId a);
  logic::TermId rewriteComparison(logic::Op op, logic::TermId a, logic::TermId b);
  logic::TermId rewriteIsNan(logic::TermId a);
  std::optional<logic::TermId> fold(const logic::Term& term);
  std::optional<uint64_t> constant(logic::TermId id) const;
  logic::TermId floatConstant(logic::Sort sort, uint64_t bits);
  std::optional<logic::TermId> asBinary32(logic::TermId wide);

  logic::TermStore& m_store;
  std::unordered_map<logic::TermId, logic::TermId> m_done;
};

/// Spellings of opaque functions in a term.
std::set<std::string> opaqueSpellings(const logic::TermStore& store, logic::TermId root);

} // namespace plumbline::engine
