// One CUDA source, imported for the interpreter and compiled for this machine: the same launches on both
// sides.
#pragma once

#include "core/ir/concrete_launch.h"
#include "core/ir/schedule.h"
#include "tests/differential/kernel/native_kernel.h"

#include <map>
#include <optional>

namespace plumbline::differential {

class Program {
public:
  /// All kernels of the source. Errors: of the importer, of a kernel that it rejects, "native-compile".
  static Expected<Program> make(const std::string& name, const std::string& source,
                                const std::string& optimise = "-O1");

  const std::vector<ir::Kernel>& kernels() const { return m_module.kernels; }
  const ir::Function& function(size_t kernel) const {
    return m_module.functions[static_cast<size_t>(m_module.kernels[kernel].function)];
  }

  struct Outcome {
    /// Findings of the interpreter and elements that differ, one a line; empty when both sides agree.
    std::string differences;
    /// Buffers that the native run changed.
    std::vector<std::string> changed;
  };

  /// Runs the kernel natively, and in the interpreter in every given order. Errors: of the interpreter.
  Expected<Outcome> run(size_t kernel, const ir::ConcreteLaunch& launch, const ir::BufferContents& contents,
                        const std::vector<std::string>& schedules) const;

private:
  Program(ir::Module module, NativeKernels native)
      : m_module(std::move(module)), m_native(std::move(native)) {}

  Expected<ir::BufferContents> interpret(size_t kernel, const ir::ConcreteLaunch& launch,
                                         const ir::BufferContents& contents, const std::string& schedule,
                                         std::string& findings) const;
  ir::BufferContents runNatively(size_t kernel, const ir::ConcreteLaunch& launch,
                                 const ir::BufferContents& contents) const;

  ir::Module m_module;
  NativeKernels m_native;
};

} // namespace plumbline::differential
