#include "lean-bridge/server/parts.h"

#include "lean-bridge/server/goal_service.h"

namespace plumbline::server {

std::vector<Install> allParts() {
  return {installLanguageFeatures, [](Server& server) { installGoals(server, {}); }};
}

} // namespace plumbline::server
