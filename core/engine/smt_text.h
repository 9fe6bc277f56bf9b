// SMT-LIB 2.6 text of terms. Deterministic: the same terms give the same text, so query files can be
// compared.
#pragma once

#include "core/base/error.h"
#include "core/logic/term.h"

#include <functional>

namespace plumbline::engine {

/// Ieee: FloatingPoint 8 24 and 11 53, to nearest even; SMT-LIB has one NaN there, so `=` is the relation
/// `equal`. Real: exact arithmetic; a constant denotes the text the source wrote.
enum class SmtReading : uint8_t { Ieee, Real };

struct SmtOptions {
  SmtReading reading = SmtReading::Ieee;
  /// The common name of the spellings of an opaque function that an assumption joins; empty keeps each apart.
  std::function<std::string(std::string_view spelling)> canonicalOpaque;
};

/// A free leaf whose value a model gives: a Var, or a Load (an unknown function of its index).
struct SmtVariable {
  logic::TermId term{};
  logic::Sort sort = logic::Sort::Bool;
  std::string expression; ///< what to ask `get-value` for
};

/// A complete script up to and including (check-sat); anyone can run it again.
struct SmtQuery {
  std::string text;
  SmtReading reading = SmtReading::Ieee;
  std::vector<SmtVariable> variables; ///< in order of first occurrence
};

/// Asks whether all `assertions` (Bool terms) can hold together. An integer division truncates for any signs;
/// a division by zero has an unknown value. Under Real a square root is the non-negative root of a
/// non-negative argument and unknown otherwise, so `realDefined` belongs among the assertions wherever the
/// value counts. Errors: "smt-float-to-int"; under Real "smt-real-nonfinite" (an infinity or NaN as a
/// constant) and "smt-real-literal" (a constant whose text is not a number).
Expected<SmtQuery> smtQuery(const logic::TermStore& store, std::span<const logic::TermId> assertions,
                            const SmtOptions& options);

/// The condition under which a term has a value under Real: no division by zero and no root of a negative
/// number in what is evaluated. `ite` evaluates one branch, `and` and `or` stop early.
logic::TermId realDefined(logic::TermStore& store, logic::TermId term);

/// Assertions that hold together exactly when `left` is the same value as none of `rights` although
/// `hypothesis` holds. Under Real the question is asked where `left` is defined, and an undefined right side
/// counts as different. unsat therefore proves the leaf; sat gives a candidate witness.
std::vector<logic::TermId> differenceAssertions(logic::TermStore& store, logic::TermId left,
                                                std::span<const logic::TermId> rights,
                                                logic::TermId hypothesis, SmtReading reading);

} // namespace plumbline::engine
