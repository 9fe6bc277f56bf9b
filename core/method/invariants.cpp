#include "core/method/invariants.h"

#include "core/method/contract.h"
#include "core/method/size_text.h"
#include "core/vc/int_normal.h"
#include "core/vc/thread_map.h"

#include <algorithm>

namespace plumbline::method {

using logic::Sort;
using logic::TermId;
using velvet::BinaryOp;
using velvet::Clause;
using velvet::ExprPtr;
using velvet::LineOrigin;

std::optional<TermId> turnOf(logic::TermStore& store, const gate::Problem& problem,
                             const vc::SymbolicThread& thread, const std::string& tensor) {
  std::optional<TermId> index;
  for (const vc::ThreadStore& written : thread.stores) {
    if (written.buffer != tensor)
      continue;
    const TermId normal = vc::normaliseIntegers(store, written.index);
    if (index && *index != normal)
      return std::nullopt;
    index = normal;
  }
  if (!index)
    return std::nullopt;
  const TermId element = store.var(Sort::Int, gate::elementName);
  const auto writer = vc::proposeWitness(store, *index, element, problem.geometry);
  if (!writer)
    return std::nullopt;
  TermId turn = store.integer(0);
  for (size_t axis = 3; axis-- > 0;)
    turn = store.iadd(store.imul(turn, problem.geometry.gridDim[axis]), writer->block[axis]);
  for (size_t axis = 3; axis-- > 0;)
    turn = store.iadd(store.imul(turn, problem.geometry.blockDim[axis]), writer->thread[axis]);
  return vc::normaliseIntegers(store, turn);
}

std::function<ExprPtr(const ExprPtr&)> turnText(const logic::TermStore& store, TermId turn,
                                                Environment& environment,
                                                std::vector<velvet::Definition>& definitions) {
  if (store[turn].op == logic::Op::Var)
    return [](const ExprPtr& index) { return velvet::ascribe(index, "Int"); };
  velvet::Definition made;
  made.name = environment.fresh("turn");
  made.attribute = "grind";
  made.doc = "When the thread that writes element " + environment.index + " has its turn, counted from 0.";
  made.type = "Int";
  made.origin.locked = false;
  made.valueOrigin.locked = false;
  std::set<std::string> occurring;
  for (TermId id : store.postOrder(turn))
    if (store[id].op == logic::Op::Var)
      occurring.insert(store.symbolText(id));
  std::vector<ExprPtr> args;
  for (const auto& [variable, name] : environment.sizes) {
    if (!occurring.contains(variable))
      continue;
    made.binders.push_back({name, "Int", velvet::Bracket::Round, {}});
    args.push_back(velvet::name(name));
  }
  made.binders.push_back({environment.index, "Nat", velvet::Bracket::Round, {}});
  made.value = intText(store, turn, [&](const std::string& name) {
    return name == gate::elementName ? velvet::ascribe(velvet::name(environment.index), "Int")
                                     : sizeVariable(environment, name);
  });
  const std::string function = made.name;
  definitions.push_back(std::move(made));
  return [function, args](const ExprPtr& index) {
    std::vector<ExprPtr> all = args;
    all.push_back(index);
    return velvet::apply(function, std::move(all));
  };
}

namespace {

/// One loop, outermost first.
struct Level {
  std::string counter;
  std::string bound;
  std::string coordinate; ///< the counter as Int
};

class LoopBuilder {
public:
  LoopBuilder(const LoopParts& parts, Environment& environment, LoopsOver over)
      : m_store(parts.store), m_problem(parts.problem), m_environment(environment), m_outputs(parts.outputs),
        m_facts(parts.facts) {
    for (size_t axis = 3; axis-- > 0 && over != LoopsOver::Threads;)
      addLevel(environment.axes[axis].block, environment.axes[axis].gridDim, environment.axes[axis].blockIdx);
    for (size_t axis = 3; axis-- > 0 && over != LoopsOver::Blocks;)
      addLevel(environment.axes[axis].thread, environment.axes[axis].blockDim,
               environment.axes[axis].threadIdx);
  }

  std::vector<velvet::Stmt> run(std::vector<velvet::Stmt> body) {
    std::vector<velvet::Stmt> inner;
    inner.reserve(m_levels.size() + body.size() + 1);
    for (const Level& level : m_levels)
      inner.push_back(velvet::letStmt(level.coordinate, "Int",
                                      velvet::ascribe(velvet::name(level.counter), "Int"), launch()));
    std::ranges::move(body, std::back_inserter(inner));
    if (!m_environment.count.empty() && !m_levels.empty())
      inner.push_back(add(m_environment.count));
    for (size_t i = m_levels.size(); i-- > 0;)
      inner = loop(i, std::move(inner));
    return inner;
  }

private:
  void addLevel(const std::string& counter, const std::string& bound, const std::string& coordinate) {
    if (!counter.empty())
      m_levels.push_back({counter, bound, coordinate});
  }

  LineOrigin launch() const { return {{m_problem.contract.where}, {}, true}; }
  LineOrigin editable() const { return {{m_problem.contract.where}, {}, false}; }

  velvet::Stmt add(const std::string& counter) const {
    return velvet::setStmt(counter, velvet::binary(BinaryOp::Add, velvet::name(counter), velvet::number(1)),
                           launch());
  }

  std::vector<velvet::Stmt> loop(size_t i, std::vector<velvet::Stmt> body) {
    const Level& level = m_levels[i];
    body.push_back(add(level.counter));
    const ExprPtr counter = velvet::name(level.counter);
    const ExprPtr bound = velvet::name(level.bound);
    velvet::Stmt stmt{.kind = velvet::StmtKind::While, .origin = launch()};
    stmt.value = velvet::binary(BinaryOp::Less, counter, bound);
    stmt.loop.label = m_environment.fresh(level.counter + "_more");
    stmt.loop.invariants = invariants(i, body);
    stmt.loop.decreasing = {m_environment.fresh(level.counter + "_left"),
                            velvet::binary(BinaryOp::Subtract, bound, counter),
                            launch(),
                            {}};
    stmt.loop.doneWith = {m_environment.fresh(level.counter + "_end"),
                          velvet::binary(BinaryOp::Equal, counter, bound),
                          launch(),
                          {}};
    stmt.body = std::move(body);
    std::vector<velvet::Stmt> result;
    result.push_back(velvet::letStmt(level.counter, "Nat", velvet::number(0), launch(), true));
    result.push_back(std::move(stmt));
    return result;
  }

  // --- Invariants ---

  std::vector<Clause> invariants(size_t i, const std::vector<velvet::Stmt>& body) {
    const Level& level = m_levels[i];
    std::vector<Clause> result;
    result.push_back(clause(
        level.counter + "_le",
        velvet::binary(BinaryOp::LessEqual, velvet::name(level.counter), velvet::name(level.bound)), {}));
    if (!m_environment.count.empty())
      result.push_back(clause(level.counter + "_count", countEquation(i), {}));
    if (m_facts != nullptr) {
      for (Clause& each : m_facts->invariants(body, level.counter, editable(), m_environment))
        result.push_back(std::move(each));
      result.push_back(openInvariant(level.counter, editable(), m_environment));
      return result;
    }
    for (const auto& [tensor, buffer] : m_environment.buffers)
      if (buffer.written)
        result.push_back(
            clause(level.counter + "_" + buffer.name + "_size",
                   velvet::binary(BinaryOp::Equal, velvet::field(velvet::name(buffer.name), "size"),
                                  velvet::field(velvet::name(buffer.entry), "size")),
                   {}));
    for (const OutputProgress& output : m_outputs)
      if (output.turn)
        addProgress(level, output, result);
    return result;
  }

  Clause clause(const std::string& label, ExprPtr prop, const std::vector<std::string>& nodes) {
    LineOrigin origin = editable();
    origin.nodes = nodes;
    return {m_environment.fresh(label), std::move(prop), origin, {}};
  }

  /// How many threads have had their turn when loop `i` is at its head.
  ExprPtr countEquation(size_t i) const {
    ExprPtr total;
    for (size_t outer = 0; outer <= i; ++outer) {
      const ExprPtr counter = velvet::ascribe(velvet::name(m_levels[outer].counter), "Int");
      if (total)
        total = velvet::binary(BinaryOp::Add,
                               velvet::binary(BinaryOp::Multiply, total,
                                              velvet::ascribe(velvet::name(m_levels[outer].bound), "Int")),
                               counter);
      else
        total = counter;
    }
    for (size_t inner = i + 1; inner < m_levels.size(); ++inner)
      total = velvet::binary(BinaryOp::Multiply, total,
                             velvet::ascribe(velvet::name(m_levels[inner].bound), "Int"));
    return velvet::binary(BinaryOp::Equal, velvet::name(m_environment.count), total);
  }

  void addProgress(const Level& level, const OutputProgress& output, std::vector<Clause>& result) {
    const ExprPtr k = velvet::name(m_environment.index);
    const ExprPtr index = velvet::ascribe(k, "Int");
    auto variable = [&](const std::string& name) {
      return name == gate::elementName ? index : sizeVariable(m_environment, name);
    };
    const ExprPtr inside = velvet::binary(BinaryOp::Less, index, intText(m_store, output.numel, variable));
    const ExprPtr turn = output.turnText(k);
    const ExprPtr count = velvet::name(m_environment.count);
    const ExprPtr now = velvet::element(velvet::name(output.buffer->name), k);
    auto forElements = [&](const ExprPtr& when, const ExprPtr& then) {
      return velvet::forall(
          m_environment.index, "Nat",
          velvet::binary(BinaryOp::Implies, inside, velvet::binary(BinaryOp::Implies, when, then)));
    };
    const std::string& name = output.buffer->name;
    result.push_back(
        clause(level.counter + "_" + name + "_done",
               forElements(velvet::binary(BinaryOp::Less, turn, count), output.spec->holds(now, k)),
               output.spec->origin.nodes));
    if (!output.buffer->isInput)
      return;
    const ExprPtr before = velvet::element(velvet::name(output.buffer->entry), k);
    result.push_back(clause(level.counter + "_" + name + "_rest",
                            forElements(velvet::binary(BinaryOp::LessEqual, count, turn),
                                        velvet::binary(BinaryOp::Equal, now, before)),
                            output.spec->origin.nodes));
  }

  const logic::TermStore& m_store;
  const gate::Problem& m_problem;
  Environment& m_environment;
  const std::vector<OutputProgress>& m_outputs;
  const FrameFacts* m_facts;
  std::vector<Level> m_levels;
};

} // namespace

std::vector<velvet::Stmt> launchLoops(const LoopParts& parts, Environment& environment, LoopsOver over,
                                      std::vector<velvet::Stmt> body) {
  return LoopBuilder(parts, environment, over).run(std::move(body));
}

void renewThreads(Environment& environment) {
  for (Axis& axis : environment.axes)
    if (!axis.thread.empty())
      axis.thread = environment.names.fresh("thr_" + axisName(axis.number));
}

ExprPtr threadsOfBlock(const Environment& environment) {
  ExprPtr product;
  for (const Axis& axis : environment.axes)
    if (!axis.blockDim.empty()) {
      const ExprPtr count = velvet::name(axis.blockDim);
      product = product ? velvet::binary(BinaryOp::Multiply, product, count) : count;
    }
  return product ? product : velvet::number(1);
}

ExprPtr threadNumber(const Environment& environment) {
  ExprPtr number;
  for (size_t i = 3; i-- > 0;) {
    const Axis& axis = environment.axes[i];
    if (axis.thread.empty())
      continue;
    const ExprPtr own = velvet::name(axis.thread);
    number =
        number ? velvet::binary(BinaryOp::Add,
                                velvet::binary(BinaryOp::Multiply, number, velvet::name(axis.blockDim)), own)
               : own;
  }
  return number ? number : velvet::number(0);
}

} // namespace plumbline::method
