// Operators that write into an argument. One whose old value nobody reads again means what the operator
// without the write means.
#pragma once

#include "core/torch/graph.h"

#include <set>

namespace plumbline::spec {

/// Which writes of a graph matter. Tensors that may share memory are taken together; an operator that is not
/// known to make a new tensor may return a part of its arguments.
class Writes {
public:
  /// `needed`: the tensors that the outputs depend on. The graph outlives it.
  Writes(const torch::Graph& graph, const std::set<std::string>& needed);
  /// Why the node cannot be read as one that writes nothing; empty when it can.
  std::string problem(const torch::Node& node) const;

private:
  /// Tensors that may share memory.
  struct Group {
    bool hasInput = false;
    size_t lastRead = 0; ///< position of a node, counted from 1; of an output, one more than all nodes
  };
  size_t groupOf(const std::string& tensor);
  size_t join(size_t a, size_t b);
  void readTensors(const std::set<std::string>& needed);
  void visit(const torch::Node& node, size_t position);

  const torch::Graph& m_graph;
  std::map<std::string, size_t> m_lastRead; ///< by tensor
  std::map<std::string, size_t> m_groups;   ///< by tensor
  std::vector<size_t> m_parents;            ///< of a group, itself when it stands for others
  std::vector<Group> m_info;
  std::map<const torch::Node*, std::string> m_problems;
};

/// The node of the operator that makes a new tensor: "aten.relu.default" for "aten.relu_.default".
torch::Node withoutWrite(const torch::Node& node);

} // namespace plumbline::spec
