// Shapes of graphs: equality, broadcasting, sizes as terms.
#pragma once

#include "core/logic/term.h"
#include "core/torch/graph.h"

namespace plumbline::spec {

using Shape = std::vector<ir::SizeExprPtr>;

/// "[s0, 4]".
std::string print(const Shape& shape);

/// Equal as expressions. Two different expressions may still have equal values.
bool sameSize(const ir::SizeExpr& a, const ir::SizeExpr& b);
bool sameShape(const Shape& a, const Shape& b);
/// Equal as expressions, or of equal value at many sizes within the ranges of the symbols (two ways to write
/// one size, e.g. the exporter's floor division and ours).
bool equalShape(const Shape& a, const Shape& b, const std::map<std::string, torch::SymbolRange>& symbols);
bool isOne(const ir::SizeExprPtr& size);

/// The size as a constant when no symbol decides it, else as it is.
ir::SizeExprPtr folded(const ir::SizeExprPtr& size);
/// The same for an operation on two sizes.
ir::SizeExprPtr foldedBinary(ir::SizeExpr::Kind kind, const ir::SizeExprPtr& a, const ir::SizeExprPtr& b);

/// The common shape: aligned at the last dimension, a constant 1 stretches, other sizes must be the same
/// expression. Nothing when the shapes do not fit.
std::optional<Shape> broadcast(const Shape& a, const Shape& b);

/// The size as an Int term; symbols become Var(Int). Comparisons become Bool terms.
logic::TermId sizeTerm(logic::TermStore& terms, const ir::SizeExpr& size);

/// One operator of a size expression on terms: Int, or Bool for comparisons and for && (whose operands are
/// Bool). `kind` is no leaf.
logic::TermId sizeOperation(logic::TermStore& terms, ir::SizeExpr::Kind kind, logic::TermId a,
                            logic::TermId b);

/// The product of the sizes.
logic::TermId numelTerm(logic::TermStore& terms, const Shape& shape);

/// The flat index into an operand of shape `from`, stretched to `to`, of the element with flat index `index`
/// in `to`. Neighbouring dimensions that behave alike count as one, so the result is a sum of ((index /
/// stride) % size) * stride'; the remainder is left out for the outermost one, whose quotient is in range.
logic::TermId broadcastIndex(logic::TermStore& terms, const Shape& from, const Shape& to,
                             logic::TermId index);

} // namespace plumbline::spec
