// Equality of two terms under the `real` reading: case split on conditions, then rational functions in normal
// form.
#pragma once

#include "core/base/stop_token.h"
#include "core/engine/real_symbolic.h"
#include "core/f32/rational.h"
#include "core/logic/term.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace plumbline::engine {

struct RealOptions {
  size_t maxCases = 4000; ///< leaves of the case tree before giving up
  size_t samples = 3000;  ///< assignments tried when there is no proof; 0: no search
  uint64_t seed = 1;      ///< of the random assignments
  StopToken stop;         ///< looked at for each case and sample
  /// The real function that a spelling denotes. Default: f32::canonicalFunction, else the spelling itself.
  FunctionName functionName = {};
};

/// Born as Unknown.
struct RealResult {
  enum class Status : uint8_t { Unknown, Proved, Different };
  Status status = Status::Unknown;
  std::string reason;                   ///< Unknown: kebab-case, with a name after ':' where one helps
  std::vector<std::string> assumptions; ///< Proved: "rounded-constant" when two constants had to be joined
  std::set<std::string> functions;      ///< Proved: the real functions that both sides were compared through
  size_t cases = 0;                     ///< leaves looked at
  /// Different: a value for every free variable and load of the two terms (Bool: 0 or 1), at which `spec` has
  /// a value and `kernel` another one, or none. A load is taken as an unknown of its own: a caller with
  /// symbolic indices has to check that the loads can have these values together. Constants that round to the
  /// same binary32 were taken as equal.
  std::map<logic::TermId, Rational> assignment;
  std::optional<Rational> kernelValue; ///< nothing: undefined
  std::optional<Rational> specValue;

  bool proved() const { return status == Status::Proved; }
};

/// Proves `kernel` = `spec` (sort F32, F64 or Bool) for all real inputs with |x| <= FLT_MAX that satisfy the
/// Bool term `hypothesis` and at which `spec` is defined; the kernel must be defined there too. Or finds
/// rational inputs at which they differ. Every value of Bool and Int variables is allowed that the hypothesis
/// allows.
///
/// Constants denote the text in the source. When that is not enough, constants (closed subterms) with the
/// same nearest binary32 value are joined, under the assumption "rounded-constant".
///
/// The terms are read only; new ones may be added to the store. Reasons for Unknown: "cases" (more than
/// maxCases), "sorts" (only F32 or F64 with each other, and Bool), "too-large", "too-deep", "stopped",
/// "operator:<op>", "not-equal-in-normal-form", "function-domain" (the kernel applies a function of unknown
/// domain that the spec does not), "never-defined" (the spec has no value in any case).
RealResult proveRealEqual(logic::TermStore& store, logic::TermId kernel, logic::TermId spec,
                          logic::TermId hypothesis, const RealOptions& options = {});

} // namespace plumbline::engine
