// Names in exported text: what C and VerCors accept, each once.
#pragma once

#include "core/ir/kernel.h"

#include <map>

namespace plumbline::gate::vercors {

/// "scale_float" of "scale<float>"; words of VerCors's annotations get a '_'.
std::string plainName(const std::string& text);

/// One name for each local of a function, in order.
std::vector<std::string> localNames(const ir::Function& function);

/// C's type; "vercors-type" for a pointer to vectors and half precision.
std::string typeName(const ir::Type& type, const SourceRange& where);

} // namespace plumbline::gate::vercors
