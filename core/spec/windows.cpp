#include "core/spec/windows.h"

namespace plumbline::spec {

using ir::SizeExprPtr;
using logic::TermId;
using Kind = ir::SizeExpr::Kind;

namespace {

bool isConstant(const SizeExprPtr& size, int64_t value) {
  return size->kind == Kind::Constant && size->value == value;
}

} // namespace

SizeExprPtr sizeOf(Kind kind, const SizeExprPtr& a, const SizeExprPtr& b) {
  const bool isSum = kind == Kind::Add || kind == Kind::Sub;
  const bool isProduct = kind == Kind::Mul || kind == Kind::Div;
  if ((isSum && isConstant(b, 0)) || (isProduct && isConstant(b, 1)))
    return a;
  return foldedBinary(kind, a, b);
}

SizeExprPtr sizeOf(Kind kind, const SizeExprPtr& a, int64_t b) {
  return sizeOf(kind, a, ir::sizeConstant(b));
}

SizeExprPtr windowCount(const Window& window, bool ceilMode) {
  // floor(room / stride) + 1 for room >= 0, written so that the truncating division is right from -stride on.
  const SizeExprPtr padded =
      sizeOf(Kind::Add, window.input, window.before + window.after + window.stride - 1);
  const SizeExprPtr span = sizeOf(Kind::Mul, sizeOf(Kind::Sub, window.kernel, 1), window.dilation);
  const SizeExprPtr room = sizeOf(Kind::Sub, padded, span);
  if (!ceilMode)
    return sizeOf(Kind::Div, room, window.stride);
  const SizeExprPtr started = sizeOf(Kind::Add, window.input, window.before + window.stride - 1);
  return sizeOf(Kind::Min, sizeOf(Kind::Div, sizeOf(Kind::Add, room, window.stride - 1), window.stride),
                sizeOf(Kind::Div, started, window.stride));
}

TermId tap(TensorContext& c, const Window& window, TermId output, TermId k) {
  auto& terms = c.terms();
  const TermId first = terms.isub(terms.imul(output, c.number(window.stride)), c.number(window.before));
  return terms.iadd(first, terms.imul(k, c.number(window.dilation)));
}

TermId tapIsInside(TensorContext& c, const Window& window, TermId tap, bool ceilMode) {
  TermId result = c.terms().boolean(true);
  if (window.before > 0)
    result = c.terms().ile(c.number(0), tap);
  if (window.after > 0 || ceilMode)
    result = c.terms().land(result, c.terms().ilt(tap, c.term(window.input)));
  return result;
}

void checkWindow(TensorContext& c, const Window& window) {
  if (window.stride < 1 || window.dilation < 1)
    c.unsupported("a stride or dilation below 1");
  if (window.before < 0 || window.after < 0)
    c.unsupported("negative padding");
  if (window.kernel->kind == Kind::Constant && window.kernel->value < 1)
    c.unsupported("an empty kernel");
}

} // namespace plumbline::spec
