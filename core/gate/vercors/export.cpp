#include "core/gate/vercors/export.h"

#include "core/gate/vercors/body.h"
#include "core/gate/vercors/refusal.h"

namespace plumbline::gate::vercors {
namespace {

/// The device functions that the kernel calls, callees first.
std::string calleeText(const ir::Module& module, std::set<int> wanted) {
  std::string text;
  std::set<int> done;
  while (done.size() < wanted.size())
    for (const int callee : std::set<int>(wanted))
      if (done.insert(callee).second)
        text.insert(
            0, functionText(module, module.functions[static_cast<size_t>(callee)], false, wanted, nullptr) +
                   "\n");
  return text;
}

void refuseUnknownArrays(const ir::Function& function, const ir::LaunchContract& contract) {
  if (!contract.aliases.empty())
    refuse("vercors-alias", "parameters that may point at one array", contract.where);
  for (int i = 0; i < function.parameterCount; ++i) {
    const ir::Local& local = function.locals[static_cast<size_t>(i)];
    if (local.type.pointer && ir::findBuffer(contract, local.name) == nullptr)
      refuse("vercors-free-size", "the array '" + local.name + "', whose length the launch does not say",
             local.where);
  }
}

std::string text(const ir::Module& module, const ir::Kernel& kernel, const ir::LaunchContract& contract) {
  const ir::Function& function = module.functions[static_cast<size_t>(kernel.function)];
  std::set<int> callees;
  functionText(module, function, true, callees, nullptr); // refusals of constructs come first
  const std::string before = calleeText(module, callees);
  refuseUnknownArrays(function, contract);
  Setting setting(module, kernel, contract);
  const Walk walked = walk(setting);
  const Annotations annotations = annotate(setting, walked);
  const BodyNotes notes{annotations.statements, walked.bitExprs};
  return std::string(firstWords) + " kernel '" + kernel.name +
         "' with a contract made from its launch.\n"
         "// What VerCors can show here is that each thread stays inside its arrays and that no two threads "
         "share a\n"
         "// cell that one of them writes. It takes integers as unbounded and floats as rationals.\n"
         "#include <cuda.h>\n#include <math.h>\n\n" +
         before + annotationText(annotations.contract, 0) +
         functionText(module, function, true, callees, &notes);
}

} // namespace

Expected<std::string> annotatedKernel(const ir::Module& module, const ir::Kernel& kernel,
                                      const ir::LaunchContract& contract) {
  if (!kernel.rejections.empty() || kernel.function < 0) {
    Error error{ErrorKind::Rejected,
                "vercors-rejected",
                "kernel '" + kernel.name + "' has a construct that Plumbline does not read",
                "see `plumbline gate` for it",
                {},
                kernel.rejections};
    return fail(std::move(error));
  }
  try {
    return text(module, kernel, contract);
  } catch (Refused& refused) {
    Error error{ErrorKind::Rejected,
                refused.rejection.id,
                "kernel '" + kernel.name + "' is not exported for VerCors: it has " +
                    refused.rejection.construct,
                "the gate's own answer does not need VerCors",
                refused.rejection.where,
                {}};
    if (!refused.rejection.where.known())
      error.where.reset();
    error.rejections.push_back(std::move(refused.rejection));
    return fail(std::move(error));
  }
}

} // namespace plumbline::gate::vercors
