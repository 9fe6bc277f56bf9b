#include "core/spec/elements.h"

namespace plumbline::spec {

using logic::Op;
using logic::Sort;
using logic::TermId;

TermId Elements::index() {
  return m_terms.var(Sort::Int, indexName);
}

TermId Elements::at(const std::string& tensor, TermId position) {
  const TermId element = own(tensor);
  if (position == index())
    return element;
  std::unordered_map<TermId, TermId> replacement{{index(), position}};
  for (TermId id : m_terms.postOrder(element)) {
    if (m_terms[id].op != Op::Var || m_terms[id].sort != Sort::Bool)
      continue;
    ZeroChoice moved = m_choices.at(id);
    moved.index = m_terms.substitute(moved.index, {{index(), position}});
    moved.variable = moved.base + "[" + m_terms.print(moved.index) + "]";
    const TermId variable = m_terms.var(Sort::Bool, moved.variable);
    m_choices.emplace(variable, std::move(moved));
    replacement.emplace(id, variable);
  }
  return m_terms.substitute(element, replacement);
}

void Elements::addStage(Stage stage, torch::TensorInfo info) {
  const std::string name = stage.tensor.name;
  define(name, m_terms.load(m_terms[stage.init].sort, name, index()));
  m_stageInfo[name] = std::move(info);
  m_ranges.addStage(stage);
  m_stages.push_back(std::move(stage));
}

TermId Elements::choice(const torch::Node& node, const std::string& op, const std::string& suffix) {
  const std::string name = "zero:" + node.name + suffix;
  const TermId variable = m_terms.var(Sort::Bool, name);
  m_choices.emplace(variable, ZeroChoice{name, name, op, node.name, index()});
  return variable;
}

} // namespace plumbline::spec
