// What a mutant really does, found by running it natively; independent of the product.
#pragma once

#include "tests/mutation/native_batch.h"

#include <map>
#include <optional>

namespace plumbline::mutation {

/// `Misbehaving`: out of bounds, an element left out or written by two threads, overflow, an illegal launch.
/// `Different`: a concrete input separates it from the module. `Equivalent`: neither was found; `complete`
/// says whether every input value was run.
enum class Truth : uint8_t { Uncompilable, Misbehaving, Different, Equivalent };
std::string_view name(Truth truth);

struct Judgement {
  Truth truth = Truth::Uncompilable;
  std::string detail;    ///< the fault and the sizes, or the separating input and both values
  bool complete = false; ///< of Equivalent: all 2^32 values were run
};

/// How much is run before a mutant of several inputs counts as equivalent.
struct OracleEffort {
  size_t randomChunks = 512; ///< of 4096 elements
  size_t threads = 2;
};

/// Judges the mutants of one base. One thread at a time.
class Oracle {
public:
  Oracle(const Base& base, const NativeBatch& batch, OracleEffort effort)
      : m_base(base), m_batch(batch), m_effort(effort) {}

  /// `valueKey`: texts with the same key compute the same values once their launch is right, so that the
  /// values of one of them need to be run only; the same holds for texts with the same optimised code.
  Judgement judge(size_t text, const std::string& valueKey);

  /// The detail of a difference when these values, one per input, separate the mutant from the module.
  std::optional<std::string> separates(size_t text, const std::vector<uint32_t>& values) const;

private:
  std::optional<std::string> runShapes(NativeEntry checked, Judgement& judgement) const;
  std::optional<std::string> runProbes(NativeEntry checked) const;
  Judgement judgeValues(NativeEntry fast) const;
  Judgement judgeAllPatterns(NativeEntry fast) const;

  const Base& m_base;
  const NativeBatch& m_batch;
  OracleEffort m_effort;
  std::map<std::string, Judgement> m_values;
};

} // namespace plumbline::mutation
