#include "core/logic/eval_program.h"

namespace plumbline::logic {

FlatProgram::FlatProgram(const TermStore& store, std::span<const TermId> rootTerms) {
  std::unordered_map<TermId, uint32_t> position;
  std::unordered_map<std::string, uint32_t> symbolPosition;
  for (TermId id : store.postOrder(rootTerms)) {
    const Term& term = store[id];
    Step step{term.op,
              term.sort,
              Sort::Bool,
              0,
              0,
              static_cast<uint32_t>(args.size()),
              static_cast<uint32_t>(term.args.size()),
              term.payload};
    for (TermId arg : term.args) {
      args.push_back(position.at(arg));
      step.argSort = store[arg].sort;
    }
    const std::string& text = store.symbolText(id);
    auto [entry, inserted] = symbolPosition.try_emplace(text, static_cast<uint32_t>(symbols.size()));
    if (inserted)
      symbols.push_back(text);
    step.symbol = entry->second;
    if (term.op == Op::Var) {
      step.input = static_cast<uint32_t>(inputs.size());
      inputs.push_back({text, term.sort});
    }
    position.emplace(id, static_cast<uint32_t>(steps.size()));
    steps.push_back(step);
  }
  for (TermId root : rootTerms)
    roots.push_back(position.at(root));
}

int FlatProgram::inputIndex(std::string_view name) const {
  for (size_t i = 0; i < inputs.size(); ++i)
    if (inputs[i].name == name)
      return static_cast<int>(i);
  return -1;
}

} // namespace plumbline::logic
