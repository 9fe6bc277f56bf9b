// The JSON form of specs: resources/schema/spec.schema.json.
#pragma once

#include "core/spec/spec.h"

namespace plumbline::spec {

/// Element terms, shapes and facts share one list of term nodes.
Json toJson(const logic::TermStore& terms, const Spec& spec);

} // namespace plumbline::spec
