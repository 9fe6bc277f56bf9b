// A CUDA source, imported once by a warm child, and executed symbolically for one thread.
#pragma once

#include "core/cuda/cuda_import.h"
#include "core/vc/symbolic_thread.h"

#include <gtest/gtest.h>

namespace plumbline::vc::test {

/// The module of a source that must import without errors; empty (and a failed test) otherwise.
inline ir::Module import(const std::string& source) {
  static Expected<cuda::CudaImporter> importer = cuda::CudaImporter::start();
  if (!importer) {
    ADD_FAILURE() << toString(importer.error());
    return {};
  }
  const Expected<cuda::ImportedCuda> imported =
      importer->importSource(source, "test.cu", StopToken().withTimeout(std::chrono::seconds(60)));
  if (!imported || !imported->errors.empty()) {
    ADD_FAILURE() << (imported ? imported->errors[0].construct : toString(imported.error())) << "\n"
                  << source;
    return {};
  }
  for (const ir::Kernel& kernel : imported->module.kernels)
    if (!kernel.rejections.empty()) {
      ADD_FAILURE() << kernel.name << ": " << kernel.rejections[0].construct;
      return {};
    }
  return imported->module;
}

inline const ir::Function& functionOf(const ir::Module& module, const ir::Kernel& kernel) {
  return module.functions[static_cast<size_t>(kernel.function)];
}

/// One kernel with a free variable for everything: scalars by their names, "length" for every buffer,
/// "blockDim.x" and so on.
struct Execution {
  logic::TermStore store;
  const ir::Module& module;
  const ir::Kernel& kernel;
  std::map<std::string, ParameterBinding> parameters;
  ThreadGeometry geometry{};

  Execution(const ir::Module& source, const ir::Kernel& which) : module(source), kernel(which) {
    const ir::Function& function = functionOf(module, kernel);
    for (int i = 0; i < function.parameterCount; ++i) {
      const ir::Local& local = function.locals[static_cast<size_t>(i)];
      ParameterBinding& binding = parameters[local.name];
      if (local.type.pointer) {
        binding.buffer = local.name;
        binding.length = store.var(logic::Sort::Int, "length");
      } else {
        binding.scalar = store.var(sortOf(local.type.scalar), local.name);
      }
    }
    const char* axes[] = {"x", "y", "z"};
    for (size_t axis = 0; axis < 3; ++axis) {
      geometry.blockDim[axis] = store.var(logic::Sort::Int, std::string("blockDim.") + axes[axis]);
      geometry.gridDim[axis] = store.var(logic::Sort::Int, std::string("gridDim.") + axes[axis]);
    }
  }

  Expected<SymbolicThread> run() { return executeThread(store, module, kernel, parameters, geometry); }

  static logic::Sort sortOf(ir::ScalarType type) {
    switch (type) {
    case ir::ScalarType::F32: return logic::Sort::F32;
    case ir::ScalarType::F64: return logic::Sort::F64;
    case ir::ScalarType::Bool: return logic::Sort::Bool;
    default: return logic::Sort::Int;
    }
  }
};

} // namespace plumbline::vc::test
