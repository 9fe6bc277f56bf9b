// What a prover of facts about integers answers.
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace plumbline::gate {

enum class ProofStatus : uint8_t { Unknown, Proved, Refuted };

struct IndexProof {
  ProofStatus status = ProofStatus::Unknown;
  std::string engine;   ///< "interval", "linear", "enumeration", "z3", "cvc5", "z3+cvc5", or empty
  std::string encoding; ///< "interval", "linear", "linear+lemma", "enumeration", "nonlinear", or empty
  std::string reason;   ///< of Unknown
  std::map<std::string, int64_t> model; ///< of Refuted: Int variables, Bool variables as 0 and 1
  /// Of Refuted: the elements of read-only integer buffers that the model fixes.
  std::map<std::string, std::map<int64_t, int64_t>> loads;
  std::string query;     ///< SMT-LIB text, when a solver was asked
  bool conflict = false; ///< two solvers contradict each other
  double timeMs = 0;
};

} // namespace plumbline::gate
