// The elements of the tensors of one graph, as terms of their flat index.
#pragma once

#include "core/spec/integer_range.h"
#include "core/spec/shape.h"
#include "core/spec/spec.h"

#include <unordered_map>

namespace plumbline::spec {

/// Owned by one denotation. Elements are terms of Var(Int, "i"), the flat index in their own tensor.
class Elements {
public:
  Elements(logic::TermStore& terms, const torch::Graph& graph, Target target = Target::Defined)
      : m_terms(terms), m_graph(graph), m_target(target), m_ranges(terms, graph) {}

  logic::TermStore& terms() { return m_terms; }
  const torch::Graph& graph() const { return m_graph; }
  Target target() const { return m_target; }
  const torch::TensorInfo& info(const std::string& tensor) const {
    const auto stage = m_stageInfo.find(tensor);
    return stage != m_stageInfo.end() ? stage->second : m_graph.tensors.at(tensor);
  }

  /// The index variable.
  logic::TermId index();
  void define(const std::string& tensor, logic::TermId element) { m_elements[tensor] = element; }
  /// The element at the tensor's own index variable. The tensor has been defined.
  logic::TermId own(const std::string& tensor) const { return m_elements.at(tensor); }
  const std::unordered_map<std::string, logic::TermId>& all() const { return m_elements; }
  /// The element at another flat index. Zero choices become those of that element.
  logic::TermId at(const std::string& tensor, logic::TermId index);

  /// A tensor that is computed by a fold: its element is a load of it. Its name is new, or that of a tensor
  /// of the graph.
  void addStage(Stage stage, torch::TensorInfo info);
  const std::vector<Stage>& stages() const { return m_stages; }

  /// What Int terms over the elements can be.
  const IntegerRanges& ranges() const { return m_ranges; }

  /// A condition on the sizes without which an operator is not defined: two of them are equal.
  void assume(logic::TermId fact) { m_facts.push_back(fact); }
  const std::vector<logic::TermId>& facts() const { return m_facts; }

  /// A new choice for the element of the node at the index variable.
  logic::TermId choice(const torch::Node& node, const std::string& op, const std::string& suffix);
  bool isChoice(logic::TermId variable) const { return m_choices.contains(variable); }
  /// The choice behind a Bool variable.
  const ZeroChoice& choiceOf(logic::TermId variable) const { return m_choices.at(variable); }

private:
  logic::TermStore& m_terms;
  const torch::Graph& m_graph;
  Target m_target;
  IntegerRanges m_ranges;
  std::unordered_map<std::string, logic::TermId> m_elements;
  std::unordered_map<logic::TermId, ZeroChoice> m_choices; // by variable
  std::vector<Stage> m_stages;
  std::vector<logic::TermId> m_facts;
  std::unordered_map<std::string, torch::TensorInfo> m_stageInfo;
};

} // namespace plumbline::spec
