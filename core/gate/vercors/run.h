// VerCors as an external program: started with a time limit, its answer read from exit status and log.
#pragma once

#include "core/base/json.h"
#include "core/base/stop_token.h"

#include <chrono>
#include <filesystem>

namespace plumbline::gate::vercors {

/// Born as no answer. Verified needs both the exit status and the sentence; everything unclear is no answer.
enum class Status : uint8_t { NotRun, Missing, Verified, Failed, NoAnswer, Timeout };
std::string_view
name(Status status); ///< "not run", "vercors-missing", "verified", "failed", "no answer", "timeout"

struct Answer {
  Status status = Status::NotRun;
  std::vector<std::string> codes; ///< of what failed: "ptrPerm", "kernelNotInjective"; sorted, once each
  std::string message;            ///< for people; empty when there is nothing to say
  double timeMs = 0;
};

/// Reads an exit status and everything that was printed.
Answer readAnswer(int exitStatus, const std::string& log);

/// Runs `vercors` from PATH on the file. Never fails: what goes wrong is in the answer.
Answer run(const std::filesystem::path& file, std::chrono::milliseconds limit, const StopToken& stop);

/// {"status", "codes", "message", "time_ms"}
Json toJson(const Answer& answer);
/// "VerCors (second opinion): verified in 41 s"
std::string print(const Answer& answer);

} // namespace plumbline::gate::vercors
