// plumbline import cuda DIR: which kernels of a folder are translated, and what stops the others.
#pragma once

#include "core/session/sources.h"

namespace plumbline::cli {

/// Prints a table, or `{schema, files, constructs, rejections, unread}` as JSON. One importer reads all
/// files. Returns the exit status: 0 when every kernel is translated, 3 otherwise, 4 when printing failed.
int cudaCoverage(const std::vector<std::string>& files, bool json);

} // namespace plumbline::cli
