#include "core/method/float_text.h"

#include "core/f32/soft_float.h"
#include "core/method/refusal.h"

namespace plumbline::method {

using logic::Op;
using logic::Sort;
using logic::TermId;
using velvet::BinaryOp;
using velvet::ExprPtr;

namespace {

class Writer {
public:
  Writer(const logic::TermStore& store, const std::unordered_map<TermId, ExprPtr>& leaves)
      : m_store(store), m_leaves(leaves) {}

  ExprPtr value(TermId id) const {
    if (const auto leaf = m_leaves.find(id); leaf != m_leaves.end())
      return leaf->second;
    const logic::Term& term = m_store[id];
    if (term.op == Op::Ite)
      return velvet::ifThenElse(condition(term.args[0]), value(term.args[1]), value(term.args[2]));
    if (term.sort == Sort::Bool)
      return velvet::apply("decide", {condition(id)});
    if (term.sort != Sort::F32)
      refuse("no-closed-fact", term.sort == Sort::F64 ? "binary64 arithmetic" : "an integer");
    return number(term);
  }

private:
  ExprPtr number(const logic::Term& term) const {
    auto arg = [&](size_t i) { return value(term.args[i]); };
    switch (term.op) {
    case Op::FloatConst: return bitsText(static_cast<uint32_t>(term.payload));
    case Op::FAdd: return velvet::binary(BinaryOp::Add, arg(0), arg(1));
    case Op::FSub: return velvet::binary(BinaryOp::Subtract, arg(0), arg(1));
    case Op::FMul: return velvet::binary(BinaryOp::Multiply, arg(0), arg(1));
    case Op::FDiv: return velvet::binary(BinaryOp::Divide, arg(0), arg(1));
    case Op::FNeg: return velvet::unary(velvet::UnaryOp::Negate, arg(0));
    case Op::FAbs: return velvet::apply("Float32.abs", {arg(0)});
    case Op::FSqrt: return velvet::apply("Float32.sqrt", {arg(0)});
    case Op::FFma: return velvet::apply("Plumbline.fma", {arg(0), arg(1), arg(2)});
    case Op::IntToFloat: return fromInteger(term.args[0]);
    case Op::Opaque:
      refuse("no-closed-fact",
             "the function '" + m_store.symbolText(term.symbol) + "', whose bits nobody fixes");
    default: refuse("no-closed-fact", "the operator '" + std::string(jsonName(term.op)) + "'");
    }
  }

  ExprPtr fromInteger(TermId id) const {
    const std::optional<int64_t> known = m_store.intValue(id);
    if (!known)
      refuse("no-closed-fact", "an integer that is not known");
    return velvet::apply("Float32.ofInt", {velvet::number(*known)});
  }

  /// A proposition that Lean decides.
  ExprPtr condition(TermId id) const {
    const logic::Term& term = m_store[id];
    auto compared = [&](BinaryOp op) { return velvet::binary(op, value(term.args[0]), value(term.args[1])); };
    auto holds = [](const ExprPtr& boolean) {
      return velvet::binary(BinaryOp::Equal, boolean, velvet::name("true"));
    };
    switch (term.op) {
    case Op::BoolConst: return velvet::name(term.payload != 0 ? "True" : "False");
    case Op::Not: return velvet::unary(velvet::UnaryOp::Not, condition(term.args[0]));
    case Op::And: return velvet::binary(BinaryOp::And, condition(term.args[0]), condition(term.args[1]));
    case Op::Or: return velvet::binary(BinaryOp::Or, condition(term.args[0]), condition(term.args[1]));
    case Op::FLt: return compared(BinaryOp::Less);
    case Op::FLe: return compared(BinaryOp::LessEqual);
    case Op::FEq: return holds(compared(BinaryOp::BoolEqual));
    case Op::FSame: return compared(BinaryOp::Equal);
    case Op::FIsNan: return holds(velvet::apply("Float32.isNaN", {value(term.args[0])}));
    default: refuse("no-closed-fact", "the condition '" + std::string(jsonName(term.op)) + "'");
    }
  }

  const logic::TermStore& m_store;
  const std::unordered_map<TermId, ExprPtr>& m_leaves;
};

} // namespace

ExprPtr bitsText(uint32_t bits) {
  return velvet::apply("Float32.ofBits", {velvet::hexNumber(f32::Soft<f32::Binary32>::canonical(bits), 8)});
}

Expected<ExprPtr> floatText(const logic::TermStore& store, TermId term,
                            const std::unordered_map<TermId, ExprPtr>& leaves) {
  try {
    return Writer(store, leaves).value(term);
  } catch (const Refused& refused) {
    return fail(ErrorKind::Rejected, refused.rejection.id,
                "the kernel's value cannot be computed in Lean: it uses " + refused.rejection.construct,
                "the document without this theorem is written by `plumbline method`");
  }
}

} // namespace plumbline::method
