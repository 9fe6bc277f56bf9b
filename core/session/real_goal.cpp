#include "core/session/value_goal.h"

namespace plumbline::session {

GoalOutcome settleReal(logic::TermStore&, const gate::Problem&, const ElementGoal&, const Engines&,
                       const StopToken&) {
  GoalOutcome outcome;
  outcome.relation = Relation::Undetermined;
  outcome.reason = "engine-missing: exact arithmetic is not built in yet";
  return outcome;
}

} // namespace plumbline::session
