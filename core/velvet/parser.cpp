#include "core/velvet/parser.h"

#include "core/velvet/cursor.h"
#include "core/velvet/expr_parser.h"
#include "core/velvet/item_parser.h"

#include <algorithm>

namespace plumbline::velvet {

Parsed parse(std::string_view text, Dialect dialect) {
  Parsed result;
  Lexed lexed = lex(text);
  result.diagnostics = std::move(lexed.diagnostics);
  Cursor cursor(text, lexed, dialect, result.diagnostics);
  result.document.items = parseItems(cursor);
  result.tokens = std::move(lexed.tokens);
  const auto place = [](const Diagnostic& each) { return std::pair(each.range.begin, each.range.end); };
  if (!std::ranges::is_sorted(result.diagnostics, {}, place))
    std::ranges::stable_sort(result.diagnostics, {}, place);
  return result;
}

Dialect dialectOf(std::string_view text) {
  const std::vector<Token> tokens = lex(text).tokens;
  std::string_view before;
  for (const Token& token : tokens) {
    if (isTrivia(token))
      continue;
    const std::string_view word = slice(text, token.range);
    if ((before == "import" && (word == "Velvet.Std" || word == "CaseStudies.TestingUtil")) ||
        (before == "set_option" && word.starts_with("loom.")))
      return Dialect::VelvetCav;
    if (word == "method" && token.column == 0)
      break;
    before = word;
  }
  return Dialect::Velvet2;
}

ExprPtr parseExpression(std::string_view text, std::vector<std::string> scope) {
  std::vector<Diagnostic> diagnostics;
  const Lexed lexed = lex(text);
  Cursor cursor(text, lexed, Dialect::Velvet2, diagnostics);
  cursor.scope = std::move(scope);
  ExprPtr read = tryExpression(cursor);
  return lexed.diagnostics.empty() ? read : nullptr;
}

} // namespace plumbline::velvet
