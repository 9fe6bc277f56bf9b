#include "core/logic/term_text.h"

#include <bit>
#include <charconv>
#include <cmath>

namespace plumbline::logic {

namespace {

/// C's precedence levels, loosest first.
enum Level : uint8_t {
  Conditional,
  Or,
  And,
  Equality,
  Relational,
  Additive,
  Multiplicative,
  Prefix,
  Primary
};

struct Infix {
  const char* symbol = nullptr;
  Level level = Primary;
};

Infix infixOf(Op op) {
  switch (op) {
  case Op::Or: return {"||", Or};
  case Op::And: return {"&&", And};
  case Op::IEq:
  case Op::FEq: return {"==", Equality};
  case Op::ILt:
  case Op::FLt: return {"<", Relational};
  case Op::ILe:
  case Op::FLe: return {"<=", Relational};
  case Op::IAdd:
  case Op::FAdd: return {"+", Additive};
  case Op::ISub:
  case Op::FSub: return {"-", Additive};
  case Op::IMul:
  case Op::FMul: return {"*", Multiplicative};
  case Op::IDiv:
  case Op::FDiv: return {"/", Multiplicative};
  case Op::IRem: return {"%", Multiplicative};
  default: return {};
  }
}

template <class Float> std::string shortest(Float value) {
  if (std::isnan(value))
    return "nan";
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

std::string functionName(const TermStore& store, const Term& term) {
  switch (term.op) {
  case Op::FSqrt: return "sqrt";
  case Op::FFma: return "fma";
  case Op::FAbs: return "abs";
  case Op::FIsNan: return "isnan";
  case Op::FSame: return "same";
  case Op::FConvert: return term.sort == Sort::F32 ? "float" : "double";
  case Op::IntToFloat: return term.sort == Sort::F32 ? "float" : "double";
  case Op::FloatToInt: return "int";
  case Op::Opaque: return store.symbolText(term.symbol);
  default: return std::string(jsonName(term.op));
  }
}

constexpr int maxDepth = 300;

class Printer {
public:
  Printer(const TermStore& store, TermId root, const TermName& nameOf, size_t limit)
      : m_store(store), m_root(root), m_nameOf(nameOf), m_limit(limit) {}

  std::string run() {
    print(m_root, Conditional);
    if (m_full)
      m_text = m_text.substr(0, m_limit) + "...";
    return std::move(m_text);
  }

private:
  void write(const std::string& text) {
    m_text += text;
    m_full |= m_text.size() > m_limit;
  }

  void print(TermId id, Level outer) {
    if (m_full)
      return;
    if (++m_depth > maxDepth)
      write("...");
    else
      printNamed(id, outer);
    --m_depth;
  }

  void printNamed(TermId id, Level outer) {
    if (m_nameOf && id != m_root)
      if (const std::string known = m_nameOf(id); !known.empty()) {
        write(known);
        return;
      }
    const Term& term = m_store[id];
    const Level own = levelOf(term);
    const bool parentheses = own < outer;
    if (parentheses)
      write("(");
    printOpen(term, own);
    if (parentheses)
      write(")");
  }

  static Level levelOf(const Term& term) {
    if (term.op == Op::Ite)
      return Conditional;
    if (term.op == Op::Not || term.op == Op::FNeg)
      return Prefix;
    return infixOf(term.op).level;
  }

  void printOpen(const Term& term, Level own) {
    if (const Infix infix = infixOf(term.op); infix.symbol != nullptr) {
      print(term.args[0], own);
      write(std::string(" ") + infix.symbol + " ");
      print(term.args[1], static_cast<Level>(own + 1));
      return;
    }
    switch (term.op) {
    case Op::Ite: printConditional(term); return;
    case Op::Not:
    case Op::FNeg: printPrefix(term); return;
    case Op::BoolConst: write(term.payload != 0 ? "true" : "false"); return;
    case Op::IntConst: write(std::to_string(static_cast<int64_t>(term.payload))); return;
    case Op::FloatConst: write(constant(term)); return;
    case Op::Var: write(m_store.symbolText(term.symbol)); return;
    case Op::Load: printIndexed(term); return;
    default: printCall(term); return;
    }
  }

  void printConditional(const Term& term) {
    print(term.args[0], Or);
    write(" ? ");
    print(term.args[1], Or);
    write(" : ");
    print(term.args[2], Conditional);
  }

  /// "-(-1)" rather than "--1".
  void printPrefix(const Term& term) {
    write(term.op == Op::Not ? "!" : "-");
    const Term& inner = m_store[term.args[0]];
    const bool signedConstant = inner.op == Op::FloatConst && constant(inner).starts_with("-");
    print(term.args[0], inner.op == Op::FNeg || signedConstant ? static_cast<Level>(Primary + 1) : Prefix);
  }

  void printIndexed(const Term& term) {
    write(m_store.symbolText(term.symbol) + "[");
    print(term.args[0], Conditional);
    write("]");
  }

  void printCall(const Term& term) {
    write(functionName(m_store, term) + "(");
    for (size_t i = 0; i < term.args.size(); ++i) {
      if (i > 0)
        write(", ");
      print(term.args[i], Conditional);
    }
    write(")");
  }

  std::string constant(const Term& term) const {
    if (term.symbol != 0)
      return m_store.symbolText(term.symbol);
    return term.sort == Sort::F32 ? decimalText(static_cast<uint32_t>(term.payload))
                                  : shortest(std::bit_cast<double>(term.payload));
  }

  const TermStore& m_store;
  TermId m_root;
  const TermName& m_nameOf;
  size_t m_limit;
  std::string m_text;
  bool m_full = false;
  int m_depth = 0;
};

} // namespace

std::string decimalText(uint32_t bits) {
  return shortest(std::bit_cast<float>(bits));
}

std::string displayText(const TermStore& store, TermId root, const TermName& nameOf, size_t limit) {
  return Printer(store, root, nameOf, limit).run();
}

} // namespace plumbline::logic
