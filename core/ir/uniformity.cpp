#include "core/ir/uniformity.h"

#include <algorithm>
#include <set>

namespace plumbline::ir {

/// Starts with every variable uniform and takes back what some assignment contradicts, until nothing changes.
class UniformityAnalysis {
public:
  UniformityAnalysis(const Module& module, const Function& function, const UniformityOptions& options)
      : m_module(module), m_function(function), m_options(options) {
    m_result.m_locals.assign(function.locals.size(), true);
  }

  Uniformity run() {
    do {
      m_changed = false;
      m_result.m_reached.assign(m_function.stmts.size(), false);
      list(m_function.body, false);
    } while (m_changed);
    m_result.m_values.reserve(m_function.exprs.size());
    for (size_t i = 0; i < m_function.exprs.size(); ++i)
      m_result.m_values.push_back(isUniform(m_function.exprs[i]));
    return std::move(m_result);
  }

private:
  /// Where threads went that left a statement list apart from the others: the loop or block whose rest or
  /// step they go on with, or the end of the kernel.
  struct Exit {
    StmtId target = StmtId::None; ///< None: the thread has ended
    bool isContinue = false;
    auto operator<=>(const Exit&) const = default;
  };
  using Exits = std::set<Exit>;

  // --- Statements ---

  /// `apart`: some threads of the block may not execute this list while others do. Returns the exits that
  /// some threads, but not all that are here, may have taken.
  Exits list(const std::vector<StmtId>& body, bool apart) {
    Exits exits;
    for (StmtId id : body)
      exits.merge(statement(id, apart || !exits.empty()));
    return exits;
  }

  Exits statement(StmtId id, bool apart) {
    const Stmt& stmt = m_function[id];
    m_result.m_reached[static_cast<size_t>(id)] = !apart;
    switch (stmt.kind) {
    case StmtKind::Assign: assign(stmt.local, apart || !isUniform(stmt.value)); return {};
    case StmtKind::Collective: assign(stmt.local, apart || !isBlockBarrier(stmt.sync)); return {};
    case StmtKind::Atomic: assign(stmt.local, true); return {};
    case StmtKind::If: return branch(stmt, apart);
    case StmtKind::Loop: return loop(id, stmt, apart);
    case StmtKind::Block: return block(id, stmt, apart);
    case StmtKind::Return: return apart ? Exits{{}} : Exits{};
    case StmtKind::Break:
    case StmtKind::Continue:
      if (!apart)
        return {};
      return {{m_enclosing[m_enclosing.size() - 1 - static_cast<size_t>(stmt.level)],
               stmt.kind == StmtKind::Continue}};
    case StmtKind::Store:
    case StmtKind::Eval:
    case StmtKind::Declare:
    case StmtKind::Barrier:
    case StmtKind::Fence: return {};
    }
    return {};
  }

  void assign(int local, bool differs) {
    if (local < 0 || !differs || !m_result.m_locals[static_cast<size_t>(local)])
      return;
    m_result.m_locals[static_cast<size_t>(local)] = false;
    m_changed = true;
  }

  Exits branch(const Stmt& stmt, bool apart) {
    const bool parts = apart || !isUniform(stmt.condition);
    Exits exits = list(stmt.thenBody, parts);
    exits.merge(list(stmt.elseBody, parts));
    return exits;
  }

  Exits block(StmtId id, const Stmt& stmt, bool apart) {
    m_enclosing.push_back(id);
    Exits exits = list(stmt.thenBody, apart);
    m_enclosing.pop_back();
    exits.erase({id, false});
    return exits;
  }

  Exits loop(StmtId id, const Stmt& stmt, bool apart) {
    const bool parts = apart || (stmt.condition != ExprId::None && !isUniform(stmt.condition));
    m_enclosing.push_back(id);
    Exits exits = turn(id, stmt, parts);
    // Who leaves the loop alone is missing from every later turn.
    if (!parts && !exits.empty())
      exits.merge(turn(id, stmt, true));
    m_enclosing.pop_back();
    exits.erase({id, false});
    return exits;
  }

  Exits turn(StmtId id, const Stmt& stmt, bool apart) {
    Exits exits = list(stmt.thenBody, apart);
    exits.erase({id, true});
    exits.merge(list(stmt.elseBody, apart || !exits.empty()));
    exits.erase({id, true});
    return exits;
  }

  // --- Expressions ---

  bool isUniform(ExprId id) const { return isUniform(m_function[id]); }

  bool isUniform(const Expr& expr) const {
    if (!std::ranges::all_of(expr.args, [this](ExprId arg) { return isUniform(arg); }))
      return false;
    switch (expr.kind) {
    case ExprKind::Local: return m_result.m_locals[static_cast<size_t>(expr.local)];
    case ExprKind::Builtin: return isUniformBuiltin(expr.text);
    case ExprKind::Load: return isStable(expr.args[0]);
    case ExprKind::Call: return dependsOnArgumentsOnly(expr.callee);
    default: return true;
    }
  }

  bool isUniformBuiltin(const std::string& text) const {
    constexpr std::string_view thread = "threadIdx.";
    return !text.starts_with(thread) || m_options.oneThread[static_cast<size_t>(text[thread.size()] - 'x')];
  }

  bool isStable(ExprId pointer) const {
    return m_options.isStable ? m_options.isStable(pointer) : pointsToConstants(pointer);
  }

  bool pointsToConstants(ExprId pointer) const {
    const Expr& expr = m_function[pointer];
    if (expr.kind == ExprKind::PointerAdd || expr.kind == ExprKind::PointerCast)
      return pointsToConstants(expr.args[0]);
    return expr.kind == ExprKind::Array &&
           m_function.arrays[static_cast<size_t>(expr.array)].space == ArraySpace::Constant;
  }

  /// What a device function gives and does follows from its arguments.
  bool dependsOnArgumentsOnly(int callee) const {
    const Function& function = m_module.functions[static_cast<size_t>(callee)];
    const bool plain = std::ranges::all_of(function.exprs, [this](const Expr& expr) {
      return expr.kind != ExprKind::Load && (expr.kind != ExprKind::Builtin || isUniformBuiltin(expr.text)) &&
             (expr.kind != ExprKind::Call || dependsOnArgumentsOnly(expr.callee));
    });
    return plain && std::ranges::none_of(function.stmts, [](const Stmt& stmt) {
             return stmt.kind == StmtKind::Atomic || stmt.kind == StmtKind::Collective;
           });
  }

  const Module& m_module;
  const Function& m_function;
  const UniformityOptions& m_options;
  std::vector<StmtId> m_enclosing;
  Uniformity m_result;
  bool m_changed = false;
};

Uniformity uniformityOf(const Module& module, const Function& function, const UniformityOptions& options) {
  return UniformityAnalysis(module, function, options).run();
}

bool containsBlockBarrier(const Function& function, StmtId id) {
  const Stmt& stmt = function[id];
  const auto within = [&](const std::vector<StmtId>& body) {
    return std::ranges::any_of(body, [&](StmtId inner) { return containsBlockBarrier(function, inner); });
  };
  return isBlockBarrier(stmt.sync) || within(stmt.thenBody) || within(stmt.elseBody);
}

} // namespace plumbline::ir
