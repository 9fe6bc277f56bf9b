// How statements leave: which jumps out of them are taken, and whether the statement after them is reached.
#pragma once

#include "core/ir/kernel.h"

#include <set>

namespace plumbline::method {

/// A jump out of a statement list.
struct Exit {
  enum class Kind : uint8_t { Return, Break, Continue };
  Kind kind = Kind::Return;
  ir::StmtId target = ir::StmtId::None; ///< the loop or block; None for Return
  auto operator<=>(const Exit&) const = default;
};
using Exits = std::set<Exit>;

/// Answers about one function.
class ExitAnalysis {
public:
  explicit ExitAnalysis(const ir::Function& function);

  /// Jumps that leave the statements for something around them.
  Exits exits(ir::StmtId id) const;
  Exits exits(const std::vector<ir::StmtId>& body) const;
  /// The exit that a Return, Break or Continue is.
  Exit exitOf(ir::StmtId id) const;
  /// What follows may be reached by falling out of the end. (Branches count as taken either way.)
  bool completes(ir::StmtId id) const;
  bool completes(const std::vector<ir::StmtId>& body) const;
  /// The `Loop` or `Block` that a Break or Continue speaks of.
  ir::StmtId target(ir::StmtId id) const { return m_targets[static_cast<size_t>(id)]; }

private:
  void resolve(const std::vector<ir::StmtId>& body, std::vector<ir::StmtId>& enclosing);
  bool breaksOut(const std::vector<ir::StmtId>& body, ir::StmtId target) const;

  const ir::Function& m_function;
  std::vector<ir::StmtId> m_targets;
};

/// The branches of an `if`; where exactly one of them never completes, the other is continued by `rest`.
std::pair<std::vector<ir::StmtId>, std::vector<ir::StmtId>>
branchesWithRest(const ExitAnalysis& exits, const ir::Stmt& stmt, const std::vector<ir::StmtId>& rest);

} // namespace plumbline::method
