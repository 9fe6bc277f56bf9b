// Expressions over Float32 as expressions over an abstract scalar.
#pragma once

#include "core/velvet/typing.h"

#include <utility>

#include <set>

namespace plumbline::velvet {

/// Rewrites by the types of the document that it was made for.
class AbstractScalar {
public:
  explicit AbstractScalar(const Typing& typing) : m_typing(typing) {}

  ExprPtr expression(const ExprPtr& expr);
  /// "Array Float32" as "Array S".
  std::string type(const std::string& text);

  /// What no abstract scalar has, in words; empty: everything was rewritten.
  const std::set<std::string>& inexpressible() const { return m_inexpressible; }
  /// Whether S occurred since the last call.
  bool takeUsed() { return std::exchange(m_used, false); }

private:
  ExprPtr rebuilt(const Expr& expr, std::vector<ExprPtr> args);
  ExprPtr named(const Expr& expr);
  ExprPtr binaryExpression(const Expr& expr, std::vector<ExprPtr> args);
  ExprPtr literal(const Expr& bits);
  std::string headOf(const Expr& expr) const;
  ExprPtr scalar(const std::string& member, std::vector<ExprPtr> args);

  const Typing& m_typing;
  std::set<std::string> m_inexpressible;
  bool m_used = false;
};

} // namespace plumbline::velvet
