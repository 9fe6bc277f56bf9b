// Pooling: the largest or the average value of a window, with fixed windows and adaptive ones.
#include "core/spec/reductions.h"
#include "core/spec/windows.h"

#include <algorithm>
#include <span>

namespace plumbline::spec {
namespace {

using ir::SizeExprPtr;
using logic::Op;
using logic::Sort;
using logic::TermId;
using Kind = ir::SizeExpr::Kind;

/// What the fold of one element runs over. Its terms are over "i" and, where they belong to one tap, "k".
struct Region {
  Shape shape;                         ///< of the result
  TermId count{};                      ///< number of taps
  TermId guard{};                      ///< the tap lies in the input
  Index index;                         ///< of the tap in the input
  TermId position{};                   ///< flat index of the tap in the spatial dimensions
  TermId averaged{};                   ///< what an average divides by
  std::vector<TermId> sides;           ///< of an adaptive window, outermost first; their product is `count`
  std::optional<TermId> firstPosition; ///< set where a window may have no tap in the input
};

/// Batch (if there is one) and channels.
size_t leadingDimensions(TensorContext& c, const std::string& tensor, size_t spatial) {
  const size_t rank = c.shapeOf(tensor).size();
  if (rank == spatial + 1 || rank == spatial + 2)
    return rank - spatial;
  c.unsupported("the input does not have the rank that the operator takes");
  return 0;
}

Shape spatialShape(TensorContext& c, const std::string& tensor, size_t leading) {
  const Shape& shape = c.shapeOf(tensor);
  return {shape.begin() + static_cast<std::ptrdiff_t>(leading), shape.end()};
}

Index leadingIndex(const Index& index, size_t leading) {
  return {index.begin(), index.begin() + static_cast<std::ptrdiff_t>(leading)};
}

// --- fixed windows ---

/// Arguments "kernel_size", "stride", "padding", "ceil_mode" and, where `hasDilation`, "dilation".
struct Windows {
  size_t leading = 0;
  bool ceilMode = false;
  std::vector<Window> axes;

  static Windows of(TensorContext& c, const std::string& self, size_t spatial, bool hasDilation) {
    Windows result;
    result.leading = leadingDimensions(c, self, spatial);
    result.ceilMode = c.flag("ceil_mode");
    const auto kernel = c.integers("kernel_size", spatial);
    const auto stride = c.integers("stride", spatial, kernel);
    const auto padding = c.integers("padding", spatial);
    const auto dilation = hasDilation ? c.integers("dilation", spatial) : std::vector<int64_t>(spatial, 1);
    if (c.error())
      return result;
    const Shape inputs = spatialShape(c, self, result.leading);
    for (size_t k = 0; k < spatial; ++k) {
      result.axes.push_back(
          {inputs[k], ir::sizeConstant(kernel[k]), stride[k], dilation[k], padding[k], padding[k]});
      checkWindow(c, result.axes.back());
      if (2 * padding[k] > kernel[k])
        c.unsupported("padding of more than half of the kernel");
    }
    return result;
  }
};

/// How many positions of the window an average counts along one dimension.
TermId averagedAlong(TensorContext& c, const Window& window, TermId output, bool ceilMode,
                     bool countPadding) {
  auto& terms = c.terms();
  const bool isWhole = countPadding ? !ceilMode : !ceilMode && window.before == 0;
  if (isWhole)
    return c.term(window.kernel);
  const TermId start = tap(c, window, output, c.number(0));
  const TermId end = terms.iadd(start, c.term(window.kernel));
  const SizeExprPtr limit = countPadding ? sizeOf(Kind::Add, window.input, window.after) : window.input;
  return terms.isub(c.smallest(end, c.term(limit)), countPadding ? start : c.largest(start, c.number(0)));
}

/// The first tap that is not in the padding before the input.
TermId firstTap(TensorContext& c, const Window& window, TermId output) {
  auto& terms = c.terms();
  const TermId start = tap(c, window, output, c.number(0));
  const TermId dilation = c.number(window.dilation);
  const TermId wrapped = terms.irem(terms.iadd(terms.irem(start, dilation), dilation), dilation);
  return terms.ite(terms.ilt(start, c.number(0)), wrapped, start);
}

Region regionOf(TensorContext& c, const std::string& self, const Windows& windows, bool countPadding) {
  Region region;
  const Shape spatial = spatialShape(c, self, windows.leading);
  region.shape = c.shapeOf(self);
  region.shape.resize(windows.leading);
  Shape kernel;
  for (const Window& window : windows.axes) {
    region.shape.push_back(windowCount(window, windows.ceilMode));
    kernel.push_back(window.kernel);
  }
  const Index to = c.coordinates(region.shape);
  const Index step = c.coordinates(kernel, c.step());
  region.count = c.numel(kernel);
  region.guard = c.terms().boolean(true);
  region.averaged = c.number(1);
  Index taps;
  Index first;
  bool mayMiss = false;
  for (size_t k = 0; k < windows.axes.size(); ++k) {
    const Window& window = windows.axes[k];
    const TermId output = to[windows.leading + k];
    taps.push_back(tap(c, window, output, step[k]));
    first.push_back(firstTap(c, window, output));
    region.guard = c.terms().land(region.guard, tapIsInside(c, window, taps.back(), windows.ceilMode));
    region.averaged =
        c.terms().imul(region.averaged, averagedAlong(c, window, output, windows.ceilMode, countPadding));
    mayMiss = mayMiss || (window.before > 0 && window.dilation > 1);
  }
  region.index = leadingIndex(to, windows.leading);
  region.index.insert(region.index.end(), taps.begin(), taps.end());
  region.position = c.flatIndex(spatial, taps);
  if (mayMiss)
    region.firstPosition = c.flatIndex(spatial, first);
  return region;
}

// --- adaptive windows ---

/// Output o of n covers the inputs from floor(o * size / n) up to, not including, ceil((o + 1) * size / n).
struct Span {
  TermId start;
  TermId length;
};

Span spanOf(TensorContext& c, const SizeExprPtr& input, const SizeExprPtr& output, TermId position) {
  auto& terms = c.terms();
  if (sameSize(*input, *output))
    return {position, c.number(1)};
  if (isOne(output))
    return {c.number(0), c.term(input)};
  if (const SizeExprPtr rest = sizeOf(Kind::Rem, input, output);
      rest->kind == Kind::Constant && rest->value == 0) {
    const TermId each = c.term(sizeOf(Kind::Div, input, output));
    return {terms.imul(position, each), each};
  }
  const TermId size = c.term(input);
  const TermId count = c.term(output);
  const TermId start = terms.idiv(terms.imul(position, size), count);
  const TermId next = terms.imul(terms.iadd(position, c.number(1)), size);
  const TermId end = terms.idiv(terms.iadd(next, terms.isub(count, c.number(1))), count);
  return {start, terms.isub(end, start)};
}

Region adaptiveRegion(TensorContext& c, const std::string& self, size_t spatial) {
  Region region;
  const size_t leading = leadingDimensions(c, self, spatial);
  Shape outputs = c.sizes("output_size");
  if (outputs.size() == 1)
    outputs.resize(spatial, outputs.front());
  if (outputs.size() != spatial)
    c.unsupported("output_size has another number of entries");
  if (c.error())
    return region;
  const Shape inputs = spatialShape(c, self, leading);
  region.shape = c.shapeOf(self);
  region.shape.resize(leading);
  region.shape.insert(region.shape.end(), outputs.begin(), outputs.end());
  const Index to = c.coordinates(region.shape);
  region.guard = c.terms().boolean(true);
  region.count = c.number(1);
  Index taps(spatial);
  for (size_t k = spatial; k-- > 0;) {
    const Span span = spanOf(c, inputs[k], outputs[k], to[leading + k]);
    const TermId quotient = c.terms().idiv(c.step(), region.count);
    const TermId within = k == 0 ? quotient : c.terms().irem(quotient, span.length);
    taps[k] = c.terms().intValue(span.length) == 1 ? span.start : c.terms().iadd(span.start, within);
    region.count = c.terms().imul(span.length, region.count);
    region.sides.push_back(span.length);
  }
  region.averaged = region.count;
  std::ranges::reverse(region.sides);
  region.index = leadingIndex(to, leading);
  region.index.insert(region.index.end(), taps.begin(), taps.end());
  region.position = c.flatIndex(inputs, taps);
  return region;
}

// --- what is done with a window ---

Fold largestOf(TensorContext& c, const std::string& self, const Region& region) {
  return {region.shape, FoldKind::Maximum, region.count, c.f32At(self, region.index), region.guard};
}

/// The largest value of each window and its position: the last NaN, else the first that is the largest.
void largestWithPositions(TensorContext& c, const std::string& self, const Region& region) {
  auto& terms = c.terms();
  const std::string values = c.fold("values", largestOf(c, self, region));
  const TermId largest = c.at(values, c.coordinates(region.shape));
  c.result(0, region.shape, largest);
  const TermId value = c.f32At(self, region.index);
  const TermId acc = c.accumulator(Sort::Int);
  const TermId none = c.number(-1);
  const TermId isFirst = terms.land(c.equal(value, largest), terms.ieq(acc, none));
  const TermId isFound = terms.lor(terms.unary(Op::FIsNan, value), isFirst);
  const Fold fold{region.shape, FoldKind::General,
                  region.count, terms.ite(isFound, region.position, acc),
                  region.guard, none};
  if (!region.firstPosition) {
    c.resultFold(1, fold);
    return;
  }
  const TermId found = c.at(c.fold("positions", fold), c.coordinates(region.shape));
  c.result(1, region.shape, terms.ite(terms.ieq(found, none), *region.firstPosition, found));
}

/// The sum of the window, at the element.
TermId windowSum(TensorContext& c, const std::string& self, const Region& region) {
  const std::string sum =
      c.fold("sum", {region.shape, FoldKind::Sum, region.count, c.f32At(self, region.index), region.guard});
  return c.at(sum, c.coordinates(region.shape));
}

TermId dividedBy(TensorContext& c, TermId value, TermId divisor) {
  const auto known = c.terms().intValue(divisor);
  return c.div(value,
               known ? c.constant(static_cast<double>(*known)) : c.terms().intToFloat(Sort::F32, divisor));
}

void averageOf(TensorContext& c, const std::string& self, const Region& region, TermId divisor) {
  c.result(region.shape, dividedBy(c, windowSum(c, self, region), divisor));
}

/// On CUDA: the mean where all windows are the whole input; else one division for each side of the window, of
/// which those by 1 change nothing.
TermId adaptiveAverageOnCuda(TensorContext& c, const std::string& self, const Region& region) {
  const auto outputs = std::span(region.shape).last(region.sides.size());
  if (std::ranges::any_of(outputs, [](const SizeExprPtr& size) { return size->kind != Kind::Constant; }))
    c.unsupported("an output_size that is no known number, on CUDA,");
  TermId value = windowSum(c, self, region);
  if (std::ranges::all_of(outputs, isOne))
    return meanOf(c, value, region.count, region.shape);
  const auto isTrivial = [&](TermId side) { return c.terms().intValue(side) == 1; };
  const auto sides = std::ranges::count_if(region.sides, [&](TermId side) { return !isTrivial(side); });
  if (sides <= 1 || !c.onCuda()) // nothing but the one division
    return dividedBy(c, value, region.averaged);
  for (const TermId side : region.sides)
    value = isTrivial(side) ? value : dividedBy(c, value, side);
  return value;
}

template <size_t spatial> void maxPool(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Windows windows = Windows::of(c, self, spatial, true);
  if (!c.error())
    c.resultFold(0, largestOf(c, self, regionOf(c, self, windows, true)));
}

template <size_t spatial> void maxPoolWithIndices(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Windows windows = Windows::of(c, self, spatial, true);
  if (!c.error())
    largestWithPositions(c, self, regionOf(c, self, windows, true));
}

template <size_t spatial> void avgPool(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Windows windows = Windows::of(c, self, spatial, false);
  const bool countPadding = c.flag("count_include_pad");
  // The one-dimensional overload has no divisor_override.
  const auto divisor = spatial == 1 ? std::nullopt : c.optionalInteger("divisor_override");
  if (divisor == 0)
    c.unsupported("a divisor of 0");
  if (c.error())
    return;
  const Region region = regionOf(c, self, windows, countPadding);
  averageOf(c, self, region, divisor ? c.number(*divisor) : region.averaged);
}

template <size_t spatial> void adaptiveAvgPool(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Region region = adaptiveRegion(c, self, spatial);
  if (c.error())
    return;
  if (c.isTarget(Target::TorchCuda))
    c.result(region.shape, adaptiveAverageOnCuda(c, self, region));
  else
    averageOf(c, self, region, region.averaged);
}

template <size_t spatial> void adaptiveMaxPool(TensorContext& c) {
  const std::string self = c.tensor("self");
  const Region region = adaptiveRegion(c, self, spatial);
  if (!c.error())
    largestWithPositions(c, self, region);
}

constexpr TensorOperator table[] = {
    {"aten.adaptive_avg_pool1d.default", adaptiveAvgPool<1>},
    {"aten.adaptive_avg_pool2d.default", adaptiveAvgPool<2>},
    {"aten.adaptive_avg_pool3d.default", adaptiveAvgPool<3>},
    {"aten.adaptive_max_pool1d.default", adaptiveMaxPool<1>},
    {"aten.adaptive_max_pool2d.default", adaptiveMaxPool<2>},
    {"aten.adaptive_max_pool3d.default", adaptiveMaxPool<3>},
    {"aten.avg_pool1d.default", avgPool<1>},
    {"aten.avg_pool2d.default", avgPool<2>},
    {"aten.avg_pool3d.default", avgPool<3>},
    {"aten.max_pool1d.default", maxPool<1>},
    {"aten.max_pool1d_with_indices.default", maxPoolWithIndices<1>},
    {"aten.max_pool2d.default", maxPool<2>},
    {"aten.max_pool2d_with_indices.default", maxPoolWithIndices<2>},
    {"aten.max_pool3d.default", maxPool<3>},
    {"aten.max_pool3d_with_indices.default", maxPoolWithIndices<3>},
};

} // namespace

std::span<const TensorOperator> poolingOperators() {
  return table;
}

} // namespace plumbline::spec
