#include "core/gate/arithmetic/evaluate.h"

#include "core/gate/arithmetic/integer_part.h"

namespace plumbline::gate {

using logic::Op;
using logic::Term;
using logic::TermId;
using logic::TermStore;

namespace {

using Value = std::optional<WideInteger>;

/// Without the overflow builtin, which needs a library function for 128 bits.
Value multiplied(const WideInteger& a, const WideInteger& b) {
  constexpr WideInteger most = static_cast<WideInteger>(~static_cast<unsigned __int128>(0) >> 1);
  if (a == 0 || b == 0)
    return WideInteger{0};
  if (a <= -most || b <= -most)
    return std::nullopt;
  const WideInteger left = a < 0 ? -a : a;
  const WideInteger right = b < 0 ? -b : b;
  return left > most / right ? std::nullopt : Value(a * b);
}

Value divided(const WideInteger& a, const WideInteger& b, bool remainder) {
  if (b == 0)
    return std::nullopt;
  if (b == -1) { // the one quotient that may overflow
    WideInteger negated = 0;
    return !remainder && __builtin_sub_overflow(WideInteger{0}, a, &negated) ? std::nullopt : Value(negated);
  }
  return remainder ? a % b : a / b;
}

Value bitwise(BitOperation operation, const Value& a, const Value& b) {
  if (!a || !b || *a < 0 || *b < 0)
    return std::nullopt;
  switch (operation) {
  case BitOperation::And: return *a & *b;
  case BitOperation::Or: return *a | *b;
  case BitOperation::Xor: return *a ^ *b;
  case BitOperation::None: break;
  }
  return std::nullopt;
}

/// A Boolean connective has a value as soon as one operand decides it.
Value connective(Op op, const Value& a, const Value& b) {
  const WideInteger deciding = op == Op::And ? 0 : 1;
  if ((a && *a == deciding) || (b && *b == deciding))
    return deciding;
  return a && b ? Value(1 - deciding) : std::nullopt;
}

Value arithmetic(Op op, const Value& a, const Value& b) {
  if (!a || !b)
    return std::nullopt;
  WideInteger result = 0;
  switch (op) {
  case Op::IAdd: return __builtin_add_overflow(*a, *b, &result) ? std::nullopt : Value(result);
  case Op::ISub: return __builtin_sub_overflow(*a, *b, &result) ? std::nullopt : Value(result);
  case Op::IMul: return multiplied(*a, *b);
  case Op::IDiv: return divided(*a, *b, false);
  case Op::IRem: return divided(*a, *b, true);
  case Op::ILt: return *a < *b ? 1 : 0;
  case Op::ILe: return *a <= *b ? 1 : 0;
  case Op::IEq: return *a == *b ? 1 : 0;
  default: return std::nullopt;
  }
}

} // namespace

std::optional<WideInteger> evaluateInteger(const TermStore& store, TermId root,
                                           const VariableValues& values) {
  std::unordered_map<TermId, Value> done;
  for (const TermId id : store.postOrder(root)) {
    const Term& term = store[id];
    const auto arg = [&](size_t index) -> const Value& { return done.at(term.args[index]); };
    Value value;
    switch (term.op) {
    case Op::BoolConst:
    case Op::IntConst: value = static_cast<int64_t>(term.payload); break;
    case Op::Var:
      if (const auto found = values.find(id); found != values.end())
        value = found->second;
      break;
    case Op::Not: value = arg(0) ? Value(1 - *arg(0)) : std::nullopt; break;
    case Op::And:
    case Op::Or: value = connective(term.op, arg(0), arg(1)); break;
    case Op::Ite:
      if (arg(0))
        value = *arg(0) != 0 ? arg(1) : arg(2);
      break;
    case Op::Opaque:
      if (const BitOperation operation = bitOperation(store, id); operation != BitOperation::None)
        value = bitwise(operation, arg(0), arg(1));
      break;
    default:
      if (term.args.size() == 2)
        value = arithmetic(term.op, arg(0), arg(1));
      break;
    }
    done.emplace(id, value);
  }
  return done.at(root);
}

bool evaluatesToTrue(const TermStore& store, TermId root, const VariableValues& values) {
  const Value value = evaluateInteger(store, root, values);
  return value && *value == 1;
}

} // namespace plumbline::gate
