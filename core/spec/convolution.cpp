// Convolutions and transposed convolutions: one fold per element over the channels of the group and the
// positions of the kernel, row-major; the bias is added to its result.
#include "core/spec/tensor_operators.h"
#include "core/spec/windows.h"

#include <algorithm>

namespace plumbline::spec {
namespace {

using ir::SizeExprPtr;
using logic::TermId;
using Kind = ir::SizeExpr::Kind;

/// One convolution. Read the arguments, then `run`.
class Convolution {
public:
  Convolution(TensorContext& context, size_t spatial, bool isTransposed)
      : c(context), m_spatial(spatial), m_isTransposed(isTransposed), m_input(c.tensor("input")),
        m_weight(c.tensor("weight")), m_bias(c.optionalTensor("bias")), m_groups(c.integer("groups")) {
    const Shape& input = c.shapeOf(m_input);
    m_isBatched = input.size() == m_spatial + 2;
    if ((!m_isBatched && input.size() != m_spatial + 1) || c.shapeOf(m_weight).size() != m_spatial + 2)
      c.unsupported("the input or the weight does not have the rank that the operator takes");
    if (m_groups < 1)
      c.unsupported("fewer than one group");
    readWindows();
  }

  void padEvenly() {
    const auto padding = c.integers("padding", m_spatial);
    for (size_t k = 0; k < m_windows.size(); ++k)
      m_windows[k].before = m_windows[k].after = padding[k];
  }

  /// "valid" is no padding; "same" keeps the size, with the odd element at the end.
  void padByName() {
    const std::string name = c.text("padding");
    if (name != "valid" && name != "same")
      c.unsupported("padding '" + name + "'");
    if (name != "same")
      return;
    for (Window& window : m_windows) {
      if (window.stride != 1 || window.kernel->kind != Kind::Constant) {
        c.unsupported("padding 'same' with a stride or a symbolic kernel");
        return;
      }
      const int64_t total = window.dilation * (window.kernel->value - 1);
      window.before = total / 2;
      window.after = total - total / 2;
    }
  }

  void extendOutput() {
    m_outputPadding = c.integers("output_padding", m_spatial);
    for (size_t k = 0; k < m_windows.size(); ++k)
      if (m_outputPadding[k] < 0 ||
          m_outputPadding[k] >= std::max(m_windows[k].stride, m_windows[k].dilation))
        c.unsupported("output_padding is not below the stride or the dilation");
  }

  void run() {
    for (const Window& window : m_windows)
      checkWindow(c, window);
    checkChannels();
    if (c.error())
      return;
    const Shape shape = resultShape();
    const Fold products = fold(shape);
    if (!m_bias) {
      c.resultFold(0, products);
      return;
    }
    const std::string sums = c.fold("products", products);
    const Index to = c.coordinates(shape);
    c.result(shape, c.add(c.at(sums, to), c.f32At(*m_bias, {to[channelDimension()]})));
  }

private:
  size_t channelDimension() const { return m_isBatched ? 1 : 0; }

  void readWindows() {
    const auto stride = c.integers("stride", m_spatial);
    const auto dilation = c.integers("dilation", m_spatial);
    if (c.error())
      return;
    for (size_t k = 0; k < m_spatial; ++k)
      m_windows.push_back({c.shapeOf(m_input)[channelDimension() + 1 + k], c.shapeOf(m_weight)[2 + k],
                           stride[k], dilation[k], 0, 0});
  }

  /// A weight is [out, in / groups, ...], that of a transposed convolution [in, out / groups, ...].
  void checkChannels() {
    if (c.error())
      return;
    const Shape& weight = c.shapeOf(m_weight);
    const SizeExprPtr& channels = c.shapeOf(m_input)[channelDimension()];
    const SizeExprPtr grouped = sizeOf(Kind::Mul, weight[1], m_groups);
    m_inputChannels = m_isTransposed ? weight[0] : grouped;
    m_outputChannels = m_isTransposed ? grouped : weight[0];
    c.requireSame(channels, m_inputChannels, "the input has another number of channels than the weight");
    // In whole groups.
    c.requireSame(sizeOf(Kind::Rem, weight[0], m_groups), ir::sizeConstant(0),
                  "the channels cannot be grouped");
    if (!m_bias)
      return;
    const Shape& bias = c.shapeOf(*m_bias);
    if (bias.size() != 1)
      c.unsupported("a bias that is not one number for each channel");
    else
      c.requireSame(bias[0], m_outputChannels, "the bias has another number of channels than the weight");
  }

  Shape resultShape() const {
    Shape shape;
    if (m_isBatched)
      shape.push_back(c.shapeOf(m_input)[0]);
    shape.push_back(m_outputChannels);
    for (size_t k = 0; k < m_spatial; ++k)
      shape.push_back(m_isTransposed ? transposedSize(k) : windowCount(m_windows[k]));
    return shape;
  }

  SizeExprPtr transposedSize(size_t k) const {
    const Window& window = m_windows[k];
    const SizeExprPtr starts = sizeOf(Kind::Mul, sizeOf(Kind::Sub, window.input, 1), window.stride);
    const SizeExprPtr span = sizeOf(Kind::Mul, sizeOf(Kind::Sub, window.kernel, 1), window.dilation);
    return sizeOf(Kind::Add, sizeOf(Kind::Add, starts, span),
                  m_outputPadding[k] + 1 - window.before - window.after);
  }

  Fold fold(const Shape& shape) {
    auto& terms = c.terms();
    const SizeExprPtr inGroup = sizeOf(Kind::Div, m_inputChannels, m_groups);
    const SizeExprPtr outGroup = sizeOf(Kind::Div, m_outputChannels, m_groups);
    Shape inner{inGroup};
    for (const Window& window : m_windows)
      inner.push_back(window.kernel);
    const Index to = c.coordinates(shape);
    const Index step = c.coordinates(inner, c.step());
    const TermId output = to[channelDimension()];
    TermId channel = step[0];
    if (m_groups > 1)
      channel = terms.iadd(terms.imul(terms.idiv(output, c.term(outGroup)), c.term(inGroup)), channel);
    Index from(to.begin(), to.begin() + static_cast<std::ptrdiff_t>(channelDimension()));
    from.push_back(channel);
    Index weight{output, step[0]};
    if (m_isTransposed)
      weight = {channel, m_groups > 1 ? terms.irem(output, c.term(outGroup)) : output};
    TermId guard = terms.boolean(true);
    for (size_t k = 0; k < m_spatial; ++k) {
      const TermId position = to[channelDimension() + 1 + k];
      const Tap found = m_isTransposed ? transposedTap(m_windows[k], position, step[1 + k])
                                       : forwardTap(m_windows[k], position, step[1 + k]);
      guard = terms.land(guard, found.exists);
      from.push_back(found.position);
      weight.push_back(step[1 + k]);
    }
    const TermId term = c.mul(c.f32At(m_input, from), c.f32At(m_weight, weight));
    return {shape, FoldKind::Sum, c.numel(inner), term, guard};
  }

  struct Tap {
    TermId position;
    TermId exists;
  };

  Tap forwardTap(const Window& window, TermId output, TermId k) {
    const TermId position = tap(c, window, output, k);
    return {position, tapIsInside(c, window, position)};
  }

  /// The element of the input whose tap k falls on this output: (output + before - k * dilation) / stride,
  /// where that is a whole number.
  Tap transposedTap(const Window& window, TermId output, TermId k) {
    auto& terms = c.terms();
    const TermId from =
        terms.isub(terms.iadd(output, c.number(window.before)), terms.imul(k, c.number(window.dilation)));
    const TermId position = terms.idiv(from, c.number(window.stride));
    TermId exists = terms.land(terms.ile(c.number(0), from), terms.ilt(position, c.term(window.input)));
    if (window.stride > 1)
      exists = terms.land(exists, terms.ieq(terms.irem(from, c.number(window.stride)), c.number(0)));
    return {position, exists};
  }

  TensorContext& c;
  size_t m_spatial;
  bool m_isTransposed;
  std::string m_input;
  std::string m_weight;
  std::optional<std::string> m_bias;
  int64_t m_groups;
  bool m_isBatched = true;
  std::vector<Window> m_windows;
  std::vector<int64_t> m_outputPadding;
  SizeExprPtr m_inputChannels;
  SizeExprPtr m_outputChannels;
};

template <size_t spatial> void convolve(TensorContext& c) {
  Convolution convolution(c, spatial, false);
  convolution.padEvenly();
  convolution.run();
}

template <size_t spatial> void convolvePadded(TensorContext& c) {
  Convolution convolution(c, spatial, false);
  convolution.padByName();
  convolution.run();
}

template <size_t spatial> void convolveTransposed(TensorContext& c) {
  Convolution convolution(c, spatial, true);
  convolution.padEvenly();
  convolution.extendOutput();
  convolution.run();
}

/// The overload behind the others: always batched.
void convolution(TensorContext& c) {
  const size_t rank = c.shapeOf(c.tensor("input")).size();
  const bool isTransposed = c.flag("transposed");
  if (rank < 3 || rank > 5) {
    c.unsupported("an input that has not one to three spatial dimensions");
    return;
  }
  Convolution convolution(c, rank - 2, isTransposed);
  convolution.padEvenly();
  if (isTransposed)
    convolution.extendOutput();
  else
    for (int64_t each : c.integers("output_padding"))
      if (each != 0)
        c.unsupported("output_padding without transposed");
  convolution.run();
}

constexpr TensorOperator table[] = {
    {"aten.conv1d.default", convolve<1>},
    {"aten.conv1d.padding", convolvePadded<1>},
    {"aten.conv2d.default", convolve<2>},
    {"aten.conv2d.padding", convolvePadded<2>},
    {"aten.conv3d.default", convolve<3>},
    {"aten.conv3d.padding", convolvePadded<3>},
    {"aten.conv_transpose1d.default", convolveTransposed<1>},
    {"aten.conv_transpose2d.input", convolveTransposed<2>},
    {"aten.conv_transpose3d.input", convolveTransposed<3>},
    {"aten.convolution.default", convolution},
};

} // namespace

std::span<const TensorOperator> convolutionOperators() {
  return table;
}

} // namespace plumbline::spec
