#include "core/spec/tensor_context.h"

#include <algorithm>
#include <numeric>

namespace plumbline::spec {

using logic::Op;
using logic::Sort;
using logic::TermId;
using torch::DType;

namespace {

constexpr uint32_t plusInfinity = 0x7F800000;
constexpr uint32_t minusInfinity = 0xFF800000;
constexpr uint32_t one = 0x3F800000;

/// No size or index of a tensor is larger; sums and products of a few such numbers do not overflow.
constexpr int64_t largestInteger = int64_t{1} << 40;

DType dtypeOf(Sort sort) {
  return sort == Sort::Bool ? DType::Bool : sort == Sort::Int ? DType::I64 : DType::F32;
}

} // namespace

// --- arguments ---

std::string TensorContext::tensor(const std::string& name) {
  if (const auto* reference = std::get_if<torch::TensorRef>(&argument(name)))
    return reference->name;
  unsupported("the argument '" + name + "' is not a tensor");
  return {};
}

std::string TensorContext::f32Tensor(const std::string& name) {
  const std::string result = tensor(name);
  if (!error() && elements().info(result).dtype != DType::F32)
    stop(ErrorKind::Rejected, "dtype-unsupported",
         "the argument '" + name + "' has dtype " + std::string(torch::name(elements().info(result).dtype)),
         "use float32 tensors");
  return result;
}

std::optional<std::string> TensorContext::optionalTensor(const std::string& name) {
  return isNone(name) ? std::nullopt : std::optional(tensor(name));
}

std::vector<std::string> TensorContext::tensorList(const std::string& name) {
  const std::vector<std::string> names = torch::tensorsOf(argument(name));
  if (names.empty())
    unsupported("the argument '" + name + "' is not a list of tensors");
  return names;
}

bool TensorContext::haveOneDtype(const std::vector<std::string>& tensors) {
  const bool areAlike = std::ranges::all_of(tensors, [&](const std::string& tensor) {
    return elements().info(tensor).dtype == elements().info(tensors.front()).dtype;
  });
  if (!areAlike)
    stop(ErrorKind::Rejected, "dtype-unsupported", "tensors of different dtypes", "convert them first");
  return areAlike;
}

const Shape& TensorContext::shapeOf(const std::string& tensor) {
  // After an error, too: what was read before it is as long as what is read now.
  static const Shape scalar;
  return tensor.empty() ? scalar : elements().info(tensor).sizes;
}

std::optional<int64_t> TensorContext::optionalInteger(const std::string& name) {
  return isNone(name) ? std::nullopt : std::optional(integer(name));
}

int64_t TensorContext::moderate(int64_t value, const std::string& name) {
  if (value >= -largestInteger && value <= largestInteger)
    return value;
  unsupported("the argument '" + name + "' has the number " + std::to_string(value));
  return 1;
}

int64_t TensorContext::integer(const std::string& name) {
  const torch::Argument& value = argument(name);
  if (const auto* known = std::get_if<int64_t>(&value))
    return moderate(*known, name);
  if (const auto* size = std::get_if<torch::SizeArg>(&value);
      size != nullptr && size->size->kind == ir::SizeExpr::Kind::Constant)
    return moderate(size->size->value, name);
  unsupported("the argument '" + name + "' is not a known integer");
  return 0;
}

bool TensorContext::flag(const std::string& name) {
  if (const auto* value = std::get_if<bool>(&argument(name)))
    return *value;
  unsupported("the argument '" + name + "' is not a truth value");
  return false;
}

std::string TensorContext::text(const std::string& name) {
  if (const auto* value = std::get_if<std::string>(&argument(name)))
    return *value;
  unsupported("the argument '" + name + "' is not a text");
  return {};
}

Shape TensorContext::sizes(const std::string& name) {
  Shape result;
  const torch::Argument& value = argument(name);
  if (const auto* list = std::get_if<std::vector<torch::SizeArg>>(&value)) {
    for (const torch::SizeArg& each : *list)
      result.push_back(each.size);
  } else {
    result.push_back(size(name));
  }
  return result;
}

ir::SizeExprPtr TensorContext::size(const std::string& name) {
  const torch::Argument& value = argument(name);
  if (const auto* known = std::get_if<int64_t>(&value))
    return ir::sizeConstant(*known);
  if (const auto* symbolic = std::get_if<torch::SizeArg>(&value);
      symbolic && !ir::isCondition(*symbolic->size))
    return symbolic->size;
  unsupported("the argument '" + name + "' is not a size");
  return ir::sizeConstant(0);
}

std::vector<int64_t> TensorContext::integers(const std::string& name) {
  std::vector<int64_t> result;
  for (const ir::SizeExprPtr& each : sizes(name)) {
    if (each->kind != ir::SizeExpr::Kind::Constant)
      unsupported("the argument '" + name + "' depends on a symbolic size");
    result.push_back(moderate(each->value, name));
  }
  return result;
}

std::vector<int64_t> TensorContext::integers(const std::string& name, size_t count,
                                             const std::vector<int64_t>& otherwise) {
  std::vector<int64_t> result = integers(name);
  if (result.empty())
    result = otherwise;
  if (result.size() == 1)
    result.resize(count, result.front());
  if (result.size() != count) {
    unsupported("the argument '" + name + "' does not have " + std::to_string(count) + " entries");
    result.resize(count, 1);
  }
  return result;
}

size_t TensorContext::dimension(int64_t value, size_t rank) {
  const auto limit = static_cast<int64_t>(std::max<size_t>(rank, 1));
  if (value < -limit || value >= limit) {
    unsupported("dimension " + std::to_string(value) + " of a tensor with " + std::to_string(rank));
    return 0;
  }
  return static_cast<size_t>(value < 0 ? value + limit : value);
}

size_t TensorContext::dimension(const std::string& name, size_t rank) {
  return dimension(integer(name), rank);
}

void TensorContext::requireSame(const ir::SizeExprPtr& a, const ir::SizeExprPtr& b, const std::string& what) {
  const torch::Graph& graph = elements().graph();
  if (equalShape({a}, {b}, graph.symbols))
    return;
  const auto hint = [&](const std::string& symbol) -> std::optional<int64_t> {
    const auto known = graph.hints.find(symbol);
    return known == graph.hints.end() ? std::nullopt : std::optional(known->second);
  };
  const auto left = ir::evaluate(*a, hint);
  const auto right = ir::evaluate(*b, hint);
  if (left && right && *left == *right)
    elements().assume(terms().ieq(term(a), term(b)));
  else
    stop(ErrorKind::Rejected, "shape-mismatch", what + ": " + ir::print(*a) + " and " + ir::print(*b),
         "export the module again");
}

void TensorContext::requireAtMost(const ir::SizeExprPtr& size, int64_t most) {
  elements().assume(terms().ile(term(size), number(most)));
}

Shape TensorContext::broadcastShape(const Shape& a, const Shape& b) {
  if (auto shape = broadcast(a, b))
    return *std::move(shape);
  stop(ErrorKind::Rejected, "shape-mismatch",
       "shapes " + print(a) + " and " + print(b) + " do not fit together", "export the module again");
  return a;
}

std::vector<size_t> TensorContext::dimensions(const std::string& name, size_t rank) {
  std::vector<size_t> result;
  if (!isNone(name))
    for (int64_t value : integers(name))
      result.push_back(dimension(value, rank));
  if (result.empty()) {
    result.resize(rank);
    std::iota(result.begin(), result.end(), size_t{0});
  }
  std::sort(result.begin(), result.end());
  if (std::adjacent_find(result.begin(), result.end()) != result.end())
    unsupported("the argument '" + name + "' names a dimension twice");
  return result;
}

// --- coordinates and values ---

Index TensorContext::coordinates(const Shape& shape) {
  return coordinates(shape, elements().index());
}

Index TensorContext::coordinates(const Shape& shape, TermId flat) {
  Index result(shape.size(), number(0));
  TermId stride = number(1);
  // Dimensions of size 1 have coordinate 0 and leave the others alone.
  size_t outermost = shape.size();
  for (size_t k = 0; k < shape.size(); ++k)
    if (!isOne(shape[k]) && outermost == shape.size())
      outermost = k;
  for (size_t k = shape.size(); k-- > 0;) {
    if (isOne(shape[k]))
      continue;
    const TermId extent = term(shape[k]);
    const TermId quotient = terms().intValue(stride) == 1 ? flat : terms().idiv(flat, stride);
    result[k] = k == outermost ? quotient : terms().irem(quotient, extent);
    stride = terms().imul(extent, stride);
  }
  return result;
}

Index TensorContext::stretched(const Shape& from, const Index& to) {
  Index result;
  if (from.size() > to.size())
    unsupported("a tensor has more dimensions than it is stretched to");
  else
    for (size_t k = 0; k < from.size(); ++k)
      result.push_back(isOne(from[k]) ? number(0) : to[to.size() - from.size() + k]);
  return result;
}

TermId TensorContext::flatIndex(const Shape& shape, const Index& index) {
  if (std::ranges::all_of(shape, isOne))
    return number(0);
  if (index == coordinates(shape))
    return elements().index();
  TermId result = number(0);
  TermId stride = number(1);
  for (size_t k = shape.size(); k-- > 0;) {
    if (isOne(shape[k]))
      continue;
    result = terms().iadd(terms().imul(index[k], stride), result);
    stride = terms().imul(term(shape[k]), stride);
  }
  return result;
}

TermId TensorContext::at(const std::string& tensor, const Index& index) {
  if (error() || shapeOf(tensor).size() != index.size()) {
    unsupported("the rank of '" + tensor + "' does not fit");
    return constant(0);
  }
  return elements().at(tensor, flatIndex(shapeOf(tensor), index));
}

TermId TensorContext::f32At(const std::string& tensor, const Index& index) {
  const TermId element = at(tensor, index);
  switch (terms()[element].sort) {
  case Sort::Bool: return ite(element, constant(1), constant(0));
  case Sort::Int: return terms().intToFloat(Sort::F32, element);
  default: return element;
  }
}

TermId TensorContext::integerAt(const std::string& tensor, const Index& index) {
  const TermId element = at(tensor, index);
  switch (terms()[element].sort) {
  case Sort::Bool: return ite(element, number(1), number(0));
  case Sort::Int: return element;
  default: unsupported("the tensor '" + tensor + "' has no integers"); return number(0);
  }
}

TermId TensorContext::gatherAt(const std::string& tensor, const Index& index, size_t dimension) {
  if (error() || dimension >= index.size() || shapeOf(tensor).size() != index.size()) {
    unsupported("the rank of '" + tensor + "' does not fit");
    return constant(0);
  }
  const TermId known = inside(index[dimension], term(shapeOf(tensor)[dimension]));
  return atIf(known, tensor, index);
}

TermId TensorContext::atIf(TermId exists, const std::string& tensor, const Index& index) {
  if (error() || shapeOf(tensor).size() != index.size()) {
    unsupported("the rank of '" + tensor + "' does not fit");
    return constant(0);
  }
  return elements().at(tensor, terms().ite(exists, flatIndex(shapeOf(tensor), index), nowhere()));
}

TermId TensorContext::inside(TermId value, TermId size) {
  return terms().land(terms().ile(number(0), value), terms().ilt(value, size));
}

TermId TensorContext::largest(TermId a, TermId b) {
  return terms().ite(terms().ilt(a, b), b, a);
}

TermId TensorContext::smallest(TermId a, TermId b) {
  return terms().ite(terms().ilt(a, b), a, b);
}

// --- results ---

TermId TensorContext::defaultInit(FoldKind kind) {
  switch (kind) {
  case FoldKind::Sum: return terms().f32Bits(0);
  case FoldKind::Product: return terms().f32Bits(one);
  case FoldKind::Maximum: return terms().f32Bits(minusInfinity);
  case FoldKind::Minimum: return terms().f32Bits(plusInfinity);
  case FoldKind::General: break;
  }
  unsupported("a fold without a start value");
  return terms().f32Bits(0);
}

/// NaN is kept, in the accumulator or in the term. Between zeros of both signs either may result: the choice
/// says which sign wins wherever both occur, so that the result has the sign of a zero that is there.
TermId TensorContext::extreme(const std::string& suffix, const Fold& fold, TermId acc) {
  const TermId term = fold.term;
  const TermId better = fold.kind == FoldKind::Maximum ? less(acc, term) : less(term, acc);
  TermId result = ite(terms().lor(terms().unary(Op::FIsNan, term), better), term, acc);
  if (terms()[term].op != Op::FAbs) {
    const TermId zero = constant(0);
    const TermId zeros = terms().land(equal(acc, zero), equal(term, zero));
    const TermId positive = add(acc, term);
    const TermId negative = neg(add(neg(acc), neg(term)));
    const std::string name = suffix.empty() ? "" : ":" + suffix;
    result = ite(zeros, ite(elements().choice(node(), op(), name), positive, negative), result);
  }
  return ite(terms().unary(Op::FIsNan, acc), acc, result);
}

TermId TensorContext::combine(const std::string& suffix, const Fold& fold, TermId acc) {
  switch (fold.kind) {
  case FoldKind::Sum: return add(acc, fold.term);
  case FoldKind::Product: return mul(acc, fold.term);
  case FoldKind::Maximum:
  case FoldKind::Minimum: return extreme(suffix, fold, acc);
  case FoldKind::General: break;
  }
  return fold.term;
}

std::string TensorContext::fold(const std::string& suffix, const Fold& fold) {
  if (error())
    return node().outputs.empty() ? "" : node().outputs[0];
  Stage stage;
  stage.tensor.name = suffix.empty() ? node().outputs[0] : node().name + ":" + suffix;
  stage.node = node().name;
  stage.kind = fold.kind;
  stage.count = fold.count;
  stage.init = fold.init ? *fold.init : defaultInit(fold.kind);
  stage.guard = fold.guard ? *fold.guard : terms().boolean(true);
  stage.term = fold.term;
  const Sort sort = terms()[stage.init].sort;
  const TermId acc = accumulator(sort);
  stage.next = terms().ite(stage.guard, combine(suffix, fold, acc), acc);
  stage.tensor.dtype = dtypeOf(sort);
  for (const ir::SizeExprPtr& size : fold.shape)
    stage.tensor.shape.push_back(term(size));
  stage.tensor.numel = numel(fold.shape);
  torch::TensorInfo info;
  info.dtype = stage.tensor.dtype;
  info.sizes = fold.shape;
  const std::string name = stage.tensor.name;
  elements().addStage(std::move(stage), std::move(info));
  return name;
}

void TensorContext::result(size_t k, Shape shape, TermId element) {
  if (m_results.size() <= k)
    m_results.resize(k + 1);
  m_results[k] = TensorResult{std::move(shape), element};
}

void TensorContext::resultFold(size_t k, const Fold& folded) {
  const std::string name = fold(k == 0 ? "fold" : "fold" + std::to_string(k), folded);
  if (!error())
    result(k, folded.shape, elements().own(name));
}

void TensorContext::resultIntegerSum(const Shape& shape, TermId count, TermId term) {
  const TermId next = terms().iadd(accumulator(Sort::Int), term);
  resultFold(0, {shape, FoldKind::General, count, next, std::nullopt, number(0)});
  if (!error() && !elements().ranges().ofStage(elements().stages().back().tensor.name))
    stop(ErrorKind::Rejected, "int64-range", "its sum may leave int64, where PyTorch's wraps around",
         "limit the integers first (clamp, remainder), or compute with float32");
}

} // namespace plumbline::spec
