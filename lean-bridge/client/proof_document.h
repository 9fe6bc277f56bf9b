// The method document of the window and the two servers that look at it.
#pragma once

#include "lean-bridge/client/axiom_audit.h"
#include "lean-bridge/client/cross_check.h"
#include "lean-bridge/client/goal_fetcher.h"

#include <QObject>
#include <memory>

namespace plumbline::lsp {

/// One text, sent to Plumbline's server and to Lean. Either may be absent, start late or die: the text is
/// here and stays. GUI thread only.
class ProofDocument : public QObject {
  Q_OBJECT
public:
  /// A server with what follows the cursor in it; without a client, `absence` says why.
  struct Side {
    std::unique_ptr<LanguageClient> client;
    std::unique_ptr<GoalFetcher> goals;
    std::string absence;
  };

  ProofDocument(std::unique_ptr<LanguageClient> plumbline, std::unique_ptr<LanguageClient> lean,
                QObject* parent = nullptr);
  ~ProofDocument() override;

  /// Why a server is missing, for people.
  void setAbsence(const std::string& plumbline, const std::string& lean);
  /// Theorems whose axioms are asked for when the document imports their module.
  void setHints(std::vector<std::pair<std::string, std::string>> moduleAndTheorem) {
    m_hints = std::move(moduleAndTheorem);
  }
  /// Starts what is stopped; `open` does it too.
  void startServers();
  /// Asks both to shut down; `stopped` tells when no process is left.
  void stopServers();
  bool stopped() const;
  /// Ends the servers and starts them again, also those that were given up.
  void restartServers();
  /// Another Lean, or (null) none, and then why; the one before is shut down.
  void setLean(std::unique_ptr<LanguageClient> lean, const std::string& absence);

  /// Shows another text; the one before is closed.
  void open(const std::string& uri, std::string_view text);
  void close();
  bool isOpen() const { return !m_uri.empty(); }
  const std::string& uri() const { return m_uri; }
  const std::string& text() const { return m_text; }
  void setText(std::string_view text);
  void setPlace(Position position);

  const Side& plumbline() const { return m_plumbline; }
  const Side& lean() const { return m_lean; }
  /// Null when the server is absent or nothing is open.
  const DocumentState* plumblineState() const { return stateOf(m_plumbline); }
  const DocumentState* leanState() const { return stateOf(m_lean); }

  /// Every goal with both answers.
  std::vector<CheckedGoal> goals() const;
  /// Diagnostics for squiggles of those servers that have looked at the present text.
  std::vector<const Diagnostic*> diagnostics() const;
  /// True when at least one server has looked at the present text, so that `diagnostics` replaces what was
  /// shown.
  bool diagnosticsAreCurrent() const;
  /// Lines that Lean, or without it Plumbline's server, is at, or that have failed.
  std::vector<ProgressRange> progress() const;
  /// What the theorems rest on; "not checked by Lean" as long as Lean has not accepted the present text.
  std::vector<std::string> axioms() const;
  /// "plumbline-server: running" and the like.
  std::string statusOf(const Side& side) const;

signals:
  /// Anything about the document but the goals at the cursor.
  void changed();
  void goalsAtPlaceChanged();

private:
  void watch(Side& side);
  const DocumentState* stateOf(const Side& side) const;
  void auditWhenAccepted();
  std::vector<std::string> importedHints() const;

  Side m_plumbline;
  Side m_lean;
  std::unique_ptr<AxiomAuditor> m_auditor;
  std::vector<std::pair<std::string, std::string>> m_hints;
  std::string m_uri;
  std::string m_text;
  Position m_place;
  std::string m_auditedText; ///< the text of the audit that runs or has ended
  std::optional<AxiomReport> m_report;
};

} // namespace plumbline::lsp
