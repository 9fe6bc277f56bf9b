// Applications: Lean's own functions, those of lean/Plumbline by their definitions there, the document's.
#include "core/goals/lowering.h"

#include <algorithm>
#include <array>
#include <span>

namespace plumbline::goals {

using logic::Op;
using logic::Sort;
using logic::TermId;
using logic::TermStore;
using velvet::Expr;
using velvet::ExprPtr;
using velvet::Form;

namespace {

[[noreturn]] void unsupported(std::string what) {
  throw Unsupported{std::move(what)};
}

/// A function of scalars: the types of its arguments and result, and its value.
struct Function {
  std::string_view name;
  std::vector<Kind> args;
  Kind result;
  TermId (*make)(TermStore& store, std::span<const TermId> args);
};

TermId select(TermStore& s, TermId when, TermId a, TermId b) {
  return s.ite(when, a, b);
}

TermId minusZero(TermStore& s, TermId like) {
  return s[like].sort == Sort::F32 ? s.f32Bits(0x80000000U) : s.f64Bits(uint64_t{1} << 63);
}

/// PTX max: a number beats NaN, 0 is above -0.
TermId ptxMaximum(TermStore& s, std::span<const TermId> a) {
  const TermId tie = select(s, s.binary(Op::FSame, a[0], minusZero(s, a[0])), a[1], a[0]);
  const TermId ordered =
      select(s, s.binary(Op::FLt, a[0], a[1]), a[1], select(s, s.binary(Op::FLt, a[1], a[0]), a[0], tie));
  return select(s, s.unary(Op::FIsNan, a[0]), a[1], select(s, s.unary(Op::FIsNan, a[1]), a[0], ordered));
}

TermId ptxMinimum(TermStore& s, std::span<const TermId> a) {
  const TermId tie = select(s, s.binary(Op::FSame, a[0], minusZero(s, a[0])), a[0], a[1]);
  const TermId ordered =
      select(s, s.binary(Op::FLt, a[0], a[1]), a[0], select(s, s.binary(Op::FLt, a[1], a[0]), a[1], tie));
  return select(s, s.unary(Op::FIsNan, a[0]), a[1], select(s, s.unary(Op::FIsNan, a[1]), a[0], ordered));
}

TermId floatMaximum(TermStore& s, std::span<const TermId> a) {
  return select(s, s.binary(Op::FLt, a[0], a[1]), a[1], a[0]);
}
TermId floatMinimum(TermStore& s, std::span<const TermId> a) {
  return select(s, s.binary(Op::FLt, a[1], a[0]), a[1], a[0]);
}

/// C's quotient, with Lean's value for a divisor of 0.
TermId truncatedQuotient(TermStore& s, std::span<const TermId> a) {
  return select(s, s.ieq(a[1], s.integer(0)), s.integer(0), s.idiv(a[0], a[1]));
}
TermId truncatedRest(TermStore& s, std::span<const TermId> a) {
  return select(s, s.ieq(a[1], s.integer(0)), a[0], s.irem(a[0], a[1]));
}

template <int64_t low, int64_t high> TermId within(TermStore& s, std::span<const TermId> a) {
  return s.land(s.ile(s.integer(low), a[0]), s.ile(a[0], s.integer(high)));
}

/// 2^64 - 1 is no constant of terms: it is twice 2^63 - 1, and one.
TermId fitsU64(TermStore& s, std::span<const TermId> a) {
  const TermId high = s.make(
      {Op::IAdd,
       Sort::Int,
       0,
       0,
       {s.integer(INT64_MAX), s.make({Op::IAdd, Sort::Int, 0, 0, {s.integer(INT64_MAX), s.integer(1)}})}});
  return s.land(s.ile(s.integer(0), a[0]), s.ile(a[0], high));
}

template <Op op> TermId floatOp(TermStore& s, std::span<const TermId> a) {
  return a.size() == 1 ? s.unary(op, a[0]) : s.binary(op, a[0], a[1]);
}
TermId fused(TermStore& s, std::span<const TermId> a) {
  return s.fma(a[0], a[1], a[2]);
}
template <Sort sort> TermId fromInteger(TermStore& s, std::span<const TermId> a) {
  return s.intToFloat(sort, a[0]);
}
template <Sort sort> TermId converted(TermStore& s, std::span<const TermId> a) {
  return s.convert(sort, a[0]);
}
template <int bits, bool isSigned> TermId truncated(TermStore& s, std::span<const TermId> a) {
  return s.floatToInt(a[0], bits, isSigned);
}
TermId inverseRoot(TermStore& s, std::span<const TermId> a) {
  const TermId root = s.unary(Op::FSqrt, s.intToFloat(Sort::F64, a[0]));
  return s.convert(Sort::F32, s.binary(Op::FDiv, s.f64Bits(0x3FF0000000000000U), root));
}
TermId identity(TermStore& /*store*/, std::span<const TermId> a) {
  return a[0];
}
TermId toNatural(TermStore& s, std::span<const TermId> a) {
  return select(s, s.ile(s.integer(0), a[0]), a[0], s.integer(0));
}
TermId absolute(TermStore& s, std::span<const TermId> a) {
  return select(s, s.ile(s.integer(0), a[0]), a[0], s.isub(s.integer(0), a[0]));
}
TermId integerMaximum(TermStore& s, std::span<const TermId> a) {
  return select(s, s.ilt(a[0], a[1]), a[1], a[0]);
}
TermId integerMinimum(TermStore& s, std::span<const TermId> a) {
  return select(s, s.ilt(a[1], a[0]), a[1], a[0]);
}
template <uint32_t bits> TermId constant(TermStore& s, std::span<const TermId> /*args*/) {
  return s.f32Bits(bits);
}

const std::vector<Function>& functions() {
  constexpr Kind I = Kind::Int;
  constexpr Kind N = Kind::Nat;
  constexpr Kind F = Kind::F32;
  constexpr Kind D = Kind::F64;
  constexpr Kind B = Kind::Bool;
  constexpr Kind P = Kind::Prop;
  static const std::vector<Function> table{
      {"Plumbline.cDiv", {I, I}, I, truncatedQuotient},
      {"Plumbline.cMod", {I, I}, I, truncatedRest},
      {"Int.tdiv", {I, I}, I, truncatedQuotient},
      {"Int.tmod", {I, I}, I, truncatedRest},
      {"Int.toNat", {I}, N, toNatural},
      {"Int.ofNat", {N}, I, identity},
      {"Int.natAbs", {I}, N, absolute},
      {"Plumbline.FitsI8", {I}, P, within<INT8_MIN, INT8_MAX>},
      {"Plumbline.FitsU8", {I}, P, within<0, UINT8_MAX>},
      {"Plumbline.FitsI16", {I}, P, within<INT16_MIN, INT16_MAX>},
      {"Plumbline.FitsU16", {I}, P, within<0, UINT16_MAX>},
      {"Plumbline.FitsI32", {I}, P, within<INT32_MIN, INT32_MAX>},
      {"Plumbline.FitsU32", {I}, P, within<0, UINT32_MAX>},
      {"Plumbline.FitsI64", {I}, P, within<INT64_MIN, INT64_MAX>},
      {"Plumbline.FitsU64", {I}, P, fitsU64},
      {"Plumbline.int_max", {I, I}, I, integerMaximum},
      {"Plumbline.int_min", {I, I}, I, integerMinimum},
      {"Plumbline.int_abs", {I}, I, absolute},
      {"Plumbline.fmaxf", {F, F}, F, ptxMaximum},
      {"Plumbline.fminf", {F, F}, F, ptxMinimum},
      {"Plumbline.fmaxf_f64", {D, D}, D, ptxMaximum},
      {"Plumbline.fminf_f64", {D, D}, D, ptxMinimum},
      {"Plumbline.std_max", {F, F}, F, floatMaximum},
      {"Plumbline.std_min", {F, F}, F, floatMinimum},
      {"Plumbline.std_max_f64", {D, D}, D, floatMaximum},
      {"Plumbline.std_min_f64", {D, D}, D, floatMinimum},
      {"Plumbline.truncI32", {F}, I, truncated<32, true>},
      {"Plumbline.truncU32", {F}, I, truncated<32, false>},
      {"Plumbline.truncI64", {F}, I, truncated<64, true>},
      {"Plumbline.truncI32_f64", {D}, I, truncated<32, true>},
      {"Plumbline.truncU32_f64", {D}, I, truncated<32, false>},
      {"Plumbline.truncI64_f64", {D}, I, truncated<64, true>},
      {"Plumbline.widen", {F}, D, converted<Sort::F64>},
      {"Plumbline.narrow", {D}, F, converted<Sort::F32>},
      {"Plumbline.fma", {F, F, F}, F, fused},
      {"Plumbline.fma_f64", {D, D, D}, D, fused},
      {"Float32.isNaN", {F}, B, floatOp<Op::FIsNan>},
      {"Float.isNaN", {D}, B, floatOp<Op::FIsNan>},
      {"Float32.abs", {F}, F, floatOp<Op::FAbs>},
      {"Float.abs", {D}, D, floatOp<Op::FAbs>},
      {"Float32.sqrt", {F}, F, floatOp<Op::FSqrt>},
      {"Float.sqrt", {D}, D, floatOp<Op::FSqrt>},
      {"Float32.ofInt", {I}, F, fromInteger<Sort::F32>},
      {"Float.ofInt", {I}, D, fromInteger<Sort::F64>},
      {"Plumbline.Scalar.nan", {}, F, constant<0x7FC00000U>},
      {"Plumbline.Scalar.top", {}, F, constant<0x7F800000U>},
      {"Plumbline.Scalar.bottom", {}, F, constant<0xFF800000U>},
      {"Plumbline.Scalar.add", {F, F}, F, floatOp<Op::FAdd>},
      {"Plumbline.Scalar.sub", {F, F}, F, floatOp<Op::FSub>},
      {"Plumbline.Scalar.mul", {F, F}, F, floatOp<Op::FMul>},
      {"Plumbline.Scalar.div", {F, F}, F, floatOp<Op::FDiv>},
      {"Plumbline.Scalar.neg", {F}, F, floatOp<Op::FNeg>},
      {"Plumbline.Scalar.abs", {F}, F, floatOp<Op::FAbs>},
      {"Plumbline.Scalar.sqrt", {F}, F, floatOp<Op::FSqrt>},
      {"Plumbline.Scalar.fma", {F, F, F}, F, fused},
      {"Plumbline.Scalar.lt", {F, F}, B, floatOp<Op::FLt>},
      {"Plumbline.Scalar.le", {F, F}, B, floatOp<Op::FLe>},
      {"Plumbline.Scalar.eq", {F, F}, B, floatOp<Op::FEq>},
      {"Plumbline.Scalar.isNaN", {F}, B, floatOp<Op::FIsNan>},
      {"Plumbline.Scalar.ofInt", {I}, F, fromInteger<Sort::F32>},
      {"Plumbline.Scalar.inverseRoot", {I}, F, inverseRoot},
  };
  return table;
}

const Function* functionNamed(const std::string& name) {
  static const auto index = [] {
    std::unordered_map<std::string_view, const Function*> result;
    for (const Function& function : functions())
      result.emplace(function.name, &function);
    return result;
  }();
  const auto found = index.find(name);
  return found != index.end() ? found->second : nullptr;
}

/// Functions of lean/Plumbline/Opaque.lean and Binary64.lean, by name: how many arguments they take.
std::optional<int> opaqueArity(std::string_view name) {
  constexpr auto two = std::to_array<std::string_view>({"powf", "pow", "aten_pow", "fast_fdividef",
                                                        "fast_powf", "atan2f", "atan2", "hypotf", "hypot",
                                                        "rhypotf", "rhypot", "nextafterf", "nextafter"});
  constexpr auto one = std::to_array<std::string_view>({"expf",
                                                        "exp2f",
                                                        "expm1f",
                                                        "logf",
                                                        "log2f",
                                                        "log1pf",
                                                        "tanhf",
                                                        "erff",
                                                        "sinf",
                                                        "cosf",
                                                        "rsqrtf",
                                                        "fast_expf",
                                                        "fast_logf",
                                                        "tanf",
                                                        "asinf",
                                                        "acosf",
                                                        "atanf",
                                                        "sinhf",
                                                        "coshf",
                                                        "asinhf",
                                                        "acoshf",
                                                        "atanhf",
                                                        "exp10f",
                                                        "log10f",
                                                        "cbrtf",
                                                        "rcbrtf",
                                                        "erfcf",
                                                        "erfcxf",
                                                        "erfinvf",
                                                        "erfcinvf",
                                                        "normcdff",
                                                        "normcdfinvf",
                                                        "lgammaf",
                                                        "tgammaf",
                                                        "sinpif",
                                                        "cospif",
                                                        "j0f",
                                                        "j1f",
                                                        "y0f",
                                                        "y1f",
                                                        "cyl_bessel_i0f",
                                                        "cyl_bessel_i1f",
                                                        "logbf",
                                                        "fast_exp10f",
                                                        "fast_log2f",
                                                        "fast_log10f",
                                                        "fast_sinf",
                                                        "fast_cosf",
                                                        "fast_tanf",
                                                        "fast_frsqrt_rn",
                                                        "aten_cos",
                                                        "aten_erf",
                                                        "aten_exp",
                                                        "aten_expm1",
                                                        "aten_log",
                                                        "aten_log1p",
                                                        "aten_log2",
                                                        "aten_rsqrt",
                                                        "aten_sin",
                                                        "aten_tanh",
                                                        "exp",
                                                        "log",
                                                        "tanh",
                                                        "rsqrt",
                                                        "sin",
                                                        "cos",
                                                        "tan",
                                                        "asin",
                                                        "acos",
                                                        "atan",
                                                        "sinh",
                                                        "cosh",
                                                        "asinh",
                                                        "acosh",
                                                        "atanh",
                                                        "exp2",
                                                        "exp10",
                                                        "expm1",
                                                        "log2",
                                                        "log10",
                                                        "log1p",
                                                        "cbrt",
                                                        "rcbrt",
                                                        "erf",
                                                        "erfc",
                                                        "erfcx",
                                                        "erfinv",
                                                        "erfcinv",
                                                        "normcdf",
                                                        "normcdfinv",
                                                        "lgamma",
                                                        "tgamma",
                                                        "sinpi",
                                                        "cospi",
                                                        "j0",
                                                        "j1",
                                                        "y0",
                                                        "y1",
                                                        "cyl_bessel_i0",
                                                        "cyl_bessel_i1",
                                                        "logb"});
  if (name == "norm3df" || name == "rnorm3df" || name == "norm3d" || name == "rnorm3d")
    return 3;
  if (name == "norm4df" || name == "rnorm4df" || name == "norm4d" || name == "rnorm4d")
    return 4;
  if (std::ranges::find(two, name) != two.end())
    return 2;
  if (std::ranges::find(one, name) != one.end())
    return 1;
  return std::nullopt;
}

/// An unknown function of floats. Its spelling is Lean's name, so that nothing else is taken for the same
/// one.
struct Opaque {
  std::string spelling;
  Kind kind = Kind::F32;
  int arity = 0;
};

std::optional<Opaque> opaqueNamed(const std::string& name) {
  constexpr std::string_view scalar = "Plumbline.Scalar.";
  constexpr std::string_view home = "Plumbline.";
  if (!name.starts_with(home))
    return std::nullopt;
  std::string own = name.starts_with(scalar) ? name.substr(scalar.size()) : name.substr(home.size());
  if (name.starts_with(scalar) && !own.starts_with("aten_"))
    return std::nullopt;
  Opaque result{std::string(home) + own, Kind::F32, 0};
  if (own.ends_with("_f64")) {
    result.kind = Kind::F64;
    own.resize(own.size() - 4);
  }
  const std::optional<int> arity = opaqueArity(own);
  if (!arity)
    return std::nullopt;
  result.arity = *arity;
  return result;
}

} // namespace

Value Lowering::apply(const Expr& expr, const ScopePtr& scope, std::optional<Kind> expected) {
  const Expr& function = expr.form == Form::Apply ? *expr.args[0] : expr;
  if (function.form == Form::Field)
    return method(expr, scope);
  if (function.form != Form::Name)
    unsupported("an application of something that has no name");
  const std::string& name = function.text;
  if (expr.form == Form::Apply && isLocal(name, scope))
    unsupported("an application of the variable " + name);
  const std::span<const ExprPtr> args =
      expr.form == Form::Apply ? std::span(expr.args).subspan(1) : std::span<const ExprPtr>();
  const auto countIs = [&](size_t count) {
    if (args.size() != count)
      unsupported("another number of arguments than " + name + " takes");
  };
  if (const velvet::Definition* definition = m_definitions.find(name))
    return callDefinition(*definition, expr, scope);
  if (const Function* known = functionNamed(name)) {
    countIs(known->args.size());
    std::vector<TermId> terms;
    for (size_t i = 0; i < args.size(); ++i)
      terms.push_back(coerced(value(*args[i], scope, known->args[i]), known->args[i]).term);
    return {.kind = known->result, .term = known->make(m_store, terms)};
  }
  if (const std::optional<Opaque> unknown = opaqueNamed(name)) {
    countIs(static_cast<size_t>(unknown->arity));
    std::vector<TermId> terms;
    for (const ExprPtr& arg : args)
      terms.push_back(coerced(value(*arg, scope, unknown->kind), unknown->kind).term);
    return {.kind = unknown->kind, .term = m_store.opaque(sortOf(unknown->kind), unknown->spelling, terms)};
  }
  if (name == "Plumbline.fold") {
    countIs(3);
    return fold(expr, scope);
  }
  if (name == "decide") {
    countIs(1);
    return {.kind = Kind::Bool, .term = prop(*args[0], scope, Polarity::Both)};
  }
  if (name == "Float32.ofBits" || name == "Float.ofBits" || name == "Plumbline.Scalar.lit") {
    countIs(name == "Plumbline.Scalar.lit" ? 3 : 1);
    if (args[0]->form != Form::Number)
      unsupported("bits that are no number");
    const bool isHex = args[0]->text.starts_with("0x");
    const std::string digits = isHex ? args[0]->text.substr(2) : args[0]->text;
    if (digits.empty() || digits.size() > (isHex ? 16 : 19))
      unsupported("the bits " + args[0]->text);
    const uint64_t bits = std::stoull(digits, nullptr, isHex ? 16 : 10);
    if (name == "Float.ofBits")
      return {.kind = Kind::F64, .term = m_store.f64Bits(bits)};
    if (bits > UINT32_MAX)
      unsupported("the bits " + args[0]->text);
    return {.kind = Kind::F32, .term = m_store.f32Bits(static_cast<uint32_t>(bits))};
  }
  if (name == "Array.replicate") {
    countIs(2);
    const TermId size = natural(coerced(value(*args[0], scope, Kind::Nat), Kind::Nat));
    const Value element = value(*args[1], scope, std::nullopt);
    if (element.kind == Kind::Array || element.kind == Kind::Pair)
      unsupported("an array of arrays");
    return {.kind = Kind::Array, .array = m_arrays.replicate(element.kind, size, element.term)};
  }
  if (name == "min" || name == "max") {
    countIs(2);
    std::vector<Kind> kinds;
    const Arithmetic a = arithmetic(*args[0], scope);
    const Arithmetic b = arithmetic(*args[1], scope);
    kindsOf(a, kinds);
    kindsOf(b, kinds);
    const Kind kind = commonKind(kinds, expected);
    if (kind != Kind::Nat && kind != Kind::Int)
      unsupported(name + " of floats");
    const TermId both[] = {compute(a, kind).term, compute(b, kind).term};
    return {.kind = kind,
            .term = name == "min" ? integerMinimum(m_store, both) : integerMaximum(m_store, both)};
  }
  unsupported("the name " + name);
}

/// array.set! i v, and functions written behind their argument.
Value Lowering::method(const Expr& expr, const ScopePtr& scope) {
  const Expr& function = *expr.args[0];
  const size_t count = expr.args.size() - 1;
  if ((function.text == "set!" || function.text == "setIfInBounds") && count == 2) {
    const Value array = value(*function.args[0], scope, std::nullopt);
    if (array.kind != Kind::Array)
      unsupported("set! of something that is no array");
    const Kind element = m_arrays.element(array.array);
    const TermId index = natural(coerced(value(*expr.args[1], scope, Kind::Nat), Kind::Nat));
    const Value stored = coerced(value(*expr.args[2], scope, element), element);
    return {.kind = Kind::Array, .array = m_arrays.set(array.array, index, stored.term)};
  }
  unsupported("the function ." + function.text);
}

/// Plumbline.fold init (next args) count: an unknown function of its scalars and the count, one for each step
/// function and each arbitrary array that it reads.
Value Lowering::fold(const Expr& expr, const ScopePtr& scope) {
  const Expr& partial = *expr.args[2];
  if (partial.form != Form::Name && (partial.form != Form::Apply || partial.args[0]->form != Form::Name))
    unsupported("a fold over something else than a partial application");
  const std::string& name = partial.form == Form::Name ? partial.text : partial.args[0]->text;
  const velvet::Definition* step = isLocal(name, scope) ? nullptr : m_definitions.find(name);
  const std::optional<Type> result = step != nullptr ? typeFrom(step->type) : std::nullopt;
  if (!result || result->kind == Kind::Array || result->kind == Kind::Pair)
    unsupported("a fold over " + name);
  std::vector<const velvet::Binder*> binders;
  for (const velvet::Binder& binder : step->binders)
    if (binder.bracket == velvet::Bracket::Round)
      binders.push_back(&binder);
  const size_t given = partial.form == Form::Apply ? partial.args.size() - 1 : 0;
  if (binders.size() != given + 2)
    unsupported("another number of arguments than " + name + " takes");
  std::string spelling = "fold " + name;
  std::vector<TermId> terms{coerced(value(*expr.args[1], scope, result->kind), result->kind).term};
  for (size_t i = 0; i < given; ++i) {
    const Value arg = typedArgument(*partial.args[i + 1], scope, binders[i]->type);
    if (arg.kind == Kind::Pair)
      unsupported("a pair in a fold");
    if (arg.kind != Kind::Array) {
      terms.push_back(arg.term);
      continue;
    }
    const std::optional<std::string> known = m_arrays.arbitraryName(arg.array);
    if (!known)
      unsupported("a fold over an array that was written");
    spelling += " " + *known;
  }
  terms.push_back(natural(coerced(value(*expr.args[3], scope, Kind::Nat), Kind::Nat)));
  return {.kind = result->kind, .term = m_store.opaque(sortOf(result->kind), spelling, terms)};
}

} // namespace plumbline::goals
