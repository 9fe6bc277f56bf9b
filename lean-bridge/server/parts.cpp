#include "lean-bridge/server/parts.h"

namespace plumbline::server {

std::vector<Install> allParts() {
  return {installLanguageFeatures};
}

} // namespace plumbline::server
