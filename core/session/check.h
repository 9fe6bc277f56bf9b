// One comparison from files to a verdict: what `plumbline check` does, without a window.
#pragma once

#include "core/session/verdict.h"

#include <memory>

namespace plumbline::session {

struct CheckOptions {
  std::string model;
  std::string kernel;
  std::vector<Reading> readings{Reading::Ieee};
  std::vector<std::string> assume;
  std::string mode = "train";      ///< how a .py model is captured
  std::vector<std::string> inputs; ///< of a TorchScript .pt: "x=f32[4096,1024]"
  std::string kernelName;          ///< --kernel
  std::string launchFile;          ///< --launch
  /// CUDA text to use instead of the content of `kernel`, whose name is still used for positions.
  std::optional<std::string> kernelText;
  bool exitedThreadsOk = false; ///< the gate: threads that have ended need not come to a barrier
  unsigned jobs = 0;            ///< 0: one a processor
  std::chrono::milliseconds timeout{120000};
};

struct Comparison;

/// A check and what it read, for later steps on the same input.
struct CheckOutcome {
  Verdict verdict;
  std::shared_ptr<Comparison> comparison; ///< never null
};

class CheckPool;

/// The same with children and engines that stay warm from one check to the next. One check at a time.
CheckOutcome runCheck(const CheckOptions& options, CheckPool& pool, const StopToken& stop,
                      const std::function<void(const std::string&)>& progress);

/// Never throws and never crashes on bad input: whatever goes wrong is in Verdict::error or
/// Verdict::rejections. `progress` gets one line for each step, on the calling thread. Cancel with `stop`; no
/// process is left over.
CheckOutcome runCheck(const CheckOptions& options, const StopToken& stop,
                      const std::function<void(const std::string&)>& progress);

} // namespace plumbline::session
