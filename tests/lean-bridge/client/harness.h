// A client and the scripted server that it talks to.
#pragma once

#include "lean-bridge/client/language_client.h"

#include <QTemporaryDir>
#include <functional>
#include <gtest/gtest.h>

namespace plumbline::lsp {

inline const std::string fileUri = "file:///project/a.lean";

/// Runs the event loop until `holds` or the time is over; what `holds` says then.
bool spinUntil(const std::function<bool()>& holds,
               std::chrono::milliseconds limit = std::chrono::seconds(10));
/// Runs the event loop for a while.
void spin(std::chrono::milliseconds time);

/// The reply to `initialize` that Lean's server gives, as far as the client looks at it.
Json leanInitializeResult();

/// A folder with a script, the log of the server that follows it, and a client for it. Limits are short.
class Scripted {
public:
  /// `script` is JSON with the members that scripted_server.py knows; $INIT in it is the reply to
  /// `initialize`, $URI the document's address.
  explicit Scripted(std::string script, std::function<void(LanguageClient::Options&)> adjust = {});

  LanguageClient& client() { return *m_client; }
  void destroyClient() { m_client.reset(); }
  /// For whoever is to own the client; only the log of the server is left here.
  std::unique_ptr<LanguageClient> takeClient() { return std::move(m_client); }
  /// Starts and waits for the handshake.
  bool run();
  /// What the servers have received, of one method or (empty) all.
  std::vector<Json> received(const std::string& method = {}) const;
  /// Answers of the client to the server's requests.
  std::vector<Json> answers() const;
  std::vector<std::string> violations() const;
  std::vector<qint64> starts() const;
  bool logHas(const std::string& key) const;
  /// The text that a mirroring server has.
  std::string mirroredText(const std::string& uri = fileUri);
  const DocumentState& document() { return *m_client->document(fileUri); }

private:
  std::vector<Json> entries() const;

  QTemporaryDir m_folder;
  std::unique_ptr<LanguageClient> m_client;
};

/// A script that answers the handshake, the shutdown, whether all is reported, and follows `steps`.
std::string following(const std::string& steps, const std::string& more = {});

/// For `more`: whether all is reported is answered by a step, or never, as when a worker has died.
inline const std::string reportsByScript = R"("auto": {"initialize": $INIT, "shutdown": null})";

bool processExists(qint64 pid);

/// How often a server is killed: PLUMBLINE_KILL_POINTS times, or `otherwise`.
int killPoints(int otherwise);

} // namespace plumbline::lsp
