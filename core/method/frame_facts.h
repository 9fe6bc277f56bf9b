// What every loop keeps of the variables that it changes: sizes of arrays, ranges of C types.
#pragma once

#include "core/method/environment.h"

namespace plumbline::method {

/// Facts about mutable variables that hold whatever is assigned to them.
class FrameFacts {
public:
  /// An array keeps this size, an expression of type Nat.
  void addArray(const std::string& name, velvet::ExprPtr size) { add(name, {std::move(size), {}}); }
  /// An integer stays a value of its C type.
  void addInteger(const std::string& name, ir::ScalarType type) { add(name, {nullptr, type}); }

  /// One invariant for each variable that the loop's body assigns and that is declared outside of it, in the
  /// order in which they were added. `label`: prefix of their names.
  std::vector<velvet::Clause> invariants(const std::vector<velvet::Stmt>& body, const std::string& label,
                                         const velvet::LineOrigin& origin, Environment& environment) const;

private:
  struct Fact {
    velvet::ExprPtr size; ///< null for an integer
    ir::ScalarType type{};
  };
  void add(const std::string& name, Fact fact);

  std::vector<std::pair<std::string, Fact>> m_facts;
};

/// The place for what the loop has computed: always true until somebody writes it.
velvet::Clause openInvariant(const std::string& label, const velvet::LineOrigin& origin,
                             Environment& environment);

} // namespace plumbline::method
