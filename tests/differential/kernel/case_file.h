// A case: a .cu file whose lines "//! ..." hold JSON: a launch contract, and besides
//   "sizes":  [{symbol: value}, ...]        the sizes to run
//   "values": {buffer: [low, high]}         range of an integer buffer's elements; any pattern otherwise
//   "give":   {scalar: number | [bits...]}  scalars that the contract leaves free
#pragma once

#include "core/ir/concrete_launch.h"

#include <random>

namespace plumbline::differential {

struct CaseFile {
  std::string name;
  std::string source;
  Json description;
};

/// Errors: of reading and of the JSON.
Expected<CaseFile> readCase(const std::filesystem::path& path);

/// Names of all cases, sorted.
std::vector<std::string> caseNames();

/// Seeded contents for a buffer: every special value first, then a mix of random patterns and moderate
/// numbers.
std::vector<uint64_t> makeContents(const CaseFile& test, const std::string& buffer, ir::ScalarType type,
                                   int64_t length, std::mt19937_64& random);

} // namespace plumbline::differential
