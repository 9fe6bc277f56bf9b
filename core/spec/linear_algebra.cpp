// Products of matrices and vectors: one fold per element over the contracted dimension.
#include "core/spec/tensor_operators.h"

namespace plumbline::spec {
namespace {

using logic::TermId;

Shape batchOf(const Shape& shape) {
  return shape.size() > 2 ? Shape(shape.begin(), shape.end() - 2) : Shape{};
}

/// Coordinates of an operand without its last two dimensions: the result's leading ones, stretched.
Index batchIndex(TensorContext& c, const Shape& operand, const Shape& batch, const Index& result) {
  const Index leading(result.begin(), result.begin() + static_cast<std::ptrdiff_t>(batch.size()));
  return c.stretched(batchOf(operand), leading);
}

/// The product as `torch.matmul` defines it: a vector on the left is a row, one on the right a column, and
/// its dimension is left out of the result; the dimensions before the last two are stretched.
Fold productOf(TensorContext& c, const std::string& left, const std::string& right) {
  const Shape& a = c.shapeOf(left);
  const Shape& b = c.shapeOf(right);
  if (a.empty() || b.empty()) {
    c.unsupported("a scalar tensor");
    return {};
  }
  const ir::SizeExprPtr& contracted = a.back();
  c.requireSame(contracted, b.size() == 1 ? b[0] : b[b.size() - 2], "the contracted dimensions differ");
  const Shape batch = c.broadcastShape(batchOf(a), batchOf(b));
  Shape shape = batch;
  if (a.size() > 1)
    shape.push_back(a[a.size() - 2]);
  if (b.size() > 1)
    shape.push_back(b.back());
  const Index to = c.coordinates(shape);
  Index indexA = batchIndex(c, a, batch, to);
  Index indexB = batchIndex(c, b, batch, to);
  if (a.size() > 1)
    indexA.push_back(to[batch.size()]);
  indexA.push_back(c.step());
  indexB.push_back(c.step());
  if (b.size() > 1)
    indexB.push_back(to.back());
  const TermId term = c.mul(c.f32At(left, indexA), c.f32At(right, indexB));
  return {std::move(shape), FoldKind::Sum, c.term(contracted), term};
}

void requireRanks(TensorContext& c, const std::string& left, size_t leftRank, const std::string& right,
                  size_t rightRank) {
  if (c.shapeOf(left).size() != leftRank || c.shapeOf(right).size() != rightRank)
    c.unsupported("an operand does not have the rank that the operator takes");
  else if (leftRank == 3)
    c.requireSame(c.shapeOf(left)[0], c.shapeOf(right)[0], "the numbers of matrices differ");
}

void product(TensorContext& c, const std::string& right, size_t leftRank, size_t rightRank) {
  const std::string left = c.tensor("self");
  const std::string other = c.tensor(right);
  requireRanks(c, left, leftRank, other, rightRank);
  if (!c.error())
    c.resultFold(0, productOf(c, left, other));
}

void matmul(TensorContext& c) {
  const Fold fold = productOf(c, c.tensor("self"), c.tensor("other"));
  c.resultFold(0, fold);
}

void mm(TensorContext& c) {
  product(c, "mat2", 2, 2);
}

void bmm(TensorContext& c) {
  product(c, "mat2", 3, 3);
}

void mv(TensorContext& c) {
  product(c, "vec", 2, 1);
}

void dot(TensorContext& c) {
  product(c, "tensor", 1, 1);
}

void vdot(TensorContext& c) {
  product(c, "other", 1, 1);
}

void outer(TensorContext& c) {
  const std::string left = c.tensor("self");
  const std::string right = c.tensor("vec2");
  requireRanks(c, left, 1, right, 1);
  if (c.error())
    return;
  const Shape shape{c.shapeOf(left)[0], c.shapeOf(right)[0]};
  const Index index = c.coordinates(shape);
  c.result(shape, c.mul(c.f32At(left, {index[0]}), c.f32At(right, {index[1]})));
}

/// beta * self + alpha * product. With beta 0 self takes no part, not even a NaN in it.
void scaledSum(TensorContext& c, const std::string& leftName, const std::string& rightName, size_t leftRank,
               size_t rightRank) {
  const std::string left = c.tensor(leftName);
  const std::string right = c.tensor(rightName);
  const std::string self = c.tensor("self");
  const auto alpha = c.number("alpha");
  const auto beta = c.number("beta");
  requireRanks(c, left, leftRank, right, rightRank);
  // PyTorch's back ends disagree on whether NaN survives a factor of 0.
  if (alpha && alpha->value == 0)
    c.unsupported("alpha is 0");
  if (!alpha || !beta || c.error())
    return;
  const std::string products = c.fold("product", productOf(c, left, right));
  const Shape shape = c.shapeOf(products);
  const Index index = c.coordinates(shape);
  TermId element = c.at(products, index);
  if (alpha->value != 1)
    element = c.mul(c.constant(*alpha), element);
  if (c.broadcastShape(shape, c.shapeOf(self)).size() != shape.size())
    c.unsupported("self has more dimensions than the product");
  const TermId added = c.f32At(self, c.stretched(c.shapeOf(self), index));
  if (beta->value != 0)
    element = c.add(beta->value == 1 ? added : c.mul(c.constant(*beta), added), element);
  c.result(shape, element);
}

void addmm(TensorContext& c) {
  scaledSum(c, "mat1", "mat2", 2, 2);
}

void addmv(TensorContext& c) {
  scaledSum(c, "mat", "vec", 2, 1);
}

void baddbmm(TensorContext& c) {
  scaledSum(c, "batch1", "batch2", 3, 3);
}

/// The dot product of every row of the input with every row of the weight; then the bias is added.
void linear(TensorContext& c) {
  const std::string input = c.tensor("input");
  const std::string weight = c.tensor("weight");
  const auto bias = c.optionalTensor("bias");
  const Shape& from = c.shapeOf(input);
  const Shape& matrix = c.shapeOf(weight);
  if (from.empty() || matrix.empty() || matrix.size() > 2)
    c.unsupported("a scalar input, or a weight that is no matrix");
  if (c.error())
    return;
  c.requireSame(from.back(), matrix.back(), "the numbers of features differ");
  Shape shape(from.begin(), from.end() - 1);
  if (matrix.size() == 2)
    shape.push_back(matrix[0]);
  const Index to = c.coordinates(shape);
  Index row(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(from.size()) - 1);
  row.push_back(c.step());
  const Index column = matrix.size() == 2 ? Index{to.back(), c.step()} : Index{c.step()};
  const Fold fold{shape, FoldKind::Sum, c.term(from.back()),
                  c.mul(c.f32At(input, row), c.f32At(weight, column))};
  if (!bias) {
    c.resultFold(0, fold);
    return;
  }
  const Shape& added = c.shapeOf(*bias);
  if (added.size() != matrix.size() - 1)
    c.unsupported("a bias that is not one number for each output");
  if (c.error())
    return;
  if (!added.empty())
    c.requireSame(added[0], matrix[0], "the bias has another size than the result");
  const std::string products = c.fold("product", fold);
  const Index last = added.empty() ? Index{} : Index{to.back()};
  c.result(shape, c.add(c.at(products, to), c.f32At(*bias, last)));
}

constexpr TensorOperator table[] = {
    {"aten.addmm.default", addmm},   {"aten.addmv.default", addmv}, {"aten.baddbmm.default", baddbmm},
    {"aten.bmm.default", bmm},       {"aten.dot.default", dot},     {"aten.linear.default", linear},
    {"aten.matmul.default", matmul}, {"aten.mm.default", mm},       {"aten.mv.default", mv},
    {"aten.outer.default", outer},   {"aten.vdot.default", vdot},
};

} // namespace

std::span<const TensorOperator> linearAlgebraOperators() {
  return table;
}

} // namespace plumbline::spec
