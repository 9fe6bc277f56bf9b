// Theorems that a verdict adds to a method document: a differing input as a closed fact, and a comparison of
// all 2^32 values of one input.
#pragma once

#include "core/base/error.h"
#include "core/method/spec_text.h"

namespace plumbline::method {

/// An input on which kernel and module differ, at one element of one output.
struct WitnessFact {
  size_t output = 0;
  int64_t index = 0;
  std::map<std::string, std::vector<uint32_t>> tensors; ///< graph inputs, row-major
  std::map<std::string, int64_t> sizes;                 ///< size symbols
  velvet::ExprPtr kernel;                               ///< the kernel's value there, closed
  uint32_t kernelBits = 0;                              ///< what that is
};

/// That kernel and module agree on every value of their one input.
struct SweepFact {
  size_t output = 0;
  std::string tensor;     ///< the graph input
  velvet::ExprPtr kernel; ///< over `sweptValue()`
};

/// Float32.ofBits bits: how the kernel's expression of a SweepFact refers to its input.
velvet::ExprPtr sweptValue();

/// Largest tensor of a witness that is written out.
inline constexpr size_t largestWitness = 64;

/// A theorem's place in the trust list of a document.
struct FactInfo {
  std::string theorem;
  std::string kind;  ///< "witness", "sweep"
  std::string axiom; ///< besides Lean's own: "native evaluation"; empty: none
};

/// `theorem name : kernel = bits ∧ ¬ (allowed)`, proved by evaluation. Throws Refused ("no-closed-fact").
velvet::Item witnessTheorem(const WitnessFact& fact, const OutputText& spec, const Environment& environment,
                            const std::string& name);

/// The comparison as a Bool function of the bits, and the theorem that it is true, proved by native
/// evaluation. Throws Refused ("no-closed-fact").
std::vector<velvet::Item> sweepTheorem(const SweepFact& fact, const OutputText& spec,
                                       const Environment& environment, const std::string& name);

} // namespace plumbline::method
