// Loops whose number of turns is bounded by a counter that moves towards a bound.
#pragma once

#include "core/method/exits.h"

#include <optional>

namespace plumbline::method {

/// A condition `counter < bound` (or >, <=, >=), tested before every turn or at its start, with one
/// assignment of the counter that every turn makes before the next test. Everything else about the loop is
/// free.
struct CountedLoop {
  enum class Move : uint8_t {
    Up,     ///< counter += stride, while below the bound
    Down,   ///< counter -= stride, while above the bound
    Halve,  ///< counter /= factor, while above a bound that is not negative
    Double, ///< counter *= factor, while below the bound
  };
  Move move = Move::Up;
  int counter = -1;                       ///< local
  ir::ExprId bound = ir::ExprId::None;    ///< None: 0
  bool inclusive = false;                 ///< the bound itself still gives a turn
  ir::ExprId stride = ir::ExprId::None;   ///< of Up and Down; None: `step`
  int64_t step = 1;                       ///< Up, Down: the stride; Halve, Double: the factor
  ir::StmtId update = ir::StmtId::None;   ///< the assignment
  std::optional<ir::ExprId> initial = {}; ///< value before the loop, when the loop does not change it
};

/// Nothing when the loop is not of this form. `before`: the statement before it in its list, or None.
std::optional<CountedLoop> countedLoop(const ir::Function& function, const ExitAnalysis& exits,
                                       ir::StmtId loop, ir::StmtId before);

/// Locals that statements assign or declare anew.
std::set<int> assignedLocals(const ir::Function& function, const std::vector<ir::StmtId>& body);

} // namespace plumbline::method
