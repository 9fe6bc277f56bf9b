#include "core/engine/smt_text.h"

#include "core/f32/rational.h"

#include <bitset>
#include <set>

namespace plumbline::engine {
namespace {

using logic::Op;
using logic::Sort;
using logic::Term;
using logic::TermId;
using logic::TermStore;

/// SMT-LIB's div and mod are Euclidean; C's truncate towards zero. With a non-negative dividend the two
/// agree.
constexpr const char* truncatingDivision =
    "(define-fun tdiv ((a Int) (b Int)) Int (ite (>= a 0) (div a b) (- (div (- a) b))))\n";
constexpr const char* truncatingRemainder =
    "(define-fun trem ((a Int) (b Int)) Int (ite (>= a 0) (mod a b) (- (mod (- a) b))))\n";

/// A node used once is written in place unless its text is longer than this.
constexpr size_t inlineLimit = 160;

std::string sortText(Sort sort, SmtReading reading) {
  switch (sort) {
  case Sort::Bool: return "Bool";
  case Sort::Int: return "Int";
  case Sort::F32: return reading == SmtReading::Real ? "Real" : "(_ FloatingPoint 8 24)";
  case Sort::F64: return reading == SmtReading::Real ? "Real" : "(_ FloatingPoint 11 53)";
  }
  return "Bool";
}

/// The function that heads an application, or nullptr where one operator is not enough.
const char* headText(Op op, SmtReading reading) {
  const bool real = reading == SmtReading::Real;
  switch (op) {
  case Op::Not: return "not";
  case Op::And: return "and";
  case Op::Or: return "or";
  case Op::Ite: return "ite";
  case Op::IAdd: return "+";
  case Op::ISub: return "-";
  case Op::IMul: return "*";
  case Op::IDiv: return "tdiv";
  case Op::IRem: return "trem";
  case Op::ILt: return "<";
  case Op::ILe: return "<=";
  case Op::IEq: return "=";
  case Op::FAdd: return real ? "+" : "fp.add RNE";
  case Op::FSub: return real ? "-" : "fp.sub RNE";
  case Op::FMul: return real ? "*" : "fp.mul RNE";
  case Op::FDiv: return real ? "/" : "fp.div RNE";
  case Op::FNeg: return real ? "-" : "fp.neg";
  case Op::FLt: return real ? "<" : "fp.lt";
  case Op::FLe: return real ? "<=" : "fp.leq";
  case Op::FEq: return real ? "=" : "fp.eq";
  case Op::FSame: return "=";
  case Op::FSqrt: return real ? nullptr : "fp.sqrt RNE";
  case Op::FFma: return real ? nullptr : "fp.fma RNE";
  case Op::FAbs: return real ? nullptr : "fp.abs";
  case Op::FIsNan: return real ? nullptr : "fp.isNaN";
  default: return nullptr;
  }
}

std::string integerText(int64_t value) {
  if (value >= 0)
    return std::to_string(value);
  return "(- " + std::to_string(0 - static_cast<uint64_t>(value)) + ")";
}

std::string rationalText(const f32::Rational& value) {
  const f32::Rational positive = abs(value);
  std::string text = positive.get_num().get_str() + ".0";
  if (positive.get_den() != 1)
    text = "(/ " + text + " " + positive.get_den().get_str() + ".0)";
  return value < 0 ? "(- " + text + ")" : text;
}

template <class F> std::string floatText(uint64_t payload) {
  const auto bits = static_cast<typename f32::Soft<F>::Bits>(payload);
  if (f32::Soft<F>::isNan(bits))
    return "(_ NaN " + std::to_string(F::exponentBits) + " " + std::to_string(F::mantissaBits + 1) + ")";
  const std::string all = std::bitset<64>(payload).to_string().substr(63 - F::exponentBits - F::mantissaBits);
  return "(fp #b" + all.substr(0, 1) + " #b" + all.substr(1, F::exponentBits) + " #b" +
         all.substr(1 + F::exponentBits) + ")";
}

std::string toFloat(Sort sort, const std::string& argument) {
  return std::string(sort == Sort::F64 ? "((_ to_fp 11 53) RNE " : "((_ to_fp 8 24) RNE ") + argument + ")";
}

/// Writes one query. Nodes that are used more than once become define-funs, in order of their arguments.
class Writer {
public:
  Writer(const TermStore& store, const SmtOptions& options) : m_store(store), m_options(options) {}

  Expected<SmtQuery> write(std::span<const TermId> assertions) {
    const std::vector<TermId> order = m_store.postOrder(assertions);
    for (const TermId id : order)
      for (const TermId argument : m_store[id].args)
        ++m_uses[argument];
    for (const TermId id : order) {
      Expected<std::string> text = nodeText(id);
      if (!text)
        return fail(text.error());
      m_text.emplace(id, placed(id, std::move(*text)));
    }
    for (const TermId assertion : assertions)
      m_body += "(assert " + m_text.at(assertion) + ")\n";
    return finished();
  }

private:
  bool real() const { return m_options.reading == SmtReading::Real; }
  std::string sortOf(TermId id) const { return sortText(m_store[id].sort, m_options.reading); }
  const std::string& argument(TermId id, size_t index) const { return m_text.at(m_store[id].args[index]); }

  SmtQuery finished() {
    SmtQuery query;
    query.reading = m_options.reading;
    query.variables = std::move(m_variables);
    query.text = "(set-logic ALL)\n" + m_declarations + m_body + "(check-sat)\n";
    return query;
  }

  /// The text itself, or the name of a definition that holds it.
  std::string placed(TermId id, std::string text) {
    const bool atom = text.find(' ') == std::string::npos;
    const bool constant = m_store[id].op == Op::FloatConst || m_store[id].op == Op::IntConst;
    if (atom || constant || (m_uses[id] <= 1 && text.size() <= inlineLimit))
      return text;
    std::string name = "t" + std::to_string(++m_definitions);
    m_body += "(define-fun " + name + " () " + sortOf(id) + " " + text + ")\n";
    return name;
  }

  Expected<std::string> nodeText(TermId id) {
    const Term& term = m_store[id];
    if (term.op == Op::IDiv && m_needed.insert(Op::IDiv).second)
      m_declarations.insert(0, truncatingDivision);
    if (term.op == Op::IRem && m_needed.insert(Op::IRem).second)
      m_declarations.insert(0, truncatingRemainder);
    switch (term.op) {
    case Op::BoolConst: return term.payload != 0 ? "true" : "false";
    case Op::IntConst: return integerText(static_cast<int64_t>(term.payload));
    case Op::FloatConst: return constantText(id);
    case Op::Var: return variableText(id);
    case Op::Load: return loadText(id);
    case Op::Opaque: return opaqueText(id);
    case Op::FloatToInt:
      return fail(ErrorKind::Tool, "smt-float-to-int",
                  "SMT-LIB cannot state the saturating conversion to integer",
                  "a sweep can settle it when the goal has one free float");
    case Op::FConvert: return real() ? argument(id, 0) : toFloat(term.sort, argument(id, 0));
    case Op::IntToFloat: {
      std::string exact = "(to_real " + argument(id, 0) + ")";
      return real() ? exact : toFloat(term.sort, exact);
    }
    default: break;
    }
    if (const char* head = headText(term.op, m_options.reading))
      return application(head, id);
    return realText(id);
  }

  std::string application(const std::string& head, TermId id) const {
    std::string text = "(" + head;
    for (const TermId argumentId : m_store[id].args)
      text += " " + m_text.at(argumentId);
    return text + ")";
  }

  /// The operators that are more than one function of the reals.
  std::string realText(TermId id) {
    switch (m_store[id].op) {
    case Op::FFma: return "(+ (* " + argument(id, 0) + " " + argument(id, 1) + ") " + argument(id, 2) + ")";
    case Op::FAbs:
      return "(ite (< " + argument(id, 0) + " 0.0) (- " + argument(id, 0) + ") " + argument(id, 0) + ")";
    case Op::FSqrt: return rootText(id);
    default: return "false"; // FIsNan: no real number is NaN
    }
  }

  /// A fresh unknown with the property of the root; consistent, since every non-negative real has exactly
  /// one.
  std::string rootText(TermId id) {
    std::string name = "s" + std::to_string(++m_roots);
    const std::string& of = argument(id, 0);
    m_body += "(declare-const " + name + " Real)\n";
    m_body += "(assert (=> (<= 0.0 " + of + ") (and (<= 0.0 " + name + ") (= (* " + name + " " + name + ") " +
              of + "))))\n";
    return name;
  }

  Expected<std::string> constantText(TermId id) const {
    const Term& term = m_store[id];
    if (!real())
      return term.sort == Sort::F64 ? floatText<f32::Binary64>(term.payload)
                                    : floatText<f32::Binary32>(term.payload);
    const std::string& exact = m_store.symbolText(id);
    if (!exact.empty()) {
      const Expected<f32::Rational> value = f32::parseExact(exact);
      if (!value)
        return fail(ErrorKind::Tool, "smt-real-literal",
                    "the constant '" + exact + "' does not denote a number", "ask for the reading ieee");
      return rationalText(*value);
    }
    const std::optional<f32::Rational> value =
        term.sort == Sort::F64 ? f32::toRational<f32::Binary64>(term.payload)
                               : f32::toRational<f32::Binary32>(static_cast<uint32_t>(term.payload));
    if (!value)
      return fail(ErrorKind::Tool, "smt-real-nonfinite", "an infinity or NaN is no real number",
                  "ask for the reading ieee");
    return rationalText(*value);
  }

  /// A symbol that no other declaration of this query has; quoted where its characters ask for it.
  std::string freshName(const std::string& prefix, const std::string& raw) {
    std::string name = prefix;
    bool simple = true;
    for (const char c : raw) {
      const bool plain =
          (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
      simple = simple && plain;
      name += c < ' ' || c > '~' || c == '|' || c == '\\' ? '_' : c;
    }
    std::string unique = name;
    for (int count = 2; !m_names.insert(unique).second; ++count)
      unique = name + "." + std::to_string(count);
    return simple ? unique : "|" + unique + "|";
  }

  std::string variableText(TermId id) {
    std::string name = freshName("v_", m_store.symbolText(id));
    m_declarations += "(declare-const " + name + " " + sortOf(id) + ")\n";
    m_variables.push_back({id, m_store[id].sort, name});
    return name;
  }

  std::string loadText(TermId id) {
    std::string text = application(functionName("b_", m_store.symbolText(id), id), id);
    // Named, so that get-value can ask for it.
    std::string name = "l" + std::to_string(++m_loads);
    m_body += "(define-fun " + name + " () " + sortOf(id) + " " + text + ")\n";
    m_variables.push_back({id, m_store[id].sort, name});
    return name;
  }

  std::string opaqueText(TermId id) {
    const std::string& spelling = m_store.symbolText(id);
    const std::string common = m_options.canonicalOpaque ? m_options.canonicalOpaque(spelling) : spelling;
    const std::string name = functionName("f_", common, id);
    return m_store[id].args.empty() ? name : application(name, id);
  }

  /// The declared function for a name and the sorts of this application; overloads get names of their own.
  std::string functionName(const std::string& prefix, const std::string& raw, TermId id) {
    std::string sorts;
    for (const TermId argumentId : m_store[id].args)
      sorts += (sorts.empty() ? "" : " ") + sortOf(argumentId);
    const std::string signature = "(" + sorts + ") " + sortOf(id);
    const auto [entry, added] = m_functions.try_emplace(prefix + raw + " " + signature);
    if (added) {
      entry->second = freshName(prefix, raw);
      m_declarations += "(declare-fun " + entry->second + " " + signature + ")\n";
    }
    return entry->second;
  }

  const TermStore& m_store;
  const SmtOptions& m_options;
  std::unordered_map<TermId, size_t> m_uses;
  std::unordered_map<TermId, std::string> m_text;
  std::unordered_map<std::string, std::string> m_functions;
  std::set<std::string> m_names;
  std::set<Op> m_needed;
  std::vector<SmtVariable> m_variables;
  std::string m_declarations;
  std::string m_body;
  int m_definitions = 0;
  int m_roots = 0;
  int m_loads = 0;
};

TermId definedHere(TermStore& store, TermId id, const std::unordered_map<TermId, TermId>& known) {
  const Term term = store[id];
  const auto argument = [&](size_t index) { return known.at(term.args[index]); };
  switch (term.op) {
  case Op::Ite: return store.land(argument(0), store.ite(term.args[0], argument(1), argument(2)));
  case Op::And: return store.land(argument(0), store.lor(store.lnot(term.args[0]), argument(1)));
  case Op::Or: return store.land(argument(0), store.lor(term.args[0], argument(1)));
  default: break;
  }
  TermId all = store.boolean(true);
  for (size_t i = 0; i < term.args.size(); ++i)
    all = store.land(all, argument(i));
  const auto zero = [&] { return term.sort == Sort::F64 ? store.f64Bits(0) : store.f32Bits(0); };
  if (term.op == Op::FDiv)
    return store.land(all, store.lnot(store.binary(Op::FEq, term.args[1], zero())));
  if (term.op == Op::FSqrt)
    return store.land(all, store.binary(Op::FLe, zero(), term.args[0]));
  return all;
}

} // namespace

Expected<SmtQuery> smtQuery(const TermStore& store, std::span<const TermId> assertions,
                            const SmtOptions& options) {
  return Writer(store, options).write(assertions);
}

TermId realDefined(TermStore& store, TermId term) {
  std::unordered_map<TermId, TermId> defined;
  for (const TermId id : store.postOrder(term))
    defined.emplace(id, definedHere(store, id, defined));
  return defined.at(term);
}

std::vector<TermId> differenceAssertions(TermStore& store, TermId left, std::span<const TermId> rights,
                                         TermId hypothesis, SmtReading reading) {
  const Sort sort = store[left].sort;
  TermId matched = store.boolean(false);
  for (const TermId right : rights) {
    TermId same = store.boolean(false);
    if (sort == Sort::Int)
      same = store.ieq(left, right);
    else if (sort == Sort::Bool)
      same = store.ite(left, right, store.lnot(right));
    else
      same = store.binary(Op::FSame, left, right);
    if (reading == SmtReading::Real)
      same = store.land(realDefined(store, right), same);
    matched = store.lor(matched, same);
  }
  std::vector<TermId> assertions{hypothesis};
  if (reading == SmtReading::Real)
    assertions.push_back(realDefined(store, left));
  assertions.push_back(store.lnot(matched));
  return assertions;
}

} // namespace plumbline::engine
