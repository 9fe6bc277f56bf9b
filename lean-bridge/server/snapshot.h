// One version of an open document with what the parser and the types say about it.
#pragma once

#include "core/velvet/parser.h"
#include "core/velvet/typing.h"
#include "lean-bridge/protocol/structures.h"
#include "lean-bridge/protocol/text_document.h"

#include <memory>

namespace plumbline::server {

/// Never changes: other threads may keep it as long as they like.
struct Snapshot {
  std::string uri;
  int version = 0;
  lsp::TextDocument text; ///< line ends are LF
  velvet::Dialect dialect = velvet::Dialect::Velvet2;
  velvet::Parsed parsed;
  velvet::Typing typing;
  std::vector<velvet::Diagnostic> sealBreaks; ///< locked lines that are not what was generated

  lsp::Range range(velvet::TextRange range) const { return text.range(range.begin, range.end); }
  uint32_t offset(lsp::Position position) const { return static_cast<uint32_t>(text.offset(position)); }
  std::string_view slice(velvet::TextRange range) const { return velvet::slice(text.text(), range); }
};
using SnapshotPtr = std::shared_ptr<const Snapshot>;

SnapshotPtr analyse(std::string uri, int version, lsp::TextDocument text);

/// Of the parser, the types, the seal.
lsp::Diagnostic diagnosticOf(const Snapshot& snapshot, const velvet::Diagnostic& diagnostic);
/// A list of them by place.
std::vector<lsp::Diagnostic> diagnosticsOf(const Snapshot& snapshot,
                                           std::vector<velvet::Diagnostic> diagnostics);

} // namespace plumbline::server
