#include "core/method/body.h"

#include "core/method/expressions.h"
#include "core/method/lean_names.h"
#include "core/method/refusal.h"
#include "core/method/size_text.h"
#include "core/velvet/printer.h"

#include <algorithm>

namespace plumbline::method {

using ir::Expr;
using ir::ExprId;
using ir::ExprKind;
using ir::ScalarType;
using ir::Stmt;
using ir::StmtId;
using ir::StmtKind;
using velvet::ExprPtr;
using velvet::LineOrigin;

namespace {

using Body = std::vector<StmtId>;

LineOrigin at(const SourceRange& where) {
  return {{where}, {}, true};
}

ExprPtr defaultValue(ScalarType type) {
  if (ir::isFloat(type))
    return floatConstant(type, 0);
  return type == ScalarType::Bool ? velvet::name("false") : velvet::number(0);
}

std::string typeOf(const ir::Type& type) {
  return type.pointer ? "Int" : leanType(type.scalar);
}

/// Worth a variable of its own when a function's parameter stands for it.
bool isAtomic(const ExprPtr& value) {
  return value->form == velvet::Form::Name || value->form == velvet::Form::Number;
}

class BodyWriter final : public Translator {
public:
  using Translator::Translator;

  BodyText run() {
    const ir::Function& function = m_module.functions[static_cast<size_t>(m_problem.kernel->function)];
    BodyText result;
    m_sink = &result.statements;
    m_facts.assign(1, {});
    Frame frame = kernelFrame(function);
    list(frame, function.body);
    result.definitions = std::move(m_definitions);
    result.inexpressible = std::move(m_inexpressible);
    return result;
  }

private:
  // --- Frames ---

  Frame kernelFrame(const ir::Function& function) {
    Frame frame{
        function, planFunction(m_module, function), std::vector<LocalText>(function.locals.size()), {}, {}};
    for (int i = 0; i < function.parameterCount; ++i) {
      const ir::Local& local = function.locals[static_cast<size_t>(i)];
      LocalText& text = frame.locals[static_cast<size_t>(i)];
      if (local.type.pointer) {
        text.buffer = m_problem.parameters.at(local.name).buffer;
        bindParameter(frame, i, nullptr);
      } else {
        bindParameter(frame, i, velvet::name(m_environment.scalars.at(local.name)));
      }
      if (local.type.scalar == ScalarType::F64 && !local.type.pointer)
        note("binary64 arithmetic", local.where);
    }
    openFrame(frame);
    return frame;
  }

  /// A parameter stands for its argument, or is a variable when the function changes it.
  void bindParameter(Frame& frame, int index, ExprPtr argument) {
    const ir::Local& local = frame.function.locals[static_cast<size_t>(index)];
    LocalText& text = frame.locals[static_cast<size_t>(index)];
    const bool changes = frame.plan.locals[static_cast<size_t>(index)].isMutable;
    if (!changes && (!argument || isAtomic(argument))) {
      text.value = std::move(argument);
      return;
    }
    text.variable = m_environment.names.fresh(local.name);
    text.value = velvet::name(text.variable);
    emit(velvet::letStmt(text.variable, typeOf(local.type), argument ? argument : velvet::number(0),
                         at(local.where), changes));
  }

  void openFrame(Frame& frame) {
    if (!frame.plan.needsReturnFlag)
      return;
    frame.returnFlag = m_environment.names.fresh("returned");
    emit(velvet::letStmt(frame.returnFlag, "Bool", velvet::name("false"), at(frame.function.where), true));
  }

  // --- Statements ---

  void list(Frame& frame, const Body& body) {
    for (size_t i = 0; i < body.size(); ++i) {
      const Stmt& stmt = frame.function[body[i]];
      declareBefore(frame, body[i]);
      setComment(frame, stmt);
      const Body rest(body.begin() + static_cast<std::ptrdiff_t>(i) + 1, body.end());
      switch (stmt.kind) {
      case StmtKind::Assign: assign(frame, body[i], stmt); break;
      case StmtKind::Store: store(frame, stmt); break;
      case StmtKind::Eval: evaluate(frame, stmt); break;
      case StmtKind::Return: leave(frame, stmt); return;
      case StmtKind::If:
        if (branch(frame, stmt, rest))
          return;
        break;
      default:
        refuse("method-statement", "a statement of kind " + std::string(ir::name(stmt.kind)), stmt.where);
      }
    }
  }

  /// A comment names the line and what its constants are, for people who read the text alone.
  void setComment(const Frame& frame, const Stmt& stmt) {
    const bool isIf = stmt.kind == StmtKind::If;
    SourceRange where = isIf ? frame.function[stmt.condition].where : stmt.where;
    m_comment = placeText(where);
    std::set<std::string> notes;
    for (ExprId id : {stmt.pointer, stmt.value, stmt.condition})
      collectNotes(frame, id, notes);
    for (const std::string& text : notes)
      m_comment += "; " + text;
  }

  void collectNotes(const Frame& frame, ExprId id, std::set<std::string>& notes) const {
    if (id == ExprId::None)
      return;
    const Expr& expr = frame.function[id];
    const auto constant = constantBits(frame.function, id);
    if (constant && expr.type.scalar == ScalarType::F32 && expr.kind != ExprKind::FloatLiteral) {
      notes.insert(velvet::print(*velvet::hexNumber(*constant, 8)) + " is " + constantText(frame, id));
      return;
    }
    if (expr.kind == ExprKind::FloatLiteral && !expr.text.empty())
      notes.insert(
          velvet::print(*velvet::hexNumber(expr.bits, expr.type.scalar == ScalarType::F64 ? 16 : 8)) +
          " is " + expr.text);
    if (expr.type.scalar == ScalarType::F64 && !expr.type.pointer)
      notes.insert("not expressible: binary64 arithmetic, " + placeText(expr.where));
    for (ExprId arg : expr.args)
      collectNotes(frame, arg, notes);
  }

  static std::string constantText(const Frame& frame, ExprId id) {
    const Expr& expr = frame.function[id];
    switch (expr.kind) {
    case ExprKind::FloatLiteral: return expr.text;
    case ExprKind::IntLiteral: return std::to_string(expr.intValue);
    case ExprKind::Unary: return "-" + constantText(frame, expr.args[0]);
    default: return constantText(frame, expr.args[0]);
    }
  }

  void declareBefore(Frame& frame, StmtId id) {
    for (size_t i = static_cast<size_t>(frame.function.parameterCount); i < frame.locals.size(); ++i) {
      const LocalPlan& plan = frame.plan.locals[i];
      if (!plan.isUsed || plan.declaredAtAssign || plan.where != id)
        continue;
      const ir::Local& local = frame.function.locals[i];
      LocalText& text = frame.locals[i];
      text.variable = m_environment.names.fresh(local.name);
      text.value = velvet::name(text.variable);
      emit(velvet::letStmt(text.variable, typeOf(local.type),
                           local.type.pointer ? velvet::number(0) : defaultValue(local.type.scalar),
                           at(local.where), true));
      if (!plan.needsFlag)
        continue;
      text.flag = m_environment.names.fresh(local.name + "_has_value");
      emit(velvet::letStmt(text.flag, "Bool", velvet::name("false"), at(local.where), true));
    }
  }

  void assign(Frame& frame, StmtId id, const Stmt& stmt) {
    const size_t index = static_cast<size_t>(stmt.local);
    LocalText& text = frame.locals[index];
    const ir::Local& local = frame.function.locals[index];
    const ExprPtr assigned = assignedValue(frame, stmt, local, text);
    const LocalPlan& plan = frame.plan.locals[index];
    if (text.variable.empty() && plan.declaredAtAssign && plan.where == id) {
      text.variable = m_environment.names.fresh(local.name);
      text.value = velvet::name(text.variable);
      emit(velvet::letStmt(text.variable, typeOf(local.type), assigned, at(stmt.where), plan.isMutable));
      return;
    }
    set(text.variable, assigned, stmt.where);
    if (!text.flag.empty())
      set(text.flag, velvet::name("true"), stmt.where);
  }

  ExprPtr assignedValue(Frame& frame, const Stmt& stmt, const ir::Local& local, LocalText& text) {
    if (local.type.scalar == ScalarType::F64 && !local.type.pointer)
      note("binary64 arithmetic", stmt.where);
    if (!local.type.pointer)
      return root(frame, stmt.value);
    const Pointer from = pointer(frame, stmt.value);
    if (!text.buffer.empty() && text.buffer != from.tensor)
      refuse("method-pointer", "'" + local.name + "', which may point into two different buffers",
             stmt.where);
    text.buffer = from.tensor;
    return from.offset ? from.offset : velvet::number(0);
  }

  /// The value of a whole statement: a call may change memory here, since nothing is evaluated beside it.
  ExprPtr root(Frame& frame, ExprId id) {
    m_mayWrite = frame.function[id].kind == ExprKind::Call;
    ExprPtr result = value(frame, id);
    m_mayWrite = false;
    return result;
  }

  void set(const std::string& variable, ExprPtr value, const SourceRange& where) {
    emit(velvet::setStmt(variable, std::move(value), at(where)));
    forget(variable);
  }

  void store(Frame& frame, const Stmt& stmt) {
    const Pointer to = pointer(frame, stmt.pointer);
    const ExprPtr stored = value(frame, stmt.value);
    const ExprPtr index = inBounds(to, stmt.where);
    const std::string& name = buffer(to.tensor).name;
    emit(velvet::setStmt(name, velvet::applyTo(velvet::field(velvet::name(name), "set!"), {index, stored}),
                         at(stmt.where)));
  }

  void evaluate(Frame& frame, const Stmt& stmt) {
    const ir::Type type = frame.function[stmt.value].type;
    if (type.pointer)
      pointer(frame, stmt.value);
    else
      root(frame, stmt.value);
  }

  void leave(Frame& frame, const Stmt& stmt) {
    if (stmt.value != ExprId::None && !frame.result.empty()) {
      const ExprPtr returned = root(frame, stmt.value);
      set(frame.result, returned, stmt.where);
    }
    if (!frame.returnFlag.empty())
      set(frame.returnFlag, velvet::name("true"), stmt.where);
  }

  /// An `if`. Returns true when it took the statements after it along.
  bool branch(Frame& frame, const Stmt& stmt, const Body& rest) {
    const ExprPtr condition = prop(frame, stmt.condition);
    const bool takesRest =
        alwaysReturns(frame.function, stmt.thenBody) || alwaysReturns(frame.function, stmt.elseBody);
    const auto [thenBody, elseBody] = branchesWithRest(frame.function, stmt, rest);
    const std::string comment = std::exchange(m_comment, {});
    std::vector<velvet::Stmt> inThen = block(frame, thenBody);
    std::vector<velvet::Stmt> inElse = block(frame, elseBody);
    m_comment = comment;
    LineOrigin origin = at(frame.function[stmt.condition].where);
    addReturns(frame, stmt, origin);
    emitIf(condition, negated(frame, stmt.condition, condition), std::move(inThen), std::move(inElse),
           origin);
    if (takesRest)
      return true;
    const bool mayLeave =
        mayReturn(frame.function, stmt.thenBody) || mayReturn(frame.function, stmt.elseBody);
    if (!mayLeave || rest.empty())
      return false;
    std::vector<velvet::Stmt> remaining = block(frame, rest);
    const ExprPtr goesOn =
        velvet::binary(velvet::BinaryOp::Equal, velvet::name(frame.returnFlag), velvet::name("false"));
    if (!remaining.empty())
      emit(velvet::ifStmt(goesOn, std::move(remaining), {}, origin));
    return true;
  }

  void emitIf(const ExprPtr& condition, const ExprPtr& opposite, std::vector<velvet::Stmt> inThen,
              std::vector<velvet::Stmt> inElse, const LineOrigin& origin) {
    if (inThen.empty() && inElse.empty())
      return;
    if (inThen.empty())
      emit(velvet::ifStmt(opposite, std::move(inElse), {}, origin));
    else
      emit(velvet::ifStmt(condition, std::move(inThen), std::move(inElse), origin));
  }

  /// A `return` that becomes the shape of the `if` has no line of its own.
  static void addReturns(const Frame& frame, const Stmt& stmt, LineOrigin& origin) {
    for (const Body* body : {&stmt.thenBody, &stmt.elseBody})
      for (StmtId id : *body)
        if (frame.function[id].kind == StmtKind::Return)
          origin.cuda.push_back(frame.function[id].where);
  }

  /// Statements in a block of their own: what is asserted there is not known after it.
  std::vector<velvet::Stmt> block(Frame& frame, const Body& body) {
    return nested([&] { list(frame, body); });
  }

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

  // --- Calls ---

  ExprPtr call(Frame& frame, const Expr& expr) override {
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

  ExprPtr inlined(Frame& frame, const Expr& expr, const ir::Function& callee, const FunctionPlan& plan) {
    Frame inner{callee, plan, std::vector<LocalText>(callee.locals.size()), {}, {}};
    std::vector<ExprPtr> args;
    for (size_t i = 0; i < expr.args.size(); ++i) {
      if (!callee.locals[i].type.pointer) {
        args.push_back(value(frame, expr.args[i]));
        continue;
      }
      const Pointer argument = pointer(frame, expr.args[i]);
      inner.locals[i].buffer = argument.tensor;
      args.push_back(argument.offset);
    }
    const std::string comment = m_comment;
    const bool isVoid = callee.returnType.scalar == ScalarType::Void;
    if (!isVoid) {
      if (!alwaysReturns(callee, callee.body))
        refuse("method-return", "'" + callee.name + "', which returns no value on some paths", callee.where);
      inner.result = m_environment.names.fresh(velvet::identifierFrom(callee.name) + "_result");
      emit(velvet::letStmt(inner.result, leanType(callee.returnType.scalar),
                           defaultValue(callee.returnType.scalar), at(expr.where), true));
    }
    run(inner, args);
    m_comment = comment;
    return isVoid ? nullptr : velvet::name(inner.result);
  }

  /// The callee's statements, under the conditions of the expression that calls it.
  void run(Frame& inner, const std::vector<ExprPtr>& args) {
    auto translate = [&] {
      for (size_t i = 0; i < args.size(); ++i)
        bindParameter(inner, static_cast<int>(i), args[i]);
      openFrame(inner);
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
      emit(velvet::ifStmt(condition, std::move(body), {}, at(inner.function.where)));
  }

  // --- Device functions as definitions ---

  /// The definition for a function that is an expression of its scalar parameters and needs no assertions;
  /// empty when it is not.
  std::string pureDefinition(int index) {
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

  std::optional<velvet::Definition> tryDefinition(const ir::Function& function) {
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

  std::optional<velvet::Definition> definition(const ir::Function& function, const std::string& name) {
    Frame frame{
        function, planFunction(m_module, function), std::vector<LocalText>(function.locals.size()), {}, {}};
    velvet::Definition result;
    result.name = name;
    result.attribute = "grind";
    result.doc = "Device function " + function.name + ", " + placeText(function.where) + ".";
    result.type = leanType(function.returnType.scalar);
    result.origin = at(function.where);
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
  ExprPtr tail(Frame& frame, const Body& body, velvet::Definition& result, bool outermost) {
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

  ExprPtr tailOfIf(Frame& frame, const Stmt& stmt, const Body& rest, velvet::Definition& result) {
    result.valueOrigin.cuda.push_back(frame.function[stmt.condition].where);
    if (!alwaysReturns(frame.function, stmt.thenBody) && !alwaysReturns(frame.function, stmt.elseBody))
      return nullptr;
    const auto [thenBody, elseBody] = branchesWithRest(frame.function, stmt, rest);
    const ExprPtr condition = prop(frame, stmt.condition);
    const ExprPtr a = tail(frame, thenBody, result, false);
    const ExprPtr b = a ? tail(frame, elseBody, result, false) : nullptr;
    return b ? velvet::ifThenElse(condition, a, b) : nullptr;
  }

  bool addLet(Frame& frame, StmtId id, const Stmt& stmt, velvet::Definition& result) {
    const LocalPlan& plan = frame.plan.locals[static_cast<size_t>(stmt.local)];
    const ir::Local& local = frame.function.locals[static_cast<size_t>(stmt.local)];
    if (plan.isMutable || plan.where != id || local.type.pointer)
      return false;
    const std::string name = m_environment.names.fresh(local.name);
    result.lets.push_back({name, leanType(local.type.scalar), value(frame, stmt.value), at(stmt.where)});
    frame.locals[static_cast<size_t>(stmt.local)].value = velvet::name(name);
    return true;
  }

  bool m_mayWrite = false;
  std::map<int, std::string> m_pure; ///< by function index
  std::vector<velvet::Definition> m_definitions;
};

} // namespace

BodyText bodyText(const gate::Problem& problem, Environment& environment) {
  return BodyWriter(problem, environment).run();
}

} // namespace plumbline::method
