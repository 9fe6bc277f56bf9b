// The pairs that method documents are tested on: bundled samples and the cases of tests/check.
#pragma once

#include "core/method/method.h"
#include "core/session/check_pool.h"
#include "core/session/comparison.h"
#include "tests/method/evaluator.h"

#include <filesystem>

namespace plumbline::method_test {

struct Pair {
  std::string name; ///< folder of a sample, or file name of a case
  std::string model;
  std::string kernel;
  bool isSample = false;
  std::string ieee; ///< expected relation under ieee; empty when the file expects something else
};

/// In order of name.
const std::vector<Pair>& allPairs();

session::CheckOptions optionsFor(const Pair& pair);

/// Reads and binds a pair, with children that stay warm. Null, with the error, when the pair is rejected.
struct Bound {
  session::Comparison comparison;
  std::optional<Error> error;
};
std::unique_ptr<Bound> bind(const Pair& pair);

session::CheckPool& sharedPool();

/// The files of lean/Plumbline that documents import, by name; each was read without error.
const std::map<std::string, LeanFile>& leanFiles();
std::vector<LeanFile> leanFileList();

/// One run of a method, and of the kernel in the interpreter, on the same inputs.
struct BothRuns {
  gate::GridRun grid;
  MethodRun method;
};
Expected<BothRuns> runBoth(session::Comparison& comparison, Evaluator& evaluator, const gate::Sizes& sizes,
                           const gate::TensorBits& inputs, int every);

/// The outputs of a method that returns `count` arrays.
std::vector<const Value*> resultsOf(const MethodRun& run, size_t count);
/// "" when both runs end with the same outputs to the bit, else the first element that differs.
std::string differingOutput(const gate::Problem& problem, const BothRuns& both);
/// Something that the method's own assertions forbid.
bool hasForbidden(const ir::RunResult& result);
std::string text(const MethodRun& run);

/// Bits for every buffer at these sizes: special values and random patterns from `seed`.
gate::TensorBits someInputs(session::Comparison& comparison, const gate::Sizes& sizes, uint64_t seed);

} // namespace plumbline::method_test
