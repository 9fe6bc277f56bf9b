// What the client knows of one document: its text, and what the server has said about it.
#pragma once

#include "lean-bridge/protocol/interactive.h"
#include "lean-bridge/protocol/text_document.h"

#include <optional>
#include <string>
#include <vector>

namespace plumbline::lsp {

/// How far the server is with the present version.
enum class Progress { Unknown, Processing, Finished, Failed };

/// Whether what the document imports has changed since it was read.
enum class Imports { Current, ShouldBeRebuilt, MustBeRebuilt };

/// What became of a message about the document.
enum class Applied { Changed, Nothing, Stale, WithoutBase };

/// The client's copy of a document. Its text is never lost: it does not depend on a server. Line ends are LF.
class DocumentState {
public:
  DocumentState(std::string uri, std::string languageId, std::string_view text);

  const std::string& uri() const { return m_uri; }
  const std::string& languageId() const { return m_languageId; }
  const TextDocument& document() const { return m_document; }
  const std::string& text() const { return m_document.text(); }
  int version() const { return m_version; }

  /// The next version, also for opening anew: versions never go down or repeat.
  int advanceVersion() { return ++m_version; }
  /// Applies edits and begins a new version. The changes with LF line ends and clamped ranges, for the
  /// server.
  std::vector<ContentChange> edit(std::vector<ContentChange> changes);

  /// Diagnostics of older versions are dropped; an incremental list is appended to that of its version.
  Applied apply(PublishDiagnostics&& publish);
  Applied apply(FileProgress&& progress);
  Applied apply(DocumentGoals&& goals);
  /// The server has said that it has reported all it has to say about a version. That is more than being
  /// finished: Lean reports that it is through before it sends the last diagnostics.
  Applied applyAllReported(int version);
  /// The server's worker for this document has died; only an edit or a new opening helps.
  void workerDied();
  /// The server is gone or the document is being opened anew: what it said belongs to the past.
  void serverLost();
  /// The document has just been opened on a server.
  void opened() { begin(); }

  const std::vector<Diagnostic>& diagnostics() const { return m_diagnostics; }
  /// True when the diagnostics are those of the present version and of a living worker; otherwise show them
  /// greyed.
  bool diagnosticsAreCurrent() const;
  /// Diagnostics that were left out because the server sent more than is kept.
  size_t droppedDiagnostics() const { return m_dropped; }
  /// Those for squiggles and counts.
  std::vector<const Diagnostic*> visibleDiagnostics() const;
  /// Those whose full extent touches a line, silent ones too.
  std::vector<const Diagnostic*> messagesAtLine(int line) const;
  /// Ranges that the server has marked as proved. Never those of an older version.
  std::vector<Range> accomplished() const;

  Progress progress() const { return m_progress; }
  const std::vector<ProgressRange>& processing() const { return m_processing; }
  /// True when nothing about the present version is still on its way. Only Lean's server is asked.
  bool allReported() const { return m_allReported; }
  bool crashed() const { return m_crashed; }
  Imports imports() const { return m_imports; }

  const std::vector<DocumentGoal>& goals() const { return m_goals; }
  /// True when the goals are those of the present version.
  bool goalsAreCurrent() const { return m_goalsVersion == m_version; }
  bool goalsAreComplete() const { return goalsAreCurrent() && m_goalsComplete; }

  static constexpr size_t maximalDiagnostics = 100000;
  static constexpr size_t maximalMessageBytes = 128U << 20U; ///< of all messages together

private:
  void begin();
  void add(std::vector<Diagnostic>&& diagnostics);
  void lookAtImports();

  std::string m_uri;
  std::string m_languageId;
  TextDocument m_document;
  int m_version = 0;
  std::vector<Diagnostic> m_diagnostics;
  std::optional<int> m_diagnosticsVersion;
  size_t m_messageBytes = 0;
  size_t m_dropped = 0;
  Progress m_progress = Progress::Unknown;
  std::vector<ProgressRange> m_processing;
  bool m_allReported = false;
  bool m_crashed = false;
  bool m_lost = true;
  Imports m_imports = Imports::Current;
  std::vector<DocumentGoal> m_goals;
  std::optional<int> m_goalsVersion;
  bool m_goalsComplete = false;
};

} // namespace plumbline::lsp
