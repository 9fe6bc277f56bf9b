// The kernels that are mutated, each with a module that it equals and that module's meaning written by hand.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace plumbline::mutation {

struct Base {
  std::string name;
  std::filesystem::path folder; ///< with graph.json and kernel.cu
  bool sample = true;           ///< one of the product's samples, not one of bases/
  int rank = 1;                 ///< of input 0 and the output
  size_t inputs = 1;
  bool rowBroadcast = false; ///< the last input has the last dimension only
  std::string reference;     ///< a function of references.h
};

/// The samples whose expected relation is `equal`, and those in bases/.
std::span<const Base> allBases();

} // namespace plumbline::mutation
