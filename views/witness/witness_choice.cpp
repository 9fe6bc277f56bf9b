#include "views/witness/witness_choice.h"

#include "views/style/style.h"
#include "views/witness/float_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <set>

namespace plumbline::views {

using workbench::Snapshot;
using workbench::StepProgram;
using workbench::WitnessView;

namespace {

QString say(const char* sentence) {
  return QCoreApplication::translate("witness", sentence);
}

const StepProgram* programOf(const Snapshot& snapshot, int goal) {
  const bool there = goal >= 0 && goal < static_cast<int>(snapshot.programs.size());
  return there ? snapshot.programs[static_cast<size_t>(goal)].get() : nullptr;
}

QString goalName(const Snapshot& snapshot, int goal) {
  return goal < static_cast<int>(snapshot.caseGoals.size())
             ? toQt(snapshot.caseGoals[static_cast<size_t>(goal)].name)
             : say("goal %1").arg(goal + 1);
}

QString valuesText(const std::vector<uint32_t>& values) {
  QStringList all;
  for (size_t k = 0; k < values.size() && k < 4; ++k)
    all << decimalText(values[k]);
  return all.join(QStringLiteral(", ")) + (values.size() > 4 ? QStringLiteral(", …") : QString());
}

/// Values named `from` in the order of `to`; names that have no value get +0.
std::vector<uint32_t> reordered(const std::vector<std::string>& from, const std::vector<uint32_t>& values,
                                const std::vector<std::string>& to) {
  std::vector<uint32_t> result;
  for (const std::string& name : to) {
    const auto at = static_cast<size_t>(std::find(from.begin(), from.end(), name) - from.begin());
    result.push_back(at < values.size() ? values[at] : 0);
  }
  return result;
}

const std::vector<std::string>& variableNames(const Snapshot& snapshot, int goal) {
  static const std::vector<std::string> none;
  const bool there = goal >= 0 && goal < static_cast<int>(snapshot.caseGoals.size());
  return there ? snapshot.caseGoals[static_cast<size_t>(goal)].variables : none;
}

WitnessChoice entry(const Snapshot& snapshot, int goal, const std::vector<uint32_t>& inputs) {
  WitnessChoice choice;
  if (const StepProgram* program = programOf(snapshot, goal)) {
    choice.goal = goal;
    choice.values = inputs;
    choice.values.resize(program->inputs().size(), 0);
  }
  return choice;
}

} // namespace

WitnessChoice choiceOf(const Snapshot& snapshot, int goal, const std::vector<uint32_t>& variables) {
  const StepProgram* program = programOf(snapshot, goal);
  if (program == nullptr)
    return {};
  WitnessChoice choice =
      entry(snapshot, goal, reordered(variableNames(snapshot, goal), variables, program->inputs()));
  choice.ofCase = true;
  choice.label = say("Case of %1: %2").arg(goalName(snapshot, goal), valuesText(choice.values));
  return choice;
}

std::vector<uint32_t> variablesOf(const Snapshot& snapshot, int goal, const std::vector<uint32_t>& inputs) {
  const StepProgram* program = programOf(snapshot, goal);
  return program == nullptr ? inputs : reordered(program->inputs(), inputs, variableNames(snapshot, goal));
}

std::vector<WitnessChoice> choicesOf(const Snapshot& snapshot) {
  std::vector<WitnessChoice> choices;
  std::set<int> covered;
  for (size_t k = 0; k < snapshot.witnesses.size(); ++k) {
    const WitnessView& witness = snapshot.witnesses[k];
    WitnessChoice choice = entry(snapshot, witness.caseGoal, witness.values);
    choice.witness = static_cast<int>(k);
    choice.label = say("%1: %2[%3]").arg(toQt(witness.reading), toQt(witness.output)).arg(witness.index);
    if (choice.goal >= 0) {
      choice.label += QStringLiteral(", ") + valuesText(choice.values);
      covered.insert(choice.goal);
    }
    choices.push_back(std::move(choice));
  }
  for (int goal = 0; goal < static_cast<int>(snapshot.programs.size()); ++goal)
    if (!covered.contains(goal) && programOf(snapshot, goal) != nullptr) {
      WitnessChoice choice = entry(snapshot, goal, {});
      choice.label = say("%1: no difference found").arg(goalName(snapshot, goal));
      choices.push_back(std::move(choice));
    }
  return choices;
}

QString replayText(const WitnessView& witness) {
  QString text =
      say("Replayed: interpreter %1, PyTorch %2").arg(toQt(witness.interpreter), toQt(witness.pytorch));
  if (!witness.pytorchValue.empty())
    text += QStringLiteral(" (") + toQt(witness.pytorchValue) + QLatin1Char(')');
  return text;
}

QString wholeText(const WitnessView& witness) {
  QStringList lines;
  for (const auto& [name, value] : witness.tensors)
    lines << toQt(name) + QStringLiteral(" = ") + toQt(value);
  lines << QString() << say("Output %1, element %2").arg(toQt(witness.output)).arg(witness.index);
  lines << say("PyTorch: %1").arg(toQt(witness.spec));
  if (!witness.allowed.empty()) {
    QStringList allowed;
    for (const std::string& value : witness.allowed)
      allowed << toQt(value);
    lines << say("Allowed: %1").arg(allowed.join(say(" or ")));
  }
  lines << say("Kernel: %1").arg(toQt(witness.kernel)) << replayText(witness);
  return lines.join(QLatin1Char('\n'));
}

} // namespace plumbline::views
