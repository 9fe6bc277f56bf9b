#include "app/workbench/proof.h"

#include "core/base/child_process.h"
#include "core/method/hint_pool.h"
#include "lean-bridge/discovery/lean_discovery.h"

#include <QFile>
#include <QSettings>

#include <filesystem>

namespace plumbline::app {

namespace {

std::unique_ptr<lsp::LanguageClient> plumblineClient(std::string& absence) {
  const std::string program = findCompanion("plumbline-server");
  if (program.empty()) {
    absence = "plumbline-server was not found; install all of Plumbline's programs in one folder";
    return nullptr;
  }
  lsp::LanguageClient::Options options;
  options.name = "plumbline-server";
  options.command = {program, {}, {}, {}, {}};
  options.limits.initialize = std::chrono::seconds(30);
  return std::make_unique<lsp::LanguageClient>(std::move(options));
}

constexpr QLatin1StringView projectKey("lean/project");

std::unique_ptr<lsp::LanguageClient> leanClient(const QString& chosen, std::string& absence) {
  const lean::Environment environment = lean::processEnvironment();
  const lean::Tools tools = lean::findTools({}, environment);
  if (!tools.any()) {
    absence = "not found; plumbline doctor tells how to get it";
    return nullptr;
  }
  const std::string folder =
      chosen.isEmpty() ? environment("PLUMBLINE_LEAN_PROJECT") : QFile::encodeName(chosen).toStdString();
  if (folder.empty()) {
    absence =
        "found, but no project with Velvet and Plumbline's library is named; choose it under Servers, or "
        "set PLUMBLINE_LEAN_PROJECT";
    return nullptr;
  }
  const auto start = lean::projectOf(std::filesystem::path(folder) / "Document.lean")
                         .and_then([&](const lean::Project& project) {
                           constexpr int reportDelay = 200;
                           return lean::serverStart(tools, project, reportDelay, environment);
                         });
  if (!start) {
    absence = start.error().message;
    return nullptr;
  }
  lsp::LanguageClient::Options options;
  options.name = "Lean";
  options.lean = true;
  options.command = {start->program, start->arguments, start->workingDirectory, start->environment,
                     start->unset};
  return std::make_unique<lsp::LanguageClient>(std::move(options));
}

/// Modules and theorems of the hint pool; none when it cannot be read: then only fewer axioms are asked for.
std::vector<std::pair<std::string, std::string>> hints() {
  std::vector<std::pair<std::string, std::string>> found;
  if (const auto pool = method::readHintPool())
    for (const method::Hint& hint : *pool)
      found.emplace_back(hint.module, hint.theorem);
  return found;
}

} // namespace

std::unique_ptr<lsp::ProofDocument> makeProofDocument(const QString& leanProject) {
  std::string plumblineAbsence;
  std::string leanAbsence;
  auto plumbline = plumblineClient(plumblineAbsence);
  auto lean = leanClient(leanProject, leanAbsence);
  auto document = std::make_unique<lsp::ProofDocument>(std::move(plumbline), std::move(lean));
  document->setAbsence(plumblineAbsence, leanAbsence);
  document->setHints(hints());
  return document;
}

void useLeanProject(lsp::ProofDocument& document, const QString& leanProject) {
  std::string absence;
  auto lean = leanClient(leanProject, absence);
  document.setLean(std::move(lean), absence);
}

QString keptLeanProject(const QSettings& settings) {
  return settings.value(projectKey).toString();
}

void keepLeanProject(QSettings& settings, const QString& folder) {
  if (folder.isEmpty())
    settings.remove(projectKey);
  else
    settings.setValue(projectKey, folder);
}

} // namespace plumbline::app
