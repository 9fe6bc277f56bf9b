#include "core/goals/goal.h"

#include "core/velvet/names.h"
#include "core/velvet/printer.h"

namespace plumbline::goals {
namespace {

/// The finaliser of splitmix64.
uint64_t mixed(uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}

std::string lineText(const Context& line) {
  std::string result = velvet::quoted(line.name) + " : ";
  if (line.kind == Context::Kind::Hypothesis)
    return result + velvet::print(*line.expr);
  result += line.type;
  return line.expr ? result + " := " + velvet::print(*line.expr) : result;
}

} // namespace

Key combine(Key a, Key b) {
  const uint64_t high = mixed(a.high * 3 + mixed(b.high) + mixed(a.low ^ 0x5bd1e995U));
  const uint64_t low = mixed(a.low * 5 + mixed(b.low ^ 0x27d4eb2fU) + mixed(b.high) + a.high);
  return {high, low};
}

Key keyOf(std::string_view text) {
  Key key{text.size(), 0x1234567U};
  uint64_t word = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    word = (word << 8) | static_cast<unsigned char>(text[i]);
    if (i % 8 != 7 && i + 1 != text.size())
      continue;
    key = combine(key, {word, ~word});
    word = 0;
  }
  return key;
}

std::vector<const Context*> lines(const ContextPtr& context) {
  std::vector<const Context*> result(context ? context->depth + 1 : 0);
  for (const Context* line = context.get(); line != nullptr; line = line->before.get())
    result[line->depth] = line;
  return result;
}

std::string_view name(GoalKind kind) {
  switch (kind) {
  case GoalKind::Requires: return "requires";
  case GoalKind::Entry: return "entry";
  case GoalKind::Step: return "step";
  case GoalKind::Break: return "break";
  case GoalKind::Exit: return "exit";
  case GoalKind::Measure: return "measure";
  case GoalKind::Assert: return "assert";
  case GoalKind::Ensures: return "ensures";
  case GoalKind::Contradiction: return "contradiction";
  }
  return "";
}

std::string text(const Goal& goal) {
  std::string result;
  for (const Context* line : lines(goal.context))
    result += lineText(*line) + "\n";
  return result + "⊢ " + velvet::print(*goal.conclusion);
}

} // namespace plumbline::goals
