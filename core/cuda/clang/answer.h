// One request of the importer: source text in, kernel IR and launch contracts out. No Clang in this header.
#pragma once

#include "core/ir/host_program.h"

#include <string>
#include <utility>
#include <vector>

namespace plumbline::cuda {

struct Answer {
  ir::Module module;
  std::vector<ir::LaunchContract> launches;
  std::vector<ir::HostProgram> programs;
  std::vector<ir::UnreadWay> unreadWays;
  std::vector<Rejection> unread;
  std::vector<Rejection> errors;
};

/// Parses and translates. Never throws; whatever is wrong with the source is in the answer.
Answer readSource(const std::string& source, const std::string& name);

/// The shim's files: name and content. Generated from resources/shim at build time.
const std::vector<std::pair<std::string, std::string>>& shimFiles();

} // namespace plumbline::cuda
