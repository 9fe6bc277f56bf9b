// Bodies of the language protocol: a message or a named error, and the structures in it, whatever they look
// like.
#include "lean-bridge/protocol/interactive.h"
#include "lean-bridge/protocol/messages.h"
#include "tests/fuzz/check.h"

using namespace plumbline;

namespace {

void readStructures(const Json& json) {
  for (const lsp::RpcFormat format : {lsp::RpcFormat::V0, lsp::RpcFormat::V1}) {
    lsp::referencesIn(json, format);
    const lsp::InteractiveMessage message = lsp::messageFromJson(json, format);
    const lsp::CodeWithInfos code = lsp::codeFromJson(json, format);
    for (const lsp::Subexpression& part : code.parts)
      fuzz::check(part.begin <= part.end && part.end <= code.text.size(), "parts are inside");
    fuzz::check(lsp::codeFromJson(lsp::toJson(code, format), format).text == code.text,
                "written code reads back");
    if (const auto goals = lsp::goalsFromJson(json, format))
      fuzz::check(!lsp::goalsText(*goals).empty(), "goals have a text");
    lsp::termGoalFromJson(json, format);
    lsp::interactiveDiagnosticsFromJson(json, format);
  }
  if (const auto diagnostic = lsp::diagnosticFromJson(json))
    fuzz::check(lsp::diagnosticFromJson(lsp::toJson(*diagnostic)) == diagnostic, "a diagnostic reads back");
  if (const auto publish = lsp::publishDiagnosticsFromJson(json))
    fuzz::check(lsp::publishDiagnosticsFromJson(lsp::toJson(*publish)).has_value(), "a list reads back");
  if (const auto edit = lsp::workspaceEditFromJson(json))
    for (const lsp::TextDocumentEdit& document : edit->documents)
      lsp::applyEdits("a\n\xe2\x88\x80\r\nb", document.edits);
  lsp::fileProgressFromJson(json);
  lsp::locationsFromJson(json);
  lsp::codeActionFromJson(json);
  lsp::plainGoalFromJson(json);
  lsp::documentGoalsFromJson(json);
}

} // namespace

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view body = fuzz::text(data, size);
  const Expected<lsp::Message> message = lsp::parseMessage(body);
  lsp::idOfUnreadable(body);
  if (!message) {
    const std::string& id = message.error().id;
    fuzz::check(id == "json-syntax" || id == "message-batch" || id == "message-shape", "a named error");
    return 0;
  }
  if (message->id && message->kind != lsp::Message::Kind::Error)
    fuzz::check(lsp::idOfUnreadable(body).has_value() || body.find('\\') != std::string_view::npos,
                "the id is found without the parser too");
  if (message->kind == lsp::Message::Kind::Result)
    readStructures(message->result);
  else
    readStructures(message->params);
  return 0;
}
