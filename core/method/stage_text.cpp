#include "core/method/stage_text.h"

#include "core/method/imports.h"
#include "core/method/refusal.h"
#include "core/method/scalar_text.h"
#include "core/method/size_text.h"
#include "core/velvet/names.h"
#include "core/velvet/printer.h"

#include <algorithm>
#include <set>

namespace plumbline::method {

using logic::Op;
using logic::Sort;
using logic::TermId;
using velvet::Bracket;
using velvet::ExprPtr;

namespace {

/// What a definition takes besides the index.
struct Parameters {
  std::set<std::string> choices; ///< by base
  std::set<std::string> sizes;
  std::set<std::string> tensors; ///< inputs of the spec

  void add(const Parameters& other) {
    choices.insert(other.choices.begin(), other.choices.end());
    sizes.insert(other.sizes.begin(), other.sizes.end());
    tensors.insert(other.tensors.begin(), other.tensors.end());
  }
};

std::string leanType(Sort sort) {
  return sort == Sort::Bool ? "Bool" : sort == Sort::Int ? "Int" : "S";
}

Sort sortOf(torch::DType dtype) {
  return dtype == torch::DType::Bool ? Sort::Bool : dtype == torch::DType::I64 ? Sort::Int : Sort::F32;
}

/// Names and parameters of everything in one document.
struct Names {
  velvet::NameScope scope;
  std::map<std::string, std::string> sizes;
  std::map<std::string, std::string> tensors;
  std::map<std::string, Sort> tensorSorts;
  std::map<std::string, const spec::ZeroChoice*> choices; ///< by variable
  std::map<std::string, std::string> choiceNames;         ///< by base
  std::map<std::string, std::string> stages;
  std::map<std::string, Parameters> stageParameters;
  std::string index;
  std::string step;
  std::string accumulator;

  std::vector<ExprPtr> arguments(const Parameters& parameters) const {
    std::vector<ExprPtr> result;
    result.reserve(parameters.choices.size() + parameters.sizes.size() + parameters.tensors.size());
    for (const std::string& choice : parameters.choices)
      result.push_back(velvet::name(choiceNames.at(choice)));
    for (const std::string& size : parameters.sizes)
      result.push_back(velvet::name(sizes.at(size)));
    for (const std::string& tensor : parameters.tensors)
      result.push_back(velvet::name(tensors.at(tensor)));
    return result;
  }

  std::vector<velvet::Binder> binders(const Parameters& parameters) const {
    std::vector<velvet::Binder> result{{"S", "Type", Bracket::Curly, {}},
                                       {"", "Inhabited S", Bracket::Square, {}},
                                       {"", "Plumbline.Scalar S", Bracket::Square, {}}};
    for (const std::string& choice : parameters.choices)
      result.push_back({choiceNames.at(choice), "Int → Bool", Bracket::Round, {}});
    for (const std::string& size : parameters.sizes)
      result.push_back({sizes.at(size), "Int", Bracket::Round, {}});
    for (const std::string& tensor : parameters.tensors)
      result.push_back({tensors.at(tensor), "Array " + leanType(tensorSorts.at(tensor)), Bracket::Round, {}});
    result.push_back({index, "Nat", Bracket::Round, {}});
    return result;
  }
};

/// Writes the terms of one definition, and collects what they need.
class DefinitionText : public ScalarText {
public:
  DefinitionText(const logic::TermStore& store, const Names& names, std::span<const TermId> roots)
      : ScalarText(store), m_names(names), m_scope(names.scope) {
    for (TermId id : store.postOrder(roots)) {
      for (TermId arg : store[id].args)
        ++m_uses[arg];
      need(id);
    }
  }

  const Parameters& parameters() const { return m_parameters; }

  /// A line for every term of `root` that is used more than once.
  void addLets(velvet::Definition& definition, TermId root) {
    for (TermId id : store().postOrder(root)) {
      const logic::Term& term = store()[id];
      if (id == root || hasName(id) || term.args.empty() || m_uses[id] < 2)
        continue;
      velvet::Let let{m_scope.fresh("t"), leanType(term.sort), value(id), {}};
      setName(id, let.name);
      definition.lets.push_back(std::move(let));
    }
  }

private:
  void need(TermId id) {
    const logic::Term& term = store()[id];
    const std::string& symbol = store().symbolText(id);
    if (term.op == Op::Load) {
      if (const auto stage = m_names.stageParameters.find(symbol); stage != m_names.stageParameters.end())
        m_parameters.add(stage->second);
      else
        m_parameters.tensors.insert(symbol);
    } else if (term.op == Op::Var && m_names.sizes.contains(symbol)) {
      m_parameters.sizes.insert(symbol);
    } else if (const auto choice = m_names.choices.find(symbol);
               term.op == Op::Var && choice != m_names.choices.end()) {
      m_parameters.choices.insert(choice->second->base);
      for (TermId part : store().postOrder(choice->second->index))
        need(part);
    }
  }

  ExprPtr variable(TermId id) const override {
    const std::string& symbol = store().symbolText(id);
    if (const auto size = m_names.sizes.find(symbol); size != m_names.sizes.end())
      return velvet::name(size->second);
    if (const auto choice = m_names.choices.find(symbol); choice != m_names.choices.end())
      return velvet::apply(m_names.choiceNames.at(choice->second->base), {value(choice->second->index)});
    if (symbol == spec::indexName)
      return velvet::ascribe(velvet::name(m_names.index), "Int");
    if (symbol == spec::stepName)
      return velvet::name(m_names.step);
    if (symbol == spec::accumulatorName)
      return velvet::name(m_names.accumulator);
    refuse("method-spec", "the variable '" + symbol + "' of the module");
  }

  ExprPtr load(TermId id) const override {
    const TermId position = store()[id].args[0];
    const std::string& symbol = store().symbolText(id);
    const bool own = store()[position].op == Op::Var && store().symbolText(position) == spec::indexName;
    const ExprPtr index = own ? velvet::name(m_names.index) : asIndex(value(position));
    const auto stage = m_names.stages.find(symbol);
    if (stage == m_names.stages.end())
      return velvet::element(velvet::name(m_names.tensors.at(symbol)), index);
    std::vector<ExprPtr> arguments = m_names.arguments(m_names.stageParameters.at(symbol));
    arguments.push_back(index);
    return velvet::apply(stage->second, std::move(arguments));
  }

  const Names& m_names;
  velvet::NameScope m_scope;
  std::unordered_map<TermId, int> m_uses;
  Parameters m_parameters;
};

/// Writes one document.
class StageWriter {
public:
  StageWriter(const logic::TermStore& store, const spec::Spec& spec) : m_store(store), m_spec(spec) {}

  velvet::Document run() {
    reserveNames();
    for (const spec::Stage& stage : m_spec.stages)
      addStage(stage);
    for (const spec::SpecOutput& output : m_spec.outputs)
      addOutput(output);
    std::vector<velvet::Item> imports = importItems(usedModules(m_document), false);
    m_document.items.insert(m_document.items.begin(), std::make_move_iterator(imports.begin()),
                            std::make_move_iterator(imports.end()));
    return std::move(m_document);
  }

private:
  void reserveNames() {
    for (const spec::SpecInput& input : m_spec.inputs) {
      m_names.tensors[input.tensor.name] = m_names.scope.fresh(input.tensor.name);
      m_names.tensorSorts[input.tensor.name] = sortOf(input.tensor.dtype);
    }
    for (const auto& [symbol, range] : m_spec.symbols)
      m_names.sizes[symbol] = m_names.scope.fresh(symbol);
    for (const spec::ZeroChoice& choice : m_spec.choices) {
      m_names.choices[choice.variable] = &choice;
      if (!m_names.choiceNames.contains(choice.base))
        m_names.choiceNames[choice.base] = m_names.scope.fresh(choice.base);
    }
    for (const spec::Stage& stage : m_spec.stages)
      m_names.stages[stage.tensor.name] = m_names.scope.fresh(stage.tensor.name);
    m_names.index = m_names.scope.fresh("i");
    m_names.step = m_names.scope.fresh("k");
    m_names.accumulator = m_names.scope.fresh("acc");
  }

  static void setValue(velvet::Definition& definition, DefinitionText& text, TermId root) {
    text.addLets(definition, root);
    definition.value = text.value(root);
  }

  void addStage(const spec::Stage& stage) {
    const std::string& name = m_names.stages.at(stage.tensor.name);
    const TermId ends[] = {stage.count, stage.init};
    DefinitionText stepText(m_store, m_names, std::span(&stage.next, 1));
    DefinitionText foldText(m_store, m_names, ends);
    Parameters parameters = stepText.parameters();
    parameters.add(foldText.parameters());
    velvet::Definition step;
    step.name = m_names.scope.fresh(name + "_step");
    step.doc =
        "One step of " + name + " (" + std::string(spec::name(stage.kind)) + ", node " + stage.node + ").";
    step.type = leanType(m_store[stage.init].sort);
    step.binders = m_names.binders(parameters);
    step.binders.push_back({m_names.step, "Int", Bracket::Round, {}});
    step.binders.push_back({m_names.accumulator, step.type, Bracket::Round, {}});
    setValue(step, stepText, stage.next);

    velvet::Definition fold;
    fold.name = name;
    fold.doc = "The element with flat index i of " + stage.tensor.name + ".";
    fold.type = step.type;
    fold.binders = m_names.binders(parameters);
    foldText.addLets(fold, stage.count);
    std::vector<ExprPtr> arguments = m_names.arguments(parameters);
    arguments.push_back(velvet::name(m_names.index));
    fold.value = velvet::apply("Plumbline.fold",
                               {foldText.value(stage.init), velvet::apply(step.name, std::move(arguments)),
                                asIndex(foldText.value(stage.count))});
    m_names.stageParameters[stage.tensor.name] = std::move(parameters);
    m_document.items.emplace_back(std::move(step));
    m_document.items.emplace_back(std::move(fold));
  }

  void addOutput(const spec::SpecOutput& output) {
    DefinitionText text(m_store, m_names, std::span(&output.element, 1));
    velvet::Definition definition;
    definition.name = m_names.scope.fresh("spec_" + output.tensor.name);
    definition.doc = "The element with flat index i of the output " + output.tensor.name + ".";
    definition.type = leanType(m_store[output.element].sort);
    definition.binders = m_names.binders(text.parameters());
    setValue(definition, text, output.element);
    m_document.items.emplace_back(std::move(definition));
  }

  const logic::TermStore& m_store;
  const spec::Spec& m_spec;
  Names m_names;
  velvet::Document m_document;
};

} // namespace

Expected<velvet::Document> leanDocument(const logic::TermStore& store, const spec::Spec& spec) {
  try {
    return StageWriter(store, spec).run();
  } catch (const Refused& refused) {
    return fail(ErrorKind::Rejected, refused.rejection.id, refused.rejection.construct + " has no Lean text",
                "");
  }
}

Expected<std::string> leanText(const logic::TermStore& store, const spec::Spec& spec) {
  Expected<velvet::Document> document = leanDocument(store, spec);
  if (!document)
    return fail(document.error());
  return velvet::print(*document, velvet::Dialect::Velvet2).text;
}

} // namespace plumbline::method
