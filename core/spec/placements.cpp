// Operators that lay elements out anew, by number or by an index tensor: stack, split, pad, gather, arange,
// ...
#include "core/spec/tensor_operators.h"

#include <algorithm>
#include <cmath>

namespace plumbline::spec {
namespace {

using ir::SizeExpr;
using ir::SizeExprPtr;
using logic::Sort;
using logic::TermId;
using Kind = SizeExpr::Kind;

SizeExprPtr number(int64_t value) {
  return ir::sizeConstant(value);
}

/// A size without symbols becomes a number.
SizeExprPtr size(Kind kind, const SizeExprPtr& a, const SizeExprPtr& b) {
  return foldedBinary(kind, a, b);
}

/// The pieces of a dimension, each of `piece` elements but for the last.
void splitInto(TensorContext& c, const SizeExprPtr& piece) {
  const std::string self = c.tensor("self");
  const Shape from = c.shapeOf(self);
  const size_t dimension = c.dimension("dim", from.size());
  if (from.empty())
    c.unsupported("a scalar tensor");
  if (c.error())
    return;
  for (size_t k = 0; k < c.node().outputs.size(); ++k) {
    const SizeExprPtr start = size(Kind::Mul, piece, number(static_cast<int64_t>(k)));
    Shape shape = from;
    shape[dimension] = size(Kind::Min, piece, size(Kind::Sub, from[dimension], start));
    Index index = c.coordinates(shape);
    index[dimension] = c.terms().iadd(c.term(start), index[dimension]);
    c.result(k, shape, c.at(self, index));
  }
}

void split(TensorContext& c) {
  splitInto(c, c.size("split_size"));
}

void chunk(TensorContext& c) {
  const Shape from = c.shapeOf(c.tensor("self"));
  const size_t dimension = c.dimension("dim", from.size());
  const int64_t chunks = c.integer("chunks");
  if (from.empty() || chunks < 1)
    c.unsupported("a scalar tensor, or no chunk");
  if (!c.error())
    splitInto(c, size(Kind::CeilDiv, from[dimension], number(chunks)));
}

void unbind(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape from = c.shapeOf(self);
  const size_t dimension = c.dimension("dim", from.size());
  if (from.empty())
    c.unsupported("a scalar tensor");
  if (c.error())
    return;
  c.requireSame(from[dimension], number(static_cast<int64_t>(c.node().outputs.size())),
                "the number of slices");
  Shape shape = from;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dimension));
  for (size_t k = 0; k < c.node().outputs.size(); ++k) {
    Index index = c.coordinates(shape);
    index.insert(index.begin() + static_cast<std::ptrdiff_t>(dimension), c.number(static_cast<int64_t>(k)));
    c.result(k, shape, c.at(self, index));
  }
}

void expandAs(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape shape = c.shapeOf(c.tensor("other"));
  const Shape from = c.shapeOf(self);
  if (from.size() > shape.size())
    c.unsupported("fewer dimensions than before");
  for (size_t k = 0; !c.error() && k < from.size(); ++k)
    if (!isOne(from[k]))
      c.requireSame(from[k], shape[shape.size() - from.size() + k], "a dimension that is not stretched");
  if (!c.error())
    c.result(shape, c.at(self, c.stretched(from, c.coordinates(shape))));
}

void viewAs(TensorContext& c) {
  c.result(c.shapeOf(c.tensor("other")), c.flat("self"));
}

void stack(TensorContext& c) {
  const std::vector<std::string> tensors = c.tensorList("tensors");
  if (c.error())
    return;
  const Shape from = c.shapeOf(tensors[0]);
  const size_t dimension = c.dimension("dim", from.size() + 1);
  for (const std::string& tensor : tensors)
    if (c.shapeOf(tensor).size() != from.size())
      c.unsupported("tensors of different ranks");
  if (!c.haveOneDtype(tensors))
    return;
  for (size_t k = 0; !c.error() && k < from.size(); ++k)
    for (const std::string& tensor : tensors)
      c.requireSame(c.shapeOf(tensor)[k], from[k], tensor);
  if (c.error())
    return;
  Shape shape = from;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dimension),
               number(static_cast<int64_t>(tensors.size())));
  Index index = c.coordinates(shape);
  const TermId which = index[dimension];
  index.erase(index.begin() + static_cast<std::ptrdiff_t>(dimension));
  TermId element = c.at(tensors.back(), index);
  for (size_t k = tensors.size() - 1; k-- > 0;)
    element = c.terms().ite(c.terms().ieq(which, c.number(static_cast<int64_t>(k))), c.at(tensors[k], index),
                            element);
  c.result(shape, element);
}

void repeat(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape from = c.shapeOf(self);
  Shape shape = c.sizes("repeats");
  if (shape.size() < from.size())
    c.unsupported("fewer repeats than dimensions");
  if (c.error())
    return;
  const size_t missing = shape.size() - from.size();
  for (size_t k = 0; k < from.size(); ++k)
    shape[missing + k] = size(Kind::Mul, shape[missing + k], from[k]);
  const Index to = c.coordinates(shape);
  Index index;
  for (size_t k = 0; k < from.size(); ++k)
    index.push_back(c.terms().irem(to[missing + k], c.term(from[k])));
  c.result(shape, c.at(self, index));
}

/// The position that moves to `position` when all move on by `shift`.
TermId rolledFrom(TensorContext& c, TermId position, const SizeExprPtr& shift, TermId extent) {
  auto& terms = c.terms();
  const TermId inRange = terms.irem(terms.iadd(terms.irem(c.term(shift), extent), extent), extent);
  return terms.irem(terms.iadd(position, terms.isub(extent, inRange)), extent);
}

/// Without dimensions the flattened tensor is rolled.
void roll(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape shape = c.shapeOf(self);
  const Shape shifts = c.sizes("shifts");
  const std::vector<int64_t> dimensions = c.integers("dims");
  if (shifts.size() != std::max<size_t>(dimensions.size(), 1))
    c.unsupported("not one shift for each dimension");
  if (c.error())
    return;
  if (dimensions.empty()) {
    const TermId all = c.numel(shape);
    const TermId position = c.flatIndex(shape, c.coordinates(shape));
    c.result(shape, c.at(self, c.coordinates(shape, rolledFrom(c, position, shifts[0], all))));
    return;
  }
  Index index = c.coordinates(shape);
  for (size_t k = 0; k < dimensions.size(); ++k) {
    const size_t dimension = c.dimension(dimensions[k], shape.size());
    if (!c.error() && dimension < shape.size())
      index[dimension] = rolledFrom(c, index[dimension], shifts[k], c.term(shape[dimension]));
  }
  c.result(shape, c.at(self, index));
}

/// What stands at a position outside the tensor.
struct Padding {
  std::string mode; ///< "constant", "reflect", "replicate", "circular"
  TermId value{};
};

TermId paddedFrom(TensorContext& c, const std::string& mode, TermId position, TermId extent) {
  auto& terms = c.terms();
  const TermId zero = c.number(0);
  const TermId last = terms.isub(extent, c.number(1));
  const TermId below = terms.ilt(position, zero);
  const TermId above = terms.ilt(last, position);
  if (mode == "replicate")
    return terms.ite(below, zero, terms.ite(above, last, position));
  if (mode == "reflect")
    return terms.ite(below, terms.isub(zero, position),
                     terms.ite(above, terms.isub(terms.iadd(last, last), position), position));
  if (mode == "circular")
    return terms.ite(below, terms.iadd(position, extent),
                     terms.ite(above, terms.isub(position, extent), position));
  return position;
}

/// "pad" lists (before, after) from the last dimension on; negative numbers cut.
void padBy(TensorContext& c, const Padding& padding) {
  const std::string self = c.tensor("self");
  const Shape from = c.shapeOf(self);
  const Shape amounts = c.sizes("pad");
  if (amounts.size() % 2 != 0 || amounts.size() / 2 > from.size())
    c.unsupported("a padding that does not fit the dimensions");
  if (c.error())
    return;
  Shape shape = from;
  for (size_t k = 0; k < amounts.size() / 2; ++k) {
    SizeExprPtr& each = shape[from.size() - 1 - k];
    each = size(Kind::Add, each, size(Kind::Add, amounts[2 * k], amounts[2 * k + 1]));
  }
  Index index = c.coordinates(shape);
  TermId inside = c.terms().boolean(true);
  for (size_t k = 0; k < amounts.size() / 2; ++k) {
    const size_t dimension = from.size() - 1 - k;
    const TermId extent = c.term(from[dimension]);
    const TermId position = c.terms().isub(index[dimension], c.term(amounts[2 * k]));
    index[dimension] = paddedFrom(c, padding.mode, position, extent);
    if (padding.mode == "constant")
      inside = c.terms().land(inside, c.inside(position, extent));
  }
  c.result(shape, c.ite(inside, c.at(self, index), padding.value));
}

void constantPad(TensorContext& c) {
  c.f32Tensor("self");
  padBy(c, {"constant", c.f32("value")});
}

void pad(TensorContext& c) {
  c.f32Tensor("self");
  const std::string mode = c.text("mode");
  if (mode != "constant" && mode != "reflect" && mode != "replicate" && mode != "circular")
    c.unsupported("the mode '" + mode + "'");
  if (mode != "constant" && !c.isNone("value"))
    c.unsupported("a value beside the mode '" + mode + "'");
  padBy(c, {mode, c.isNone("value") ? c.constant(0) : c.f32("value")});
}

/// Both sizes are known, and the first is larger.
bool isLarger(const SizeExprPtr& a, const SizeExprPtr& b) {
  return a->kind == Kind::Constant && b->kind == Kind::Constant && a->value > b->value;
}

/// An index below zero or beyond the dimension has no value.
void gather(TensorContext& c) {
  const std::string self = c.tensor("self");
  const std::string chosen = c.tensor("index");
  c.flag("sparse_grad"); // changes the gradient only
  const Shape shape = c.shapeOf(chosen);
  const size_t dimension = c.dimension("dim", shape.size());
  if (shape.empty() || c.shapeOf(self).size() != shape.size())
    c.unsupported("tensors of different ranks, or scalars");
  for (size_t k = 0; !c.error() && k < shape.size(); ++k)
    if (k != dimension && isLarger(shape[k], c.shapeOf(self)[k]))
      c.unsupported("an index that is larger than the tensor");
  if (c.error())
    return;
  Index index = c.coordinates(shape);
  index[dimension] = c.at(chosen, index);
  c.result(shape, c.gatherAt(self, index, dimension));
}

void indexSelect(TensorContext& c) {
  const std::string self = c.tensor("self");
  const std::string chosen = c.tensor("index");
  Shape shape = c.shapeOf(self);
  const size_t dimension = c.dimension("dim", shape.size());
  if (shape.empty() || c.shapeOf(chosen).size() != 1)
    c.unsupported("a scalar tensor, or an index that is no vector");
  if (c.error())
    return;
  shape[dimension] = c.shapeOf(chosen)[0];
  Index index = c.coordinates(shape);
  index[dimension] = c.at(chosen, {index[dimension]});
  c.result(shape, c.gatherAt(self, index, dimension));
}

/// The diagonal of a matrix, or the matrix with a given diagonal.
void diagonal(TensorContext& c) {
  const std::string self = c.f32Tensor("self");
  const Shape from = c.shapeOf(self);
  const int64_t offset = c.integer("diagonal");
  if (from.size() != 1 && from.size() != 2)
    c.unsupported("a tensor with " + std::to_string(from.size()) + " dimensions");
  if (c.error())
    return;
  const SizeExprPtr down = number(std::max<int64_t>(-offset, 0));
  const SizeExprPtr right = number(std::max<int64_t>(offset, 0));
  if (from.size() == 2) {
    const SizeExprPtr rows = size(Kind::Sub, from[0], down);
    const Shape shape = {size(Kind::Max, number(0), size(Kind::Min, rows, size(Kind::Sub, from[1], right)))};
    const TermId k = c.coordinates(shape)[0];
    c.result(shape, c.at(self, {c.terms().iadd(k, c.term(down)), c.terms().iadd(k, c.term(right))}));
    return;
  }
  const SizeExprPtr side = size(Kind::Add, from[0], size(Kind::Add, down, right));
  const Index index = c.coordinates({side, side});
  const TermId k = c.terms().isub(index[0], c.term(down));
  const TermId isOn = c.terms().ieq(k, c.terms().isub(index[1], c.term(right)));
  const TermId exists = c.terms().land(isOn, c.inside(k, c.term(from[0])));
  c.result({side, side}, c.ite(exists, c.at(self, {k}), c.constant(0)));
}

void identity(TensorContext& c) {
  const Shape shape = {c.size("n"), c.size("n")};
  if (c.dtype("dtype", torch::DType::F32) != torch::DType::F32)
    c.unsupported("another dtype than float32");
  const Index index = c.coordinates(shape);
  c.result(shape, c.ite(c.terms().ieq(index[0], index[1]), c.constant(1), c.constant(0)));
}

/// Whole numbers only: start + step * position, exact, then rounded to the dtype.
void range(TensorContext& c, bool hasStart, bool hasStep) {
  const auto whole = [&](const std::string& name) {
    if (!std::holds_alternative<torch::FloatScalar>(c.argument(name)))
      return c.size(name);
    const double value = c.number(name)->value;
    if (value != std::trunc(value) || std::abs(value) > 0x1p53)
      c.unsupported("a range of other than whole numbers");
    return number(c.error() ? 0 : static_cast<int64_t>(value));
  };
  const SizeExprPtr start = hasStart ? whole("start") : number(0);
  const SizeExprPtr end = whole("end");
  const SizeExprPtr step = hasStep ? whole("step") : number(1);
  if (step->kind != Kind::Constant || step->value == 0)
    c.unsupported("a step that is zero or no known number");
  if (c.error())
    return;
  const bool isUp = step->value > 0;
  const SizeExprPtr span = isUp ? size(Kind::Sub, end, start) : size(Kind::Sub, start, end);
  const SizeExprPtr stride = number(std::abs(step->value));
  const Shape shape = {isOne(stride) ? span : size(Kind::CeilDiv, span, stride)};
  const TermId position = c.coordinates(shape)[0];
  const TermId value = c.terms().iadd(c.term(start), c.terms().imul(position, c.term(step)));
  bool isReal = false;
  for (const char* name : {"start", "end", "step"})
    if (const auto* given = torch::findArgument(c.node(), name))
      isReal |= std::holds_alternative<torch::FloatScalar>(*given);
  const auto dtype = c.dtype("dtype", isReal ? torch::DType::F32 : torch::DType::I64);
  if (dtype != torch::DType::F32 && dtype != torch::DType::I64)
    c.unsupported("a dtype other than float32 and int64");
  const auto real = [&](TermId number) { return c.terms().intToFloat(Sort::F32, number); };
  if (dtype == torch::DType::I64)
    c.result(shape, value);
  else if (c.onCuda())
    c.result(shape, c.add(real(c.term(start)), c.mul(real(c.term(step)), real(position))));
  else
    c.result(shape, real(value));
}

void rangeToEnd(TensorContext& c) {
  range(c, false, false);
}

void rangeFromStart(TensorContext& c) {
  range(c, true, false);
}

void rangeByStep(TensorContext& c) {
  range(c, true, true);
}

/// These may return a part of their argument.
constexpr TensorOperator parts[] = {
    {"aten.chunk.default", chunk}, {"aten.expand_as.default", expandAs}, {"aten.split.Tensor", split},
    {"aten.unbind.int", unbind},   {"aten.view_as.default", viewAs},
};

constexpr TensorOperator placements[] = {
    {"aten.arange.default", rangeToEnd},
    {"aten.arange.start", rangeFromStart},
    {"aten.arange.start_step", rangeByStep},
    {"aten.constant_pad_nd.default", constantPad},
    {"aten.diag.default", diagonal},
    {"aten.eye.default", identity},
    {"aten.gather.default", gather},
    {"aten.index_select.default", indexSelect},
    {"aten.pad.default", pad},
    {"aten.repeat.default", repeat},
    {"aten.roll.default", roll},
    {"aten.stack.default", stack},
};

} // namespace

std::span<const TensorOperator> partOperators() {
  return parts;
}

std::span<const TensorOperator> placementOperators() {
  return placements;
}

} // namespace plumbline::spec
