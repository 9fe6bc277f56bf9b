#include "views/editor/method_help.h"

#include "lean-bridge/client/proof_document.h"
#include "views/editor/code_editor.h"
#include "views/style/style.h"

#include <QMenu>
#include <QTextDocument>
#include <QToolTip>

namespace plumbline::views {

namespace {

constexpr int patienceMs = 1500;
constexpr qsizetype longestHover = 4000;

/// A string, or a structure with its text in `value`, with or without markup.
QString partText(const Json& part) {
  if (part.is_string())
    return QString::fromStdString(part.get<std::string>());
  const QString value = QString::fromStdString(lsp::stringAt(part, "value"));
  if (lsp::stringAt(part, "kind") != "markdown")
    return value;
  QTextDocument document;
  document.setMarkdown(value, QTextDocument::MarkdownNoHTML);
  return document.toPlainText();
}

} // namespace

QString hoverText(const Json& result) {
  const Json& contents = lsp::memberOf(result, "contents");
  QStringList parts;
  if (contents.is_array())
    for (const Json& part : contents)
      parts << partText(part).trimmed();
  else if (!contents.is_null())
    parts << partText(contents).trimmed();
  parts.removeAll(QString());
  return parts.join(QLatin1Char('\n')).left(longestHover);
}

MethodHelp::MethodHelp(CodeEditor& editor, Journal& journal, QObject* parent)
    : QObject(parent), m_editor(editor), m_journal(journal) {
  m_patience.setSingleShot(true);
  m_patience.setInterval(patienceMs);
  connect(&m_patience, &QTimer::timeout, this, &MethodHelp::showMenu);
  connect(&m_editor, &CodeEditor::dwelled, this, &MethodHelp::askHover);
}

void MethodHelp::setProof(lsp::ProofDocument* proof) {
  m_proof = proof;
}

std::vector<lsp::LanguageClient*> MethodHelp::running() const {
  std::vector<lsp::LanguageClient*> clients;
  if (m_proof && m_proof->isOpen())
    for (const lsp::ProofDocument::Side* side : {&m_proof->plumbline(), &m_proof->lean()})
      if (side->client && side->client->state() == lsp::LanguageClient::State::Running)
        clients.push_back(side->client.get());
  return clients;
}

void MethodHelp::offerActions() {
  m_offers.clear();
  const int round = ++m_round;
  const std::vector<lsp::LanguageClient*> clients = running();
  if (clients.empty())
    return refuse(tr("No server can be asked what to do here; the tab Document of Goals says why."));
  const auto [from, to] = m_editor.selectedBytes();
  const std::string& text = m_proof->text();
  const lsp::LineIndex lines(text);
  const lsp::Range range{lines.position(text, from), lines.position(text, to)};
  m_waiting = static_cast<int>(clients.size());
  m_patience.start();
  for (lsp::LanguageClient* client : clients)
    client->codeActions(m_proof->uri(), range,
                        [self = QPointer(this), round, client](std::vector<lsp::CodeAction>&& actions) {
                          if (self)
                            self->collect(round, client, std::move(actions));
                        });
}

void MethodHelp::collect(int round, lsp::LanguageClient* client, std::vector<lsp::CodeAction>&& actions) {
  if (round != m_round)
    return;
  for (lsp::CodeAction& action : actions)
    m_offers.push_back({client, std::move(action)});
  if (--m_waiting == 0)
    showMenu();
}

void MethodHelp::showMenu() {
  m_patience.stop();
  ++m_round; // what comes later would change the menu under the pointer
  auto* menu = new QMenu(&m_editor);
  menu->setObjectName(QStringLiteral("method-code-actions"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->setToolTipsVisible(true);
  for (const Offer& offer : m_offers) {
    QString title = toQt(offer.action.title).replace(QLatin1Char('&'), QLatin1String("&&"));
    if (m_proof && offer.client == m_proof->lean().client.get())
      title = tr("Lean: %1").arg(title);
    QAction* entry = menu->addAction(title);
    entry->setEnabled(offer.action.disabledReason.empty());
    entry->setToolTip(toQt(offer.action.disabledReason));
    connect(entry, &QAction::triggered, this, [this, offer] { choose(offer); });
  }
  if (m_offers.empty())
    menu->addAction(tr("Nothing is offered here"))->setEnabled(false);
  menu->popup(m_editor.caretPoint());
}

void MethodHelp::choose(const Offer& offer) {
  if (!offer.client || !m_proof)
    return refuse(tr("The server that offered it is gone; ask again."));
  offer.client->resolve(m_proof->uri(), offer.action,
                        [self = QPointer(this), client = offer.client,
                         title = offer.action.title](Expected<lsp::WorkspaceEdit>&& edit) {
                          if (!self || !client)
                            return;
                          if (edit)
                            self->apply(*client, title, *edit);
                          else
                            self->refuse(toQt(edit.error().message));
                        });
}

void MethodHelp::apply(const lsp::LanguageClient& client, const std::string& title,
                       const lsp::WorkspaceEdit& edit) {
  if (!m_proof)
    return;
  // Checks version, document and overlaps; the change itself is the editor's, so that it can be undone.
  const Expected<std::string> after = client.edited(edit, m_proof->uri());
  if (!after)
    return refuse(toQt(after.error().message));
  const std::string text = m_editor.source();
  if (text != m_proof->text())
    return refuse(tr("The text has changed; ask again."));
  const lsp::LineIndex lines(text);
  std::vector<TextChange> changes;
  for (const lsp::TextEdit& one : edit.documents.front().edits)
    changes.push_back({lines.offset(text, one.range.start), lines.offset(text, one.range.end), one.newText});
  if (!m_editor.applyChanges(std::move(changes)))
    return refuse(tr("\"%1\" would change locked lines; nothing was changed.").arg(toQt(title)));
  m_journal.add(JournalEntry::Level::Info, tr("Method: %1").arg(toQt(title)));
}

void MethodHelp::refuse(const QString& why) {
  m_journal.add(JournalEntry::Level::Warning, why);
  QToolTip::showText(m_editor.caretPoint(), why, &m_editor);
}

void MethodHelp::askHover(int number, long position) {
  m_hover = number;
  m_hovers.clear();
  if (!m_proof)
    return;
  const std::string& text = m_proof->text();
  const lsp::Position place = lsp::LineIndex(text).position(text, static_cast<size_t>(position));
  for (lsp::LanguageClient* client : running())
    client->documentRequest(m_proof->uri(), "textDocument/hover",
                            lsp::textDocumentPositionJson(m_proof->uri(), place),
                            [self = QPointer(this), number](lsp::Reply&& reply) {
                              if (self)
                                self->hoverAnswered(number, reply);
                            });
}

void MethodHelp::hoverAnswered(int number, const lsp::Reply& reply) {
  if (number != m_hover || !reply.ok())
    return;
  const QString text = hoverText(reply.result);
  if (text.isEmpty() || m_hovers.contains(text))
    return;
  m_hovers << text;
  m_editor.showHover(number, m_hovers.join(QLatin1String("\n\n")));
}

} // namespace plumbline::views
