// Which graphs of a folder have a denotation.
#pragma once

#include "core/base/error.h"

#include <string>
#include <vector>

namespace plumbline::spec {

struct CoverageEntry {
  std::string file;           ///< path
  bool read = false;          ///< the file is a graph
  bool denoted = false;       ///< every node has a meaning
  std::optional<Error> error; ///< set unless denoted; names the first node without a meaning
};

/// Reads every .json and .pt2 below `folder`, sorted by path. Errors: "file-not-found".
Expected<std::vector<CoverageEntry>> coverage(const std::string& folder);

} // namespace plumbline::spec
