// A term flattened for evaluation at many environments: steps in dependency order, operands by step index.
#pragma once

#include "core/logic/term.h"

#include <span>
#include <string>
#include <vector>

namespace plumbline::logic {

/// Independent of the TermStore it was made from. Shared subterms are one step.
struct FlatProgram {
  /// A free variable; the order of `inputs` is that in which values are passed.
  struct Input {
    std::string name;
    Sort sort = Sort::F32;
    bool operator==(const Input&) const = default;
  };
  struct Step {
    Op op = Op::BoolConst;
    Sort sort = Sort::Bool;
    Sort argSort = Sort::Bool; ///< sort of the last operand; that of both operands for comparisons
    uint32_t symbol = 0;       ///< index into `symbols`
    uint32_t input = 0;        ///< Var: index into `inputs`
    uint32_t firstArg = 0;     ///< position in `args`
    uint32_t argCount = 0;
    uint64_t payload = 0;
  };

  std::vector<Step> steps;
  std::vector<uint32_t> args; ///< step indices
  std::vector<std::string> symbols;
  std::vector<Input> inputs;
  std::vector<uint32_t> roots; ///< step index of each root

  FlatProgram(const TermStore& store, std::span<const TermId> rootTerms);

  std::span<const uint32_t> argsOf(const Step& step) const {
    return std::span(args).subspan(step.firstArg, step.argCount);
  }
  /// Index of an input, or -1.
  int inputIndex(std::string_view name) const;
};

} // namespace plumbline::logic
