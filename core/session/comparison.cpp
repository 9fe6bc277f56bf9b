#include "core/session/comparison.h"

namespace plumbline::session {

namespace {

void tell(const ProgressLine& progress, const std::string& text) {
  if (progress)
    progress(text);
}

tl::unexpected<Error> notCompared(const std::string& id, const std::string& what) {
  return fail(ErrorKind::Rejected, id, what + ", which is not compared with kernels yet",
              "compare an element-wise part of the module");
}

/// The module has a meaning, but goals are made for element-wise programs on float32 only.
Expected<void> checkComparable(const spec::Spec& spec) {
  if (!spec.stages.empty())
    return notCompared("reduction-unsupported", "node '" + spec.stages.front().node + "' is a reduction");
  for (const spec::SpecInput& input : spec.inputs)
    if (input.tensor.dtype != torch::DType::F32 && input.kind == torch::InputKind::User)
      return notCompared("dtype-unsupported", "input '" + input.tensor.name + "' is " +
                                                  std::string(torch::name(input.tensor.dtype)));
  for (const spec::SpecOutput& output : spec.outputs)
    if (output.tensor.dtype == torch::DType::I64)
      return notCompared("dtype-unsupported", "output '" + output.tensor.name + "' is int64");
  return {};
}

} // namespace

Expected<void> readModel(Comparison& comparison, const CheckOptions& options, ImportChildren& children,
                         const StopToken& stop, const ProgressLine& progress) {
  tell(progress, "reading " + options.model);
  if (options.model.ends_with(".py"))
    comparison.notes.insert("executed " + options.model + " in a child process");
  if (options.model.ends_with(".pt"))
    comparison.notes.insert("loaded " + options.model +
                            " in a child process and read it at the shapes given");
  Expected<torch::Graph> graph = children.readModel(options, stop);
  if (!graph)
    return fail(graph.error());
  comparison.graph = *std::move(graph);
  if (comparison.graph->symbols.empty())
    if (std::optional<torch::Graph> general = spec::generalise(*comparison.graph))
      comparison.graph = *std::move(general);
  Expected<spec::Spec> denoted = spec::denote(comparison.store, *comparison.graph);
  if (!denoted)
    return fail(denoted.error());
  comparison.spec = *std::move(denoted);
  if (comparison.spec.generalised)
    comparison.notes.insert(
        "the graph was captured at fixed sizes and generalised: its operators do not depend on them");
  return {};
}

Expected<void> readKernel(Comparison& comparison, const CheckOptions& options, ImportChildren& children,
                          const StopToken& stop, const ProgressLine& progress) {
  if (Expected<void> comparable = checkComparable(comparison.spec); !comparable)
    return comparable;
  tell(progress, "reading " + options.kernel);
  if (options.kernel.ends_with(".py"))
    comparison.notes.insert("executed " + options.kernel +
                            " in a child process, with load_inline replaced by a recorder");
  Expected<ImportChildren::Candidate> candidate = children.readKernel(options, stop);
  if (!candidate)
    return fail(candidate.error());
  comparison.candidate = *std::move(candidate);
  Expected<ChosenLaunch> chosen = chooseLaunch(comparison.candidate, comparison.spec, options);
  if (!chosen)
    return fail(chosen.error());
  Expected<gate::Problem> problem =
      gate::bindProblem(comparison.store, comparison.spec, comparison.candidate.imported.module,
                        *chosen->kernel, chosen->contract, chosen->bind);
  if (!problem)
    return fail(problem.error());
  comparison.problem = *std::move(problem);
  for (const gate::OutputBinding& output : comparison.problem->outputs)
    if (!output.buffer.starts_with("output:"))
      comparison.notes.insert("the kernel overwrites its input '" + output.buffer +
                              "', which the module does not");
  return {};
}

} // namespace plumbline::session
