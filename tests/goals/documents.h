// Documents whose goals are tested: those of the bundled samples and of the kernels of tests/method.
#pragma once

#include "core/goals/settle.h"
#include "tests/method/kernel_cases.h"

namespace plumbline::goals_test {

struct TestDocument {
  std::string name;
  std::shared_ptr<const velvet::Document> tree;
  std::string ieee; ///< of a pair: its relation under ieee; empty: it computes something else, or is rejected
  bool isPair = false;
};

/// By name of a sample or kernel. Null, with the error, when it has no document.
Expected<TestDocument> documentOf(const method_test::Pair& pair);
Expected<TestDocument> documentOf(const method_test::KernelCase& kernel);

const velvet::Method& methodOf(const velvet::Document& document);

/// Warm solvers and a sweeper, shared by all tests of a process.
const goals::Engines& sharedEngines();

} // namespace plumbline::goals_test
