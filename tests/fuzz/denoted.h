// What must hold of any graph that was read.
#pragma once

#include "core/spec/spec.h"
#include "tests/fuzz/check.h"

namespace plumbline::fuzz {

/// A meaning, or an error that has a name and says what.
inline void checkDenotation(const torch::Graph& graph) {
  logic::TermStore terms;
  const Expected<spec::Spec> spec = spec::denote(terms, graph);
  if (!spec)
    check(!spec.error().id.empty() && !spec.error().message.empty(), "a named error of the denotation");
}

} // namespace plumbline::fuzz
