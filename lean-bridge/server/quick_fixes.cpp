#include "lean-bridge/server/quick_fixes.h"

#include <algorithm>
#include <set>

namespace plumbline::server {
namespace {

struct Fix {
  std::string title;
  velvet::TextRange range;
  std::string text;
};

/// The word that a message ends with, after "this dialect writes ".
std::string rightWord(const std::string& message) {
  constexpr std::string_view begin = "this dialect writes ";
  return message.starts_with(begin) ? message.substr(begin.size()) : std::string();
}

/// A name that no word of the text is.
std::string freshLabel(const Snapshot& snapshot) {
  std::set<std::string_view> words;
  for (const velvet::Token& token : snapshot.parsed.tokens)
    words.insert(snapshot.slice(token.range));
  int number = 1;
  while (words.contains("holds_" + std::to_string(number)))
    ++number;
  return "holds_" + std::to_string(number);
}

std::optional<Fix> fixOf(const Snapshot& snapshot, const velvet::Diagnostic& diagnostic) {
  const velvet::TextRange range = diagnostic.range;
  const std::string_view text = snapshot.slice(range);
  if (const std::string word = rightWord(diagnostic.message); diagnostic.id == "dialect" && !word.empty()) {
    const auto length = static_cast<uint32_t>(std::min(text.find_first_of(" (\n"), text.size()));
    return Fix{"Write " + word, {range.begin, range.begin + length}, word};
  }
  if (diagnostic.id == "clause" && text.starts_with("assert ")) {
    const uint32_t at = range.begin + 7;
    const std::string label = freshLabel(snapshot);
    return Fix{"Label the assertion " + label, {at, at}, label + ": "};
  }
  if (diagnostic.id == "type-mismatch" && diagnostic.message.ends_with("write .toNat")) {
    const bool isName =
        std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    return Fix{"Write .toNat", range,
               isName ? std::string(text) + ".toNat" : "(" + std::string(text) + ").toNat"};
  }
  return std::nullopt;
}

} // namespace

std::vector<lsp::CodeAction> quickFixes(const Snapshot& snapshot, const lsp::Range& range) {
  std::vector<lsp::CodeAction> actions;
  for (const auto* list : {&snapshot.parsed.diagnostics, &snapshot.typing.diagnostics})
    for (const velvet::Diagnostic& diagnostic : *list) {
      const lsp::Range place = snapshot.range(diagnostic.range);
      if (place.end < range.start || range.end < place.start)
        continue;
      const std::optional<Fix> fix = fixOf(snapshot, diagnostic);
      if (!fix)
        continue;
      lsp::CodeAction action;
      action.title = fix->title;
      action.kind = "quickfix";
      action.isPreferred = true;
      action.edit = lsp::WorkspaceEdit{
          {{snapshot.uri, snapshot.version, {{snapshot.range(fix->range), fix->text}}}}, false};
      actions.push_back(std::move(action));
    }
  return actions;
}

} // namespace plumbline::server
