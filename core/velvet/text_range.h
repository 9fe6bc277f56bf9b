// Places in the text of a method document, and what is wrong there.
#pragma once

#include <cstdint>
#include <string>

namespace plumbline::velvet {

/// Bytes [begin, end) of the document's text; empty for what no text was read for.
struct TextRange {
  uint32_t begin = 0;
  uint32_t end = 0;

  bool empty() const { return begin == end; }
  bool contains(uint32_t offset) const { return begin <= offset && offset < end; }
  bool operator==(const TextRange&) const = default;
};

enum class Severity : uint8_t { Error, Warning, Information };

/// What is wrong with a document, at the place where it is.
struct Diagnostic {
  TextRange range;
  Severity severity = Severity::Error;
  std::string id;      ///< stable kebab-case id, e.g. "syntax", "unknown-name", "type-mismatch"
  std::string message; ///< one sentence
  bool operator==(const Diagnostic&) const = default;
};

} // namespace plumbline::velvet
