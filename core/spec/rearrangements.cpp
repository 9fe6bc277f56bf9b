// Operators of vision and of language models that only move elements: pixel shuffles, sliding windows,
// nearest neighbours, embeddings, axes by name.
#include "core/spec/tensor_operators.h"
#include "core/spec/windows.h"

#include <algorithm>
#include <cmath>

namespace plumbline::spec {
namespace {

using ir::SizeExprPtr;
using logic::Op;
using logic::Sort;
using logic::TermId;
using Kind = ir::SizeExpr::Kind;

// --- axes ---

/// The diagonal becomes the last dimension.
void diagonal(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape from = c.shapeOf(self);
  const size_t rows = c.dimension("dim1", from.size());
  const size_t columns = c.dimension("dim2", from.size());
  const int64_t offset = c.integer("offset");
  if (from.size() < 2 || rows == columns)
    c.unsupported("a diagonal of one dimension");
  if (c.error())
    return;
  const SizeExprPtr down = ir::sizeConstant(std::max<int64_t>(-offset, 0));
  const SizeExprPtr right = ir::sizeConstant(std::max<int64_t>(offset, 0));
  Shape shape;
  for (size_t k = 0; k < from.size(); ++k)
    if (k != rows && k != columns)
      shape.push_back(from[k]);
  const SizeExprPtr length =
      sizeOf(Kind::Min, sizeOf(Kind::Sub, from[rows], down), sizeOf(Kind::Sub, from[columns], right));
  shape.push_back(folded(ir::sizeBinary(Kind::Max, ir::sizeConstant(0), length)));
  const Index to = c.coordinates(shape);
  Index index(from.size());
  for (size_t k = 0, next = 0; k < from.size(); ++k)
    if (k != rows && k != columns)
      index[k] = to[next++];
  index[rows] = c.terms().iadd(to.back(), c.term(down));
  index[columns] = c.terms().iadd(to.back(), c.term(right));
  c.result(shape, c.at(self, index));
}

// --- pieces and copies ---

void splitWithSizes(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape from = c.shapeOf(self);
  const Shape pieces = c.sizes("split_sizes");
  const size_t dimension = c.dimension("dim", from.size());
  if (from.empty() || pieces.size() < c.node().outputs.size())
    c.unsupported("a scalar tensor, or fewer sizes than results");
  if (c.error())
    return;
  SizeExprPtr total = ir::sizeConstant(0);
  for (size_t k = 0; k < c.node().outputs.size(); ++k) {
    Shape shape = from;
    shape[dimension] = pieces[k];
    Index index = c.coordinates(shape);
    index[dimension] = c.terms().iadd(c.term(total), index[dimension]);
    c.result(k, shape, c.at(self, index));
    total = foldedBinary(Kind::Add, total, pieces[k]);
  }
  c.requireSame(total, from[dimension], "the sizes of the pieces");
}

/// Like repeat; missing dimensions are repeated once.
void tile(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape from = c.shapeOf(self);
  Shape shape = c.sizes("dims");
  while (shape.size() < from.size())
    shape.insert(shape.begin(), ir::sizeConstant(1));
  const size_t missing = shape.size() - from.size();
  for (size_t k = 0; k < from.size(); ++k)
    shape[missing + k] = foldedBinary(Kind::Mul, shape[missing + k], from[k]);
  const Index to = c.coordinates(shape);
  Index index;
  for (size_t k = 0; k < from.size(); ++k)
    index.push_back(c.terms().irem(to[missing + k], c.term(from[k])));
  c.result(shape, c.at(self, index));
}

void repeatInterleave(TensorContext& c) {
  const std::string self = c.tensor("self");
  Shape shape = c.shapeOf(self);
  const SizeExprPtr repeats = c.size("repeats");
  if (c.isNone("dim") || shape.empty())
    c.unsupported("a scalar tensor, or a flattened one");
  if (!c.isNone("output_size"))
    c.size("output_size");
  if (c.error())
    return;
  const size_t dimension = c.dimension("dim", shape.size());
  shape[dimension] = foldedBinary(Kind::Mul, shape[dimension], repeats);
  Index index = c.coordinates(shape);
  index[dimension] = c.terms().idiv(index[dimension], c.term(repeats));
  c.result(shape, c.at(self, index));
}

// --- pixels ---

struct Pixels {
  std::string self;
  Shape from;
  size_t channels = 0; ///< its dimension; rows and columns follow
  SizeExprPtr factor;

  static Pixels of(TensorContext& c, const char* factor) {
    Pixels result{c.tensor("self"), {}, 0, ir::sizeConstant(c.integer(factor))};
    result.from = c.shapeOf(result.self);
    if (result.from.size() < 3 || result.factor->value < 1)
      c.unsupported("fewer than three dimensions, or a factor below 1");
    else
      result.channels = result.from.size() - 3;
    return result;
  }
};

void pixelShuffle(TensorContext& c) {
  const Pixels p = Pixels::of(c, "upscale_factor");
  if (c.error())
    return;
  auto& terms = c.terms();
  const TermId factor = c.term(p.factor);
  Shape shape = p.from;
  shape[p.channels] = foldedBinary(Kind::Div, shape[p.channels], foldedBinary(Kind::Mul, p.factor, p.factor));
  for (size_t k = p.channels + 1; k < shape.size(); ++k)
    shape[k] = foldedBinary(Kind::Mul, shape[k], p.factor);
  Index index = c.coordinates(shape);
  for (size_t k = p.channels + 1; k < shape.size(); ++k) {
    index[p.channels] = terms.iadd(terms.imul(index[p.channels], factor), terms.irem(index[k], factor));
    index[k] = terms.idiv(index[k], factor);
  }
  c.result(shape, c.at(p.self, index));
}

void pixelUnshuffle(TensorContext& c) {
  const Pixels p = Pixels::of(c, "downscale_factor");
  if (c.error())
    return;
  auto& terms = c.terms();
  const TermId factor = c.term(p.factor);
  Shape shape = p.from;
  shape[p.channels] = foldedBinary(Kind::Mul, shape[p.channels], foldedBinary(Kind::Mul, p.factor, p.factor));
  for (size_t k = p.channels + 1; k < shape.size(); ++k)
    shape[k] = foldedBinary(Kind::Div, shape[k], p.factor);
  Index index = c.coordinates(shape);
  TermId channel = index[p.channels];
  for (size_t k = shape.size(); --k > p.channels;) {
    index[k] = terms.iadd(terms.imul(index[k], factor), terms.irem(channel, factor));
    channel = terms.idiv(channel, factor);
  }
  index[p.channels] = channel;
  c.result(shape, c.at(p.self, index));
}

// --- sliding windows ---

/// Windows of one dimension, each along a new last dimension.
void unfold(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape from = c.shapeOf(self);
  const size_t dimension = c.dimension("dimension", from.size());
  const Window window{from.empty() ? ir::sizeConstant(1) : from[dimension],
                      ir::sizeConstant(c.integer("size")), c.integer("step")};
  checkWindow(c, window);
  if (from.empty())
    c.unsupported("a scalar tensor");
  if (c.error())
    return;
  Shape shape = from;
  shape[dimension] = windowCount(window);
  shape.push_back(window.kernel);
  Index index = c.coordinates(shape);
  index[dimension] = tap(c, window, index[dimension], index.back());
  index.pop_back();
  c.result(shape, c.at(self, index));
}

/// Two windows, over rows and columns, by the arguments that im2col and col2im share.
std::vector<Window> windowsOver(TensorContext& c, const SizeExprPtr& rows, const SizeExprPtr& columns) {
  const auto kernel = c.integers("kernel_size", 2);
  const auto dilation = c.integers("dilation", 2);
  const auto padding = c.integers("padding", 2);
  const auto stride = c.integers("stride", 2);
  std::vector<Window> windows;
  for (size_t k = 0; k < 2; ++k) {
    windows.push_back({k == 0 ? rows : columns, ir::sizeConstant(kernel[k]), stride[k], dilation[k],
                       padding[k], padding[k]});
    checkWindow(c, windows.back());
  }
  return windows;
}

/// Each window becomes a column: channels and positions of the kernel, row by row. Padding is 0.
void imageToColumns(TensorContext& c) {
  const std::string self = c.f32Tensor("self");
  const Shape from = c.shapeOf(self);
  if (from.size() != 3 && from.size() != 4)
    c.unsupported("a tensor with " + std::to_string(from.size()) + " dimensions");
  if (c.error())
    return;
  const size_t channels = from.size() - 3;
  const std::vector<Window> windows = windowsOver(c, from[channels + 1], from[channels + 2]);
  const Shape inner = {from[channels], windows[0].kernel, windows[1].kernel};
  const Shape places = {windowCount(windows[0]), windowCount(windows[1])};
  Shape shape(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(channels));
  shape.push_back(foldedBinary(Kind::Mul, foldedBinary(Kind::Mul, inner[0], inner[1]), inner[2]));
  shape.push_back(foldedBinary(Kind::Mul, places[0], places[1]));
  const Index to = c.coordinates(shape);
  const Index taps = c.coordinates(inner, to[channels]);
  const Index place = c.coordinates(places, to[channels + 1]);
  Index index(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(channels));
  index.push_back(taps[0]);
  TermId isInside = c.terms().boolean(true);
  for (size_t k = 0; k < 2; ++k) {
    index.push_back(tap(c, windows[k], place[k], taps[k + 1]));
    isInside = c.terms().land(isInside, tapIsInside(c, windows[k], index.back()));
  }
  c.result(shape, c.ite(isInside, c.at(self, index), c.constant(0)));
}

/// The sum of everything that im2col copies an element to, in the order of the positions of the kernel.
void columnsToImage(TensorContext& c) {
  const std::string self = c.f32Tensor("self");
  const Shape from = c.shapeOf(self);
  const Shape size = c.sizes("output_size");
  if (size.size() != 2 || (from.size() != 2 && from.size() != 3))
    c.unsupported("a tensor with " + std::to_string(from.size()) + " dimensions");
  if (c.error())
    return;
  auto& terms = c.terms();
  const std::vector<Window> windows = windowsOver(c, size[0], size[1]);
  const Shape kernel = {windows[0].kernel, windows[1].kernel};
  const Shape places = {windowCount(windows[0]), windowCount(windows[1])};
  const size_t channels = from.size() - 2;
  Shape shape(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(channels));
  const SizeExprPtr taps = foldedBinary(Kind::Mul, kernel[0], kernel[1]);
  shape.push_back(foldedBinary(Kind::Div, from[channels], taps));
  shape.insert(shape.end(), size.begin(), size.end());
  c.requireSame(foldedBinary(Kind::Mul, shape[channels], taps), from[channels], "the rows of the columns");
  c.requireSame(foldedBinary(Kind::Mul, places[0], places[1]), from[channels + 1], "the number of windows");
  const Index to = c.coordinates(shape);
  const Index tapOf = c.coordinates(kernel, c.step());
  TermId isCopied = terms.boolean(true);
  Index place;
  for (size_t k = 0; k < 2; ++k) {
    const Window& window = windows[k];
    const TermId start = terms.isub(terms.iadd(to[channels + 1 + k], c.number(window.before)),
                                    terms.imul(tapOf[k], c.number(window.dilation)));
    const TermId stride = c.number(window.stride);
    place.push_back(terms.idiv(start, stride));
    isCopied = terms.land(isCopied, terms.land(terms.ile(c.number(0), start),
                                               terms.ieq(terms.irem(start, stride), c.number(0))));
    isCopied = terms.land(isCopied, terms.ilt(place.back(), c.term(places[k])));
  }
  Index index(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(channels));
  index.push_back(terms.iadd(terms.imul(to[channels], c.term(taps)), c.step()));
  index.push_back(c.flatIndex(places, place));
  c.resultFold(0, {shape, FoldKind::Sum, c.term(taps), c.at(self, index), isCopied});
}

// --- nearest neighbours ---

/// binary32 holds every integer up to here.
constexpr int64_t exactPositions = int64_t{1} << 24;

/// How ATen finds the source of a position: a product in binary32.
int64_t sourceOf(int64_t position, float ratio, int64_t input) {
  return std::min(static_cast<int64_t>(std::floor(static_cast<float>(position) * ratio)), input - 1);
}

/// One dimension of an enlarged or reduced image.
struct Resized {
  SizeExprPtr input;
  SizeExprPtr output;
  double scale = 0; ///< 0 when only the size was given
};

/// Position * input / output, rounded down, where that is what ATen's rounded ratio gives at every position.
/// A CPU needs no ratio for a side that stays or doubles, whatever the factor was; CUDA takes it always.
TermId nearest(TensorContext& c, const Resized& r, TermId position) {
  auto& terms = c.terms();
  const bool isConstant = r.input->kind == Kind::Constant && r.output->kind == Kind::Constant;
  const bool isKept = sameSize(*r.input, *r.output);
  const bool isCuda = c.isTarget(Target::TorchCuda);
  if (isKept && !(isCuda && isConstant))
    return position;
  if (!isConstant) {
    // Powers of two are exact as long as binary32 holds every position.
    int exponent = 0;
    if (r.scale < 1 || std::frexp(r.scale, &exponent) != 0.5)
      c.unsupported("a symbolic size with a factor that is no power of two");
    if (!c.error() && (isCuda || r.scale > 2))
      c.requireAtMost(r.output, exactPositions);
    return terms.idiv(position, c.number(std::max<int64_t>(static_cast<int64_t>(r.scale), 1)));
  }
  const int64_t input = r.input->value;
  const int64_t output = r.output->value;
  if (output < 1 || input < 1 || output > exactPositions || input > exactPositions)
    c.unsupported("an empty or very large image");
  if (c.error())
    return position;
  const float ratio = r.scale > 0 ? static_cast<float>(1.0 / r.scale)
                                  : static_cast<float>(input) / static_cast<float>(output);
  for (int64_t k = 0; k < output; ++k)
    if ((isCuda || output != 2 * input) &&
        sourceOf(k, ratio, input) != std::min(k * input / output, input - 1)) {
      c.unsupported("a nearest neighbour that depends on how a ratio of sizes is rounded");
      return position;
    }
  return isKept ? position : terms.idiv(terms.imul(position, c.number(input)), c.number(output));
}

void upsampleNearest(TensorContext& c) {
  const std::string self = c.tensor("input");
  const Shape from = c.shapeOf(self);
  if (from.size() < 3) {
    c.unsupported("a tensor with fewer than three dimensions");
    return;
  }
  const size_t count = from.size() - 2;
  const auto* factors = std::get_if<std::vector<torch::FloatScalar>>(&c.argument("scale_factors"));
  const Shape given = factors != nullptr ? Shape() : c.sizes("output_size");
  if ((factors != nullptr ? factors->size() : given.size()) != count) {
    c.unsupported("not one size for each dimension");
    return;
  }
  Shape shape = from;
  std::vector<double> scales(count, 0);
  for (size_t k = 0; k < count; ++k) {
    if (factors == nullptr) {
      shape[k + 2] = given[k];
      continue;
    }
    scales[k] = (*factors)[k].value;
    const bool isConstant = from[k + 2]->kind == Kind::Constant;
    if (!(scales[k] > 0) || scales[k] > 0x1p20 || (!isConstant && scales[k] != std::floor(scales[k])))
      c.unsupported("a factor that is no positive number, or no whole one beside a symbolic size");
    else if (isConstant)
      shape[k + 2] = ir::sizeConstant(
          static_cast<int64_t>(std::floor(static_cast<double>(from[k + 2]->value) * scales[k])));
    else
      shape[k + 2] = foldedBinary(Kind::Mul, from[k + 2], ir::sizeConstant(static_cast<int64_t>(scales[k])));
  }
  if (c.error())
    return;
  Index index = c.coordinates(shape);
  for (size_t k = 2; k < from.size(); ++k)
    index[k] = nearest(c, {from[k], shape[k], scales[k - 2]}, index[k]);
  c.result(shape, c.at(self, index));
}

// --- rows by number ---

/// A row of the weight for every index; one that is no row has no value.
void embedding(TensorContext& c) {
  const std::string weight = c.tensor("weight");
  const std::string chosen = c.tensor("indices");
  for (const char* gradientOnly : {"scale_grad_by_freq", "sparse"})
    c.flag(gradientOnly);
  c.integer("padding_idx"); // changes the gradient only
  if (c.shapeOf(weight).size() != 2 || (!c.error() && c.tensorDtype("indices") != torch::DType::I64))
    c.unsupported("a weight that is no matrix, or indices that are no int64");
  if (c.error())
    return;
  Shape shape = c.shapeOf(chosen);
  shape.push_back(c.shapeOf(weight)[1]);
  Index index = c.coordinates(shape);
  const TermId column = index.back();
  index.pop_back();
  c.result(shape, c.gatherAt(weight, {c.at(chosen, index), column}, 0));
}

/// Index tensors for the first dimensions, stretched to one shape. Negative numbers count from the end.
void indexByTensors(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Shape from = c.shapeOf(self);
  const std::vector<std::string> chosen = c.tensorList("indices");
  if (c.error())
    return;
  Shape shape;
  for (const std::string& each : chosen) {
    if (!c.haveOneDtype({each, chosen.front()}))
      return;
    shape = c.broadcastShape(shape, c.shapeOf(each));
  }
  if (c.dtypeOfTensor(chosen.front()) != torch::DType::I64 || chosen.size() > from.size())
    c.unsupported("indices that are no int64, or more of them than dimensions");
  if (c.error())
    return;
  const size_t common = shape.size();
  shape.insert(shape.end(), from.begin() + static_cast<std::ptrdiff_t>(chosen.size()), from.end());
  const Index to = c.coordinates(shape);
  const Index place(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(common));
  Index index;
  TermId exists = c.terms().boolean(true);
  for (size_t k = 0; k < chosen.size(); ++k) {
    const TermId size = c.term(from[k]);
    const TermId number = c.at(chosen[k], c.stretched(c.shapeOf(chosen[k]), place));
    const TermId fromEnd = c.terms().iadd(number, size);
    index.push_back(c.ite(c.terms().ilt(number, c.number(0)), fromEnd, number));
    exists = c.terms().land(exists, c.inside(index.back(), size));
  }
  index.insert(index.end(), to.begin() + static_cast<std::ptrdiff_t>(common), to.end());
  c.result(shape, c.atIf(exists, self, index));
}

/// A class outside the number of classes has no value.
void oneHot(TensorContext& c) {
  const std::string self = c.tensor("self");
  Shape shape = c.shapeOf(self);
  const int64_t classes = c.integer("num_classes");
  if (classes < 1)
    c.unsupported("a number of classes that the data decide");
  shape.push_back(ir::sizeConstant(classes));
  Index index = c.coordinates(shape);
  const TermId own = index.back();
  index.pop_back();
  const TermId which = c.integerAt(self, index);
  auto& terms = c.terms();
  const TermId one = terms.ite(terms.ieq(which, own), c.number(1), c.number(0));
  c.result(shape, terms.ite(c.inside(which, c.number(classes)), one, c.nowhere()));
}

/// These may return a part of their argument.
constexpr TensorOperator parts[] = {
    {"aten.diagonal.default", diagonal},
    {"aten.split_with_sizes.default", splitWithSizes},
    {"aten.unfold.default", unfold},
};

constexpr TensorOperator copies[] = {
    {"aten.col2im.default", columnsToImage},
    {"aten.embedding.default", embedding},
    {"aten.im2col.default", imageToColumns},
    {"aten.index.Tensor", indexByTensors},
    {"aten.one_hot.default", oneHot},
    {"aten.pixel_shuffle.default", pixelShuffle},
    {"aten.pixel_unshuffle.default", pixelUnshuffle},
    {"aten.repeat_interleave.self_int", repeatInterleave},
    {"aten.tile.default", tile},
    {"aten.upsample_nearest1d.vec", upsampleNearest},
    {"aten.upsample_nearest2d.vec", upsampleNearest},
    {"aten.upsample_nearest3d.vec", upsampleNearest},
};

} // namespace

std::span<const TensorOperator> axisOperators() {
  return parts;
}

std::span<const TensorOperator> copyOperators() {
  return copies;
}

} // namespace plumbline::spec
