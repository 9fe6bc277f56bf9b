// Values of Lean's types as terms, and arrays as what was done to them.
#pragma once

#include "core/logic/term.h"

#include <map>

namespace plumbline::goals {

enum class Kind : uint8_t { Nat, Int, Bool, Prop, F32, F64, Array, Pair, Unit };

/// A type as Lean writes it: "Array Float32", "Nat", "Array Float32 × Bool". The abstract scalar "S" of specs
/// is Float32: goals are settled under the reading `ieee`.
struct Type {
  Kind kind = Kind::Nat;
  std::vector<Type> parts; ///< of an array: its elements; of a pair: both
};
/// Nothing for a type that goals do not cover.
std::optional<Type> typeFrom(std::string_view text);
logic::Sort sortOf(Kind kind); ///< of a scalar

/// Index into Arrays.
enum class ArrayId : uint32_t {};

struct Value {
  Kind kind = Kind::Nat;
  logic::TermId term{};          ///< of a scalar; a Nat is an Int term that is not negative
  ArrayId array{};               ///< of an array
  std::vector<Value> parts = {}; ///< of a pair
};

/// Lean's arrays, symbolically. A read outside gives Lean's default, a write outside changes nothing.
class Arrays {
public:
  explicit Arrays(logic::TermStore& store) : m_store(store) {}

  /// An arbitrary array: element i is Load(name, i), its size the variable "name.size".
  ArrayId arbitrary(const std::string& name, Kind element);
  ArrayId literal(Kind element, std::vector<logic::TermId> elements);
  ArrayId replicate(Kind element, logic::TermId size, logic::TermId value);
  ArrayId set(ArrayId array, logic::TermId index, logic::TermId value);
  ArrayId choose(logic::TermId condition, ArrayId a, ArrayId b);

  logic::TermId size(ArrayId array);
  logic::TermId read(ArrayId array, logic::TermId index); ///< the index is not negative
  Kind element(ArrayId array) const { return node(array).element; }
  /// The name of an arbitrary array as it was at first; nothing for any other.
  std::optional<std::string> arbitraryName(ArrayId array) const;

  /// Facts about the loads and sizes made so far: numbers that are not negative.
  const std::vector<logic::TermId>& facts() const { return m_facts; }

  /// Lean's `default`. Float32's is a variable: no proof should depend on it.
  logic::TermId defaultOf(Kind element);

private:
  enum class Form : uint8_t { Arbitrary, Literal, Replicate, Set, Choose };
  struct Node {
    Form form = Form::Arbitrary;
    Kind element = Kind::F32;
    std::string name = {};
    std::vector<logic::TermId> elements = {};
    logic::TermId first{}; ///< size of Replicate, index of Set, condition of Choose
    logic::TermId value{};
    ArrayId a{};
    ArrayId b{};
  };
  const Node& node(ArrayId id) const { return m_nodes[static_cast<size_t>(id)]; }
  ArrayId add(Node made);
  logic::TermId readNode(const Node& from, logic::TermId index);
  logic::TermId readLiteral(const Node& from, logic::TermId index);
  logic::TermId natural(logic::TermId term);

  logic::TermStore& m_store;
  std::vector<Node> m_nodes;
  std::map<std::pair<ArrayId, logic::TermId>, logic::TermId> m_reads;
  std::map<std::tuple<ArrayId, logic::TermId, logic::TermId>, ArrayId> m_sets;
  std::vector<logic::TermId> m_facts;
};

} // namespace plumbline::goals
