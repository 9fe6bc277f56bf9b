#include "core/goals/tactics.h"

#include "core/velvet/parser.h"
#include "core/velvet/signatures.h"

#include <algorithm>

namespace plumbline::goals {

using velvet::Tactic;
using velvet::TacticKind;
using velvet::TextRange;

namespace {

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

bool isKnown(const Tactic& tactic) {
  return asksEngines(tactic.word) || admits(tactic.word) ||
         isOneOf(tactic.word, {"intro", "by_cases", "split", "exact", "assumption", "rw"});
}

/// Moves what was read from a copy of the text to where it stands; nothing leaves `within`.
void place(std::vector<Tactic>& script, int64_t by, TextRange within) {
  const auto moved = [&](uint32_t offset) {
    return static_cast<uint32_t>(std::clamp<int64_t>(offset + by, within.begin, within.end));
  };
  const auto move = [&](TextRange& range) { range = {moved(range.begin), moved(range.end)}; };
  for (Tactic& tactic : script) {
    move(tactic.range);
    move(tactic.wordRange);
    move(tactic.labelRange);
    for (velvet::TacticTerm& term : tactic.list)
      move(term.range);
    place(tactic.body, by, within);
  }
}

/// `maySolve`: not after `with`, where no solve command stands.
void collectUnknown(const std::vector<Tactic>& script, bool maySolve, std::vector<UnknownTactic>& found) {
  for (const Tactic& tactic : script) {
    if (maySolve && velvet::isSolveCommand(tactic))
      collectUnknown(settlingScript(tactic), false, found);
    else if (tactic.kind == TacticKind::Command && !isKnown(tactic))
      found.push_back({tactic.word, tactic.wordRange});
    collectUnknown(tactic.body, maySolve, found);
  }
}

/// Modules whose names are known here, but for those with a dot.
bool isReadModule(std::string_view module) {
  return module == "Velvet" || module == "Velvet.Std" || module == "CaseStudies.TestingUtil" ||
         module == "Plumbline" || module.starts_with("Plumbline.");
}

std::string_view nameOf(const velvet::Item& item) {
  if (const auto* definition = std::get_if<velvet::Definition>(&item))
    return definition->name;
  if (const auto* theorem = std::get_if<velvet::Theorem>(&item))
    return theorem->name;
  if (const auto* method = std::get_if<velvet::Method>(&item))
    return method->name;
  if (const auto* verbatim = std::get_if<velvet::Verbatim>(&item))
    return verbatim->name;
  return {};
}

} // namespace

bool asksEngines(std::string_view word) {
  return isOneOf(word, {"grind", "simp", "simp_all", "omega", "decide", "rfl", "finish", "norm_num"});
}

bool admits(std::string_view word) {
  return word == "sorry" || word == "admit";
}

std::vector<Tactic> settlingScript(const Tactic& solve) {
  // `loom_solve` tries, `loom_solve!` insists.
  const char* usual = solve.word == "loom_solve" ? "try finish" : solve.word == "loom_solve!" ? "finish" : "";
  const std::string text = solve.with.empty() ? usual : solve.with;
  if (text.empty())
    return {};
  constexpr std::string_view head = "prove_correct m by\n  ";
  const velvet::Parsed parsed = velvet::parse(std::string(head) + text, velvet::Dialect::Velvet2);
  for (const velvet::Item& item : parsed.document.items)
    if (const auto* proof = std::get_if<velvet::Proof>(&item)) {
      std::vector<Tactic> script = proof->script;
      // The part after `with` ends the command.
      const int64_t begin = static_cast<int64_t>(solve.range.end) - static_cast<int64_t>(text.size());
      place(script, begin - static_cast<int64_t>(head.size()),
            solve.with.empty() ? solve.wordRange : solve.range);
      return script;
    }
  return {};
}

std::vector<UnknownTactic> unknownTactics(const std::vector<Tactic>& script) {
  std::vector<UnknownTactic> found;
  collectUnknown(script, true, found);
  return found;
}

bool mayDenote(const velvet::Document& document, const std::string& name) {
  if (name.find('.') != std::string::npos || velvet::signatures().contains(name))
    return true;
  return std::ranges::any_of(document.items, [&](const velvet::Item& item) {
    const auto* import = std::get_if<velvet::Import>(&item);
    return import != nullptr ? !isReadModule(import->module) : nameOf(item) == name;
  });
}

} // namespace plumbline::goals
