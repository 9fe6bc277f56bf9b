#include "lean-bridge/server/completion.h"

#include "core/velvet/signatures.h"
#include "lean-bridge/server/hint_use.h"

#include <algorithm>
#include <array>
#include <set>

namespace plumbline::server {
namespace {

/// CompletionItemKind of the protocol.
enum class Kind : int {
  Method = 2,
  Function = 3,
  Field = 5,
  Variable = 6,
  Property = 10,
  Keyword = 14,
  Reference = 18
};

constexpr auto statementWords = std::to_array<const char*>(
    {"let", "let mut", "if", "then", "else", "while", "invariant", "decreasing", "done_with", "do", "assert",
     "return", "break", "continue", "requires", "ensures", "returns"});
constexpr auto tacticWords = std::to_array<const char*>({"velvet_vcgen", "case", "by_cases", "split", "intro",
                                                         "grind", "simp", "omega", "decide", "rfl", "exact",
                                                         "rw", "all_goals", "first", "constructor", "sorry"});
constexpr auto commandWords =
    std::to_array<const char*>({"import", "def", "theorem", "method", "prove_correct"});

Kind kindOf(DeclarationKind kind) {
  switch (kind) {
  case DeclarationKind::Definition:
  case DeclarationKind::Theorem: return Kind::Function;
  case DeclarationKind::Method: return Kind::Method;
  case DeclarationKind::Label: return Kind::Property;
  default: return Kind::Variable;
  }
}

class Completion {
public:
  Completion(const Snapshot& snapshot, const DocumentIndex& index, uint32_t offset)
      : m_snapshot(snapshot), m_index(index), m_offset(offset) {}

  Json run() {
    const uint32_t begin = wordBegin();
    if (isInHintList(text(), m_offset))
      hints(begin);
    if (begin > 0 && text()[begin - 1] == '.')
      fields(begin - 1);
    else if (isBehind("case", begin))
      labels();
    else
      everything(begin);
    return {{"isIncomplete", false}, {"items", std::move(m_items)}};
  }

private:
  const std::string& text() const { return m_snapshot.text.text(); }

  uint32_t wordBegin() const {
    uint32_t begin = m_offset;
    while (begin > 0 &&
           (std::isalnum(static_cast<unsigned char>(text()[begin - 1])) || text()[begin - 1] == '_'))
      --begin;
    return begin;
  }

  bool isBehind(std::string_view word, uint32_t begin) const {
    while (begin > 0 && text()[begin - 1] == ' ')
      --begin;
    return std::string_view(text()).substr(0, begin).ends_with(word);
  }

  void item(const std::string& label, Kind kind, const std::string& detail = {}) {
    if (!m_seen.insert(label).second)
      return;
    Json made = {{"label", label}, {"kind", static_cast<int>(kind)}};
    if (!detail.empty())
      made["detail"] = detail;
    m_items.push_back(std::move(made));
  }

  /// Behind `x.` the fields of x's type, behind `Plumbline.` its names.
  void fields(uint32_t dot) {
    uint32_t begin = dot;
    while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text()[begin - 1])) ||
                         text()[begin - 1] == '_' || text()[begin - 1] == '.'))
      --begin;
    const std::string before = text().substr(begin, dot - begin);
    const std::string head = headOf(before, dot);
    for (const auto& [name, signature] : velvet::signatures()) {
      if (name.starts_with(before + ".") && !before.empty())
        item(name.substr(before.size() + 1), Kind::Function, velvet::print(signature.type));
      else if (!head.empty() && name.starts_with(head + ".") && signature.type.is("→"))
        item(name.substr(head.size() + 1), Kind::Field, velvet::print(signature.type.args[1]));
    }
  }

  /// The head of the type of what stands before the dot.
  std::string headOf(const std::string& name, uint32_t dot) const {
    for (auto each = m_index.declarations.rbegin(); each != m_index.declarations.rend(); ++each)
      if (each->name == name && each->scope.begin <= m_offset && m_offset <= each->scope.end)
        return velvet::readType(each->type).head;
    for (const auto& [expr, type] : m_snapshot.typing.types)
      if (expr->range.end == dot && type.known())
        return type.head;
    return {};
  }

  /// Names of the pool's hints, each with the import that it needs.
  void hints(uint32_t begin) {
    constexpr std::string_view prefix = "Plumbline.";
    const bool isBehindPrefix = std::string_view(text()).substr(0, begin).ends_with(prefix);
    if (begin > 0 && text()[begin - 1] == '.' && !isBehindPrefix)
      return;
    for (const method::Hint& hint : hintPool()) {
      const std::string label = isBehindPrefix ? hint.theorem.substr(prefix.size()) : hint.theorem;
      if (!m_seen.insert(label).second)
        continue;
      Json made = {{"label", label},
                   {"kind", static_cast<int>(Kind::Reference)},
                   {"detail", hint.statement},
                   {"documentation", whoShowed(hint)}};
      if (const auto import = importEdit(m_snapshot, hint))
        made["additionalTextEdits"] = Json::array({lsp::toJson(*import)});
      m_items.push_back(std::move(made));
    }
  }

  void labels() {
    for (const Declaration& each : m_index.declarations)
      if (each.kind == DeclarationKind::Label)
        item(each.name, Kind::Property, each.text);
  }

  bool inProof() const {
    for (const velvet::Item& item : m_snapshot.parsed.document.items) {
      const auto* proof = std::get_if<velvet::Proof>(&item);
      const auto* theorem = std::get_if<velvet::Theorem>(&item);
      const velvet::TextRange by = proof ? proof->byRange : theorem ? theorem->byRange : velvet::TextRange{};
      if (!by.empty() && by.end <= m_offset && m_offset <= velvet::rangeOf(item).end + 1)
        return true;
    }
    return false;
  }

  static bool isIn(velvet::TextRange scope, uint32_t offset) {
    return scope.begin <= offset && offset <= scope.end;
  }

  /// Behind what is written before a word: while somebody types, the text that knows a variable ends there.
  /// On the same line what is being declared is not in scope yet.
  uint32_t lastWritten(uint32_t begin) const {
    const std::string_view before = std::string_view(text()).substr(0, begin);
    const size_t last = before.find_last_not_of(" \n\r\t");
    if (last == std::string_view::npos)
      return 0;
    const bool isNewLine = before.find('\n', last) != std::string_view::npos;
    return static_cast<uint32_t>(isNewLine ? last + 1 : last);
  }

  void everything(uint32_t begin) {
    const bool isCommand = begin == 0 || text()[begin - 1] == '\n';
    const bool isTactic = inProof();
    if (isCommand)
      words(commandWords);
    else if (isTactic)
      words(tacticWords);
    else
      words(statementWords);
    for (const Declaration& each : m_index.declarations)
      if (each.kind != DeclarationKind::Label &&
          (isIn(each.scope, m_offset) || (!isCommand && isIn(each.scope, lastWritten(begin)))))
        item(each.name, kindOf(each.kind), each.type);
    for (const auto& [name, signature] : velvet::signatures())
      if (name.starts_with("Plumbline.") || name.find('.') == std::string::npos)
        item(name, Kind::Function, velvet::print(signature.type));
  }

  template <size_t count> void words(const std::array<const char*, count>& list) {
    for (const char* word : list)
      item(word, Kind::Keyword);
  }

  const Snapshot& m_snapshot;
  const DocumentIndex& m_index;
  uint32_t m_offset;
  Json m_items = Json::array();
  std::set<std::string> m_seen;
};

/// "(x : A) → B" as "A → B".
std::string parameterTypes(const std::string& text) {
  std::string result;
  size_t at = 0;
  while (at < text.size() && text[at] == '(') {
    const size_t colon = text.find(" : ", at);
    const size_t close = text.find(") → ", at);
    if (colon == std::string::npos || close == std::string::npos || close < colon)
      break;
    result += "(" + text.substr(colon + 3, close - colon - 3) + ") → ";
    at = close + std::string_view(") → ").size();
  }
  return result + text.substr(at);
}

/// "f : A → B → C" with the place of each argument's type in the label.
Json signatureJson(const std::string& name, const velvet::LeanType& type) {
  std::string label = name + " : ";
  Json parameters = Json::array();
  const velvet::LeanType* rest = &type;
  while (rest->is("→")) {
    const size_t begin = lsp::utf16Length(label);
    label += velvet::print(rest->args[0]);
    parameters.push_back({{"label", {begin, lsp::utf16Length(label)}}});
    label += " → ";
    rest = &rest->args[1];
  }
  return {{"label", label + velvet::print(*rest)}, {"parameters", std::move(parameters)}};
}

} // namespace

Json completionAt(const Snapshot& snapshot, const DocumentIndex& index, uint32_t offset) {
  return Completion(snapshot, index, offset).run();
}

Json signatureHelpAt(const DocumentIndex& index, uint32_t offset) {
  const Application* best = nullptr;
  for (const Application& each : index.applications)
    if (each.range.begin <= offset && offset <= each.range.end + 1 &&
        (!best || each.range.begin >= best->range.begin))
      best = &each;
  if (!best)
    return nullptr;
  velvet::LeanType type;
  if (const auto known = velvet::signatures().find(best->function); known != velvet::signatures().end())
    type = known->second.type;
  for (const Declaration& each : index.declarations)
    if (each.name == best->function &&
        (each.kind == DeclarationKind::Definition || each.kind == DeclarationKind::Method))
      type = velvet::readType(parameterTypes(each.type));
  if (!type.is("→"))
    return nullptr;
  const auto active =
      std::ranges::count_if(best->args, [&](velvet::TextRange arg) { return arg.end < offset; });
  return {{"signatures", Json::array({signatureJson(best->function, type)})},
          {"activeSignature", 0},
          {"activeParameter", active}};
}

} // namespace plumbline::server
