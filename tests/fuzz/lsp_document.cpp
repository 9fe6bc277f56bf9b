// Edits of a document: the index of its lines is that of the new text, and the difference of two texts leads
// from one to the other. The input is cut at bytes 0xFE into a text and further texts that become edits.
#include "lean-bridge/protocol/text_document.h"
#include "tests/fuzz/check.h"

#include <algorithm>

using namespace plumbline;

namespace {

void sameIndex(const lsp::TextDocument& document) {
  const lsp::LineIndex fresh(document.text());
  fuzz::check(fresh.lineCount() == document.lineCount(), "as many lines");
  for (int line = 0; line < fresh.lineCount(); ++line)
    fuzz::check(fresh.lineStart(line) == document.lines().lineStart(line), "the same lines");
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view rest = fuzz::text(data, size);
  const auto take = [&] {
    const size_t end = std::min(rest.find('\xfe'), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return part;
  };
  lsp::TextDocument document{std::string(take())};
  while (!rest.empty()) {
    std::string_view part = take();
    if (part.size() < 4)
      continue;
    const auto number = [&](size_t at) { return static_cast<unsigned char>(part[at]) % 20; };
    const lsp::Range range{{number(0), number(1)}, {number(2), number(3)}};
    document.apply({range, std::string(part.substr(4))});
    sameIndex(document);
    const std::string before = lsp::withLineFeeds(document.text());
    const std::string after = lsp::withLineFeeds(part);
    lsp::TextDocument other(before);
    if (const auto change = lsp::changeBetween(other, after)) {
      // Bytes that are no UTF-8 cannot be sent; only texts that survive JSON are compared.
      other.apply(*change);
      sameIndex(other);
      const bool plain = std::all_of(before.begin(), before.end(), [](char c) { return (c & 0x80) == 0; }) &&
                         std::all_of(after.begin(), after.end(), [](char c) { return (c & 0x80) == 0; });
      fuzz::check(!plain || other.text() == after, "the difference leads to the other text");
    }
  }
  return 0;
}
