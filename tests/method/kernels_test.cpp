// Methods of kernels with loops, arrays and barriers, run by the tests' own evaluator against the kernel
// interpreter.
#include "tests/method/random_kernels.h"

#include <algorithm>
#include <gtest/gtest.h>

namespace plumbline::method_test {
namespace {

Expected<method::MethodDocument> documentOf(const Bound& bound) {
  const session::Comparison& comparison = bound.comparison;
  return method::generateMethod(comparison.store, *comparison.graph, *comparison.problem);
}

std::string sourceOf(const KernelCase& kernel) {
  return readFile(kernel.file).value_or("");
}

class Kernels : public testing::TestWithParam<KernelCase> {};

TEST_P(Kernels, MethodDoesWhatTheKernelDoes) {
  const std::unique_ptr<Bound> bound = bindKernel(GetParam(), sourceOf(GetParam()));
  ASSERT_FALSE(bound->error) << toString(*bound->error);
  const auto document = documentOf(*bound);
  ASSERT_TRUE(document) << toString(document.error());
  EXPECT_EQ(compareRuns(GetParam(), *bound, *document), "") << document->text;
}

INSTANTIATE_TEST_SUITE_P(All, Kernels, testing::ValuesIn(kernelCases()),
                         [](const auto& info) { return info.param.name; });

// --- That the comparison would notice ---

using velvet::Stmt;
using velvet::StmtKind;

/// Every statement list of the method, outermost first.
void forLists(std::vector<Stmt>& body, const std::function<void(std::vector<Stmt>&)>& action) {
  action(body);
  for (Stmt& stmt : body) {
    forLists(stmt.body, action);
    forLists(stmt.otherwise, action);
  }
}

/// The answer of the comparison for a kernel whose document was changed.
std::string answerFor(const std::string& name, const std::function<void(velvet::Method&)>& spoil) {
  const auto kernel = std::ranges::find(kernelCases(), name, &KernelCase::name);
  const std::unique_ptr<Bound> bound = bindKernel(*kernel, sourceOf(*kernel));
  auto document = documentOf(*bound);
  for (velvet::Item& item : document->tree.items)
    if (auto* method = std::get_if<velvet::Method>(&item))
      spoil(*method);
  return compareRuns(*kernel, *bound, *document);
}

/// Runs the change on the first list in which it finds something to change.
std::string answerAfter(const std::string& name, const std::function<bool(std::vector<Stmt>&)>& change) {
  bool done = false;
  const std::string answer = answerFor(name, [&](velvet::Method& method) {
    forLists(method.body, [&](std::vector<Stmt>& list) { done = done || change(list); });
  });
  EXPECT_TRUE(done);
  return answer;
}

auto firstOf(std::vector<Stmt>& list, StmtKind kind) {
  return std::ranges::find(list, kind, &Stmt::kind);
}

TEST(Spoilt, NothingIsFoundInTheDocumentItself) {
  EXPECT_EQ(answerFor("register_across", [](velvet::Method&) {}), "");
}

TEST(Spoilt, APhaseThatIsLeftOutIsFound) {
  const std::string answer = answerAfter("register_across", [](std::vector<Stmt>& list) {
    if (std::ranges::count(list, StmtKind::While, &Stmt::kind) < 3)
      return false;
    list.erase(firstOf(list, StmtKind::While));
    return true;
  });
  EXPECT_TRUE(answer.starts_with("output 0")) << answer;
}

/// The threads one after another through both phases instead of all through the first.
TEST(Spoilt, TwoPhasesRunAsOneAreFound) {
  const std::string answer = answerAfter("reverse_in_block", [](std::vector<Stmt>& list) {
    const auto first = firstOf(list, StmtKind::While);
    if (std::ranges::count(list, StmtKind::While, &Stmt::kind) != 2)
      return false;
    const auto second =
        std::find_if(first + 1, list.end(), [](const Stmt& s) { return s.kind == StmtKind::While; });
    Stmt inner = *second;
    const std::string name = (second - 1)->name;
    const std::string outer = (first - 1)->name;
    Stmt start = *(second - 1);
    start.value = velvet::name(outer);
    std::erase_if(inner.body,
                  [](const Stmt& s) { return s.kind == StmtKind::Let && s.name == "threadIdx_x"; });
    inner.value = velvet::binary(velvet::BinaryOp::Equal, velvet::name(name), velvet::name(outer));
    inner.loop.doneWith.prop = velvet::name("True");
    list.erase(second - 1, second + 1);
    std::vector<Stmt>& body = firstOf(list, StmtKind::While)->body;
    body.insert(body.end() - 1, {start, inner});
    return true;
  });
  EXPECT_TRUE(answer.starts_with("output 0")) << answer;
}

TEST(Spoilt, AnInvariantThatIsFalseInSomeTurnIsFound) {
  const std::string answer = answerAfter("counted_up", [](std::vector<Stmt>& list) {
    for (Stmt& stmt : list)
      for (velvet::Clause& clause : stmt.loop.invariants)
        if (clause.label.ends_with("_k_open")) {
          clause.prop = stmt.value;
          return true; // false at the end only
        }
    return false;
  });
  EXPECT_EQ(answer, "invariant counted_up_k_open fails");
}

TEST(Spoilt, AMeasureThatStaysIsFound) {
  const std::string answer = answerAfter("leave_early", [](std::vector<Stmt>& list) {
    for (Stmt& stmt : list)
      if (stmt.kind == StmtKind::While && stmt.loop.label.ends_with("_k_more")) {
        stmt.loop.decreasing.prop = stmt.loop.decreasing.prop->args[0]; // without the turn that breaks
        return true;
      }
    return false;
  });
  EXPECT_EQ(answer, "decreasing leave_early_k_left fails");
}

// --- Random kernels ---

/// PLUMBLINE_RANDOM_METHODS sets how many; the seeds begin at 1.
TEST(RandomKernels, MethodsDoWhatTheKernelsDo) {
  const char* wanted = std::getenv("PLUMBLINE_RANDOM_METHODS");
  const int count = wanted != nullptr ? std::atoi(wanted) : 100;
  int withBarriers = 0;
  for (int seed = 1; seed <= count; ++seed) {
    const RandomMethodKernel random = randomKernel(static_cast<uint64_t>(seed));
    const std::unique_ptr<Bound> bound = bindKernel(random.kernel, random.source);
    ASSERT_FALSE(bound->error) << toString(*bound->error) << random.source;
    const auto document = documentOf(*bound);
    ASSERT_TRUE(document) << toString(document.error()) << random.source;
    ASSERT_EQ(compareRuns(random.kernel, *bound, *document), "") << "seed " << seed << "\n"
                                                                 << random.source << document->text;
    withBarriers += random.source.find("__syncthreads") != std::string::npos;
  }
  EXPECT_GT(withBarriers, count / 3);
}

} // namespace
} // namespace plumbline::method_test
