// What `plumbline help` and `plumbline COMMAND --help` print.
#pragma once

#include <string>

namespace plumbline::cli {

/// Everything.
std::string helpText();

/// One command, with what stands for its capital words.
std::string usageOf(const std::string& command);

} // namespace plumbline::cli
