#include "core/gate/vercors/export.h"

#include "core/gate/vercors/body.h"
#include "core/gate/vercors/contract.h"
#include "core/gate/vercors/refusal.h"

namespace plumbline::gate::vercors {
namespace {

std::string withCallees(const ir::Module& module, const ir::Function& kernel) {
  std::set<int> wanted;
  std::string text = functionText(module, kernel, true, wanted);
  std::set<int> done;
  while (done.size() < wanted.size())
    for (const int callee : std::set<int>(wanted))
      if (done.insert(callee).second)
        text.insert(0, functionText(module, module.functions[static_cast<size_t>(callee)], false, wanted) +
                           "\n");
  return text;
}

std::string text(const ir::Module& module, const ir::Kernel& kernel, const ir::LaunchContract& contract) {
  const ir::Function& function = module.functions[static_cast<size_t>(kernel.function)];
  std::set<int> callees;
  const std::string body = functionText(module, function, true, callees); // refusals of constructs come first
  std::string annotation = "/*@\n";
  for (const std::string& line : contractLines(module, kernel, contract))
    annotation += "  " + line + "\n";
  annotation += "@*/\n";
  std::string whole = withCallees(module, function);
  whole.insert(whole.size() - body.size(), annotation);
  return "// Written by Plumbline for VerCors: kernel '" + kernel.name +
         "' with a contract made from its launch.\n"
         "// What VerCors can show here is that each thread stays inside its arrays and that no two threads "
         "share a\n"
         "// cell that one of them writes. It takes integers as unbounded and floats as rationals.\n"
         "#include <cuda.h>\n#include <math.h>\n\n" +
         whole;
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
