// A whole spec as Lean text: what a module computes, without a kernel beside it.
#pragma once

#include "core/spec/spec.h"
#include "core/velvet/syntax.h"

namespace plumbline::method {

/// Definitions over the class Plumbline.Scalar, in the order of their use: two for each stage (one step of
/// its fold, and the fold), then one for each output, over the sizes, the tensors and a flat index. Zero
/// signs that ATen leaves open are functions of the element's index. Errors: "method-spec", "method-opaque".
Expected<velvet::Document> leanDocument(const logic::TermStore& store, const spec::Spec& spec);

/// The same printed.
Expected<std::string> leanText(const logic::TermStore& store, const spec::Spec& spec);

} // namespace plumbline::method
