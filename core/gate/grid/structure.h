// Facts about statements that need no execution: what they contain, which locals they assign.
#pragma once

#include "core/ir/kernel.h"

#include <set>
#include <vector>

namespace plumbline::gate::grid {

/// Which threads a statement makes wait for each other.
enum class Waiting : uint8_t { None, Warp, Block };

/// Answers are kept; the module outlives this.
class Structure {
public:
  /// `exitedThreadsOk`: a return takes a thread out of the count of those that have to wait.
  Structure(const ir::Module& module, bool exitedThreadsOk);

  /// What happens inside the function, calls followed.
  Waiting waitingIn(int function) const { return m_functions[static_cast<size_t>(function)]; }
  /// Inside the statement.
  Waiting waitingIn(const ir::Function& function, ir::StmtId stmt) const;
  Waiting waitingIn(const ir::Function& function, const std::vector<ir::StmtId>& body) const;
  Waiting waitingInExpr(const ir::Function& function, ir::ExprId expr) const;

  /// The strongest waiting that the choice made at `stmt` (If or Loop) can keep a thread from: places inside
  /// it, and those that a jump out of it passes by. `around`: waiting of the enclosing loops and blocks,
  /// innermost last. `later`: waiting that follows in the kernel after the statement.
  Waiting decides(const ir::Function& function, ir::StmtId stmt, const std::vector<Waiting>& around,
                  Waiting later) const;

  /// Locals that the statements assign or declare.
  static void assigned(const ir::Function& function, const std::vector<ir::StmtId>& body,
                       std::set<int>& locals);
  static bool hasReturn(const ir::Function& function, const std::vector<ir::StmtId>& body);
  /// A break or continue that leaves the loop whose body this is, or goes past it.
  static bool hasBreak(const ir::Function& function, const std::vector<ir::StmtId>& body, int depth = 0);

private:
  Waiting jumpsPast(const ir::Function& function, const std::vector<ir::StmtId>& body, int depth,
                    const std::vector<Waiting>& around, Waiting later) const;
  Waiting ofFunction(int index, int depth);

  const ir::Module& m_module;
  bool m_exitedThreadsOk;
  std::vector<Waiting> m_functions;
};

} // namespace plumbline::gate::grid
