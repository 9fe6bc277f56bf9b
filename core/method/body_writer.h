// The kernel's statements as statements of the method; the parts of the work stand in statements.cpp,
// loops.cpp, phases.cpp and calls.cpp.
#pragma once

#include "core/method/body.h"
#include "core/method/counted_loop.h"
#include "core/method/expressions.h"

namespace plumbline::method {

class BodyWriter final : public Translator {
public:
  /// Exits that some statement asks about, by function.
  using Asked = std::set<std::pair<const ir::Function*, Exit>>;

  /// `asked`: the exits that get a flag; null: all, to find out which are asked about.
  BodyWriter(const BodyParts& parts, Environment& environment, const Asked* asked);

  BodyText run();
  const Asked& asked() const { return m_asked; }

private:
  using Body = std::vector<ir::StmtId>;

  // --- statements.cpp ---
  Frame kernelFrame(const ir::Function& function);
  void bindParameter(Frame& frame, int index, velvet::ExprPtr argument);
  void list(Frame& frame, const Body& body);
  void threadList(Frame& frame, const Body& body);
  /// One statement; true when it took `rest` along.
  bool statement(Frame& frame, ir::StmtId id, ir::StmtId before, const Body& rest);
  void setComment(const Frame& frame, const ir::Stmt& stmt);
  void collectNotes(const Frame& frame, ir::ExprId id, std::set<std::string>& notes) const;
  void declareBefore(Frame& frame, ir::StmtId id);
  void declareVariable(Frame& frame, int local, velvet::ExprPtr value, const SourceRange& where,
                       bool isMutable);
  void assign(Frame& frame, ir::StmtId id, const ir::Stmt& stmt);
  velvet::ExprPtr assignedValue(Frame& frame, const ir::Stmt& stmt, const ir::Local& local, LocalText& text);
  velvet::ExprPtr root(Frame& frame, ir::ExprId id);
  void set(const std::string& variable, velvet::ExprPtr value, const SourceRange& where);
  void setLocal(const LocalText& text, const std::string& variable, velvet::ExprPtr value,
                const SourceRange& where);
  void store(Frame& frame, const ir::Stmt& stmt);
  void declare(Frame& frame, ir::StmtId id, const ir::Stmt& stmt);
  void evaluate(Frame& frame, const ir::Stmt& stmt);
  void leave(Frame& frame, ir::StmtId id, const ir::Stmt& stmt);
  bool branch(Frame& frame, const ir::Stmt& stmt, const Body& rest);
  void emitIf(const velvet::ExprPtr& condition, const velvet::ExprPtr& opposite,
              std::vector<velvet::Stmt> inThen, std::vector<velvet::Stmt> inElse,
              const velvet::LineOrigin& origin);
  /// The statements after one that some threads may have left; true when there is nothing more to do.
  bool guardRest(Frame& frame, const Exits& leaves, const Body& rest, const velvet::LineOrigin& origin);
  void addSilent(const Frame& frame, const Body& body, velvet::LineOrigin& origin) const;
  std::vector<velvet::Stmt> block(Frame& frame, const Body& body);

  // --- exits ---
  bool wants(const Frame& frame, const Exit& exit) const;
  void declareFlag(Frame& frame, const Exit& exit, const SourceRange& where);
  velvet::ExprPtr noneTaken(Frame& frame, const Exits& exits);

  // --- loops.cpp ---
  struct Test;
  struct LoopNote;
  void loop(Frame& frame, ir::StmtId id, ir::StmtId before);
  void blockStatement(Frame& frame, ir::StmtId id, bool isLast);
  Test testOf(Frame& frame, const ir::Stmt& stmt);
  std::vector<velvet::Stmt> turn(Frame& frame, ir::StmtId id, const CountedLoop& counted, const Test& test,
                                 const Exits& leaves);
  void forgetChanged(const Frame& frame, ir::StmtId id);
  velvet::ExprPtr quiet(Frame& frame, ir::ExprId id);
  velvet::ExprPtr strideText(Frame& frame, const CountedLoop& counted);
  velvet::ExprPtr measure(Frame& frame, const CountedLoop& counted);
  void addCounterFacts(Frame& frame, const CountedLoop& counted, const LoopNote& note,
                       std::vector<velvet::Clause>& result);

  // --- phases.cpp ---
  void declarePerThread(Frame& frame);
  void blockList(Frame& frame, const Body& body);
  void phase(Frame& frame, const Body& body);
  void announcePhase(const Frame& frame, const Body& body);
  void declareThreadArrays(const Frame& frame, const Body& body);
  std::set<int> valuedOutside(const Frame& frame) const;
  void bindPerThread(Frame& frame);
  void recompute(Frame& frame, const Body& body);
  void requireUniform(Frame& frame, const ir::Stmt& stmt) const;
  bool isBlockLevel(const Frame& frame) const { return m_atBlockLevel && &frame == m_kernelFrame; }

  // --- calls.cpp ---
  velvet::ExprPtr call(Frame& frame, const ir::Expr& expr) override;
  velvet::ExprPtr inlined(Frame& frame, const ir::Expr& expr, const ir::Function& callee,
                          const FunctionPlan& plan);
  void run(Frame& inner, const std::vector<velvet::ExprPtr>& args);
  std::string pureDefinition(int index);
  std::optional<velvet::Definition> tryDefinition(const ir::Function& function);
  std::optional<velvet::Definition> definition(const ir::Function& function, const std::string& name);
  velvet::ExprPtr tail(Frame& frame, const Body& body, velvet::Definition& result, bool outermost);
  velvet::ExprPtr tailOfIf(Frame& frame, const ir::Stmt& stmt, const Body& rest, velvet::Definition& result);
  bool addLet(Frame& frame, ir::StmtId id, const ir::Stmt& stmt, velvet::Definition& result);

  template <class F> std::vector<velvet::Stmt> nested(F translate) {
    std::vector<velvet::Stmt> result;
    std::vector<velvet::Stmt>* outer = std::exchange(m_sink, &result);
    m_facts.emplace_back();
    const std::string lastComment = m_lastComment;
    translate();
    m_lastComment = lastComment;
    m_facts.pop_back();
    m_sink = outer;
    return result;
  }

  const BodyParts& m_parts;
  const BlockPlan& m_plan;
  FrameFacts m_frameFacts;
  const Asked* m_wanted;
  Asked m_asked;
  Exits m_tail; ///< exits that are the same as falling out of the present list
  bool m_atBlockLevel = false;
  Frame* m_kernelFrame = nullptr;
  int m_phases = 0;
  bool m_mayWrite = false;
  std::map<int, std::string> m_pure; ///< by function index
  std::vector<velvet::Definition> m_definitions;
};

/// Generated, from one place of the source.
velvet::LineOrigin originAt(const SourceRange& where);
/// What a variable of the type holds before it is assigned.
velvet::ExprPtr defaultValue(ir::ScalarType type);
/// Of a local: a pointer is an offset.
std::string typeText(const ir::Type& type);

} // namespace plumbline::method
