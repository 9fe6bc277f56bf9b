// Random integer terms and their value by plain recursion, independent of the library's evaluators.
#pragma once

#include "core/logic/term.h"

#include <map>
#include <random>

namespace plumbline::test {

using Assignment = std::map<std::string, int64_t>;

/// The value of an Int or Bool term over IAdd ... IEq, And, Or, Not, Ite, constants and variables. Nothing
/// when a divisor is zero or a value leaves a range that is safe for int64 arithmetic.
inline std::optional<int64_t> valueOf(const logic::TermStore& store, logic::TermId id,
                                      const Assignment& assignment) {
  using logic::Op;
  constexpr int64_t limit = int64_t{1} << 30;
  const logic::Term& term = store[id];
  if (term.op == Op::IntConst || term.op == Op::BoolConst)
    return static_cast<int64_t>(term.payload);
  if (term.op == Op::Var)
    return assignment.at(store.symbolText(id));
  std::vector<int64_t> args;
  for (logic::TermId arg : term.args) {
    const std::optional<int64_t> value = valueOf(store, arg, assignment);
    if (!value || *value > limit || *value < -limit)
      return std::nullopt;
    args.push_back(*value);
  }
  if ((term.op == Op::IDiv || term.op == Op::IRem) && args[1] == 0)
    return std::nullopt;
  switch (term.op) {
  case Op::IAdd: return args[0] + args[1];
  case Op::ISub: return args[0] - args[1];
  case Op::IMul: return args[0] * args[1];
  case Op::IDiv: return args[0] / args[1];
  case Op::IRem: return args[0] % args[1];
  case Op::ILt: return args[0] < args[1] ? 1 : 0;
  case Op::ILe: return args[0] <= args[1] ? 1 : 0;
  case Op::IEq: return args[0] == args[1] ? 1 : 0;
  case Op::Not: return 1 - args[0];
  case Op::And: return args[0] & args[1];
  case Op::Or: return args[0] | args[1];
  case Op::Ite: return args[0] != 0 ? args[1] : args[2];
  default: return std::nullopt;
  }
}

/// Random terms over the variables "a", "b", "c".
class TermMaker {
public:
  TermMaker(logic::TermStore& store, uint32_t seed) : m_store(store), m_random(seed) {}

  logic::TermId integer(int depth) {
    if (depth == 0 || pick(5) == 0)
      return pick(2) == 0 ? m_store.integer(pick(13) - 6) : m_store.var(logic::Sort::Int, names[pick(3)]);
    const logic::TermId a = integer(depth - 1);
    const logic::TermId b = integer(depth - 1);
    switch (pick(6)) {
    case 0: return m_store.isub(a, b);
    case 1: return m_store.imul(a, b);
    case 2: return m_store.idiv(a, b);
    case 3: return m_store.irem(a, b);
    case 4: return m_store.ite(condition(depth - 1), a, b);
    default: return m_store.iadd(a, b);
    }
  }

  logic::TermId condition(int depth) {
    const logic::TermId a = integer(depth > 0 ? depth - 1 : 0);
    const logic::TermId b = integer(depth > 0 ? depth - 1 : 0);
    switch (depth > 0 ? pick(6) : pick(3)) {
    case 0: return m_store.ilt(a, b);
    case 1: return m_store.ile(a, b);
    case 2: return m_store.ieq(a, b);
    case 3: return m_store.lnot(condition(depth - 1));
    case 4: return m_store.land(condition(depth - 1), condition(depth - 1));
    default: return m_store.lor(condition(depth - 1), condition(depth - 1));
    }
  }

  int pick(int count) { return std::uniform_int_distribution<int>(0, count - 1)(m_random); }

  static constexpr const char* names[] = {"a", "b", "c"};

private:
  logic::TermStore& m_store;
  std::mt19937 m_random;
};

/// Calls `visit` for every assignment of a, b, c to low..high.
template <class Visit> void forAll(int64_t low, int64_t high, Visit visit) {
  for (int64_t a = low; a <= high; ++a)
    for (int64_t b = low; b <= high; ++b)
      for (int64_t c = low; c <= high; ++c)
        visit(Assignment{{"a", a}, {"b", b}, {"c", c}});
}

} // namespace plumbline::test
