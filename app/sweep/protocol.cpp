#include "app/sweep/protocol.h"

#include "core/logic/term_json.h"

#include <chrono>
#include <thread>

namespace plumbline::sweep {
namespace {

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

tl::unexpected<Error> badRequest(std::string message) {
  return fail(ErrorKind::Usage, "sweep-request", std::move(message), "see app/sweep/protocol.h for the form");
}

/// An unsigned member, or the default when it is absent; nothing when it is something else or above `limit`.
std::optional<uint64_t> number(const Json& json, const char* name, uint64_t absent, uint64_t limit) {
  const auto found = json.find(name);
  if (found == json.end())
    return absent;
  if (!found->is_number_unsigned() || found->get<uint64_t>() > limit)
    return std::nullopt;
  return found->get<uint64_t>();
}

Expected<void> readNumbers(const Json& json, Request& request) {
  constexpr uint64_t patterns = uint64_t{1} << 32;
  const auto from = number(json, "from", 0, patterns);
  const auto to = number(json, "to", patterns, patterns);
  const auto jobs = number(json, "jobs", 0, 1024);
  if (!from || !to || !jobs || *from > *to)
    return badRequest("from, to or jobs is out of range");
  request.range = {*from, *to};
  request.threads =
      *jobs != 0 ? static_cast<unsigned>(*jobs) : std::max(1U, std::thread::hardware_concurrency());
  return {};
}

/// Splits the roots into left, rights and hypothesis and checks their sorts.
Expected<void> assignRoots(const std::vector<logic::TermId>& roots, Request& request) {
  const logic::TermStore& store = *request.store;
  if (roots.size() < 3)
    return badRequest("roots must be left, one or more rights, hypothesis");
  request.comparison.store = &store;
  request.comparison.left = roots.front();
  request.comparison.rights.assign(roots.begin() + 1, roots.end() - 1);
  request.comparison.hypothesis = roots.back();
  if (store[roots.back()].sort != logic::Sort::Bool)
    return badRequest("the hypothesis is not a truth value");
  for (const logic::TermId right : request.comparison.rights)
    if (store[right].sort != store[roots.front()].sort)
      return badRequest("left and right have different sorts");
  return {};
}

} // namespace

Expected<Request> readRequest(const Json& json) {
  Request request;
  request.store = std::make_unique<logic::TermStore>();
  if (!json.is_object() || !json.contains("terms") || !json.contains("variables"))
    return badRequest("terms or variables is missing");
  const Json& variables = json["variables"];
  if (!variables.is_array() || variables.size() != 1 || !variables[0].is_string())
    return badRequest("variables must name exactly one binary32 value");
  if (Expected<void> numbers = readNumbers(json, request); !numbers)
    return fail(numbers.error());
  const Expected<std::vector<logic::TermId>> roots = logic::termsFromJson(*request.store, json["terms"]);
  if (!roots)
    return fail(roots.error());
  if (Expected<void> assigned = assignRoots(*roots, request); !assigned)
    return fail(assigned.error());
  Expected<IntRanges> ranges = checkFragment(*request.store, *roots, variables[0].get<std::string>());
  if (!ranges)
    return fail(ranges.error());
  request.comparison.ranges = std::move(*ranges);
  return request;
}

Expected<Json> answer(Jit& jit, const Request& request, const RangeProgress& progress) {
  const Clock::time_point start = Clock::now();
  const Expected<Loops> loops = jit.compile(request.comparison);
  if (!loops)
    return fail(loops.error());
  const double compileMs = millisecondsSince(start);
  const Expected<RangeResult> result = runRange(*loops, request.range, request.threads, progress);
  if (!result)
    return fail(result.error());
  const std::optional<uint32_t> first = result->first;
  Json json{{"result", first ? "different" : "equal"}};
  if (first)
    json["first"] = *first;
  json["checked"] = result->checkedTo - request.range.from;
  json["machine"] = jit.machine();
  json["compile_ms"] = compileMs;
  json["time_ms"] = millisecondsSince(start);
  return json;
}

} // namespace plumbline::sweep
