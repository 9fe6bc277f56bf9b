// Terms about sizes, indices and launches as expressions over Int.
#pragma once

#include "core/logic/term.h"
#include "core/velvet/syntax.h"

#include <functional>

namespace plumbline::method {

/// The expression for a variable of sort Int or, for a Bool one, of type Bool.
using VariableText = std::function<velvet::ExprPtr(const std::string& name)>;

/// An Int term as an expression of type Int. C's division and remainder become Plumbline.cDiv and cMod.
velvet::ExprPtr intText(const logic::TermStore& store, logic::TermId term, const VariableText& variable);
/// A Bool term over Int terms as a proposition.
velvet::ExprPtr propText(const logic::TermStore& store, logic::TermId term, const VariableText& variable);

/// `¬ a`, with comparisons of integers turned round.
velvet::ExprPtr negation(const velvet::ExprPtr& a, bool overIntegers);

/// An Int expression as an index: a literal as it is, others by toNat.
velvet::ExprPtr asIndex(const velvet::ExprPtr& value);

/// The conjuncts of a Bool term.
std::vector<logic::TermId> conjuncts(const logic::TermStore& store, logic::TermId term);

} // namespace plumbline::method
