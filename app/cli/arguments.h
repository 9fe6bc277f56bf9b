// Command lines: positional arguments, options with and without a value.
#pragma once

#include "core/base/error.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace plumbline::cli {

struct ArgumentRules {
  std::set<std::string> flags;    ///< "--json"
  std::set<std::string> values;   ///< "--out"
  std::set<std::string> repeated; ///< "--assume"; the others may be given once
  size_t positional = 0;          ///< how many are needed
};

struct Arguments {
  std::vector<std::string> positional;
  std::set<std::string> flags;
  std::map<std::string, std::vector<std::string>> values;

  bool has(const std::string& flag) const { return flags.contains(flag); }
  std::string value(const std::string& option, std::string otherwise = {}) const;
};

/// "--name value" and "--name=value". Error: ErrorKind::Usage, "usage".
Expected<Arguments> parseArguments(const std::vector<std::string>& words, const ArgumentRules& rules);

/// The words ask for JSON, whatever else may be wrong with them.
bool asksJson(const std::vector<std::string>& words);

/// The error for an option that a command cannot do without.
tl::unexpected<Error> missingOption(const std::string& option);

/// A positive number of an option. Error: "usage".
Expected<unsigned> parsePositive(const std::string& option, const std::string& text);

} // namespace plumbline::cli
