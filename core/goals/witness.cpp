#include "core/goals/witness.h"

#include "core/gate/arithmetic/evaluate.h"
#include "core/goals/renaming.h"
#include "core/logic/eval.h"

#include <algorithm>

namespace plumbline::goals {

using logic::Sort;
using logic::TermId;
using velvet::BinaryOp;
using velvet::Expr;
using velvet::ExprPtr;
using velvet::Form;

namespace {

constexpr int64_t largestArray = 2048;
constexpr int rounds = 6;

/// The value of an Int term under the model, 0 for variables that the model leaves open.
std::optional<int64_t> integerAt(const logic::TermStore& store, TermId term, const CaseModel& model) {
  logic::CompiledTerm compiled(store, term);
  std::vector<uint64_t> values;
  for (const auto& input : compiled.inputs()) {
    const auto found = model.numbers.find(input.name);
    values.push_back(found != model.numbers.end() ? static_cast<uint64_t>(found->second) : 0);
  }
  logic::Callbacks callbacks;
  callbacks.load = [&](std::string_view array, int64_t index) -> Expected<uint64_t> {
    const auto found = model.integerLoads.find(std::string(array));
    if (found == model.integerLoads.end() || !found->second.contains(index))
      return uint64_t{0};
    return static_cast<uint64_t>(found->second.at(index));
  };
  compiled.evaluate(values, callbacks);
  const auto result = compiled.result();
  return result ? std::optional(result->asInteger()) : std::nullopt;
}

class Builder {
public:
  Builder(logic::TermStore& store, const CaseModel& model) : m_store(store), m_model(model) {}

  std::optional<Concrete> value(const std::string& name, const Type& type) const {
    Concrete result{.kind = type.kind};
    switch (type.kind) {
    case Kind::Array: return array(name, type.parts[0].kind);
    case Kind::Pair:
      for (const size_t i : {0U, 1U}) {
        auto part = value(name + (i == 0 ? ".1" : ".2"), type.parts[i]);
        if (!part)
          return std::nullopt;
        result.parts.push_back(std::move(*part));
      }
      return result;
    case Kind::F32:
    case Kind::F64: {
      const auto found = m_model.floats.find(name);
      result.bits = found != m_model.floats.end() ? found->second : 0;
      return result;
    }
    default: {
      const auto found = m_model.numbers.find(name);
      result.number = found != m_model.numbers.end() ? found->second : 0;
      return result;
    }
    }
  }

private:
  std::optional<Concrete> array(const std::string& name, Kind element) const {
    Concrete result{.kind = Kind::Array, .element = element};
    const auto size = m_model.numbers.find(name + ".size");
    const int64_t count = size != m_model.numbers.end() ? size->second : 0;
    if (count < 0 || count > largestArray)
      return std::nullopt;
    result.elements.assign(static_cast<size_t>(count), 0);
    const auto put = [&](int64_t index, uint64_t value) {
      if (index >= 0 && index < count)
        result.elements[static_cast<size_t>(index)] = value;
    };
    if (const auto loads = m_model.integerLoads.find(name); loads != m_model.integerLoads.end())
      for (const auto& [index, value] : loads->second)
        put(index, static_cast<uint64_t>(value));
    for (const CaseModel::FloatLoad& load : m_model.floatLoads)
      if (load.array == name)
        if (const auto index = integerAt(m_store, load.index, m_model))
          put(*index, load.bits);
    return result;
  }

  logic::TermStore& m_store;
  const CaseModel& m_model;
};

// --- Mending arrays ---

/// Makes one hypothesis true by setting an element, where it is an equation about one.
class Mender {
public:
  Mender(const Goal& goal, const Definitions& definitions, Assignment& assignment)
      : m_goal(goal), m_definitions(definitions), m_assignment(assignment) {}

  /// Whether something was changed.
  bool run(const Context& line) { return mend(line.expr, 0); }

private:
  bool mend(const ExprPtr& expr, int depth) {
    if (depth > 8)
      return false;
    if (expr->form == Form::Forall && (expr->type == "Nat" || expr->type == "Int"))
      return everywhere(*expr, depth);
    if (expr->form == Form::Binary && expr->binary == BinaryOp::Implies)
      return evaluator().holds(*expr->args[0]) == true && mend(expr->args[1], depth + 1);
    if (expr->form == Form::Binary && expr->binary == BinaryOp::Or)
      return mend(expr->args[0], depth + 1);
    if (expr->form == Form::Binary && expr->binary == BinaryOp::And) {
      const bool first = evaluator().holds(*expr->args[0]) != true && mend(expr->args[0], depth + 1);
      return (evaluator().holds(*expr->args[1]) != true && mend(expr->args[1], depth + 1)) || first;
    }
    if (expr->form == Form::Apply && expr->args[0]->form == Form::Name)
      return unfolded(*expr, depth);
    if (expr->form == Form::Binary && expr->binary == BinaryOp::Equal)
      return assign(*expr->args[0], *expr->args[1]) || assign(*expr->args[1], *expr->args[0]);
    return false;
  }

  GoalEvaluator evaluator() const { return {m_goal, m_definitions, m_assignment}; }

  bool everywhere(const Expr& expr, int depth) {
    int64_t count = 0;
    for (const auto& [name, value] : m_assignment)
      count = std::max(count, static_cast<int64_t>(value.elements.size()));
    bool changed = false;
    for (int64_t k = 0; k < std::min<int64_t>(count, 256); ++k) {
      const ExprPtr body = withValue(expr.args[0], expr.text, velvet::number(k));
      if (evaluator().holds(*body) == false)
        changed = mend(body, depth + 1) || changed;
    }
    return changed;
  }

  bool unfolded(const Expr& call, int depth) {
    const velvet::Definition* definition = m_definitions.find(call.args[0]->text);
    if (definition == nullptr || definition->type != "Prop" || !definition->value ||
        !definition->lets.empty())
      return false;
    ExprPtr body = definition->value;
    size_t next = 1;
    for (const velvet::Binder& binder : definition->binders)
      if (binder.bracket == velvet::Bracket::Round && next < call.args.size())
        body = withValue(body, binder.name, call.args[next++]);
    return mend(body, depth + 1);
  }

  bool assign(const Expr& left, const Expr& right) {
    if (left.form != Form::Element || left.args[0]->form != Form::Name)
      return false;
    const auto array = m_assignment.find(left.args[0]->text);
    const auto index = evaluator().value(*left.args[1]);
    const auto value = evaluator().value(right);
    if (array == m_assignment.end() || !index || !value || index->number < 0 ||
        static_cast<size_t>(index->number) >= array->second.elements.size())
      return false;
    uint64_t& element = array->second.elements[static_cast<size_t>(index->number)];
    const bool isFloat = value->kind == Kind::F32 || value->kind == Kind::F64;
    const uint64_t made = isFloat ? value->bits : static_cast<uint64_t>(value->number);
    const bool changed = element != made;
    element = made;
    return changed;
  }

  const Goal& m_goal;
  const Definitions& m_definitions;
  Assignment& m_assignment;
};

} // namespace

std::optional<Assignment> witnessFrom(const Goal& goal, const Definitions& definitions,
                                      logic::TermStore& store, const CaseModel& model) {
  const Builder builder(store, model);
  Assignment assignment;
  for (const auto& [name, type] : arbitraryVariables(goal)) {
    if (!type)
      return std::nullopt;
    auto value = builder.value(name, *type);
    if (!value)
      return std::nullopt;
    assignment[name] = std::move(*value);
  }
  for (int round = 0; round < rounds; ++round) {
    GoalEvaluator evaluator(goal, definitions, assignment);
    const Context* broken = evaluator.brokenHypothesis();
    if (broken == nullptr)
      return evaluator.falsified() ? std::optional(assignment) : std::nullopt;
    if (!Mender(goal, definitions, assignment).run(*broken))
      return std::nullopt;
  }
  return std::nullopt;
}

} // namespace plumbline::goals
