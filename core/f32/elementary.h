// Elementary functions: their correctly rounded values, and how far a real implementation may be from them.
#pragma once

#include "core/f32/soft_float.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace plumbline::f32 {

enum class Width : uint8_t { Binary32, Binary64 };

/// The mathematical function that a spelling names: "aten.exp", "expf", "exp" and "__expf" give "exp".
/// Nothing for an unknown spelling. Spellings that share a name denote the same function over the reals.
std::optional<std::string_view> canonicalFunction(std::string_view spelling);

/// Number of arguments of a function by its canonical name, 0 when unknown.
int functionArity(std::string_view canonical);

/// The correctly rounded value (nearest, ties to even; special values of C23 Annex F) of a function given by
/// canonical name, e.g. "exp", at arguments given as bit patterns of the same width. Nothing for an unknown
/// name or a wrong number of arguments. Safe to call from any thread.
std::optional<uint64_t> elementaryValue(std::string_view canonical, Width width,
                                        std::span<const uint64_t> args);

/// All values between two bit patterns in the order -inf < ... < -0 < +0 < ... < +inf, and possibly NaN. When
/// `empty`, only NaN is left.
struct Range {
  uint64_t low = 0;
  uint64_t high = 0;
  bool empty = false;
  bool mayBeNan = false;

  bool operator==(const Range&) const = default;
};

/// Monotone position of a non-NaN pattern in the order of Range (-0 directly below +0), and back.
int64_t orderedKey(uint64_t bits, Width width);
uint64_t fromOrderedKey(int64_t key, Width width);

/// Every value there is, NaN included.
Range wholeRange(Width width);
/// The single value `bits`; NaN gives the empty range with mayBeNan.
Range pointRange(uint64_t bits, Width width);
/// The smallest range that contains both.
Range hull(const Range& a, const Range& b, Width width);
/// No value, and not NaN, lies in both.
bool disjoint(const Range& a, const Range& b, Width width);

/// A range that contains the result of the function with this spelling for every choice of arguments from
/// `args`: the correctly rounded value, widened by the documented error bound. An unknown spelling, or a
/// bound that is not documented for these arguments, gives wholeRange.
///
/// Sources of the bounds: the CUDA C++ Programming Guide, "Mathematical Functions", tables of maximum ulp
/// errors and of intrinsic functions (NVIDIA calls them tested, not guaranteed); where editions differ, the
/// larger. "aten.*" stands for PyTorch on a CPU (vectorised functions of at most 1 ulp) and on a GPU (CUDA's
/// functions): the larger of 2 ulps and CUDA's bound. Results at 0 and infinity are taken as exact for
/// functions of one argument, as CUDA documents them, except for the fast intrinsics.
Range enclose(std::string_view spelling, Width width, std::span<const Range> args);

/// The bound that `enclose` uses, for listing with a verdict, e.g. "expf: 2 ulp"; nothing when there is none.
std::optional<std::string> errorBound(std::string_view spelling, Width width);

} // namespace plumbline::f32
