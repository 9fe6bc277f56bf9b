// What an Int term can be: PyTorch's int64 wraps around, our Int does not, so that arithmetic on int64
// tensors has a meaning only where no value leaves the type.
#pragma once

#include "core/spec/spec.h"

#include <optional>

namespace plumbline::spec {

/// Both ends belong to it.
struct IntegerRange {
  int64_t low = 0;
  int64_t high = 0;

  bool contains(const IntegerRange& other) const { return low <= other.low && other.high <= high; }
};

/// Ranges by interval arithmetic. The indices and sizes of a graph with symbols are taken to be at most 2^30,
/// or what was captured: the scope in which verdicts are given.
class IntegerRanges {
public:
  IntegerRanges(const logic::TermStore& terms, const torch::Graph& graph) : m_terms(terms), m_graph(graph) {}

  /// The values of an Int term over "i", the flat index of a tensor with that many elements. Nothing where
  /// one of them, or a value on the way, may lie outside int64.
  std::optional<IntegerRange> of(logic::TermId term, logic::TermId numel) const;

  /// Remembers what the elements of an Int stage can be. Other stages have none.
  void addStage(const Stage& stage);
  /// Nothing when it may leave int64, or is no stage.
  std::optional<IntegerRange> ofStage(const std::string& name) const;

private:
  using Range = std::optional<IntegerRange>;
  struct Scope {
    Range index;
    Range step;
    Range accumulator;
  };
  Range evaluate(logic::TermId term, const Scope& scope) const;
  Range leaf(logic::TermId term, const Scope& scope) const;
  Range symbol(const std::string& name) const;
  Range belowCount(logic::TermId count) const;
  Range sum(const Stage& stage, const IntegerRange& start, Scope scope) const;
  std::optional<int64_t> captured(logic::TermId size) const;

  const logic::TermStore& m_terms;
  const torch::Graph& m_graph;
  std::map<std::string, Range> m_stages;
};

} // namespace plumbline::spec
