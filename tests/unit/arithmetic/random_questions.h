// Random questions over small integers and their truth by enumeration, independent of the prover's own
// evaluator.
#pragma once

#include "core/logic/term.h"

#include <array>
#include <random>

namespace plumbline::test {

/// Values of a, b, c, d.
using Point = std::array<int64_t, 4>;

/// The value of an Int or Bool term by plain recursion; nothing when it depends on a division by zero or on a
/// bit operation with a negative operand.
inline std::optional<int64_t> valueAt(const logic::TermStore& store, logic::TermId id, const Point& point) {
  using logic::Op;
  const logic::Term& term = store[id];
  if (term.op == Op::IntConst || term.op == Op::BoolConst)
    return static_cast<int64_t>(term.payload);
  if (term.op == Op::Var)
    return point.at(static_cast<size_t>(store.symbolText(id)[0] - 'a'));
  std::vector<std::optional<int64_t>> args;
  args.reserve(term.args.size());
  for (const logic::TermId arg : term.args)
    args.push_back(valueAt(store, arg, point));
  if (term.op == Op::Not)
    return args[0] ? std::optional<int64_t>(1 - *args[0]) : std::nullopt;
  if (term.op == Op::And || term.op == Op::Or) {
    const int64_t decides = term.op == Op::And ? 0 : 1;
    if (args[0] == decides || args[1] == decides)
      return decides;
    return args[0] && args[1] ? std::optional<int64_t>(1 - decides) : std::nullopt;
  }
  if (term.op == Op::Ite)
    return args[0] ? (*args[0] != 0 ? args[1] : args[2]) : std::nullopt;
  if (!args[0] || !args[1])
    return std::nullopt;
  const int64_t x = *args[0];
  const int64_t y = *args[1];
  switch (term.op) {
  case Op::IAdd: return x + y;
  case Op::ISub: return x - y;
  case Op::IMul: return x * y;
  case Op::IDiv: return y == 0 ? std::nullopt : std::optional<int64_t>(x / y);
  case Op::IRem: return y == 0 ? std::nullopt : std::optional<int64_t>(x % y);
  case Op::ILt: return x < y ? 1 : 0;
  case Op::ILe: return x <= y ? 1 : 0;
  case Op::IEq: return x == y ? 1 : 0;
  default: break;
  }
  const std::string& spelling = store.symbolText(id);
  if (x < 0 || y < 0)
    return std::nullopt;
  if (spelling == "bit.and")
    return x & y;
  return spelling == "bit.or" ? x | y : x ^ y;
}

/// Makes random terms over a, b, c, d.
class QuestionMaker {
public:
  QuestionMaker(logic::TermStore& store, uint32_t seed) : m_store(store), m_random(seed) {}

  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(m_random); }

  logic::TermId variable() {
    return m_store.var(logic::Sort::Int, std::string(1, static_cast<char>('a' + pick(4))));
  }

  logic::TermId integer(int depth) {
    if (depth == 0 || pick(6) == 0)
      return pick(3) == 0 ? m_store.integer(pick(9) - 3) : variable();
    const logic::TermId x = integer(depth - 1);
    const logic::TermId y = integer(depth - 1);
    switch (pick(10)) {
    case 0: return m_store.isub(x, y);
    case 1:
    case 2: return m_store.imul(x, y);
    case 3: return m_store.idiv(x, y);
    case 4: return m_store.irem(x, y);
    case 5: return m_store.ite(condition(depth - 1), x, y);
    case 6: {
      constexpr const char* spellings[] = {"bit.and", "bit.or", "bit.xor"};
      return m_store.opaque(logic::Sort::Int, spellings[pick(3)], std::array{x, y});
    }
    default: return m_store.iadd(x, y);
    }
  }

  logic::TermId condition(int depth) {
    const int below = depth > 0 ? depth - 1 : 0;
    switch (depth > 0 ? pick(7) : pick(3)) {
    case 0: return m_store.ilt(integer(below), integer(below));
    case 1: return m_store.ile(integer(below), integer(below));
    case 2: return m_store.ieq(integer(below), integer(below));
    case 3: return m_store.lnot(condition(below));
    case 4: return m_store.land(condition(below), condition(below));
    case 5: return m_store.lor(condition(below), condition(below));
    default: return m_store.ite(condition(below), condition(below), condition(below));
    }
  }

  /// A product of two sums, as indices are made of.
  logic::TermId index() {
    logic::TermId sum = variable();
    for (int i = pick(3); i >= 0; --i)
      sum = m_store.iadd(m_store.imul(sum, pick(2) == 0 ? variable() : m_store.integer(1 + pick(4))),
                         variable());
    return sum;
  }

  /// A comparison of two indices, or of an index with a product.
  logic::TermId indexCondition() {
    const logic::TermId left = index();
    const logic::TermId right = pick(2) == 0 ? index() : m_store.imul(variable(), variable());
    switch (pick(4)) {
    case 0: return m_store.ieq(left, right);
    case 1: return m_store.ile(left, right);
    case 2: return m_store.lnot(m_store.ieq(left, right));
    default: return m_store.ilt(left, right);
    }
  }

private:
  logic::TermStore& m_store;
  std::mt19937 m_random;
};

/// Calls `visit` for every point with low[i] <= x[i] <= high[i].
template <class Visit> void forAllPoints(const Point& low, const Point& high, Visit visit) {
  Point point{};
  for (point[0] = low[0]; point[0] <= high[0]; ++point[0])
    for (point[1] = low[1]; point[1] <= high[1]; ++point[1])
      for (point[2] = low[2]; point[2] <= high[2]; ++point[2])
        for (point[3] = low[3]; point[3] <= high[3]; ++point[3])
          visit(point);
}

} // namespace plumbline::test
