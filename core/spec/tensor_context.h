// What the denotation of an operator works with that is no function of single elements: shapes, coordinates,
// folds.
#pragma once

#include "core/spec/node_context.h"

namespace plumbline::spec {

/// Coordinates of an element, Int terms, outermost first.
using Index = std::vector<logic::TermId>;

/// A fold to be made a stage. `term` is over "i" (the stage's own flat index) and "k".
struct Fold {
  Shape shape;
  FoldKind kind = FoldKind::Sum;
  logic::TermId count{};
  logic::TermId term{}; ///< under General: the next accumulator
  std::optional<logic::TermId> guard = std::nullopt;
  std::optional<logic::TermId> init = std::nullopt; ///< by default +0, 1, -inf, +inf; General needs one
};

/// One result of the node.
struct TensorResult {
  Shape shape;
  logic::TermId element{}; ///< over "i"
};

/// Lives while one node is denoted; the first error sticks, see NodeContext.
class TensorContext : public NodeContext {
public:
  using NodeContext::NodeContext;
  using NodeContext::number;

  // --- arguments ---
  /// Name of a tensor argument; empty after an error.
  std::string tensor(const std::string& name);
  /// The same; any dtype but float32 is refused.
  std::string f32Tensor(const std::string& name);
  /// Nothing when it is None.
  std::optional<std::string> optionalTensor(const std::string& name);
  std::vector<std::string> tensorList(const std::string& name);
  torch::DType dtypeOfTensor(const std::string& tensor) { return elements().info(tensor).dtype; }
  /// Whether the tensors are of one dtype; refuses them otherwise.
  bool haveOneDtype(const std::vector<std::string>& tensors);
  /// Recorded shape of a tensor, or of a stage.
  const Shape& shapeOf(const std::string& tensor);
  int64_t integer(const std::string& name);
  std::optional<int64_t> optionalInteger(const std::string& name);
  bool flag(const std::string& name);
  std::string text(const std::string& name);
  /// An int[] with known values; a single number stands for a list of one.
  std::vector<int64_t> integers(const std::string& name);
  /// The same with exactly `count` entries, a single one repeated; an empty list gives `otherwise` (stride of
  /// a pooling).
  std::vector<int64_t> integers(const std::string& name, size_t count,
                                const std::vector<int64_t>& otherwise = {});
  /// A SymInt[] or int[].
  Shape sizes(const std::string& name);
  /// A SymInt or int.
  ir::SizeExprPtr size(const std::string& name);
  /// 0 <= result < rank; negative ones count from the end; a scalar tensor has one imaginary dimension.
  size_t dimension(int64_t value, size_t rank);
  size_t dimension(const std::string& name, size_t rank);
  /// Two sizes that are equal wherever the operator is defined. Where they differ as expressions but not in
  /// the captured sizes, that they are equal becomes a fact of the spec; else stops with "shape-mismatch".
  void requireSame(const ir::SizeExprPtr& a, const ir::SizeExprPtr& b, const std::string& what);
  /// A size with which the definition is exact only up to `most`: that becomes a fact of the spec.
  void requireAtMost(const ir::SizeExprPtr& size, int64_t most);
  /// The common shape of tensors that are stretched to it; stops when there is none.
  Shape broadcastShape(const Shape& a, const Shape& b);
  /// The dimensions of an int[]? argument, sorted; all when it is None or empty.
  std::vector<size_t> dimensions(const std::string& name, size_t rank);

  // --- coordinates and values ---
  logic::TermId number(int64_t value) { return terms().integer(value); }
  logic::TermId term(const ir::SizeExprPtr& size) { return sizeTerm(terms(), *size); }
  logic::TermId numel(const Shape& shape) { return numelTerm(terms(), shape); }
  logic::TermId step() { return terms().var(logic::Sort::Int, stepName); }
  logic::TermId accumulator(logic::Sort sort) { return terms().var(sort, accumulatorName); }
  /// Coordinates of the element with flat index "i" in a tensor of the shape.
  Index coordinates(const Shape& shape);
  /// Coordinates of the element with the given flat index.
  Index coordinates(const Shape& shape, logic::TermId flat);
  /// Coordinates in a tensor of shape `from` that is stretched to a shape with the coordinates `to`.
  Index stretched(const Shape& from, const Index& to);
  /// The flat index; that of `coordinates(shape)` is "i" again, or 0 where there is but one element.
  logic::TermId flatIndex(const Shape& shape, const Index& index);
  /// The element of a tensor or stage.
  logic::TermId at(const std::string& tensor, const Index& index);
  /// The same as F32: truth values are 1 and 0.
  logic::TermId f32At(const std::string& tensor, const Index& index);
  /// The same as Int, of a tensor of integers or truth values.
  logic::TermId integerAt(const std::string& tensor, const Index& index);
  /// The element of a tensor at coordinates of which number `dimension` was computed from data (a class, an
  /// index). Outside the tensor it has no value: evaluation ends in an error, as PyTorch's does.
  logic::TermId gatherAt(const std::string& tensor, const Index& index, size_t dimension);
  /// The element of a tensor where `exists` holds; elsewhere it has no value.
  logic::TermId atIf(logic::TermId exists, const std::string& tensor, const Index& index);
  /// An integer that has no value.
  logic::TermId nowhere() { return terms().idiv(number(0), number(0)); }
  /// 0 <= value < size, as a Bool term.
  logic::TermId inside(logic::TermId value, logic::TermId size);
  logic::TermId largest(logic::TermId a, logic::TermId b);
  logic::TermId smallest(logic::TermId a, logic::TermId b);

  // --- results ---
  /// Adds a stage named after the node and the suffix, and returns its name.
  std::string fold(const std::string& suffix, const Fold& fold);
  /// Result number `k`; every result that the graph uses must be given.
  void result(size_t k, Shape shape, logic::TermId element);
  void result(Shape shape, logic::TermId element) { result(0, std::move(shape), element); }
  /// Result number `k` is the fold itself.
  void resultFold(size_t k, const Fold& fold);
  /// The only result is the sum of integers; refused where it may leave int64.
  void resultIntegerSum(const Shape& shape, logic::TermId count, logic::TermId term);
  const std::vector<std::optional<TensorResult>>& results() const { return m_results; }

private:
  /// The number itself, or an error and 1 when it is out of any reasonable range.
  int64_t moderate(int64_t value, const std::string& name);
  logic::TermId combine(const std::string& suffix, const Fold& fold, logic::TermId accumulator);
  logic::TermId extreme(const std::string& suffix, const Fold& fold, logic::TermId accumulator);
  logic::TermId defaultInit(FoldKind kind);

  std::vector<std::optional<TensorResult>> m_results;
};

} // namespace plumbline::spec
