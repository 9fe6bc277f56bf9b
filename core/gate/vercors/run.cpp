#include "core/gate/vercors/run.h"

#include "core/base/child_process.h"

#include <algorithm>
#include <cstdio>

namespace plumbline::gate::vercors {
namespace {

constexpr std::string_view success = "Verification completed successfully";
constexpr std::string_view codeMark = "utwente.nl/vercors#";

bool isCodeCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == ':' || c == '_';
}

/// Codes named by a link, and those of the table "At | Code | Description".
std::vector<std::string> codesIn(const std::string& log) {
  std::vector<std::string> codes;
  for (size_t at = log.find(codeMark); at != std::string::npos; at = log.find(codeMark, at + 1)) {
    const size_t start = at + codeMark.size();
    size_t end = start;
    while (end < log.size() && isCodeCharacter(log[end]))
      ++end;
    if (end > start)
      codes.push_back(log.substr(start, end - start));
  }
  for (const char* known : {"ptrPerm", "ptrBlock", "ptrNull", "kernelNotInjective", "postFailed",
                            "notEstablished", "inconsistent"})
    if (std::ranges::none_of(codes, [&](const std::string& code) { return code.starts_with(known); }) &&
        log.find(known) != std::string::npos)
      codes.emplace_back(known);
  std::ranges::sort(codes);
  codes.erase(std::ranges::unique(codes).begin(), codes.end());
  return codes;
}

std::string lastLine(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
    text.pop_back();
  return text.substr(text.rfind('\n') + 1);
}

double elapsed(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

std::string_view name(Status status) {
  switch (status) {
  case Status::NotRun: return "not run";
  case Status::Missing: return "vercors-missing";
  case Status::Verified: return "verified";
  case Status::Failed: return "failed";
  case Status::NoAnswer: return "no answer";
  case Status::Timeout: return "timeout";
  }
  return "";
}

Answer readAnswer(int exitStatus, const std::string& log) {
  Answer answer;
  answer.status = Status::NoAnswer;
  if (exitStatus == 0 && log.find(success) != std::string::npos) {
    answer.status = Status::Verified;
    return answer;
  }
  if (exitStatus == 1) {
    answer.codes = codesIn(log);
    // A proof that ran out of time inside VerCors looks like a failure without a reason.
    if (!answer.codes.empty()) {
      answer.status = Status::Failed;
      return answer;
    }
  }
  answer.message = "exit status " + std::to_string(exitStatus) + ": " + lastLine(log);
  return answer;
}

Answer run(const std::filesystem::path& file, std::chrono::milliseconds limit, const StopToken& stop) {
  Answer answer;
  const std::string program = findProgram("vercors");
  if (program.empty()) {
    answer.status = Status::Missing;
    answer.message = "vercors is not on PATH";
    return answer;
  }
  const auto start = std::chrono::steady_clock::now();
  const StopToken limited = stop.withTimeout(limit);
  Expected<ChildProcess> child = ChildProcess::start({program, "--backend", "silicon", file.string()});
  if (!child) {
    answer.status = Status::NoAnswer;
    answer.message = child.error().message;
    return answer;
  }
  child->closeInput();
  const Expected<std::string> log = child->readAll(limited);
  const Expected<int> status = log ? child->wait(limited) : tl::unexpected(log.error());
  if (status)
    answer = readAnswer(*status, *log + child->errorText());
  else {
    answer.status = status.error().id == "timeout" ? Status::Timeout : Status::NoAnswer;
    answer.message = status.error().message;
  }
  answer.timeMs = elapsed(start);
  return answer;
}

Json toJson(const Answer& answer) {
  return {{"status", name(answer.status)},
          {"codes", answer.codes},
          {"message", answer.message},
          {"time_ms", answer.timeMs}};
}

std::string print(const Answer& answer) {
  std::string text =
      "VerCors (a second opinion, not part of the answer above): " + std::string(name(answer.status));
  for (size_t i = 0; i < answer.codes.size(); ++i)
    text += (i == 0 ? ": " : ", ") + answer.codes[i];
  if (!answer.message.empty())
    text += " (" + answer.message + ")";
  if (answer.timeMs > 0) {
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, " after %.1f s", answer.timeMs / 1000);
    text += seconds;
  }
  return text + "\n";
}

} // namespace plumbline::gate::vercors
