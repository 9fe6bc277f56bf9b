// The device code of a CUDA source by itself: what nvcc can compile without PyTorch's headers.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace plumbline::cuda {

/// The source with host functions, host variables and the headers of host libraries replaced by blanks; every
/// remaining character keeps its line and column. Kernel templates named in `instantiations` ("scale<float>")
/// get a use behind their definition, on the same line. Works on any text: what is no C++ stays as it is, for
/// the compiler to complain about.
std::string kernelUnit(std::string_view source, const std::vector<std::string>& instantiations);

/// What stands before the unit: the headers that PyTorch's would bring in, without PyTorch.
std::string_view kernelPrelude();

} // namespace plumbline::cuda
