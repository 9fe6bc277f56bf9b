// Random terms over a few float variables, for property tests.
#pragma once

#include "core/logic/eval.h"
#include "core/logic/term.h"

#include <random>

namespace plumbline::engine {

/// Makes terms of all float and Bool operators that can be evaluated, with constants that trigger rewrites.
class RandomTerms {
public:
  RandomTerms(logic::TermStore& store, uint64_t seed) : m_store(store), m_random(seed) {}

  logic::TermId floating(logic::Sort sort, int depth);
  logic::TermId boolean(int depth);
  /// Special values and random bits.
  uint32_t pattern();

private:
  uint32_t pick(uint32_t count) { return static_cast<uint32_t>(m_random() % count); }
  logic::TermId constant(logic::Sort sort);

  logic::TermStore& m_store;
  std::mt19937_64 m_random;
};

/// The names of the F32 and F64 variables that the terms use.
inline constexpr const char* floatNames[] = {"a", "b", "c"};

} // namespace plumbline::engine
