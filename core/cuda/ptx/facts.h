// What a compiler chose for the floats of a kernel: fused, approximate, flushing instructions with source
// lines.
#pragma once

#include "core/base/json.h"
#include "core/cuda/ptx/nvcc.h"
#include "core/cuda/ptx/ptx.h"

namespace plumbline::cuda {

/// A property of a float instruction that its source does not say. One instruction may have several.
enum class PtxTrait : uint8_t {
  Fused,       ///< fma, or mad on floats: a product and a sum with one rounding
  MayFuse,     ///< add, sub, mul without a rounding mode: the assembler may still fuse them
  Approximate, ///< .approx: not correctly rounded
  Flush,       ///< .ftz: subnormal inputs and results become zero
  Division,    ///< div, rcp
  Root,        ///< sqrt, rsqrt
  Saturate,    ///< .sat: clamped to [0, 1]
  Directed,    ///< rounds towards zero or an infinity
  MinMax,      ///< min, max
  Atomic,      ///< atom, red on floats
  Matrix,      ///< mma, wmma: tensor cores
};
std::string_view name(PtxTrait trait); ///< "fused", "may-fuse", ... "matrix"
/// All traits, in the order of the enumeration.
const std::vector<PtxTrait>& ptxTraits();

/// The traits of an opcode; empty for integer instructions and for plain ones.
std::vector<PtxTrait> traitsOf(std::string_view opcode);

struct PtxFact {
  std::string opcode;
  std::vector<PtxTrait> traits; ///< at least one
  SourceRange where;            ///< unknown line when nothing is known
  SourceRange inlinedAt;        ///< of the call, when the code was inlined
  int ptxLine = 0;
};

struct KernelFacts {
  std::string name;           ///< "scale<float>"
  std::string symbol;         ///< in the PTX
  std::vector<PtxFact> facts; ///< in the order of the instructions
  std::vector<size_t> counts; ///< by trait, as in ptxTraits()
  size_t instructions = 0;
};

/// The kernels of a module. `source` is the name for positions in the file that was compiled.
std::vector<KernelFacts> factsOf(const PtxModule& module, const std::string& source);

/// resources/schema/ptx.schema.json.
Json toJson(const std::vector<KernelFacts>& kernels, const PtxText& text, const std::string& file);
std::string print(const std::vector<KernelFacts>& kernels, const PtxText& text, const std::string& file);

} // namespace plumbline::cuda
