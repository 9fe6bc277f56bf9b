// One comparison as it was read: both programs as terms of one store, bound over common sizes.
#pragma once

#include "core/gate/gate.h"
#include "core/session/element_goal.h"
#include "core/session/sources.h"

#include <functional>

namespace plumbline::session {

/// Filled step by step; what a later step could not read is empty. Never copied or moved: the problem points
/// into the candidate. Used by one thread at a time.
struct Comparison {
  Comparison() = default;
  Comparison(const Comparison&) = delete;
  Comparison& operator=(const Comparison&) = delete;

  logic::TermStore store;
  std::optional<torch::Graph> graph; ///< generalised where that is possible
  spec::Spec spec;
  ImportChildren::Candidate candidate;
  std::optional<gate::Problem> problem;
  std::optional<gate::GateReport> gate;
  std::vector<ElementGoal> elements; ///< one an output, once the gate has accepted the kernel
  std::set<std::string> notes;       ///< what the user should know: files executed, inputs overwritten
};

using ProgressLine = std::function<void(const std::string&)>;

/// Reads and denotes the model. Errors: those of ImportChildren::readModel and spec::denote.
Expected<void> readModel(Comparison& comparison, const CheckOptions& options, ImportChildren& children,
                         const StopToken& stop, const ProgressLine& progress);

/// Reads the kernel, chooses the launch and binds the two. After readModel. Errors: those of
/// ImportChildren::readKernel, chooseLaunch and gate::bindProblem.
Expected<void> readKernel(Comparison& comparison, const CheckOptions& options, ImportChildren& children,
                          const StopToken& stop, const ProgressLine& progress);

} // namespace plumbline::session
