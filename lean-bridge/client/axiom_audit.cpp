#include "lean-bridge/client/axiom_audit.h"

#include "lean-bridge/client/cross_check.h"

#include <algorithm>

namespace plumbline::lsp {
namespace {

std::string withSingleSpaces(const std::string& text) {
  std::string out;
  for (char c : text) {
    const bool space = c == ' ' || c == '\n' || c == '\t' || c == '\r';
    if (!space)
      out.push_back(c);
    else if (!out.empty() && out.back() != ' ')
      out.push_back(' ');
  }
  return out;
}

std::vector<std::string> listed(std::string_view inside) {
  std::vector<std::string> names;
  while (!inside.empty()) {
    const size_t end = std::min(inside.find(','), inside.size());
    std::string_view name = inside.substr(0, end);
    while (!name.empty() && name.front() == ' ')
      name.remove_prefix(1);
    while (!name.empty() && name.back() == ' ')
      name.remove_suffix(1);
    if (!name.empty())
      names.emplace_back(name);
    inside.remove_prefix(std::min(end + 1, inside.size()));
  }
  return names;
}

/// The word after a keyword at the start of a line (behind attributes and modifiers), or empty.
std::string nameAfter(std::string_view line, std::string_view keyword) {
  const size_t at = line.find(keyword);
  if (at == std::string_view::npos || (at > 0 && line[at - 1] != ' ') || line.find("--") < at)
    return {};
  const std::string_view before = line.substr(0, at);
  const bool onlyModifiers = before.empty() || before.starts_with("@[") || before.starts_with("private ") ||
                             before.starts_with("protected ");
  std::string_view rest = line.substr(at + keyword.size());
  if (!onlyModifiers || rest.empty() || rest.front() != ' ')
    return {};
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return std::string(rest.substr(0, rest.find_first_of(" \t:({[")));
}

const char* meaningOf(AxiomKind kind) {
  switch (kind) {
  case AxiomKind::Standard: return "Lean's own logic";
  case AxiomKind::LeftOut: return "a proof was left out";
  case AxiomKind::Solver: return "it proves anything: a solver's answer was believed";
  case AxiomKind::Native: return "compiled code was believed";
  case AxiomKind::Other: return "an axiom that is not known here";
  }
  return "";
}

} // namespace

AxiomKind kindOf(const std::string& axiom) {
  if (axiom == "propext" || axiom == "Classical.choice" || axiom == "Quot.sound")
    return AxiomKind::Standard;
  if (axiom == "sorryAx")
    return AxiomKind::LeftOut;
  if (axiom == "Loom.SMT.trust_smt")
    return AxiomKind::Solver;
  if (axiom.find("._native.") != std::string::npos || axiom == "Lean.ofReduceBool" ||
      axiom == "Lean.ofReduceNat" || axiom == "Lean.trustCompiler")
    return AxiomKind::Native;
  return AxiomKind::Other;
}

bool AxiomReport::clean() const {
  return checked && std::all_of(theorems.begin(), theorems.end(), [](const TheoremAxioms& one) {
           return one.known &&
                  std::all_of(one.axioms.begin(), one.axioms.end(),
                              [](const std::string& axiom) { return kindOf(axiom) == AxiomKind::Standard; });
         });
}

std::optional<TheoremAxioms> axiomsFromMessage(const std::string& message) {
  const std::string text = withSingleSpaces(message);
  static const std::string depends = "' depends on axioms: [";
  static const std::string free = "' does not depend on any axioms";
  if (!text.starts_with('\''))
    return std::nullopt;
  if (const size_t at = text.find(depends); at != std::string::npos) {
    const size_t begin = at + depends.size();
    const size_t end = text.find(']', begin);
    if (end == std::string::npos)
      return std::nullopt;
    return TheoremAxioms{text.substr(1, at - 1), true,
                         listed(std::string_view(text).substr(begin, end - begin))};
  }
  if (const size_t at = text.find(free); at != std::string::npos)
    return TheoremAxioms{text.substr(1, at - 1), true, {}};
  return std::nullopt;
}

std::vector<std::string> theoremsIn(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    for (const char* keyword : {"theorem", "lemma"})
      if (std::string name = nameAfter(line, keyword); !name.empty())
        names.push_back(std::move(name));
    if (const std::string name = nameAfter(line, "prove_correct"); !name.empty())
      names.push_back(name + "_correct");
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return names;
}

AuditText auditText(std::string_view text, const std::vector<std::string>& names) {
  AuditText audit{withLineFeeds(text), 0};
  if (!audit.text.empty() && audit.text.back() != '\n')
    audit.text += '\n';
  audit.text += '\n';
  audit.firstLine = static_cast<int>(std::count(audit.text.begin(), audit.text.end(), '\n'));
  for (const std::string& name : names)
    audit.text += "#print axioms " + name + "\n";
  return audit;
}

AxiomReport reportFrom(const DocumentState& state, const AuditText& audit,
                       const std::vector<std::string>& names) {
  AxiomReport report;
  for (const std::string& name : names)
    report.theorems.push_back({name, false, {}});
  if (state.progress() != Progress::Finished || !state.allReported() || !state.diagnosticsAreCurrent() ||
      state.droppedDiagnostics() > 0) {
    report.reason = "Lean did not get through the text";
    return report;
  }
  report.checked = true;
  for (const Diagnostic& diagnostic : state.diagnostics()) {
    const int line = diagnostic.range.start.line;
    if (line < audit.firstLine) {
      if (diagnostic.severity == Severity::Error) {
        report.checked = false;
        report.reason =
            "Lean does not accept the text: " + diagnostic.message.substr(0, diagnostic.message.find('\n'));
      }
      continue;
    }
    const auto index = static_cast<size_t>(line - audit.firstLine);
    std::optional<TheoremAxioms> found = axiomsFromMessage(diagnostic.message);
    if (index < report.theorems.size() && found) {
      report.theorems[index].known = true;
      report.theorems[index].axioms = std::move(found->axioms);
    }
  }
  return report;
}

std::vector<std::string> inWords(const AxiomReport& report) {
  if (!report.checked)
    return {report.reason.empty() ? "not checked by Lean" : "not checked by Lean: " + report.reason};
  std::vector<std::string> sentences;
  for (const TheoremAxioms& one : report.theorems) {
    if (!one.known)
      sentences.push_back(one.theorem + ": Lean did not say what it rests on");
    for (const std::string& axiom : one.axioms)
      if (kindOf(axiom) != AxiomKind::Standard)
        sentences.push_back(one.theorem + " rests on " + axiom + ": " + meaningOf(kindOf(axiom)));
  }
  if (sentences.empty())
    sentences.push_back(report.theorems.empty() ? "there is no theorem to ask about"
                                                : "checked by Lean; rests on Lean's own logic alone");
  return sentences;
}

AxiomAuditor::AxiomAuditor(LanguageClient& lean, QObject* parent) : QObject(parent), m_lean(lean) {
  connect(&m_lean, &LanguageClient::documentChanged, this, [this](const std::string& changedUri) {
    if (changedUri == m_uri)
      look();
  });
  connect(&m_lean, &LanguageClient::stateChanged, this, &AxiomAuditor::look);
}

void AxiomAuditor::audit(const std::string& uri, std::string_view text, const std::vector<std::string>& hints,
                         std::function<void(AxiomReport&&)> handler) {
  if (m_handler)
    m_lean.closeDocument(m_uri);
  m_names = theoremsIn(text);
  for (const std::string& hint : hints)
    if (std::find(m_names.begin(), m_names.end(), hint) == m_names.end())
      m_names.push_back(hint);
  m_audit = auditText(text, m_names);
  m_uri = uri.substr(0, uri.rfind(".lean")) + "_axioms.lean";
  m_handler = std::move(handler);
  if (m_lean.state() == LanguageClient::State::Running)
    m_lean.openDocument(m_uri, "lean4", m_audit.text);
  QTimer::singleShot(0, this, &AxiomAuditor::look);
}

void AxiomAuditor::look() {
  if (!m_handler)
    return;
  const DocumentState* state = m_lean.document(m_uri);
  if (m_lean.state() != LanguageClient::State::Running || !state) {
    const std::optional<Error> error = m_lean.lastError();
    return finish({false, error ? error->message : std::string(), {}});
  }
  const bool finished = state->progress() == Progress::Finished && state->allReported();
  if (finished || state->progress() == Progress::Failed)
    finish(reportFrom(*state, m_audit, m_names));
}

void AxiomAuditor::finish(AxiomReport&& report) {
  const auto handler = std::exchange(m_handler, nullptr);
  m_lean.closeDocument(m_uri);
  handler(std::move(report));
}

} // namespace plumbline::lsp
