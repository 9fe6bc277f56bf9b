#include "core/method/operator_text.h"

#include "core/method/refusal.h"
#include "core/method/scalar_text.h"
#include "core/spec/op_table.h"
#include "core/spec/operators.h"
#include "core/spec/spec.h"
#include "core/velvet/names.h"
#include "core/velvet/printer.h"

#include <algorithm>
#include <map>

namespace plumbline::method {

using logic::Op;
using logic::TermId;
using velvet::Bracket;
using velvet::ExprPtr;

namespace {

constexpr const char* resultName = "out";
constexpr const char* sizeName = "n";

/// Lean has functions of these names, whose meaning differs between versions.
std::string variableName(const std::string& name) {
  return name == "max" || name == "min" ? name + "_arg" : name;
}

/// Arguments that are truth values.
bool isMask(const std::string& name) {
  return name == "condition" || name == "mask";
}

/// A program of this one operator; arguments with a default are left out.
torch::Graph graphOf(const spec::OpSchema& schema, torch::DType result) {
  torch::Graph graph;
  const torch::TensorInfo floats{torch::DType::F32, {*ir::parseSizeExpr(sizeName)}, true};
  graph.symbols[sizeName] = {2, std::nullopt};
  torch::Node node{resultName, schema.target, {}, {resultName}};
  for (const spec::OpParameter& parameter : schema.parameters) {
    if (parameter.defaultValue)
      continue;
    graph.inputs.push_back({parameter.name, torch::InputKind::User, ""});
    graph.tensors[parameter.name] = floats;
    if (isMask(parameter.name))
      graph.tensors[parameter.name].dtype = torch::DType::Bool;
    node.inputs.push_back({parameter.name, torch::TensorRef{parameter.name}});
  }
  graph.tensors[resultName] = floats;
  graph.tensors[resultName].dtype = result;
  graph.nodes.push_back(std::move(node));
  graph.outputs = {resultName};
  return graph;
}

/// Writes the element of such a program.
class ElementText : public ScalarText {
public:
  ElementText(const logic::TermStore& store, const spec::Spec& spec) : ScalarText(store) {
    for (const spec::SpecInput& input : spec.inputs)
      m_inputs[input.tensor.name] = m_scope.fresh(variableName(input.tensor.name));
    for (const spec::ZeroChoice& choice : spec.choices)
      m_choices[choice.variable] = m_scope.fresh("zero");
    for (TermId id : store.postOrder(spec.outputs[0].element))
      for (TermId arg : store[id].args)
        ++m_uses[arg];
  }

  /// A line for every term that is used more than once.
  void addLets(velvet::Definition& definition, TermId root) {
    for (TermId id : store().postOrder(root)) {
      const logic::Term& term = store()[id];
      if (id == root || term.args.empty() || m_uses[id] < 2 || term.op == Op::Load)
        continue;
      velvet::Let let{m_scope.fresh("t"), term.sort == logic::Sort::Bool ? "Bool" : "S", value(id), {}};
      setName(id, let.name);
      definition.lets.push_back(std::move(let));
    }
  }

  std::vector<velvet::Binder> binders(const spec::Spec& spec) const {
    std::vector<velvet::Binder> result{{"S", "Type", Bracket::Curly, {}},
                                       {"", "Plumbline.Scalar S", Bracket::Square, {}}};
    for (const spec::ZeroChoice& choice : spec.choices)
      result.push_back({m_choices.at(choice.variable), "Bool", Bracket::Round, {}});
    for (const spec::SpecInput& input : spec.inputs)
      result.push_back({m_inputs.at(input.tensor.name),
                        input.tensor.dtype == torch::DType::Bool ? "Bool" : "S",
                        Bracket::Round,
                        {}});
    return result;
  }

private:
  ExprPtr variable(TermId id) const override {
    if (const auto choice = m_choices.find(store().symbolText(id)); choice != m_choices.end())
      return velvet::name(choice->second);
    refuse("method-spec", "an operator whose element depends on its place");
  }

  ExprPtr load(TermId id) const override {
    const logic::Term& index = store()[store()[id].args[0]];
    if (index.op != Op::Var || store().symbolText(index.symbol) != spec::indexName)
      refuse("method-spec", "an operator that reads another element");
    return velvet::name(m_inputs.at(store().symbolText(id)));
  }

  velvet::NameScope m_scope;
  std::map<std::string, std::string> m_inputs;
  std::map<std::string, std::string> m_choices; ///< by variable
  std::map<TermId, int> m_uses;
};

std::string definitionName(std::string_view target) {
  std::string text(target.substr(std::string_view("aten.").size()));
  if (const size_t end = text.rfind(".default"); end != std::string::npos)
    text.resize(end);
  std::ranges::replace(text, '.', '_');
  return "op_" + text;
}

std::optional<velvet::Definition> definitionOf(const spec::OpSchema& schema, torch::DType result) {
  logic::TermStore store;
  const Expected<spec::Spec> spec = spec::denote(store, graphOf(schema, result));
  if (!spec || spec->inputs.empty())
    return std::nullopt;
  try {
    ElementText text(store, *spec);
    velvet::Definition definition;
    definition.name = definitionName(schema.target);
    definition.binders = text.binders(*spec);
    definition.type = result == torch::DType::Bool ? "Bool" : "S";
    const TermId element = spec->outputs[0].element;
    text.addLets(definition, element);
    definition.value = text.value(element);
    return definition;
  } catch (const Refused&) {
    return std::nullopt;
  }
}

} // namespace

std::vector<OperatorDefinition> operatorsOnElements() {
  std::vector<OperatorDefinition> made;
  for (const spec::Operator& row : spec::allOperators()) {
    const spec::OpSchema* schema = spec::findSchema(row.target);
    if (schema == nullptr || row.shape != spec::ShapeRule::Broadcast)
      continue;
    for (const torch::DType result : {torch::DType::F32, torch::DType::Bool})
      if (std::optional<velvet::Definition> definition = definitionOf(*schema, result)) {
        made.push_back({schema->target, *std::move(definition)});
        break;
      }
  }
  return made;
}

std::string operatorDefinitions() {
  std::string text;
  for (OperatorDefinition& made : operatorsOnElements()) {
    made.definition.doc = made.target;
    velvet::Document document;
    document.items.emplace_back(std::move(made.definition));
    text += (text.empty() ? "" : "\n") + velvet::print(document, velvet::Dialect::Velvet2).text;
  }
  return text;
}

} // namespace plumbline::method
