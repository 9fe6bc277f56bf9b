// The parser and the printer of method documents alone, on short texts, so that a night has time for ten
// million executions: any text has tokens without gaps and a tree, and what reads without an error is printed
// as text that reads as the same. The first byte chooses the dialect. Types and conversion are the target
// `document`.
#include "core/velvet/parser.h"
#include "core/velvet/printer.h"
#include "tests/fuzz/check.h"
#include "tests/unit/velvet/same_document.h"

using namespace plumbline;

namespace {

std::string withoutQuotes(std::string text) {
  for (const std::string_view mark : {"«", "»"})
    for (size_t at = text.find(mark); at != std::string::npos; at = text.find(mark))
      text.erase(at, mark.size());
  return text;
}

/// Each name and number of the text is printed; quantifiers have another spelling.
void checkNothingIsLost(const velvet::Parsed& parsed, std::string_view text, const std::string& printed) {
  const std::string plain = withoutQuotes(printed);
  for (const velvet::Token& token : parsed.tokens) {
    const std::string word = withoutQuotes(std::string(velvet::slice(text, token.range)));
    const bool isKept = token.kind == velvet::TokenKind::Word || token.kind == velvet::TokenKind::Number;
    if (isKept && word != "forall" && word != "exists")
      fuzz::check(plain.find(word) != std::string::npos, "no word is lost");
  }
}

void checkExpression(const std::string& text) {
  const velvet::ExprPtr read = velvet::parseExpression(text);
  if (!read || velvet_test::nestsDeeply(text))
    return;
  const velvet::ExprPtr again = velvet::parseExpression(velvet::print(*read));
  fuzz::check(again != nullptr, "a printed expression is one");
  fuzz::check(velvet_test::same(read, again), "printing keeps the tree");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr size_t most = 192; // short ones are read thousands of times a second
  if (size == 0 || size > most)
    return 0;
  const velvet::Dialect dialect = (data[0] & 1U) != 0 ? velvet::Dialect::VelvetCav : velvet::Dialect::Velvet2;
  const std::string_view text = fuzz::text(data + 1, size - 1);
  if ((data[0] & 2U) != 0) {
    checkExpression(std::string(text));
    return 0;
  }
  const velvet::Parsed parsed = velvet::parse(text, dialect);
  uint32_t at = 0;
  for (const velvet::Token& token : parsed.tokens) {
    fuzz::check(token.range.begin == at && token.range.end > at, "tokens follow each other");
    at = token.range.end;
  }
  fuzz::check(at == text.size(), "tokens are the whole text");
  for (const velvet::Diagnostic& each : parsed.diagnostics)
    fuzz::check(each.range.begin <= each.range.end && each.range.end <= text.size(),
                "an error stands in the text");
  if (!parsed.diagnostics.empty() || velvet_test::nestsDeeply(text))
    return 0;
  const std::string printed = velvet::print(parsed.document, dialect).text;
  checkNothingIsLost(parsed, text, printed);
  const velvet::Parsed again = velvet::parse(printed, dialect);
  fuzz::check(again.diagnostics.empty(), "what is printed has no errors");
  fuzz::check(velvet_test::same(parsed.document, again.document), "printing keeps the tree");
  fuzz::check(velvet::print(again.document, dialect).text == printed, "printing is stable");
  return 0;
}
