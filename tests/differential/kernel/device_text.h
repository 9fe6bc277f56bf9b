// The part of a CUDA source that a C++ compiler on the host can read: without the wrappers around the
// launches.
#pragma once

#include <string>
#include <vector>

namespace plumbline::differential {

/// Leaves out `#include`, kernels that are not among `kernels` ("scale<float>" names the template), and each
/// declaration at namespace level that is no device code and mentions a launch, PyTorch or CUDA's runtime. A
/// reader of tokens, not of C++: good for the sources that models write.
std::string deviceText(const std::string& source, const std::vector<std::string>& kernels);

} // namespace plumbline::differential
