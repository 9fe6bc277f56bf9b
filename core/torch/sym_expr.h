// Symbolic sizes as PyTorch writes them.
#pragma once

#include "core/ir/size_expr.h"

namespace plumbline::torch {

/// Reads sympy's constructor text ("Add(Symbol('s0', positive=True, integer=True), Integer(-2))") and its
/// plain text
/// ("2*s0 - 1", "s0*s1", "s0//2", "s0**2"). Known: Symbol, Integer, Add, Mul, Pow with a positive integer
/// exponent, FloorDiv, CeilDiv, Mod, Max, Min and comparisons. Symbols stand for sizes that are at least 1.
/// Division rounds down as in Python; the result divides as C does only where both agree.
/// Error: "symbolic-size" naming the text.
Expected<ir::SizeExprPtr> parseSymbolicSize(const std::string& text);

} // namespace plumbline::torch
