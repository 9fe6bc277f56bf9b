// Method documents: any text has tokens without gaps, a tree in both dialects, and what reads without an
// error is printed as text that reads as the same. Types, conversion and seals take any tree.
#include "core/velvet/convert.h"
#include "core/velvet/parser.h"
#include "core/velvet/printer.h"
#include "core/velvet/seal.h"
#include "core/velvet/typing.h"
#include "tests/fuzz/check.h"
#include "tests/unit/velvet/same_document.h"

#include <algorithm>

using namespace plumbline;

namespace {

void checkTokens(const velvet::Parsed& parsed, size_t size) {
  uint32_t at = 0;
  for (const velvet::Token& token : parsed.tokens) {
    fuzz::check(token.range.begin == at && token.range.end > at, "tokens follow each other");
    at = token.range.end;
  }
  fuzz::check(at == size, "tokens are the whole text");
}

void checkPlaces(const velvet::Parsed& parsed, size_t size) {
  for (const velvet::Diagnostic& each : parsed.diagnostics)
    fuzz::check(each.range.begin <= each.range.end && each.range.end <= size, "an error stands in the text");
  uint32_t at = 0;
  for (const velvet::Item& item : parsed.document.items) {
    const velvet::TextRange range = velvet::rangeOf(item);
    fuzz::check(range.end <= size && (range.empty() || range.begin >= at), "items follow each other");
    at = range.empty() ? at : range.end;
  }
}

/// What was printed reads without an error and is printed as it stands.
velvet::Parsed checkPrinted(const std::string& text, velvet::Dialect dialect) {
  velvet::Parsed read = velvet::parse(text, dialect);
  fuzz::check(read.diagnostics.empty(), "what is printed has no errors");
  fuzz::check(velvet::print(read.document, dialect).text == text, "printing is stable");
  return read;
}

/// No line that is locked is a break; one that may be edited is where it hides a command.
void checkSealed(const velvet::PrintedDocument& sealed, velvet::Dialect dialect) {
  for (const velvet::Diagnostic& each :
       velvet::sealBreaks(velvet::parse(sealed.text, dialect), sealed.text)) {
    const auto place = sealed.text.begin() + each.range.begin;
    const auto line = static_cast<size_t>(std::count(sealed.text.begin(), place, '\n'));
    fuzz::check(!sealed.lines.at(line).locked, "a sealed text is whole");
  }
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size > 4096) // nothing new happens in longer ones
    return 0;
  const std::string_view text = fuzz::text(data, size);
  for (const velvet::Dialect dialect : {velvet::Dialect::Velvet2, velvet::Dialect::VelvetCav}) {
    const velvet::Parsed parsed = velvet::parse(text, dialect);
    checkTokens(parsed, size);
    checkPlaces(parsed, size);
    const velvet::PrintedDocument printed = velvet::print(parsed.document, dialect);
    fuzz::check(printed.lines.size() ==
                    static_cast<size_t>(std::count(printed.text.begin(), printed.text.end(), '\n')),
                "every line has an origin");
    for (const velvet::Diagnostic& each : velvet::typeDocument(parsed.document).diagnostics)
      fuzz::check(each.range.begin <= each.range.end && each.range.end <= size,
                  "an error of types stands in the text");
    for (const velvet::Diagnostic& each : velvet::sealBreaks(parsed, text))
      fuzz::check(each.range.begin <= each.range.end && each.range.end <= size,
                  "a change stands in the text");
    if (!parsed.diagnostics.empty() || velvet_test::nestsDeeply(text))
      continue;
    const velvet::Dialect other =
        dialect == velvet::Dialect::Velvet2 ? velvet::Dialect::VelvetCav : velvet::Dialect::Velvet2;
    if (const auto converted = velvet::convert(parsed.document, other))
      checkPrinted(velvet::print(*converted, other).text, other);
    else
      fuzz::check(!converted.error().rejections.empty(), "what cannot be converted is named");
    velvet::Document copy = parsed.document;
    const velvet::PrintedDocument sealed = velvet::printSealed(copy, dialect);
    const bool hasHead = !copy.items.empty() && std::holds_alternative<velvet::Comment>(copy.items[0]);
    if (hasHead)
      checkSealed(sealed, dialect);
    const velvet::Parsed again = checkPrinted(printed.text, dialect);
    fuzz::check(velvet_test::same(parsed.document, again.document), "printing keeps the tree");
  }
  return 0;
}
