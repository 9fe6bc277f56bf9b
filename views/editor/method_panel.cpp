#include "views/editor/method_panel.h"

#include "lean-bridge/client/proof_document.h"
#include "views/editor/code_editor.h"
#include "views/editor/method_help.h"
#include "views/shell/actions.h"
#include "views/shell/journal.h"
#include "views/style/style.h"

#include <QAction>
#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QScopedValueRollback>
#include <QStandardPaths>
#include <QUrl>

#include <algorithm>

namespace plumbline::views {

namespace {

std::vector<std::string_view> linesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// Lines at the start that two texts share, and lines at the end. A line counted from 1 in one text is the
/// same in the other when it lies in one of the two parts.
struct Shared {
  int start = 0;
  int end = 0;
  int before = 0; ///< lines of the first text
  int after = 0;
};

Shared sharedLines(std::string_view before, std::string_view after) {
  const std::vector<std::string_view> a = linesOf(before);
  const std::vector<std::string_view> b = linesOf(after);
  const size_t most = std::min(a.size(), b.size());
  size_t start = 0;
  while (start < most && a[start] == b[start])
    ++start;
  size_t end = 0;
  while (end < most - start && a[a.size() - 1 - end] == b[b.size() - 1 - end])
    ++end;
  return {static_cast<int>(start), static_cast<int>(end), static_cast<int>(a.size()),
          static_cast<int>(b.size())};
}

int mapped(int line, int start, int end, int from, int to) {
  if (line <= start)
    return line;
  return line > from - end ? line - from + to : 0;
}

std::string uriOf(const workbench::Request& pair) {
  // The document is no file yet; its name only has to be the same for the same pair.
  const QString name = QString::fromStdString(pair.kernel)
                           .section(QLatin1Char('/'), -2)
                           .replace(QLatin1Char('/'), QLatin1Char('-'));
  return QUrl::fromLocalFile(
             QDir::temp().filePath(QStringLiteral("plumbline-") + name + QStringLiteral(".lean")))
      .toString(QUrl::FullyEncoded)
      .toStdString();
}

bool samePair(const workbench::Request& a, const workbench::Request& b) {
  return a.model == b.model && a.kernel == b.kernel;
}

} // namespace

MethodPanel::MethodPanel(const PanelContext& panelContext, QWidget* parent)
    : SourcePanel(panelContext, Language::Velvet, QStringLiteral("method"), tr("Method"), parent),
      m_help(new MethodHelp(editor(), panelContext.journal, this)) {
  connect(&editor(), &CodeEditor::edited, this, &MethodPanel::onEdited);
  connect(&editor(), &CodeEditor::caretMoved, this, [this](const SourceRange& place) {
    if (!m_proof)
      return;
    const std::string text = editor().source();
    const lsp::LineIndex lines(text);
    const int line = std::clamp(place.line - 1, 0, lines.lineCount() - 1);
    m_proof->setPlace(
        lines.position(text, lines.lineStart(line) + static_cast<size_t>(std::max(place.column - 1, 0))));
  });
  addActions();
}

void MethodPanel::addActions() {
  QAction* offer = context().actions.add(this,
                                         {QStringLiteral("method-code-actions"),
                                          tr("What Can Be Done Here..."),
                                          tr("Method"),
                                          {QKeySequence(Qt::CTRL | Qt::Key_Period)},
                                          tr("Split, settle, find a witness, use a hint, generate "
                                             "invariants: what the servers offer at the caret")},
                                         [this] { m_help->offerActions(); });
  editor().addAction(offer);
  context().actions.add(
      this,
      {QStringLiteral("method-take-generated"),
       tr("Take Generated Method"),
       tr("Method"),
       {},
       tr("Replace the edited text by the one generated from both files; the edits are kept in a file")},
      [this] { takeGenerated(); });
}

MethodPanel::~MethodPanel() {
  if (m_edited)
    rescueEdits();
}

void MethodPanel::setProof(lsp::ProofDocument* proof) {
  m_proof = proof;
  m_help->setProof(proof);
  editor().setEditable(proof != nullptr);
  if (proof)
    connect(proof, &lsp::ProofDocument::changed, this, &MethodPanel::onProof);
}

QString MethodPanel::emptyText() const {
  return tr(
      "No method yet.\nThe Velvet method is generated from the kernel and the module once both are open.");
}

/// Whether the text under the user's edits stays, whatever is generated now: another check of the same pair
/// must not take the edits away.
bool MethodPanel::keepsEdits() const {
  return m_edited && snapshot() && samePair(snapshot()->request, m_pair);
}

SourcePanel::Content MethodPanel::content() const {
  const workbench::MethodText& method = snapshot()->method;
  Content result;
  result.text = keepsEdits() ? m_base : method.text;
  result.reason = toQt(method.reason);
  if (result.text.empty())
    return result;
  result.heading = tr("Velvet 2, generated from both files; shaded lines are locked");
  if (keepsEdits() && method.text != m_base)
    result.heading = tr(
        "Edited. Another text is generated now: \"Take Generated Method\" shows it and keeps your edits in a "
        "file");
  return result;
}

workbench::Anchor MethodPanel::anchorAt(const SourceRange& place) const {
  workbench::Anchor result;
  result.kind = workbench::Anchor::Kind::MethodLine;
  result.index = generatedLine(place.line);
  return result;
}

int MethodPanel::generatedLine(int line) const {
  if (!m_edited)
    return line;
  const Shared shared = sharedLines(m_base, editor().source());
  return mapped(line, shared.start, shared.end, shared.after, shared.before);
}

int MethodPanel::editedLine(int generated) const {
  if (!m_edited)
    return generated;
  const Shared shared = sharedLines(m_base, editor().source());
  return mapped(generated, shared.start, shared.end, shared.before, shared.after);
}

void MethodPanel::decorate() {
  if (keepsEdits())
    return onProof();
  showMethod();
}

/// The editor has just got the generated text.
void MethodPanel::showMethod() {
  m_edited = false;
  m_base = snapshot() ? snapshot()->method.text : std::string();
  m_pair = snapshot() ? snapshot()->request : workbench::Request();
  std::vector<bool> locked;
  if (snapshot())
    for (const workbench::MethodLine& line : snapshot()->method.lines)
      locked.push_back(line.locked);
  editor().setLocked(locked);
  if (!m_proof)
    return;
  if (m_base.empty())
    m_proof->close();
  else
    m_proof->open(uriOf(m_pair), m_base);
  onProof();
}

void MethodPanel::onHighlight() {
  std::set<int> lines;
  for (const int line : highlight().methodLines)
    if (const int shown = editedLine(line); shown > 0)
      lines.insert(shown);
  editor().setLinked({}, lines);
  if (!lines.empty() && anchor().kind != workbench::Anchor::Kind::MethodLine)
    editor().reveal(*lines.begin());
}

void MethodPanel::onEdited() {
  if (m_showing || !m_proof)
    return;
  const std::string text = editor().source();
  m_edited = text != m_base;
  m_proof->setText(text);
}

std::vector<workbench::Mark> MethodPanel::marks() const {
  std::vector<workbench::Mark> list;
  const std::string& text = m_proof->text();
  const lsp::LineIndex lines(text);
  const auto column = [&](lsp::Position position) {
    const size_t offset = lines.offset(text, position);
    return static_cast<int>(offset - lines.lineStart(lines.lineOf(offset))) + 1;
  };
  constexpr size_t mostMarks = 1000; // what nobody reads need not be drawn
  constexpr size_t longestMessage = 600;
  for (const lsp::Diagnostic* diagnostic : m_proof->diagnostics()) {
    if (diagnostic->severity > lsp::Severity::Warning || list.size() >= mostMarks)
      continue;
    workbench::Mark mark;
    mark.kind = diagnostic->severity == lsp::Severity::Error ? workbench::MarkKind::Error
                                                             : workbench::MarkKind::Finding;
    mark.message =
        diagnostic->message.size() > longestMessage
            ? QString::fromStdString(diagnostic->message).left(longestMessage).toStdString() + "..."
            : diagnostic->message;
    if (!diagnostic->source.empty())
      mark.message = diagnostic->source + ": " + mark.message;
    mark.where = {"", diagnostic->range.start.line + 1, column(diagnostic->range.start),
                  diagnostic->range.end.line + 1, column(diagnostic->range.end)};
    list.push_back(std::move(mark));
  }
  return list;
}

void MethodPanel::onProof() {
  if (!m_proof || !m_proof->isOpen())
    return;
  // After an edit the marks of the text before move with it until somebody has looked at the new one.
  if (m_proof->diagnosticsAreCurrent())
    editor().setMarks(marks());
  std::vector<LineProgress> progress;
  for (const lsp::ProgressRange& part : m_proof->progress())
    progress.push_back(
        {part.range.start.line + 1, part.range.end.line + 1, part.kind == lsp::ProgressKind::FatalError});
  editor().setProgress(progress);
}

/// Edits that are about to be replaced go to a file: no text is lost.
void MethodPanel::rescueEdits() {
  const QString folder =
      QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/method-edits");
  const QString name = QString::fromStdString(m_pair.kernel)
                           .section(QLatin1Char('/'), -2)
                           .replace(QLatin1Char('/'), QLatin1Char('-'));
  QFile file(folder + QLatin1Char('/') + name +
             QDateTime::currentDateTime().toString(QStringLiteral("-yyyyMMdd-hhmmsszzz")) +
             QStringLiteral(".lean"));
  const std::string text = editor().source();
  const bool written =
      QDir().mkpath(folder) && file.open(QIODevice::WriteOnly) &&
      file.write(text.data(), static_cast<qint64>(text.size())) == static_cast<qint64>(text.size());
  context().journal.add(written ? JournalEntry::Level::Info : JournalEntry::Level::Error,
                        written
                            ? tr("Your edits of the method are in %1").arg(file.fileName())
                            : tr("Your edits of the method could not be written to %1").arg(file.fileName()));
}

void MethodPanel::onSnapshot() {
  if (m_edited && !keepsEdits())
    rescueEdits();
  const QScopedValueRollback showing(m_showing, true);
  SourcePanel::onSnapshot();
}

void MethodPanel::takeGenerated() {
  if (!m_edited || !snapshot())
    return;
  rescueEdits();
  const QScopedValueRollback showing(m_showing, true);
  m_edited = false;
  editor().setSource(snapshot()->method.text, true);
  SourcePanel::onSnapshot();
}

} // namespace plumbline::views
