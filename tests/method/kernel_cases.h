// Kernels without a module, for what the method makes of loops, arrays and barriers: files of kernels/ with a
// launch in the comment before each kernel.
//
//   //! {"block": [16, 1, 1], "sizes": [{"n": 5}]}
//   __global__ void name(...)
//
// The JSON is merged into a default: k(const float* x, float* y, int n), 64 threads a block, both of n
// elements. "sizes" are the runs to make.
#pragma once

#include "tests/method/pairs.h"

namespace plumbline::method_test {

struct KernelCase {
  std::string name;
  std::string file;
  Json launch;
};

/// In the order of the files.
const std::vector<KernelCase>& kernelCases();

/// The kernels of one source text and their launches, in order. `source` may come from anywhere.
std::vector<KernelCase> casesOf(const std::string& file, const std::string& source);

/// Imports and binds the kernel to a spec that computes nothing in particular (each element of an output is
/// 0): `ensures` clauses say nothing about it.
std::unique_ptr<Bound> bindKernel(const KernelCase& kernel, const std::string& source);

/// The sizes of a case, as the bound problem names them.
std::vector<gate::Sizes> sizesOf(const KernelCase& kernel, const gate::Problem& problem);

/// Runs the document against the interpreter on every size, with several inputs: the same outputs, every
/// assertion, invariant and measure as it should be. "" or what is wrong.
std::string compareRuns(const KernelCase& kernel, Bound& bound, const method::MethodDocument& document);

} // namespace plumbline::method_test
