// Mutants of a CUDA text: one small change each, generated in a fixed order.
#pragma once

#include <string>
#include <vector>

namespace plumbline::mutation {

struct Mutant {
  std::string kind; ///< operator, operand, comparison, constant, call, value, index, guard, launch, rewrite
  std::string note; ///< what was replaced by what, with the line
  std::string text; ///< the whole file after the change
};

/// Every mutant, without repetitions and without `text` itself. Empty when the text cannot be parsed.
std::vector<Mutant> allMutants(const std::string& text);

/// At most `quota` of each kind, spread by a fixed seed; the order stays.
std::vector<Mutant> select(std::vector<Mutant> mutants, size_t quota);

} // namespace plumbline::mutation
