// What checks share: importers and engines, kept warm.
#pragma once

#include "core/engine/portfolio.h"
#include "core/engine/sweep.h"
#include "core/session/sources.h"

namespace plumbline::session {

/// Everything starts when it is first needed and ends with the object. Owned by a thread that outlives it.
class CheckPool {
public:
  ImportChildren children;
  engine::Portfolio portfolio;
  engine::Sweeper sweeper;
};

} // namespace plumbline::session
