// What the theorems of a document rest on, asked from Lean once it has accepted them.
#pragma once

#include "lean-bridge/client/language_client.h"

#include <functional>
#include <string>
#include <vector>

namespace plumbline::lsp {

enum class AxiomKind {
  Standard, ///< propext, Classical.choice, Quot.sound: Lean's own logic
  LeftOut,  ///< sorryAx: a proof is missing
  Solver,   ///< Loom.SMT.trust_smt: proves anything; an answer of a solver was believed
  Native,   ///< compiled code was believed
  Other,    ///< an axiom that nobody here knows
};

AxiomKind kindOf(const std::string& axiom);

struct TheoremAxioms {
  std::string theorem;
  bool known = false; ///< Lean has said what it rests on
  std::vector<std::string> axioms;

  bool operator==(const TheoremAxioms&) const = default;
};

struct AxiomReport {
  /// False: Lean is not there or did not accept the text; then nothing is known.
  bool checked = false;
  std::string reason; ///< why it was not checked
  std::vector<TheoremAxioms> theorems;

  /// True when everything rests on Lean's own logic alone.
  bool clean() const;
};

/// "'f' depends on axioms: [..]" or "'f' does not depend on any axioms", over any number of lines.
std::optional<TheoremAxioms> axiomsFromMessage(const std::string& message);

/// The theorems that a document states: `theorem` and `lemma` by name, and `NAME_correct` for `prove_correct
/// NAME`.
std::vector<std::string> theoremsIn(std::string_view text);

/// The text with a `#print axioms` for each name, from `firstLine` on, a line each.
struct AuditText {
  std::string text;
  int firstLine = 0;
};
AuditText auditText(std::string_view text, const std::vector<std::string>& names);

/// Reads the report from the diagnostics of an audit text.
AxiomReport reportFrom(const DocumentState& state, const AuditText& audit,
                       const std::vector<std::string>& names);

/// A sentence for each theorem that rests on more than Lean's logic, or one for all; "not checked by Lean"
/// without Lean.
std::vector<std::string> inWords(const AxiomReport& report);

/// Sends a copy of the document with the questions to Lean and waits for its answer. One audit at a time; a
/// new one takes the place of the one before, whose handler is not called.
class AxiomAuditor : public QObject {
  Q_OBJECT
public:
  explicit AxiomAuditor(LanguageClient& lean, QObject* parent = nullptr);

  /// `hints`: further theorems that the proof may use. The handler is called once, from the event loop.
  void audit(const std::string& uri, std::string_view text, const std::vector<std::string>& hints,
             std::function<void(AxiomReport&&)> handler);
  bool running() const { return m_handler != nullptr; }

private:
  void look();
  void finish(AxiomReport&& report);

  LanguageClient& m_lean;
  std::string m_uri;
  std::vector<std::string> m_names;
  AuditText m_audit;
  std::function<void(AxiomReport&&)> m_handler;
};

} // namespace plumbline::lsp
