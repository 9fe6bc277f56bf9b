// Conditions of host code: what they imply for the sizes, what is always so for the tensors that are compared
// (binary32, CUDA, contiguous), and the checks and branches that depend on them.
#include "core/cuda/clang/host_reader.h"

#include <algorithm>

namespace plumbline::cuda {

using Kind = HostValue::Kind;
using Op = ir::SizeExpr::Kind;

namespace {

HostValue conditionOf(ir::SizeExprPtr size, ir::SizeExprPtr otherwise, std::set<size_t> checks = {}) {
  HostValue value;
  value.kind = Kind::Condition;
  value.size = std::move(size);
  value.otherwise = std::move(otherwise);
  value.checks = std::move(checks);
  return value;
}

HostValue constantCondition(bool known) {
  HostValue value = conditionOf(nullptr, nullptr);
  value.known = known;
  return value;
}

std::optional<Op> opposite(Op kind) {
  switch (kind) {
  case Op::Lt: return Op::Ge;
  case Op::Ge: return Op::Lt;
  case Op::Gt: return Op::Le;
  case Op::Le: return Op::Gt;
  case Op::Eq: return Op::Ne;
  case Op::Ne: return Op::Eq;
  default: return std::nullopt;
  }
}

bool isConstant(const HostValue& value) {
  return value.kind == Kind::Integer && value.size->kind == Op::Constant;
}

/// Equality of two properties, where it is certain.
std::optional<bool> sameProperty(const std::string& left, const std::string& right) {
  const auto both = [&](const char* prefix) { return left.starts_with(prefix) && right.starts_with(prefix); };
  if (both("dtype:") || both("device-type:"))
    return left == right;
  return left == "device" && right == "device" ? std::optional(true) : std::nullopt;
}

const clang::Expr* withoutTemporaries(const clang::Expr* expr) {
  while (true) {
    expr = expr->IgnoreParens();
    if (const auto* full = llvm::dyn_cast<clang::FullExpr>(expr))
      expr = full->getSubExpr();
    else if (const auto* bound = llvm::dyn_cast<clang::CXXBindTemporaryExpr>(expr))
      expr = bound->getSubExpr();
    else
      return expr;
  }
}

} // namespace

// --- values ---

/// What a value says where a condition is wanted.
HostValue HostReader::condition(const HostValue& value) const {
  if (value.kind == Kind::Condition)
    return value;
  if (value.kind == Kind::Ignored && value.success)
    return constantCondition(false);
  if (value.kind == Kind::Integer)
    return comparison(Op::Ne, value, integerValue(ir::sizeConstant(0), value.scalar));
  return conditionOf(nullptr, nullptr);
}

HostValue HostReader::negation(const HostValue& value) const {
  HostValue result = condition(value);
  std::swap(result.size, result.otherwise);
  if (result.known)
    result.known = !*result.known;
  return result;
}

/// && and ||. The IR has no disjunction of sizes: what would need one implies nothing.
HostValue HostReader::logical(const clang::BinaryOperator* expr) {
  const bool conjunction = expr->getOpcode() == clang::BO_LAnd;
  const HostValue left = condition(value(expr->getLHS()));
  const HostValue right = condition(value(expr->getRHS()));
  for (const auto& [one, other] : {std::pair(left, right), std::pair(right, left)})
    if (one.known)
      return *one.known == conjunction ? other : constantCondition(!conjunction);
  HostValue both = conditionOf(nullptr, nullptr, left.checks);
  both.checks.insert(right.checks.begin(), right.checks.end());
  if (conjunction && left.size && right.size)
    both.size = ir::sizeBinary(Op::And, left.size, right.size);
  if (!conjunction && left.otherwise && right.otherwise)
    both.otherwise = ir::sizeBinary(Op::And, left.otherwise, right.otherwise);
  return both;
}

HostValue HostReader::comparison(Op kind, const HostValue& left, const HostValue& right) const {
  if (left.kind == Kind::Property && right.kind == Kind::Property && (kind == Op::Eq || kind == Op::Ne)) {
    const std::optional<bool> same = sameProperty(left.text, right.text);
    return same ? constantCondition(*same == (kind == Op::Eq)) : conditionOf(nullptr, nullptr);
  }
  // Calls of the runtime are taken to succeed: the error is 0.
  const HostValue zero = integerValue(ir::sizeConstant(0), ir::ScalarType::I32);
  if (left.success && isConstant(right))
    return comparison(kind, zero, right);
  if (right.success && isConstant(left))
    return comparison(kind, left, zero);
  const std::optional<Op> negated = opposite(kind);
  if (left.kind != Kind::Integer || right.kind != Kind::Integer || !negated)
    return conditionOf(nullptr, nullptr);
  const ir::SizeExprPtr compared = ir::sizeBinary(kind, left.size, right.size);
  if (isConstant(left) && isConstant(right))
    if (const Expected<int64_t> known =
            ir::evaluate(*compared, [](const std::string&) { return std::optional<int64_t>(); }))
      return constantCondition(*known != 0);
  HostValue result = conditionOf(compared, ir::sizeBinary(*negated, left.size, right.size), left.checks);
  result.checks.insert(right.checks.begin(), right.checks.end());
  return result;
}

/// x.sizes() == y.sizes(): implies as many elements; unequal sizes imply nothing.
HostValue HostReader::sameSizes(const clang::CallExpr* expr) {
  const HostValue left = value(expr->getArg(0));
  const HostValue right = value(expr->getArg(1));
  if (left.kind != Kind::Sizes || right.kind != Kind::Sizes)
    return conditionOf(nullptr, nullptr);
  if (shapeOwner(m_state, left.tensor) == shapeOwner(m_state, right.tensor))
    return constantCondition(true);
  HostValue same = comparison(Op::Eq, numelOf(m_state, left.tensor, where(expr)),
                              numelOf(m_state, right.tensor, where(expr)));
  if (same.known == std::optional(true))
    return conditionOf(nullptr, nullptr);
  same.otherwise = nullptr;
  return same;
}

/// torch::kFloat and its like.
HostValue HostReader::enumerator(const clang::Expr* expr) const {
  const clang::EnumDecl* listed = expr->getType()->castAs<clang::EnumType>()->getDecl();
  const std::optional<int64_t> number = m_sources.inShim(listed) ? constantInteger(expr) : std::nullopt;
  const llvm::StringRef type = listed->getName();
  if (!number || (type != "ScalarType" && type != "DeviceType"))
    return unknown(expr);
  for (const clang::EnumConstantDecl* each : listed->enumerators())
    if (each->getInitVal() == *number) {
      HostValue value;
      value.kind = Kind::Property;
      value.text = (type == "ScalarType" ? "dtype:" : "device-type:") + each->getNameAsString();
      return value;
    }
  return unknown(expr);
}

// --- checks ---

/// The wrapper throws unless `expr` is `holds`.
void HostReader::check(const clang::Expr* expr, std::string text, bool holds) {
  const HostValue tested = condition(value(expr));
  const std::string shown = holds ? text : "!(" + text + ")";
  if (tested.known && *tested.known != holds)
    return problem("always-throws", "check of " + shown, expr);
  const bool launched = !m_state.launches.empty();
  const ir::SizeExprPtr& implied = holds ? tested.size : tested.otherwise;
  if (!tested.known && (!implied || launched))
    return problem("host-check",
                   "check of " + shown + (implied ? " after the launch" : ", which is not understood"), expr);
  if (launched)
    return;
  ir::HostFact fact{shown, tested.known ? nullptr : implied, where(expr)};
  // A value that wraps or is narrowed may differ from its expression: the fact then says nothing.
  for (size_t index : tested.checks)
    fact.reliesOn.push_back(m_state.checks[index]);
  m_state.facts.push_back(std::move(fact));
}

// --- branches ---

void HostReader::branch(const clang::IfStmt* stmt) {
  if (launches(stmt))
    return problem("launch-in-branch", "launch under a condition", stmt);
  if (stmt->getInit() || stmt->getConditionVariable())
    return problem("host-branch", "declaration in a condition", stmt);
  const clang::Stmt* first = stmt->getThen();
  const clang::Stmt* second = stmt->getElse();
  scanEffects(stmt->getCond());
  const bool firstThrows = alwaysThrows(first);
  const bool secondThrows = second && alwaysThrows(second);
  if (firstThrows && secondThrows)
    return problem("always-throws", "both branches", stmt);
  for (const clang::Stmt* each : {first, second})
    if (each)
      scanHarmless(each);
  const bool harmless = (firstThrows || isHarmless(first)) && (!second || secondThrows || isHarmless(second));
  if (harmless && (firstThrows || secondThrows))
    return check(stmt->getCond(), text(stmt->getCond()), secondThrows);
  if (harmless || (!second && earlyReturn(stmt)))
    return;
  problem("host-branch", "condition in host code", stmt);
}

/// `if (<elements of a tensor> == 0) return ...;`
bool HostReader::earlyReturn(const clang::IfStmt* stmt) {
  const clang::Stmt* body = stmt->getThen();
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(body); compound && compound->size() == 1)
    body = compound->body_front();
  const auto* returned = llvm::dyn_cast<clang::ReturnStmt>(body);
  if (!returned || !m_state.launches.empty())
    return false;
  const HostValue tested = condition(value(stmt->getCond()));
  if (!tested.size || !tested.otherwise || tested.size->kind != Op::Eq)
    return false;
  const ir::SizeExpr& left = *tested.size->args[0];
  const ir::SizeExpr& right = *tested.size->args[1];
  const bool zero = right.kind == Op::Constant && right.value == 0;
  if (!zero || left.kind != Op::Symbol || !left.symbol.ends_with(".numel"))
    return false;
  EmptyReturn early{left.symbol, tested.checks, {}, where(stmt)};
  scanEffects(returned->getRetValue());
  early.value.kind = Kind::Ignored;
  if (returned->getRetValue() && m_nesting > 0)
    return false;
  if (returned->getRetValue())
    early.value = value(returned->getRetValue());
  m_state.emptyReturns.push_back(std::move(early));
  return true;
}

/// Nothing in it changes a variable, a tensor or the flow of control, apart from what its arguments do
/// (scanHarmless).
bool HostReader::isHarmless(const clang::Stmt* stmt) const {
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(stmt))
    return std::all_of(compound->body_begin(), compound->body_end(),
                       [&](const clang::Stmt* each) { return isHarmless(each); });
  if (llvm::isa<clang::NullStmt>(stmt))
    return true;
  const auto* expr = llvm::dyn_cast<clang::Expr>(stmt);
  const auto* called = expr ? llvm::dyn_cast<clang::CallExpr>(withoutTemporaries(expr)) : nullptr;
  const clang::FunctionDecl* callee = called ? called->getDirectCallee() : nullptr;
  if (!callee)
    return false;
  const bool prints = callee->getDeclName().isIdentifier() && callee->getName() == "printf";
  return hostName(m_sources, callee, "host:") == "ignored" || (prints && m_sources.inShim(callee));
}

/// Effects of the arguments of harmless statements.
void HostReader::scanHarmless(const clang::Stmt* stmt) {
  if (llvm::isa<clang::CompoundStmt>(stmt)) {
    for (const clang::Stmt* each : stmt->children())
      scanHarmless(each);
  } else if (isHarmless(stmt) && llvm::isa<clang::Expr>(stmt)) {
    for (const clang::Stmt* child : withoutTemporaries(llvm::cast<clang::Expr>(stmt))->children())
      scanEffects(child);
  }
}

bool HostReader::alwaysThrows(const clang::Stmt* stmt) const {
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(stmt))
    return !compound->body_empty() && alwaysThrows(compound->body_back()) &&
           std::all_of(compound->body_begin(), compound->body_end() - 1,
                       [&](const clang::Stmt* each) { return isHarmless(each); });
  const auto* expr = llvm::dyn_cast<clang::Expr>(stmt);
  if (!expr)
    return false;
  expr = withoutTemporaries(expr);
  if (llvm::isa<clang::CXXThrowExpr>(expr))
    return true;
  const auto* called = llvm::dyn_cast<clang::CallExpr>(expr);
  const clang::FunctionDecl* callee = called ? called->getDirectCallee() : nullptr;
  const std::string name = callee ? hostName(m_sources, callee, "host:") : "";
  return name == "throws" ||
         (name == "check" && constantInteger(called->getArg(0)) == std::optional<int64_t>(0));
}

} // namespace plumbline::cuda
