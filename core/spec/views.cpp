// Operators that move elements and compute nothing.
#include "core/spec/tensor_operators.h"

#include <algorithm>
#include <numeric>

namespace plumbline::spec {
namespace {

using ir::SizeExpr;
using ir::SizeExprPtr;
using logic::TermId;

SizeExprPtr product(const Shape& shape) {
  SizeExprPtr result = ir::sizeConstant(1);
  for (const SizeExprPtr& size : shape)
    result = isOne(result) ? size : ir::sizeBinary(SizeExpr::Kind::Mul, result, size);
  return result;
}

/// The dimension written -1 takes what the others leave.
void fillOpenDimension(Shape& shape, const Shape& from) {
  const auto isOpen = [](const SizeExprPtr& size) {
    return size->kind == SizeExpr::Kind::Constant && size->value == -1;
  };
  const auto open = std::find_if(shape.begin(), shape.end(), isOpen);
  if (open == shape.end())
    return;
  Shape others(shape.begin(), open);
  others.insert(others.end(), open + 1, shape.end());
  *open = ir::sizeBinary(SizeExpr::Kind::Div, product(from), product(others));
}

/// The same elements in the same order under another shape.
void reshapeTo(TensorContext& c, Shape shape) {
  fillOpenDimension(shape, c.shapeOf(c.tensor("self")));
  c.result(std::move(shape), c.flat("self"));
}

void view(TensorContext& c) {
  reshapeTo(c, c.sizes("size"));
}

void reshape(TensorContext& c) {
  reshapeTo(c, c.sizes("shape"));
}

void flatten(TensorContext& c) {
  const Shape& from = c.shapeOf(c.tensor("self"));
  const size_t first = c.dimension("start_dim", from.size());
  const size_t last = c.dimension("end_dim", from.size());
  if (first > last)
    c.unsupported("start_dim lies after end_dim");
  Shape shape(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(std::min(first, from.size())));
  if (!c.error() && !from.empty()) {
    shape.push_back(product(Shape(from.begin() + static_cast<std::ptrdiff_t>(first),
                                  from.begin() + static_cast<std::ptrdiff_t>(last) + 1)));
    shape.insert(shape.end(), from.begin() + static_cast<std::ptrdiff_t>(last) + 1, from.end());
  } else if (from.empty()) {
    shape.push_back(ir::sizeConstant(1));
  }
  c.result(std::move(shape), c.flat("self"));
}

void unsqueeze(TensorContext& c) {
  Shape shape = c.shapeOf(c.tensor("self"));
  const size_t at = c.dimension("dim", shape.size() + 1);
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(at), ir::sizeConstant(1));
  c.result(std::move(shape), c.flat("self"));
}

void squeezeDimensions(TensorContext& c, const std::vector<size_t>& dimensions) {
  Shape shape;
  const Shape& from = c.shapeOf(c.tensor("self"));
  for (size_t k = 0; k < from.size(); ++k)
    if (!isOne(from[k]) || std::find(dimensions.begin(), dimensions.end(), k) == dimensions.end())
      shape.push_back(from[k]);
  c.result(std::move(shape), c.flat("self"));
}

void squeeze(TensorContext& c) {
  std::vector<size_t> all(c.shapeOf(c.tensor("self")).size());
  std::iota(all.begin(), all.end(), size_t{0});
  squeezeDimensions(c, all);
}

void squeezeDim(TensorContext& c) {
  squeezeDimensions(c, {c.dimension("dim", c.shapeOf(c.tensor("self")).size())});
}

void squeezeDims(TensorContext& c) {
  squeezeDimensions(c, c.dimensions("dim", c.shapeOf(c.tensor("self")).size()));
}

/// Result dimension k is dimension order[k] of self.
void permuteTo(TensorContext& c, const std::vector<size_t>& order) {
  const std::string self = c.tensor("self");
  const Shape& from = c.shapeOf(self);
  Shape shape;
  for (size_t k : order)
    shape.push_back(from[k]);
  const Index to = c.coordinates(shape);
  Index index(from.size());
  for (size_t k = 0; k < order.size(); ++k)
    index[order[k]] = to[k];
  const TermId element = c.at(self, index);
  c.result(std::move(shape), element);
}

void permute(TensorContext& c) {
  const size_t rank = c.shapeOf(c.tensor("self")).size();
  std::vector<size_t> order;
  for (int64_t each : c.integers("dims"))
    order.push_back(c.dimension(each, rank));
  std::vector<size_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  if (order.size() != rank || std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end()) {
    c.unsupported("dims is no permutation of the dimensions");
    return;
  }
  permuteTo(c, order);
}

std::vector<size_t> inOrder(size_t rank) {
  std::vector<size_t> order(rank);
  std::iota(order.begin(), order.end(), size_t{0});
  return order;
}

void swapDimensions(TensorContext& c, size_t a, size_t b) {
  std::vector<size_t> order = inOrder(c.shapeOf(c.tensor("self")).size());
  if (!order.empty())
    std::swap(order[a], order[b]);
  permuteTo(c, order);
}

void swapAxes(TensorContext& c) {
  const size_t rank = c.shapeOf(c.tensor("self")).size();
  const size_t a = c.dimension("axis0", rank);
  swapDimensions(c, a, c.dimension("axis1", rank));
}

void moveDimension(TensorContext& c) {
  std::vector<size_t> order = inOrder(c.shapeOf(c.tensor("self")).size());
  const size_t from = c.dimension("source", order.size());
  const size_t to = c.dimension("destination", order.size());
  if (!order.empty()) {
    order.erase(order.begin() + static_cast<std::ptrdiff_t>(from));
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(to), from);
  }
  permuteTo(c, order);
}

void transpose(TensorContext& c) {
  const size_t rank = c.shapeOf(c.tensor("self")).size();
  swapDimensions(c, c.dimension("dim0", rank), c.dimension("dim1", rank));
}

void matrixTranspose(TensorContext& c) {
  const size_t rank = c.shapeOf(c.tensor("self")).size();
  if (rank > 2)
    c.unsupported("a tensor with more than two dimensions");
  else
    swapDimensions(c, 0, rank > 0 ? rank - 1 : 0);
}

void reverseDimensions(TensorContext& c) {
  const size_t rank = c.shapeOf(c.tensor("self")).size();
  std::vector<size_t> order(rank);
  std::iota(order.rbegin(), order.rend(), size_t{0});
  permuteTo(c, order);
}

/// The element of a tensor that is stretched to a shape of at least its rank.
TermId stretched(TensorContext& c, const std::string& tensor, const Shape& shape) {
  return c.at(tensor, c.stretched(c.shapeOf(tensor), c.coordinates(shape)));
}

void expand(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape& from = c.shapeOf(self);
  Shape shape = c.sizes("size");
  if (shape.size() < from.size()) {
    c.unsupported("fewer sizes than dimensions");
    return;
  }
  for (size_t k = 0; k < shape.size(); ++k)
    if (shape[k]->kind == SizeExpr::Kind::Constant && shape[k]->value == -1) {
      if (k < shape.size() - from.size())
        c.unsupported("-1 for a new dimension");
      else
        shape[k] = from[k - (shape.size() - from.size())];
    }
  const TermId element = stretched(c, self, shape);
  c.result(std::move(shape), element);
}

void broadcastTensors(TensorContext& c) {
  const std::vector<std::string> tensors = c.tensorList("tensors");
  std::optional<Shape> shape = Shape{};
  for (const std::string& tensor : tensors)
    if (shape)
      shape = broadcast(*shape, c.shapeOf(tensor));
  if (!shape) {
    c.unsupported("the shapes do not fit together");
    return;
  }
  for (size_t k = 0; k < tensors.size(); ++k)
    c.result(k, *shape, stretched(c, tensors[k], *shape));
}

/// A bound of a slice: negative ones count from the end, the rest is clamped to [0, size].
SizeExprPtr clampedBound(const SizeExprPtr& bound, const SizeExprPtr& size) {
  using Kind = SizeExpr::Kind;
  if (bound->kind == Kind::Constant && bound->value < 0)
    return ir::sizeBinary(Kind::Max, ir::sizeConstant(0), ir::sizeBinary(Kind::Add, size, bound));
  return ir::sizeBinary(Kind::Min, bound, size);
}

/// Elements start, start + step, ... of one dimension.
void sliced(TensorContext& c, size_t dimension, const SizeExprPtr& start, const SizeExprPtr& length,
            int64_t step) {
  const std::string self = c.tensor("self");
  Shape shape = c.shapeOf(self);
  shape[dimension] = folded(length);
  Index index = c.coordinates(shape);
  index[dimension] = c.terms().iadd(c.term(folded(start)), c.terms().imul(index[dimension], c.number(step)));
  const TermId element = c.at(self, index);
  c.result(std::move(shape), element);
}

void slice(TensorContext& c) {
  const Shape& from = c.shapeOf(c.tensor("self"));
  const size_t dimension = c.dimension("dim", from.size());
  const int64_t step = c.integer("step");
  if (step < 1 || from.empty())
    c.unsupported("a step below 1, or a scalar tensor");
  if (c.error())
    return;
  const SizeExprPtr& size = from[dimension];
  const SizeExprPtr start = c.isNone("start") ? ir::sizeConstant(0) : clampedBound(c.size("start"), size);
  const SizeExprPtr end = c.isNone("end") ? size : clampedBound(c.size("end"), size);
  using Kind = SizeExpr::Kind;
  const SizeExprPtr span =
      ir::sizeBinary(Kind::Max, ir::sizeConstant(0), ir::sizeBinary(Kind::Sub, end, start));
  sliced(c, dimension, start, step == 1 ? span : ir::sizeBinary(Kind::CeilDiv, span, ir::sizeConstant(step)),
         step);
}

void narrow(TensorContext& c) {
  const Shape& from = c.shapeOf(c.tensor("self"));
  const size_t dimension = c.dimension("dim", from.size());
  if (from.empty())
    c.unsupported("a scalar tensor");
  if (c.error())
    return;
  SizeExprPtr start = c.size("start");
  if (start->kind == SizeExpr::Kind::Constant && start->value < 0)
    start = ir::sizeBinary(SizeExpr::Kind::Add, from[dimension], start);
  sliced(c, dimension, start, c.size("length"), 1);
}

void select(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape& from = c.shapeOf(self);
  const size_t dimension = c.dimension("dim", from.size());
  if (from.empty())
    c.unsupported("a scalar tensor");
  if (c.error())
    return;
  SizeExprPtr position = c.size("index");
  if (position->kind == SizeExpr::Kind::Constant && position->value < 0)
    position = ir::sizeBinary(SizeExpr::Kind::Add, from[dimension], position);
  Shape shape = from;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dimension));
  Index index = c.coordinates(shape);
  index.insert(index.begin() + static_cast<std::ptrdiff_t>(dimension), c.term(folded(position)));
  const TermId element = c.at(self, index);
  c.result(std::move(shape), element);
}

void flip(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape& shape = c.shapeOf(self);
  Index index = c.coordinates(shape);
  for (int64_t each : c.integers("dims")) {
    const size_t k = c.dimension(each, shape.size());
    if (k < shape.size())
      index[k] = c.terms().isub(c.terms().isub(c.term(shape[k]), c.number(1)), index[k]);
  }
  c.result(shape, c.at(self, index));
}

/// The tensors one after the other along a dimension.
void cat(TensorContext& c) {
  std::vector<std::string> tensors = c.tensorList("tensors");
  if (c.error())
    return;
  Shape shape = c.shapeOf(tensors[0]);
  const size_t dimension = c.dimension("dim", shape.size());
  if (shape.empty()) {
    c.unsupported("scalar tensors");
    return;
  }
  if (!c.haveOneDtype(tensors))
    return;
  for (size_t k = 1; k < tensors.size(); ++k) {
    if (c.shapeOf(tensors[k]).size() != shape.size()) {
      c.unsupported("tensors of different ranks");
      return;
    }
    shape[dimension] =
        ir::sizeBinary(SizeExpr::Kind::Add, shape[dimension], c.shapeOf(tensors[k])[dimension]);
  }
  shape[dimension] = folded(shape[dimension]);
  const Index index = c.coordinates(shape);
  std::vector<TermId> ends;
  std::vector<TermId> elements;
  TermId begin = c.number(0);
  for (const std::string& tensor : tensors) {
    Index inner = index;
    inner[dimension] = c.terms().isub(index[dimension], begin);
    elements.push_back(c.at(tensor, inner));
    begin = c.terms().iadd(begin, c.term(c.shapeOf(tensor)[dimension]));
    ends.push_back(begin);
  }
  TermId element = elements.back();
  for (size_t k = elements.size() - 1; k-- > 0;)
    element = c.ite(c.terms().ilt(index[dimension], ends[k]), elements[k], element);
  c.result(std::move(shape), element);
}

/// Keeps the elements on one side of a diagonal of the last two dimensions; the others are 0.
void triangle(TensorContext& c, bool upper) {
  const std::string self = c.tensor("self");
  const Shape& shape = c.shapeOf(self);
  if (shape.size() < 2) {
    c.unsupported("a tensor with fewer than two dimensions");
    return;
  }
  const Index index = c.coordinates(shape);
  const TermId row = c.terms().iadd(index[shape.size() - 2], c.number(c.integer("diagonal")));
  const TermId column = index[shape.size() - 1];
  const TermId kept = upper ? c.terms().ile(row, column) : c.terms().ile(column, row);
  const TermId element = c.at(self, index);
  const logic::Sort sort = c.terms()[element].sort;
  const TermId zero = sort == logic::Sort::Bool  ? c.terms().boolean(false)
                      : sort == logic::Sort::Int ? c.number(0)
                                                 : c.constant(0);
  c.result(shape, c.ite(kept, element, zero));
}

void triu(TensorContext& c) {
  triangle(c, true);
}

void tril(TensorContext& c) {
  triangle(c, false);
}

constexpr TensorOperator table[] = {
    {"aten.broadcast_tensors.default", broadcastTensors},
    {"aten.cat.default", cat},
    {"aten.expand.default", expand},
    {"aten.flatten.using_ints", flatten},
    {"aten.flip.default", flip},
    {"aten.movedim.int", moveDimension},
    {"aten.narrow.default", narrow},
    {"aten.numpy_T.default", reverseDimensions},
    {"aten.permute.default", permute},
    {"aten.reshape.default", reshape},
    {"aten.select.int", select},
    {"aten.slice.Tensor", slice},
    {"aten.squeeze.default", squeeze},
    {"aten.squeeze.dim", squeezeDim},
    {"aten.squeeze.dims", squeezeDims},
    {"aten.swapaxes.default", swapAxes},
    {"aten.t.default", matrixTranspose},
    {"aten.transpose.int", transpose},
    {"aten.tril.default", tril},
    {"aten.triu.default", triu},
    {"aten.unsqueeze.default", unsqueeze},
    {"aten.view.default", view},
};

} // namespace

std::span<const TensorOperator> viewOperators() {
  return table;
}

} // namespace plumbline::spec
