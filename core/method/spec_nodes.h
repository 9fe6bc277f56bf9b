// Which graph nodes the terms of a spec come from.
#pragma once

#include "core/gate/problem.h"

namespace plumbline::method {

class SpecNodes {
public:
  /// Denotes every node that the output depends on, in the same store.
  SpecNodes(logic::TermStore& store, const torch::Graph& graph, const gate::Problem& problem, size_t output);

  /// Inputs and nodes that the output depends on, in the graph's order.
  const std::vector<std::string>& needed() const { return m_needed; }
  /// The nodes whose element at the flat index this term is; empty: none.
  const std::vector<std::string>& exactly(logic::TermId term) const;
  /// The first node whose element contains the term; empty: none.
  const std::string& owner(logic::TermId term) const;

private:
  std::vector<std::string> m_needed;
  std::unordered_map<logic::TermId, std::vector<std::string>> m_exact;
  std::unordered_map<logic::TermId, std::string> m_owner;
};

} // namespace plumbline::method
