#include "core/gate/contradiction.h"

#include "core/gate/arithmetic/arithmetic_prover.h"

#include <algorithm>

namespace plumbline::gate {
namespace {

using logic::TermId;

constexpr std::chrono::milliseconds limit{1000};

/// How readily a hypothesis is left out of the explanation.
int rank(const Hypothesis& known) {
  return known.origin == "--assume"             ? 0
         : known.origin == "wrapper"            ? 1
         : known.origin == "launch contract"    ? 2
         : known.origin == "default size range" ? 4
                                                : 3;
}

std::string listed(const std::vector<std::string>& items, const std::string& conjunction) {
  std::string text;
  for (size_t i = 0; i < items.size(); ++i)
    text += (i == 0 ? "" : i + 1 == items.size() ? " " + conjunction + " " : ", ") + items[i];
  return text;
}

} // namespace

std::vector<Hypothesis> contradictoryHypotheses(logic::TermStore& store, const Problem& problem,
                                                engine::Portfolio* portfolio, const StopToken& stop) {
  std::vector<Hypothesis> kept;
  for (const Hypothesis& known : problem.hypotheses)
    if (known.condition && store.boolValue(*known.condition) != true)
      kept.push_back(known);
  std::ranges::stable_sort(kept, std::ranges::greater(), rank);
  ArithmeticProver prover(store, portfolio);
  prover.setLimits(limit, limit);
  const auto contradictory = [&](const std::vector<Hypothesis>& some) {
    std::vector<TermId> all = problem.definitions;
    for (const Hypothesis& each : some)
      all.push_back(*each.condition);
    return prover.prove(all, store.boolean(false), stop).status == ProofStatus::Proved;
  };
  if (!contradictory(kept))
    return {};
  for (size_t i = 0; i < kept.size();) {
    std::vector<Hypothesis> fewer = kept;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (contradictory(fewer))
      kept = std::move(fewer);
    else
      ++i;
  }
  std::ranges::stable_sort(kept, {}, rank);
  return kept;
}

std::string contradictionText(const std::vector<Hypothesis>& hypotheses) {
  std::vector<std::string> items;
  for (const Hypothesis& each : hypotheses)
    items.push_back("'" + each.text + "' (" + each.origin + ")");
  return std::string("no sizes satisfy ") + (items.size() == 2 ? "both " : "") + listed(items, "and") +
         (items.size() > 2 ? " together" : "");
}

std::string contradictionRemedy(const std::vector<Hypothesis>& hypotheses) {
  std::vector<std::string> given;
  for (const Hypothesis& each : hypotheses)
    if (each.origin == "--assume")
      given.push_back("--assume '" + each.text + "'");
  if (!given.empty())
    return "remove or correct " + listed(given, "or");
  return hypotheses.size() == 1 ? "correct this hypothesis" : "correct one of these hypotheses";
}

} // namespace plumbline::gate
