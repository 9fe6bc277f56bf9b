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
  if (m_state.forks && !m_plain)
    if (const std::optional<bool> holds = decide(expr))
      return constantCondition(*holds);
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
  const std::optional<Op> negated = oppositeComparison(kind);
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

/// Whether a parameter was given at all.
HostValue HostReader::definedness(int tensor) const {
  const HostTensor& object = m_state.tensors[static_cast<size_t>(storageOf(m_state, tensor))];
  if (object.origin != HostTensor::Origin::Parameter)
    return constantCondition(true);
  const HostValue given = integerValue(ir::sizeSymbol(object.name + ".defined"), ir::ScalarType::I64);
  return comparison(Op::Eq, given, integerValue(ir::sizeConstant(1), ir::ScalarType::I64));
}

/// a ? b : c. The greater and the lesser of two numbers stay expressions.
HostValue HostReader::conditional(const clang::ConditionalOperator* expr) {
  const auto* compared = llvm::dyn_cast<clang::BinaryOperator>(expr->getCond()->IgnoreParenImpCasts());
  if (compared && compared->isRelationalOp() && expr->getType()->isIntegerType()) {
    const bool plain = m_plain;
    m_plain = true;
    const HostValue left = value(compared->getLHS());
    const HostValue right = value(compared->getRHS());
    const HostValue first = value(expr->getTrueExpr());
    const HostValue second = value(expr->getFalseExpr());
    m_plain = plain;
    const bool numbers = left.kind == Kind::Integer && right.kind == Kind::Integer &&
                         first.kind == Kind::Integer && second.kind == Kind::Integer;
    const auto same = [](const HostValue& a, const HostValue& b) {
      return ir::print(*a.size) == ir::print(*b.size);
    };
    const bool straight = numbers && same(left, first) && same(right, second);
    const bool crossed = numbers && same(left, second) && same(right, first);
    if (straight || crossed) {
      const bool less = compared->getOpcode() == clang::BO_LT || compared->getOpcode() == clang::BO_LE;
      HostValue result = first;
      result.size = ir::sizeBinary(less == straight ? Op::Min : Op::Max, left.size, right.size);
      for (const HostValue* each : {&left, &right, &second})
        result.checks.insert(each->checks.begin(), each->checks.end());
      return result;
    }
  }
  const std::optional<bool> holds = decide(expr->getCond());
  return holds ? value(*holds ? expr->getTrueExpr() : expr->getFalseExpr()) : unknown(expr);
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
  const bool library = type.starts_with("cublas");
  if (!number || (type != "ScalarType" && type != "DeviceType" && !library))
    return unknown(expr);
  for (const clang::EnumConstantDecl* each : listed->enumerators())
    if (each->getInitVal() == *number) {
      HostValue value;
      value.kind = library ? Kind::Text : Kind::Property;
      value.text = (library                ? ""
                    : type == "ScalarType" ? "dtype:"
                                           : "device-type:") +
                   each->getNameAsString();
      return value;
    }
  return unknown(expr);
}

// --- checks ---

void HostReader::fact(ir::HostFact known) {
  known.order = ++m_state.order;
  m_state.facts.push_back(std::move(known));
}

namespace {

/// The condition without what only makes a truth value of it.
const clang::Expr* truthOf(const clang::Expr* expr) {
  while (true) {
    expr = stripped(expr)->IgnoreParenImpCasts();
    const auto* cast = llvm::dyn_cast<clang::ExplicitCastExpr>(expr);
    if (!cast || !cast->getType()->isBooleanType())
      return expr;
    expr = cast->getSubExpr();
  }
}

} // namespace

/// Operands of && and || are checks of their own where the first protects the second: true when it was so.
bool HostReader::checkedApart(const clang::Expr* expr, bool holds) {
  expr = truthOf(expr);
  if (const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(expr);
      negated && negated->getOpcode() == clang::UO_LNot)
    return checkedApart(negated->getSubExpr(), !holds);
  const auto* both = llvm::dyn_cast<clang::BinaryOperator>(expr);
  if (!both || both->getOpcode() != (holds ? clang::BO_LAnd : clang::BO_LOr) || !mayFault(both->getRHS()))
    return false;
  for (const clang::Expr* each : {both->getLHS(), both->getRHS()})
    if (!m_state.threw)
      check(each, text(each), holds);
  return true;
}

/// The wrapper throws unless `expr` is `holds`.
void HostReader::check(const clang::Expr* expr, std::string text, bool holds) {
  if (checkedApart(expr, holds))
    return;
  evaluated(expr);
  const bool plain = m_plain;
  m_plain = true;
  const HostValue tested = condition(value(expr));
  m_plain = plain;
  const std::string shown = holds ? text : "!(" + text + ")";
  if (tested.known && *tested.known != holds)
    return failure("check of " + shown, expr);
  const bool launched = !m_state.launches.empty();
  const ir::SizeExprPtr& implied = holds ? tested.size : tested.otherwise;
  if (!tested.known && !implied && !launched && m_state.forks)
    if (const std::optional<bool> found = decide(expr)) {
      if (*found != holds)
        failure("check of " + shown, expr);
      return;
    }
  if (implied && m_state.forks && tested.checks.empty() &&
      m_state.path.decided(*implied) == std::optional(false))
    return failure("check of " + shown, expr);
  if (!tested.known && (!implied || launched))
    return problem("host-check",
                   "check of " + shown + (implied ? " after the launch" : ", which is not understood"), expr);
  if (launched)
    return;
  ir::HostFact known{shown, tested.known ? nullptr : implied, where(expr)};
  // A value that wraps or is narrowed may differ from its expression: the fact then says nothing.
  for (size_t index : tested.checks)
    known.reliesOn.push_back(m_state.checks[index]);
  if (known.condition && known.reliesOn.empty())
    m_state.path.assume(known.condition);
  fact(std::move(known));
}

// --- branches ---

/// Whether the condition holds on this way. Nothing when that cannot be told, not even by choosing.
std::optional<bool> HostReader::decide(const clang::Expr* expr) {
  expr = stripped(expr)->IgnoreParenImpCasts();
  if (const auto* negated = llvm::dyn_cast<clang::UnaryOperator>(expr);
      negated && negated->getOpcode() == clang::UO_LNot) {
    const std::optional<bool> inner = decide(negated->getSubExpr());
    return inner ? std::optional(!*inner) : inner;
  }
  if (const auto* both = llvm::dyn_cast<clang::BinaryOperator>(expr); both && both->isLogicalOp()) {
    const bool conjunction = both->getOpcode() == clang::BO_LAnd;
    const std::optional<bool> first = decide(both->getLHS());
    return !first || *first != conjunction ? first : decide(both->getRHS());
  }
  return chosen(condition(value(expr)), expr);
}

/// A branch goes only where its condition and the opposite are both known exactly.
std::optional<bool> HostReader::chosen(const HostValue& tested, const clang::Expr* at) {
  if (tested.known)
    return tested.known;
  if (!tested.size || !tested.otherwise)
    return std::nullopt;
  m_state.required.insert(tested.checks.begin(), tested.checks.end());
  if (const std::optional<bool> holds = m_state.path.decided(*tested.size))
    return holds;
  if (const std::optional<bool> fails = m_state.path.decided(*tested.otherwise))
    return !*fails;
  if (!m_state.forks || m_plain)
    return std::nullopt;
  const bool holds = m_state.path.choose();
  const ir::SizeExprPtr& condition = holds ? tested.size : tested.otherwise;
  m_state.path.assume(condition);
  m_state.path.when.push_back({ir::print(*condition), condition, where(at), {}, ++m_state.order});
  return holds;
}

void HostReader::branch(const clang::IfStmt* stmt) {
  if (stmt->getInit() || stmt->getConditionVariable())
    return problem(launches(stmt) ? "launch-in-branch" : "host-branch", "declaration in a condition", stmt);
  const clang::Stmt* first = stmt->getThen();
  const clang::Stmt* second = stmt->getElse();
  m_whole = nullptr;
  scanEffects(stmt->getCond());
  const bool firstThrows = alwaysThrows(first);
  const bool secondThrows = second && alwaysThrows(second);
  if (firstThrows && secondThrows)
    return failure("both branches", stmt);
  const bool harmless = (firstThrows || isHarmless(first)) &&
                        (!second || secondThrows || isHarmless(second)) && !mayFault(first) &&
                        !mayFault(second);
  if (harmless) {
    for (const clang::Stmt* each : {first, second})
      if (each)
        scanHarmless(each);
    if (firstThrows || secondThrows)
      check(stmt->getCond(), text(stmt->getCond()), secondThrows);
    else
      evaluated(stmt->getCond());
    return;
  }
  evaluated(stmt->getCond());
  if (forkedBranch(stmt) || (!second && !launches(stmt) && earlyReturn(stmt)))
    return;
  problem(launches(stmt) ? "launch-in-branch" : "host-branch", "condition in host code", stmt);
}

bool HostReader::forkedBranch(const clang::IfStmt* stmt) {
  const std::optional<bool> holds = decide(stmt->getCond());
  if (!holds)
    return false;
  if (*holds)
    statement(stmt->getThen());
  else if (stmt->getElse())
    statement(stmt->getElse());
  m_branched = m_branched || m_finished;
  return true;
}

/// `if (<elements of a tensor> == 0) return ...;`
bool HostReader::earlyReturn(const clang::IfStmt* stmt) {
  const clang::Stmt* body = stmt->getThen();
  if (const auto* compound = llvm::dyn_cast<clang::CompoundStmt>(body); compound && compound->size() == 1)
    body = compound->body_front();
  const auto* returned = llvm::dyn_cast<clang::ReturnStmt>(body);
  if (!returned || !m_state.launches.empty() || m_state.forks || mayFault(returned))
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
  const auto* called = expr ? llvm::dyn_cast<clang::CallExpr>(stripped(expr)) : nullptr;
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
    for (const clang::Stmt* child : stripped(llvm::cast<clang::Expr>(stmt))->children())
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
  expr = stripped(expr);
  if (llvm::isa<clang::CXXThrowExpr>(expr))
    return true;
  const auto* called = llvm::dyn_cast<clang::CallExpr>(expr);
  const clang::FunctionDecl* callee = called ? called->getDirectCallee() : nullptr;
  const std::string name = callee ? hostName(m_sources, callee, "host:") : "";
  return name == "throws" ||
         (name == "check" && constantInteger(called->getArg(0)) == std::optional<int64_t>(0));
}

} // namespace plumbline::cuda
