// Terms to LLVM IR. Each side of a comparison becomes one module with one loop.
#pragma once

#include "app/sweep/fragment.h"

#include <memory>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace plumbline::sweep {

/// One comparison: for every value of `variable` that satisfies `hypothesis`, `left` is the same value as one
/// of `rights`. The terms have passed checkFragment and live in `store`.
struct Comparison {
  const logic::TermStore* store = nullptr;
  logic::TermId left{};
  std::vector<logic::TermId> rights;
  logic::TermId hypothesis{};
  IntRanges ranges;
};

inline constexpr const char* leftSymbol = "plumbline_left";
inline constexpr const char* rightSymbol = "plumbline_right";

/// void plumbline_left(uint32_t first, uint32_t count, T* buffer): buffer[i] = left(first + i). T by the sort
/// of `left`: float, double, int64_t, or uint8_t for Bool.
std::unique_ptr<llvm::Module> lowerLeft(llvm::LLVMContext& context, const Comparison& comparison);

/// uint32_t plumbline_right(uint32_t first, uint32_t count, const T* buffer): 1 when some i has the
/// hypothesis true and buffer[i] different from every right side, else 0.
std::unique_ptr<llvm::Module> lowerRight(llvm::LLVMContext& context, const Comparison& comparison);

} // namespace plumbline::sweep
