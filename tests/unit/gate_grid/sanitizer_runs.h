// Kernels compiled for this machine under the thread and the address sanitizer, in launches at small sizes.
#pragma once

#include "core/ir/kernel.h"
#include "tests/differential/kernel/sanitized.h"

namespace plumbline::gate::grid {

struct SanitizerVerdict {
  enum class State : uint8_t {
    Skipped, ///< was not to be run
    Unknown, ///< no evidence either way: it did not compile, did not end in time, has no small launch
    Nothing, ///< runs to the end, and nothing is wrong
    Found,
  };
  State state = State::Skipped;
  std::set<std::string> kinds; ///< of what was found
  std::string why;             ///< Unknown
};

/// Collects kernels, so that many are compiled together.
class SanitizerRuns {
public:
  /// The only kernel of the source, which must be the module's.
  void add(const std::string& source, const ir::Module& module, const ir::LaunchContract& contract);
  /// Takes the place of a kernel that is not to be run.
  void skip() { m_cases.emplace_back(); }

  /// One for each kernel, in order.
  std::vector<SanitizerVerdict> run() const;

private:
  struct Case {
    differential::SanitizedSource source;
    std::optional<ir::Function> function;
    std::vector<differential::SanitizedLaunch> launches;
  };
  void watch(const std::vector<size_t>& cases, differential::Sanitizer sanitizer,
             std::vector<SanitizerVerdict>& verdicts) const;
  void watchOne(const differential::SanitizedKernels& kernels, size_t position, size_t number,
                SanitizerVerdict& verdict) const;

  std::vector<Case> m_cases;
};

} // namespace plumbline::gate::grid
