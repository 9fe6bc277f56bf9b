#include "tests/goals/documents.h"

#include <cstdlib>

namespace plumbline::goals_test {

namespace {

Expected<TestDocument> generated(std::string name, const method_test::Bound& bound) {
  if (bound.error)
    return fail(*bound.error);
  auto document =
      method::generateMethod(bound.comparison.store, *bound.comparison.graph, *bound.comparison.problem);
  if (!document)
    return fail(document.error());
  TestDocument result;
  result.name = std::move(name);
  result.tree = std::make_shared<const velvet::Document>(std::move(document->tree));
  return result;
}

} // namespace

Expected<TestDocument> documentOf(const method_test::Pair& pair) {
  auto result = generated(pair.name, *method_test::bind(pair));
  if (result) {
    result->ieee = pair.ieee;
    result->isPair = true;
  }
  return result;
}

Expected<TestDocument> documentOf(const method_test::KernelCase& kernel) {
  return generated(kernel.name, *method_test::bindKernel(kernel, readFile(kernel.file).value_or("")));
}

const velvet::Method& methodOf(const velvet::Document& document) {
  for (const velvet::Item& item : document.items)
    if (const auto* method = std::get_if<velvet::Method>(&item))
      return *method;
  std::abort();
}

const goals::Engines& sharedEngines() {
  static engine::Portfolio portfolio;
  static engine::Sweeper sweeper;
  static const goals::Engines engines{&portfolio, &sweeper};
  return engines;
}

} // namespace plumbline::goals_test
