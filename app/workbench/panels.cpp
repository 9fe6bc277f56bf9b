#include "app/workbench/panels.h"

#include "app/workbench/language_servers.h"
#include "app/workbench/proof.h"
#include "core/base/child_process.h"
#include "core/workbench/project.h"
#include "views/cases/cases_panel.h"
#include "views/editor/cuda_panel.h"
#include "views/editor/method_panel.h"
#include "views/goals/goals_panel.h"
#include "views/graph/graph_panel.h"
#include "views/log/log_panel.h"
#include "views/safety/safety_panel.h"
#include "views/shell/main_window.h"
#include "views/witness/witness_panel.h"

#include <QCoreApplication>

namespace plumbline::app {

using namespace views;

namespace {

QString text(const char* source) {
  return QCoreApplication::translate("MissingTools", source);
}

} // namespace

void fillWindow(MainWindow& window, QSettings* settings) {
  const PanelContext context = window.panelContext();
  window.setPanel(PanelSlot::Graph, new GraphPanel(context));
  window.setPanel(PanelSlot::Cuda, new CudaPanel(context));
  // The document goes after the panels, which are deleted before the window's other children.
  lsp::ProofDocument* proof = makeProofDocument(settings ? keptLeanProject(*settings) : QString()).release();
  proof->setParent(&window);
  addServerMenu(window, *proof, settings);
  auto* method = new MethodPanel(context);
  method->setProof(proof);
  window.setPanel(PanelSlot::Method, method);
  auto* goals = new GoalsPanel(context);
  goals->setProof(proof);
  window.setPanel(PanelSlot::Goals, goals);
  auto* cases = new CasesPanel(context);
  cases->setFillsMatrix(true);
  window.setPanel(PanelSlot::Cases, cases);
  window.setPanel(PanelSlot::Witness, new WitnessPanel(context));
  window.setPanel(PanelSlot::Safety, new SafetyPanel(context));
  window.setPanel(PanelSlot::Log, new LogPanel(context));
  std::vector<SampleStory> stories;
  for (const workbench::Sample& sample : workbench::bundledSamples())
    stories.push_back({QString::fromStdString(sample.name), QString::fromStdString(sample.model),
                       QString::fromStdString(sample.kernel), QString::fromStdString(sample.title),
                       QString::fromStdString(sample.relation)});
  window.setSamples(stories);
  window.setMissingTools(missingTools());
}

QStringList missingTools() {
  QStringList missing;
  const auto miss = [&missing](bool found, const QString& sentence) {
    if (!found)
      missing << sentence;
  };
  miss(!findCompanion("plumbline-cuda").empty(), text("plumbline-cuda was not found: kernels cannot be read. "
                                                      "Install all of Plumbline's programs in one folder."));
  miss(!findCompanion("plumbline-sweep").empty(),
       text("plumbline-sweep was not found: no case is settled by trying all inputs."));
  miss(!findProgram("z3").empty(),
       text("z3 was not found: fewer goals are settled. Install the package z3."));
  miss(!findProgram("cvc5").empty(),
       text("cvc5 was not found: no second opinion on goals. Install the package cvc5."));
  miss(!findProgram("python3").empty(), text("python3 was not found: modules in .py files cannot be read and "
                                             "nothing is replayed in PyTorch; graph "
                                             ".json and .pt2 files work."));
  return missing;
}

} // namespace plumbline::app
