// Answers that need nothing but the parsed and typed document.
#include "lean-bridge/server/completion.h"
#include "lean-bridge/server/folding.h"
#include "lean-bridge/server/hover.h"
#include "lean-bridge/server/parts.h"
#include "lean-bridge/server/quick_fixes.h"
#include "lean-bridge/server/symbols.h"

namespace plumbline::server {
namespace {

using Answer = std::function<Json(const Snapshot&, const Json& params)>;

/// Answers a request about a document with what `answer` makes of its snapshot; null when it is not open.
void onDocument(Server& server, const std::string& method, Answer answer) {
  server.onRequest(method, [&server, answer = std::move(answer)](const Json& params, const Reply& reply) {
    const SnapshotPtr snapshot = server.document(lsp::stringAt(lsp::memberOf(params, "textDocument"), "uri"));
    reply.result(snapshot ? answer(*snapshot, params) : Json(nullptr));
  });
}

uint32_t offsetIn(const Snapshot& snapshot, const Json& params) {
  return snapshot.offset(lsp::positionFromJson(lsp::memberOf(params, "position")).value_or(lsp::Position{}));
}

Json hover(const Server& server, const Snapshot& snapshot, const Json& params) {
  const uint32_t offset = offsetIn(snapshot, params);
  const std::optional<HoverText> own = hoverAt(snapshot, indexOf(snapshot), offset);
  std::string text = own ? own->markdown : "";
  for (const Server::Hover& provider : server.hovers())
    if (const std::string more = provider(snapshot, offset); !more.empty())
      text += (text.empty() ? "" : "\n\n---\n\n") + more;
  if (text.empty())
    return nullptr;
  Json made = {{"contents", {{"kind", "markdown"}, {"value", text}}}};
  if (own)
    made["range"] = lsp::toJson(snapshot.range(own->range));
  return made;
}

Json definition(const Snapshot& snapshot, const Json& params) {
  const DocumentIndex index = indexOf(snapshot);
  const Reference* reference = index.referenceAt(offsetIn(snapshot, params));
  const Declaration* declaration = reference ? index.declarationOf(*reference) : nullptr;
  if (!declaration)
    return nullptr;
  return Json::array({lsp::toJson(lsp::Location{snapshot.uri, snapshot.range(declaration->range)})});
}

Json references(const Snapshot& snapshot, const Json& params) {
  const DocumentIndex index = indexOf(snapshot);
  const Reference* reference = index.referenceAt(offsetIn(snapshot, params));
  if (!reference || reference->declaration < 0)
    return Json::array();
  Json found = Json::array();
  for (const Reference& each : index.references)
    if (each.declaration == reference->declaration)
      found.push_back(lsp::toJson(lsp::Location{snapshot.uri, snapshot.range(each.range)}));
  return found;
}

Json codeActions(const Server& server, const Snapshot& snapshot, const Json& params) {
  const lsp::Range range = lsp::rangeFromJson(lsp::memberOf(params, "range")).value_or(lsp::Range{});
  Json actions = Json::array();
  for (const Server::CodeActions& provider : server.codeActions())
    for (const lsp::CodeAction& action : provider(snapshot, range))
      actions.push_back(lsp::toJson(action));
  return actions;
}

void announce(Json& capabilities) {
  for (const char* name : {"hoverProvider", "definitionProvider", "referencesProvider",
                           "documentSymbolProvider", "foldingRangeProvider"})
    capabilities[name] = true;
  capabilities["completionProvider"] = {{"triggerCharacters", {"."}}};
  capabilities["signatureHelpProvider"] = {{"triggerCharacters", {" "}}};
  capabilities["semanticTokensProvider"] = {{"legend", semanticLegend()}, {"full", true}};
  capabilities["codeActionProvider"] = {{"codeActionKinds", {"quickfix", "refactor"}}};
}

} // namespace

void installLanguageFeatures(Server& server) {
  announce(server.capabilities());
  server.addCodeActions(quickFixes);
  onDocument(server, "textDocument/hover", [&server](const Snapshot& snapshot, const Json& params) {
    return hover(server, snapshot, params);
  });
  onDocument(server, "textDocument/definition", definition);
  onDocument(server, "textDocument/references", references);
  onDocument(server, "textDocument/completion", [](const Snapshot& snapshot, const Json& params) {
    return completionAt(snapshot, indexOf(snapshot), offsetIn(snapshot, params));
  });
  onDocument(server, "textDocument/signatureHelp", [](const Snapshot& snapshot, const Json& params) {
    return signatureHelpAt(indexOf(snapshot), offsetIn(snapshot, params));
  });
  onDocument(server, "textDocument/documentSymbol",
             [](const Snapshot& snapshot, const Json&) { return documentSymbols(snapshot); });
  onDocument(server, "textDocument/foldingRange",
             [](const Snapshot& snapshot, const Json&) { return foldingRanges(snapshot); });
  onDocument(server, "textDocument/semanticTokens/full", [](const Snapshot& snapshot, const Json&) {
    return semanticTokens(snapshot, indexOf(snapshot));
  });
  onDocument(server, "textDocument/codeAction", [&server](const Snapshot& snapshot, const Json& params) {
    return codeActions(server, snapshot, params);
  });
}

} // namespace plumbline::server
