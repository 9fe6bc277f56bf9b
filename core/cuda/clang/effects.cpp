#include "core/cuda/clang/effects.h"

namespace plumbline::cuda {
namespace {

/// Deeper code is refused.
constexpr int deepest = 1500;

Effects everything() {
  Effects all;
  all.writesMemory = all.readsMemory = all.meets = all.writesAlias = all.readsAlias = true;
  all.unknownAlias = true;
  return all;
}

template <class T> bool meet(const std::set<T>& a, const std::set<T>& b) {
  const std::set<T>& smaller = a.size() < b.size() ? a : b;
  const std::set<T>& larger = a.size() < b.size() ? b : a;
  return std::any_of(smaller.begin(), smaller.end(), [&](const T& each) { return larger.contains(each); });
}

bool disturbs(const Effects& a, const Effects& b) {
  const bool looks = b.readsMemory || b.readsAlias || !b.read.empty();
  if ((a.writesAlias && (looks || b.any())) || (b.readsAlias && a.any()))
    return true;
  return meet(a.written, b.read) || meet(a.written, b.written) ||
         ((a.writesAnyMemory() || a.meets) && (b.readsMemory || b.writesAnyMemory() || b.meets));
}

const clang::VarDecl* variableOf(const clang::Expr* expr) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expr);
  return name ? llvm::dyn_cast<clang::VarDecl>(name->getDecl()) : nullptr;
}

/// The array of the thread that `target` is an element of, when its name says so; nothing through pointers.
const clang::VarDecl* threadArray(const clang::Expr* target) {
  const auto* element = llvm::dyn_cast<clang::ArraySubscriptExpr>(target);
  while (element) {
    const clang::Expr* base = element->getBase()->IgnoreParenImpCasts();
    if (!base->getType()->isConstantArrayType())
      return nullptr;
    if (const clang::VarDecl* variable = variableOf(base))
      return variable->hasLocalStorage() && !variable->getType()->isReferenceType() ? variable : nullptr;
    element = llvm::dyn_cast<clang::ArraySubscriptExpr>(base);
  }
  return nullptr;
}

/// What a local reference was bound to; nothing for parameters, members and variables that are no references.
const clang::Expr* boundTo(const clang::VarDecl* variable) {
  const bool local = variable->getType()->isReferenceType() && variable->isLocalVarDecl() &&
                     !llvm::isa<clang::ParmVarDecl>(variable);
  return local ? variable->getInit() : nullptr;
}

} // namespace

void Effects::merge(const Effects& other) {
  written.insert(other.written.begin(), other.written.end());
  read.insert(other.read.begin(), other.read.end());
  arrays.insert(other.arrays.begin(), other.arrays.end());
  writesMemory = writesMemory || other.writesMemory;
  readsMemory = readsMemory || other.readsMemory;
  meets = meets || other.meets;
  writesAlias = writesAlias || other.writesAlias;
  readsAlias = readsAlias || other.readsAlias;
  unknownAlias = unknownAlias || other.unknownAlias;
  tooDeep = tooDeep || other.tooDeep;
}

bool conflict(const Effects& a, const Effects& b) {
  return disturbs(a, b) || disturbs(b, a);
}

const Effects& EffectAnalysis::of(const clang::Stmt* stmt) {
  if (const auto known = m_known.find(stmt); known != m_known.end())
    return known->second;
  ++m_depth;
  Effects made;
  if (m_depth > deepest)
    made.tooDeep = true;
  else
    made = compute(stmt);
  --m_depth;
  return m_known.insert_or_assign(stmt, std::move(made)).first->second;
}

const FunctionTraits& EffectAnalysis::of(const clang::FunctionDecl* definition) {
  const auto [entry, isNew] = m_functions.try_emplace(definition);
  FunctionTraits& traits = entry->second;
  if (!isNew)
    return traits;
  const bool outer = std::exchange(m_sawArray, false);
  if (definition->getBody())
    traits.effects = of(definition->getBody());
  if (const auto* constructor = llvm::dyn_cast<clang::CXXConstructorDecl>(definition))
    for (const clang::CXXCtorInitializer* member : constructor->inits())
      if (member->getInit())
        traits.effects.merge(of(member->getInit()));
  traits.hasArrays = std::exchange(m_sawArray, outer);
  const auto own = [&](const clang::VarDecl* variable) {
    return variable->getDeclContext()->getRedeclContext() == definition;
  };
  std::erase_if(traits.effects.written, own);
  std::erase_if(traits.effects.arrays, own);
  return traits;
}

Effects EffectAnalysis::compute(const clang::Stmt* stmt) {
  Effects effects;
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(stmt)) {
    // Its body runs when it is called; what it copies is looked at now.
    for (const clang::LambdaCapture& capture : lambda->captures())
      if (const auto* variable = capture.capturesVariable()
                                     ? llvm::dyn_cast<clang::VarDecl>(capture.getCapturedVar())
                                     : nullptr) {
        effects.read.insert(variable);
        effects.readsAlias = effects.readsAlias || variable->getType()->isReferenceType();
      }
    return effects;
  }
  if (const auto* sizeOf = llvm::dyn_cast<clang::UnaryExprOrTypeTraitExpr>(stmt))
    return sizeOf->isArgumentType() ? effects : Effects{};
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(stmt))
    for (const clang::Decl* decl : declaration->decls())
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(decl);
          variable && (variable->getType()->isArrayType() || variable->hasAttr<clang::CUDASharedAttr>()))
        m_sawArray = true;
  for (const clang::Stmt* child : stmt->children())
    if (child)
      effects.merge(of(child));
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(stmt)) {
    if (const clang::VarDecl* variable = variableOf(name)) {
      effects.readsMemory = variable->getType().getNonReferenceType()->isArrayType() ||
                            variable->hasAttr<clang::CUDASharedAttr>();
      effects.read.insert(variable);
      if (const clang::Expr* bound = boundTo(variable))
        effects.merge(of(bound));
      else
        effects.readsAlias = variable->getType()->isReferenceType();
    }
  } else if (llvm::isa<clang::CXXThisExpr>(stmt)) {
    effects.readsAlias = effects.unknownAlias = true;
  } else if (llvm::isa<clang::ArraySubscriptExpr>(stmt)) {
    effects.readsMemory = true;
  } else if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(stmt)) {
    effects.readsMemory = effects.readsMemory || field->isArrow();
  } else if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(stmt)) {
    if (operation->isAssignmentOp())
      write(operation->getLHS(), effects);
  } else if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(stmt)) {
    if (step->isIncrementDecrementOp())
      write(step->getSubExpr(), effects);
    effects.readsMemory = effects.readsMemory || step->getOpcode() == clang::UO_Deref;
  } else if (const auto* called = llvm::dyn_cast<clang::CallExpr>(stmt)) {
    call(called, effects);
  } else if (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(stmt)) {
    if (!made->getConstructor()->isTrivial())
      callee(made->getConstructor(), made->getArgs(), made->getNumArgs(), effects);
  }
  return effects;
}

/// The variable or the memory that an lvalue names.
void EffectAnalysis::write(const clang::Expr* target, Effects& effects) {
  while (true) {
    target = target->IgnoreParenCasts();
    if (const auto* field = llvm::dyn_cast<clang::MemberExpr>(target); field && !field->isArrow())
      target = field->getBase();
    else
      break;
  }
  if (const clang::VarDecl* array = threadArray(target)) {
    effects.arrays.insert(array);
    return;
  }
  const clang::VarDecl* variable = variableOf(target);
  if (!variable || variable->getType().getNonReferenceType()->isArrayType() ||
      variable->hasAttr<clang::CUDASharedAttr>())
    effects.writesMemory = true;
  if (variable)
    effects.written.insert(variable);
  if (const clang::Expr* bound = variable ? boundTo(variable) : nullptr; bound && m_depth < deepest) {
    ++m_depth; // a reference may be bound to itself
    write(bound, effects);
    --m_depth;
    return;
  }
  const bool memory = llvm::isa<clang::ArraySubscriptExpr, clang::UnaryOperator>(target);
  effects.writesAlias = effects.writesAlias || (variable ? variable->getType()->isReferenceType() : !memory);
  effects.unknownAlias = effects.unknownAlias || (!variable && !memory);
}

void EffectAnalysis::call(const clang::CallExpr* call, Effects& effects) {
  const clang::FunctionDecl* function = call->getDirectCallee();
  if (!function) {
    effects.merge(everything());
    return;
  }
  const auto* method = llvm::dyn_cast<clang::CXXMethodDecl>(function);
  if (method && !method->isStatic()) {
    const auto* member = llvm::dyn_cast<clang::CXXMemberCallExpr>(call);
    const clang::Expr* object =
        member ? member->getImplicitObjectArgument() : (call->getNumArgs() > 0 ? call->getArg(0) : nullptr);
    if (object && !method->isConst())
      write(object, effects);
    const unsigned skipped = member ? 0 : 1;
    callee(function, call->getArgs() + skipped, call->getNumArgs() - skipped, effects);
    return;
  }
  callee(function, call->getArgs(), call->getNumArgs(), effects);
}

void EffectAnalysis::callee(const clang::FunctionDecl* function, const clang::Expr* const* arguments,
                            unsigned count, Effects& effects) {
  const clang::FunctionDecl* definition = nullptr;
  if (function->hasBody(definition) && !m_sources.inShim(definition)) {
    effects.merge(of(definition).effects);
    for (unsigned i = 0; i < std::min(count, definition->getNumParams()); ++i)
      if (const clang::QualType type = definition->getParamDecl(i)->getType();
          type->isReferenceType() && !type.getNonReferenceType().isConstQualified())
        write(arguments[i], effects);
    return;
  }
  const std::string sync = shimAnnotation(m_sources, function, "sync:");
  effects.meets = effects.meets || !sync.empty();
  effects.writesMemory = effects.writesMemory || sync.starts_with("atomic");
  effects.readsMemory = effects.readsMemory || sync.starts_with("atomic") ||
                        shimAnnotation(m_sources, function, "expands:") == "load";
}

} // namespace plumbline::cuda
