#include "core/method/array_text.h"

#include "core/gate/bind.h"
#include "core/ir/integer_ops.h"
#include "core/method/contract.h"
#include "core/method/expressions.h"
#include "core/method/lean_names.h"
#include "core/method/refusal.h"
#include "core/method/size_text.h"

namespace plumbline::method {

using ir::ArraySpace;
using ir::ArrayVariable;
using ir::ScalarType;
using velvet::ExprPtr;

namespace {

const ir::Function& kernelOf(const gate::Problem& problem) {
  return problem.module->functions[static_cast<size_t>(problem.kernel->function)];
}

/// What the kernel reads and writes there: the declared type, or the one that a cast of it names.
ScalarType elementOf(const ir::Function& function, int index) {
  const ArrayVariable& array = function.arrays[static_cast<size_t>(index)];
  if (!array.extents.empty())
    return array.element;
  auto pointsThere = [&](auto&& self, ir::ExprId id) -> bool {
    const ir::Expr& expr = function[id];
    if (expr.kind == ir::ExprKind::Array)
      return expr.array == index;
    return (expr.kind == ir::ExprKind::PointerAdd || expr.kind == ir::ExprKind::PointerCast) &&
           self(self, expr.args[0]);
  };
  for (const ir::Expr& expr : function.exprs)
    if (expr.kind == ir::ExprKind::PointerCast && pointsThere(pointsThere, expr.args[0]))
      return expr.type.scalar;
  return array.element;
}

ExprPtr cellText(ScalarType type, uint64_t bits, const SourceRange& where) {
  if (ir::isFloat(type))
    return floatConstant(type, bits);
  if (type == ScalarType::Bool)
    return velvet::name(bits != 0 ? "true" : "false");
  const int64_t value = ir::wrapTo(type, static_cast<int64_t>(bits));
  if (type == ScalarType::U64 && value < 0)
    refuse("large-literal", "a constant above 2^63 - 1", where);
  return velvet::number(value);
}

} // namespace

void nameArrays(const gate::Problem& problem, const BlockPlan& plan, Environment& environment) {
  const ir::Function& function = kernelOf(problem);
  for (size_t i = 0; i < function.arrays.size(); ++i) {
    const ArrayVariable& array = function.arrays[i];
    ArrayText text;
    text.element = elementOf(function, static_cast<int>(i));
    text.perThread = plan.perThreadArrays.contains(static_cast<int>(i));
    if (array.space == ArraySpace::Constant) {
      text.name = environment.fresh(velvet::identifierFrom(array.name));
    } else {
      text.name = environment.names.fresh(array.name);
      text.entry = environment.names.fresh(array.name + "In");
    }
    environment.arrays.push_back(std::move(text));
  }
  if (plan.hasBarriers)
    environment.thread = environment.names.fresh("g_thread");
}

std::vector<velvet::Binder> arrayParameters(const gate::Problem& problem, const Environment& environment) {
  std::vector<velvet::Binder> result;
  for (size_t i = 0; i < environment.arrays.size(); ++i)
    if (const ArrayText& text = environment.arrays[i]; !text.entry.empty())
      result.push_back({text.entry,
                        "Array " + leanType(text.element),
                        velvet::Bracket::Round,
                        {{kernelOf(problem).arrays[i].where}, {}, true}});
  return result;
}

namespace {

ExprPtr lengthText(logic::TermStore& store, const gate::Problem& problem, const Environment& environment,
                   size_t index) {
  const ArrayVariable& array = kernelOf(problem).arrays[index];
  const ArrayText& text = environment.arrays[index];
  if (!array.extents.empty()) {
    ExprPtr length = velvet::number(array.length());
    for (const Axis& axis : environment.axes)
      if (text.perThread && !axis.blockDim.empty())
        length = velvet::binary(velvet::BinaryOp::Multiply, length,
                                velvet::ascribe(velvet::name(axis.blockDim), "Int"));
    return length;
  }
  const ir::SizeExprPtr& bytes = problem.contract.sharedBytes;
  if (!bytes)
    return velvet::number(0);
  const Expected<logic::TermId> term =
      gate::sizeExprTerm(store, *bytes, [&](const std::string& name) -> std::optional<logic::TermId> {
        const auto found = problem.contractSymbols.find(name);
        return found != problem.contractSymbols.end() ? std::optional(found->second) : std::nullopt;
      });
  if (!term)
    refuse("method-spec", "the shared memory of the launch, " + ir::print(*bytes), array.where);
  const ExprPtr count =
      intText(store, *term, [&](const std::string& name) { return sizeVariable(environment, name); });
  return velvet::apply("Plumbline.cDiv", {count, velvet::number(ir::byteSize(text.element))});
}

std::string whatText(const ArrayVariable& array) {
  if (array.extents.empty())
    return "dynamic shared memory of the launch, " + placeText(array.where);
  return (array.space == ArraySpace::Shared ? "shared array " : "array of a thread, ") + array.name + ", " +
         placeText(array.where);
}

} // namespace

std::vector<velvet::Clause> arraySizes(logic::TermStore& store, const gate::Problem& problem,
                                       Environment& environment) {
  std::vector<velvet::Clause> result;
  for (size_t i = 0; i < environment.arrays.size(); ++i) {
    const ArrayText& text = environment.arrays[i];
    if (text.entry.empty())
      continue;
    const ArrayVariable& array = kernelOf(problem).arrays[i];
    const ExprPtr size = velvet::ascribe(velvet::field(velvet::name(text.entry), "size"), "Int");
    const ExprPtr length = lengthText(store, problem, environment, i);
    result.push_back({environment.fresh(text.entry + "_size"),
                      velvet::binary(velvet::BinaryOp::Equal, size, length),
                      {{array.where}, {}, true},
                      "elements of the " + whatText(array) + "; any contents"});
  }
  return result;
}

std::vector<velvet::Definition> arrayDefinitions(const gate::Problem& problem,
                                                 const Environment& environment) {
  std::vector<velvet::Definition> result;
  for (size_t i = 0; i < environment.arrays.size(); ++i) {
    const ArrayText& text = environment.arrays[i];
    if (!text.entry.empty())
      continue;
    const ArrayVariable& array = kernelOf(problem).arrays[i];
    velvet::Definition made;
    made.name = text.name;
    made.doc = "Constant array " + array.name + ", " + placeText(array.where) + ".";
    made.type = "Array " + leanType(text.element);
    std::vector<ExprPtr> cells;
    cells.reserve(array.cells.size());
    for (uint64_t bits : array.cells)
      cells.push_back(cellText(array.element, bits, array.where));
    made.value = velvet::arrayOf(std::move(cells));
    made.origin = made.valueOrigin = {{array.where}, {}, true};
    result.push_back(std::move(made));
  }
  return result;
}

} // namespace plumbline::method
