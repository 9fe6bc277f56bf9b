// What the parts of the interpreter share during one run.
#pragma once

#include "core/ir/bytecode.h"
#include "core/ir/interpreter.h"

#include <tuple>

namespace plumbline::ir {

/// Inline, for where every instruction passes.
inline bool isNumber(ScalarType type) {
  return isAnyFloat(type);
}

/// A register. Which field counts follows from the instruction's types.
template <class D> struct Value {
  int64_t word = 0; ///< integers, bools; pointers: the offset in bytes
  int32_t buffer =
      -1; ///< pointers: a buffer of the memory, or, counted on from there, an array of the kernel
  bool defined = true; ///< false: a local without a value
  typename D::Number number{};
};

/// Collects findings: the first at each place in full, later ones as a count.
class FindingLog {
public:
  using ThreadNames = std::function<ThreadId(uint32_t thread)>;
  FindingLog(const bytecode::Program& program, ThreadNames names, size_t limit)
      : m_program(program), m_names(std::move(names)), m_limit(limit) {}

  /// Returns the new finding to be filled in, or nullptr when the place is known or the log is full.
  RunFinding* add(FindingKind kind, int32_t place, int32_t buffer, uint32_t thread) {
    auto [found, fresh] = m_known.emplace(std::tuple(kind, place, buffer), m_findings.size());
    if (!fresh) {
      ++m_findings[found->second].count;
      return nullptr;
    }
    if (m_findings.size() >= m_limit) {
      m_known.erase(found);
      ++m_more;
      return nullptr;
    }
    RunFinding& made = m_findings.emplace_back();
    made.kind = kind;
    made.where = where(place);
    made.thread = name(thread);
    return &made;
  }

  /// Notes that the result depends on the order of two threads' float atomics.
  void addOrder(int32_t place, int32_t buffer, uint32_t thread, const OrderDependence& rest) {
    auto [found, fresh] = m_knownOrders.emplace(std::tuple(place, buffer), m_orders.size());
    if (!fresh) {
      ++m_orders[found->second].count;
    } else if (m_orders.size() >= m_limit) {
      m_knownOrders.erase(found);
    } else {
      m_orders.push_back(rest);
      m_orders.back().where = where(place);
      m_orders.back().thread = name(thread);
    }
  }

  ThreadId name(uint32_t thread) const { return m_names(thread); }
  const SourceRange& where(int32_t place) const { return m_program.places[static_cast<size_t>(place)]; }
  void takeInto(RunResult& result) {
    result.findings = std::move(m_findings);
    result.moreFindings = m_more;
    result.orderDependent = std::move(m_orders);
  }

private:
  const bytecode::Program& m_program;
  ThreadNames m_names;
  size_t m_limit;
  std::vector<RunFinding> m_findings;
  std::map<std::tuple<FindingKind, int32_t, int32_t>, size_t> m_known;
  uint64_t m_more = 0;
  std::vector<OrderDependence> m_orders;
  std::map<std::tuple<int32_t, int32_t>, size_t> m_knownOrders;
};

/// One run. Threads are numbered by their position in the sequence, or, when blocks are run as a whole, block
/// by block in the order in which they run, inside a block linearly.
template <class D> struct RunState {
  const bytecode::Program& program;
  const ConcreteLaunch& launch;
  Memory<D>& memory;
  const RunOptions<D>& options;
  FindingLog log;
  uint32_t thread = 0; ///< the one that runs
  bool watched = static_cast<bool>(options.onAccess);

  const std::string& nameOf(int32_t buffer) const {
    const auto index = static_cast<size_t>(buffer);
    return index < memory.size() ? memory[buffer].name() : program.arrays[index - memory.size()].name;
  }

  /// Always false, so that a caller can end the thread with it.
  bool complain(FindingKind kind, int32_t place, std::string message, int32_t buffer = -1,
                int64_t index = -1) {
    if (RunFinding* made = log.add(kind, place, buffer, thread)) {
      made->message = std::move(message);
      made->index = index;
      if (buffer >= 0)
        made->buffer = nameOf(buffer);
    }
    return false;
  }
};

} // namespace plumbline::ir
