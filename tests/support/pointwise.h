// Small element-wise comparisons for tests: a spec made by hand, a kernel from CUDA text, both bound.
#pragma once

#include "core/gate/bind.h"

#include <gtest/gtest.h>
#include <memory>

namespace plumbline::test {

using logic::Sort;
using logic::TermId;
using logic::TermStore;

inline cuda::ImportedCuda importCuda(const std::string& source) {
  static Expected<cuda::CudaImporter> importer = cuda::CudaImporter::start();
  if (!importer) {
    ADD_FAILURE() << toString(importer.error());
    return {};
  }
  auto imported =
      importer->importSource(source, "test.cu", StopToken().withTimeout(std::chrono::seconds(60)));
  if (!imported || !imported->errors.empty() || !imported->unread.empty()) {
    ADD_FAILURE() << source;
    return {};
  }
  return *std::move(imported);
}

/// A module with inputs and one output of one shape. `element` gives the output's element from the inputs'.
struct Module {
  std::vector<std::string> inputs{"x"};
  std::vector<std::string> symbols{"s0"}; ///< the shape, outermost first
  std::map<std::string, torch::SymbolRange> ranges = {};
  std::map<std::string, int64_t> hints = {}; ///< 8 for each symbol that is not named
  std::function<TermId(TermStore&, const std::vector<TermId>&)> element =
      [](TermStore&, const std::vector<TermId>& x) { return x[0]; };

  spec::Spec spec(TermStore& store) const {
    spec::Spec made;
    std::vector<TermId> shape;
    TermId numel = store.integer(1);
    for (const std::string& symbol : symbols) {
      shape.push_back(store.var(Sort::Int, symbol));
      numel = store.imul(numel, shape.back());
      made.symbols[symbol] = ranges.contains(symbol) ? ranges.at(symbol) : torch::SymbolRange{};
      made.hints[symbol] = hints.contains(symbol) ? hints.at(symbol) : 8;
    }
    std::vector<TermId> loads;
    for (const std::string& input : inputs) {
      made.inputs.push_back({{input, torch::DType::F32, shape, numel}, torch::InputKind::User, {}, true});
      loads.push_back(store.load(Sort::F32, input, store.var(Sort::Int, spec::indexName)));
    }
    made.outputs.push_back({{"y", torch::DType::F32, shape, numel}, element(store, loads)});
    return made;
  }
};

/// ite(0 < x, x, 0)
inline TermId relu(TermStore& store, const std::vector<TermId>& x) {
  return store.ite(store.binary(logic::Op::FLt, store.f32Bits(0), x[0]), x[0], store.f32Bits(0));
}

/// Everything that one comparison needs; stays where it is, since the problem points into it.
struct Comparison {
  TermStore store;
  cuda::ImportedCuda imported;
  spec::Spec spec;
  Expected<gate::Problem> problem = fail(ErrorKind::Internal, "unbound", "not bound");

  gate::Problem& bound() {
    if (!problem)
      ADD_FAILURE() << toString(problem.error());
    return *problem;
  }
};

/// Binds the only launch of the source, or the given contract.
inline std::unique_ptr<Comparison> compare(const Module& module, const std::string& source,
                                           const gate::BindOptions& options = {},
                                           const std::optional<ir::LaunchContract>& contract = std::nullopt) {
  auto made = std::make_unique<Comparison>();
  made->spec = module.spec(made->store);
  made->imported = importCuda(source);
  if (made->imported.module.kernels.empty() || (!contract && made->imported.launches.empty())) {
    ADD_FAILURE() << "no kernel or no launch in\n" << source;
    return made;
  }
  made->problem =
      gate::bindProblem(made->store, made->spec, made->imported.module, made->imported.module.kernels[0],
                        contract ? *contract : made->imported.launches[0], options);
  return made;
}

/// A kernel k(const float* x, float* y, int n) with the given body, and a wrapper f(x) that launches it.
inline std::string source(const std::string& body, const std::string& launch = "(n + 255) / 256, 256",
                          const std::string& make = "torch::empty_like(x)", const std::string& checks = "") {
  return "__global__ void k(const float* x, float* y, int n) {\n  " + body +
         "\n}\ntorch::Tensor f(torch::Tensor x) {\n  " + checks + "\n  auto y = " + make +
         ";\n  int n = x.numel();\n  k<<<" + launch +
         ">>>(x.data_ptr<float>(), y.data_ptr<float>(), n);\n  return y;\n}\n";
}

inline const std::string guardedCopy =
    "int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) y[i] = x[i];";

} // namespace plumbline::test
