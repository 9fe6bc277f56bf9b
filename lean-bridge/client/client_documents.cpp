// Documents of a LanguageClient: the same text on both sides.
#include "lean-bridge/client/language_client.h"

#include <algorithm>

namespace plumbline::lsp {

LanguageClient::Opened* LanguageClient::find(const std::string& uri) {
  const auto found = m_documents.find(uri);
  return found != m_documents.end() ? &found->second : nullptr;
}

const DocumentState* LanguageClient::document(const std::string& uri) const {
  const auto found = m_documents.find(uri);
  return found != m_documents.end() ? &found->second.state : nullptr;
}

void LanguageClient::changed(const std::string& uri) {
  if (m_changed.empty())
    QTimer::singleShot(0, this, &LanguageClient::flushChanges);
  m_changed.insert(uri);
}

void LanguageClient::flushChanges() {
  for (const std::string& uri : std::exchange(m_changed, {}))
    emit documentChanged(uri);
}

void LanguageClient::openDocument(const std::string& uri, const std::string& languageId,
                                  std::string_view text) {
  if (find(uri))
    return setText(uri, text);
  DocumentState state(uri, languageId, text);
  if (const auto last = m_lastVersions.find(uri); last != m_lastVersions.end())
    while (state.version() <= last->second)
      state.advanceVersion();
  m_documents.emplace(uri, Opened(std::move(state)));
  m_recent.push_front(uri);
  touch(uri);
  changed(uri);
}

/// Sees to it that a document is open on the server, and closes the one that was not used for longest when
/// there are too many.
void LanguageClient::touch(const std::string& uri) {
  Opened* opened = find(uri);
  if (!opened)
    return;
  m_recent.remove(uri);
  m_recent.push_front(uri);
  if (m_state != State::Running || opened->onServer)
    return;
  size_t open = 0;
  for (const std::string& other : m_recent) {
    Opened* candidate = find(other);
    if (candidate && candidate->onServer && ++open >= m_options.limits.openDocuments) {
      closeOnServer(*candidate);
      candidate->state.serverLost();
      emit sessionsLost(other);
    }
  }
  openOnServer(*opened, "never");
}

void LanguageClient::openOnServer(Opened& opened, const char* buildMode) {
  const size_t open = static_cast<size_t>(std::count_if(
      m_documents.begin(), m_documents.end(), [](const auto& entry) { return entry.second.onServer; }));
  if (open >= m_options.limits.openDocuments)
    return;
  DocumentState& state = opened.state;
  state.advanceVersion();
  state.opened();
  opened.onServer = true;
  Json params{{"textDocument",
               {{"uri", state.uri()},
                {"languageId", state.languageId()},
                {"version", state.version()},
                {"text", state.text()}}}};
  if (m_options.lean)
    params["dependencyBuildMode"] = buildMode;
  send(notificationText("textDocument/didOpen", params));
  changed(state.uri());
}

void LanguageClient::closeOnServer(Opened& opened) {
  if (!opened.onServer)
    return;
  opened.onServer = false;
  send(notificationText("textDocument/didClose",
                        Json{{"textDocument", textDocumentJson(opened.state.uri())}}));
}

void LanguageClient::closeDocument(const std::string& uri) {
  Opened* opened = find(uri);
  if (!opened)
    return;
  closeOnServer(*opened);
  m_lastVersions[uri] = opened->state.version();
  m_documents.erase(uri);
  m_recent.remove(uri);
  emit sessionsLost(uri);
}

void LanguageClient::changeDocument(const std::string& uri, std::vector<ContentChange> changes) {
  Opened* opened = find(uri);
  if (!opened || changes.empty())
    return;
  const bool wasOpen = opened->onServer;
  std::vector<ContentChange> sent = opened->state.edit(std::move(changes));
  changed(uri);
  touch(uri);
  if (!wasOpen || !opened->onServer)
    return; // opening sends the whole text
  Json list = Json::array();
  if (m_capabilities.incrementalSync)
    for (const ContentChange& change : sent)
      list.push_back(toJson(change));
  else if (m_capabilities.fullSync)
    list.push_back(toJson(ContentChange{std::nullopt, opened->state.text()}));
  else
    return;
  send(notificationText("textDocument/didChange",
                        Json{{"textDocument", {{"uri", uri}, {"version", opened->state.version()}}},
                             {"contentChanges", std::move(list)}}));
}

void LanguageClient::setText(const std::string& uri, std::string_view text) {
  const Opened* opened = find(uri);
  if (!opened)
    return;
  if (std::optional<ContentChange> change = changeBetween(opened->state.document(), withLineFeeds(text)))
    changeDocument(uri, {std::move(*change)});
}

void LanguageClient::saveDocument(const std::string& uri) {
  const Opened* opened = find(uri);
  if (opened && opened->onServer && m_capabilities.saves)
    notify("textDocument/didSave", Json{{"textDocument", textDocumentJson(uri)}});
}

void LanguageClient::restartFile(const std::string& uri) {
  Opened* opened = find(uri);
  if (!opened || m_state != State::Running)
    return;
  closeOnServer(*opened);
  opened->state.serverLost();
  emit sessionsLost(uri);
  openOnServer(*opened, "once");
}

void LanguageClient::applyPublish(PublishDiagnostics&& publish) {
  Opened* opened = find(publish.uri);
  if (!opened || !opened->onServer)
    return;
  switch (opened->state.apply(std::move(publish))) {
  case Applied::Stale: return logLine("diagnostics of another version were dropped");
  case Applied::WithoutBase:
    logLine("incremental diagnostics without a list to append to were taken as the whole list");
    break;
  case Applied::Nothing: return;
  case Applied::Changed: break;
  }
  // Lean publishes while it is still at the text and may yet die of it; others publish when they are through.
  if (!m_options.lean && opened->state.diagnosticsAreCurrent())
    becameStable();
  changed(opened->state.uri());
}

void LanguageClient::applyProgress(FileProgress&& progress) {
  Opened* opened = find(progress.uri);
  if (!opened || !opened->onServer)
    return;
  if (opened->state.apply(std::move(progress)) == Applied::Stale)
    return logLine("progress of another version was dropped");
  // A server that got through a text is not the one that dies of it.
  if (opened->state.progress() == Progress::Finished)
    becameStable();
  if (opened->state.crashed())
    emit sessionsLost(opened->state.uri());
  changed(opened->state.uri());
  if (m_options.lean && opened->state.progress() != Progress::Processing)
    askForReports(*opened);
}

/// Asks Lean whether all diagnostics have been sent. Nothing in progress does not mean that: its kernel
/// checks in tasks that have no range, and when it was quick it sends the last diagnostics after it has said
/// that it is through. When it has failed, only a living worker answers.
void LanguageClient::askForReports(Opened& opened) {
  const std::string uri = opened.state.uri();
  const int version = opened.state.version();
  if (opened.reportQuestion < 0 || opened.askedVersion != version) {
    if (opened.reportQuestion >= 0)
      cancel(opened.reportQuestion);
    const auto question = std::make_shared<int64_t>(-1);
    *question = request(
        "textDocument/waitForDiagnostics", Json{{"uri", uri}, {"version", version}},
        [this, uri, version, question](Reply&& reply) {
          Opened* found = find(uri);
          if (!found || found->reportQuestion != *question)
            return;
          found->reportQuestion = -1;
          noteWorkerError(uri, reply);
          if (reply.ok() && found->onServer && found->state.applyAllReported(version) == Applied::Changed)
            changed(uri);
        },
        std::chrono::milliseconds(-1));
    opened.reportQuestion = *question;
    opened.askedVersion = version;
  }
  if (opened.state.progress() != Progress::Failed)
    return;
  QTimer::singleShot(m_options.limits.workerAnswer, this, [this, uri, asked = opened.reportQuestion] {
    Opened* found = find(uri);
    if (found && found->reportQuestion == asked && asked >= 0 && found->onServer && !found->state.crashed() &&
        found->state.progress() == Progress::Failed)
      workerDied(*found);
  });
}

void LanguageClient::workerDied(Opened& opened) {
  opened.state.workerDied();
  emit sessionsLost(opened.state.uri());
  changed(opened.state.uri());
}

void LanguageClient::noteWorkerError(const std::string& uri, const Reply& reply) {
  Opened* opened = find(uri);
  if (!opened || (!reply.is(ErrorCode::WorkerCrashed) && !reply.is(ErrorCode::WorkerExited)))
    return;
  workerDied(*opened);
}

} // namespace plumbline::lsp
