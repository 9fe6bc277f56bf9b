#include "views/witness/witness_panel.h"

#include "views/shell/actions.h"
#include "views/style/empty_state.h"
#include "views/style/style.h"
#include "views/witness/outcome_pane.h"
#include "views/witness/steps_pane.h"
#include "views/witness/values_command.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QUndoStack>

#include <algorithm>

namespace plumbline::views {

using workbench::CaseStatus;
using workbench::Snapshot;

namespace {

bool isClosed(const workbench::GoalRow& goal) {
  return goal.status == CaseStatus::Closed || goal.status == CaseStatus::Empty;
}

/// The goals of the safety gate say nothing about values.
bool isAboutValues(const workbench::GoalRow& goal) {
  return goal.group != "safety gate";
}

QString noDifference(const Snapshot& snapshot) {
  if (std::ranges::none_of(snapshot.goals, isAboutValues))
    return WitnessPanel::tr("The values were not compared");
  return std::ranges::all_of(snapshot.goals, isClosed)
             ? WitnessPanel::tr("No difference found: every case is closed")
             : WitnessPanel::tr("No difference found so far: some goals are open");
}

} // namespace

WitnessPanel::WitnessPanel(const PanelContext& context, QWidget* parent)
    : Panel(context, parent), m_chooser(new QComboBox), m_hint(new QLabel), m_forms(new QStackedWidget),
      m_scroll(new QScrollArea), m_editorArea(new QWidget), m_editorColumn(new QVBoxLayout(m_editorArea)),
      m_outcome(new OutcomePane), m_steps(new StepsPane), m_text(new QPlainTextEdit) {
  makeActions();
  m_hint->setWordWrap(true);
  m_hint->setMargin(4);
  m_hint->setTextFormat(Qt::PlainText);
  m_text->setReadOnly(true);
  m_text->setTabChangesFocus(true);
  m_text->setAccessibleName(tr("Witness as text"));
  auto* content = new QWidget;
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(makeBar());
  column->addWidget(m_hint);
  column->addWidget(m_forms, 1);
  m_forms->addWidget(makeSteps());
  m_forms->addWidget(m_text);
  m_pages = new EmptyState(content);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->addWidget(m_pages);
  setFocusProxy(m_chooser);
  connect(m_chooser, &QComboBox::activated, this, &WitnessPanel::choose);
  connect(m_steps, &StepsPane::chosen, this, &Panel::selected);
  connect(&context.bench, &Bench::runFinished, this, &WitnessPanel::onRun);
  connect(&context.bench, &Bench::ended, this, [this](Ticket ticket) {
    const auto run = m_runs.find(ticket);
    if (run == m_runs.end())
      return;
    m_runs.erase(run); // ended without an answer
    m_outcome->clearRuns();
    enableActions();
  });
}

void WitnessPanel::makeActions() {
  const QString category = tr("Witness");
  Actions& actions = context().actions;
  actions.add(this,
              {QStringLiteral("witness-interpreter"),
               tr("Run on Interpreter"),
               category,
               {QKeySequence(Qt::ALT | Qt::Key_I)},
               tr("Run the kernel on these values")},
              [this] { run(false); });
  actions.add(this,
              {QStringLiteral("witness-pytorch"),
               tr("Run in PyTorch"),
               category,
               {QKeySequence(Qt::ALT | Qt::Key_P)},
               tr("Run the module on these values")},
              [this] { run(true); });
  actions.add(this,
              {QStringLiteral("witness-reset"),
               tr("Reset Values"),
               category,
               {QKeySequence(Qt::ALT | Qt::Key_R)},
               tr("Back to the values that were found")},
              [this] { reset(); });
}

QWidget* WitnessPanel::makeBar() {
  m_chooser->setAccessibleName(tr("Witness or goal"));
  m_chooser->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  m_chooser->setMinimumContentsLength(12);
  auto* bar = new QWidget;
  auto* row = new QHBoxLayout(bar);
  row->setContentsMargins(4, 2, 4, 0);
  row->setSpacing(2);
  row->addWidget(m_chooser, 1);
  for (const char* id : {"witness-reset", "witness-interpreter", "witness-pytorch"}) {
    auto* button = new QToolButton;
    QAction* action = context().actions.find(QString::fromLatin1(id));
    button->setDefaultAction(action);
    button->setAccessibleName(action->text());
    row->addWidget(button);
  }
  return bar;
}

QWidget* WitnessPanel::makeSteps() {
  m_editorColumn->setContentsMargins(0, 0, 0, 0);
  m_editorColumn->setSpacing(2);
  m_scroll->setWidget(m_editorArea);
  m_scroll->setWidgetResizable(true);
  m_scroll->setFrameShape(QFrame::NoFrame);
  m_scroll->setFocusPolicy(Qt::NoFocus);
  m_scroll->setAccessibleName(tr("Values"));
  m_editorArea->installEventFilter(this);
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(m_scroll);
  column->addWidget(m_outcome);
  column->addWidget(m_steps, 1);
  return page;
}

bool WitnessPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_editorArea && event->type() == QEvent::LayoutRequest)
    fitEditors();
  return Panel::eventFilter(watched, event);
}

void WitnessPanel::resizeEvent(QResizeEvent* event) {
  Panel::resizeEvent(event);
  fitEditors();
}

void WitnessPanel::fitEditors() {
  const int needed = m_editorColumn->hasHeightForWidth()
                         ? m_editorColumn->heightForWidth(m_scroll->viewport()->width())
                         : m_editorColumn->sizeHint().height();
  m_scroll->setFixedHeight(std::min(needed, height() * 45 / 100));
}

QString WitnessPanel::emptyText() const {
  if (!snapshot())
    return tr("Open a model and a kernel: Ctrl+O, or drop two files");
  if (const std::optional<Error>& error = snapshot()->error)
    return tr("No values to show: %1\n%2").arg(toQt(error->message), toQt(error->next));
  if (!busyTask().isEmpty())
    return tr("No values yet: %1").arg(busyTask());
  return snapshot()->goals.empty() ? tr("No values yet: F5 checks") : noDifference(*snapshot());
}

void WitnessPanel::onSnapshot() {
  const bool sameState = snapshot() && m_shown && snapshot()->revision == m_shown->revision &&
                         snapshot()->request == m_shown->request;
  if (sameState)
    return; // only the cut of cases has changed
  const QString wanted = m_choice >= 0 ? m_choices[static_cast<size_t>(m_choice)].label : QString();
  dropRuns();
  m_shown = snapshot();
  m_choices = m_shown ? choicesOf(*m_shown) : std::vector<WitnessChoice>{};
  m_pages->setText(m_choices.empty() ? emptyText() : QString());
  const auto again = std::find_if(m_choices.begin(), m_choices.end(),
                                  [&](const WitnessChoice& choice) { return choice.label == wanted; });
  const int first = m_choices.empty() ? -1 : 0;
  fillChooser(again == m_choices.end() ? first : static_cast<int>(again - m_choices.begin()));
}

void WitnessPanel::fillChooser(int row) {
  const QSignalBlocker quiet(m_chooser);
  m_chooser->clear();
  for (const WitnessChoice& choice : m_choices)
    m_chooser->addItem(choice.label);
  choose(row);
}

void WitnessPanel::choose(int row) {
  m_choice = row;
  m_chooser->setCurrentIndex(row);
  dropRuns();
  const WitnessChoice choice = row < 0 ? WitnessChoice{} : m_choices[static_cast<size_t>(row)];
  m_values = choice.values;
  m_hint->clear();
  const bool stepwise = program() != nullptr;
  m_forms->setCurrentIndex(stepwise || row < 0 ? 0 : 1);
  m_steps->setProgram(stepwise ? m_shown->programs[static_cast<size_t>(choice.goal)] : nullptr, choice.goal);
  makeEditors();
  if (stepwise && choice.witness < 0 && m_shown->witnesses.empty())
    m_hint->setText(tr("%1. Values can be tried here.").arg(noDifference(*m_shown)));
  if (!stepwise && choice.witness >= 0)
    showText(choice);
  m_hint->setVisible(!m_hint->text().isEmpty());
  evaluate();
}

void WitnessPanel::showText(const WitnessChoice& choice) {
  const workbench::WitnessView& witness = m_shown->witnesses[static_cast<size_t>(choice.witness)];
  m_text->setPlainText(wholeText(witness));
  m_hint->setText(witness.reading == "real"
                      ? tr("Values of the real reading are rationals: bits do not apply")
                      : tr("This difference cannot be followed step by step"));
}

const workbench::StepProgram* WitnessPanel::program() const {
  if (m_choice < 0)
    return nullptr;
  const int goal = m_choices[static_cast<size_t>(m_choice)].goal;
  return goal < 0 ? nullptr : m_shown->programs[static_cast<size_t>(goal)].get();
}

void WitnessPanel::makeEditors() {
  const workbench::StepProgram* shown = program();
  const size_t count = shown == nullptr ? 0 : shown->inputs().size();
  qDeleteAll(m_editors);
  m_editors.clear();
  while (QLayoutItem* rest = m_editorColumn->takeAt(0))
    delete rest;
  for (size_t k = 0; k < count; ++k) {
    auto* editor = new ValueEditor(toQt(shown->inputs()[k]));
    m_editors.push_back(editor);
    m_editorColumn->addWidget(editor);
    editor->show(); // at once, to be measured
    connect(editor, &ValueEditor::edited, this, [this, k](uint32_t bits, ValueEditor::Source source) {
      edit(static_cast<int>(k), bits, source);
    });
  }
  m_editorColumn->addStretch(1);
  fitEditors();
}

std::string WitnessPanel::goalName(int goal) const {
  return m_shown && goal >= 0 && goal < static_cast<int>(m_shown->caseGoals.size())
             ? m_shown->caseGoals[static_cast<size_t>(goal)].name
             : std::string();
}

void WitnessPanel::edit(int editor, uint32_t bits, ValueEditor::Source source) {
  std::vector<uint32_t> after = m_values;
  after[static_cast<size_t>(editor)] = bits;
  const std::string goal = goalName(m_choices[static_cast<size_t>(m_choice)].goal);
  context().undo.push(new ValuesCommand(this, goal, m_values, std::move(after), source, editor));
}

bool WitnessPanel::putValues(const std::string& goal, const std::vector<uint32_t>& values) {
  auto fits = [&](const WitnessChoice& choice) {
    return choice.goal >= 0 && goalName(choice.goal) == goal && choice.values.size() == values.size();
  };
  const bool here = m_choice >= 0 && fits(m_choices[static_cast<size_t>(m_choice)]);
  if (!here) {
    const auto other = std::find_if(m_choices.begin(), m_choices.end(), fits);
    if (other == m_choices.end())
      return false;
    choose(static_cast<int>(other - m_choices.begin()));
  }
  if (values != m_values)
    dropRuns();
  m_values = values;
  evaluate();
  return true;
}

void WitnessPanel::evaluate() {
  for (size_t k = 0; k < m_editors.size(); ++k)
    m_editors[k]->setBits(m_values[k]);
  m_trace = {};
  if (const workbench::StepProgram* shown = program())
    m_trace = shown->evaluate(m_values);
  m_steps->setTrace(m_trace);
  m_outcome->setTrace(m_trace, !stale());
  const WitnessChoice choice = m_choice < 0 ? WitnessChoice{} : m_choices[static_cast<size_t>(m_choice)];
  const bool asFound = choice.witness >= 0 && m_values == choice.values;
  m_outcome->setReplay(asFound ? replayText(m_shown->witnesses[static_cast<size_t>(choice.witness)])
                               : QString());
  enableActions();
}

void WitnessPanel::showValues(int caseGoal, const std::vector<uint32_t>& values) {
  onSnapshot(); // the panel may have been hidden until now
  if (!m_shown)
    return;
  WitnessChoice choice = choiceOf(*m_shown, caseGoal, values);
  if (choice.goal < 0)
    return;
  std::erase_if(m_choices, [](const WitnessChoice& old) { return old.ofCase; });
  auto known = std::find_if(m_choices.begin(), m_choices.end(), [&](const WitnessChoice& other) {
    return other.goal == choice.goal && other.values == choice.values && other.witness >= 0;
  });
  if (known == m_choices.end())
    known = m_choices.insert(known, std::move(choice));
  m_pages->setText({});
  fillChooser(static_cast<int>(known - m_choices.begin()));
}

void WitnessPanel::reset() {
  if (m_choice < 0 || program() == nullptr)
    return;
  const WitnessChoice& choice = m_choices[static_cast<size_t>(m_choice)];
  if (choice.values != m_values)
    context().undo.push(new ValuesCommand(this, goalName(choice.goal), m_values, choice.values,
                                          ValueEditor::Source::Once, -1));
}

void WitnessPanel::run(bool pytorch) {
  if (program() == nullptr || stale())
    return;
  const int goal = m_choices[static_cast<size_t>(m_choice)].goal;
  Bench& bench = context().bench;
  const std::vector<uint32_t> given = variablesOf(*m_shown, goal, m_values);
  const Ticket ticket = pytorch ? bench.runPyTorch(goal, given) : bench.runInterpreter(goal, given);
  if (ticket == 0)
    return;
  const QString engine = pytorch ? QStringLiteral("PyTorch") : QStringLiteral("interpreter");
  m_runs.emplace(ticket, engine);
  m_outcome->setRunning(engine);
  enableActions();
}

void WitnessPanel::onRun(Ticket ticket, const workbench::RunResult& result) {
  if (m_runs.erase(ticket) == 0)
    return; // the values have changed since
  m_outcome->setRun(result, m_trace);
  enableActions();
}

void WitnessPanel::dropRuns() {
  const std::map<Ticket, QString> runs = std::exchange(m_runs, {});
  for (const auto& [ticket, engine] : runs)
    context().bench.cancel(ticket);
  m_outcome->clearRuns();
}

void WitnessPanel::enableActions() {
  const bool usable = program() != nullptr && !stale();
  const Actions& actions = context().actions;
  auto isRunning = [&](const QString& engine) {
    return std::any_of(m_runs.begin(), m_runs.end(), [&](const auto& run) { return run.second == engine; });
  };
  actions.find(QStringLiteral("witness-interpreter"))
      ->setEnabled(usable && !isRunning(QStringLiteral("interpreter")));
  actions.find(QStringLiteral("witness-pytorch"))
      ->setEnabled(usable && !isRunning(QStringLiteral("PyTorch")));
  actions.find(QStringLiteral("witness-reset"))
      ->setEnabled(program() != nullptr && m_values != m_choices[static_cast<size_t>(m_choice)].values);
}

void WitnessPanel::onHighlight() {
  m_steps->setHighlight(highlight(), anchor());
}

void WitnessPanel::onStatus() {
  m_pages->setNotice(stale() ? EmptyState::staleNotice() : QString());
  if (!m_pages->showsContent())
    m_pages->setText(emptyText());
  if (stale())
    dropRuns();
  m_outcome->setTrace(m_trace, !stale());
  enableActions();
}

void WitnessPanel::onAppearance() {
  m_text->setFont(fixedFont());
  m_steps->restyle();
  makeEditors(); // measured anew
  evaluate();
}

} // namespace plumbline::views
