// What the witness panel can show.
#pragma once

#include "core/workbench/snapshot.h"

#include <QString>

#include <vector>

namespace plumbline::views {

/// One entry of the panel's chooser.
struct WitnessChoice {
  QString label;
  int witness = -1;             ///< index into Snapshot::witnesses; -1: a goal without one
  int goal = -1;                ///< index into Snapshot::programs; -1: nothing to evaluate
  bool ofCase = false;          ///< asked for by a case, not found by the check
  std::vector<uint32_t> values; ///< as found, one for each input of the program
};

/// Witnesses in their order, then goals that have none but can be evaluated.
std::vector<WitnessChoice> choicesOf(const workbench::Snapshot& snapshot);

/// Values of a case (in the order of its goal's variables) as an entry. Its `goal` is -1 when there is no
/// program.
WitnessChoice choiceOf(const workbench::Snapshot& snapshot, int goal, const std::vector<uint32_t>& variables);

/// Values of a program's inputs in the order of its goal's variables; what is no input is +0.
std::vector<uint32_t> variablesOf(const workbench::Snapshot& snapshot, int goal,
                                  const std::vector<uint32_t>& inputs);

/// "interpreter: confirmed, PyTorch: not run".
QString replayText(const workbench::WitnessView& witness);

/// A witness as plain text, for what has no steps.
QString wholeText(const workbench::WitnessView& witness);

} // namespace plumbline::views
