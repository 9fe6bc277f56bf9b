// What plumbline-server consists of.
#pragma once

#include "lean-bridge/server/stdio.h"

namespace plumbline::server {

/// Hover, completion, symbols and the like, from the parsed and typed document.
void installLanguageFeatures(Server& server);

/// Every part, in the order in which they see a change.
std::vector<Install> allParts();

} // namespace plumbline::server
