// Loops, switches and what leaves them; side effects inside expressions.
#include "core/cuda/clang/function_translator.h"

namespace plumbline::cuda {

using ir::ExprId;
using ir::ScalarType;
using ir::StmtId;
using ir::Type;

// --- loops ---

/// True when `stmt` was a loop, a switch, or a jump out of one.
bool FunctionTranslator::loopStatement(const clang::Stmt* stmt) {
  if (const auto* each = llvm::dyn_cast<clang::ForStmt>(stmt)) {
    if (each->getInit())
      statement(each->getInit());
    if (each->getConditionVariable())
      reject("condition-variable", "variable declared in a condition", stmt);
    else
      loop(stmt, each->getCond(), each->getBody(), each->getInc(), false);
  } else if (const auto* whileLoop = llvm::dyn_cast<clang::WhileStmt>(stmt)) {
    if (whileLoop->getConditionVariable())
      reject("condition-variable", "variable declared in a condition", stmt);
    else
      loop(stmt, whileLoop->getCond(), whileLoop->getBody(), nullptr, false);
  } else if (const auto* doLoop = llvm::dyn_cast<clang::DoStmt>(stmt)) {
    loop(stmt, doLoop->getCond(), doLoop->getBody(), nullptr, true);
  } else if (const auto* choice = llvm::dyn_cast<clang::SwitchStmt>(stmt)) {
    switchStatement(choice);
  } else if (llvm::isa<clang::BreakStmt>(stmt)) {
    leaveLoop(stmt, false);
  } else if (llvm::isa<clang::ContinueStmt>(stmt)) {
    leaveLoop(stmt, true);
  } else {
    return false;
  }
  return true;
}

/// The value of `expr`; statements that its evaluation takes (side effects, calls in place) go into `body`.
ExprId FunctionTranslator::valueInto(const clang::Expr* expr, std::vector<StmtId>& body) {
  m_builder.openBody(body);
  const ExprId id = value(expr);
  m_builder.closeBody();
  return id;
}

/// A condition that takes statements is tested by one: at the start of the body, or, where it comes after, it
/// is computed in the step.
void FunctionTranslator::loop(const clang::Stmt* stmt, const clang::Expr* condition, const clang::Stmt* body,
                              const clang::Expr* step, bool testAfter) {
  std::vector<StmtId> bodyIds;
  std::vector<StmtId> stepIds;
  const SourceRange at = where(stmt);
  m_breakables.push_back({Breakable::Kind::Loop, m_inlined.size()});
  ExprId test = condition ? valueInto(condition, testAfter ? stepIds : bodyIds) : ExprId::None;
  const bool refused = condition && test == ExprId::None;
  if (!bodyIds.empty()) {
    std::vector<StmtId> leave;
    m_builder.openBody(leave);
    m_builder.breakOut(0, where(condition));
    m_builder.closeBody();
    m_builder.openBody(bodyIds);
    m_builder.branch(m_builder.unary(ir::UnaryOp::LogicalNot, test, where(condition)), std::move(leave), {},
                     where(condition));
    m_builder.closeBody();
    test = ExprId::None;
  }
  statementInBody(body, bodyIds);
  if (step) {
    m_builder.openBody(stepIds);
    expressionStatement(step);
    m_builder.closeBody();
  }
  m_breakables.pop_back();
  if (refused)
    return;
  // The body of a loop is left by its condition only if it has one.
  m_builder.loop(test, std::move(bodyIds), std::move(stepIds), testAfter, at);
}

void FunctionTranslator::leaveLoop(const clang::Stmt* stmt, bool goesOn) {
  int level = 0;
  for (size_t i = m_breakables.size(); i-- > 0; ++level) {
    Breakable& each = m_breakables[i];
    const bool target =
        each.kind == Breakable::Kind::Loop || (each.kind == Breakable::Kind::Switch && !goesOn);
    if (!target || each.inlineDepth != m_inlined.size())
      continue;
    ++each.uses;
    goesOn ? m_builder.goOn(level, where(stmt)) : m_builder.breakOut(level, where(stmt));
    return;
  }
  reject("unsupported-construct", "break or continue outside a loop", stmt);
}

void FunctionTranslator::leaveCall(const SourceRange& at) {
  int level = 0;
  for (size_t i = m_breakables.size(); i-- > 0; ++level) {
    Breakable& each = m_breakables[i];
    if (each.kind != Breakable::Kind::Call || each.inlineDepth != m_inlined.size())
      continue;
    ++each.uses;
    m_builder.breakOut(level, at);
    return;
  }
}

// --- switch ---

namespace {

/// The statements from one group of labels to the next.
struct Section {
  std::vector<const clang::CaseStmt*> cases;
  bool isDefault = false;
  std::vector<const clang::Stmt*> statements;

  bool falls() const {
    return statements.empty() ||
           !llvm::isa<clang::BreakStmt, clang::ReturnStmt, clang::ContinueStmt>(statements.back());
  }
};

/// Nothing when a label stands deeper than in the body itself.
std::optional<std::vector<Section>> sectionsOf(const clang::SwitchStmt* stmt) {
  const auto* body = llvm::dyn_cast<clang::CompoundStmt>(stmt->getBody());
  if (!body)
    return std::nullopt;
  std::vector<Section> sections;
  size_t labels = 0;
  for (const clang::Stmt* each : body->body()) {
    bool labelled = false;
    while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(each)) {
      if (!labelled)
        sections.emplace_back();
      labelled = true;
      ++labels;
      if (const auto* value = llvm::dyn_cast<clang::CaseStmt>(label))
        sections.back().cases.push_back(value);
      else
        sections.back().isDefault = true;
      each = label->getSubStmt();
    }
    if (sections.empty())
      return std::nullopt; // a statement that no label reaches
    sections.back().statements.push_back(each);
  }
  size_t all = 0;
  for (const clang::SwitchCase* label = stmt->getSwitchCaseList(); label; label = label->getNextSwitchCase())
    ++all;
  return all == labels ? std::optional(std::move(sections)) : std::nullopt;
}

} // namespace

/// Sections that all end the switch become a chain of branches; where one falls into the next, a flag says
/// whether a label was met. A block stands around both, which `break` leaves.
void FunctionTranslator::switchStatement(const clang::SwitchStmt* stmt) {
  const SourceRange at = where(stmt);
  std::optional<std::vector<Section>> sections = sectionsOf(stmt);
  if (!sections || stmt->getConditionVariable() || stmt->getInit()) {
    reject("switch", "switch with labels inside nested statements, or with a declaration", stmt);
    return;
  }
  const ExprId selector = materialise(value(stmt->getCond()), at);
  if (selector == ExprId::None)
    return;
  const Type type = m_builder.typeOf(selector);
  const auto matches = [&](const Section& section) {
    ExprId any = ExprId::None;
    for (const clang::CaseStmt* label : section.cases) {
      const SourceRange place = where(label->getLHS());
      if (label->getRHS())
        return reject("switch", "range of case values", label);
      const ExprId equal = m_builder.binary(
          ir::BinaryOp::Eq, selector, m_builder.cast(value(label->getLHS()), type.scalar, place), place);
      any = any == ExprId::None ? equal : m_builder.logical(ir::ExprKind::LogicalOr, any, equal, place);
    }
    return any;
  };
  std::vector<StmtId> body;
  m_breakables.push_back({Breakable::Kind::Switch, m_inlined.size()});
  m_builder.openBody(body);
  ExprId anyCase = ExprId::None;
  for (const Section& section : *sections)
    if (const ExprId own = matches(section); own != ExprId::None)
      anyCase = anyCase == ExprId::None ? own : m_builder.logical(ir::ExprKind::LogicalOr, anyCase, own, at);
  int met = m_builder.addLocal("case met", {ScalarType::Bool, false}, at);
  m_builder.assign(met, m_builder.boolLiteral(false, at), at);
  for (const Section& section : *sections) {
    ExprId entered = matches(section);
    if (section.isDefault) {
      const ExprId none = anyCase == ExprId::None ? m_builder.boolLiteral(true, at)
                                                  : m_builder.unary(ir::UnaryOp::LogicalNot, anyCase, at);
      entered =
          entered == ExprId::None ? none : m_builder.logical(ir::ExprKind::LogicalOr, entered, none, at);
    }
    entered = m_builder.logical(ir::ExprKind::LogicalOr, m_builder.local(met, at), entered, at);
    std::vector<StmtId> taken;
    m_builder.openBody(taken);
    if (section.falls())
      m_builder.assign(met, m_builder.boolLiteral(true, at), at);
    for (const clang::Stmt* each : section.statements)
      statement(each);
    m_builder.closeBody();
    m_builder.branch(entered, std::move(taken), {}, at);
  }
  m_builder.closeBody();
  m_breakables.pop_back();
  m_builder.block(std::move(body), at);
}

// --- effects inside expressions ---

/// References that are bound to plain variables here stand for nothing else: they count as those variables.
Effects FunctionTranslator::resolved(const Effects& found) const {
  if ((!found.readsAlias && !found.writesAlias) || found.unknownAlias)
    return found;
  Effects result = found;
  for (std::set<const clang::VarDecl*>* names : {&result.read, &result.written}) {
    std::set<const clang::VarDecl*> canonical;
    for (const clang::VarDecl* name : *names) {
      const bool alias = name->getType()->isReferenceType();
      const std::optional<Place> place = alias ? lookup(name) : std::nullopt;
      const clang::VarDecl* owner = place && place->local >= 0 ? ownerOf(place->local) : nullptr;
      if (alias && !owner)
        return found;
      canonical.insert(alias ? owner : name);
    }
    *names = std::move(canonical);
  }
  result.readsAlias = result.writesAlias = false;
  return result;
}

/// The variable of no class type that is this local.
const clang::VarDecl* FunctionTranslator::ownerOf(int local) const {
  const auto owns = [&](const auto& entry) {
    return entry.second == local && !entry.first->getType()->isRecordType();
  };
  const auto found = std::find_if(m_locals.begin(), m_locals.end(), owns);
  if (found != m_locals.end())
    return found->first;
  const auto ownsPlace = [&](const auto& entry) {
    const clang::QualType type = entry.first->getType();
    return entry.second.local == local && !type->isRecordType() && !type->isReferenceType();
  };
  const auto place = std::find_if(m_places.begin(), m_places.end(), ownsPlace);
  return place != m_places.end() ? place->first : nullptr;
}

bool FunctionTranslator::orderFree(const clang::Expr* a, const clang::Expr* b) {
  const Effects& first = m_code.effects.of(a);
  const Effects& second = m_code.effects.of(b);
  if (first.tooDeep || second.tooDeep) {
    reject("too-deep", "deeply nested expression", a);
    return false;
  }
  if ((!first.any() && !second.any()) || !conflict(resolved(first), resolved(second)))
    return true;
  reject("nested-side-effect",
         "side effect that C++ does not order with respect to the rest of the expression",
         first.any() ? a : b);
  return false;
}

bool FunctionTranslator::orderFree(llvm::ArrayRef<const clang::Expr*> arguments) {
  for (size_t i = 0; i < arguments.size(); ++i)
    for (size_t j = i + 1; j < arguments.size(); ++j)
      if (!orderFree(arguments[i], arguments[j]))
        return false;
  return true;
}

ExprId FunctionTranslator::materialise(ExprId id, const SourceRange& at) {
  if (id == ExprId::None)
    return id;
  const ir::Expr& expr = m_builder.expr(id);
  switch (expr.kind) {
  case ir::ExprKind::IntLiteral:
  case ir::ExprKind::FloatLiteral:
  case ir::ExprKind::BoolLiteral:
  case ir::ExprKind::Builtin:
  case ir::ExprKind::Array: return id;
  default: break;
  }
  const int local = m_builder.addLocal("value", expr.type, at);
  m_builder.assign(local, id, at);
  return m_builder.local(local, at);
}

bool FunctionTranslator::readsMemory(ExprId id) const {
  if (id == ExprId::None)
    return false;
  const ir::Expr& expr = m_builder.expr(id);
  return expr.kind == ir::ExprKind::Load || expr.kind == ir::ExprKind::Call ||
         std::any_of(expr.args.begin(), expr.args.end(), [&](ExprId each) { return readsMemory(each); });
}

FunctionTranslator::Place FunctionTranslator::pin(Place place, const SourceRange& at) {
  place.pointer = materialise(place.pointer, at);
  return place;
}

bool FunctionTranslator::isBindable(const Place& place, const clang::Expr* initial) const {
  if (place.value == ExprId::None)
    return place.local >= 0 || place.pointer != ExprId::None;
  const ir::ExprKind kind = m_builder.expr(place.value).kind;
  return isTemporary(initial) || kind == ir::ExprKind::IntLiteral || kind == ir::ExprKind::FloatLiteral ||
         kind == ir::ExprKind::BoolLiteral || kind == ir::ExprKind::Builtin;
}

/// A conditional expression; where a branch takes statements, a branch of statements.
ExprId FunctionTranslator::chosen(const clang::ConditionalOperator* expr) {
  const SourceRange at = where(expr);
  const ExprId condition = value(expr->getCond());
  const bool isVoid = expr->getType()->isVoidType();
  std::array<std::vector<StmtId>, 2> bodies;
  std::array<ExprId, 2> values = {ExprId::None, ExprId::None};
  const std::array<const clang::Expr*, 2> branches = {expr->getTrueExpr(), expr->getFalseExpr()};
  for (size_t i = 0; i < 2; ++i) {
    m_builder.openBody(bodies[i]);
    if (isVoid)
      expressionStatement(branches[i]);
    else
      values[i] = value(branches[i]);
    m_builder.closeBody();
  }
  if (!isVoid && (values[0] == ExprId::None || values[1] == ExprId::None))
    return ExprId::None; // refused
  if (!isVoid && bodies[0].empty() && bodies[1].empty())
    return m_builder.conditional(condition, values[0], values[1], at);
  const std::optional<Type> type = irType(m_ast, expr->getType());
  if (!type)
    return rejectType(expr->getType(), at);
  const int local = isVoid ? -1 : m_builder.addLocal("chosen", *type, at);
  for (size_t i = 0; i < 2 && !isVoid; ++i) {
    m_builder.openBody(bodies[i]);
    m_builder.assign(local, values[i], at);
    m_builder.closeBody();
  }
  m_builder.branch(condition, std::move(bodies[0]), std::move(bodies[1]), at);
  return isVoid ? ExprId::None : m_builder.local(local, at);
}

/// `&&` and `||`; where the right side takes statements, a branch.
ExprId FunctionTranslator::shortCircuit(const clang::BinaryOperator* expr) {
  const SourceRange at = where(expr);
  const bool isAnd = expr->getOpcode() == clang::BO_LAnd;
  const ExprId left = value(expr->getLHS());
  std::vector<StmtId> body;
  const ExprId right = valueInto(expr->getRHS(), body);
  if (body.empty())
    return m_builder.logical(isAnd ? ir::ExprKind::LogicalAnd : ir::ExprKind::LogicalOr, left, right, at);
  if (left == ExprId::None || right == ExprId::None)
    return ExprId::None;
  const int local = m_builder.addLocal(isAnd ? "and" : "or", {ScalarType::Bool, false}, at);
  m_builder.assign(local, left, at);
  m_builder.openBody(body);
  m_builder.assign(local, right, at);
  m_builder.closeBody();
  ExprId condition = m_builder.local(local, at);
  if (!isAnd)
    condition = m_builder.unary(ir::UnaryOp::LogicalNot, condition, at);
  m_builder.branch(condition, std::move(body), {}, at);
  return m_builder.local(local, at);
}

} // namespace plumbline::cuda
