// The rows of core/spec/KNOWN_DIFFERENCES.md as predicates on single elements.
#pragma once

#include "tests/differential/spec/cases.h"

namespace plumbline::spec {

/// The difference of the two values is the one that the case's row describes.
bool isKnown(const Case& each, size_t element, uint64_t spec, uint64_t pytorch);

} // namespace plumbline::spec
