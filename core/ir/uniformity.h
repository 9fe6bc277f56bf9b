// Which values and branches are the same for all threads of a block.
//
// The words speak about one dynamic instance: the threads of a block that are at a statement in the same turn
// of every loop around it. A value is uniform when all of them have the same there; a statement is uniformly
// reached when either all threads of the block execute that instance or none does. Threads that an `if`, a
// loop or a `break` parts are together again after it; those that return early are missing from then on.
//
// The analysis is flow-insensitive about variables: a variable counts as uniform when each of its assignments
// is uniformly reached and assigns a uniform value. What it calls uniform is uniform in every execution in
// which no thread reads a variable that has no value. It may miss some.
#pragma once

#include "core/ir/kernel.h"

#include <functional>

namespace plumbline::ir {

struct UniformityOptions {
  /// Directions x, y, z in which a block has one thread: threadIdx is 0 there.
  std::array<bool, 3> oneThread{};
  /// Says whether a load through this pointer expression of the analysed function gives all threads the same
  /// value at the same address, because nobody writes there while they read. Empty: constant arrays only.
  std::function<bool(ExprId pointer)> isStable;
};

/// The result for one kernel.
class Uniformity {
public:
  bool value(ExprId id) const { return m_values[static_cast<size_t>(id)]; }
  bool local(int index) const { return m_locals[static_cast<size_t>(index)]; }
  /// All threads of the block execute the statement equally often, together. False for what is unreachable
  /// by its place in no statement list.
  bool reached(StmtId id) const { return m_reached[static_cast<size_t>(id)]; }

private:
  friend class UniformityAnalysis;
  std::vector<bool> m_values;
  std::vector<bool> m_locals;
  std::vector<bool> m_reached;
};

/// `function`: a kernel of the module, which has passed `verify`. Its parameters are uniform.
Uniformity uniformityOf(const Module& module, const Function& function,
                        const UniformityOptions& options = {});

/// The statement is a barrier of the block, or contains one.
bool containsBlockBarrier(const Function& function, StmtId id);

} // namespace plumbline::ir
