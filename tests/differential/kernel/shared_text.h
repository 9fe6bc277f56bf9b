// Shared memory of CUDA sources in words of C++.
#pragma once

#include <string>

namespace plumbline::differential {

/// Dynamic shared memory has no spelling in C++: its declarations become pointers to the memory of the shim.
std::string withDynamicShared(const std::string& source);

/// `__shared__` arrays and variables become references to memory of the block that has just their size.
std::string withSharedInstances(const std::string& source);

} // namespace plumbline::differential
