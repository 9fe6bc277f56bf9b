#include "core/session/wrapper_ways.h"

#include <algorithm>

namespace plumbline::session {
namespace {

constexpr const char* nextStep = "give the launch contract with --kernel NAME --launch FILE";

bool excluded(const std::vector<ir::HostFact>& when, const KnownValue& known) {
  return std::any_of(when.begin(), when.end(), [&](const ir::HostFact& fact) {
    const Expected<int64_t> holds = ir::evaluate(*fact.condition, known);
    return holds && *holds == 0;
  });
}

tl::unexpected<Error> rejected(std::string message, std::string next, std::vector<Rejection> reasons) {
  Error error{ErrorKind::Rejected, reasons.front().id,    std::move(message),
              std::move(next),     reasons.front().where, {}};
  error.rejections = std::move(reasons);
  return fail(std::move(error));
}

/// The first condition of the way that is not known to hold.
std::string undecided(const ir::HostProgram& program, const KnownValue& known) {
  for (const ir::HostFact& fact : program.when) {
    const Expected<int64_t> holds = ir::evaluate(*fact.condition, known);
    if (!holds || *holds != 1)
      return fact.text;
  }
  return "";
}

} // namespace

Expected<const ir::HostProgram*> chooseWay(const cuda::ImportedCuda& imported, const std::string& wrapper,
                                           const KnownValue& known) {
  std::vector<const ir::HostProgram*> left;
  for (const ir::HostProgram& program : imported.programs)
    if (program.wrapper == wrapper && !excluded(program.when, known))
      left.push_back(&program);
  // Without conditions of its own an unread way is what remains beside the programs.
  for (const ir::UnreadWay& way : imported.unreadWays) {
    const bool decided = left.size() == 1 && undecided(*left[0], known).empty();
    if (way.wrapper == wrapper && !excluded(way.when, known) && !decided && !way.reasons.empty())
      return rejected("the launch could not be read from the host code", nextStep, way.reasons);
  }
  if (left.empty())
    return rejected("'" + wrapper + "' raises an error when it is called like this", "check the call",
                    {{"always-throws", "call of '" + wrapper + "'", {}}});
  if (left.size() > 1) {
    const std::string condition = undecided(*left[0], known);
    return rejected("what '" + wrapper + "' launches depends on sizes: " + condition, nextStep,
                    {{"several-ways", condition, left[0]->where}});
  }
  return left[0];
}

} // namespace plumbline::session
