#include "core/session/sides.h"

namespace plumbline::session {

using logic::TermId;
using logic::TermStore;

std::vector<TermId> rootsAt(TermStore& store, const gate::Problem& problem, const ElementGoal& goal,
                            const Place& place, std::span<const TermId> extra) {
  const ElementGoal fixed = atSizes(store, problem, goal, place.sizes, place.index);
  std::vector<TermId> roots{fixed.kernel};
  for (TermId variant : engine::underEveryChoice(store, fixed.spec, goal.choices))
    roots.push_back(variant);
  gate::Sizes all = place.sizes;
  all[gate::elementName] = place.index;
  const std::unordered_map<TermId, TermId> replacement = gate::sizeReplacement(store, problem, all);
  for (TermId term : extra)
    roots.push_back(store.substitute(term, replacement));
  return roots;
}

bool Evaluation::differs(std::span<const uint32_t> values) {
  if (variants() == 0)
    return false;
  evaluate(values);
  const Expected<logic::Value> kernel = compiled().result(0);
  if (!kernel)
    return false;
  for (size_t k = 0; k < variants(); ++k) {
    const Expected<logic::Value> spec = compiled().result(1 + k);
    if (!spec || logic::sameValue(*kernel, *spec))
      return false;
  }
  return true;
}

bool EnclosureEvaluation::differs(std::span<const uint32_t> values) {
  if (variants() == 0)
    return false;
  evaluate(values);
  for (size_t k = 0; k < variants(); ++k)
    if (!logic::certainlyDifferent(compiled().result(0), compiled().result(1 + k)))
      return false;
  return true;
}

} // namespace plumbline::session
