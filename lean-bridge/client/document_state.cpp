#include "lean-bridge/client/document_state.h"

#include <algorithm>

namespace plumbline::lsp {

DocumentState::DocumentState(std::string uri, std::string languageId, std::string_view text)
    : m_uri(std::move(uri)), m_languageId(std::move(languageId)), m_document(withLineFeeds(text)) {}

void DocumentState::begin() {
  m_progress = Progress::Processing;
  m_processing.clear();
  m_crashed = false;
  m_allReported = false;
  m_lost = false;
  m_goalsComplete = false;
}

std::vector<ContentChange> DocumentState::edit(std::vector<ContentChange> changes) {
  for (ContentChange& change : changes) {
    change.text = withLineFeeds(change.text);
    if (change.range) { // clamped here, since servers differ in what they make of a column inside a pair
      const auto [first, last] = m_document.bytes(*change.range);
      change.range = m_document.range(first, last);
    }
    m_document.apply(change);
  }
  ++m_version;
  const bool lost = m_lost;
  begin(); // the server reports only after a while; nothing old may look finished until then
  m_lost = lost;
  if (lost)
    m_progress = Progress::Unknown;
  return changes;
}

void DocumentState::add(std::vector<Diagnostic>&& diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) {
    if (m_diagnostics.size() >= maximalDiagnostics ||
        m_messageBytes + diagnostic.message.size() > maximalMessageBytes) {
      ++m_dropped;
      continue;
    }
    m_messageBytes += diagnostic.message.size();
    m_diagnostics.push_back(std::move(diagnostic));
  }
  lookAtImports();
}

Applied DocumentState::apply(PublishDiagnostics&& publish) {
  if (publish.version && *publish.version != m_version)
    return Applied::Stale;
  const bool hasBase = m_diagnosticsVersion == m_version && !m_lost;
  const bool append = publish.isIncremental && hasBase;
  if (append && publish.diagnostics.empty())
    return Applied::Nothing;
  if (!append) {
    m_diagnostics.clear();
    m_messageBytes = 0;
    m_dropped = 0;
    m_diagnosticsVersion = m_version;
  }
  add(std::move(publish.diagnostics));
  return publish.isIncremental && !hasBase ? Applied::WithoutBase : Applied::Changed;
}

Applied DocumentState::apply(FileProgress&& progress) {
  if (progress.version && *progress.version != m_version)
    return Applied::Stale;
  m_processing = std::move(progress.processing);
  const FileProgress now{m_uri, m_version, m_processing};
  m_progress = now.failed() && now.finished() ? Progress::Failed
               : now.finished()               ? Progress::Finished
                                              : Progress::Processing;
  m_allReported = false;
  // A header that cannot be elaborated is fatal too, but says so in an error on the first line.
  const bool explained = std::any_of(m_diagnostics.begin(), m_diagnostics.end(), [](const Diagnostic& one) {
    return one.severity == Severity::Error && one.range.start.line == 0;
  });
  m_crashed = m_progress == Progress::Failed && !(explained && m_diagnosticsVersion == m_version);
  return Applied::Changed;
}

Applied DocumentState::apply(DocumentGoals&& goals) {
  if (goals.version != m_version)
    return Applied::Stale;
  m_goals = std::move(goals.goals);
  m_goalsVersion = goals.version;
  m_goalsComplete = goals.complete;
  return Applied::Changed;
}

Applied DocumentState::applyAllReported(int version) {
  if (version != m_version || m_lost)
    return Applied::Stale;
  m_allReported = m_progress == Progress::Finished || m_progress == Progress::Failed;
  m_crashed = false; // a dead worker does not answer
  return Applied::Changed;
}

void DocumentState::workerDied() {
  m_crashed = true;
  m_allReported = false;
  m_progress = Progress::Failed;
}

void DocumentState::serverLost() {
  m_lost = true;
  m_progress = Progress::Unknown;
  m_allReported = false;
  m_processing.clear();
  m_goalsVersion.reset();
  m_goalsComplete = false;
}

bool DocumentState::diagnosticsAreCurrent() const {
  return m_diagnosticsVersion == m_version && !m_crashed && !m_lost;
}

std::vector<const Diagnostic*> DocumentState::visibleDiagnostics() const {
  std::vector<const Diagnostic*> visible;
  for (const Diagnostic& diagnostic : m_diagnostics)
    if (!diagnostic.isSilent)
      visible.push_back(&diagnostic);
  return visible;
}

std::vector<const Diagnostic*> DocumentState::messagesAtLine(int line) const {
  std::vector<const Diagnostic*> found;
  for (const Diagnostic& diagnostic : m_diagnostics) {
    const Range& extent = diagnostic.extent();
    // An end at the start of a line does not reach into it, unless the extent is empty.
    const bool endsBefore = extent.end.line < line || (extent.end.line == line && extent.end.character == 0 &&
                                                       extent.start.line < line);
    if (extent.start.line <= line && !endsBefore)
      found.push_back(&diagnostic);
  }
  return found;
}

std::vector<Range> DocumentState::accomplished() const {
  std::vector<Range> ranges;
  if (diagnosticsAreCurrent())
    for (const Diagnostic& diagnostic : m_diagnostics)
      if (diagnostic.has(LeanTag::GoalsAccomplished))
        ranges.push_back(diagnostic.extent());
  return ranges;
}

void DocumentState::lookAtImports() {
  m_imports = Imports::Current;
  for (const Diagnostic& diagnostic : m_diagnostics) {
    if (diagnostic.range.start.line > 1 || !diagnostic.message.starts_with("Imports are out of date"))
      continue;
    const bool must = diagnostic.severity == Severity::Error ||
                      diagnostic.message.find("must be rebuilt") != std::string::npos;
    m_imports = must ? Imports::MustBeRebuilt : std::max(m_imports, Imports::ShouldBeRebuilt);
  }
}

} // namespace plumbline::lsp
