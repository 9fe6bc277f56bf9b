#include "core/logic/term.h"

#include <cstdio>
#include <cstdlib>
#include <limits>

namespace plumbline::logic {
namespace {

struct OpRow {
  std::string_view json;
  int arity;
};

constexpr OpRow opRows[] = {
#define PLUMBLINE_OP(name, json, arity) {json, arity},
#include "core/logic/ops.def"
#undef PLUMBLINE_OP
};

constexpr std::string_view sortNames[] = {"bool", "int", "f32", "f64"};

/// A sort error is a bug in the caller; going on could produce a wrong verdict.
void require(bool condition, const char* what) {
  if (condition)
    return;
  std::fprintf(stderr, "plumbline: internal error: ill-sorted term: %s\n", what);
  std::abort();
}

bool isFloat(Sort sort) {
  return sort == Sort::F32 || sort == Sort::F64;
}

bool isComparison(Op op) {
  return op == Op::FLt || op == Op::FLe || op == Op::FEq || op == Op::FSame || op == Op::FIsNan;
}

} // namespace

std::string_view jsonName(Op op) {
  return opRows[static_cast<size_t>(op)].json;
}

std::optional<Op> opFromJsonName(std::string_view name) {
  for (size_t i = 0; i < std::size(opRows); ++i)
    if (opRows[i].json == name)
      return static_cast<Op>(i);
  return std::nullopt;
}

int arity(Op op) {
  return opRows[static_cast<size_t>(op)].arity;
}

std::string_view sortName(Sort sort) {
  return sortNames[static_cast<size_t>(sort)];
}

std::optional<Sort> sortFromName(std::string_view name) {
  for (size_t i = 0; i < std::size(sortNames); ++i)
    if (sortNames[i] == name)
      return static_cast<Sort>(i);
  return std::nullopt;
}

size_t TermStore::Hash::operator()(const Term& term) const {
  size_t hash = static_cast<size_t>(term.op) * 31 + static_cast<size_t>(term.sort);
  auto mix = [&hash](uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ull + (hash >> 29); };
  mix(term.symbol);
  mix(term.payload);
  for (TermId arg : term.args)
    mix(static_cast<uint32_t>(arg));
  return hash;
}

TermStore::TermStore() {
  symbol("");
}

uint32_t TermStore::symbol(std::string_view text) {
  auto [entry, inserted] =
      m_symbolIndex.try_emplace(std::string(text), static_cast<uint32_t>(m_symbols.size()));
  if (inserted)
    m_symbols.emplace_back(text);
  return entry->second;
}

TermId TermStore::make(Term term) {
  require(arity(term.op) < 0 || static_cast<size_t>(arity(term.op)) == term.args.size(), "arity");
  auto [entry, inserted] = m_index.try_emplace(term, TermId(static_cast<uint32_t>(m_terms.size())));
  if (inserted)
    m_terms.push_back(std::move(term));
  return entry->second;
}

TermId TermStore::boolean(bool value) {
  return make({Op::BoolConst, Sort::Bool, 0, value ? 1u : 0u, {}});
}

TermId TermStore::integer(int64_t value) {
  return make({Op::IntConst, Sort::Int, 0, static_cast<uint64_t>(value), {}});
}

TermId TermStore::f32Bits(uint32_t bits, std::string_view exactText) {
  return make({Op::FloatConst, Sort::F32, symbol(exactText), bits, {}});
}

TermId TermStore::f64Bits(uint64_t bits, std::string_view exactText) {
  return make({Op::FloatConst, Sort::F64, symbol(exactText), bits, {}});
}

TermId TermStore::var(Sort sort, std::string_view name) {
  return make({Op::Var, sort, symbol(name), 0, {}});
}

TermId TermStore::load(Sort sort, std::string_view buffer, TermId index) {
  require((*this)[index].sort == Sort::Int, "load index");
  return make({Op::Load, sort, symbol(buffer), 0, {index}});
}

bool TermStore::isConst(TermId id) const {
  const Op op = (*this)[id].op;
  return op == Op::BoolConst || op == Op::IntConst || op == Op::FloatConst;
}

std::optional<int64_t> TermStore::intValue(TermId id) const {
  if ((*this)[id].op != Op::IntConst)
    return std::nullopt;
  return static_cast<int64_t>((*this)[id].payload);
}

std::optional<bool> TermStore::boolValue(TermId id) const {
  if ((*this)[id].op != Op::BoolConst)
    return std::nullopt;
  return (*this)[id].payload != 0;
}

TermId TermStore::lnot(TermId a) {
  require((*this)[a].sort == Sort::Bool, "not");
  if (auto value = boolValue(a))
    return boolean(!*value);
  if ((*this)[a].op == Op::Not)
    return (*this)[a].args[0];
  return make({Op::Not, Sort::Bool, 0, 0, {a}});
}

TermId TermStore::land(TermId a, TermId b) {
  require((*this)[a].sort == Sort::Bool && (*this)[b].sort == Sort::Bool, "and");
  if (auto value = boolValue(a))
    return *value ? b : a;
  if (auto value = boolValue(b))
    return *value ? a : b;
  if (a == b)
    return a;
  if (lnot(a) == b)
    return boolean(false);
  return make({Op::And, Sort::Bool, 0, 0, {a, b}});
}

TermId TermStore::lor(TermId a, TermId b) {
  require((*this)[a].sort == Sort::Bool && (*this)[b].sort == Sort::Bool, "or");
  if (auto value = boolValue(a))
    return *value ? a : b;
  if (auto value = boolValue(b))
    return *value ? b : a;
  if (a == b)
    return a;
  if (lnot(a) == b)
    return boolean(true);
  return make({Op::Or, Sort::Bool, 0, 0, {a, b}});
}

TermId TermStore::ite(TermId condition, TermId a, TermId b) {
  const Sort sort = (*this)[a].sort;
  require((*this)[condition].sort == Sort::Bool && sort == (*this)[b].sort, "ite");
  if (auto value = boolValue(condition))
    return *value ? a : b;
  if (a == b)
    return a;
  if ((*this)[condition].op == Op::Not)
    return ite((*this)[condition].args[0], b, a);
  if (sort == Sort::Bool) {
    if (auto value = boolValue(a))
      return *value ? lor(condition, b) : land(lnot(condition), b);
    if (auto value = boolValue(b))
      return *value ? lor(lnot(condition), a) : land(condition, a);
  }
  return make({Op::Ite, sort, 0, 0, {condition, a, b}});
}

namespace {

using Folder = bool (*)(int64_t, int64_t, int64_t*);

bool foldDiv(int64_t a, int64_t b, int64_t* out) {
  if (b == 0 || (a == std::numeric_limits<int64_t>::min() && b == -1))
    return true;
  *out = a / b;
  return false;
}

bool foldRem(int64_t a, int64_t b, int64_t* out) {
  if (b == 0 || b == -1) {
    *out = 0;
    return b == 0;
  }
  *out = a % b;
  return false;
}

bool foldAdd(int64_t a, int64_t b, int64_t* out) {
  return __builtin_add_overflow(a, b, out);
}
bool foldSub(int64_t a, int64_t b, int64_t* out) {
  return __builtin_sub_overflow(a, b, out);
}
bool foldMul(int64_t a, int64_t b, int64_t* out) {
  return __builtin_mul_overflow(a, b, out);
}

/// Integer arithmetic on constants, unless the result leaves int64.
TermId foldInt(TermStore& store, Op op, TermId a, TermId b, Folder fold) {
  require(store[a].sort == Sort::Int && store[b].sort == Sort::Int, "integer operation");
  const auto x = store.intValue(a);
  const auto y = store.intValue(b);
  int64_t result = 0;
  if (x && y && !fold(*x, *y, &result))
    return store.integer(result);
  return store.make({op, Sort::Int, 0, 0, {a, b}});
}

} // namespace

TermId TermStore::iadd(TermId a, TermId b) {
  if (intValue(a) == 0)
    return b;
  if (intValue(b) == 0)
    return a;
  return foldInt(*this, Op::IAdd, a, b, foldAdd);
}

TermId TermStore::isub(TermId a, TermId b) {
  if (intValue(b) == 0)
    return a;
  return foldInt(*this, Op::ISub, a, b, foldSub);
}

TermId TermStore::imul(TermId a, TermId b) {
  if (intValue(a) == 1)
    return b;
  if (intValue(b) == 1)
    return a;
  if (intValue(a) == 0 || intValue(b) == 0)
    return integer(0);
  return foldInt(*this, Op::IMul, a, b, foldMul);
}

TermId TermStore::idiv(TermId a, TermId b) {
  if (intValue(b) == 1)
    return a;
  return foldInt(*this, Op::IDiv, a, b, foldDiv);
}

TermId TermStore::irem(TermId a, TermId b) {
  return foldInt(*this, Op::IRem, a, b, foldRem);
}

TermId TermStore::ilt(TermId a, TermId b) {
  const auto x = intValue(a);
  const auto y = intValue(b);
  if (x && y)
    return boolean(*x < *y);
  return make({Op::ILt, Sort::Bool, 0, 0, {a, b}});
}

TermId TermStore::ile(TermId a, TermId b) {
  const auto x = intValue(a);
  const auto y = intValue(b);
  if (x && y)
    return boolean(*x <= *y);
  return make({Op::ILe, Sort::Bool, 0, 0, {a, b}});
}

TermId TermStore::ieq(TermId a, TermId b) {
  const auto x = intValue(a);
  const auto y = intValue(b);
  if (x && y)
    return boolean(*x == *y);
  if (a == b)
    return boolean(true);
  return make({Op::IEq, Sort::Bool, 0, 0, {a, b}});
}

TermId TermStore::unary(Op op, TermId a) {
  const Sort sort = (*this)[a].sort;
  require(isFloat(sort) && arity(op) == 1, "unary float operation");
  return make({op, isComparison(op) ? Sort::Bool : sort, 0, 0, {a}});
}

TermId TermStore::binary(Op op, TermId a, TermId b) {
  const Sort sort = (*this)[a].sort;
  require(isFloat(sort) && sort == (*this)[b].sort && arity(op) == 2, "binary float operation");
  return make({op, isComparison(op) ? Sort::Bool : sort, 0, 0, {a, b}});
}

TermId TermStore::fma(TermId a, TermId b, TermId c) {
  const Sort sort = (*this)[a].sort;
  require(isFloat(sort) && sort == (*this)[b].sort && sort == (*this)[c].sort, "fma");
  return make({Op::FFma, sort, 0, 0, {a, b, c}});
}

TermId TermStore::convert(Sort to, TermId a) {
  require(isFloat(to) && isFloat((*this)[a].sort), "convert");
  if ((*this)[a].sort == to)
    return a;
  return make({Op::FConvert, to, 0, 0, {a}});
}

TermId TermStore::intToFloat(Sort to, TermId a) {
  require(isFloat(to) && (*this)[a].sort == Sort::Int, "intToFloat");
  return make({Op::IntToFloat, to, 0, 0, {a}});
}

TermId TermStore::floatToInt(TermId a, int bits, bool isSigned) {
  require(isFloat((*this)[a].sort) && bits > 0 && bits <= 64, "floatToInt");
  return make({Op::FloatToInt, Sort::Int, 0, static_cast<uint64_t>(bits) | (isSigned ? 0x100u : 0u), {a}});
}

TermId TermStore::opaque(Sort sort, std::string_view spelling, std::span<const TermId> args) {
  return make({Op::Opaque, sort, symbol(spelling), 0, {args.begin(), args.end()}});
}

TermId TermStore::ptxMax(TermId a, TermId b) {
  const TermId zero = (*this)[a].sort == Sort::F32 ? f32Bits(0) : f64Bits(0);
  // Equal operands differ at most in the sign of a zero, and (+0) + (-0) is +0.
  const TermId tie = ite(binary(Op::FEq, a, zero), binary(Op::FAdd, a, b), a);
  const TermId ordered = ite(binary(Op::FLt, a, b), b, ite(binary(Op::FLt, b, a), a, tie));
  return ite(unary(Op::FIsNan, a), b, ite(unary(Op::FIsNan, b), a, ordered));
}

TermId TermStore::ptxMin(TermId a, TermId b) {
  const TermId zero = (*this)[a].sort == Sort::F32 ? f32Bits(0) : f64Bits(0);
  // -((-a) + (-b)) is -0 when either zero is negative.
  const TermId negativeIfAny = unary(Op::FNeg, binary(Op::FAdd, unary(Op::FNeg, a), unary(Op::FNeg, b)));
  const TermId tie = ite(binary(Op::FEq, a, zero), negativeIfAny, a);
  const TermId ordered = ite(binary(Op::FLt, a, b), a, ite(binary(Op::FLt, b, a), b, tie));
  return ite(unary(Op::FIsNan, a), b, ite(unary(Op::FIsNan, b), a, ordered));
}

namespace {

TermId rebuild(TermStore& store, const Term& term, const std::vector<TermId>& args) {
  switch (term.op) {
  case Op::Not: return store.lnot(args[0]);
  case Op::And: return store.land(args[0], args[1]);
  case Op::Or: return store.lor(args[0], args[1]);
  case Op::Ite: return store.ite(args[0], args[1], args[2]);
  case Op::IAdd: return store.iadd(args[0], args[1]);
  case Op::ISub: return store.isub(args[0], args[1]);
  case Op::IMul: return store.imul(args[0], args[1]);
  case Op::IDiv: return store.idiv(args[0], args[1]);
  case Op::IRem: return store.irem(args[0], args[1]);
  case Op::ILt: return store.ilt(args[0], args[1]);
  case Op::ILe: return store.ile(args[0], args[1]);
  case Op::IEq: return store.ieq(args[0], args[1]);
  default: return store.make({term.op, term.sort, term.symbol, term.payload, args});
  }
}

} // namespace

TermId TermStore::substitute(TermId root, const std::unordered_map<TermId, TermId>& replacement) {
  std::unordered_map<TermId, TermId> done = replacement;
  std::vector<TermId> stack{root};
  while (!stack.empty()) {
    const TermId id = stack.back();
    if (done.contains(id)) {
      stack.pop_back();
      continue;
    }
    bool ready = true;
    for (TermId arg : (*this)[id].args)
      if (!done.contains(arg)) {
        stack.push_back(arg);
        ready = false;
      }
    if (!ready)
      continue;
    stack.pop_back();
    const Term term = (*this)[id];
    std::vector<TermId> args;
    for (TermId arg : term.args)
      args.push_back(done.at(arg));
    done.emplace(id, args == term.args ? id : rebuild(*this, term, args));
  }
  return done.at(root);
}

std::vector<TermId> TermStore::postOrder(TermId root) const {
  return postOrder(std::span(&root, 1));
}

std::vector<TermId> TermStore::postOrder(std::span<const TermId> roots) const {
  std::vector<TermId> order;
  std::vector<bool> seen(m_terms.size(), false);
  std::vector<std::pair<TermId, size_t>> stack;
  auto push = [&](TermId id) {
    if (!seen[static_cast<uint32_t>(id)]) {
      seen[static_cast<uint32_t>(id)] = true;
      stack.emplace_back(id, 0);
    }
  };
  for (TermId root : roots) {
    push(root);
    while (!stack.empty()) {
      auto& [id, next] = stack.back();
      const std::vector<TermId>& args = (*this)[id].args;
      if (next < args.size()) {
        push(args[next++]);
      } else {
        order.push_back(id);
        stack.pop_back();
      }
    }
  }
  return order;
}

namespace {

std::string_view infix(Op op) {
  switch (op) {
  case Op::And: return "&&";
  case Op::Or: return "||";
  case Op::IAdd:
  case Op::FAdd: return "+";
  case Op::ISub:
  case Op::FSub: return "-";
  case Op::IMul:
  case Op::FMul: return "*";
  case Op::IDiv:
  case Op::FDiv: return "/";
  case Op::IRem: return "%";
  case Op::ILt:
  case Op::FLt: return "<";
  case Op::ILe:
  case Op::FLe: return "<=";
  case Op::IEq:
  case Op::FEq: return "==";
  case Op::FSame: return "=";
  default: return "";
  }
}

std::string printConst(const TermStore& store, const Term& term) {
  if (term.op == Op::BoolConst)
    return term.payload != 0 ? "true" : "false";
  if (term.op == Op::IntConst)
    return std::to_string(static_cast<int64_t>(term.payload));
  if (term.symbol != 0)
    return store.symbolText(term.symbol);
  char text[40];
  std::snprintf(text, sizeof text, term.sort == Sort::F32 ? "f32(0x%08llx)" : "f64(0x%016llx)",
                static_cast<unsigned long long>(term.payload));
  return text;
}

std::string printNode(const TermStore& store, const Term& term, const std::vector<std::string>& args) {
  if (const std::string_view symbol = infix(term.op); !symbol.empty())
    return "(" + args[0] + " " + std::string(symbol) + " " + args[1] + ")";
  switch (term.op) {
  case Op::BoolConst:
  case Op::IntConst:
  case Op::FloatConst: return printConst(store, term);
  case Op::Var: return store.symbolText(term.symbol);
  case Op::Load: return store.symbolText(term.symbol) + "[" + args[0] + "]";
  case Op::Not: return "!" + args[0];
  case Op::FNeg: return "-" + args[0];
  default: break;
  }
  std::string text = term.op == Op::Opaque ? store.symbolText(term.symbol) : std::string(jsonName(term.op));
  if (term.op == Op::FConvert)
    text = sortName(term.sort);
  text += "(";
  for (size_t i = 0; i < args.size(); ++i)
    text += (i == 0 ? "" : ", ") + args[i];
  return text + ")";
}

} // namespace

std::string TermStore::print(TermId root) const {
  // Shared subterms are printed in full; a cap keeps a hostile DAG from exhausting memory.
  constexpr size_t limit = 100000;
  std::unordered_map<TermId, std::string> texts;
  for (TermId id : postOrder(root)) {
    std::vector<std::string> args;
    for (TermId arg : (*this)[id].args)
      args.push_back(texts.at(arg));
    std::string text = printNode(*this, (*this)[id], args);
    texts.emplace(id, text.size() > limit ? std::string("(...)") : std::move(text));
  }
  return texts.at(root);
}

} // namespace plumbline::logic
