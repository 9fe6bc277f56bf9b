// The values of stages, computed when they are read and kept.
#pragma once

#include "core/spec/evaluate.h"

#include <memory>

namespace plumbline::spec {

/// Elements of a program's stages under `ieee`, on concrete inputs. Lazily evaluated and kept, so that one
/// output element of a long program costs only what it depends on. One thread at a time; terms, spec and
/// inputs outlive it.
class StageValues {
public:
  StageValues(const logic::TermStore& terms, const Spec& spec, const Sizes& sizes, const ir::Tensors& inputs,
              const EvaluateOptions& options);
  ~StageValues();
  StageValues(const StageValues&) = delete;
  StageValues& operator=(const StageValues&) = delete;

  /// Bits of an element of an input or a stage. Errors: "input-missing", "index-range", "stopped", those of
  /// logic::CompiledTerm.
  Expected<uint64_t> load(std::string_view buffer, int64_t index);

private:
  struct Program;
  Expected<uint64_t> compute(Program& program, int64_t index);

  const ir::Tensors& m_inputs;
  StopToken m_stop;
  size_t m_steps = 0;
  std::map<std::string, std::unique_ptr<Program>, std::less<>> m_programs;
  std::optional<Error> m_error; ///< of making the programs
};

} // namespace plumbline::spec
