// plumbline import cuda FILE --ptx: what nvcc makes of the floats of each kernel.
#pragma once

#include "app/cli/arguments.h"

namespace plumbline::cli {

/// Options of --ptx go with it and with `cuda` only. Error: "usage".
Expected<void> checkPtxOptions(const Arguments& arguments);

/// Prints one file's facts. Returns the exit status.
int importPtx(const std::string& file, const Arguments& arguments);

} // namespace plumbline::cli
