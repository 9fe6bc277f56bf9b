// The files of lean/ that are made from our tables: the class of specs, its instance at Float32, one unknown
// function for each spelling without agreed bits, and the definition of every element-wise operator.
#pragma once

#include "core/base/error.h"

#include <map>
#include <string>

namespace plumbline::method {

/// Text by path below lean/ ("Plumbline/Scalar.lean"). The checked-in files are the same, except for the
/// first line, which says when Lean last compiled the file.
std::map<std::string, std::string> leanLibrary();

/// First line of a file that Lean has never compiled.
inline constexpr const char* notCompiled = "-- not yet compiled";

} // namespace plumbline::method
