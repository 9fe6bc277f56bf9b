// Which programs of a folder can be read, checked, given a meaning and printed.
#pragma once

#include "core/base/error.h"

#include <functional>
#include <string>
#include <vector>

namespace plumbline::method {

/// One program. Each state is "ok" or the reason why not; a state behind a failed one says so.
struct CoverageEntry {
  std::string file;                   ///< path
  std::string import = "ok";          ///< the file is a graph
  std::string shape = "ok";           ///< recorded shapes and dtypes are those that our rules give
  std::string denotation = "ok";      ///< every element of every output has a meaning
  std::string print = "ok";           ///< the meaning has a Lean text
  std::vector<std::string> operators; ///< ATen overloads, sorted
  std::vector<std::string> missing;   ///< those of them without a denotation
  double milliseconds = 0;

  bool isComplete() const { return import == "ok" && shape == "ok" && denotation == "ok" && print == "ok"; }
};

/// Called before each file with the number of files that are done.
using CoverageProgress = std::function<void(size_t done, size_t total, const std::string& file)>;

/// Every .json and .pt2 below `folder` (or the file itself), sorted by path. Errors: "file-not-found".
Expected<std::vector<CoverageEntry>> coverage(const std::string& folder,
                                              const CoverageProgress& progress = {});

} // namespace plumbline::method
