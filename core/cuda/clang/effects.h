// What the evaluation of an expression changes and looks at, from the AST alone: so that a side effect inside
// an expression is translated where C++ fixes its order, and refused where it does not.
#pragma once

#include "core/cuda/clang/ast.h"

#include <map>
#include <set>

namespace plumbline::cuda {

struct Effects {
  std::set<const clang::VarDecl*> written;
  std::set<const clang::VarDecl*> read;
  std::set<const clang::VarDecl*> arrays; ///< arrays of the thread, written by their names
  bool writesMemory = false;              ///< through pointers, of other arrays, atomically
  bool readsMemory = false;
  bool meets = false;       ///< threads wait for each other: a barrier, a shuffle
  bool writesAlias = false; ///< through a reference, which may stand for any variable and any memory
  bool readsAlias = false;
  bool unknownAlias = false; ///< an alias that is no named reference, such as `this`
  bool tooDeep = false;      ///< nested so deeply that it was not looked at

  /// Whether anything changes, so that the order of evaluation may matter.
  bool any() const { return writesAnyMemory() || meets || writesAlias || !written.empty(); }
  bool writesAnyMemory() const { return writesMemory || !arrays.empty(); }
  void merge(const Effects& other);
};

/// One of two evaluations changes what the other looks at or changes: their order matters.
bool conflict(const Effects& a, const Effects& b);

/// What a device function does besides returning a value, with everything it calls.
struct FunctionTraits {
  Effects effects;        ///< without what is written of its own variables and arrays
  bool hasArrays = false; ///< array variables
};

/// Results are kept; used by one thread.
class EffectAnalysis {
public:
  explicit EffectAnalysis(const SourceMap& sources) : m_sources(sources) {}

  const Effects& of(const clang::Stmt* stmt);
  /// `definition` has a body. Recursion gives what is known so far.
  const FunctionTraits& of(const clang::FunctionDecl* definition);

private:
  Effects compute(const clang::Stmt* stmt);
  void write(const clang::Expr* target, Effects& effects);
  void call(const clang::CallExpr* call, Effects& effects);
  void callee(const clang::FunctionDecl* function, const clang::Expr* const* arguments, unsigned count,
              Effects& effects);

  const SourceMap& m_sources;
  std::map<const clang::Stmt*, Effects> m_known;
  std::map<const clang::FunctionDecl*, FunctionTraits> m_functions;
  int m_depth = 0;
  bool m_sawArray = false;
};

} // namespace plumbline::cuda
