#include "core/vc/contraction.h"

#include <algorithm>
#include <map>
#include <set>

namespace plumbline::vc {

using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::Function;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;

namespace {

bool isFloat(const Expr& expr) {
  return !expr.type.pointer && ir::isFloat(expr.type.scalar);
}

bool isProduct(const Expr& expr) {
  return expr.kind == ExprKind::Binary && expr.binary == ir::BinaryOp::Mul && isFloat(expr);
}

bool isNegation(const Expr& expr) {
  return expr.kind == ExprKind::Unary && expr.unary == ir::UnaryOp::Neg && isFloat(expr);
}

bool isSum(const Expr& expr) {
  return expr.kind == ExprKind::Binary && isFloat(expr) &&
         (expr.binary == ir::BinaryOp::Add || expr.binary == ir::BinaryOp::Sub);
}

/// A product as an operand of a sum: itself, or a local's only value, perhaps negated.
struct Product {
  ExprId product = ExprId::None; ///< the product itself
  int local = -1;                ///< the local that holds it, or -1
  bool negated = false;
};

/// The value that is assigned to each local, where there is exactly one assignment and nothing else writes
/// it.
std::map<int, ExprId> onlyValues(const Function& function) {
  std::map<int, ExprId> values;
  std::set<int> several;
  for (const Stmt& stmt : function.stmts) {
    if (stmt.local < 0 || stmt.kind == StmtKind::Declare)
      continue;
    if (stmt.local < function.parameterCount || stmt.kind != StmtKind::Assign ||
        !values.emplace(stmt.local, stmt.value).second)
      several.insert(stmt.local);
  }
  for (const int local : several)
    values.erase(local);
  return values;
}

std::optional<Product> productOf(const Function& function, const std::map<int, ExprId>& values,
                                 ExprId operand) {
  Product result;
  for (int steps = 0; steps < 4; ++steps) {
    const Expr& expr = function[operand];
    if (isProduct(expr)) {
      result.product = operand;
      return result;
    }
    if (isNegation(expr)) {
      result.negated = !result.negated;
      operand = expr.args[0];
      continue;
    }
    const auto value =
        expr.kind == ExprKind::Local && result.local < 0 ? values.find(expr.local) : values.end();
    if (value == values.end())
      return std::nullopt;
    result.local = expr.local;
    operand = value->second;
  }
  return std::nullopt;
}

void reachable(const ir::Module& module, int function, std::set<int>& seen) {
  if (function < 0 || !seen.insert(function).second)
    return;
  for (const Expr& expr : module.functions[static_cast<size_t>(function)].exprs)
    if (expr.kind == ExprKind::Call)
      reachable(module, expr.callee, seen);
}

/// Copies a function with the sums of some places fused.
class Rewriter {
public:
  Rewriter(const Function& from, const std::map<ExprId, int>& fused)
      : m_from(from), m_values(onlyValues(from)) {
    for (const auto& [sum, operand] : fused) {
      const auto product = productOf(from, m_values, from[sum].args[static_cast<size_t>(operand)]);
      if (!product)
        continue; // not from contractionPlaces
      m_fused.emplace(sum, Fusion{operand, *product});
      if (product->local >= 0)
        m_kept.emplace(product->product, Factors{});
    }
  }

  Function run() {
    m_to = m_from;
    m_to.exprs.clear();
    m_ids.clear();
    for (auto& [product, factors] : m_kept)
      for (int& local : factors.locals) {
        const Expr& expr = m_from[product];
        local = static_cast<int>(m_to.locals.size());
        m_to.locals.push_back({"factor" + std::to_string(local), expr.type, expr.where});
      }
    for (size_t i = 0; i < m_from.exprs.size(); ++i)
      m_ids.push_back(copy(static_cast<ExprId>(i)));
    for (Stmt& stmt : m_to.stmts)
      renumber(stmt);
    insertFactors();
    return std::move(m_to);
  }

private:
  struct Fusion {
    int operand;
    Product product;
  };
  /// Locals that keep the factors of a product which is itself kept in a local.
  struct Factors {
    std::array<int, 2> locals{-1, -1};
  };

  ExprId mapped(ExprId id) const { return id == ExprId::None ? id : m_ids[static_cast<size_t>(id)]; }

  ExprId append(Expr expr) {
    m_to.exprs.push_back(std::move(expr));
    return static_cast<ExprId>(m_to.exprs.size() - 1);
  }

  ExprId localRead(int local, const Expr& like) {
    Expr expr{ExprKind::Local, like.type, like.where};
    expr.local = local;
    return append(std::move(expr));
  }

  ExprId negation(ExprId of, const Expr& like) {
    Expr expr{ExprKind::Unary, like.type, like.where};
    expr.args = {of};
    expr.unary = ir::UnaryOp::Neg;
    return append(std::move(expr));
  }

  ExprId copy(ExprId id) {
    Expr expr = m_from[id];
    for (ExprId& arg : expr.args)
      arg = mapped(arg);
    if (const auto fusion = m_fused.find(id); fusion != m_fused.end())
      return fused(expr, fusion->second);
    if (const auto factors = m_kept.find(id); factors != m_kept.end())
      expr.args = {localRead(factors->second.locals[0], expr), localRead(factors->second.locals[1], expr)};
    return append(std::move(expr));
  }

  /// a * b + c, with the signs of differences and negations moved to a and c, which is exact.
  ExprId fused(const Expr& sum, const Fusion& fusion) {
    const Expr& product = m_from[fusion.product.product];
    ExprId a = ExprId::None;
    ExprId b = ExprId::None;
    if (fusion.product.local >= 0) {
      const Factors& factors = m_kept.at(fusion.product.product);
      a = localRead(factors.locals[0], product);
      b = localRead(factors.locals[1], product);
    } else {
      a = mapped(product.args[0]);
      b = mapped(product.args[1]);
    }
    ExprId c = sum.args[static_cast<size_t>(1 - fusion.operand)];
    const bool difference = sum.binary == ir::BinaryOp::Sub;
    if (fusion.product.negated != (difference && fusion.operand == 1))
      a = negation(a, product);
    if (difference && fusion.operand == 0)
      c = negation(c, sum);
    Expr result{ExprKind::Intrinsic, sum.type, sum.where};
    result.text = sum.type.scalar == ir::ScalarType::F32 ? "fmaf" : "fma";
    result.args = {a, b, c};
    return append(std::move(result));
  }

  void renumber(Stmt& stmt) {
    for (ExprId* id : {&stmt.pointer, &stmt.value, &stmt.condition})
      *id = mapped(*id);
    for (ExprId& arg : stmt.args)
      arg = mapped(arg);
  }

  /// Before the assignment of a product that is kept, its factors get their locals.
  void insertFactors() {
    std::map<StmtId, ExprId> assignments; // of the original expressions
    for (size_t i = 0; i < m_from.stmts.size(); ++i) {
      const Stmt& stmt = m_from.stmts[i];
      if (stmt.kind != StmtKind::Assign)
        continue;
      ExprId value = stmt.value;
      while (value != ExprId::None && isNegation(m_from[value]))
        value = m_from[value].args[0];
      if (m_kept.contains(value))
        assignments.emplace(static_cast<StmtId>(i), value);
    }
    extend(m_to.body, assignments);
    for (size_t i = 0; i < m_from.stmts.size(); ++i) {
      extend(m_to.stmts[i].thenBody, assignments);
      extend(m_to.stmts[i].elseBody, assignments);
    }
  }

  /// By index: new statements make m_to.stmts grow, so that `body` is copied and written back.
  void extend(std::vector<StmtId>& body, const std::map<StmtId, ExprId>& assignments) {
    std::vector<StmtId> longer;
    std::vector<Stmt> added;
    for (const StmtId id : body) {
      if (const auto found = assignments.find(id); found != assignments.end())
        for (size_t k = 0; k < 2; ++k) {
          const Expr& product = m_from[found->second];
          Stmt stmt{StmtKind::Assign, product.where};
          stmt.local = m_kept.at(found->second).locals[k];
          stmt.value = mapped(product.args[k]);
          longer.push_back(static_cast<StmtId>(m_to.stmts.size() + added.size()));
          added.push_back(std::move(stmt));
        }
      longer.push_back(id);
    }
    body = std::move(longer);
    m_to.stmts.insert(m_to.stmts.end(), std::make_move_iterator(added.begin()),
                      std::make_move_iterator(added.end()));
  }

  const Function& m_from;
  const std::map<int, ExprId> m_values;
  std::map<ExprId, Fusion> m_fused;
  std::map<ExprId, Factors> m_kept;
  std::vector<ExprId> m_ids;
  Function m_to;
};

} // namespace

std::vector<ContractionPlace> contractionPlaces(const ir::Module& module, const ir::Kernel& kernel) {
  std::set<int> functions;
  reachable(module, kernel.function, functions);
  std::vector<ContractionPlace> places;
  for (const int index : functions) {
    const Function& function = module.functions[static_cast<size_t>(index)];
    const std::map<int, ExprId> values = onlyValues(function);
    for (size_t i = 0; i < function.exprs.size(); ++i) {
      const Expr& expr = function.exprs[i];
      if (!isSum(expr))
        continue;
      ContractionPlace place{index, static_cast<ExprId>(i), {}, expr.where};
      for (const int operand : {0, 1})
        if (productOf(function, values, expr.args[static_cast<size_t>(operand)]))
          place.operands.push_back(operand);
      if (!place.operands.empty())
        places.push_back(std::move(place));
    }
  }
  return places;
}

ir::Module contracted(const ir::Module& module, const std::vector<ContractionPlace>& places,
                      const std::vector<int>& choices) {
  std::map<int, std::map<ExprId, int>> fused;
  for (size_t i = 0; i < places.size() && i < choices.size(); ++i)
    if (choices[i] >= 0)
      fused[places[i].function][places[i].sum] = choices[i];
  ir::Module result = module;
  for (const auto& [index, sums] : fused)
    result.functions[static_cast<size_t>(index)] =
        Rewriter(module.functions[static_cast<size_t>(index)], sums).run();
  return result;
}

} // namespace plumbline::vc
