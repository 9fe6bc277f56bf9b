// What the servers offer at a place of the method's text: actions, each one edit of the text, and what they
// know about the word under the pointer.
#pragma once

#include "lean-bridge/protocol/structures.h"
#include "views/shell/journal.h"

#include <QPointer>
#include <QTimer>

#include <functional>

namespace plumbline::lsp {
class LanguageClient;
class ProofDocument;
struct Reply;
} // namespace plumbline::lsp

namespace plumbline::views {

class CodeEditor;

/// GUI thread only; nothing waits for a server.
class MethodHelp : public QObject {
  Q_OBJECT
public:
  MethodHelp(CodeEditor& editor, Journal& journal, QObject* parent);

  /// The text of the editor is this document's.
  void setProof(lsp::ProofDocument* proof);
  /// Asks the servers what can be done at the caret or selection and shows it in a menu there.
  void offerActions();

private:
  struct Offer {
    QPointer<lsp::LanguageClient> client;
    lsp::CodeAction action;
  };

  /// The clients whose servers can be asked now.
  std::vector<lsp::LanguageClient*> running() const;
  void collect(int round, lsp::LanguageClient* client, std::vector<lsp::CodeAction>&& actions);
  void showMenu();
  void choose(const Offer& offer);
  void apply(const lsp::LanguageClient& client, const std::string& title, const lsp::WorkspaceEdit& edit);
  void refuse(const QString& why);
  void askHover(int number, long position);
  void hoverAnswered(int number, const lsp::Reply& reply);

  CodeEditor& m_editor;
  Journal& m_journal;
  QPointer<lsp::ProofDocument> m_proof;
  QTimer m_patience; ///< a server that is still at work does not keep the others' actions from the user
  std::vector<Offer> m_offers;
  int m_round = 0;
  int m_waiting = 0;
  int m_hover = 0; ///< the question that `m_hovers` answers
  QStringList m_hovers;
};

/// The text of a hover answer, without its markup; empty: nothing is known.
QString hoverText(const Json& result);

} // namespace plumbline::views
