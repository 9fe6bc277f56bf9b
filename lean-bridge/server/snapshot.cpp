#include "lean-bridge/server/snapshot.h"

namespace plumbline::server {

SnapshotPtr analyse(std::string uri, int version, lsp::TextDocument text) {
  auto made = std::make_shared<Snapshot>();
  made->uri = std::move(uri);
  made->version = version;
  made->text = std::move(text);
  made->dialect = velvet::dialectOf(made->text.text());
  made->parsed = velvet::parse(made->text.text(), made->dialect);
  made->typing = velvet::typeDocument(made->parsed.document);
  return made;
}

lsp::Diagnostic diagnosticOf(const Snapshot& snapshot, const velvet::Diagnostic& diagnostic) {
  lsp::Diagnostic made;
  made.range = snapshot.range(diagnostic.range);
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

} // namespace plumbline::server
