// The JSON form of terms: resources/schema/term.schema.json. A list of nodes, arguments by index, so shared
// subterms are written once.
#pragma once

#include "core/base/json.h"
#include "core/logic/term.h"

namespace plumbline::logic {

/// {"nodes": [{"op","sort","args"?,"value"?|"bits"?|"name"?}], "roots": [index...]}
Json toJson(const TermStore& store, std::span<const TermId> roots);

/// Reads the form above into `store`. Errors: "term-json" naming the node.
Expected<std::vector<TermId>> termsFromJson(TermStore& store, const Json& json);

} // namespace plumbline::logic
