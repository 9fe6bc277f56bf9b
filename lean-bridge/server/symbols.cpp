#include "lean-bridge/server/symbols.h"

#include "core/velvet/names.h"

#include <algorithm>
#include <array>

namespace plumbline::server {

using velvet::Stmt;
using velvet::StmtKind;
using velvet::TextRange;

namespace {

/// SymbolKind of the protocol.
enum class Symbol : int { Method = 6, Property = 7, Function = 12, Event = 24, Key = 20 };

class Outline {
public:
  explicit Outline(const Snapshot& snapshot) : m_snapshot(snapshot) {}

  Json run() {
    for (const velvet::Item& item : m_snapshot.parsed.document.items)
      std::visit([this](const auto& each) { add(each); }, item);
    return std::move(m_symbols);
  }

private:
  Json symbol(const std::string& name, Symbol kind, TextRange range, TextRange nameRange,
              Json children = Json::array()) const {
    // The protocol wants the name inside the whole.
    const TextRange inside = nameRange.begin < range.begin || nameRange.end > range.end ? range : nameRange;
    return {{"name", name.empty() ? "_" : name},
            {"kind", static_cast<int>(kind)},
            {"range", lsp::toJson(m_snapshot.range(range))},
            {"selectionRange", lsp::toJson(m_snapshot.range(inside))},
            {"children", std::move(children)}};
  }

  void add(const velvet::Import&) {}
  void add(const velvet::Comment&) {}
  void add(const velvet::Verbatim&) {}
  void add(const velvet::Definition& item) {
    m_symbols.push_back(symbol(item.name, Symbol::Function, item.range, item.nameRange));
  }
  void add(const velvet::Theorem& item) {
    m_symbols.push_back(symbol(item.name, Symbol::Property, item.range, item.nameRange));
  }
  void add(const velvet::Proof& item) {
    m_symbols.push_back(symbol("prove_correct " + item.method, Symbol::Event, item.range, item.nameRange));
  }

  void add(const velvet::Method& item) {
    Json children = Json::array();
    for (const auto* list : {&item.requirements, &item.ensures})
      for (const velvet::Clause& each : *list)
        clause(each, children);
    block(item.body, children);
    m_symbols.push_back(symbol(item.name, Symbol::Method, item.range, item.nameRange, std::move(children)));
  }

  void clause(const velvet::Clause& clause, Json& into) const {
    if (clause.prop && !clause.label.empty())
      into.push_back(symbol(clause.label, Symbol::Key, clause.range, clause.labelRange));
  }

  void block(const std::vector<Stmt>& body, Json& into) const {
    for (const Stmt& stmt : body) {
      if (stmt.kind == StmtKind::While) {
        Json children = Json::array();
        for (const velvet::Clause& invariant : stmt.loop.invariants)
          clause(invariant, children);
        clause(stmt.loop.decreasing, children);
        clause(stmt.loop.doneWith, children);
        block(stmt.body, children);
        into.push_back(symbol("while " + stmt.loop.label, Symbol::Event, stmt.range, stmt.headRange,
                              std::move(children)));
        continue;
      }
      clause(stmt.clause, into);
      block(stmt.body, into);
      block(stmt.otherwise, into);
    }
  }

  const Snapshot& m_snapshot;
  Json m_symbols = Json::array();
};

enum class Colour : int {
  Keyword,
  Variable,
  Parameter,
  Function,
  Method,
  Property,
  Number,
  String,
  Comment,
  Operator,
  Type
};
constexpr auto colourNames =
    std::to_array<const char*>({"keyword", "variable", "parameter", "function", "method", "property",
                                "number", "string", "comment", "operator", "type"});

std::optional<Colour> colourOf(const velvet::Token& token, std::string_view text) {
  switch (token.kind) {
  case velvet::TokenKind::Comment: return Colour::Comment;
  case velvet::TokenKind::Number: return Colour::Number;
  case velvet::TokenKind::String: return Colour::String;
  case velvet::TokenKind::Symbol:
    return text.size() == 1 && std::string_view("()[]{},:;.").find(text) != std::string_view::npos
               ? std::nullopt
               : std::optional(Colour::Operator);
  case velvet::TokenKind::Word:
    if (velvet::isReserved(text) || text == "prove_correct?")
      return Colour::Keyword;
    return text == "Nat" || text == "Int" || text == "Bool" || text == "Float32" || text == "Float" ||
                   text == "Array" || text == "Prop"
               ? std::optional(Colour::Type)
               : std::nullopt;
  default: return std::nullopt;
  }
}

Colour colourOf(DeclarationKind kind) {
  switch (kind) {
  case DeclarationKind::Parameter: return Colour::Parameter;
  case DeclarationKind::Definition:
  case DeclarationKind::Theorem: return Colour::Function;
  case DeclarationKind::Method: return Colour::Method;
  case DeclarationKind::Label: return Colour::Property;
  default: return Colour::Variable;
  }
}

} // namespace

Json documentSymbols(const Snapshot& snapshot) {
  return Outline(snapshot).run();
}

Json semanticLegend() {
  Json types = Json::array();
  for (const char* name : colourNames)
    types.push_back(name);
  return {{"tokenTypes", std::move(types)}, {"tokenModifiers", Json::array()}};
}

Json semanticTokens(const Snapshot& snapshot, const DocumentIndex& index) {
  Json data = Json::array();
  lsp::Position last;
  lsp::PositionWalk walk(snapshot.text.text(), snapshot.text.lines());
  size_t next = 0;
  for (const velvet::Token& token : snapshot.parsed.tokens) {
    std::optional<Colour> colour = colourOf(token, snapshot.slice(token.range));
    TextRange range = token.range;
    while (next < index.references.size() && index.references[next].range.begin < token.range.begin)
      ++next;
    if (next < index.references.size() && index.references[next].range.begin == token.range.begin) {
      const Declaration* declaration = index.declarationOf(index.references[next]);
      colour = declaration ? colourOf(declaration->kind) : Colour::Function;
      range.end = std::min(range.end, index.references[next].range.end);
    }
    if (!colour)
      continue;
    const lsp::Range place = walk.range(range.begin, range.end);
    if (place.start.line != place.end.line)
      continue; // an editor colours no token of several lines
    const int line = place.start.line - last.line;
    data.insert(data.end(), {line, line == 0 ? place.start.character - last.character : place.start.character,
                             place.end.character - place.start.character, static_cast<int>(*colour), 0});
    last = place.start;
  }
  return {{"data", std::move(data)}};
}

} // namespace plumbline::server
