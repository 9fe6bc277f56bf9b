// Random kernels whose every construct has a method: counted loops in all forms, jumps over several levels,
// switches, arrays of a thread, shared memory exchanged between barriers, uniform loops and branches around
// barriers. Without undefined behaviour, races and divergent barriers by construction.
#pragma once

#include "tests/method/kernel_cases.h"

namespace plumbline::method_test {

struct RandomMethodKernel {
  std::string source;
  KernelCase kernel;
};

RandomMethodKernel randomKernel(uint64_t seed);

} // namespace plumbline::method_test
