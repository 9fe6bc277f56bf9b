#include "core/spec/integer_range.h"

#include <algorithm>
#include <unordered_map>

namespace plumbline::spec {

using logic::Op;
using logic::Sort;
using logic::TermId;

namespace {

using Range = std::optional<IntegerRange>;

constexpr int64_t largestSize = int64_t{1} << 30;
constexpr IntegerRange everything{INT64_MIN, INT64_MAX};

Range hull(const Range& a, const Range& b) {
  if (!a || !b)
    return std::nullopt;
  return IntegerRange{std::min(a->low, b->low), std::max(a->high, b->high)};
}

Range add(const IntegerRange& a, const IntegerRange& b) {
  IntegerRange result;
  if (__builtin_add_overflow(a.low, b.low, &result.low) ||
      __builtin_add_overflow(a.high, b.high, &result.high))
    return std::nullopt;
  return result;
}

Range subtract(const IntegerRange& a, const IntegerRange& b) {
  IntegerRange result;
  if (__builtin_sub_overflow(a.low, b.high, &result.low) ||
      __builtin_sub_overflow(a.high, b.low, &result.high))
    return std::nullopt;
  return result;
}

Range multiply(const IntegerRange& a, const IntegerRange& b) {
  Range result;
  for (const int64_t x : {a.low, a.high})
    for (const int64_t y : {b.low, b.high}) {
      int64_t product = 0;
      if (__builtin_mul_overflow(x, y, &product))
        return std::nullopt;
      result = result ? hull(result, IntegerRange{product, product}) : IntegerRange{product, product};
    }
  return result;
}

/// Truncating. A quotient is no larger than the dividend, apart from the smallest number divided by -1.
Range divide(const IntegerRange& a, const IntegerRange& b) {
  if (b.low == b.high && b.low != 0 && b.low != -1) {
    const int64_t x = a.low / b.low;
    const int64_t y = a.high / b.low;
    return IntegerRange{std::min(x, y), std::max(x, y)};
  }
  if (b.low >= 0)
    return IntegerRange{std::min<int64_t>(a.low, 0), std::max<int64_t>(a.high, 0)};
  if (a.low == INT64_MIN)
    return std::nullopt;
  const int64_t largest = std::max({-a.low, a.high, int64_t{0}});
  return IntegerRange{-largest, largest};
}

/// Has the sign of the dividend and is nearer to zero than the divisor.
Range remainder(const IntegerRange& a, const IntegerRange& b) {
  const int64_t below = std::max(b.low == INT64_MIN ? INT64_MAX : std::abs(b.low) - 1,
                                 b.high == INT64_MIN ? INT64_MAX : std::abs(b.high) - 1);
  const int64_t limit = std::max<int64_t>(below, 0);
  return IntegerRange{a.low >= 0 ? 0 : std::max(a.low, -limit), a.high <= 0 ? 0 : std::min(a.high, limit)};
}

} // namespace

std::optional<int64_t> IntegerRanges::captured(TermId size) const {
  std::unordered_map<TermId, std::optional<int64_t>> values;
  for (TermId id : m_terms.postOrder(size)) {
    const logic::Term& term = m_terms[id];
    if (term.op == Op::Var) {
      const auto hint = m_graph.hints.find(m_terms.symbolText(id));
      values[id] = hint == m_graph.hints.end() ? std::nullopt : std::optional(hint->second);
    } else if (term.op == Op::IMul) {
      int64_t product = 0;
      const auto a = values[term.args[0]];
      const auto b = values[term.args[1]];
      values[id] =
          a && b && !__builtin_mul_overflow(*a, *b, &product) ? std::optional(product) : std::nullopt;
    } else {
      values[id] = m_terms.intValue(id);
    }
  }
  return values[size];
}

IntegerRanges::Range IntegerRanges::belowCount(TermId count) const {
  const auto known = m_terms.intValue(count);
  const int64_t limit = known ? *known : std::max(largestSize, captured(count).value_or(0));
  return IntegerRange{0, std::max<int64_t>(limit - 1, 0)};
}

IntegerRanges::Range IntegerRanges::symbol(const std::string& name) const {
  const auto known = m_graph.symbols.find(name);
  if (known == m_graph.symbols.end())
    return std::nullopt;
  const auto hint = m_graph.hints.find(name);
  const int64_t limit = std::max(largestSize, hint == m_graph.hints.end() ? 0 : hint->second);
  return IntegerRange{known->second.low, std::min(known->second.high.value_or(limit), limit)};
}

IntegerRanges::Range IntegerRanges::leaf(TermId id, const Scope& scope) const {
  const logic::Term& term = m_terms[id];
  const std::string& name = m_terms.symbolText(id);
  if (term.op == Op::IntConst)
    return IntegerRange{static_cast<int64_t>(term.payload), static_cast<int64_t>(term.payload)};
  if (term.op == Op::Load) {
    const auto stage = m_stages.find(name);
    return stage == m_stages.end() || !stage->second ? everything : *stage->second;
  }
  if (name == indexName)
    return scope.index;
  if (name == stepName)
    return scope.step;
  return name == accumulatorName ? scope.accumulator : symbol(name);
}

IntegerRanges::Range IntegerRanges::evaluate(TermId root, const Scope& scope) const {
  std::unordered_map<TermId, Range> ranges;
  for (TermId id : m_terms.postOrder(root)) {
    const logic::Term& term = m_terms[id];
    if (term.sort != Sort::Int)
      continue;
    if (term.op == Op::FloatToInt) {
      ranges[id] = everything;
    } else if (term.op == Op::Ite) {
      const Range a = ranges[term.args[1]];
      const Range b = ranges[term.args[2]];
      ranges[id] = hull(a, b);
      // The smaller or the larger of two.
      const logic::Term& condition = m_terms[term.args[0]];
      if (a && b && condition.op == Op::ILt && condition.args[0] == term.args[1] &&
          condition.args[1] == term.args[2])
        ranges[id] = IntegerRange{std::min(a->low, b->low), std::min(a->high, b->high)};
      else if (a && b && condition.op == Op::ILt && condition.args[0] == term.args[2] &&
               condition.args[1] == term.args[1])
        ranges[id] = IntegerRange{std::max(a->low, b->low), std::max(a->high, b->high)};
    } else if (term.args.size() == 2) {
      const Range a = ranges[term.args[0]];
      const Range b = ranges[term.args[1]];
      if (!a || !b)
        ranges[id] = std::nullopt;
      else
        ranges[id] = term.op == Op::IAdd   ? add(*a, *b)
                     : term.op == Op::ISub ? subtract(*a, *b)
                     : term.op == Op::IMul ? multiply(*a, *b)
                     : term.op == Op::IDiv ? divide(*a, *b)
                     : term.op == Op::IRem ? remainder(*a, *b)
                                           : Range();
    } else {
      ranges[id] = leaf(id, scope);
    }
  }
  return ranges[root];
}

std::optional<IntegerRange> IntegerRanges::of(TermId term, TermId numel) const {
  return evaluate(term, {belowCount(numel), std::nullopt, std::nullopt});
}

/// Of as many terms as there may be, each added once: the partial sums lie in it too.
IntegerRanges::Range IntegerRanges::sum(const Stage& stage, const IntegerRange& start, Scope scope) const {
  const logic::Term& next = m_terms[stage.next];
  const bool isSum = next.op == Op::IAdd && m_terms[next.args[0]].op == Op::Var &&
                     m_terms.symbolText(next.args[0]) == accumulatorName;
  if (!isSum)
    return std::nullopt;
  scope.accumulator = std::nullopt; // a term that depends on it is none that is added once
  const Range term = evaluate(next.args[1], scope);
  if (!term)
    return std::nullopt;
  const int64_t most = scope.step->high + 1;
  const Range all = multiply({std::min<int64_t>(term->low, 0), std::max<int64_t>(term->high, 0)}, {0, most});
  return all ? add(start, *all) : std::nullopt;
}

void IntegerRanges::addStage(const Stage& stage) {
  if (m_terms[stage.init].sort != Sort::Int)
    return;
  Scope scope{belowCount(stage.tensor.numel), belowCount(stage.count), std::nullopt};
  if (const Range count = evaluate(stage.count, scope); count && !m_terms.intValue(stage.count))
    scope.step = IntegerRange{0, std::max<int64_t>(count->high - 1, 0)};
  const Range start = evaluate(stage.init, scope);
  if (!start) {
    m_stages[stage.tensor.name] = std::nullopt;
    return;
  }
  scope.accumulator = start;
  const Range once = hull(start, evaluate(stage.next, scope));
  scope.accumulator = once;
  const Range twice = evaluate(stage.next, scope);
  const bool isStable = once && twice && once->contains(*twice);
  m_stages[stage.tensor.name] = isStable ? once : sum(stage, *start, scope);
}

std::optional<IntegerRange> IntegerRanges::ofStage(const std::string& name) const {
  const auto found = m_stages.find(name);
  return found == m_stages.end() ? std::nullopt : found->second;
}

} // namespace plumbline::spec
