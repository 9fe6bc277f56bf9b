// What a concrete run finds wrong, with the place and the threads.
#pragma once

#include "core/base/json.h"

#include <array>
#include <string>

namespace plumbline::ir {

/// Coordinates of one thread.
struct ThreadId {
  std::array<int64_t, 3> block{};
  std::array<int64_t, 3> thread{};
  bool operator==(const ThreadId&) const = default;
};

enum class FindingKind : uint8_t {
  OutOfBounds,       ///< an access outside [0, length) of a buffer or an array
  Misaligned,        ///< an access at an address that is not a multiple of what its type asks for
  UninitialisedRead, ///< a local before its first assignment, or a cell of an `empty` buffer, of a thread's
                     ///< or of a shared array before its first write
  RaceGrid,          ///< threads of two blocks touch one cell, at least one writes, not both atomically
  RaceBlock,         ///< two threads of one block do, and no meeting point orders them
  DivergentBarrier,  ///< threads that ought to meet wait at different statements, have ended, or never come
  Overflow,          ///< a signed result or a conversion leaves its type; a shift count out of range
  DivisionByZero,    ///< integer / or % by zero
  Incomplete,        ///< elements of an output that no thread wrote
  LaunchLimit,       ///< grid, block or shared memory outside what CUDA allows
  Undefined,         ///< an operation without a value in the chosen arithmetic
};

/// "out-of-bounds", "misaligned", "uninitialised-read", "race-grid", "race-block", "divergent-barrier",
/// "overflow", "division-by-zero", "incomplete", "launch-limit", "undefined".
std::string_view name(FindingKind kind);

/// The first occurrence of a problem at one place, and how often it occurred there.
struct RunFinding {
  FindingKind kind = FindingKind::Undefined;
  std::string message; ///< one sentence
  SourceRange where;
  ThreadId thread;       ///< who
  std::string buffer;    ///< kernel parameter or array, when one is concerned
  int64_t index = -1;    ///< its element
  bool hasOther = false; ///< races: the other access; barriers: the other thread, where it waits or ended
  ThreadId otherThread;
  SourceRange otherWhere;
  uint64_t count = 1;
  bool hasThread = true; ///< false for facts about the launch and for Incomplete
};

/// {kind, message, spans, threads: [{block, thread}], buffer?, index?, count}.
Json toJson(const RunFinding& finding);
/// One line: "file:line:column: message [kind] in thread (0,0,0) of block (0,0,0)".
std::string print(const RunFinding& finding);

} // namespace plumbline::ir
