#include "core/spec/shape.h"

#include <algorithm>

namespace plumbline::spec {
namespace {

using ir::SizeExpr;
using logic::TermId;
using logic::TermStore;
using Kind = ir::SizeExpr::Kind;

/// Neighbouring dimensions of the target over which the operand moves or stands still.
struct Group {
  bool moves = false;
  TermId size{};
};

std::vector<Group> groupDimensions(TermStore& terms, const Shape& from, const Shape& to) {
  std::vector<Group> groups;
  for (size_t i = 0; i < to.size(); ++i) {
    if (isOne(to[i]))
      continue;
    const size_t missing = to.size() - from.size();
    bool moves = i >= missing && !isOne(from[i - missing]);
    TermId size = sizeTerm(terms, *to[i]);
    if (!groups.empty() && groups.back().moves == moves)
      groups.back().size = terms.imul(groups.back().size, size);
    else
      groups.push_back({moves, size});
  }
  return groups;
}

TermId maximum(TermStore& terms, TermId a, TermId b) {
  return terms.ite(terms.ilt(a, b), b, a);
}

/// The quotient rounded up. Truncation already rounds a quotient up that is not positive.
TermId ceilDivision(TermStore& terms, TermId a, TermId b) {
  const TermId zero = terms.integer(0);
  const TermId up = terms.idiv(terms.iadd(a, terms.isub(b, terms.integer(1))), b);
  const TermId upNegative = terms.idiv(terms.iadd(a, terms.iadd(b, terms.integer(1))), b);
  const TermId truncated = terms.idiv(a, b);
  const TermId positive = terms.ite(terms.ilt(zero, a), up, truncated);
  const TermId negative = terms.ite(terms.ilt(a, zero), upNegative, truncated);
  return terms.ite(terms.ilt(zero, b), positive, negative);
}

} // namespace

std::string print(const Shape& shape) {
  std::string text = "[";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + ir::print(*shape[i]);
  return text + "]";
}

bool sameSize(const SizeExpr& a, const SizeExpr& b) {
  return a.kind == b.kind && a.value == b.value && a.symbol == b.symbol &&
         std::equal(a.args.begin(), a.args.end(), b.args.begin(), b.args.end(),
                    [](const auto& left, const auto& right) { return sameSize(*left, *right); });
}

bool sameShape(const Shape& a, const Shape& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& left, const auto& right) { return sameSize(*left, *right); });
}

namespace {

/// Sizes of one round: small and distinct, then larger.
std::optional<int64_t> sampleSize(const torch::SymbolRange& range, uint64_t round, uint64_t symbol) {
  const uint64_t mixed = (round * 0x9E3779B97F4A7C15U + symbol * 0xBF58476D1CE4E5B9U) >> 33;
  const int64_t spread = round < 8 ? 24 : 5000;
  const int64_t low = std::max<int64_t>(range.low, 1);
  int64_t value = 0;
  if (__builtin_add_overflow(low, static_cast<int64_t>(mixed % static_cast<uint64_t>(spread)), &value))
    return low;
  return range.high && value > *range.high ? low : value;
}

} // namespace

bool equalShape(const Shape& a, const Shape& b, const std::map<std::string, torch::SymbolRange>& symbols) {
  if (sameShape(a, b))
    return true;
  if (a.size() != b.size())
    return false;
  constexpr uint64_t rounds = 32;
  for (uint64_t round = 0; round < rounds; ++round) {
    auto value = [&](const std::string& symbol) -> std::optional<int64_t> {
      const auto known = symbols.find(symbol);
      if (known == symbols.end())
        return std::nullopt;
      const auto position = static_cast<uint64_t>(std::distance(symbols.begin(), known));
      return sampleSize(known->second, round, position + 1);
    };
    for (size_t k = 0; k < a.size(); ++k) {
      const auto left = ir::evaluate(*a[k], value);
      const auto right = ir::evaluate(*b[k], value);
      if (!left || !right || *left != *right)
        return false;
    }
  }
  return true;
}

ir::SizeExprPtr folded(const ir::SizeExprPtr& size) {
  const auto value = ir::evaluate(*size, [](const std::string&) { return std::nullopt; });
  return value ? ir::sizeConstant(*value) : size;
}

ir::SizeExprPtr foldedBinary(Kind kind, const ir::SizeExprPtr& a, const ir::SizeExprPtr& b) {
  return folded(ir::sizeBinary(kind, a, b));
}

bool isOne(const ir::SizeExprPtr& size) {
  return size->kind == Kind::Constant && size->value == 1;
}

std::optional<Shape> broadcast(const Shape& a, const Shape& b) {
  Shape result = a.size() < b.size() ? b : a;
  const Shape& shorter = a.size() < b.size() ? a : b;
  const size_t missing = result.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    auto& size = result[missing + i];
    if (isOne(size))
      size = shorter[i];
    else if (!isOne(shorter[i]) && !sameSize(*size, *shorter[i]))
      return std::nullopt;
  }
  return result;
}

TermId sizeOperation(TermStore& terms, Kind kind, TermId a, TermId b) {
  switch (kind) {
  case Kind::Add: return terms.iadd(a, b);
  case Kind::Sub: return terms.isub(a, b);
  case Kind::Mul: return terms.imul(a, b);
  case Kind::Div: return terms.idiv(a, b);
  case Kind::Rem: return terms.irem(a, b);
  case Kind::Max: return maximum(terms, a, b);
  case Kind::Min: return terms.ite(terms.ilt(a, b), a, b);
  case Kind::CeilDiv: return ceilDivision(terms, a, b);
  case Kind::Lt: return terms.ilt(a, b);
  case Kind::Le: return terms.ile(a, b);
  case Kind::Gt: return terms.ilt(b, a);
  case Kind::Ge: return terms.ile(b, a);
  case Kind::Eq: return terms.ieq(a, b);
  case Kind::Ne: return terms.lnot(terms.ieq(a, b));
  case Kind::And: return terms.land(a, b);
  case Kind::Constant:
  case Kind::Symbol: break;
  }
  return a;
}

TermId sizeTerm(TermStore& terms, const SizeExpr& size) {
  if (size.kind == Kind::Constant)
    return terms.integer(size.value);
  if (size.kind == Kind::Symbol)
    return terms.var(logic::Sort::Int, size.symbol);
  const TermId a = sizeTerm(terms, *size.args[0]);
  const TermId b = sizeTerm(terms, *size.args[1]);
  return sizeOperation(terms, size.kind, a, b);
}

TermId numelTerm(TermStore& terms, const Shape& shape) {
  TermId numel = terms.integer(1);
  for (const auto& size : shape)
    numel = terms.imul(numel, sizeTerm(terms, *size));
  return numel;
}

TermId broadcastIndex(TermStore& terms, const Shape& from, const Shape& to, TermId index) {
  if (sameShape(from, to))
    return index;
  const std::vector<Group> groups = groupDimensions(terms, from, to);
  TermId result = terms.integer(0);
  TermId stride = terms.integer(1);        // of the group in the target
  TermId operandStride = terms.integer(1); // of the group in the operand
  for (size_t k = groups.size(); k-- > 0;) {
    const Group& group = groups[k];
    if (group.moves) {
      TermId coordinate = terms.idiv(index, stride);
      if (k > 0)
        coordinate = terms.irem(coordinate, group.size);
      result = terms.iadd(terms.imul(coordinate, operandStride), result);
      operandStride = terms.imul(group.size, operandStride);
    }
    stride = terms.imul(group.size, stride);
  }
  return result;
}

} // namespace plumbline::spec
