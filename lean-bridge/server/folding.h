// Parts of a document that an editor may fold.
#pragma once

#include "lean-bridge/server/snapshot.h"

namespace plumbline::server {

/// `FoldingRange[]`: items, loops, branches and comments of more than one line.
Json foldingRanges(const Snapshot& snapshot);

} // namespace plumbline::server
