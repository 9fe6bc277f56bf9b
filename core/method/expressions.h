// Expressions of kernel IR as expressions of the method.
#pragma once

#include "core/method/environment.h"
#include "core/method/inexpressible.h"
#include "core/method/local_plan.h"
#include "core/method/memory_use.h"

namespace plumbline::method {

/// A local of a function being translated.
struct LocalText {
  velvet::ExprPtr value; ///< what a read of it gives; of a pointer: the offset, null for 0
  std::string variable;  ///< name of its variable; empty: it stands for `value` only
  std::string flag;      ///< Bool variable that says whether it has a value; empty: it always has
  std::string buffer;    ///< memory a pointer points into
  velvet::ExprPtr slot;  ///< variable and flag are arrays, and this is the thread's index; null: they are not
};

/// One function in translation: the kernel, or a device function at one call.
struct Frame {
  const ir::Function& function;
  FunctionPlan plan;
  std::vector<LocalText> locals;
  std::string result = {}; ///< variable for the returned value; empty: none
  ExitAnalysis exits = ExitAnalysis(function);
  std::map<Exit, std::string> flags = {}; ///< Bool variables: the thread has taken this exit
};

/// A place in memory.
struct Pointer {
  std::string memory;     ///< a tensor's name, or arrayKey of an array variable
  velvet::ExprPtr offset; ///< Int; null for 0
};

/// Something that is read by index.
struct Memory {
  std::string name; ///< of the array
  ir::ScalarType element{};
  velvet::ExprPtr size;  ///< elements, Int
  velvet::ExprPtr first; ///< index of element 0, Int; null for 0
};

/// Whether a block has no statement but comments, which Lean does not take for a block.
bool onlyComments(const std::vector<velvet::Stmt>& body);

/// Where translated statements go, and what is known there.
class Translator {
public:
  Translator(const gate::Problem& problem, Environment& environment);

protected:
  ~Translator() = default;

  // --- expressions.cpp ---
  velvet::ExprPtr value(Frame& frame, ir::ExprId id); ///< of type leanType(type); a Bool by `decide`
  std::vector<velvet::ExprPtr> values(Frame& frame, const std::vector<ir::ExprId>& ids);
  velvet::ExprPtr prop(Frame& frame, ir::ExprId id); ///< a Bool as a proposition
  velvet::ExprPtr negated(Frame& frame, ir::ExprId id, const velvet::ExprPtr& prop) const;
  Pointer pointer(Frame& frame, ir::ExprId id);
  void requireElement(const Memory& place, const ir::Type& pointer, const SourceRange& where);
  void requireValue(const LocalText& local, const SourceRange& where);
  velvet::ExprPtr inBounds(const Pointer& pointer, const SourceRange& where); ///< asserts; gives the index
  Memory memory(const std::string& key) const;

  /// The value of a call, whose statements go before the current one.
  virtual velvet::ExprPtr call(Frame& frame, const ir::Expr& expr) = 0;

  /// Asserts under the conditions of the expression being translated, unless it is known already.
  void require(const std::string& what, const velvet::ExprPtr& fact, const SourceRange& where);
  void emit(velvet::Stmt stmt);
  /// What was asserted about a variable's old value says nothing about its new one.
  void forget(const std::string& variable);
  /// The same for the elements of an array; its size stays.
  void forgetElements(const std::string& array);
  /// Something that Lean cannot define.
  void note(const std::string& what, const SourceRange& where);

  const gate::Problem& m_problem;
  const ir::Module& m_module;
  Environment& m_environment;
  std::vector<velvet::ExprPtr> m_guards; ///< conditions between the statement and the current expression
  std::vector<velvet::Stmt>* m_sink = nullptr;
  std::vector<std::map<std::string, velvet::ExprPtr>> m_facts; ///< what has been asserted, by block
  velvet::ExprPtr m_thread; ///< number of the thread in its block, Nat; null: no array is indexed by it
  bool m_isMuted = false;   ///< nothing is asserted: it has been, or is no use of the value
  std::string m_comment;    ///< to be printed before the next statement
  std::string m_lastComment;
  std::vector<Inexpressible> m_inexpressible;

private:
  Pointer castPointer(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr builtin(const ir::Expr& expr) const;
  velvet::ExprPtr readLocal(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr unary(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr binary(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr integerBinary(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr bitOperation(const ir::Expr& expr, velvet::ExprPtr a, velvet::ExprPtr b);
  velvet::ExprPtr comparison(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr boolBinary(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr boolProp(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr conditional(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr cast(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr toFloat(Frame& frame, const ir::Expr& expr, ir::Type from);
  velvet::ExprPtr load(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr intrinsic(Frame& frame, const ir::Expr& expr);
  velvet::ExprPtr fits(ir::ScalarType type, velvet::ExprPtr value, const SourceRange& where);
  velvet::ExprPtr truthOf(ir::Type from, velvet::ExprPtr value) const;

  /// Translates under one more condition.
  template <class F> auto under(velvet::ExprPtr guard, F translate) {
    m_guards.push_back(std::move(guard));
    auto result = translate();
    m_guards.pop_back();
    return result;
  }
};

/// The bits of an expression that is a literal, a negated one, or a number converted to a float type; nothing
/// for any other. Its type is the expression's.
std::optional<uint64_t> constantBits(const ir::Function& function, ir::ExprId id);

/// A constant of a float type by its bits.
velvet::ExprPtr floatConstant(ir::ScalarType type, uint64_t bits);

} // namespace plumbline::method
