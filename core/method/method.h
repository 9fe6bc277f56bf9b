// The method document of a comparison: its spec, and its kernel as a sequential method with contract and
// proposed invariants, as text for Velvet. Lean itself is not run; see lean/README.md.
#pragma once

#include "core/gate/problem.h"
#include "core/method/facts.h"
#include "core/method/inexpressible.h"
#include "core/velvet/printer.h"

namespace plumbline::method {

struct MethodOptions {
  velvet::Dialect dialect = velvet::Dialect::Velvet2;
  std::optional<WitnessFact> witness = {}; ///< to be added as a theorem
  std::optional<SweepFact> sweep = {};     ///< the same
};

struct MethodDocument {
  std::string text;                         ///< UTF-8, lines end in '\n'
  std::vector<velvet::LineOrigin> lines;    ///< one a line of `text`
  std::vector<Inexpressible> inexpressible; ///< when not empty the document has no proof command
  std::string invariants;      ///< why no invariants about values are proposed; empty when they are
  std::vector<FactInfo> facts; ///< theorems that stem from a verdict
  velvet::Document tree;       ///< what `text` was printed from
};

/// The document for a bound comparison. Pure: the same problem gives the same bytes, whatever else `store`
/// holds. `graph` is the graph that `problem.spec` was denoted from (the generalised one); its node names
/// stand in the lines' origins.
/// Errors: ErrorKind::Rejected with the construct and its position: those of vc::executeThread,
/// "method-pointer", "method-effect", "method-return", "method-opaque", "method-spec", "method-output"; for
/// the facts of the options "no-closed-fact"; for another dialect than Velvet2 those of velvet::convert.
Expected<MethodDocument> generateMethod(const logic::TermStore& store, const torch::Graph& graph,
                                        const gate::Problem& problem, const MethodOptions& options = {});

} // namespace plumbline::method
