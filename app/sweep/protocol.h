// The child's side of the line protocol: one JSON request a line in, one result a line out.
//   request  {"id", "terms": {nodes, roots: [left, right..., hypothesis]}, "variables": [name], "jobs",
//   "from", "to"} progress {"id", "progress": checked_to} result   {"id", "result": "equal"|"different",
//   "first"?, "checked", "machine", "compile_ms", "time_ms"} failure  {"id", "error": {"id", "message",
//   "next"}}
#pragma once

#include "app/sweep/jit.h"
#include "app/sweep/range_runner.h"
#include "core/base/json.h"

namespace plumbline::sweep {

/// A request as read; `comparison.store` points to `store`.
struct Request {
  std::unique_ptr<logic::TermStore> store;
  Comparison comparison;
  PatternRange range;
  unsigned threads = 1;
};

/// Errors: "json-syntax", "term-json", "sweep-request", and those of checkFragment.
Expected<Request> readRequest(const Json& json);

/// Compiles and runs a request; the result object without its "id". `progress` as for runRange.
Expected<Json> answer(Jit& jit, const Request& request, const RangeProgress& progress);

} // namespace plumbline::sweep
