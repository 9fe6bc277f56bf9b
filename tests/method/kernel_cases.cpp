#include "tests/method/kernel_cases.h"

#include "core/gate/bind.h"

#include <algorithm>
#include <sstream>

namespace plumbline::method_test {

namespace {

const std::filesystem::path folder =
    std::filesystem::path(PLUMBLINE_SOURCE_DIR) / "tests" / "method" / "kernels";

const char* defaultLaunch = R"json({
  "symbols": {"n": [1, 100000]}, "block": [64, 1, 1], "grid": ["ceil(n / 64)", 1, 1],
  "buffers": {"x": {"len": "n", "role": "input"}, "y": {"len": "n", "role": "output"}},
  "sizes": [{"n": 1}, {"n": 64}, {"n": 135}]
})json";

/// "void name(" in a line that declares a kernel.
std::string kernelName(const std::string& line) {
  const size_t at = line.find("void ");
  const size_t end = line.find('(', at);
  return line.substr(at + 5, end - at - 5);
}

/// The term of an expression over free symbols.
logic::TermId lengthTerm(logic::TermStore& store, const ir::SizeExpr& expr) {
  const auto made = gate::sizeExprTerm(
      store, expr, [&](const std::string& name) { return std::optional(store.var(logic::Sort::Int, name)); });
  return made ? *made : store.integer(0);
}

bool isWholeLength(const ir::LaunchContract& contract, const std::string& symbol) {
  return std::ranges::any_of(contract.buffers, [&](const ir::BufferContract& buffer) {
    return buffer.length->kind == ir::SizeExpr::Kind::Symbol && buffer.length->symbol == symbol;
  });
}

void addTensors(session::Comparison& comparison, const ir::LaunchContract& contract) {
  logic::TermStore& store = comparison.store;
  torch::Graph graph;
  graph.source = "zeros.json";
  for (const ir::BufferContract& buffer : contract.buffers) {
    spec::SpecTensor tensor;
    tensor.name = buffer.parameter;
    tensor.shape = {lengthTerm(store, *buffer.length)};
    tensor.numel = tensor.shape[0];
    graph.tensors[tensor.name] = {};
    if (buffer.role == ir::BufferRole::Output) {
      graph.outputs.push_back(tensor.name);
      comparison.spec.outputs.push_back({tensor, store.f32Bits(0)});
    } else {
      graph.inputs.push_back({tensor.name, torch::InputKind::User, {}});
      comparison.spec.inputs.push_back({tensor, torch::InputKind::User, {}, true});
    }
  }
  for (const ir::SizeSymbol& symbol : contract.symbols)
    if (isWholeLength(contract, symbol.name)) {
      comparison.spec.symbols[symbol.name] = {symbol.low, symbol.high};
      comparison.spec.hints[symbol.name] = symbol.low;
    }
  comparison.graph = std::move(graph);
}

cuda::CudaImporter& importer() {
  static Expected<cuda::CudaImporter> made = cuda::CudaImporter::start();
  if (!made)
    std::abort();
  return *made;
}

} // namespace

std::vector<KernelCase> casesOf(const std::string& file, const std::string& source) {
  std::vector<KernelCase> cases;
  std::istringstream lines(source);
  std::string description;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("//!"))
      description += line.substr(3) + "\n";
    if (!line.starts_with("__global__") || description.empty())
      continue;
    Json launch = Json::parse(defaultLaunch);
    launch.merge_patch(Json::parse(description));
    cases.push_back({kernelName(line), file, std::move(launch)});
    description.clear();
  }
  return cases;
}

const std::vector<KernelCase>& kernelCases() {
  static const std::vector<KernelCase> cases = [] {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".cu")
        files.push_back(entry.path());
    std::ranges::sort(files);
    std::vector<KernelCase> result;
    for (const std::filesystem::path& file : files)
      for (KernelCase& each : casesOf(file.string(), readFile(file.string()).value_or("")))
        result.push_back(std::move(each));
    return result;
  }();
  return cases;
}

std::unique_ptr<Bound> bindKernel(const KernelCase& kernel, const std::string& source) {
  auto bound = std::make_unique<Bound>();
  session::Comparison& comparison = bound->comparison;
  const StopToken stop = StopToken().withTimeout(std::chrono::seconds(60));
  const std::string file = std::filesystem::path(kernel.file).filename().string();
  Expected<cuda::ImportedCuda> imported = importer().importSource(source, file, stop);
  Json launch = kernel.launch;
  launch.erase("sizes"); // the test's own
  const auto contract = ir::launchFromJson(kernel.name, launch);
  if (!imported || !contract) {
    bound->error = imported ? contract.error() : imported.error();
    return bound;
  }
  comparison.candidate.imported = *std::move(imported);
  addTensors(comparison, *contract);
  const ir::Module& module = comparison.candidate.imported.module;
  for (const ir::Kernel& each : module.kernels) {
    if (each.name != kernel.name)
      continue;
    if (each.function < 0) {
      bound->error =
          Error{ErrorKind::Rejected, each.rejections[0].id, each.rejections[0].construct, "", {}, {}};
      return bound;
    }
    auto problem = gate::bindProblem(comparison.store, comparison.spec, module, each, *contract, {});
    if (problem)
      comparison.problem = *std::move(problem);
    else
      bound->error = problem.error();
    return bound;
  }
  bound->error = Error{ErrorKind::File, "no-kernel", "no kernel of that name", "", {}, {}};
  return bound;
}

std::vector<gate::Sizes> sizesOf(const KernelCase& kernel, const gate::Problem& problem) {
  std::vector<gate::Sizes> result;
  for (const Json& each : kernel.launch.at("sizes")) {
    gate::Sizes sizes;
    for (const std::string& variable : problem.sizeVariables)
      sizes[variable] = each.at(variable).get<int64_t>();
    result.push_back(std::move(sizes));
  }
  return result;
}

namespace {

/// What is wrong with one pair of runs; "" when nothing is.
std::string problemOf(const gate::Problem& problem, const BothRuns& both) {
  if (!both.grid.launch.findings.empty())
    return "the launch is illegal";
  if (!both.grid.result.findings.empty())
    return "the interpreter finds: " + ir::print(both.grid.result.findings[0]);
  for (const Failure& failure : both.method.failures)
    if (failure.kind != "ensures")
      return failure.kind + " " + failure.label + " fails";
  return differingOutput(problem, both);
}

} // namespace

std::string compareRuns(const KernelCase& kernel, Bound& bound, const method::MethodDocument& document) {
  session::Comparison& comparison = bound.comparison;
  Evaluator evaluator(leanFileList(), document.tree);
  uint64_t seed = 1;
  for (const gate::Sizes& sizes : sizesOf(kernel, *comparison.problem))
    for (int round = 0; round < 2; ++round) {
      const gate::TensorBits inputs = someInputs(comparison, sizes, ++seed);
      const auto both = runBoth(comparison, evaluator, sizes, inputs, 1);
      if (!both)
        return toString(both.error());
      if (const std::string wrong = problemOf(*comparison.problem, *both); !wrong.empty())
        return wrong;
    }
  return {};
}

} // namespace plumbline::method_test
