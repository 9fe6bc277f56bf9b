// Calls of device functions: definitions where they are expressions, statements in place otherwise.
#include "core/method/body_writer.h"
#include "core/method/lean_names.h"
#include "core/method/refusal.h"

#include <algorithm>

namespace plumbline::method {

using ir::Expr;
using ir::ExprId;
using ir::ScalarType;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;
using velvet::ExprPtr;

// --- Calls ---

ExprPtr BodyWriter::call(Frame& frame, const Expr& expr) {
  const bool mayWrite = std::exchange(m_mayWrite, false);
  const ir::Function& callee = m_module.functions[static_cast<size_t>(expr.callee)];
  const FunctionPlan plan = planFunction(m_module, callee);
  if (expr.type.pointer)
    refuse("method-pointer", "a pointer that a function returns", expr.where);
  if (plan.writes && !mayWrite)
    refuse("method-effect", "a call of '" + callee.name + "', which writes to memory, inside an expression",
           expr.where);
  if (const std::string name = pureDefinition(expr.callee); !name.empty()) {
    std::vector<ExprPtr> args = values(frame, expr.args);
    return args.empty() ? velvet::name(name) : velvet::apply(name, std::move(args));
  }
  return inlined(frame, expr, callee, plan);
}

ExprPtr BodyWriter::inlined(Frame& frame, const Expr& expr, const ir::Function& callee,
                            const FunctionPlan& plan) {
  Frame inner{callee, plan, std::vector<LocalText>(callee.locals.size())};
  std::vector<ExprPtr> args;
  for (size_t i = 0; i < expr.args.size(); ++i) {
    if (!callee.locals[i].type.pointer) {
      args.push_back(value(frame, expr.args[i]));
      continue;
    }
    const Pointer argument = pointer(frame, expr.args[i]);
    inner.locals[i].buffer = argument.memory;
    args.push_back(argument.offset);
  }
  const std::string comment = m_comment;
  const bool isVoid = callee.returnType.scalar == ScalarType::Void;
  if (!isVoid) {
    if (!alwaysReturns(callee, callee.body))
      refuse("method-return", "'" + callee.name + "', which returns no value on some paths", callee.where);
    inner.result = m_environment.names.fresh(velvet::identifierFrom(callee.name) + "_result");
    emit(velvet::letStmt(inner.result, leanType(callee.returnType.scalar),
                         defaultValue(callee.returnType.scalar), originAt(expr.where), true));
  }
  run(inner, args);
  m_comment = comment;
  return isVoid ? nullptr : velvet::name(inner.result);
}

/// The callee's statements, under the conditions of the expression that calls it.
void BodyWriter::run(Frame& inner, const std::vector<ExprPtr>& args) {
  auto translate = [&] {
    for (size_t i = 0; i < args.size(); ++i)
      bindParameter(inner, static_cast<int>(i), args[i]);
    declareFlag(inner, {}, inner.function.where);
    list(inner, inner.function.body);
  };
  if (m_guards.empty()) {
    translate();
    return;
  }
  ExprPtr condition = m_guards.back();
  for (size_t i = m_guards.size() - 1; i-- > 0;)
    condition = velvet::binary(velvet::BinaryOp::And, m_guards[i], condition);
  const std::vector<ExprPtr> guards = std::exchange(m_guards, {});
  std::vector<velvet::Stmt> body = nested(translate);
  m_guards = guards;
  if (!body.empty())
    emit(velvet::ifStmt(condition, std::move(body), {}, originAt(inner.function.where)));
}

// --- Device functions as definitions ---

/// The definition for a function that is an expression of its scalar parameters and needs no assertions;
/// empty when it is not.
std::string BodyWriter::pureDefinition(int index) {
  if (const auto found = m_pure.find(index); found != m_pure.end())
    return found->second;
  std::string& name = m_pure[index];
  const ir::Function& function = m_module.functions[static_cast<size_t>(index)];
  const bool takesPointers =
      std::any_of(function.locals.begin(), function.locals.begin() + function.parameterCount,
                  [](const ir::Local& local) { return local.type.pointer; });
  if (takesPointers || function.returnType.scalar == ScalarType::Void)
    return name;
  if (std::optional<velvet::Definition> made = tryDefinition(function)) {
    name = made->name;
    m_definitions.push_back(*std::move(made));
  }
  return name;
}

std::optional<velvet::Definition> BodyWriter::tryDefinition(const ir::Function& function) {
  // A failed attempt leaves nothing behind but numbers of labels.
  const auto inexpressible = m_inexpressible;
  const std::string comment = m_comment;
  const std::vector<ExprPtr> guards = std::exchange(m_guards, {});
  const std::string name = m_environment.fresh(velvet::identifierFrom(function.name));
  velvet::NameScope scope;
  scope.fresh(name);
  for (const velvet::Definition& other : m_definitions)
    scope.fresh(other.name);
  std::swap(scope, m_environment.names);
  std::optional<velvet::Definition> result;
  const std::vector<velvet::Stmt> statements = nested([&] { result = definition(function, name); });
  std::swap(scope, m_environment.names);
  m_guards = guards;
  m_comment = comment;
  if (statements.empty() && result)
    return result;
  m_inexpressible = inexpressible;
  return std::nullopt;
}

std::optional<velvet::Definition> BodyWriter::definition(const ir::Function& function,
                                                         const std::string& name) {
  Frame frame{function, planFunction(m_module, function), std::vector<LocalText>(function.locals.size())};
  velvet::Definition result;
  result.name = name;
  result.attribute = "grind";
  result.doc = "Device function " + function.name + ", " + placeText(function.where) + ".";
  result.type = leanType(function.returnType.scalar);
  result.origin = originAt(function.where);
  for (size_t i = 0; i < frame.locals.size(); ++i) {
    if (frame.plan.locals[i].needsFlag ||
        (static_cast<int>(i) < function.parameterCount && frame.plan.locals[i].isMutable))
      return std::nullopt;
    if (static_cast<int>(i) >= function.parameterCount)
      continue;
    const std::string parameter = m_environment.names.fresh(function.locals[i].name);
    frame.locals[i].value = velvet::name(parameter);
    result.binders.push_back(
        {parameter, leanType(function.locals[i].type.scalar), velvet::Bracket::Round, {}});
  }
  result.valueOrigin.cuda.clear();
  result.value = tail(frame, function.body, result, true);
  return result.value ? std::optional(result) : std::nullopt;
}

/// The value of statements that end in a return on every path; null when they are no such expression.
ExprPtr BodyWriter::tail(Frame& frame, const Body& body, velvet::Definition& result, bool outermost) {
  for (size_t i = 0; i < body.size(); ++i) {
    const Stmt& stmt = frame.function[body[i]];
    const Body rest(body.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.end());
    if (stmt.kind == StmtKind::Return && stmt.value != ExprId::None) {
      result.valueOrigin.cuda.push_back(stmt.where);
      return value(frame, stmt.value);
    }
    if (stmt.kind == StmtKind::If)
      return tailOfIf(frame, stmt, rest, result);
    if (stmt.kind != StmtKind::Assign || !outermost || !addLet(frame, body[i], stmt, result))
      return nullptr;
  }
  return nullptr;
}

ExprPtr BodyWriter::tailOfIf(Frame& frame, const Stmt& stmt, const Body& rest, velvet::Definition& result) {
  result.valueOrigin.cuda.push_back(frame.function[stmt.condition].where);
  if (frame.exits.completes(stmt.thenBody) && frame.exits.completes(stmt.elseBody))
    return nullptr;
  const auto [thenBody, elseBody] = branchesWithRest(frame.exits, stmt, rest);
  const ExprPtr condition = prop(frame, stmt.condition);
  const ExprPtr a = tail(frame, thenBody, result, false);
  const ExprPtr b = a ? tail(frame, elseBody, result, false) : nullptr;
  return b ? velvet::ifThenElse(condition, a, b) : nullptr;
}

bool BodyWriter::addLet(Frame& frame, StmtId id, const Stmt& stmt, velvet::Definition& result) {
  const LocalPlan& plan = frame.plan.locals[static_cast<size_t>(stmt.local)];
  const ir::Local& local = frame.function.locals[static_cast<size_t>(stmt.local)];
  if (plan.isMutable || plan.where != id || local.type.pointer)
    return false;
  const std::string name = m_environment.names.fresh(local.name);
  result.lets.push_back({name, leanType(local.type.scalar), value(frame, stmt.value), originAt(stmt.where)});
  frame.locals[static_cast<size_t>(stmt.local)].value = velvet::name(name);
  return true;
}

} // namespace plumbline::method
