// Lean's types as far as documents use them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::velvet {

/// head "Nat", "Int", "S", ...; "Array" and "Option" with their element; "→" with parameter and result; "×"
/// with both parts. "" is a type about which nothing is known; "?3" one that inference has yet to find.
struct LeanType {
  std::string head;
  std::vector<LeanType> args = {};

  bool known() const { return !head.empty(); }
  bool is(std::string_view name) const { return head == name; }
  bool operator==(const LeanType&) const = default;
};

LeanType arrow(LeanType from, LeanType to);
LeanType arrayOfType(LeanType element);

/// The type that a text spells; nothing known where it is none of these forms.
LeanType readType(std::string_view text);

/// As Lean writes it; "_" for what is not known.
std::string print(const LeanType& type);

} // namespace plumbline::velvet
