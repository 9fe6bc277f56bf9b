#include "lean-bridge/server/snapshot.h"

#include "core/velvet/seal.h"

#include <algorithm>

namespace plumbline::server {

SnapshotPtr analyse(std::string uri, int version, lsp::TextDocument text) {
  auto made = std::make_shared<Snapshot>();
  made->uri = std::move(uri);
  made->version = version;
  made->text = std::move(text);
  made->dialect = velvet::dialectOf(made->text.text());
  made->parsed = velvet::parse(made->text.text(), made->dialect);
  made->typing = velvet::typeDocument(made->parsed.document);
  made->sealBreaks = velvet::sealBreaks(made->parsed, made->text.text());
  return made;
}

namespace {

lsp::Diagnostic diagnosticAt(const lsp::Range& range, const velvet::Diagnostic& diagnostic) {
  lsp::Diagnostic made;
  made.range = range;
  switch (diagnostic.severity) {
  case velvet::Severity::Error: made.severity = lsp::Severity::Error; break;
  case velvet::Severity::Warning: made.severity = lsp::Severity::Warning; break;
  case velvet::Severity::Information: made.severity = lsp::Severity::Information; break;
  }
  made.code = diagnostic.id;
  made.source = "Plumbline";
  made.message = diagnostic.message;
  return made;
}

} // namespace

lsp::Diagnostic diagnosticOf(const Snapshot& snapshot, const velvet::Diagnostic& diagnostic) {
  return diagnosticAt(snapshot.range(diagnostic.range), diagnostic);
}

std::vector<lsp::Diagnostic> diagnosticsOf(const Snapshot& snapshot,
                                           std::vector<velvet::Diagnostic> diagnostics) {
  std::ranges::stable_sort(diagnostics, {}, [](const velvet::Diagnostic& each) { return each.range.begin; });
  lsp::PositionWalk starts(snapshot.text.text(), snapshot.text.lines());
  lsp::PositionWalk ends = starts; // of errors inside one another the ends do not rise; few are
  std::vector<lsp::Diagnostic> made;
  made.reserve(diagnostics.size());
  for (const velvet::Diagnostic& each : diagnostics)
    made.push_back(diagnosticAt({starts.position(each.range.begin), ends.position(each.range.end)}, each));
  return made;
}

} // namespace plumbline::server
