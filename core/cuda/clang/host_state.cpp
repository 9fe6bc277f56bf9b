#include "core/cuda/clang/host_state.h"

#include <algorithm>
#include <limits>
#include <map>

namespace plumbline::cuda {

using ir::ScalarType;
using ir::SizeExpr;
using ir::SizeExprPtr;

namespace {

struct Range {
  int64_t low;
  int64_t high;
};

/// Values of an integer type. The upper half of U64 is left out: a value there is treated as not fitting.
Range rangeOf(ScalarType type) {
  if (type == ScalarType::Bool)
    return {0, 1};
  const int width = ir::bitWidth(type);
  if (!ir::isSigned(type))
    return {0, width == 64 ? std::numeric_limits<int64_t>::max() : (int64_t{1} << width) - 1};
  return width == 64 ? Range{std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::max()}
                     : Range{-(int64_t{1} << (width - 1)), (int64_t{1} << (width - 1)) - 1};
}

bool isConstant(const SizeExprPtr& expr) {
  return expr->kind == SizeExpr::Kind::Constant;
}

std::set<size_t> joined(const HostValue& a, const HostValue& b) {
  std::set<size_t> checks = a.checks;
  checks.insert(b.checks.begin(), b.checks.end());
  return checks;
}

/// The constant when both operands are constants and the result exists.
SizeExprPtr folded(const SizeExprPtr& expr) {
  for (const SizeExprPtr& arg : expr->args)
    if (!isConstant(arg))
      return expr;
  const Expected<int64_t> value =
      ir::evaluate(*expr, [](const std::string&) { return std::optional<int64_t>(); });
  return value ? ir::sizeConstant(*value) : expr;
}

void require(HostState& state, HostValue& value, Range range, const std::string& what,
             const SourceRange& where, ir::HostCheck::Kind kind = ir::HostCheck::Kind::Exact) {
  if (isConstant(value.size) && value.size->value >= range.low && value.size->value <= range.high)
    return;
  value.checks.insert(state.checks.size());
  state.checks.push_back({value.size, range.low, range.high, what, where, kind});
}

} // namespace

HostValue unknownValue(std::string id, std::string construct, SourceRange where) {
  HostValue value;
  value.refusal = {std::move(id), std::move(construct), std::move(where)};
  return value;
}

HostValue integerValue(SizeExprPtr size, ScalarType type) {
  HostValue value;
  value.kind = HostValue::Kind::Integer;
  value.size = std::move(size);
  value.scalar = type;
  return value;
}

HostValue integerArithmetic(HostState& state, SizeExpr::Kind op, const HostValue& a, const HostValue& b,
                            ScalarType type, const SourceRange& where, const std::string& text) {
  HostValue result = integerValue(folded(ir::sizeBinary(op, a.size, b.size)), type);
  result.checks = joined(a, b);
  const bool divides =
      op == SizeExpr::Kind::Div || op == SizeExpr::Kind::Rem || op == SizeExpr::Kind::CeilDiv;
  if (divides) {
    HostValue divisor = b;
    require(state, divisor, {1, rangeOf(type).high}, "divisor of " + text, where,
            ir::HostCheck::Kind::Divisor);
    result.checks.insert(divisor.checks.begin(), divisor.checks.end());
  }
  // C truncates as SizeExpr does; rounding up is written for numbers that are not negative.
  if (op == SizeExpr::Kind::CeilDiv) {
    HostValue dividend = a;
    require(state, dividend, {0, rangeOf(type).high}, "dividend of " + text, where,
            ir::HostCheck::Kind::Model);
    result.checks.insert(dividend.checks.begin(), dividend.checks.end());
    // It is computed as (a + b - 1) / b.
    HostValue raised = integerValue(
        folded(ir::sizeBinary(SizeExpr::Kind::Add, a.size,
                              folded(ir::sizeBinary(SizeExpr::Kind::Sub, b.size, ir::sizeConstant(1))))),
        type);
    require(state, raised, rangeOf(type), "arithmetic " + text, where);
    result.checks.insert(raised.checks.begin(), raised.checks.end());
  }
  // The least number has no remainder by -1.
  const std::optional<int64_t> divisor = state.path.exact(*b.size);
  if (op == SizeExpr::Kind::Rem && divisor.value_or(-1) == -1 && rangeOf(type).low < 0 &&
      state.path.rangeOf(*a.size).low.value_or(-1) < 0) {
    HostValue quotient = integerValue(ir::sizeBinary(SizeExpr::Kind::Div, a.size, b.size), type);
    require(state, quotient, rangeOf(type), "arithmetic " + text, where);
    result.checks.insert(quotient.checks.begin(), quotient.checks.end());
  }
  require(state, result, rangeOf(type), "arithmetic " + text, where);
  return result;
}

bool cannotFail(const HostPath& path, const ir::HostCheck& check) {
  const auto holds = [&](SizeExpr::Kind op, int64_t bound) {
    return path.decided(*ir::sizeBinary(op, check.value, ir::sizeConstant(bound))) == true;
  };
  if (check.kind == ir::HostCheck::Kind::Divisor && !holds(SizeExpr::Kind::Ne, 0))
    return false;
  const bool anyLow = check.low == std::numeric_limits<int64_t>::min();
  const bool anyHigh = check.high == std::numeric_limits<int64_t>::max();
  if (check.kind == ir::HostCheck::Kind::Divisor && anyLow && anyHigh)
    return true;
  // A path knows bounds up to this only.
  constexpr int64_t furthest = int64_t{1} << 61;
  return holds(SizeExpr::Kind::Ge, std::max(check.low, -furthest)) &&
         holds(SizeExpr::Kind::Le, std::min(check.high, furthest));
}

std::vector<ir::HostCheck> uncertain(const HostState& state) {
  constexpr int64_t largestNumel = int64_t{1} << 30;
  HostPath path = state.path;
  std::vector<ir::HostCheck> left;
  for (const size_t index : state.required) {
    const ir::HostCheck& check = state.checks[index];
    for (const std::string& name : ir::symbolsOf(*check.value)) {
      const bool given = std::any_of(state.tensors.begin(), state.tensors.end(), [&](const HostTensor& each) {
        return each.origin == HostTensor::Origin::Parameter && name.starts_with(each.name + ".");
      });
      const bool size = name.ends_with(".numel") || name.find(".size.") != std::string::npos;
      if (!given || !size)
        continue;
      path.assume(ir::sizeBinary(SizeExpr::Kind::Ge, ir::sizeSymbol(name), ir::sizeConstant(1)));
      path.assume(ir::sizeBinary(SizeExpr::Kind::Le, ir::sizeSymbol(name), ir::sizeConstant(largestNumel)));
    }
    if (!cannotFail(path, check))
      left.push_back(check);
  }
  return left;
}

HostValue integerConversion(HostState& state, const HostValue& value, ScalarType type,
                            const SourceRange& where, const std::string& text) {
  HostValue result = value;
  result.scalar = type;
  const Range from = rangeOf(value.scalar);
  const Range to = rangeOf(type);
  if (from.low < to.low || from.high > to.high)
    require(state, result, to, "conversion of " + text + " to " + std::string(ir::name(type)), where);
  return result;
}

namespace {

const HostTensor& at(const HostState& state, int tensor) {
  return state.tensors[static_cast<size_t>(tensor)];
}

HostValue named(const HostTensor& tensor, const std::string& fact) {
  return integerValue(ir::sizeSymbol(tensor.name + "." + fact), ScalarType::I64);
}

} // namespace

bool isOpaque(const HostTensor& owner) {
  return owner.origin == HostTensor::Origin::Parameter ||
         (owner.origin == HostTensor::Origin::Operator && !owner.sized);
}

int shapeOwner(const HostState& state, int tensor) {
  while (at(state, tensor).like >= 0)
    tensor = at(state, tensor).like;
  return tensor;
}

int storageOf(const HostState& state, int tensor) {
  while (at(state, tensor).base >= 0)
    tensor = at(state, tensor).base;
  return tensor;
}

int memoryOf(const HostState& state, int tensor) {
  for (int next = tensor; next >= 0;) {
    tensor = storageOf(state, next);
    next = at(state, tensor).shares;
  }
  return tensor;
}

HostValue numelOf(HostState& state, int tensor, const SourceRange& where) {
  const int ownerIndex = shapeOwner(state, tensor);
  const HostTensor owner = at(state, ownerIndex);
  if (owner.origin == HostTensor::Origin::View)
    return numelOf(state, owner.base, where);
  if (isOpaque(owner))
    return named(owner, "numel");
  HostValue product = integerValue(ir::sizeConstant(1), ScalarType::I64);
  for (size_t i = 0; i < owner.dims.size(); ++i) {
    const HostValue& dim = owner.dims[i];
    product = i == 0 ? dim
                     : integerArithmetic(state, SizeExpr::Kind::Mul, product, dim, ScalarType::I64, where,
                                         "number of elements");
  }
  return product;
}

HostValue rankOf(const HostState& state, int tensor) {
  const HostTensor& owner = at(state, shapeOwner(state, tensor));
  return isOpaque(owner)
             ? named(owner, "dim")
             : integerValue(ir::sizeConstant(static_cast<int64_t>(owner.dims.size())), ScalarType::I64);
}

HostValue sizeOf(const HostState& state, int tensor, int64_t dimension, const SourceRange& where) {
  const HostTensor& owner = at(state, shapeOwner(state, tensor));
  const std::optional<int64_t> count = state.path.exact(*rankOf(state, tensor).size);
  const int64_t index = dimension < 0 && count ? dimension + *count : dimension;
  if (index < 0 || (count && index >= *count))
    return unknownValue("host-value", "size of dimension " + std::to_string(dimension), where);
  return isOpaque(owner) ? named(owner, "size." + std::to_string(index))
                         : owner.dims[static_cast<size_t>(index)];
}

ScalarType scalarOfDtype(const std::string& dtype) {
  static const std::map<std::string, ScalarType> types{
      {"Byte", ScalarType::U8},  {"Char", ScalarType::I8},       {"Short", ScalarType::I16},
      {"Half", ScalarType::F16}, {"BFloat16", ScalarType::BF16}, {"Int", ScalarType::I32},
      {"Long", ScalarType::I64}, {"Float", ScalarType::F32},     {"Double", ScalarType::F64},
      {"Bool", ScalarType::Bool}};
  const auto found = types.find(dtype);
  return found == types.end() ? ScalarType::Void : found->second;
}

ir::SizeSymbol symbolFor(const HostState& state, const std::string& name) {
  ir::SizeSymbol symbol{name, 0, std::numeric_limits<int64_t>::max(), {}, {}};
  const std::string owner = name.substr(0, name.find('.'));
  for (const WrapperParameter& parameter : state.parameters) {
    if (parameter.name != owner || parameter.tensor)
      continue;
    symbol.parameter = owner;
    if (name.ends_with(".len"))
      return symbol;
    if (parameter.scalar == ScalarType::Bool)
      return {name, 0, 1, {}, owner};
    const Range range = rangeOf(parameter.list ? ScalarType::I64 : parameter.scalar);
    symbol.low = range.low;
    symbol.high = range.high;
    return symbol;
  }
  symbol.tensor = owner;
  if (name.ends_with(".defined"))
    symbol.high = 1;
  return symbol;
}

} // namespace plumbline::cuda
