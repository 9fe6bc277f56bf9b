// Names in exported text: what C and VerCors accept, each once.
#pragma once

#include "core/ir/kernel.h"

namespace plumbline::gate::vercors {

/// "scale_float" of "scale<float>"; words of VerCors's annotations get a '_'.
std::string plainName(const std::string& text);

/// One name for each local of a function, then for each of its array variables, in order.
std::vector<std::string> localNames(const ir::Function& function);

/// The same inside the function: a parameter that is assigned there is copied to a local of another name
/// first, so that contracts can speak of what was passed.
std::vector<std::string> bodyNames(const ir::Function& function);

/// C's type; "vercors-type" for a pointer to vectors and half precision.
std::string typeName(const ir::Type& type, const SourceRange& where);

} // namespace plumbline::gate::vercors
