// Values of class type as their scalar members: vectors such as float4, structures, their copies.
#include "core/cuda/clang/function_translator.h"

namespace plumbline::cuda {

using ir::ExprId;
using ir::ScalarType;
using ir::Type;

namespace {

constexpr size_t mostLeaves = 64;

bool isPlain(const clang::CXXRecordDecl* record) {
  return record && record->hasDefinition() && !record->isUnion() && !record->isPolymorphic() &&
         record->getNumBases() == 0 && !record->isLambda() && record->hasTrivialDestructor();
}

/// ".x", ".y", ".inner.z": in the order of the leaves.
std::vector<std::string> leafNames(const clang::CXXRecordDecl* record) {
  std::vector<std::string> names;
  for (const clang::FieldDecl* field : record->fields()) {
    const std::string own = "." + field->getNameAsString();
    if (!field->getType()->isRecordType()) {
      names.push_back(own);
      continue;
    }
    for (const std::string& inner : leafNames(field->getType()->getAsCXXRecordDecl()))
      names.push_back(own + inner);
  }
  return names;
}

} // namespace

std::optional<std::vector<Type>> FunctionTranslator::leavesOf(clang::QualType type) const {
  const auto* record = type->getAsCXXRecordDecl();
  if (!isPlain(record) || !shimAnnotation(m_sources, record, "rejects:").empty())
    return std::nullopt;
  std::vector<Type> leaves;
  for (const clang::FieldDecl* field : record->fields()) {
    if (field->isBitField() || field->isAnonymousStructOrUnion() || leaves.size() > mostLeaves)
      return std::nullopt;
    if (field->getType()->isRecordType()) {
      const std::optional<std::vector<Type>> inner = leavesOf(field->getType());
      if (!inner)
        return std::nullopt;
      leaves.insert(leaves.end(), inner->begin(), inner->end());
      continue;
    }
    const std::optional<Type> leaf = irType(m_ast, field->getType());
    if (!leaf || *leaf == Type{})
      return std::nullopt;
    leaves.push_back(*leaf);
  }
  return leaves;
}

FunctionTranslator::Place FunctionTranslator::leaf(const Place& record, int index) const {
  Place place = record;
  if (record.local >= 0)
    place.local += index;
  else
    place.lane += index;
  return place;
}

/// Consecutive locals without values.
FunctionTranslator::Place FunctionTranslator::newRecord(clang::QualType type, const std::string& name,
                                                        const SourceRange& at) {
  const std::optional<std::vector<Type>> leaves = leavesOf(type);
  if (!leaves) {
    rejectType(type, at);
    return {};
  }
  const Place made{static_cast<int>(m_function.locals.size())};
  const std::vector<std::string> names = leafNames(type->getAsCXXRecordDecl());
  for (size_t i = 0; i < leaves->size(); ++i) {
    const int local = m_builder.addLocal(name + names[i], (*leaves)[i], at);
    if (!m_breakables.empty())
      m_builder.declareLocal(local, at);
  }
  return made;
}

void FunctionTranslator::renameRecord(const Place& record, clang::QualType type, const std::string& name) {
  const std::vector<std::string> names = leafNames(type->getAsCXXRecordDecl());
  for (size_t i = 0; i < names.size(); ++i)
    m_function.locals[static_cast<size_t>(record.local) + i].name = name + names[i];
}

void FunctionTranslator::copyRecord(const Place& to, const Place& from, clang::QualType type,
                                    const clang::Expr* at) {
  const std::optional<std::vector<Type>> leaves = leavesOf(type);
  if (!leaves) {
    rejectType(type, where(at));
    return;
  }
  if (to.local < 0 && to.pointer == ExprId::None)
    return; // refused
  for (size_t i = 0; i < leaves->size(); ++i)
    write(leaf(to, static_cast<int>(i)), read(leaf(from, static_cast<int>(i)), where(at)), at);
}

/// The place of a value of class type; a temporary is a new record.
FunctionTranslator::Place FunctionTranslator::recordValue(const clang::Expr* expr, bool toCopy) {
  expr = unwrap(expr);
  if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(expr))
    return constructed(made, toCopy);
  if (const auto* list = llvm::dyn_cast<clang::InitListExpr>(expr))
    return recordList(list);
  if (llvm::isa<clang::ImplicitValueInitExpr, clang::CXXScalarValueInitExpr>(expr)) {
    const Place zero = newRecord(expr->getType(), "zero", where(expr));
    initialiseRecord(zero, expr->getType(), nullptr);
    return zero;
  }
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(expr)) {
    switch (cast->getCastKind()) {
    case clang::CK_LValueToRValue:
    case clang::CK_NoOp:
    case clang::CK_ConstructorConversion:
    case clang::CK_UserDefinedConversion: return recordValue(cast->getSubExpr(), toCopy);
    default: break;
    }
  }
  if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expr)) {
    const Place made = newRecord(expr->getType(), "chosen", where(expr));
    const ExprId condition = value(choice->getCond());
    std::array<std::vector<ir::StmtId>, 2> bodies;
    const std::array<const clang::Expr*, 2> branches = {choice->getTrueExpr(), choice->getFalseExpr()};
    for (size_t i = 0; i < 2; ++i) {
      m_builder.openBody(bodies[i]);
      copyRecord(made, recordValue(branches[i], true), expr->getType(), branches[i]);
      m_builder.closeBody();
    }
    m_builder.branch(condition, std::move(bodies[0]), std::move(bodies[1]), where(expr));
    return made;
  }
  if (!expr->isGLValue() && !llvm::isa<clang::CallExpr>(expr)) {
    rejectType(expr->getType(), where(expr));
    return {};
  }
  return place(expr);
}

FunctionTranslator::Place FunctionTranslator::recordList(const clang::InitListExpr* list) {
  const Place made = newRecord(list->getType(), "list", where(list));
  initialiseRecord(made, list->getType(), list);
  return made;
}

/// Members in order; without a list, or past its end, they are zero.
void FunctionTranslator::initialiseRecord(const Place& target, clang::QualType type,
                                          const clang::InitListExpr* list) {
  const auto* record = type->getAsCXXRecordDecl();
  if (target.local < 0 && target.pointer == ExprId::None)
    return; // refused
  int index = 0;
  unsigned given = 0;
  for (const clang::FieldDecl* field : record->fields()) {
    const clang::Expr* initial = list && given < list->getNumInits() ? list->getInit(given++) : nullptr;
    const bool empty = !initial || llvm::isa<clang::ImplicitValueInitExpr>(initial);
    const SourceRange at = initial ? where(initial) : m_sources.range(field->getSourceRange());
    if (field->getType()->isRecordType()) {
      const auto* inner = initial ? llvm::dyn_cast<clang::InitListExpr>(initial) : nullptr;
      if (inner || empty)
        initialiseRecord(leaf(target, index), field->getType(), inner);
      else
        copyRecord(leaf(target, index), recordValue(initial, true), field->getType(), initial);
      index += static_cast<int>(leavesOf(field->getType()).value_or(std::vector<Type>()).size());
      continue;
    }
    const std::optional<Type> leafType = irType(m_ast, field->getType());
    if (!leafType || (leafType->pointer && empty)) {
      reject("null-pointer", "pointer member without a value", at);
      return;
    }
    const ExprId stored = empty ? m_builder.zero(leafType->scalar, at) : value(initial);
    const Place member = leaf(target, index++);
    if (member.local >= 0)
      m_builder.assign(member.local, stored, at);
    else
      m_builder.store(member.pointer, stored, at, member.lane);
  }
}

/// A constructor of the source is translated in place. What is about to be copied need not be copied here.
FunctionTranslator::Place FunctionTranslator::constructed(const clang::CXXConstructExpr* expr, bool toCopy) {
  const clang::CXXConstructorDecl* constructor = expr->getConstructor();
  if (constructor->isCopyOrMoveConstructor() && constructor->isTrivial() && expr->getNumArgs() == 1) {
    const Place from = recordValue(expr->getArg(0), toCopy);
    if (toCopy)
      return from;
    const Place copy = newRecord(expr->getType(), "copy", where(expr));
    copyRecord(copy, from, expr->getType(), expr);
    return copy;
  }
  if (constructor->isDelegatingConstructor()) {
    reject("method", "constructor that delegates to another", expr);
    return {};
  }
  const Place made = newRecord(expr->getType(), "made", where(expr));
  if (made.local < 0 || (constructor->isTrivial() && expr->getNumArgs() == 0)) {
    if (made.local >= 0 && expr->requiresZeroInitialization())
      initialiseRecord(made, expr->getType(), nullptr);
    return made;
  }
  const clang::FunctionDecl* definition = nullptr;
  if (!constructor->hasBody(definition)) {
    if (!constructor->isDefaultConstructor() || !constructor->isDefaulted()) {
      reject("method", "constructor without a definition", expr);
      return {};
    }
    definition = constructor;
  }
  inlineCall(definition, {expr->getArgs(), expr->getNumArgs()}, made, expr);
  return made;
}

std::optional<FunctionTranslator::Place> FunctionTranslator::member(const clang::MemberExpr* expr) {
  const clang::Expr* base = expr->getBase();
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(base->IgnoreParenImpCasts());
  const auto* variable = name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
  if (variable && variable->hasExternalStorage() && m_sources.inShim(variable) &&
      variable->hasAttr<clang::CUDADeviceAttr>())
    return Place{
        -1, ExprId::None,
        m_builder.builtin(variable->getNameAsString() + "." + expr->getMemberDecl()->getNameAsString(),
                          ScalarType::U32, where(expr))};
  // A static constant of a class is a variable.
  if (const auto* constant = llvm::dyn_cast<clang::VarDecl>(expr->getMemberDecl()))
    return Place{-1, ExprId::None, constantVariable(constant, expr)};
  const auto* field = llvm::dyn_cast<clang::FieldDecl>(expr->getMemberDecl());
  const clang::QualType type = expr->isArrow() ? base->getType()->getPointeeType() : base->getType();
  if (isRefused(base))
    return std::nullopt;
  if (!field || !leavesOf(type)) {
    rejectType(type, where(expr));
    return std::nullopt;
  }
  Place record;
  if (!expr->isArrow())
    record = base->isGLValue() ? place(base) : recordValue(base);
  else if (llvm::isa<clang::CXXThisExpr>(unwrap(base)))
    record = m_inlined.empty() ? Place{} : m_inlined.back().object;
  else
    record = {-1, value(base), ExprId::None};
  if (record.local < 0 && record.pointer == ExprId::None)
    return std::nullopt;
  int index = 0;
  for (const clang::FieldDecl* each : type->getAsCXXRecordDecl()->fields()) {
    if (each == field)
      break;
    index += each->getType()->isRecordType() ? static_cast<int>(leavesOf(each->getType())->size()) : 1;
  }
  return leaf(record, index);
}

} // namespace plumbline::cuda
