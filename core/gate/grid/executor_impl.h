// The executor's state and steps; for the executor's own files.
#pragma once

#include "core/gate/grid/executor.h"

#include <map>

namespace plumbline::gate::grid {

/// Thrown inside the executor only: the construct has no symbolic meaning here.
struct Unsupported {
  Rejection rejection;
};

/// Thrown inside the executor only: this way of going through a loop does not work; another one may.
struct Retry {};

/// The value of a local or an expression: a scalar term, or a pointer as object and byte offset.
struct Value {
  int object = -1;
  logic::TermId term{};
  logic::TermId initialised{}; ///< Bool
};

/// A loop or block that is being executed. The conditions are whole ones, from the start of the kernel.
struct Scope {
  logic::TermId broken;
  logic::TermId continued;
  Waiting waiting = Waiting::None;
  std::vector<int> brokenAt{};    ///< segments from which a break leads out
  std::vector<int> continuedAt{}; ///< and from which a continue goes on with the step
};

struct Frame {
  const ir::Function& function;
  std::vector<Value> locals;
  logic::TermId returned; ///< Bool: this call has returned
  std::vector<std::pair<logic::TermId, Value>> returnValues{};
  std::vector<Scope> scopes{};
  Waiting later = Waiting::None; ///< what follows after the statement that is being executed
};

/// How a local changes from one iteration to the next.
struct Change {
  enum class Kind : uint8_t { Same, Steps, Alternates, Shrinks, Grows, Unknown };
  Kind kind = Kind::Unknown;
  logic::TermId step{};       ///< Steps: what is added each time. Alternates: the sum of two values in a row
  Level level = Level::Block; ///< of its value in an iteration, when that is not known
};

class Executor {
public:
  Executor(logic::TermStore& store, SymbolTable& symbols, ArithmeticProver& prover, const ir::Module& module,
           const SymbolicLaunch& launch, const ExecutorOptions& options);

  Program run(const ir::Function& function, const ir::LaunchContract& contract);

private:
  using TermId = logic::TermId;

  // --- executor.cpp: set-up and helpers
  void bindParameters(Frame& frame, const ir::LaunchContract& contract);
  void bindBuffer(Frame& frame, int index, const ir::LaunchContract& contract);
  void bindArrays(const ir::Function& function);
  std::string uniqueName(const std::string& name) const;
  [[noreturn]] void unsupported(std::string id, std::string construct, const SourceRange& where);
  void require(Requirement::Kind kind, TermId guard, TermId holds, const SourceRange& where,
               std::string message);
  bool proves(TermId guard, TermId goal, bool withSolvers);
  TermId fits(TermId value, ir::ScalarType type);
  TermId fresh(logic::Sort sort, const std::string& what, Level level, vc::Bounds bounds = {});
  TermId unknownOf(ir::ScalarType type, const std::string& what, Level level);
  TermId zero() { return m_store.integer(0); }
  void checkSize(const SourceRange& where);

  // --- statements.cpp
  void statements(Frame& frame, const std::vector<ir::StmtId>& body, TermId path);
  void statement(Frame& frame, ir::StmtId id, TermId path);
  TermId alive(const Frame& frame);
  TermId reached(const Frame& frame, TermId path) { return m_store.land(path, alive(frame)); }
  void assign(Frame& frame, int local, const Value& value);
  void branch(Frame& frame, ir::StmtId id, TermId path);
  void leave(Frame& frame, const ir::Stmt& stmt, TermId path);
  void jump(Frame& frame, const ir::Stmt& stmt, TermId path);
  void block(Frame& frame, const ir::Stmt& stmt, TermId path);
  void wait(Waiting waiting, const SourceRange& where);
  void collective(Frame& frame, const ir::Stmt& stmt, TermId path);
  void atomic(Frame& frame, const ir::Stmt& stmt, TermId path);
  void needFullMask(Frame& frame, const ir::Stmt& stmt, TermId path);
  Value merge(TermId condition, const Value& a, const Value& b, const std::string& what,
              const SourceRange& where);
  void agree(TermId guard, TermId condition, Waiting waiting, const SourceRange& where);
  void access(const Value& pointer, const ir::Type& type, bool write, TermId guard, const SourceRange& where,
              int lane);

  // --- segments
  int segment();
  int addSegment(Segment::Kind kind, int loop);
  void startSegment() { m_startNew = true; }

  // --- loops.cpp
  void loop(Frame& frame, ir::StmtId id, TermId path);
  bool unroll(Frame& frame, const ir::Stmt& stmt, TermId path, int most);
  struct Iteration;
  void iterate(Frame& frame, const ir::Stmt& stmt, TermId path, Waiting waiting,
               std::map<int, Change>& changes, bool dry);
  Change classify(const ir::Type& type, const Value& head, const Value& end, int loop, TermId path);
  TermId alternating(TermId before, TermId sum, TermId number);
  bool isMonotone(TermId condition, TermId entered, Iteration& iteration);

  // --- expressions.cpp
  TermId scalar(Frame& frame, ir::ExprId id, TermId path) { return value(frame, id, path).term; }
  Value value(Frame& frame, ir::ExprId id, TermId path);
  TermId scalarValue(Frame& frame, const ir::Expr& expr, TermId path);
  Value readLocal(Frame& frame, const ir::Expr& expr, TermId path);
  Value pointerAdd(Frame& frame, const ir::Expr& expr, TermId path);
  TermId builtin(const ir::Expr& expr);
  Value conditional(Frame& frame, const ir::Expr& expr, TermId path);
  TermId shortCircuit(Frame& frame, const ir::Expr& expr, TermId path);
  TermId unary(Frame& frame, const ir::Expr& expr, TermId path);
  TermId binary(Frame& frame, const ir::Expr& expr, TermId path);
  TermId integerBinary(const ir::Expr& expr, TermId a, TermId b, TermId path);
  TermId divide(const ir::Expr& expr, TermId a, TermId b, TermId path);
  TermId shift(const ir::Expr& expr, TermId a, TermId b, TermId path);
  TermId bitOperation(const ir::Expr& expr, TermId a, TermId b, TermId guard);
  TermId inType(const ir::Expr& expr, TermId exact, TermId guard);
  TermId modular(TermId exact, ir::ScalarType type, TermId guard);
  TermId cast(Frame& frame, const ir::Expr& expr, TermId path);
  TermId load(Frame& frame, const ir::Expr& expr, TermId path);
  TermId intrinsic(Frame& frame, const ir::Expr& expr, TermId path);
  Value call(Frame& frame, const ir::Expr& expr, TermId path);
  TermId compare(ir::BinaryOp op, TermId a, TermId b);
  TermId opaque(logic::Sort sort, const std::string& spelling, std::vector<TermId> args);

  logic::TermStore& m_store;
  SymbolTable& m_symbols;
  ArithmeticProver& m_prover;
  const ir::Module& m_module;
  const SymbolicLaunch& m_launch;
  const ExecutorOptions& m_options;
  Structure m_structure;
  TermId m_true, m_false;
  Program m_program;
  std::map<std::string, int> m_objectOfTensor; ///< of wrapper tensors: the object they are
  std::vector<int> m_arrayObjects;             ///< of the kernel's array variables
  std::vector<int> m_tails;                    ///< segments after which the next one comes
  bool m_startNew = true;
  int m_loop = outside;
  int m_depth = 0;    ///< of calls
  int m_dry = 0;      ///< above 0: only the values matter, accesses are forgotten
  int m_unrolled = 1; ///< iterations of the loops around, where they are gone through one by one
  int m_names = 0;
  std::map<std::pair<TermId, TermId>, bool> m_proved;
  std::set<std::tuple<Requirement::Kind, TermId, TermId>> m_required;
};

} // namespace plumbline::gate::grid
