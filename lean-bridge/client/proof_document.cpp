#include "lean-bridge/client/proof_document.h"

namespace plumbline::lsp {

ProofDocument::ProofDocument(std::unique_ptr<LanguageClient> plumbline, std::unique_ptr<LanguageClient> lean,
                             QObject* parent)
    : QObject(parent) {
  m_plumbline.client = std::move(plumbline);
  m_lean.client = std::move(lean);
  m_plumbline.absence = "not found";
  m_lean.absence = "not found";
  watch(m_plumbline);
  watch(m_lean);
  if (m_lean.client)
    m_auditor = std::make_unique<AxiomAuditor>(*m_lean.client);
}

ProofDocument::~ProofDocument() {
  // What listens to the clients goes before them.
  m_auditor.reset();
  for (Side* side : {&m_plumbline, &m_lean})
    if (side->client) {
      side->client->disconnect(this);
      side->goals.reset();
    }
}

void ProofDocument::watch(Side& side) {
  if (!side.client)
    return;
  side.goals = std::make_unique<GoalFetcher>(*side.client);
  connect(side.goals.get(), &GoalFetcher::changed, this, &ProofDocument::goalsAtPlaceChanged);
  connect(side.client.get(), &LanguageClient::stateChanged, this, &ProofDocument::changed);
  connect(side.client.get(), &LanguageClient::documentChanged, this, [this](const std::string& changedUri) {
    if (changedUri != m_uri)
      return;
    auditWhenAccepted();
    emit changed();
  });
}

void ProofDocument::setAbsence(const std::string& plumbline, const std::string& lean) {
  m_plumbline.absence = plumbline;
  m_lean.absence = lean;
}

void ProofDocument::startServers() {
  for (Side* side : {&m_plumbline, &m_lean})
    if (side->client && side->client->state() == LanguageClient::State::Stopped)
      side->client->start();
}

void ProofDocument::stopServers() {
  for (Side* side : {&m_plumbline, &m_lean})
    if (side->client)
      side->client->stop();
}

bool ProofDocument::stopped() const {
  for (const Side* side : {&m_plumbline, &m_lean})
    if (side->client && side->client->state() != LanguageClient::State::Stopped &&
        side->client->state() != LanguageClient::State::Failed)
      return false;
  return true;
}

void ProofDocument::restartServers() {
  for (Side* side : {&m_plumbline, &m_lean})
    if (side->client)
      side->client->restart();
}

void ProofDocument::setLean(std::unique_ptr<LanguageClient> lean, const std::string& absence) {
  m_auditor.reset();
  m_report.reset();
  m_auditedText.clear();
  m_lean.goals.reset();
  if (LanguageClient* old = m_lean.client.release()) {
    old->disconnect(this);
    old->setParent(this); // it goes with the document, if it has not ended by then
    connect(old, &LanguageClient::stateChanged, old, [old] {
      if (old->state() == LanguageClient::State::Stopped)
        old->deleteLater();
    });
    if (old->state() == LanguageClient::State::Stopped)
      old->deleteLater();
    else
      old->stop();
  }
  m_lean.client = std::move(lean);
  m_lean.absence = absence;
  watch(m_lean);
  if (m_lean.client) {
    m_auditor = std::make_unique<AxiomAuditor>(*m_lean.client);
    if (isOpen()) {
      m_lean.client->start();
      m_lean.client->openDocument(m_uri, "lean4", m_text);
      m_lean.goals->setPlace(m_uri, m_place);
    }
  }
  emit changed();
}

void ProofDocument::open(const std::string& uri, std::string_view text) {
  if (uri != m_uri)
    close();
  m_uri = uri;
  m_text = withLineFeeds(text);
  m_report.reset();
  m_auditedText.clear();
  startServers();
  for (Side* side : {&m_plumbline, &m_lean})
    if (side->client)
      side->client->openDocument(m_uri, "lean4", m_text);
  setPlace({0, 0});
  emit changed();
}

void ProofDocument::close() {
  if (!isOpen())
    return;
  for (Side* side : {&m_plumbline, &m_lean})
    if (side->client)
      side->client->closeDocument(m_uri);
  m_uri.clear();
  m_text.clear();
  m_report.reset();
  emit changed();
}

void ProofDocument::setText(std::string_view text) {
  if (!isOpen())
    return;
  m_text = withLineFeeds(text);
  m_report.reset();
  for (Side* side : {&m_plumbline, &m_lean})
    if (side->client)
      side->client->setText(m_uri, m_text);
  emit changed(); // nothing that was said of the old text may stay
}

void ProofDocument::setPlace(Position position) {
  if (!isOpen())
    return;
  m_place = position;
  for (Side* side : {&m_plumbline, &m_lean})
    if (side->goals)
      side->goals->setPlace(m_uri, position);
}

const DocumentState* ProofDocument::stateOf(const Side& side) const {
  return side.client && isOpen() ? side.client->document(m_uri) : nullptr;
}

std::vector<CheckedGoal> ProofDocument::goals() const {
  const DocumentState* state = plumblineState();
  return state ? crossCheck(*state, leanState()) : std::vector<CheckedGoal>{};
}

bool ProofDocument::diagnosticsAreCurrent() const {
  const DocumentState* ours = plumblineState();
  const DocumentState* leans = leanState();
  return (ours && ours->diagnosticsAreCurrent()) || (leans && leans->diagnosticsAreCurrent());
}

std::vector<const Diagnostic*> ProofDocument::diagnostics() const {
  std::vector<const Diagnostic*> all;
  for (const DocumentState* state : {plumblineState(), leanState()})
    if (state && state->diagnosticsAreCurrent())
      for (const Diagnostic* diagnostic : state->visibleDiagnostics())
        all.push_back(diagnostic);
  return all;
}

std::vector<ProgressRange> ProofDocument::progress() const {
  const DocumentState* leans = leanState();
  const DocumentState* state = leans && leans->progress() != Progress::Unknown ? leans : plumblineState();
  if (!state || state->progress() == Progress::Unknown)
    return {};
  // Lean will say that it is done; of another server that is not known before it has said anything.
  if (state == leans && state->progress() == Progress::Processing && state->processing().empty())
    return {{Range{{0, 0}, {state->document().lineCount(), 0}}, ProgressKind::Processing}};
  return state->processing();
}

std::vector<std::string> ProofDocument::importedHints() const {
  std::vector<std::string> names;
  for (const auto& [module, theorem] : m_hints)
    if (m_text.find("import " + module + "\n") != std::string::npos)
      names.push_back(theorem);
  return names;
}

void ProofDocument::auditWhenAccepted() {
  const DocumentState* state = leanState();
  if (!m_auditor || !state || state->text() != m_text || m_auditedText == m_text || !acceptedByLean(*state))
    return;
  m_auditedText = m_text;
  m_auditor->audit(m_uri, m_text, importedHints(), [this, asked = m_text](AxiomReport&& report) {
    if (asked == m_text)
      m_report = std::move(report);
    emit changed();
  });
}

std::vector<std::string> ProofDocument::axioms() const {
  const DocumentState* state = leanState();
  if (!state || !acceptedByLean(*state))
    return {"not checked by Lean"};
  if (!m_report)
    return {"accepted by Lean; its axioms are being asked for"};
  return inWords(*m_report);
}

std::string ProofDocument::statusOf(const Side& side) const {
  if (!side.client)
    return side.absence;
  std::string status = toString(side.client->state());
  if (const DocumentState* state = stateOf(side);
      state && side.client->state() == LanguageClient::State::Running) {
    if (state->crashed())
      status = "its worker for this document has ended; an edit starts it again";
    else if (state->imports() != Imports::Current)
      status = "imports are out of date: restart the document";
    else if (state->progress() == Progress::Processing && (&side == &m_lean || !state->processing().empty()))
      status = "working";
  }
  const bool down = side.client->state() == LanguageClient::State::Failed ||
                    side.client->state() == LanguageClient::State::Waiting;
  if (const std::optional<Error> error = side.client->lastError(); down && error)
    status += ": " + error->message.substr(0, error->message.find('\n'));
  return status;
}

} // namespace plumbline::lsp
