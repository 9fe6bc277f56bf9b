#include "core/cuda/clang/host_path.h"

#include <algorithm>

namespace plumbline::cuda {

using ir::SizeExpr;
using Kind = SizeExpr::Kind;

namespace {

/// Beyond this a bound counts as none.
constexpr int64_t largest = int64_t{1} << 62;

using Bound = std::optional<int64_t>;

Bound limited(__int128 value) {
  return value > largest || value < -largest ? Bound() : Bound(static_cast<int64_t>(value));
}

Bound plus(Bound a, Bound b) {
  return a && b ? limited(static_cast<__int128>(*a) + *b) : Bound();
}

Bound minus(Bound a, Bound b) {
  return a && b ? limited(static_cast<__int128>(*a) - *b) : Bound();
}

SizeRange product(const SizeRange& a, const SizeRange& b) {
  const bool natural = a.low && b.low && *a.low >= 0 && *b.low >= 0;
  if (natural)
    return {limited(static_cast<__int128>(*a.low) * *b.low),
            a.high && b.high ? limited(static_cast<__int128>(*a.high) * *b.high) : Bound()};
  if (!a.low || !a.high || !b.low || !b.high)
    return {};
  __int128 low = static_cast<__int128>(*a.low) * *b.low;
  __int128 high = low;
  for (const int64_t left : {*a.low, *a.high})
    for (const int64_t right : {*b.low, *b.high}) {
      low = std::min(low, static_cast<__int128>(left) * right);
      high = std::max(high, static_cast<__int128>(left) * right);
    }
  return {limited(low), limited(high)};
}

/// Division by a constant of something that is not negative; rounded up or down.
SizeRange quotient(const SizeRange& a, const SizeRange& b, bool up) {
  if (!a.low || *a.low < 0 || !b.low || b.low != b.high || *b.low < 1)
    return {};
  const int64_t more = up ? *b.low - 1 : 0;
  const auto divided = [&](Bound bound) {
    return bound ? limited((static_cast<__int128>(*bound) + more) / *b.low) : Bound();
  };
  return {divided(a.low), divided(a.high)};
}

SizeRange extremum(const SizeRange& a, const SizeRange& b, bool maximum) {
  const auto both = [&](Bound x, Bound y) {
    return x && y ? Bound(maximum ? std::max(*x, *y) : std::min(*x, *y)) : Bound();
  };
  SizeRange range{both(a.low, b.low), both(a.high, b.high)};
  // One bound is enough on the side that the operation favours.
  if (maximum && !range.low)
    range.low = a.low ? a.low : b.low;
  if (!maximum && !range.high)
    range.high = a.high ? a.high : b.high;
  return range;
}

/// What `a op b` is for all values in the ranges.
std::optional<bool> compared(Kind op, const SizeRange& a, const SizeRange& b) {
  const auto less = [](Bound high, Bound low) { return high && low && *high < *low; };
  const auto atMost = [](Bound high, Bound low) { return high && low && *high <= *low; };
  switch (op) {
  case Kind::Lt:
    return less(a.high, b.low)     ? std::optional(true)
           : atMost(b.high, a.low) ? std::optional(false)
                                   : std::nullopt;
  case Kind::Le:
    return atMost(a.high, b.low) ? std::optional(true)
           : less(b.high, a.low) ? std::optional(false)
                                 : std::nullopt;
  case Kind::Gt: return compared(Kind::Lt, b, a);
  case Kind::Ge: return compared(Kind::Le, b, a);
  case Kind::Eq:
    if (less(a.high, b.low) || less(b.high, a.low))
      return false;
    return a.low && a.low == a.high && a.low == b.low && b.low == b.high ? std::optional(true) : std::nullopt;
  case Kind::Ne: {
    const std::optional<bool> same = compared(Kind::Eq, a, b);
    return same ? std::optional(!*same) : std::nullopt;
  }
  default: return std::nullopt;
  }
}

/// What holds for a name before anything else is known.
SizeRange ofName(const std::string& name) {
  for (const char* natural : {".numel", ".size.", ".dim", ".len", ".defined"})
    if (name.find(natural) != std::string::npos)
      return {0, std::nullopt};
  return {};
}

} // namespace

std::optional<Kind> oppositeComparison(Kind kind) {
  switch (kind) {
  case Kind::Lt: return Kind::Ge;
  case Kind::Ge: return Kind::Lt;
  case Kind::Gt: return Kind::Le;
  case Kind::Le: return Kind::Gt;
  case Kind::Eq: return Kind::Ne;
  case Kind::Ne: return Kind::Eq;
  default: return std::nullopt;
  }
}

SizeRange HostPath::rangeOf(const SizeExpr& expr) const {
  if (expr.kind == Kind::Constant)
    return {limited(expr.value), limited(expr.value)};
  if (expr.kind == Kind::Symbol) {
    const auto found = m_ranges.find(expr.symbol);
    return found == m_ranges.end() ? ofName(expr.symbol) : found->second;
  }
  if (ir::isCondition(expr) || expr.args.size() != 2)
    return {};
  const SizeRange a = rangeOf(*expr.args[0]);
  const SizeRange b = rangeOf(*expr.args[1]);
  switch (expr.kind) {
  case Kind::Add: return {plus(a.low, b.low), plus(a.high, b.high)};
  case Kind::Sub: return {minus(a.low, b.high), minus(a.high, b.low)};
  case Kind::Mul: return product(a, b);
  case Kind::Div: return quotient(a, b, false);
  case Kind::CeilDiv: return quotient(a, b, true);
  case Kind::Max: return extremum(a, b, true);
  case Kind::Min: return extremum(a, b, false);
  case Kind::Rem:
    if (a.low && *a.low >= 0 && b.low && *b.low > 0)
      return {0, b.high ? Bound(*b.high - 1) : Bound()};
    return {};
  default: return {};
  }
}

std::optional<int64_t> HostPath::exact(const SizeExpr& expr) const {
  if (expr.kind == Kind::Constant)
    return expr.value;
  const SizeRange range = rangeOf(expr);
  return range.low && range.low == range.high ? range.low : std::nullopt;
}

std::optional<bool> HostPath::decided(const SizeExpr& condition) const {
  if (m_holds.contains(ir::print(condition)))
    return true;
  if (condition.kind == Kind::And) {
    const std::optional<bool> left = decided(*condition.args[0]);
    const std::optional<bool> right = decided(*condition.args[1]);
    if ((left && !*left) || (right && !*right))
      return false;
    return left && right ? std::optional(true) : std::nullopt;
  }
  const std::optional<Kind> opposite = oppositeComparison(condition.kind);
  if (!opposite)
    return std::nullopt;
  if (m_holds.contains(ir::print(*ir::sizeBinary(*opposite, condition.args[0], condition.args[1]))))
    return false;
  return compared(condition.kind, rangeOf(*condition.args[0]), rangeOf(*condition.args[1]));
}

void HostPath::assume(const ir::SizeExprPtr& condition) {
  m_holds.insert(ir::print(*condition));
  if (condition->kind == Kind::And) {
    assume(condition->args[0]);
    assume(condition->args[1]);
  } else if (oppositeComparison(condition->kind)) {
    const SizeRange left = rangeOf(*condition->args[0]);
    const SizeRange right = rangeOf(*condition->args[1]);
    const Kind op = condition->kind;
    // What is less than something is less than the most that this can be.
    const bool below = op == Kind::Lt || op == Kind::Le || op == Kind::Eq;
    const bool above = op == Kind::Gt || op == Kind::Ge || op == Kind::Eq;
    if (below && right.high)
      narrow(*condition->args[0], op == Kind::Lt ? Kind::Lt : Kind::Le, *right.high);
    if (above && right.low)
      narrow(*condition->args[0], op == Kind::Gt ? Kind::Gt : Kind::Ge, *right.low);
    if (above && left.high)
      narrow(*condition->args[1], op == Kind::Gt ? Kind::Lt : Kind::Le, *left.high);
    if (below && left.low)
      narrow(*condition->args[1], op == Kind::Lt ? Kind::Gt : Kind::Ge, *left.low);
    if (op == Kind::Ne && right.low && right.low == right.high)
      narrow(*condition->args[0], Kind::Ne, *right.low);
  }
}

/// Bounds of the name in `name`, `name + constant`, `name - constant`.
void HostPath::narrow(const SizeExpr& left, Kind op, int64_t bound) {
  if (left.kind == Kind::Add || left.kind == Kind::Sub) {
    const bool constant = left.args[1]->kind == Kind::Constant;
    const Bound moved = !constant                ? Bound()
                        : left.kind == Kind::Add ? minus(bound, left.args[1]->value)
                                                 : plus(bound, left.args[1]->value);
    if (moved)
      narrow(*left.args[0], op, *moved);
    return;
  }
  if (left.kind != Kind::Symbol)
    return;
  SizeRange& range = m_ranges.try_emplace(left.symbol, ofName(left.symbol)).first->second;
  if (op == Kind::Ne) {
    if (range.low == bound)
      range.low = bound + 1;
    if (range.high == bound)
      range.high = bound - 1;
  } else if (op == Kind::Lt || op == Kind::Le) {
    const int64_t most = op == Kind::Lt ? bound - 1 : bound;
    range.high = std::min(range.high.value_or(most), most);
  } else {
    const int64_t least = op == Kind::Gt ? bound + 1 : bound;
    range.low = std::max(range.low.value_or(least), least);
  }
}

bool HostPath::contradictory() const {
  return std::any_of(m_ranges.begin(), m_ranges.end(), [](const auto& known) {
    return known.second.low && known.second.high && *known.second.low > *known.second.high;
  });
}

bool HostPath::choose() {
  if (m_used == m_choices.size())
    m_choices.push_back(true);
  return m_choices[m_used++];
}

bool HostPath::next(std::vector<bool>& choices) const {
  choices.assign(m_choices.begin(), m_choices.begin() + static_cast<std::ptrdiff_t>(m_used));
  while (!choices.empty() && !choices.back())
    choices.pop_back();
  if (choices.empty())
    return false;
  choices.back() = false;
  return true;
}

} // namespace plumbline::cuda
