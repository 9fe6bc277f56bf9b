// The commands of `plumbline`. Each takes the words after its name and returns the exit status.
#pragma once

#include "app/cli/arguments.h"
#include "core/base/json.h"

namespace plumbline::cli {

int checkCommand(const std::vector<std::string>& words);
int importCommand(const std::vector<std::string>& words);
int evalCommand(const std::vector<std::string>& words);
int runCommand(const std::vector<std::string>& words);
int coverageCommand(const std::vector<std::string>& words);
int gateCommand(const std::vector<std::string>& words);
int methodCommand(const std::vector<std::string>& words);
int serveCommand(const std::vector<std::string>& words);
int doctorCommand(const std::vector<std::string>& words);

/// Prints the error to standard error, or as {"schema", "error", "rejections"} to standard output with
/// `json`. Returns the exit status: 3 for rejections, 4 otherwise.
int report(const Error& error, bool json);

/// Prints to standard output; false when that failed (a full disk, a closed pipe), which is exit status 4.
bool printOut(const std::string& text);

} // namespace plumbline::cli
