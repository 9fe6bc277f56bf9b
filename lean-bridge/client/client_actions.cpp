// Code actions of a LanguageClient.
#include "lean-bridge/client/language_client.h"

namespace plumbline::lsp {

void LanguageClient::codeActions(const std::string& uri, const Range& range,
                                 std::function<void(std::vector<CodeAction>&&)> handler) {
  Json diagnostics = Json::array();
  if (const DocumentState* state = document(uri))
    for (int line = range.start.line; line <= std::min(range.end.line, range.start.line + 50); ++line)
      for (const Diagnostic* diagnostic : state->messagesAtLine(line))
        if (diagnostic->range.start.line == line)
          diagnostics.push_back(toJson(*diagnostic));
  Json params{{"textDocument", textDocumentJson(uri)},
              {"range", toJson(range)},
              {"context", {{"diagnostics", std::move(diagnostics)}}}};
  documentRequest(uri, "textDocument/codeAction", params, [handler = std::move(handler)](Reply&& reply) {
    std::vector<CodeAction> actions;
    if (reply.ok() && reply.result.is_array())
      for (const Json& item : reply.result)
        if (std::optional<CodeAction> action = codeActionFromJson(item))
          actions.push_back(std::move(*action));
    handler(std::move(actions));
  });
}

void LanguageClient::resolve(const std::string& uri, const CodeAction& action,
                             std::function<void(Expected<WorkspaceEdit>&&)> handler) {
  if (action.edit || !m_capabilities.resolvesCodeActions) {
    Expected<WorkspaceEdit> edit = fail(ErrorKind::Tool, "action-without-edit",
                                        "\"" + action.title + "\" changes no text", "choose another action");
    if (action.edit)
      edit = *action.edit;
    QTimer::singleShot(0, this, [edit = std::move(edit), handler = std::move(handler)]() mutable {
      handler(std::move(edit));
    });
    return;
  }
  documentRequest(uri, "codeAction/resolve", action.raw,
                  [title = action.title, handler = std::move(handler)](Reply&& reply) {
                    std::optional<WorkspaceEdit> edit = workspaceEditFromJson(memberOf(reply.result, "edit"));
                    if (!reply.ok())
                      handler(fail(ErrorKind::Tool, "server-refused", reply.error->message, "ask again"));
                    else if (!edit)
                      handler(fail(ErrorKind::Tool, "action-without-edit",
                                   "\"" + title + "\" changes no text", "choose another action"));
                    else
                      handler(std::move(*edit));
                  });
}

Expected<std::string> LanguageClient::edited(const WorkspaceEdit& edit, const std::string& uri) const {
  const DocumentState* state = document(uri);
  const bool only = edit.documents.size() == 1 && edit.documents[0].uri == uri && !edit.hasFileOperations;
  if (!state || !only)
    return fail(ErrorKind::Tool, "edit-elsewhere", "the change is not about this document alone",
                "apply it by hand");
  if (edit.documents[0].version.value_or(state->version()) != state->version())
    return fail(ErrorKind::Tool, "edit-outdated", "the change was made for an older text",
                "ask for it again");
  return applyEdits(state->text(), edit.documents[0].edits);
}

} // namespace plumbline::lsp
