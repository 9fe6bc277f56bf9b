// Scalar terms: the one language in which specs and kernel results are compared.
// Terms are hash-consed: equal terms have equal ids, so syntactic equality is one comparison.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace plumbline::logic {

enum class Sort : uint8_t { Bool, Int, F32, F64 };

enum class Op : uint8_t {
#define PLUMBLINE_OP(name, json, arity) name,
#include "core/logic/ops.def"
#undef PLUMBLINE_OP
};

/// The JSON spelling of an operator, e.g. "fadd" (resources/schema/term.schema.json).
std::string_view jsonName(Op op);
std::optional<Op> opFromJsonName(std::string_view name);
/// Number of arguments; -1 for any number.
int arity(Op op);
std::string_view sortName(Sort sort); ///< "bool", "int", "f32", "f64"
std::optional<Sort> sortFromName(std::string_view name);

/// Index into a TermStore. Meaningless without its store.
enum class TermId : uint32_t {};

/// One node. `payload` and `symbol` by operator:
///   BoolConst   payload 0 or 1
///   IntConst    payload: the int64_t value
///   FloatConst  payload: the bits (binary32 in the low half for F32); symbol: the exact decimal or rational
///   text
///               that the source wrote ("0.01", "1/3"), or empty when the bits are the exact value
///   Var         symbol: the name. Int: sizes and thread coordinates; Bool: zero-sign choices; F32: free
///   values Load        symbol: the buffer FloatToInt  payload: bits of the target type in the low byte, bit
///   8 set when it is signed Opaque      symbol: the function's spelling ("aten.exp", "expf", "__expf")
struct Term {
  Op op = Op::BoolConst;
  Sort sort = Sort::Bool;
  uint32_t symbol = 0; ///< index into the store's symbols; 0 is the empty text
  uint64_t payload = 0;
  std::vector<TermId> args;

  bool operator==(const Term&) const = default;
};

/// Owns terms and symbols. Append-only: references to terms and symbol texts stay valid as long as the store.
/// Not thread-safe while terms are being made. The builders check sorts (a violation is a programming error
/// and aborts) and fold nothing, except that `ite`, `land`, `lor` and `lnot` with a constant condition and
/// integer arithmetic on constants are simplified.
class TermStore {
public:
  TermStore();

  const Term& operator[](TermId id) const { return m_terms[static_cast<uint32_t>(id)]; }
  size_t size() const { return m_terms.size(); }

  uint32_t symbol(std::string_view text);
  const std::string& symbolText(uint32_t symbol) const { return m_symbols[symbol]; }
  const std::string& symbolText(TermId id) const { return symbolText((*this)[id].symbol); }

  /// The node as given, without simplification. Checks arity and sorts.
  TermId make(Term term);

  TermId boolean(bool value);
  TermId integer(int64_t value);
  TermId f32Bits(uint32_t bits, std::string_view exactText = {});
  TermId f64Bits(uint64_t bits, std::string_view exactText = {});
  TermId var(Sort sort, std::string_view name);
  TermId load(Sort sort, std::string_view buffer, TermId index);

  TermId lnot(TermId a);
  TermId land(TermId a, TermId b);
  TermId lor(TermId a, TermId b);
  TermId ite(TermId condition, TermId a, TermId b);

  TermId iadd(TermId a, TermId b);
  TermId isub(TermId a, TermId b);
  TermId imul(TermId a, TermId b);
  TermId idiv(TermId a, TermId b); ///< truncating; a constant zero divisor is kept as a term
  TermId irem(TermId a, TermId b);
  TermId ilt(TermId a, TermId b);
  TermId ile(TermId a, TermId b);
  TermId ieq(TermId a, TermId b);

  /// Float operators with one or two arguments of the same float sort; comparisons give Bool.
  TermId unary(Op op, TermId a);
  TermId binary(Op op, TermId a, TermId b);
  TermId fma(TermId a, TermId b, TermId c);
  TermId convert(Sort to, TermId a); ///< returns `a` when the sort is the same
  TermId intToFloat(Sort to, TermId a);
  TermId floatToInt(TermId a, int bits, bool isSigned);
  TermId opaque(Sort sort, std::string_view spelling, std::span<const TermId> args);

  /// PTX max.f32 / min.f32: the number beats NaN, +0 is above -0. Emitted as compare and select.
  TermId ptxMax(TermId a, TermId b);
  TermId ptxMin(TermId a, TermId b);

  bool isConst(TermId id) const;
  std::optional<int64_t> intValue(TermId id) const;
  std::optional<bool> boolValue(TermId id) const;

  /// Replaces free leaves and rebuilds with the builders above. Keys may be any term.
  TermId substitute(TermId root, const std::unordered_map<TermId, TermId>& replacement);

  /// Every distinct term below `root`, arguments first.
  std::vector<TermId> postOrder(TermId root) const;
  std::vector<TermId> postOrder(std::span<const TermId> roots) const;

  /// Infix text for people, e.g. "ite(0 < x[i], x[i], 0.01 * x[i])".
  std::string print(TermId root) const;

private:
  struct Hash {
    size_t operator()(const Term& term) const;
  };
  // Deques: a reference that a caller holds stays valid while new terms are made.
  std::deque<Term> m_terms;
  std::deque<std::string> m_symbols;
  std::unordered_map<std::string, uint32_t> m_symbolIndex;
  std::unordered_map<Term, TermId, Hash> m_index;
};

} // namespace plumbline::logic
