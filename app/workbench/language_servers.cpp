#include "app/workbench/language_servers.h"

#include "app/workbench/proof.h"
#include "lean-bridge/client/proof_document.h"
#include "views/shell/main_window.h"
#include "views/style/style.h"

#include <QAction>
#include <QCoreApplication>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>

namespace plumbline::app {

namespace {

using namespace views;

QString text(const char* source) {
  return QCoreApplication::translate("LanguageServers", source);
}

void useProject(MainWindow& window, lsp::ProofDocument& proof, QSettings* settings, const QString& folder) {
  if (settings)
    keepLeanProject(*settings, folder);
  useLeanProject(proof, folder);
  window.journal().add(JournalEntry::Level::Info, text("Lean: %1").arg(toQt(proof.statusOf(proof.lean()))));
}

} // namespace

void addServerMenu(MainWindow& window, lsp::ProofDocument& proof, QSettings* settings) {
  const QString category = text("Servers");
  // Help stays the last menu.
  auto* menu = new QMenu(text("&Servers"), &window);
  window.menuBar()->insertMenu(window.menuBar()->actions().constLast(), menu);
  menu->addAction(window.actions().add(
      &window,
      {QStringLiteral("servers-restart"),
       text("&Restart Language Servers"),
       category,
       {},
       text("Ends plumbline-server and Lean and starts them again; the text of the method stays")},
      [&window, &proof] {
        proof.restartServers();
        window.journal().add(JournalEntry::Level::Info, text("The language servers are started again."));
      }));
  menu->addAction(window.actions().add(
      &window,
      {QStringLiteral("servers-lean-project"),
       text("Choose &Lean Project..."),
       category,
       {},
       text("The folder of a Lake project with Velvet and Plumbline's library, in which Lean is started")},
      [&window, &proof, settings] {
        auto* dialog = new QFileDialog(&window, text("Lean Project"));
        dialog->setObjectName(QStringLiteral("lean-project-dialog"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::Directory);
        dialog->setOption(QFileDialog::ShowDirsOnly);
        QObject::connect(dialog, &QFileDialog::fileSelected, &proof,
                         [&window, &proof, settings](const QString& folder) {
                           useProject(window, proof, settings, folder);
                         });
        dialog->open();
      }));
  menu->addAction(
      window.actions().add(&window,
                           {QStringLiteral("servers-forget-lean-project"),
                            text("&Forget Lean Project"),
                            category,
                            {},
                            text("Back to the project that PLUMBLINE_LEAN_PROJECT names, if it names one")},
                           [&window, &proof, settings] { useProject(window, proof, settings, {}); }));
}

} // namespace plumbline::app
